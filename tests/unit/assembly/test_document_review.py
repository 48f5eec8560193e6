"""A document review from its beginning to each of its ends, offline and in process."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any, cast

import pytest
from foureyes import (
    ExitCode,
    ExportFormat,
    InputError,
    Progress,
    ReviewResult,
    ReviewStatus,
    RunDirectoryError,
    Severity,
    export_record,
    resume_review,
    resume_review_sync,
    review_document,
    review_document_sync,
)
from foureyes.datatypes import GateChoice
from support.docx import docx, paragraph
from support.pdf import pdf
from support.reviews import FAULTS, PLAN, reviewed

PHASES = (
    *("red_findings.json", "defences.json", "compiled.json", "gate_decision.json", "smoke.json"),
    *("claims.json", "claim_smoke.json", "web.json", "cross_reference.json"),
)


def without_notes(annotated: str) -> str:
    """The document of an annotated copy."""
    return re.sub(r"\[\^review-[A-Za-z0-9-]+\]", "", annotated[: annotated.rindex("\n\n---\n")])


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> ReviewResult:
    """A review that waits at its gate."""
    return reviewed(tmp_path_factory.mktemp("waiting"), yes=False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> ReviewResult:
    """A review that went to its end, background claims included."""
    return reviewed(tmp_path_factory.mktemp("whole"), verify_background=True)


@pytest.fixture
def copy(waiting: ReviewResult, tmp_path: Path) -> Path:
    """The waiting review's directory, to go on with."""
    return Path(shutil.copytree(waiting.review_dir, tmp_path / "review"))


@pytest.fixture
def whole_copy(whole: ReviewResult, tmp_path: Path) -> Path:
    """The whole review's directory, to spoil."""
    return Path(shutil.copytree(whole.review_dir, tmp_path / "review"))


def issues(result: ReviewResult) -> list[str]:
    return [one.finding.issue for one in result.findings]


def journal(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in (folder / "journal").glob("*.json")}


def turns(folder: Path) -> list[str]:
    lines = (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
    events = [cast("dict[str, Any]", json.loads(line)) for line in lines]
    return [event["detail"] for event in events if event["event"] == "turn_started"]


def test_a_review_waits_at_its_gate_with_what_survived(waiting: ReviewResult) -> None:
    assert waiting.status is ReviewStatus.AWAITING_DECISION
    assert waiting.exit_code is ExitCode.INCONCLUSIVE
    assert set(issues(waiting)) >= set(FAULTS)
    report = (waiting.review_dir / "report.md").read_text(encoding="utf-8")
    assert "waiting for your decision" in report
    assert "Appendix" not in report
    assert [name for name in PHASES if (waiting.review_dir / name).exists()] == list(PHASES[:3])


def test_it_is_shown_in_two_lines_and_as_escaped_html(waiting: ReviewResult) -> None:
    assert len(repr(waiting).splitlines()) == 2
    page = str(getattr(waiting, "_repr_html_")())  # noqa: B009 - as notebooks ask for it
    assert "<b>awaiting_decision</b>" in page
    assert 'report.html">report</a>' in page


def test_a_decision_lets_it_go_on_and_nothing_is_done_twice(copy: Path) -> None:
    before, asked = journal(copy), turns(copy)
    result = resume_review_sync(copy, yes=True, by="Kai")
    assert result.status is ReviewStatus.COMPLETED
    decision = result.contents.decision
    assert decision is not None
    assert (decision.choice, decision.by) == (GateChoice.GO_ON, "Kai")
    assert before.items() <= journal(copy).items()
    assert len(set(turns(copy))) == len(turns(copy)) > len(asked)


def test_a_review_that_is_stopped_has_ended_and_may_be_taken_up_after_all(copy: Path) -> None:
    stopped = resume_review_sync(copy, stop=True, by="Kai")
    assert stopped.status is ReviewStatus.STOPPED
    assert stopped.exit_code is ExitCode.OK
    assert resume_review_sync(copy).status is ReviewStatus.STOPPED
    assert resume_review_sync(copy, yes=True).status is ReviewStatus.COMPLETED
    with pytest.raises(InputError, match="has gone on"):
        resume_review_sync(copy, stop=True)


def test_a_decision_counts_for_the_review_that_was_shown_and_no_other(copy: Path) -> None:
    resume_review_sync(copy, stop=True)
    path = copy / "gate_decision.json"
    kept = json.loads(path.read_bytes())
    path.write_text(json.dumps({**kept, "compiled_sha256": "0" * 64}), encoding="utf-8")
    assert resume_review_sync(copy).status is ReviewStatus.AWAITING_DECISION


def test_nobody_both_goes_on_and_stops(copy: Path) -> None:
    with pytest.raises(InputError, match="both"):
        resume_review_sync(copy, yes=True, stop=True)


def test_a_review_that_is_done_is_not_done_again(whole_copy: Path) -> None:
    before, asked = journal(whole_copy), turns(whole_copy)
    files = {name: (whole_copy / name).read_bytes() for name in PHASES}
    assert resume_review_sync(whole_copy).status is ReviewStatus.COMPLETED
    assert journal(whole_copy) == before
    assert turns(whole_copy) == asked
    assert {name: (whole_copy / name).read_bytes() for name in PHASES} == files


def test_what_was_found_outside_stands_in_an_appendix_and_changes_no_finding(
    whole: ReviewResult, waiting: ReviewResult
) -> None:
    assert whole.findings == waiting.findings
    report = (whole.review_dir / "report.md").read_text(encoding="utf-8")
    review, appendix = report.split("## External Verification Appendix")
    assert "CONTRADICTED" not in review
    assert "quay.md" not in review
    for part in ("Reading order", "### Summary", "### Verification Results"):
        assert part in appendix
    assert "60 tonnes" in appendix
    assert "### Pipeline Calibration" in appendix
    assert "### Claims Not Verified (BACKGROUND" in appendix


def test_without_the_web_nothing_is_looked_up_and_the_report_says_so(tmp_path: Path) -> None:
    result = reviewed(tmp_path, no_web=True)
    assert result.status is ReviewStatus.COMPLETED
    assert not (result.review_dir / "claims.json").exists()
    assert "`--no-web`" in (result.review_dir / "report.md").read_text(encoding="utf-8")


def test_background_claims_are_looked_up_only_if_that_is_wanted(
    whole: ReviewResult, tmp_path: Path
) -> None:
    plain = reviewed(tmp_path).contents
    every = whole.contents
    assert plain.web is not None
    assert plain.claims is not None
    assert every.web is not None
    assert {one.claim_id for one in plain.web.results} == {
        one.id for one in plain.claims.claims if one.materiality == "LOAD-BEARING"
    }
    assert len(every.web.results) == len(plain.claims.claims) > len(plain.web.results)


@pytest.mark.parametrize(
    ("severity", "code"),
    [(None, 0), (Severity.CRITICAL, 0), (Severity.HIGH, 1), (Severity.LOW, 1)],
)
def test_a_finding_at_the_severity_asked_for_makes_exit_1(
    whole: ReviewResult, severity: Severity | None, code: int
) -> None:
    assert whole.exit_code_for(severity) == code


def test_a_review_that_waits_is_no_failure_whatever_it_found(waiting: ReviewResult) -> None:
    assert waiting.exit_code_for(Severity.LOW) is ExitCode.INCONCLUSIVE


def test_a_document_is_no_source_of_its_own_claims_and_a_contradicted_one_makes_exit_1(
    tmp_path: Path,
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/quay.md").write_text("The crane of the quay can lift 60 tonnes.\n")
    plan = tmp_path / "notes/plan.md"
    plan.write_text("# Plan\n\nThe crane of the quay can lift 40 tonnes ([note](quay.md)).\n")
    result = review_document_sync(
        plan, sources=[tmp_path], fetch="none", yes=True, out=tmp_path / "reviews"
    )
    web = result.contents.web
    assert web is not None
    assert [one.verdict.value for one in web.results] == ["CONTRADICTED"]
    assert not result.findings
    assert [result.exit_code_for(one) for one in (None, Severity.HIGH, Severity.MEDIUM)] == [
        0,
        0,
        1,
    ]


def test_annotations_leave_the_document_byte_for_byte(whole: ReviewResult) -> None:
    text = (whole.review_dir / "annotated.md").read_bytes().decode("utf-8")
    assert without_notes(text) == PLAN
    assert "a rise of 30 %[^review-A-1]" in text
    assert "contradicted" not in text


def read_again(review_dir: Path) -> str:
    return "".join(export_record(review_dir, ExportFormat.SARIF).pieces)


SPOILED = {
    "smoke.json": ("never spelled out", "spelled out"),
    "document.md": ("40 to 50", "40 to 52"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_a_review_that_somebody_changed_is_refused(whole_copy: Path, name: str) -> None:
    path = whole_copy / name
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace(*SPOILED[name]), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != before
    named = "finding T-[0-9] was .* changed" if name == "smoke.json" else "document.md"
    with pytest.raises(RunDirectoryError, match=named):
        read_again(whole_copy)
    with pytest.raises(RunDirectoryError, match=named):
        resume_review_sync(whole_copy)


def test_findings_that_are_sealed_stand_whatever_would_be_found_anew(
    whole_copy: Path, whole: ReviewResult
) -> None:
    turn = next((whole_copy / "journal").glob("1-blue-textual-01*.json"))
    turn.write_text(turn.read_text(encoding="utf-8").replace("Rules", "I"), encoding="utf-8")
    resumed = resume_review_sync(whole_copy)
    assert resumed.status is ReviewStatus.COMPLETED
    assert resumed.findings == whole.findings


def test_sealed_findings_that_are_gone_are_refused(whole_copy: Path) -> None:
    (whole_copy / "smoke.json").unlink()
    for go_on in (read_again, resume_review_sync):
        with pytest.raises(RunDirectoryError, match="finding A-1 was added, moved, taken away"):
            go_on(whole_copy)


def test_reports_are_written_again_from_the_directory_alone(whole_copy: Path) -> None:
    names = ("report.md", "report.json", "annotated.md")
    before = {name: (whole_copy / name).read_bytes() for name in names}
    for name in names:
        (whole_copy / name).unlink()
    resume_review_sync(whole_copy)
    assert {name: (whole_copy / name).read_bytes() for name in names} == before


def test_a_damaged_file_is_named(whole_copy: Path) -> None:
    (whole_copy / "web.json").write_text("{", encoding="utf-8")
    with pytest.raises(RunDirectoryError, match=r"web\.json"):
        read_again(whole_copy)


def test_another_backend_does_not_go_on_with_a_review(copy: Path) -> None:
    with pytest.raises(InputError, match="offline"):
        resume_review_sync(copy, backend="claude")


KINDS = [
    ("plan.pdf", pdf([["Plan"], ["Traffic rose from 40 to 50 boats, a rise of 30 %."]]), "page 2"),
    (
        "plan.docx",
        docx(
            paragraph("Costs", style="Heading1"),
            paragraph("Traffic rose from 40 to 50 boats, a rise of 30 %."),
        ),
        "“Costs”, line 3 of the reading copy",
    ),
    (
        "plan.html",
        b"<h1>Costs</h1><p>Traffic rose from 40 to 50 boats, a rise of 30 %.",
        "“Costs”, line 3 of the reading copy",
    ),
    ("plan.txt", b"Traffic rose from 40 to 50 boats, a rise of 30 %.\r\n", "line 1"),
]


@pytest.mark.parametrize(("name", "data", "where"), KINDS, ids=[kind[0] for kind in KINDS])
async def test_findings_are_placed_in_the_original_whatever_its_kind(
    tmp_path: Path, name: str, data: bytes, where: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    result = await review_document(path, yes=True, no_web=True, out=tmp_path / "reviews")
    assert (result.review_dir / "original" / name).read_bytes() == data
    report = (result.review_dir / "report.md").read_text(encoding="utf-8")
    assert f"- Where: {where}" in report
    resumed = await resume_review(result.review_dir)
    assert resumed.contents.original == result.contents.original


def test_everything_that_happens_is_told(tmp_path: Path) -> None:
    events: list[Progress] = []
    path = tmp_path / "plan.md"
    path.write_text(PLAN, encoding="utf-8")
    review_document_sync(
        path, no_web=True, yes=True, out=tmp_path / "reviews", notify=events.append
    )
    phases = [one.detail for one in events if one.event == "phase_started"]
    assert phases == ["red", "defence", "smoke"]
    assert (events[0].event, events[-1]) == (
        "run_started",
        Progress("run_ended", detail="completed"),
    )
