from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import (
    ApprovalBasis,
    Error,
    Examination,
    FailureKind,
    Finding,
    GateDecision,
    GateResult,
    IssueType,
    IterationResult,
    Ledger,
    LedgerEntry,
    Location,
    PipelineResult,
    Recommendation,
    RunAnalytics,
    RunStatus,
    Severity,
    TurnUsage,
    Verdict,
)
from foureyes.core.result import RunFinisher
from foureyes.datatypes import CitationState, Conclusion, GateMetrics
from foureyes.report.run_text import markdown, write_summary
from foureyes.report.summary import (
    BY_RULES_ONLY,
    finding_line,
    gate_line,
    gate_rule_line,
    headline,
    not_checked,
)
from support.loop_agents import NO_GAPS, quality

GATE = GateResult(
    decision=GateDecision.FAIL,
    profile="document",
    rule="open_contradiction",
    reason="one claim is contradicted",
    would_change="correct it",
    metrics=GateMetrics(9, 8, 6, 1, 0, 1, 0, 0, 1, 0.75),
)
FINDING = Finding(
    id="f-1",
    severity=Severity.HIGH,
    type=IssueType.NUMERIC_ERROR,
    claim="worth $50 billion",
    problem="The source says $30 billion.",
    origin="fact_checker",
    location=Location(12, 3, 100, 117),
    evidence="<script>alert(1)</script> *bold*",
    recommendation="write $30 billion",
)


def entry(
    verdict: Verdict, line: int, *, reason: str = "because", open_slot: bool = False
) -> LedgerEntry:
    place = Location(line, 1, 0, 1)
    return LedgerEntry(
        f"c{line}", "text", place, verdict, CitationState.DIRECT, reason, open_slot=open_slot
    )


def examination(*, independent: bool = False, coverage: float = 1.0) -> Examination:
    return Examination(
        Recommendation.APPROVE, None, (), coverage, TurnUsage(), independent=independent
    )


def concluded(ledger: Ledger, **changes: object) -> Conclusion:
    return replace(Conclusion(ledger, GATE, quality=quality(1.0), gaps=NO_GAPS), **changes)


def iteration(**changes: object) -> IterationResult:
    known = IterationResult(
        2,
        "text",
        examinations={"reviewer": examination()},
        conclusion=concluded(Ledger(2, ())),
        findings=(FINDING,),
    )
    return replace(known, **changes)


def result(delivered: IterationResult | None, run_dir: Path = Path("run")) -> PipelineResult:
    return PipelineResult(
        status=RunStatus.STALLED,
        reason="rejected by fact_checker",
        analysis="text",
        delivered=delivered,
        iterations=(),
        analytics=RunAnalytics(),
        run_dir=run_dir,
    )


@pytest.mark.parametrize("status", RunStatus)
def test_only_an_approval_is_called_one(status: RunStatus) -> None:
    words = headline(status, None)
    assert (words == BY_RULES_ONLY) is (status is RunStatus.APPROVED)
    assert status is RunStatus.APPROVED or "not approved" in words or "neither approved" in words


def test_an_approval_by_a_model_is_told_from_one_by_rules() -> None:
    approved = RunStatus.APPROVED
    assert headline(approved, ApprovalBasis.DETERMINISTIC_CHECKS) == BY_RULES_ONLY
    assert "independent" in headline(approved, ApprovalBasis.INDEPENDENT_REVIEW)


def test_the_gate_is_told_with_its_numbers() -> None:
    assert gate_line(GATE).startswith("gate fail: 6 of 8 checkable claims supported (75%), 1 con")
    told = "1 contradicted, 1 with a source that cannot be read, 1 not checkable"
    assert gate_line(GATE).endswith(told)
    nothing = replace(GATE, metrics=replace(GATE.metrics, rate=None))
    assert "(n/a)" in gate_line(nothing)
    researched = replace(GATE, profile="research/frontier")
    researched = replace(researched, metrics=replace(GATE.metrics, verified_claim_count=2))
    assert gate_line(researched).startswith(
        "gate fail (research/frontier): 6 of 8 checkable claims"
    )
    assert "(75%), 2 verified, 1 contradicted" in gate_line(researched)
    assert gate_rule_line(GATE) == (
        "gate rule, open contradiction: one claim is contradicted; would change with correct it"
    )


def test_a_finding_is_told_with_its_line_and_what_to_do() -> None:
    assert finding_line(FINDING) == (
        "high line 12 numeric_error: The source says $30 billion; "
        "<script>alert(1)</script> *bold*; write $30 billion"
    )
    bare = replace(FINDING, location=None, evidence="", recommendation="")
    assert finding_line(bare) == "high whole document numeric_error: The source says $30 billion"


def test_what_was_not_checked_is_told_by_reason() -> None:
    ledger = Ledger(
        2,
        (
            entry(Verdict.SUPPORTED, 1),
            entry(Verdict.NOT_CHECKABLE, 2, reason="opinion"),
            entry(Verdict.NOT_CHECKABLE, 5, reason="opinion"),
            entry(Verdict.SOURCE_UNAVAILABLE, 3, reason="paywalled"),
            entry(Verdict.UNVERIFIABLE, 4, reason="not stated", open_slot=True),
            entry(Verdict.UNVERIFIABLE, 6, reason="nothing on this"),
        ),
    )
    seen = iteration(conclusion=concluded(ledger, not_fetched=("https://a.example/",)))
    told = [(item.what, item.reason, item.places) for item in not_checked(result(seen))]
    assert told == [
        ("reasoning", "no language model took part", ()),
        ("cited sources", "not fetched", ("https://a.example/",)),
        ("claims nobody answered for", "not stated", ("line 4",)),
        ("claims that could not be settled", "see the findings", ("line 6",)),
        ("claims whose source cannot be read", "paywalled", ("line 3",)),
        ("statements that are not checkable", "opinion", ("line 2", "line 5")),
    ]


@pytest.mark.parametrize(
    ("delivered", "expected"),
    [
        (None, "everything: there is no draft"),
        (iteration(examinations={}, conclusion=None), "the whole document: no critic gave"),
        (iteration(conclusion=None), "facts and citations: the run had no fact checker"),
        (
            iteration(failures={"judge": Error(FailureKind.TIMEOUT, "too slow")}),
            "the part of the judge: timeout: too slow",
        ),
        (
            iteration(examinations={"r": examination(independent=True, coverage=0.5)}),
            "part of the document: r saw 50% of it",
        ),
    ],
)
def test_what_took_no_part_is_told(delivered: IterationResult | None, expected: str) -> None:
    told = [f"{item.what}: {item.reason}" for item in not_checked(result(delivered))]
    assert any(line.startswith(expected) for line in told)


def test_the_summary_holds_everything_and_no_live_markup() -> None:
    text = markdown(result(iteration()))
    assert text.startswith("# not approved: the findings no longer change\n")
    assert "[iteration 2](iterations/analysis_iteration_2.md)" in text
    assert "### high (1)" in text
    assert "line 12" in text
    assert "<script>" not in text
    assert "\\*bold\\*" in text
    assert "| agent |" in text


def test_without_findings_the_summary_says_so() -> None:
    assert "None are open." in markdown(result(iteration(findings=())))


def test_the_summary_is_written_into_the_run_directory(tmp_path: Path) -> None:
    finisher = RunFinisher("summary", write_summary)
    asyncio.run(finisher.finish(result(iteration(), tmp_path)))
    files = [path.name for path in tmp_path.iterdir()]
    assert (finisher.name, files) == ("summary", ["summary.md"])


def test_the_summary_tells_the_critique_and_how_much_has_evidence() -> None:
    known = iteration(conclusion=concluded(Ledger(2, ()), quality=quality(0.6)))
    text = markdown(result(delivered=known))
    assert "quality fail: 0.60 (coverage 0.60)." in text
    assert "0 of 0 sentences with a claim have evidence; claim by claim: `verify/" in text
