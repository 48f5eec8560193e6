"""How a claim came to its state, over iterations."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes import Ledger, LedgerEntry, Location, TransitionRefused, Verdict
from foureyes.base.files import from_json, to_json
from foureyes.core._ledger_stage import with_history
from foureyes.core.review_queue import revised
from foureyes.datatypes import (
    Change,
    Checker,
    CitationState,
    ClaimAssessment,
    ClaimState,
    Lineage,
    StateChange,
    SupportTier,
)

S, V = ClaimState, Verdict
ENGINE, CRITIC, HUMAN = Checker.ENGINE, Checker.FACT_CHECKER, Checker.HUMAN


def entry(name: str, verdict: Verdict, lineage: Lineage | None = None) -> LedgerEntry:
    place = Location(1, 1, 0, 1)
    reason = f"{name} is {verdict}"
    return LedgerEntry(name, name, place, verdict, CitationState.DIRECT, reason, lineage=lineage)


def by_code(name: str, verdict: Verdict) -> dict[str, ClaimAssessment]:
    return {name: ClaimAssessment(name, verdict, CitationState.DIRECT, "code says so")}


def run(*iterations: tuple[LedgerEntry, ...]) -> Ledger:
    """The last ledger of iterations in which code alone decided."""
    last: Ledger | None = None
    for number, entries in enumerate(iterations, 1):
        last = with_history(Ledger(number, entries), engine={}, previous=last)
    assert last is not None
    return last


def way(history: tuple[StateChange, ...]) -> list[tuple[int, ClaimState, Checker]]:
    return [(step.iteration, step.after, step.by) for step in history]


def test_a_claim_keeps_its_history_and_an_unchanged_state_adds_nothing() -> None:
    (line,) = run(
        (entry("c", V.CONTRADICTED),), (entry("c", V.CONTRADICTED),), (entry("c", V.SUPPORTED),)
    ).entries
    assert way(line.history) == [(1, S.CONTRADICTED, ENGINE), (3, S.SUPPORTED, ENGINE)]
    assert [step.reason for step in line.history] == ["c is contradicted", "c is supported"]


def test_what_a_challenge_made_of_it_follows_what_a_critic_did() -> None:
    answered, after = entry("c", V.SUPPORTED), entry("c", V.DISPUTED)
    engine = by_code("c", V.UNVERIFIABLE)
    ledger = with_history(Ledger(1, (after,)), engine=engine, answered=Ledger(1, (answered,)))
    (line,) = ledger.entries
    assert way(line.history) == [
        (1, S.UNSETTLED, ENGINE),
        (1, S.SUPPORTED, CRITIC),
        (1, S.DISPUTED, ENGINE),
    ]
    assert [step.reason for step in line.history[1:]] == ["c is supported", "c is disputed"]


def test_what_a_critic_made_of_it_follows_what_code_found() -> None:
    given = replace(entry("c", V.SUPPORTED), tier=SupportTier.AUTHORITATIVE)
    (line,) = with_history(Ledger(1, (given,)), engine=by_code("c", V.UNVERIFIABLE)).entries
    assert way(line.history) == [
        (1, S.UNSETTLED, ENGINE),
        (1, S.SUPPORTED, CRITIC),
        (1, S.CORROBORATED, ENGINE),
    ]


def test_an_open_slot_is_open_whatever_code_found() -> None:
    given = replace(entry("c", V.SUPPORTED), open_slot=True)
    (line,) = with_history(Ledger(1, (given,)), engine=by_code("c", V.UNVERIFIABLE)).entries
    assert way(line.history) == [(1, S.OPEN, ENGINE)]


def proved(id_: str) -> dict[str, ClaimAssessment]:
    return {id_: replace(by_code(id_, V.CONTRADICTED)[id_], decided=True)}


def test_a_critic_that_lifts_a_proved_contradiction_is_refused_in_every_iteration() -> None:
    first = run((entry("c", V.SUPPORTED),))
    read = with_history(
        Ledger(1, (entry("c", V.CONTRADICTED),)), engine=by_code("c", V.CONTRADICTED)
    )
    for previous in (None, first, read):
        ledger = Ledger(2, (entry("c", V.SUPPORTED),))
        with pytest.raises(TransitionRefused, match="from contradicted to supported"):
            with_history(ledger, engine=proved("c"), previous=previous)


def test_a_critic_may_lift_a_contradiction_that_was_only_read() -> None:
    known = with_history(Ledger(1, (entry("c", V.CONTRADICTED),)), engine=proved("c"))
    for previous in (None, known):
        ledger = Ledger(2, (entry("c", V.SUPPORTED),))
        (line,) = with_history(
            ledger, engine=by_code("c", V.CONTRADICTED), previous=previous
        ).entries
        assert way(line.history)[-2:] == [(2, S.CONTRADICTED, ENGINE), (2, S.SUPPORTED, CRITIC)]
        assert line.history[-2].read


def test_claims_that_go_are_withdrawn_and_may_come_back() -> None:
    one, other = entry("a", V.SUPPORTED), entry("b", V.SUPPORTED)
    gone = run((one, other), (one,), (one,))
    (withdrawn,) = gone.withdrawn
    assert (withdrawn.claim_id, withdrawn.text) == ("b", "b")
    assert withdrawn.history[-1] == StateChange(
        2, S.SUPPORTED, S.WITHDRAWN, ENGINE, "no longer in the document"
    )
    back = run((one, other), (one,), (one, other))
    assert back.withdrawn == ()
    assert [step.after for step in back.entries[1].history] == [
        S.SUPPORTED,
        S.WITHDRAWN,
        S.SUPPORTED,
    ]


def test_splits_and_merges_are_told() -> None:
    whole, part = entry("a", V.SUPPORTED), entry("p", V.SUPPORTED, Lineage(Change.SPLIT, ("a",)))
    split = run((whole,), (whole, part))
    assert split.entries[1].history[0].reason == "split from a: p is supported"
    merged = entry("m", V.SUPPORTED, Lineage(Change.MERGED, ("a", "p")))
    ledger = run((whole, part), (merged,))
    assert ledger.entries[0].history[0].reason == "merged from a, p: m is supported"
    assert [one.history[-1].reason for one in ledger.withdrawn] == ["merged into m"] * 2


def test_a_later_check_lowers_a_claim_and_only_a_person_overrules_code() -> None:
    known = replace(entry("c", V.SUPPORTED), tier=SupportTier.VERIFIED, confidence=0.9)
    (line,) = with_history(Ledger(1, (known,)), engine={}).entries
    lowered = revised(line, V.DISPUTED, iteration=1, by=CRITIC, reason="a question failed")
    assert (lowered.verdict, lowered.tier, lowered.confidence) == (V.DISPUTED, None, 0.0)
    assert lowered.checked_by == (CRITIC,)
    by_rule = revised(lowered, V.CONTRADICTED, iteration=1, by=ENGINE, reason="a figure differs")
    assert by_rule.open_contradiction
    with pytest.raises(TransitionRefused):
        revised(by_rule, V.SUPPORTED, iteration=1, by=CRITIC, reason="it is fine")
    lifted = revised(by_rule, V.SUPPORTED, iteration=1, by=HUMAN, reason="it is fine")
    assert (lifted.state, lifted.open_contradiction) == (S.SUPPORTED, False)
    wrong = revised(lowered, V.CONTRADICTED, iteration=1, by=CRITIC, reason="a figure differs")
    settled = revised(wrong, V.SUPPORTED, iteration=1, by=HUMAN, reason="misread")
    assert (settled.state, settled.open_contradiction) == (S.SUPPORTED, False)
    assert [step.by for step in settled.history] == [ENGINE, CRITIC, CRITIC, HUMAN]


def test_a_ledger_is_read_back_as_it_was_written_with_and_without_the_new_keys() -> None:
    ledger = run((entry("a", V.SUPPORTED), entry("b", V.DISPUTED)), (entry("a", V.SUPPORTED),))
    assert from_json(Ledger, to_json(Ledger, ledger)) == ledger
    old = (
        '{"iteration": 1, "entries": [{"claim_id": "c", "text": "t", "location": {"line": 1, '
        '"column": 1, "start": 0, "end": 1}, "verdict": "supported", "citation_state": "direct", '
        '"reason": "r", "evidence": [{"url": "u", "sha256": "s", "quote": "q", "start": 0, '
        '"end": 1, "stance": "supports"}]}]}'
    )
    (line,) = from_json(Ledger, old).entries
    assert (line.tier, line.history, line.evidence[0].strength) == (None, (), None)
