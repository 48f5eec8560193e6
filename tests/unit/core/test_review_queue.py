"""What the gate leaves to a person, and the gate with their decisions."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from foureyes import (
    GateDecision,
    Ledger,
    LedgerEntry,
    Location,
    ReviewChoice,
    ReviewQueue,
    Stance,
    Verdict,
)
from foureyes.base.registry import load_registry_file
from foureyes.core._ledger_stage import with_history
from foureyes.core.review_queue import GATE, ReviewCase, basis_of, reads_of, review_queue
from foureyes.datatypes import (
    CitationState,
    ClaimAssessment,
    Passage,
    ResearchMode,
    ReviewDecision,
    SupportTier,
    WeighedEvidence,
)
from foureyes.verification.gate.decision import ReadStatistics, decide_gate
from foureyes.verification.policy import GateProfiles

V = Verdict
C = ReviewChoice
G = GateDecision
POLICY = load_registry_file(GateProfiles, "gate.yaml")
AT = datetime(2025, 3, 1, 12, tzinfo=UTC)
READS = ReadStatistics(6, 5, 6, 5, 4, 1)


def line(number: int, verdict: Verdict) -> LedgerEntry:
    place = Location(number, 1, number, number + 1)
    name = f"c{number}"
    return LedgerEntry(name, f"claim {name}", place, verdict, CitationState.DIRECT, "a reason")


def case(
    *entries: LedgerEntry, language: str = "en", mode: ResearchMode | None = None
) -> ReviewCase:
    ledger = with_history(Ledger(1, entries), engine={})
    gate = decide_gate(ledger, POLICY, language=language, reads=READS, mode=mode)
    return ReviewCase(ledger, gate, POLICY, language, {})


def decision(given: ReviewCase, subject: str, choice: C, rule: str = "") -> ReviewDecision:
    bases = {entry.claim_id: basis_of(entry) for entry in given.ledger.entries} | {GATE: rule}
    return ReviewDecision(subject, choice, "Ana", AT, "seen", 1, bases[subject], 0)


def subjects(queue: ReviewQueue) -> list[str]:
    return [item.subject for item in queue.waiting]


def quotes(number: int) -> tuple[WeighedEvidence, ...]:
    return tuple(
        WeighedEvidence("u", "s", f"{number} {at}", at, at + 1, Stance.SUPPORTS) for at in range(3)
    )


THREE_OF_FOUR = (*(line(n, V.SUPPORTED) for n in (1, 2, 3)), line(4, V.UNVERIFIABLE))


def test_load_bearing_claims_come_first_with_their_best_evidence() -> None:
    given = [
        WeighedEvidence("u", "s", name, 0, 1, Stance.NEUTRAL, strength=strength, credibility=0.5)
        for name, strength in (("weak", 0.1), ("strong", 0.9), ("middling", 0.5), ("better", 0.6))
    ]
    heavy = replace(line(9, V.DISPUTED), load_bearing=True, evidence=tuple(given))
    found = review_queue(case(*THREE_OF_FOUR, line(5, V.SUPPORTED), heavy), [])
    assert subjects(found) == ["c9", "c4"]
    item = found.items[0]
    assert [one.quote for one in item.evidence] == ["strong", "better", "middling"]
    assert (item.line, item.verdict, item.reason) == (9, "disputed", "a reason")
    assert item.options == tuple(C)


def test_a_claim_without_evidence_shows_the_nearest_passages() -> None:
    passage = Passage("p", "u", "s", 3, 7, "near", 0.4)
    engine = ClaimAssessment("c4", V.UNVERIFIABLE, CitationState.DIRECT, "why", passages=(passage,))
    given = replace(case(*THREE_OF_FOUR), engine={"c4": engine})
    (item,) = review_queue(given, []).items
    assert [(one.quote, one.stance) for one in item.evidence] == [("near", Stance.NEUTRAL)]


@pytest.mark.parametrize(
    ("choice", "expected"), [(C.ACCEPT, G.PASS), (C.EXCLUDE, G.PASS), (C.REJECT, G.FAIL)]
)
def test_the_gate_is_decided_again_with_the_decision(choice: C, expected: G) -> None:
    given = case(*THREE_OF_FOUR)
    before, after = review_queue(given, []), review_queue(given, [decision(given, "c4", choice)])
    assert (before.gate.decision, subjects(before)) == (G.PENDING_REVIEW, ["c4"])
    assert (after.gate.decision, subjects(after), after.is_open) == (expected, [], True)
    assert [item.decision is not None for item in after.items] == [True]


def test_a_claim_without_a_source_is_excluded_or_rejected() -> None:
    bare = replace(line(4, V.UNVERIFIABLE), citation_state=CitationState.NONE)
    (item,) = review_queue(case(*THREE_OF_FOUR[:3], bare), []).items
    assert item.options == (C.REJECT, C.EXCLUDE)


@pytest.mark.parametrize("supported", [1, 8])
def test_a_gate_that_has_decided_leaves_nothing_to_a_person(supported: int) -> None:
    entries = [line(n, V.SUPPORTED if n < supported + 1 else V.UNVERIFIABLE) for n in range(1, 10)]
    found = review_queue(case(*entries), [])
    assert (found.is_open, found.items) == (False, ())


WRONG = replace(line(9, V.CONTRADICTED), open_contradiction=True)


@pytest.mark.parametrize(
    ("choice", "expected"), [(C.ACCEPT, G.PASS), (C.EXCLUDE, G.PASS), (C.REJECT, G.FAIL)]
)
def test_a_contradiction_waits_for_a_person_who_may_lift_it(choice: C, expected: G) -> None:
    given = case(*(line(n, V.SUPPORTED) for n in range(1, 9)), WRONG)
    before, after = review_queue(given, []), review_queue(given, [decision(given, "c9", choice)])
    assert (before.gate.decision, before.is_open, subjects(before)) == (G.FAIL, True, ["c9"])
    assert (after.gate.decision, subjects(after)) == (expected, [])


def test_what_is_unsettled_waits_once_no_contradiction_is_left() -> None:
    given = case(*THREE_OF_FOUR, WRONG)
    assert subjects(review_queue(given, [])) == ["c9"]
    lifted = decision(given, "c9", C.EXCLUDE)
    assert subjects(review_queue(given, [lifted])) == ["c4"]
    both = review_queue(given, [lifted, decision(given, "c4", C.ACCEPT)])
    assert (both.gate.decision, subjects(both)) == (G.PASS, [])


@pytest.mark.parametrize(
    ("entries", "language", "rule"),
    [((), "en", "nothing_to_check"), (THREE_OF_FOUR, "de", "language")],
)
def test_what_no_claim_can_settle_is_asked_of_the_gate(
    entries: tuple[LedgerEntry, ...], language: str, rule: str
) -> None:
    given = case(*entries, language=language)
    found = review_queue(given, [])
    assert subjects(found)[-1] == GATE
    claims = [decision(given, item.subject, C.ACCEPT) for item in found.items[:-1]]
    for choice, expected in ((C.ACCEPT, G.PASS), (C.REJECT, G.FAIL)):
        gate = review_queue(given, [*claims, decision(given, GATE, choice, rule)]).gate
        assert (gate.decision, gate.rule) == (expected, "person")
        assert "by Ana on 2025-03-01: seen (left to a person:" in gate.reason
    other = review_queue(given, [*claims, decision(given, GATE, C.ACCEPT, "another rule")])
    assert subjects(other) == [GATE]


def test_who_excludes_everything_is_asked_of_the_gate() -> None:
    given = case(replace(line(1, V.NOT_CHECKABLE), unchecked=True))
    assert subjects(review_queue(given, [])) == ["c1"]
    excluded = review_queue(given, [decision(given, "c1", C.EXCLUDE)])
    assert [(item.subject, item.basis) for item in excluded.waiting] == [(GATE, "nothing_to_check")]


def test_accepting_claims_verifies_none_so_that_research_is_asked_of_the_gate() -> None:
    verified = [
        replace(line(n, V.SUPPORTED), tier=SupportTier.VERIFIED, evidence=quotes(n))
        for n in (1, 2, 3)
    ]
    given = case(
        *verified, *(line(n, V.UNVERIFIABLE) for n in range(4, 8)), mode=ResearchMode.STANDARD
    )
    assert reads_of(given.gate.metrics) == READS
    found = review_queue(given, [])
    assert subjects(found) == ["c4", "c5", "c6", "c7", GATE]
    gate_item = found.items[-1]
    accepted = review_queue(given, [decision(given, GATE, C.ACCEPT, gate_item.basis)])
    assert (accepted.gate.decision, accepted.gate.rule) == (G.PASS, "person")
    assert accepted.gate.metrics.verified_claim_count == 3
