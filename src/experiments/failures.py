"""Why trials did not finish: each reason once, with how many it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from .trials import TrialOutcome, TrialResult


@dataclass(frozen=True, slots=True)
class Failure:
    """A reason for which trials of an arm did not finish, and how many of them."""

    arm: str
    outcome: TrialOutcome
    reason: str
    trials: int


def failures_of(results: Iterable[TrialResult]) -> tuple[Failure, ...]:
    """The reasons in `results`, those of most trials first."""
    counted = Counter(
        (one.trial.arm, one.outcome, one.error or one.status or "")
        for one in results
        if one.outcome is not TrialOutcome.FINISHED
    )
    ordered = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Failure(*why, count) for why, count in ordered)
