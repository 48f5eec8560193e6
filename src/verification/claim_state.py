"""Where a claim stands, and who may move it where: the claim state machine.

What is not allowed is an error. Only code corroborates a claim and lets it
go from the document; a critic lifts no contradiction but one that code only read, nor touches what
is withdrawn; a person may lift any, since no wrong alarm is final; nobody but code leaves a claim
open again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..base.errors import TransitionRefused
from ..base.vocabulary import Checker


class ClaimState(StrEnum):
    """Where a claim stands.

    `open` has no answer; `unsettled` has one that settles nothing; `corroborated` is supported
    beyond its citation; `excluded` is not checkable; `withdrawn` is no longer in the document.
    """

    OPEN = "open"
    UNSETTLED = "unsettled"
    SUPPORTED = "supported"
    CORROBORATED = "corroborated"
    PARTIAL = "partially_supported"
    DISPUTED = "disputed"
    CONTRADICTED = "contradicted"
    EXCLUDED = "excluded"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class StateChange:
    """One step of a claim's way; `before` is None at first sight.

    `by` is who made it: the engine, a critic or a person. `read` is true of a contradiction that
    code read and did not prove, so that an exact quote may lift it. `iteration` is the one in which
    it was made, from 1.
    """

    iteration: int
    before: ClaimState | None
    after: ClaimState
    by: Checker
    reason: str
    read: bool = False


_ANSWERED = frozenset(ClaimState) - {ClaimState.OPEN, ClaimState.CORROBORATED, ClaimState.WITHDRAWN}


def allowed(history: Sequence[StateChange], by: Checker) -> frozenset[ClaimState]:
    """Where `by` may move a claim with this history."""
    last = history[-1] if history else None
    if by is Checker.ENGINE:
        # Code looks at every version of the document afresh, so that it may move a claim anywhere.
        return frozenset(ClaimState) - {last.after if last else ClaimState.WITHDRAWN}
    if last is None:
        return _ANSWERED
    contradicted = by is Checker.FACT_CHECKER and last.after is ClaimState.CONTRADICTED
    only_read = last.by is Checker.ENGINE and last.read
    if last.after is ClaimState.WITHDRAWN or (contradicted and not only_read):
        return frozenset()
    return _ANSWERED - {last.after}


def moved(
    history: Sequence[StateChange],
    after: ClaimState,
    *,
    iteration: int,
    by: Checker,
    reason: str,
    read: bool = False,
) -> tuple[StateChange, ...]:
    """`history` with the claim moved to `after`; the same if it is there already.

    `read` says of a contradiction that code did not prove it; where that changes, it is on record.

    Raises:
        TransitionRefused: `by` may not do that, or the history would go back in iterations.
    """
    before, read = history[-1].after if history else None, read and after is ClaimState.CONTRADICTED
    if before is after:
        if by is not Checker.ENGINE or history[-1].read is read:
            return tuple(history)
        return (*history, StateChange(iteration, before, after, by, reason, read))
    if after not in allowed(history, by):
        raise TransitionRefused(f"{by} may not move a claim from {before or 'nowhere'} to {after}")
    if history and iteration < history[-1].iteration:
        raise TransitionRefused(
            f"iteration {iteration} comes before {history[-1].iteration}, which is on record"
        )
    return (*history, StateChange(iteration, before, after, by, reason, read))
