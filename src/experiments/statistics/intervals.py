"""Intervals of shares, of paired differences of shares, of means, and the cluster bootstrap.

Which form of the bootstrap covers was tried by simulation. With 20 items the nominal 95 %
intervals of the percentile bootstrap and of BCa held the true difference in as few as 87 and 86 %
of experiments. The bootstrap-t (Efron 1982) comes near 95 %: in its symmetric form (Hall 1988)
where most differences are 0 and the rest few values, as shares of five trials are; in its
equal-tailed form where differences are skewed, as costs and times are. So each end is the farthest
of three: symmetric bootstrap-t, equal-tailed bootstrap-t, and Student's t. With normal differences
this is wider than Student's interval by some 6 % with 20 items and 3 % with 50.
`benchmarks/statistics_simulation.py` measures the coverage.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit

from .samples import RESAMPLES, ClusteredMean, ClusterSum, Scale, clustered_mean


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


def wilson(hits: float, n: float, level: float = 0.95) -> Interval:
    """The score interval of a share (Wilson 1927).

    `hits` are from 0 to `n`, and not whole if `n`, above 0, is an effective number of trials.
    """
    z2 = float(ndtri((1 + level) / 2)) ** 2
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


def _t_quantile(df: int, level: float) -> float:
    """Student's t within which a share `level` lies."""
    return float(stdtrit(df, (1 + level) / 2))


def student(mean: ClusteredMean, level: float = 0.95) -> Interval:
    """Student's interval of a mean; degrees of freedom are the clusters but one (Student 1908)."""
    half = _t_quantile(mean.clusters - 1, level) * mean.error
    return Interval(mean.mean - half, mean.mean + half, level)


def clustered_share(clusters: Sequence[ClusterSum], trials: int, level: float = 0.95) -> Interval:
    """The interval of a share of `trials` that are not independent.

    Source: Wilson's interval with the effective number of trials p (1 - p) / error^2 (Kish 1965;
    Korn & Graubard 1998), at most all of them; without any spread it is the number of clusters.
    `clusters` are the items' shares, summed by cluster.
    """
    mean = clustered_mean(clusters)
    share = min(1.0, max(0.0, mean.mean))
    effective = float(mean.clusters)
    if mean.error:
        effective = min(float(trials), share * (1 - share) / mean.error**2)
    return wilson(share * effective, effective, level)


def resample(clusters: Sequence[ClusterSum], seed: int, draws: int = RESAMPLES) -> list[float]:
    """Draw clusters with replacement, all their items with them.

    Source: Davison & Hinkley (1997), 2.4 and 3.8.

    The result depends on the values and the seed alone: not on the order of the clusters, of which
    there are at least two, and swapped arms give the mirrored result.

    Returns:
        (resampled mean - mean) / resampled error of each resample, in rising order; infinite where
        a resample had no spread.
    """
    # The seed must not tell arms apart: both orders of them are resampled in one orientation.
    given = tuple(sorted(clusters))
    oriented = max(given, negated(given))
    ratios = sorted(_ratios(oriented, seed, draws))
    return ratios if oriented == given else [-ratio for ratio in reversed(ratios)]


def negated(clusters: Sequence[ClusterSum]) -> tuple[ClusterSum, ...]:
    """The clusters with the arms swapped, in order."""
    return tuple(sorted(ClusterSum(-cluster.total, cluster.items) for cluster in clusters))


def _ratios(clusters: Sequence[ClusterSum], seed: int, draws: int) -> Iterator[float]:
    mean, count, rng = clustered_mean(clusters).mean, len(clusters), random.Random(seed)
    sizes = np.array([cluster.items for cluster in clusters], dtype=float)
    residuals = np.array([cluster.total for cluster in clusters]) - mean * sizes
    columns = np.array([residuals, residuals**2, residuals * sizes, sizes, sizes**2])
    for _ in range(draws):
        drawn = [int(rng.random() * count) for _ in range(count)]
        total, square, cross, items, square_size = map(float, columns[:, drawn].sum(axis=1))
        shift = total / items
        spread = square - 2 * shift * cross + shift * shift * square_size
        if spread > 1e-12 * square:
            yield total / math.sqrt(spread * count / (count - 1))
        else:
            yield math.copysign(math.inf, total) if square else 0.0


def bootstrap_interval(
    clusters: Sequence[ClusterSum], ratios: Sequence[float], scale: Scale, level: float = 0.95
) -> Interval:
    """The interval of the mean difference: each end the farthest of three (see the module).

    Where hardly any item differs many resamples have no spread, and bootstrap-t has no end; then
    Student's remains. On the binary scale it is widened in that case to hold the interval with two
    pseudo-items, which bounds what items not yet seen may do. Numeric differences that are
    all the same have an interval without width. `ratios` are those of `resample`.
    """
    mean = clustered_mean(clusters)
    t = _t_quantile(mean.clusters - 1, level)
    # The addend is for a level such as 0.95, which no float is.
    rank = max(1, int((len(ratios) + 1) * (1 - level) / 2 + 1e-9))
    both = sorted(map(abs, ratios))[max(0, len(ratios) - 2 * rank)]
    below, above = (t, both, ratios[-rank]), (t, both, -ratios[rank - 1])
    if tuple(sorted(clusters)) == negated(clusters):
        below = above = (*below, *above)
    low, high = _farthest(below) * mean.error, _farthest(above) * mean.error
    interval = Interval(mean.mean - low, mean.mean + high, level)
    if scale is Scale.NUMERIC:
        return interval
    if mean.error == 0 or math.inf in (*below, *above):
        interval = interval.hull(_with_pseudo_items(clusters, level))
    return interval.clamped(-1.0, 1.0)


def _farthest(ends: Sequence[float]) -> float:
    return max(end for end in ends if end < math.inf)


def _with_pseudo_items(clusters: Sequence[ClusterSum], level: float) -> Interval:
    """The interval of a matched difference of shares with two items more.

    Source: Agresti & Min (2005), half an item added to each of the four outcomes, so one half to 1,
    one to -1 and two to 0; here with Student's quantile.
    """
    n = len(clusters) + 2
    mean = math.fsum(cluster.mean for cluster in clusters) / n
    variance = (math.fsum(cluster.mean**2 for cluster in clusters) + 1) / n - mean * mean
    half = _t_quantile(len(clusters) - 1, level) * math.sqrt(variance / n)
    return Interval(mean - half, mean + half, level)
