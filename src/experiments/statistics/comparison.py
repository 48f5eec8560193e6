"""Two arms compared on the same items: which test, which interval, what it could have detected.

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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import numpy as np
from scipy.special import ndtri, stdtrit

from .paired import (
    EXACT_FLIPS,
    PairedTest,
    benjamini_hochberg,
    holm,
    mcnemar_exact,
    sign_flip,
    wilcoxon,
)
from .power import MOST_NEEDED, items_needed, mcnemar_detectable, mcnemar_items_needed, shift_beyond
from .samples import (
    RESAMPLES,
    ClusteredMean,
    ClusterSum,
    Design,
    Direction,
    MetricSpec,
    PairedItem,
    Scale,
    check_items,
    clustered_mean,
    sum_clusters,
)


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval in the unit of what it is about.

    Args:
        low: Its lower end, in that unit.
        high: Its upper end, in that unit.
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


class Conclusion(StrEnum):
    """The treatment against the control, on one metric."""

    BETTER = "better"
    WORSE = "worse"
    EQUIVALENT = "equivalent"
    """The difference, if there is any, is smaller than the margin declared to matter."""
    INCONCLUSIVE = "inconclusive"
    """Neither a difference nor its absence was shown: more items are needed, not more trials."""


class IntervalMethod(StrEnum):
    """Where the interval of a difference comes from."""

    NEWCOMBE = "newcombe"
    CLUSTER_BOOTSTRAP = "cluster_bootstrap"


@dataclass(frozen=True, slots=True)
class ArmSummary:
    """One arm by itself.

    Args:
        mean: The mean over items of the mean over an item's trials, in the metric's unit.
        interval: Wilson's for shares, with the effective number of trials if they are not
            independent; Student's over clusters for other numbers.
        trials: How many trials it has.
    """

    mean: float
    interval: Interval
    trials: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Treatment against control on one metric. Differences are treatment minus control.

    Args:
        metric: The metric.
        design: The level, power, family and seed it was made with.
        items: How many items are compared.
        clusters: How many independent units: the items, or fewer if some share a cluster.
        control: The control by itself.
        treatment: The treatment by itself.
        difference: Of the two means, in the metric's unit.
        interval: Of the difference, at 1 - alpha.
        interval_method: Where both intervals come from.
        equivalence: Of the difference, at the design's level of equivalence; None without a margin.
        test: The test that counts.
        wilcoxon: The signed-rank test, shown beside it; nothing is concluded from it.
        higher: On how many items the treatment has the higher value.
        lower: On how many it has the lower one.
        detectable: The smallest true difference that so many items detect with the design's
            power, in the metric's unit, from the observed discordance or spread, at alpha (not
            adjusted for the family); None if none
            could be (the smallest p-value of so few items is above alpha, or a share would have
            to change by more than 1) or if all numeric differences are the same.
        needed: How many items such as these would detect a difference as large as the margin with
            the design's power, at alpha; None without a margin, if they are too many to count, or
            if all numeric differences are the same.
    """

    metric: MetricSpec
    design: Design
    items: int
    clusters: int
    control: ArmSummary
    treatment: ArmSummary
    difference: float
    interval: Interval
    interval_method: IntervalMethod
    equivalence: Interval | None
    test: PairedTest
    wilcoxon: PairedTest
    higher: int
    lower: int
    detectable: float | None
    needed: int | None


@dataclass(frozen=True, slots=True)
class Concluded:
    """A comparison and what may be said of it among the others of its family.

    Args:
        comparison: The comparison.
        adjusted_p: Its p-value (0–1), adjusted for the family.
        conclusion: What follows.
    """

    comparison: Comparison
    adjusted_p: float
    conclusion: Conclusion


_DESIGN = Design()


def compare(
    items: Sequence[PairedItem], metric: MetricSpec, design: Design = _DESIGN
) -> Comparison:
    """Compare two arms on the same items.

    Binary metrics with one trial an item and arm, and no clusters: exact McNemar test and
    Newcombe's interval. All else: sign-flip permutation of the items' mean differences (of the
    clusters' sums, if there are clusters) and the cluster bootstrap.

    Raises:
        StatisticsError: The items cannot be compared (see `check_items`).
    """
    check_items(items, metric.scale)
    clusters = sum_clusters([(item.cluster, item.difference) for item in items])
    mean = clustered_mean(clusters)
    interval_at: Callable[[float], Interval]
    if (
        metric.scale is Scale.BINARY
        and len(clusters) == len(items)
        and all(item.single for item in items)
    ):
        table = paired_table(items)
        method, interval_at = IntervalMethod.NEWCOMBE, partial(newcombe, table)
        test = mcnemar_exact(table.gained, table.lost)
        interval = interval_at(1 - design.alpha)
        discordance = (table.gained + table.lost) / table.items
        detectable = mcnemar_detectable(discordance, table.items, design.alpha, design.power)
        needed = _shares_needed(metric, discordance, design)
    else:
        ratios = resample(clusters, design.seed, design.resamples)
        method = IntervalMethod.CLUSTER_BOOTSTRAP
        interval_at = partial(bootstrap_interval, clusters, ratios, metric.scale)
        test = sign_flip([cluster.total for cluster in clusters], design.seed, design.draws)
        interval = interval_at(1 - design.alpha)
        detectable = _detectable(mean, interval, metric.scale, design)
        needed = _needed(mean, interval, metric, design)
    return Comparison(
        metric,
        design,
        len(items),
        len(clusters),
        _arm([(item.cluster, item.control) for item in items], metric, design),
        _arm([(item.cluster, item.treatment) for item in items], metric, design),
        mean.mean,
        interval,
        method,
        None if metric.margin is None else interval_at(design.equivalence_level),
        test,
        wilcoxon([cluster.mean for cluster in clusters]),
        sum(item.difference > 0 for item in items),
        sum(item.difference < 0 for item in items),
        detectable,
        needed,
    )


def conclude_family(
    comparisons: Sequence[Comparison], *, explored: bool = False
) -> tuple[Concluded, ...]:
    """Conclude on comparisons of one design that are looked at together, in the order given.

    They are all declared metrics, adjusted by Holm, which keeps the chance of any false claim at
    the level; or all `explored` slices, by Benjamini-Hochberg, which keeps the share of false ones.
    """
    factors = comparisons[0].design.factors if comparisons else ()
    p_values = [comparison.test.p for comparison in comparisons]
    adjusted = benjamini_hochberg(p_values) if explored else holm(p_values, factors)
    return tuple(
        Concluded(
            one,
            p,
            conclude(p, one.design.alpha, one.interval, one.metric, one.equivalence),
        )
        for one, p in zip(comparisons, adjusted, strict=True)
    )


def conclude(
    p: float,
    alpha: float,
    interval: Interval,
    metric: MetricSpec,
    equivalence: Interval | None = None,
) -> Conclusion:
    """The one conclusion that the figures allow; `p` is adjusted for the family of tests.

    - EQUIVALENT if the equivalence interval lies inside the margin, which is two one-sided tests
      (Schuirmann 1987). It comes first: a difference shown to be smaller than what was declared to
      matter is no reason to choose. An interval without width, of items that are all alike, tells
      nothing of other items and shows no equivalence.
    - BETTER or WORSE if the test is significant and the interval leaves out 0. Each covers for the
      other: the permutation test is exact if arms may be swapped, the interval also holds where
      their spreads differ.
    - INCONCLUSIVE otherwise.
    """
    margin = metric.margin
    if margin and equivalence and -margin < equivalence.low < equivalence.high < margin:
        return Conclusion.EQUIVALENT
    if p > alpha or interval.low <= 0 <= interval.high:
        return Conclusion.INCONCLUSIVE
    higher_is_good = metric.direction is Direction.HIGHER
    return Conclusion.BETTER if (interval.low > 0) is higher_is_good else Conclusion.WORSE


def _shares_needed(metric: MetricSpec, discordance: float, design: Design) -> int | None:
    # No share changes by more than 1.
    if metric.margin is None or metric.margin > 1:
        return None
    return mcnemar_items_needed(metric.margin, discordance, design.alpha, design.power)


def paired_table(items: Sequence[PairedItem]) -> PairedTable:
    """The items of a binary metric with one trial an arm, by what both arms made of them."""
    pairs = [(bool(item.control[0]), bool(item.treatment[0])) for item in items]
    return PairedTable(
        both=pairs.count((True, True)),
        gained=pairs.count((False, True)),
        lost=pairs.count((True, False)),
        neither=pairs.count((False, False)),
    )


def _detectable(
    mean: ClusteredMean, interval: Interval, scale: Scale, design: Design
) -> float | None:
    exact = mean.clusters <= EXACT_FLIPS
    lowest_p = 2 / 2**mean.clusters if exact else 1 / (design.draws + 1)
    if lowest_p > design.alpha:
        return None
    if mean.error == 0:
        if scale is Scale.NUMERIC:
            return None
        # What is detected of items that change as a whole, in all their trials.
        return mcnemar_detectable(0.0, mean.clusters, design.alpha, design.power)
    critical = _critical(mean, interval, design)
    effect = mean.error * shift_beyond(critical, mean.clusters, design.power)
    return None if scale is Scale.BINARY and effect > 1 else effect


def _critical(mean: ClusteredMean, interval: Interval, design: Design) -> float:
    """How many standard errors a mean has to be from 0.

    A conclusion asks for a significant test and for an interval without 0.
    """
    t = _t_quantile(mean.clusters - 1, 1 - design.alpha)
    return max((interval.high - interval.low) / 2 / mean.error, t)


def _needed(
    mean: ClusteredMean, interval: Interval, metric: MetricSpec, design: Design
) -> int | None:
    """By the t test, the spread taken as larger where the interval is wider than that of the test.

    Clusters are taken to be as large as they are.
    """
    if metric.margin is None:
        return None
    items = mean.items / mean.clusters
    if mean.error == 0:
        needed = _shares_needed(metric, 0.0, design) if metric.scale is Scale.BINARY else None
        return None if needed is None else math.ceil(needed * items)
    wider = _critical(mean, interval, design) / _t_quantile(mean.clusters - 1, 1 - design.alpha)
    deviation = mean.error * math.sqrt(mean.clusters) * wider
    if (deviation / metric.margin) ** 2 > MOST_NEEDED:
        return None
    # With fewer, no p-value is as small as the level.
    fewest = math.ceil(math.log2(2 / design.alpha))
    needed = items_needed(metric.margin, deviation, design.alpha, design.power)
    return math.ceil(max(needed, fewest) * items)


def _arm(
    values: Sequence[tuple[str, tuple[float, ...]]], metric: MetricSpec, design: Design
) -> ArmSummary:
    level, trials = 1 - design.alpha, sum(len(of_item) for _, of_item in values)
    clusters = sum_clusters(
        [(cluster, math.fsum(of_item) / len(of_item)) for cluster, of_item in values]
    )
    mean = clustered_mean(clusters)
    match metric.scale:
        case Scale.NUMERIC:
            return ArmSummary(mean.mean, student(mean, level), trials)
        case Scale.BINARY if trials == len(clusters):
            return ArmSummary(mean.mean, wilson(round(mean.mean * trials), trials, level), trials)
        case Scale.BINARY:
            return ArmSummary(mean.mean, clustered_share(clusters, trials, level), trials)
