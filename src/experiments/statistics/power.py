"""Power of a comparison, the items that it needs, and looks before all items are in.

Power is the chance that the two-sided test is significant at `alpha` if the true effect is as
stated. The observed effect plays no part in it, only the observed discordance or spread.

Peeking at the level 0.05 five times gives 14 % false positives. With alpha spending each look has a
level of its own, and all looks together keep 0.05. How often one looks need not be fixed
beforehand; the spending function and the number of items planned must be.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc, gammaln, nctdtr, ndtr, ndtri, stdtrit, xlog1py, xlogy

COUNTED, MOST_NEEDED = 5_000, 1_000_000
"""More items than the first are not counted, more than the second nobody runs."""

FARTHEST = 8.5
"""No boundary is above this; beyond it lies less than 1e-16."""
CLOSEST = 0.01
"""Looks lie at least so far apart, as a share of the planned items."""
NODES = 10
"""Nodes of the integration for each standard deviation of the narrower step."""


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
    return _bisect(power_of, power, high, tolerance=1e-9)


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
    return _bisect(power_of, power, 1.0, tolerance=1e-6)


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


def _bisect(
    rising: Callable[[float], float], target: float, high: float, tolerance: float = 1e-12
) -> float:
    """Where a rising function reaches `target` between 0 and `high`, to a relative tolerance."""
    low = 0.0
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if rising(middle) < target else (low, middle)
        if high - low <= tolerance * abs(high):
            break
    return (low + high) / 2


class Spending(StrEnum):
    """How the error budget is laid out over the looks (Lan & DeMets 1983)."""

    OBRIEN_FLEMING = "obrien_fleming"
    """Almost nothing early: the last look is nearly at the full level."""
    POCOCK = "pocock"
    """About the same at each look."""


@dataclass(frozen=True, slots=True)
class Look:
    """One look at the results.

    Args:
        boundary: |z| from which it stops.
        level: The same as a two-sided p-value: what a test's p, and one minus the level of an
            interval, are held against at this look.
        spent: The share of false positives spent up to and with this look.
    """

    boundary: float
    level: float
    spent: float


def spent(spending: Spending, fraction: float, alpha: float = 0.05) -> float:
    """The two-sided error that may be spent when this share of the planned items is in.

    Source: Lan & DeMets (1983), each side with half of `alpha`: 2 - 2 Phi(z / sqrt(t)) for
    O'Brien-Fleming, alpha ln(1 + (e - 1) t) for Pocock.
    """
    match spending:
        case Spending.OBRIEN_FLEMING:
            return 4 * float(ndtr(ndtri(alpha / 4) / math.sqrt(fraction)))
        case Spending.POCOCK:
            return alpha * math.log1p((math.e - 1) * fraction)


@cache
def looks(
    fractions: tuple[float, ...], spending: Spending, alpha: float = 0.05
) -> tuple[Look, ...]:
    """The boundary of each look, the next one being taken only if none before was crossed.

    Boundaries up to a look do not depend on later ones, so it may be asked with the looks so far.

    Args:
        fractions: The shares of the planned items seen at each look, rising to at most 1.
        spending: The spending function.
        alpha: The two-sided level of all looks together.
    """
    done: list[Look] = []
    walk, before = _START, 0.0
    for at, fraction in enumerate(fractions):
        budget = spent(spending, fraction, alpha)
        step = math.sqrt(fraction - (fractions[at - 1] if at else 0.0))
        boundary = _boundary(walk, step, math.sqrt(fraction), budget - before)
        done.append(Look(boundary, 2 * float(ndtr(-boundary)), budget))
        before = budget
        if at + 1 < len(fractions):
            finest = min(step, math.sqrt(fractions[at + 1] - fraction))
            walk = _go_on(walk, step, boundary * math.sqrt(fraction), finest)
    return tuple(done)


def holm_factors(
    fractions: tuple[float, ...], spending: Spending, alpha: float, family: int
) -> tuple[tuple[float, ...], ...]:
    """Factors of Holm's procedure at each look, for 1, 2, … tests that are left of a family.

    By the factors p is multiplied to be held against the look's own level. Of so many tests the
    smallest p-value is held against the look's level for that part of `alpha`. At an early look
    this level is lower than the same part of the look's own, so that dividing that one would err
    too often. Only at a single look at the end the factors are 1, 2, ….

    Source: the group sequential Holm procedure (Ye, Li, Liu & Yao 2013).
    """
    levels = [
        [look.level for look in looks(fractions, spending, alpha / left)]
        for left in range(1, family + 1)
    ]
    return tuple(
        tuple(levels[0][at] / of_part[at] for of_part in levels) for at in range(len(fractions))
    )


@dataclass(frozen=True, slots=True)
class _Walk:
    """Where the sum of the results stands if no boundary was crossed: points with their mass."""

    places: NDArray[np.float64]
    masses: NDArray[np.float64]


_START = _Walk(np.zeros(1), np.ones(1))


def _boundary(walk: _Walk, step: float, root: float, budget: float) -> float:
    """The |z| beyond which the next step ends on either side with the chance `budget`."""

    def rising(z: float) -> float:
        limit = z * root
        beyond = ndtr((-limit - walk.places) / step) + ndtr((walk.places - limit) / step)
        return -float(walk.masses @ beyond)

    return _bisect(rising, -budget, FARTHEST)


def _go_on(walk: _Walk, step: float, limit: float, finest: float) -> _Walk:
    """The walk one step on, inside the limit, by Simpson's rule.

    Source: Armitage, McPherson & Rowe (1969); Jennison & Turnbull (2000), chapter 19.
    """
    panels = 2 * math.ceil(NODES * limit / finest)
    places = np.linspace(-limit, limit, panels + 1)
    weights = np.where(np.arange(panels + 1) % 2, 4.0, 2.0)
    weights[[0, -1]] = 1.0
    density = np.exp(-0.5 * ((places[:, None] - walk.places) / step) ** 2) @ walk.masses
    scale = 2 * limit / panels / 3 / (step * math.sqrt(2 * math.pi))
    return _Walk(places, weights * scale * density)
