"""The fact-checker spec's words and scores (decisions 23 and 24)."""

from __future__ import annotations

from itertools import product

import pytest
from foureyes import Ledger, LedgerEntry, Location, Verdict
from foureyes.datatypes import CitationState
from foureyes.verification.ledger.building import (
    FactCheckState,
    accuracy_score,
    count_states,
    coverage,
    fact_check_state,
)
from hypothesis import given
from hypothesis import strategies as st

STATES = {
    Verdict.SUPPORTED: "verified_true",
    Verdict.CONTRADICTED: "verified_false",
    Verdict.PARTIALLY_SUPPORTED: "unverifiable",
    Verdict.DISPUTED: "unverifiable",
    Verdict.UNVERIFIABLE: "unverifiable",
    Verdict.SOURCE_UNAVAILABLE: "unverifiable",
    Verdict.NOT_CHECKABLE: None,
}


def entry(
    verdict: Verdict,
    citation: CitationState = CitationState.DIRECT,
    *,
    open_slot: bool = False,
    unchecked: bool = False,
) -> LedgerEntry:
    place = Location(1, 1, 0, 1)
    return LedgerEntry(
        "c", "", place, verdict, citation, "", open_slot=open_slot, unchecked=unchecked
    )


def ledger(*entries: LedgerEntry) -> Ledger:
    return Ledger(1, entries)


@pytest.mark.parametrize(("verdict", "citation"), list(product(Verdict, CitationState)))
def test_every_verdict_and_citation_has_one_state(
    verdict: Verdict, citation: CitationState
) -> None:
    uncited = citation is CitationState.NONE and verdict is not Verdict.NOT_CHECKABLE
    expected = "unsourced" if uncited else STATES[verdict]
    assert fact_check_state(verdict, citation) == expected


TRUE, FALSE = entry(Verdict.SUPPORTED), entry(Verdict.CONTRADICTED)
OPEN = entry(Verdict.UNVERIFIABLE, open_slot=True)
UNREAD = entry(Verdict.SOURCE_UNAVAILABLE, unchecked=True)
DEAD = entry(Verdict.SOURCE_UNAVAILABLE)
UNSOURCED = entry(Verdict.UNVERIFIABLE, CitationState.NONE)
CONFIRMED = entry(Verdict.SUPPORTED, CitationState.NONE)
OPINION = entry(Verdict.NOT_CHECKABLE)


@pytest.mark.parametrize(
    ("entries", "accuracy", "covered"),
    [
        ([], None, None),
        ([OPINION], None, None),
        ([TRUE], 100, 1),
        ([TRUE, TRUE, FALSE, DEAD], 50, 1),
        ([TRUE, OPINION], 100, 1),
        ([UNSOURCED], None, 1),
        ([TRUE, UNSOURCED], 100, 1),
        ([FALSE, CONFIRMED], 0, 1),
        ([TRUE, OPEN], 100, 0.5),
        ([TRUE, UNREAD, FALSE, OPEN], 50, 0.5),
        ([UNREAD, OPEN], None, 0),
    ],
)
def test_accuracy_and_coverage_count_what_was_checked(
    entries: list[LedgerEntry], accuracy: float | None, covered: float | None
) -> None:
    assert accuracy_score(ledger(*entries)) == accuracy
    assert coverage(ledger(*entries)) == covered


def test_every_state_is_counted_even_at_zero() -> None:
    assert count_states([TRUE, TRUE, OPINION, UNSOURCED]) == {
        FactCheckState.VERIFIED_TRUE: 2,
        FactCheckState.VERIFIED_FALSE: 0,
        FactCheckState.UNVERIFIABLE: 0,
        FactCheckState.UNSOURCED: 1,
    }


ENTRIES = st.lists(
    st.builds(
        entry,
        st.sampled_from(Verdict),
        st.sampled_from(CitationState),
        open_slot=st.booleans(),
        unchecked=st.booleans(),
    )
)


@given(ENTRIES)
def test_the_scores_stay_in_their_ranges(entries: list[LedgerEntry]) -> None:
    accuracy, covered = accuracy_score(ledger(*entries)), coverage(ledger(*entries))
    assert accuracy is None or 0 <= accuracy <= 100
    assert covered is None or 0 <= covered <= 1


@given(ENTRIES)
def test_a_contradiction_never_raises_the_accuracy(entries: list[LedgerEntry]) -> None:
    before, after = accuracy_score(ledger(*entries)), accuracy_score(ledger(*entries, FALSE))
    assert after is not None
    assert before is None or after <= before
