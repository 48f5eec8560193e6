"""The whole deterministic check of a document."""

from __future__ import annotations

from pathlib import Path

from foureyes import CheckResult, GateDecision, Recommendation, Severity, Verdict
from support.checking import checked, held_to

PAGE, OTHER = "page.md", "gone.md"
TEXT = (
    "Log of the ferry\n\nThe mean crossing took 45 minutes. The ferry made 200 calls at Norrvik in "
    "May. The pier is 60 metres long. The crew numbers 34 people."
)
DRAFT = (
    "# Report\n\n"
    f"The mean crossing took 45 minutes ({PAGE}). The ferry made 260 calls at Norrvik in May "
    f"({PAGE}). Our survey of 300 guests went well.\n\n"
    f"The crew numbers 34 people ({OTHER}). Buy two boats.\n"
)


def check(folder: Path, draft: str) -> CheckResult:
    return held_to(folder, draft, TEXT)


def test_a_report_holds_claims_findings_ledger_and_gate(tmp_path: Path) -> None:
    report = check(tmp_path, DRAFT).report
    assert [a.verdict for a in report.assessments] == [
        Verdict.SUPPORTED,
        Verdict.CONTRADICTED,
        Verdict.UNVERIFIABLE,
        Verdict.SOURCE_UNAVAILABLE,
        Verdict.NOT_CHECKABLE,
    ]
    assert [(f.type, f.severity) for f in report.findings] == [
        ("numeric_error", "high"),
        ("fabricated", "critical"),
        ("dead_citation", "high"),
    ]
    assert [entry.claim_id for entry in report.ledger.entries] == [c.id for c in report.claims]
    assert (report.gate.decision, report.gate.rule) == (GateDecision.FAIL, "open_contradiction")
    assert report.recommendation is Recommendation.REJECT
    assert report.severity_counts[Severity.HIGH] == 2
    assert report.accuracy == 100 / 4
    assert report.coverage == 1.0


def test_the_own_result_of_a_handbook_is_its_own_matter(tmp_path: Path) -> None:
    plain = "# Cache\n\nOur survey of 300 guests went well. We found that it saves 20 % of reads.\n"
    for draft, severity in (
        (plain, "critical"),
        (f"{plain}\nCall `open`.\n\nUse `read`.\n", "low"),
    ):
        found = check(tmp_path, draft).report.findings
        assert {(one.type, one.severity) for one in found} == {("fabricated", severity)}


def test_findings_keep_their_ids_when_the_document_grows(tmp_path: Path) -> None:
    longer = f"# More\n\nSome words first.\n\n{DRAFT}"
    before, after = ({f.id for f in check(tmp_path, text).findings} for text in (DRAFT, longer))
    assert before == after


def test_every_evidence_stands_in_its_snapshot(tmp_path: Path) -> None:
    result = check(tmp_path, DRAFT)
    texts = {
        one.source.snapshot.sha256: one.given.text
        for one in result.appraisal.rated
        if one.source.snapshot
    }
    found = [evidence for one in result.report.assessments for evidence in one.evidence]
    assert len(found) >= 2
    for evidence in found:
        assert texts[evidence.sha256][evidence.start : evidence.end] == evidence.quote


def test_a_document_of_true_claims_passes(tmp_path: Path) -> None:
    draft = f"The mean crossing took 45 minutes ({PAGE}).\n\nThe pier is 60 metres long ({PAGE}).\n"
    report = check(tmp_path, draft).report
    assert (report.gate.decision, report.findings) == (GateDecision.PASS, ())
    assert report.recommendation is Recommendation.APPROVE
    assert report.accuracy == 100.0


def test_nothing_to_check_is_left_to_a_person() -> None:
    report = checked("The outlook is good.\n").report
    assert report.gate.rule == "nothing_to_check"
    assert (report.accuracy, report.coverage) == (None, None)
    assert [one.type for one in report.findings] == ["unsourced"]
