"""`foureyes report export`: a run in each format, read back as that format."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from foureyes import ExportFormat, InputError, export_record
from junitparser import JUnitXml
from support.commands import execute
from support.ferry import check_draft, record_of
from support.ferry import exported as exported_check
from support.report_run import ReportRun

CLAIMS = 8


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    return ReportRun(claims=CLAIMS).write(tmp_path / "runs")


def exported(run_dir: Path, form: str) -> str:
    out = run_dir.parent / form
    assert execute(["report", "export", str(run_dir), "--format", form, "-o", str(out)]) == 0
    return out.read_text(encoding="utf-8")


def test_every_claim_of_the_ledger_is_annotated_and_is_a_test_case(run_dir: Path) -> None:
    assert len(json.loads(exported(run_dir, "web-annotation"))["items"]) == CLAIMS
    (suite,) = JUnitXml.fromstring(exported(run_dir, "junit").encode())
    assert suite.tests == CLAIMS + 1


def test_every_finding_of_the_delivered_draft_is_a_result(run_dir: Path) -> None:
    (outcome,) = sorted((run_dir / "iterations").glob("outcome_iteration_*.json"))[-1:]
    ids = {one["id"] for one in json.loads(outcome.read_text("utf-8"))["findings"]}
    (run,) = json.loads(exported(run_dir, "sarif"))["runs"]
    found = {next(iter(one["partialFingerprints"].values())) for one in run["results"]}
    assert ids
    assert ids <= found


def test_a_check_is_exported_as_its_findings_and_has_no_provenance(tmp_path: Path) -> None:
    result = check_draft(tmp_path)
    of_runs = {ExportFormat.PROV_JSON, ExportFormat.CSL_JSON, ExportFormat.BIBTEX}
    for form in set(ExportFormat) - of_runs:
        assert exported_check(record_of(result), form, tmp_path)
    (run,) = json.loads(exported_check(record_of(result), ExportFormat.SARIF, tmp_path))["runs"]
    assert len(run["results"]) > len(result.findings) > 0
    for form in of_runs:
        with pytest.raises(InputError, match=f"cannot be exported as {form}"):
            export_record(tmp_path, form)


def test_claim_reviews_bear_the_publishers_name(run_dir: Path) -> None:
    out = run_dir.parent / "reviews.json"
    options = ["--format", "claim-review", "--publisher", "The Desk", "-o", str(out)]
    assert execute(["report", "export", str(run_dir), *options]) == 0
    reviews = json.loads(out.read_text("utf-8"))["@graph"]
    assert {one["author"]["name"] for one in reviews} == {"The Desk"}


def test_who_may_read_an_export_is_for_the_umask_to_say(run_dir: Path) -> None:
    before = os.umask(0o027)
    try:
        exported(run_dir, "junit")
    finally:
        os.umask(before)
    assert (run_dir.parent / "junit").stat().st_mode & 0o777 == 0o640


def test_a_folder_is_no_place_for_an_export(
    run_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(run_dir.parent)
    assert execute(["report", "export", str(run_dir), "--format", "junit", "-o", "."]) == 4
    said = capsys.readouterr().err
    assert said == "foureyes: error: cannot write '.': Is a directory (give the name of a file)\n"


MEASURED = """
import re, sys
from pathlib import Path
from foureyes.cli._app import execute
code = execute(sys.argv[1:])
# The peak of this program alone; `getrusage` counts that of the process which started it too.
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
print(code, int(peak[1]) // 1024)
"""


@pytest.mark.soak
@pytest.mark.parametrize("form", ["sarif", "web-annotation", "junit", "claim-review"])
def test_an_export_of_100_000_claims_takes_less_than_250_mb(form: str, big: Path) -> None:
    words = ["report", "export", str(big), "--format", form, "-o", str(big.parent / form)]
    command = [sys.executable, "-c", MEASURED, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    code, megabytes = map(int, done.stdout.splitlines()[-1].split())
    assert code == 0
    assert megabytes < 250


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ReportRun(claims=100_000, iterations=1).write(tmp_path_factory.mktemp("big"))
