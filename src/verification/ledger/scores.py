"""The spec's words for verdicts, and the score and coverage computed from them."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from ...base.vocabulary import CitationState, Verdict
from ..model import Ledger, LedgerEntry


class FactCheckState(StrEnum):
    """The fact-checker spec's verification states."""

    VERIFIED_TRUE = "verified_true"
    VERIFIED_FALSE = "verified_false"
    UNVERIFIABLE = "unverifiable"
    UNSOURCED = "unsourced"


_STATES: dict[Verdict, FactCheckState | None] = {
    Verdict.SUPPORTED: FactCheckState.VERIFIED_TRUE,
    Verdict.CONTRADICTED: FactCheckState.VERIFIED_FALSE,
    Verdict.PARTIALLY_SUPPORTED: FactCheckState.UNVERIFIABLE,
    Verdict.DISPUTED: FactCheckState.UNVERIFIABLE,
    Verdict.UNVERIFIABLE: FactCheckState.UNVERIFIABLE,
    Verdict.SOURCE_UNAVAILABLE: FactCheckState.UNVERIFIABLE,
    Verdict.NOT_CHECKABLE: None,
}


def fact_check_state(verdict: Verdict, citation: CitationState) -> FactCheckState | None:
    """The spec's state for a verdict; None for a claim that is not checkable (decision 23)."""
    state = _STATES[verdict]
    if state is not None and citation is CitationState.NONE:
        return FactCheckState.UNSOURCED
    return state


def count_states(entries: Iterable[LedgerEntry]) -> dict[FactCheckState, int]:
    """How many entries are in each state; every state has a key."""
    counts = dict.fromkeys(FactCheckState, 0)
    for entry in entries:
        state = fact_check_state(entry.verdict, entry.citation_state)
        if state is not None:
            counts[state] += 1
    return counts


def accuracy_score(ledger: Ledger) -> float | None:
    """100 x verified true / all checked claims with a source, 0–100; None if there are none.

    Open slots and claims that nothing could be compared with were not checked (decision 24).
    """
    counts = count_states(e for e in ledger.entries if not (e.open_slot or e.unchecked))
    checked = sum(counts.values()) - counts[FactCheckState.UNSOURCED]
    return 100 * counts[FactCheckState.VERIFIED_TRUE] / checked if checked else None


def coverage(ledger: Ledger) -> float | None:
    """The share of checkable claims that were checked, 0–1; None for none (decision 24)."""
    checkable = [entry for entry in ledger.entries if entry.verdict is not Verdict.NOT_CHECKABLE]
    if not checkable:
        return None
    return sum(not (entry.open_slot or entry.unchecked) for entry in checkable) / len(checkable)
