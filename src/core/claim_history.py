"""The history of each claim, carried from one iteration's ledger to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from ..base.vocabulary import Checker, Verdict
from ..claims.model import Change
from ..verification.claim_state import ClaimState, StateChange, moved
from ..verification.model import STATES, ClaimAssessment, Ledger, LedgerEntry, WithdrawnClaim

Way: TypeAlias = tuple[StateChange, ...]
_GONE = "no longer in the document"
_UNANSWERED = "no checker's answer counts"


def with_history(
    ledger: Ledger,
    *,
    engine: Mapping[str, ClaimAssessment],
    previous: Ledger | None = None,
    answered: Ledger | None = None,
) -> Ledger:
    """`ledger` with the history of every claim, and with the claims that have gone.

    Args:
        ledger: An iteration's ledger, as the checkers left it, or as it is after its challenges.
        engine: What code alone found, by claim id; where it is missing, that is the ledger's
            verdict.
        previous: The ledger of the iteration before, with histories of its own.
        answered: Before challenges by code, the ledger as the checkers left it.

    Raises:
        TransitionRefused: A checker moved a claim where it may not, or `previous` is no earlier
            ledger.
    """
    known, number = dict[str, Way](), ledger.iteration
    if previous is not None:
        earlier = (*previous.withdrawn, *previous.entries)
        known = {one.claim_id: one.history for one in earlier}
    left = {entry.claim_id: entry for entry in (answered or ledger).entries}
    entries: list[LedgerEntry] = []
    for entry in ledger.entries:
        id_ = entry.claim_id
        history = _history(entry, left[id_], known.get(id_, ()), engine.get(id_), number)
        entries.append(replace(entry, history=history))
    return replace(ledger, entries=tuple(entries), withdrawn=_withdrawn(ledger, previous))


def revised(
    entry: LedgerEntry, verdict: Verdict, *, iteration: int, by: Checker, reason: str
) -> LedgerEntry:
    """`entry` with another verdict, given by a later check or by a person, and why.

    The answer closes an open slot. The tier of a claim that is no longer supported goes.

    Raises:
        TransitionRefused: `by` may not move the claim there.
    """
    after = replace(
        entry,
        verdict=verdict,
        reason=reason,
        open_slot=False,
        unchecked=False,
        misquoted=False,
        open_contradiction=verdict is Verdict.CONTRADICTED,
        checked_by=tuple(dict.fromkeys((*entry.checked_by, by))),
    )
    if verdict is not Verdict.SUPPORTED:
        after = replace(after, tier=None, confidence=0.0, credibility_weight=None, circular=False)
    return replace(
        after, history=moved(entry.history, after.state, iteration=iteration, by=by, reason=reason)
    )


def _history(
    entry: LedgerEntry,
    left: LedgerEntry,
    history: Way,
    alone: ClaimAssessment | None,
    number: int,
) -> Way:
    move, after, way = partial(moved, iteration=number), entry.state, history
    reason = _UNANSWERED if after is ClaimState.OPEN else entry.reason
    if not history and entry.lineage is not None:
        reason = f"{entry.lineage.change} from {', '.join(entry.lineage.ids)}: {reason}"
    read = alone is not None and alone.verdict is Verdict.CONTRADICTED and not alone.decided
    if alone and alone.verdict is not left.verdict and after is not ClaimState.OPEN:
        # What a critic made of it is only allowed from where code had left it.
        found, said = STATES[alone.verdict], STATES[left.verdict]
        way = move(way, found, by=Checker.ENGINE, reason=alone.reason, read=read)
        told = reason if left.verdict is entry.verdict else left.reason
        way = move(way, said, by=Checker.FACT_CHECKER, reason=told)
    way = move(way, after, by=Checker.ENGINE, reason=reason, read=read)
    return history if history and history[-1].after is after else way


def _withdrawn(ledger: Ledger, previous: Ledger | None) -> tuple[WithdrawnClaim, ...]:
    if previous is None:
        return ()
    present = {entry.claim_id for entry in ledger.entries}
    came = ((entry.claim_id, entry.lineage) for entry in ledger.entries if entry.lineage)
    merged = ((id_, one.ids) for id_, one in came if one.change is Change.MERGED)
    into = {old: id_ for id_, ids in merged for old in ids}
    withdrawn = [one for one in previous.withdrawn if one.claim_id not in present]
    withdraw = partial(moved, iteration=ledger.iteration, by=Checker.ENGINE)
    for entry in previous.entries:
        if entry.claim_id not in present:
            reason = f"merged into {into[entry.claim_id]}" if entry.claim_id in into else _GONE
            history = withdraw(entry.history, ClaimState.WITHDRAWN, reason=reason)
            withdrawn.append(WithdrawnClaim(entry.claim_id, entry.text, history))
    return tuple(withdrawn)
