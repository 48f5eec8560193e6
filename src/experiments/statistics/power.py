"""Power of a comparison, and the items that it needs.

Power is the chance that the two-sided test is significant at `alpha` if the true effect is as
stated. The observed effect plays no part in it, only the observed discordance or spread.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.special import bdtrc, gammaln, nctdtr, ndtri, stdtrit, xlog1py, xlogy

COUNTED, MOST_NEEDED = 5_000, 1_000_000
"""More items than the first are not counted, more than the second nobody runs."""


def mean_power(effect: float, error: float, clusters: int, alpha: float = 0.05) -> float:
    """Power of a paired t test, which the sign-flip test has as well (Lehmann & Romano 2005, 15.2).

    Source: the noncentral t distribution (Cohen 1988, 2.2). `error` is the standard error of the
    mean difference.
    """
    critical = float(stdtrit(clusters - 1, 1 - alpha / 2))
    return _shift_power(abs(effect) / error, clusters - 1, critical)


def _shift_power(shift: float, df: int, critical: float) -> float:
    return _t_below(-critical, df, shift) + _t_below(-critical, df, -shift)


def _t_below(t: float, df: int, shift: float) -> float:
    """P(T <= t) for the noncentral t."""
    found = float(nctdtr(df, shift, t))
    # So far in a tail scipy has no number.
    return float(t > shift) if math.isnan(found) else found


def shift_beyond(critical: float, clusters: int, power: float) -> float:
    """The effect, in standard errors, that takes |t| beyond a critical value with this power."""

    def power_of(shift: float) -> float:
        return _shift_power(shift, clusters - 1, critical)

    high = 1.0
    while power_of(high) < power and high < 1e15:
        high *= 2
    return bisect_increasing(power_of, power, 0.0, high, tolerance=1e-9)


def items_needed(effect: float, deviation: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """How many items with this standard deviation detect a mean difference with this power."""
    return _fewest(
        lambda items: mean_power(effect, deviation / math.sqrt(items), items, alpha) >= power
    )


def _fewest(enough: Callable[[int], bool]) -> int:
    """The smallest number from 2 that is enough, where all larger ones are, too."""
    high = 2
    while not enough(high):
        high *= 2
    return bisect_left(range(high), True, lo=high // 2 + 1, key=enough)


def mcnemar_power(effect: float, discordance: float, items: int, alpha: float = 0.05) -> float:
    """Power of the exact McNemar test, over all numbers of differing items that may come.

    Source: Duffy (1984), the unconditional power of the exact test. `discordance` is the share of
    items on which the arms differ: at least the size of the effect.
    """
    share = (discordance + abs(effect)) / (2 * discordance)
    middle, spread = items * discordance, math.sqrt(items * discordance * (1 - discordance))
    # What lies farther off than this adds less than 1e-8.
    first, last = int(middle - 6 * spread - 8), int(middle + 6 * spread + 8)
    differing = np.arange(max(0, first), min(items, last) + 1)
    below = np.array([_critical(int(one), alpha) - 1 for one in differing])
    rejected = bdtrc(below, differing, share) + bdtrc(below, differing, 1 - share)
    choose = gammaln(items + 1) - gammaln(differing + 1) - gammaln(items - differing + 1)
    chance = xlogy(differing, discordance) + xlog1py(items - differing, -discordance)
    return min(1.0, float(np.exp(choose + chance) @ rejected))


@cache
def _critical(differing: int, alpha: float) -> int:
    """The fewest of `differing` fair coins on one side that the exact test rejects."""
    return bisect_left(
        range(differing + 1),
        True,
        lo=differing // 2 + 1,
        key=lambda side: bool(2 * bdtrc(side - 1, differing, 0.5) <= alpha),
    )


def mcnemar_detectable(
    discordance: float, items: int, alpha: float = 0.05, power: float = 0.8
) -> float | None:
    """The smallest difference of shares that the exact McNemar test detects with this power.

    The discordance is the observed one, or as large as the effect if that is larger: an effect of
    0.3 needs three of ten items to differ.

    Returns:
        The effect, or None if not even items that all differ in one direction would be
        significant: fewer than 6 at the level 0.05.
    """

    def power_of(effect: float) -> float:
        return mcnemar_power(effect, max(effect, discordance), items, alpha) if effect else 0.0

    if power_of(1.0) < power:
        return None
    return bisect_increasing(power_of, power, 0.0, 1.0, tolerance=1e-6)


def mcnemar_items_needed(
    effect: float, discordance: float, alpha: float = 0.05, power: float = 0.8
) -> int | None:
    """How many items detect a difference of shares by the exact McNemar test with this power.

    Power does not rise with every single item, for counts are whole: with a few items more than
    this it may be lower again by a hair. Above `COUNTED` it is worked out from the normal
    distribution, which was within 1 % of what counting gives. If the effect is larger than the
    discordance it counts for that.

    Returns:
        The number, or None for more than `MOST_NEEDED`.
    """
    size, differing = abs(effect), max(abs(effect), discordance)
    # Connor (1987), with 1 / effect for the exact test.
    level, chance = float(ndtri(1 - alpha / 2)), float(ndtri(power))
    spread = level * math.sqrt(differing) + chance * math.sqrt(differing - size * size)
    about = (spread / size) ** 2 + 1 / size
    if about > COUNTED:
        return math.ceil(about) if about < MOST_NEEDED else None
    return _fewest(lambda items: mcnemar_power(size, differing, items, alpha) >= power)


def bisect_increasing(
    function: Callable[[float], float],
    target: float,
    low: float,
    high: float,
    tolerance: float = 1e-12,
) -> float:
    """Where an increasing function reaches `target` between two bounds, to a relative tolerance."""
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if function(middle) < target else (low, middle)
        if high - low <= tolerance * abs(high):
            break
    return (low + high) / 2
