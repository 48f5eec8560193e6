"""The result of a run, for a program."""

from __future__ import annotations

import json
from pathlib import Path

import foureyes
import jsonschema
import pytest
from schema_table import ARTEFACTS
from schema_text import schema_of
from support.runs import SOURCE

DRAFT = """# The station <of> Arnsund

The Arnsund tidal power station began regular service on 4 May 2019 ([report](report.md)).
"""


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> foureyes.PipelineResult:
    folder = tmp_path_factory.mktemp("result")
    (folder / "report.md").write_text(SOURCE, encoding="utf-8")
    return foureyes.run_analysis(
        draft=DRAFT,
        sources=[folder / "report.md"],
        with_fact_checker=True,
        out=folder / "runs",
    )


def test_it_tells_the_end_the_claims_and_where_the_report_is(
    result: foureyes.PipelineResult,
) -> None:
    assert (result.approved, result.exit_code, result.findings) == (True, 0, ())
    (claim,) = result.claims
    assert (claim.verdict, claim.location.line, bool(claim.evidence)) == ("supported", 3, True)
    assert result.ledger is not None
    assert result.report_path == (result.run_dir or Path()) / "report.html"


def test_it_is_shown_in_three_lines_and_as_escaped_html(result: foureyes.PipelineResult) -> None:
    assert repr(result).splitlines()[:2] == [
        "<PipelineResult approved: 2 critics approved and the evidence gate passed",
        "1 iteration, 1 claim, 0 findings",
    ]
    assert len(repr(result).splitlines()) == 3
    page = str(getattr(result, "_repr_html_")())  # noqa: B009 - as notebooks ask for it
    assert "<b>approved</b>" in page
    assert 'report.html">report</a>' in page


def test_its_record_is_plain_json_of_the_published_schema(
    result: foureyes.PipelineResult,
) -> None:
    told = result.to_dict()
    assert told == json.loads(result.model_dump_json())
    assert (told["status"], told["approved"], told["text"]) == ("approved", True, DRAFT)
    (published,) = (one for one in ARTEFACTS if one.name == "result")
    jsonschema.validate(told, schema_of(published))


def test_a_check_and_its_exit_code_are_shown_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text(SOURCE, encoding="utf-8")
    checked = foureyes.check(DRAFT, sources=[tmp_path])
    assert repr(checked) == "<CheckResult text: gate pass, 1 claim, 0 findings>"
    assert (checked.exit_code, [one.verdict for one in checked.claims]) == (0, ["supported"])
    (published,) = (one for one in ARTEFACTS if one.name == "output-check")
    jsonschema.validate(checked.to_dict(), schema_of(published))
