"""Conclusion of a comparison."""

from __future__ import annotations

from enum import StrEnum

from .intervals import Interval
from .samples import Direction


class Conclusion(StrEnum):
    """The treatment against the control, on one metric."""

    BETTER = "better"
    WORSE = "worse"
    EQUIVALENT = "equivalent"
    """The difference, if there is any, is smaller than the margin declared to matter."""
    INCONCLUSIVE = "inconclusive"
    """Neither a difference nor its absence was shown: more items are needed, not more trials."""


def conclude(
    *,
    p: float,
    alpha: float,
    interval: Interval,
    direction: Direction,
    margin: float | None = None,
    equivalence: Interval | None = None,
) -> Conclusion:
    """The one conclusion that the figures allow.

    - EQUIVALENT if the equivalence interval lies inside the margin, which is two one-sided tests
      (Schuirmann 1987). It comes first: a difference shown to be smaller than what was declared to
      matter is no reason to choose. An interval without width, of items that are all alike, tells
      nothing of other items and shows no equivalence.
    - BETTER or WORSE if the test is significant and the interval leaves out 0. Each covers for the
      other: the permutation test is exact if arms may be swapped, the interval also holds where
      their spreads differ.
    - INCONCLUSIVE otherwise.

    Args:
        p: The p-value, adjusted for the family of tests.
        alpha: The level that `p` is held against.
        interval: Of treatment minus control, at the level 1 - alpha.
        direction: Which values are good.
        margin: The smallest difference that matters, above 0; None if none was declared.
        equivalence: The interval at the level 1 - 2 alpha; None without a margin.
    """
    if margin is not None and equivalence is not None:
        inside = -margin < equivalence.low < equivalence.high < margin
        if inside:
            return Conclusion.EQUIVALENT
    if p > alpha or interval.low <= 0 <= interval.high:
        return Conclusion.INCONCLUSIVE
    higher_is_good = direction is Direction.HIGHER
    return Conclusion.BETTER if (interval.low > 0) is higher_is_good else Conclusion.WORSE
