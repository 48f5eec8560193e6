"""Tests of whether two arms differ on the same items. All p-values are two-sided."""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import getitem

from ...base.errors import StatisticsError
from .distributions import normal_cdf

EXACT_FLIPS = 30
"""Up to so many differences other than 0 all their signs are counted; the two halves of them make
2^15 sums each. With more, signs are drawn."""
EXACT_RANKS = 50
"""Up to so many ranks the Wilcoxon distribution is counted, as in scipy."""
SAME = 1e-12
"""Sums closer than this share of the largest possible one are equal but for rounding."""
DRAWS = 9999
"""Drawn signs; the standard error of a p-value near 0.05 is then 0.002."""


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
        statistic: McNemar: items that only the treatment passed. Sign flips: the sum of the
            differences. Wilcoxon: the smaller of the two rank sums.
    """

    method: Method
    p: float
    statistic: float


def mcnemar_exact(gained: int, lost: int) -> PairedTest:
    """Exact McNemar test of one binary trial an item and arm.

    Source: McNemar (1947); under the null each item on which the arms differ is a fair coin, so p
    is twice the binomial tail, at most 1.

    Args:
        gained: Items that only the treatment passed.
        lost: Items that only the control passed.
    """
    if min(gained, lost) < 0:
        raise StatisticsError(f"{min(gained, lost)} items differ", "counts are 0 or more")
    differing = gained + lost
    tail, term = 0, 1
    for k in range(min(gained, lost) + 1):
        tail += term
        term = term * (differing - k) // (k + 1)
    return PairedTest(Method.MCNEMAR_EXACT, min(1.0, 2 * tail / 2**differing), gained)


def sign_flip(differences: Sequence[float], seed: int, draws: int = DRAWS) -> PairedTest:
    """Permutation test of paired differences: under the null each may as well have the other sign.

    Source: Fisher (1935), Pitman (1937). All signs are counted for up to 30 differences other than
    0; above that they are drawn, and p = (hits + 1) / (draws + 1) (Phipson & Smyth 2010), which is
    never 0 and keeps the level with any number of draws. With binary single trials the exact
    form is McNemar's test.

    Args:
        differences: One for each independent unit: an item's mean difference, or a cluster's sum.
        seed: Where the drawing starts; of no effect when all signs are counted.
        draws: How many signs are drawn, at least 99.
    """
    if draws < 99:
        raise StatisticsError(f"{draws} draws are too few for a p-value", "draw at least 99")
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
    left, right = _all_sums(sizes[:half]), sorted(_all_sums(sizes[half:]))
    above = sum(len(right) - bisect_left(right, reach - part) for part in left)
    return min(1.0, 2 * above / 2 ** len(sizes))


def _all_sums(sizes: Sequence[float]) -> list[float]:
    sums = [0.0]
    for size in sizes:
        sums = [part + size for part in sums] + [part - size for part in sums]
    return sums


def _drawn_sums(sizes: Sequence[float], seed: int, draws: int) -> map[float]:
    """Sums with random signs: one random byte decides eight of them by a table."""
    tables = [_all_sums(sizes[at : at + 8]) for at in range(0, len(sizes), 8)]
    tables[-1] *= 256 // len(tables[-1])
    rng, count = random.Random(seed), len(tables)

    def one(_: int) -> float:
        signs = rng.getrandbits(8 * count).to_bytes(count, "little")
        return sum(map(getitem, tables, signs))

    return map(one, range(draws))


def wilcoxon(differences: Sequence[float]) -> PairedTest:
    """Wilcoxon's signed-rank test; differences of 0 are left out and equal sizes share their rank.

    Source: Wilcoxon (1945). Up to 50 differences the distribution given the ranks is counted, ties
    included; above, it is the normal one with the tie correction and a continuity correction
    of one half (scipy's `correction=True`).
    """
    sizes = [abs(difference) for difference in differences if difference]
    if not sizes:
        return PairedTest(Method.WILCOXON_EXACT, 1.0, 0.0)
    unit = max(sizes)
    keys = [round(size / unit, 12) for size in sizes]
    doubled = _doubled_ranks(keys)
    signs = [difference > 0 for difference in differences if difference]
    positive = sum(doubled[key] for key, sign in zip(keys, signs, strict=True) if sign)
    n = len(sizes)
    smaller = min(positive, n * (n + 1) - positive)
    if n <= EXACT_RANKS:
        p = _rank_sum_share([doubled[key] for key in keys], smaller)
        return PairedTest(Method.WILCOXON_EXACT, p, smaller / 2)
    ties = sum(count**3 - count for count in Counter(keys).values())
    deviation = math.sqrt((n * (n + 1) * (2 * n + 1) - ties / 2) / 24)
    short = n * (n + 1) / 4 - smaller / 2
    z = max(0.0, short - 0.5) / deviation
    return PairedTest(Method.WILCOXON_NORMAL, min(1.0, 2 * normal_cdf(-z)), smaller / 2)


def _doubled_ranks(keys: Sequence[float]) -> dict[float, int]:
    """Twice the mean rank of each size, which is a whole number."""
    ranks: dict[float, int] = {}
    below = 0
    for key, count in sorted(Counter(keys).items()):
        ranks[key] = 2 * below + count + 1
        below += count
    return ranks


def _rank_sum_share(ranks: Sequence[int], smaller: int) -> float:
    """Twice the share of all signs whose positive ranks sum to at most `smaller`."""
    ways = [1] + [0] * smaller
    for rank in ranks:
        for at in range(smaller, rank - 1, -1):
            ways[at] += ways[at - rank]
    return min(1.0, 2 * sum(ways) / 2 ** len(ranks))
