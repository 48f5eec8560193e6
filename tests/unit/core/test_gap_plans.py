"""What follows from gaps: when queries are carried, and how the evidence is criticised."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes import GateDecision, GateResult, Ledger, LedgerEntry, Location, Stance, Verdict
from foureyes.core.gaps import analyse_gaps, to_queries
from foureyes.datatypes import (
    CitationState,
    EvidenceGap,
    FailCode,
    GapKind,
    GapPriority,
    GateMetrics,
    WeighedEvidence,
)
from foureyes.verification.policy import DeepeningPolicy
from pydantic import ValidationError

from tests.support.claim_kit import claims_of, registry

CLAIMS = claims_of(
    "The station cost 212 million euros.\n\nIts owner, Arnsund Energy, employs 40 people.\n"
)
FAILED = GateResult(
    GateDecision.FAIL,
    "document",
    "rate_below_review",
    "",
    "",
    GateMetrics(2, 2, 0, 0, 0, 0, 2, 0, 0, 0.0),
    FailCode.VERIFICATION_INCONCLUSIVE,
)
AGAINST = WeighedEvidence("https://a.example", "sha", "it cost 300", 0, 11, Stance.CONTRADICTS)


def entry(number: int, verdict: Verdict = Verdict.UNVERIFIABLE) -> LedgerEntry:
    claim = CLAIMS[number]
    return LedgerEntry(
        claim.id, claim.text, Location(number + 1, 1, 0, 1), verdict, CitationState.NONE, "why"
    )


UNSOURCED = Ledger(3, (entry(0), entry(1)))


@pytest.mark.parametrize(
    ("decision", "carried", "last", "planned"),
    [
        (GateDecision.FAIL, 0, False, True),
        (GateDecision.FAIL, 1, False, True),
        (GateDecision.FAIL, 2, False, False),
        (GateDecision.FAIL, 0, True, False),
        (GateDecision.PENDING_REVIEW, 0, False, False),
        (GateDecision.PASS, 0, False, False),
    ],
)
def test_two_failed_iterations_carry_queries_and_all_others_offer_them(
    decision: GateDecision, carried: int, last: bool, planned: bool
) -> None:
    gate = replace(FAILED, decision=decision)
    found = analyse_gaps(UNSOURCED, CLAIMS, gate, registry(), carried=carried, last=last)
    queries = found.critique.suggested_queries
    assert len(queries) == 2
    if planned:
        assert found.plan is not None
        assert (found.plan.queries, found.report.improvement_queries) == (queries, ())
        assert {query.priority for query in queries} == {GapPriority.HIGH}
    else:
        assert (found.plan, found.report.improvement_queries) == (None, queries)
    assert (found.report.iteration, found.report.decision) == (3, decision)


def test_only_high_gaps_make_a_plan() -> None:
    gate = replace(FAILED, rule="open_contradiction", fail_code=FailCode.CONTRADICTION)
    found = analyse_gaps(UNSOURCED, CLAIMS, gate, registry())
    assert found.plan is None
    assert {gap.priority for gap in found.report.gaps} == {GapPriority.MEDIUM}


def test_queries_are_asked_once_and_are_not_too_many() -> None:
    def gap(query: str) -> EvidenceGap:
        return EvidenceGap(GapKind.SOURCES, GapPriority.HIGH, "why", query)

    two = registry().deepening.model_copy(update={"queries": 2})
    queries = to_queries(map(gap, ("a", "", "b", "a", "c")), two)
    assert [(query.query, query.reason) for query in queries] == [("a", "why"), ("b", "why")]
    none = two.model_copy(update={"queries": 0})
    assert to_queries([gap("a")], none) == ()


def test_the_critique_names_weak_claims_and_what_speaks_against_claims() -> None:
    first = replace(entry(0, Verdict.SUPPORTED), evidence=(AGAINST,), contradicts=(CLAIMS[1].id,))
    lines = (first, replace(entry(1), contradicts=(CLAIMS[0].id,)))
    critique = analyse_gaps(Ledger(1, lines), CLAIMS, FAILED, registry()).critique
    (weak,) = critique.under_sourced_claims
    assert (weak.claim_id, weak.line, weak.reason) == (CLAIMS[1].id, 2, "unsourced: why")
    told = [(one.against, one.url, one.reason) for one in critique.contradictions]
    found = {("it cost 300", "https://a.example"), (CLAIMS[1].text, "")}
    assert {(against, url) for against, url, _ in told} == found
    # Two claims against each other are told of once.
    assert len(told) == 2


def test_the_critique_keeps_to_its_length_and_says_what_it_left_out() -> None:
    policy = registry().deepening.model_copy(update={"listed_claims": 1})
    rules = replace(registry(), deepening=policy)
    wrong = replace(entry(0, Verdict.CONTRADICTED), evidence=(AGAINST, AGAINST))
    found = analyse_gaps(UNSOURCED, CLAIMS, FAILED, rules).critique
    assert (len(found.under_sourced_claims), found.unlisted) == (1, 1)
    found = analyse_gaps(Ledger(1, (wrong,)), CLAIMS, FAILED, rules).critique
    assert (len(found.contradictions), found.unlisted) == (1, 1)


def test_a_sound_document_has_nothing_to_criticise() -> None:
    sound = Ledger(1, (entry(0, Verdict.SUPPORTED),))
    assert analyse_gaps(sound, CLAIMS, FAILED, registry()).critique.empty


def test_every_kind_of_claim_gap_has_a_priority() -> None:
    values = registry().deepening.model_dump()
    del values["priorities"][GapKind.DISPUTED]
    with pytest.raises(ValidationError, match="priorities must have exactly disputed"):
        DeepeningPolicy.model_validate(values)
