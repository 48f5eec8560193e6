"""Closed-form intervals: shares, paired differences of shares, means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...base.errors import StatisticsError
from .distributions import NORMAL, student_t_quantile
from .samples import ClusteredMean, ClusterSum, clustered_mean


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval in the unit of what it is about.

    Args:
        low: Its lower end.
        high: Its upper end.
        level: The share of such intervals that hold the true value, for example 0.95.
    """

    low: float
    high: float
    level: float

    def hull(self, other: Interval) -> Interval:
        """The smallest interval that holds both."""
        return Interval(min(self.low, other.low), max(self.high, other.high), self.level)

    def clamped(self, low: float, high: float) -> Interval:
        """The part of it that is possible."""
        return Interval(max(self.low, low), min(self.high, high), self.level)


@dataclass(frozen=True, slots=True)
class PairedTable:
    """The items of a paired binary comparison, by what both arms made of them.

    Args:
        both: Items that both arms passed.
        gained: Items that only the treatment passed.
        lost: Items that only the control passed.
        neither: Items that neither passed.
    """

    both: int
    gained: int
    lost: int
    neither: int

    @property
    def items(self) -> int:
        """How many there are."""
        return self.both + self.gained + self.lost + self.neither


def check_level(level: float) -> float:
    """The level itself.

    Raises:
        StatisticsError: It is not between 0 and 1.
    """
    if not 0 < level < 1:
        raise StatisticsError(f"{level} is no confidence level", "levels lie between 0 and 1")
    return level


def wilson(hits: float, n: float, level: float = 0.95) -> Interval:
    """The score interval of a share (Wilson 1927).

    Args:
        hits: Successes, from 0 to n; not whole if `n` is an effective number.
        n: Trials, above 0.
        level: The confidence level.
    """
    if not (n > 0 and 0 <= hits <= n):
        raise StatisticsError(f"{hits:g} of {n:g} is no share", "give 0 to n hits of n > 0")
    z2 = NORMAL.inv_cdf((1 + check_level(level)) / 2) ** 2
    middle = (hits + z2 / 2) / (n + z2)
    half = math.sqrt(z2 * (hits * (n - hits) / n + z2 / 4)) / (n + z2)
    # At the ends rounding would leave a trace of 0 or 1.
    low = 0.0 if hits == 0 else middle - half
    return Interval(low, 1.0 if hits == n else middle + half, level)


def newcombe(table: PairedTable, level: float = 0.95) -> Interval:
    """The interval of treatment share minus control share on the same items.

    Source: Newcombe (1998), Stat. Med. 17, 2635-2650, method 10: the Wilson intervals of both
    shares joined with the correlation phi, whose numerator is corrected for continuity.
    """
    n = table.items
    if n == 0:
        raise StatisticsError("a table without items has no interval", "give at least one item")
    treated, controlled = table.both + table.gained, table.both + table.lost
    first, second = treated / n, controlled / n
    of_first, of_second = wilson(treated, n, level), wilson(controlled, n, level)
    phi = _phi(table)
    difference = (table.gained - table.lost) / n
    below = _joined(first - of_first.low, of_second.high - second, phi)
    above = _joined(of_first.high - first, second - of_second.low, phi)
    return Interval(difference - below, difference + above, level)


def _joined(first: float, second: float, phi: float) -> float:
    return math.sqrt(max(0.0, first * first - 2 * phi * first * second + second * second))


def _phi(table: PairedTable) -> float:
    a, b, c, d = table.both, table.gained, table.lost, table.neither
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    product = a * d - b * c
    if product > 0:
        product = max(product - table.items / 2, 0)
    return product / math.sqrt(margins) if margins else 0.0


def student(mean: ClusteredMean, level: float = 0.95) -> Interval:
    """Student's interval of a mean; degrees of freedom are the clusters but one (Student 1908)."""
    half = student_t_quantile((1 + check_level(level)) / 2, mean.clusters - 1) * mean.error
    return Interval(mean.mean - half, mean.mean + half, level)


def clustered_share(clusters: Sequence[ClusterSum], trials: int, level: float = 0.95) -> Interval:
    """The interval of a share whose trials are not independent.

    Source: Wilson's interval with the effective number of trials p (1 - p) / error^2 (Kish 1965;
    Korn & Graubard 1998), at most all of them; without any spread it is the number of clusters.

    Args:
        clusters: The items' shares, summed by cluster.
        trials: How many trials they are made of.
        level: The confidence level.
    """
    mean = clustered_mean(clusters)
    share = min(1.0, max(0.0, mean.mean))
    effective = float(mean.clusters)
    if mean.error:
        effective = min(float(trials), share * (1 - share) / mean.error**2)
    return wilson(share * effective, effective, level)
