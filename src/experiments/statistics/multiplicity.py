"""p-values of several tests, adjusted so that each can be held against one level."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import assert_never

from ...base.errors import StatisticsError


class Correction(StrEnum):
    """The error rate that is kept at the level over a family of tests."""

    HOLM = "holm"
    """The chance of any false claim: for metrics that were declared."""
    BENJAMINI_HOCHBERG = "benjamini_hochberg"
    """The share of false ones among the claims: for slices that are explored."""


def adjust(
    p_values: Sequence[float], correction: Correction, factors: Sequence[float] = ()
) -> tuple[float, ...]:
    """Adjusted p-values in the order given.

    Args:
        p_values: At least 0 and at most 1 each.
        correction: What is kept at the level.
        factors: As for `holm`.

    Raises:
        StatisticsError: A p-value is not between 0 and 1.
    """
    for p in p_values:
        if not 0 <= p <= 1:
            raise StatisticsError(f"{p} is no p-value", "p-values lie between 0 and 1")
    match correction:
        case Correction.HOLM:
            return holm(p_values, factors)
        case Correction.BENJAMINI_HOCHBERG:
            return benjamini_hochberg(p_values)
        case _:
            assert_never(correction)


def holm(p_values: Sequence[float], factors: Sequence[float] = ()) -> tuple[float, ...]:
    """Step-down: the i-th smallest of m times (m - i + 1), and no less than the one before.

    Source: Holm (1979); the family-wise error holds whatever the dependence of the tests.

    Args:
        p_values: At least 0 and at most 1 each.
        factors: What takes the place of 1, 2, 3, … for so many tests left, as at a look before the
            end (`sequential.holm_factors`); at least as many as there are p-values, or none.
    """
    times = factors or range(1, len(p_values) + 1)
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for rank, at in enumerate(_ascending(p_values)):
        left = len(p_values) - rank
        highest = max(highest, min(1.0, p_values[at] * times[left - 1]))
        adjusted[at] = highest
    return tuple(adjusted)


def benjamini_hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """Step-up: the i-th smallest of m times m / i, and no more than the one after.

    Source: Benjamini & Hochberg (1995); the false discovery rate holds for tests that are
    independent or positively dependent (Benjamini & Yekutieli 2001).
    """
    adjusted = [1.0] * len(p_values)
    lowest, count = 1.0, len(p_values)
    for rank, at in reversed(list(enumerate(_ascending(p_values), start=1))):
        lowest = min(lowest, p_values[at] * (count / rank))
        adjusted[at] = lowest
    return tuple(adjusted)


def _ascending(p_values: Sequence[float]) -> list[int]:
    return sorted(range(len(p_values)), key=p_values.__getitem__)
