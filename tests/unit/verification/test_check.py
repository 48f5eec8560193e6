"""The whole deterministic check of a document."""

from __future__ import annotations

from foureyes import GateDecision, Recommendation, Severity, Verdict
from foureyes.datatypes import SourceState, Strictness
from foureyes.documents.parse import parse_document
from foureyes.verification.check import check_document
from support.claim_kit import AS_OF, PAGE, check, registry, source, sources

OTHER = "https://example.net/other"
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


def test_a_report_holds_claims_findings_ledger_and_gate() -> None:
    report = check(DRAFT, sources({PAGE: TEXT}, source(OTHER, SourceState.DEAD)))
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


def test_findings_keep_their_ids_when_the_document_grows() -> None:
    found = sources({PAGE: TEXT}, source(OTHER, SourceState.DEAD))
    before = {f.id for f in check(DRAFT, found).findings}
    after = {f.id for f in check(f"# More\n\nSome words first.\n\n{DRAFT}", found).findings}
    assert before == after


def test_every_evidence_stands_in_its_snapshot() -> None:
    found = sources({PAGE: TEXT}, source(OTHER, SourceState.DEAD))
    for assessment in check(DRAFT, found).assessments:
        for evidence in assessment.evidence:
            assert found.texts[evidence.sha256][evidence.start : evidence.end] == evidence.quote


def test_a_document_of_true_claims_passes() -> None:
    draft = f"The mean crossing took 45 minutes ({PAGE}).\n\nThe pier is 60 metres long ({PAGE}).\n"
    report = check(draft, sources({PAGE: TEXT}))
    assert (report.gate.decision, report.findings) == (GateDecision.PASS, ())
    assert report.recommendation is Recommendation.APPROVE
    assert report.accuracy == 100.0


def test_strictness_decides_the_vote() -> None:
    draft = f"The pier was painted blue by 12 people ({PAGE}).\n"
    votes = [
        check_document(
            parse_document(draft), sources({PAGE: TEXT}), registry(), as_of=AS_OF, strictness=level
        ).recommendation
        for level in (Strictness.LENIENT, Strictness.NORMAL, Strictness.STRICT)
    ]
    assert votes == [Recommendation.APPROVE, Recommendation.APPROVE, Recommendation.REJECT]


def test_nothing_to_check_is_left_to_a_person() -> None:
    report = check("The outlook is good.\n", sources({}))
    assert report.gate.rule == "nothing_to_check"
    assert (report.accuracy, report.coverage) == (None, None)
    assert [one.type for one in report.findings] == ["unsourced"]
