"""A whole document, checked against the sources that it cites."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes.base.errors import SnapshotError
from foureyes.base.finding import Location
from foureyes.base.vocabulary import GateDecision, Severity, SourceState, Strictness, Verdict
from foureyes.documents import parse_document
from foureyes.sources.model import SourceSet
from foureyes.verification.check import check_document, sort_findings
from hypothesis import given
from hypothesis import strategies as st

from tests.support.claim_kit import AS_OF, PAGE, check, registry, source, sources

LANES = (
    "The city built 42 kilometres of bicycle lanes in 2024.\n\n"
    "The lanes cost 8 million euros.\n\nThe mayor opened the last of them in May 2024."
)
TRUE = f"The city built 42 kilometres of bicycle lanes in 2024 ({PAGE})."
FALSE = f"The lanes cost 12 million euros ({PAGE})."
UNSOURCED = "Half of the riders came from other towns."


def test_a_true_and_cited_document_passes() -> None:
    report = check(TRUE, sources({PAGE: LANES}))
    assert [one.verdict for one in report.assessments] == [Verdict.SUPPORTED]
    assert (report.gate.decision, report.recommendation) == (GateDecision.PASS, "approve")
    assert (report.findings, report.accuracy, report.coverage) == ((), 100, 1)


def test_a_false_number_is_found_with_its_evidence() -> None:
    report = check(f"{TRUE}\n\n{FALSE}", sources({PAGE: LANES}))
    assert (report.gate.decision, report.gate.rule) == ("fail", "open_contradiction")
    (found,) = report.findings
    assert (found.type, found.severity) == ("numeric_error", Severity.HIGH)
    (evidence,) = report.assessments[1].evidence
    assert LANES[evidence.start : evidence.end] == evidence.quote
    assert "8 million euros" in evidence.quote
    assert (report.recommendation, report.accuracy) == ("reject", 50)


def test_an_unsourced_claim_is_no_part_of_the_accuracy() -> None:
    report = check(f"{TRUE}\n\n{UNSOURCED}", sources({PAGE: LANES}))
    assert (report.accuracy, report.gate.metrics.unsourced) == (100, 1)
    assert [found.type for found in report.findings] == ["unsourced"]
    assert report.severity_counts == {
        Severity.CRITICAL: 0,
        Severity.HIGH: 1,
        Severity.MEDIUM: 0,
        Severity.LOW: 0,
    }


def test_a_dead_source_is_the_authors_and_one_not_fetched_is_not() -> None:
    dead = check(TRUE, sources({}, source(state=SourceState.DEAD)))
    assert (dead.recommendation, dead.gate.decision) == ("reject", GateDecision.FAIL)
    unread = check(TRUE, SourceSet())
    assert (unread.findings, unread.recommendation, unread.coverage) == ((), "approve", 0)
    assert unread.gate.decision is not GateDecision.PASS


def test_an_opinion_leaves_nothing_to_check() -> None:
    report = check("I think three towers are enough.", SourceSet())
    assert (report.gate.rule, report.accuracy) == ("nothing_to_check", None)


def test_an_empty_document_is_checked_and_does_not_pass() -> None:
    report = check("", SourceSet())
    assert (report.claims, report.gate.decision) == ((), GateDecision.PENDING_REVIEW)


def test_strictness_changes_the_vote_and_nothing_else() -> None:
    document = parse_document(f"He wrote of it.\n\n# B\n\nRevenue was 5 million euros. {TRUE}\n")
    found = sources({PAGE: LANES}, source(state=SourceState.PAYWALLED))
    reports = {
        one: check_document(document, found, registry(), as_of=AS_OF, strictness=one)
        for one in Strictness
    }
    assert reports[Strictness.STRICT].recommendation == "reject"
    assert reports[Strictness.LENIENT].recommendation == "approve"
    alike = {one: replace(report, recommendation="approve") for one, report in reports.items()}
    assert alike[Strictness.STRICT] == alike[Strictness.LENIENT]


def test_a_readable_source_without_its_text_is_an_error() -> None:
    with pytest.raises(SnapshotError, match="missing"):
        check(TRUE, SourceSet({PAGE: source()}, {}))


@given(st.permutations(range(6)))
def test_findings_are_in_document_order_the_worse_first(order: list[int]) -> None:
    (one,) = check(FALSE, sources({PAGE: LANES})).findings
    places = [None, *(Location(1, 1, start, start + 1) for start in (0, 5, 5, 5, 9))]
    levels = [Severity.LOW, *[Severity.LOW] * 2, Severity.HIGH, Severity.LOW, Severity.CRITICAL]
    ids = ["f", "a", "c", "d", "b", "e"]
    found = [
        replace(one, id=name, location=place, severity=severity)
        for name, place, severity in zip(ids, places, levels, strict=True)
    ]
    assert [f.id for f in sort_findings(found[i] for i in order)] == ["f", "a", "d", "b", "c", "e"]


PIECES = st.sampled_from([TRUE, FALSE, UNSOURCED, "It is nice.", "I think 3 are enough.", "# H"])


@given(st.lists(PIECES, max_size=6))
def test_every_claim_has_one_answer_and_findings_belong_to_claims(pieces: list[str]) -> None:
    report = check("\n\n".join(pieces), sources({PAGE: LANES}))
    ids = [claim.id for claim in report.claims]
    assert [one.claim_id for one in report.assessments] == ids
    assert [line.claim_id for line in report.ledger.entries] == ids
    assert {found.claim_id for found in report.findings} <= set(ids)
    assert sum(report.severity_counts.values()) == len(report.findings)
    assert (FALSE in pieces) <= (report.gate.decision is GateDecision.FAIL)
