"""Tests of whether two arms differ on the same items, and their p-values adjusted for a family.

All p-values are two-sided.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, ndtr

from .samples import SIGN_DRAWS

EXACT_FLIPS = 30
"""Up to so many differences other than 0 all their signs are counted; the two halves of them make
2^15 sums each. With more, signs are drawn."""
EXACT_RANKS = 50
"""Up to so many ranks the Wilcoxon distribution is counted, as in scipy."""
SAME = 1e-12
"""Sums closer than this share of the largest possible one are equal but for rounding."""


class Method(StrEnum):
    """Where a p-value comes from."""

    MCNEMAR_EXACT = "mcnemar_exact"
    SIGN_FLIP_EXACT = "sign_flip_exact"
    SIGN_FLIP_DRAWN = "sign_flip_drawn"
    WILCOXON_EXACT = "wilcoxon_exact"
    WILCOXON_NORMAL = "wilcoxon_normal"


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Result of a test.

    Args:
        method: The test, and how its distribution was had.
        p: The two-sided p-value, above 0 and at most 1.
        statistic: McNemar: how many items only the treatment passed. Sign flips: the sum of the
            differences. Wilcoxon: the smaller of the two rank sums.
    """

    method: Method
    p: float
    statistic: float


def mcnemar_exact(gained: int, lost: int) -> PairedTest:
    """Exact McNemar test of items that only the treatment passed and that only the control passed.

    Source: McNemar (1947); under the null each item on which the arms differ is a fair coin, so p
    is twice the binomial tail, at most 1.
    """
    tail = float(bdtr(min(gained, lost), gained + lost, 0.5)) if gained + lost else 1.0
    return PairedTest(Method.MCNEMAR_EXACT, min(1.0, 2 * tail), gained)


def sign_flip(differences: Sequence[float], seed: int, draws: int = SIGN_DRAWS) -> PairedTest:
    """Permutation test of paired differences: under the null each may as well have the other sign.

    Source: Fisher (1935), Pitman (1937). All signs are counted for up to 30 differences other than
    0; above that they are drawn, and p = (hits + 1) / (draws + 1) (Phipson & Smyth 2010), which is
    never 0 and keeps the level with any number of draws. With binary single trials the exact
    form is McNemar's test. Each difference is of an independent unit: an item's mean difference, or
    a cluster's sum.
    """
    sizes = sorted(abs(difference) for difference in differences if difference)
    total = math.fsum(differences)
    reach = abs(total) - SAME * math.fsum(sizes)
    if len(sizes) <= EXACT_FLIPS:
        return PairedTest(Method.SIGN_FLIP_EXACT, _share_of_signs(sizes, reach), total)
    # Only sizes are drawn with, so that swapped arms have the same p.
    hits = sum(abs(drawn) >= reach for drawn in _drawn_sums(sizes, seed, draws))
    return PairedTest(Method.SIGN_FLIP_DRAWN, (hits + 1) / (draws + 1), total)


def _share_of_signs(sizes: Sequence[float], reach: float) -> float:
    """The share of all signs whose sum is at least `reach` away from 0."""
    if reach <= 0:
        return 1.0
    half = len(sizes) // 2
    left, right = _all_sums(sizes[:half]), np.sort(_all_sums(sizes[half:]))
    above = left.size * right.size - int(np.searchsorted(right, reach - left).sum())
    return min(1.0, 2 * above / 2 ** len(sizes))


def _all_sums(sizes: Sequence[float]) -> NDArray[np.float64]:
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate((sums + size, sums - size))
    return sums


def _drawn_sums(sizes: Sequence[float], seed: int, draws: int) -> Iterator[float]:
    """Sums with random signs, a bit each."""
    rng, given = random.Random(seed), np.array(sizes)
    for _ in range(draws):
        drawn = np.frombuffer(rng.randbytes(-(-len(sizes) // 8)), dtype=np.uint8)
        minus = np.unpackbits(drawn, bitorder="little", count=len(sizes))
        yield float(given @ (1.0 - 2.0 * minus))


def wilcoxon(differences: Sequence[float]) -> PairedTest:
    """Wilcoxon's signed-rank test; differences of 0 are left out and equal sizes share their rank.

    Source: Wilcoxon (1945). Up to 50 differences the distribution given the ranks is counted, ties
    included; above, it is the normal one with the tie correction and a continuity correction
    of one half (scipy's `correction=True`).
    """
    given = np.array([difference for difference in differences if difference])
    n = given.size
    if not n:
        return PairedTest(Method.WILCOXON_EXACT, 1.0, 0.0)
    sizes = np.abs(given)
    keys = (sizes / sizes.max()).round(12)
    _, at, counts = np.unique(keys, return_inverse=True, return_counts=True)
    # Twice the mean rank, which is a whole number.
    doubled = (2 * np.cumsum(counts) - counts + 1)[at]
    positive = int(doubled[given > 0].sum())
    smaller = min(positive, n * (n + 1) - positive)
    if n <= EXACT_RANKS:
        return PairedTest(Method.WILCOXON_EXACT, _rank_sum_share(doubled, smaller), smaller / 2)
    ties = int((counts**3 - counts).sum())
    deviation = math.sqrt((n * (n + 1) * (2 * n + 1) - ties / 2) / 24)
    z = max(0.0, n * (n + 1) / 4 - smaller / 2 - 0.5) / deviation
    return PairedTest(Method.WILCOXON_NORMAL, min(1.0, 2 * float(ndtr(-z))), smaller / 2)


def _rank_sum_share(ranks: NDArray[np.int64], smaller: int) -> float:
    """Twice the share of all signs whose positive ranks sum to at most `smaller`."""
    ways = np.zeros(smaller + 1)
    ways[0] = 1
    for rank in ranks:
        ways[rank:] += ways[:-rank]
    return min(1.0, 2 * float(ways.sum()) / 2**ranks.size)


def holm(p_values: Sequence[float], factors: Sequence[float] = ()) -> tuple[float, ...]:
    """Step-down: the i-th smallest of m times (m - i + 1), and no less than the one before.

    Source: Holm (1979); the family-wise error holds whatever the dependence of the tests.
    `factors` take the place of 1, 2, 3, … for so many tests left, as at a look before the end
    (`sequential.holm_factors`).
    """
    times = np.array((factors or range(1, len(p_values) + 1))[: len(p_values)])[::-1]
    order = np.argsort(p_values)
    adjusted = np.ones(len(p_values))
    adjusted[order] = np.maximum.accumulate(np.minimum(1.0, np.take(p_values, order) * times))
    return tuple(adjusted.tolist())


def benjamini_hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """Step-up: the i-th smallest of m times m / i, and no more than the one after.

    Source: Benjamini & Hochberg (1995); the false discovery rate holds for tests that are
    independent or positively dependent (Benjamini & Yekutieli 2001).
    """
    count = len(p_values)
    falling = np.argsort(p_values)[::-1]
    adjusted = np.ones(count)
    times = count / np.arange(count, 0, -1)
    adjusted[falling] = np.minimum.accumulate(np.take(p_values, falling) * times)
    return tuple(adjusted.tolist())
