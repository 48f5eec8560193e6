"""Two arms compared on the same items: which test, which interval, what it could have detected."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypedDict

from scipy.special import stdtrit

from .intervals import (
    Interval,
    PairedTable,
    bootstrap_interval,
    clustered_share,
    newcombe,
    resample,
    student,
    wilson,
)
from .paired import (
    EXACT_FLIPS,
    Correction,
    PairedTest,
    adjust,
    mcnemar_exact,
    sign_flip,
    wilcoxon,
)
from .power import (
    MOST_NEEDED,
    items_needed,
    mcnemar_detectable,
    mcnemar_items_needed,
    shift_beyond,
)
from .samples import (
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
        mean: The mean over items of the mean over an item's trials.
        interval: Wilson's for shares, with the effective number of trials if they are not
            independent; Student's over clusters for other numbers.
        trials: All of its trials.
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
        items: Items compared.
        clusters: Independent units: the items, or fewer if some share a cluster.
        control: The control by itself.
        treatment: The treatment by itself.
        difference: Of the two means.
        interval: Of the difference, at 1 - alpha.
        interval_method: Where both intervals come from.
        equivalence: Of the difference, at the design's level of equivalence; None without a margin.
        test: The test that counts.
        wilcoxon: The signed-rank test, shown beside it; nothing is concluded from it.
        higher: Items on which the treatment has the higher value.
        lower: Items on which it has the lower one.
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
        adjusted_p: Its p-value, adjusted for the family.
        conclusion: What follows.
    """

    comparison: Comparison
    adjusted_p: float
    conclusion: Conclusion


class _Judged(TypedDict):
    """The fields of a comparison that depend on which test fits the data."""

    difference: float
    interval: Interval
    interval_method: IntervalMethod
    equivalence: Interval | None
    test: PairedTest
    detectable: float | None
    needed: int | None


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
    fits_mcnemar = (
        metric.scale is Scale.BINARY
        and len(clusters) == len(items)
        and all(item.single for item in items)
    )
    judge = _by_table(items, metric, design) if fits_mcnemar else _by_mean(clusters, metric, design)
    return Comparison(
        metric=metric,
        design=design,
        items=len(items),
        clusters=len(clusters),
        control=_arm([(item.cluster, item.control) for item in items], metric, design),
        treatment=_arm([(item.cluster, item.treatment) for item in items], metric, design),
        wilcoxon=wilcoxon([cluster.mean for cluster in clusters]),
        higher=sum(item.difference > 0 for item in items),
        lower=sum(item.difference < 0 for item in items),
        **judge,
    )


def conclude_family(
    comparisons: Sequence[Comparison], correction: Correction
) -> tuple[Concluded, ...]:
    """Conclude on comparisons of one design that are looked at together, in the order given.

    They are all declared metrics, adjusted by Holm, or all slices, by Benjamini-Hochberg.
    """
    factors = comparisons[0].design.factors if comparisons else ()
    adjusted = adjust([comparison.test.p for comparison in comparisons], correction, factors)
    return tuple(
        Concluded(
            comparison,
            p,
            conclude(
                p=p,
                alpha=comparison.design.alpha,
                interval=comparison.interval,
                direction=comparison.metric.direction,
                margin=comparison.metric.margin,
                equivalence=comparison.equivalence,
            ),
        )
        for comparison, p in zip(comparisons, adjusted, strict=True)
    )


def conclude(
    *,
    p: float,
    alpha: float,
    interval: Interval,
    direction: Direction,
    margin: float | None = None,
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
    if margin and equivalence and -margin < equivalence.low < equivalence.high < margin:
        return Conclusion.EQUIVALENT
    if p > alpha or interval.low <= 0 <= interval.high:
        return Conclusion.INCONCLUSIVE
    higher_is_good = direction is Direction.HIGHER
    return Conclusion.BETTER if (interval.low > 0) is higher_is_good else Conclusion.WORSE


def _equivalence_level(metric: MetricSpec, design: Design) -> float | None:
    return None if metric.margin is None else design.equivalence_level


def _by_table(items: Sequence[PairedItem], metric: MetricSpec, design: Design) -> _Judged:
    """One binary trial an item and arm."""
    table = paired_table(items)
    level = _equivalence_level(metric, design)
    discordance = (table.gained + table.lost) / table.items
    return _Judged(
        difference=(table.gained - table.lost) / table.items,
        interval=newcombe(table, 1 - design.alpha),
        equivalence=None if level is None else newcombe(table, level),
        interval_method=IntervalMethod.NEWCOMBE,
        test=mcnemar_exact(table.gained, table.lost),
        detectable=mcnemar_detectable(discordance, table.items, design.alpha, design.power),
        needed=_shares_needed(metric, discordance, design),
    )


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


def _by_mean(clusters: Sequence[ClusterSum], metric: MetricSpec, design: Design) -> _Judged:
    """Means of several trials, numbers, or items in clusters."""
    level = _equivalence_level(metric, design)
    mean, ratios = clustered_mean(clusters), resample(clusters, design.seed, design.resamples)

    def interval_at(level: float) -> Interval:
        return bootstrap_interval(clusters, ratios, metric.scale, level)

    interval = interval_at(1 - design.alpha)
    return _Judged(
        difference=mean.mean,
        interval=interval,
        equivalence=None if level is None else interval_at(level),
        interval_method=IntervalMethod.CLUSTER_BOOTSTRAP,
        test=sign_flip([cluster.total for cluster in clusters], design.seed, design.draws),
        detectable=_detectable(mean, interval, metric.scale, design),
        needed=_needed(clusters, mean, interval, metric, design),
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
    return max((interval.high - interval.low) / 2 / mean.error, _critical_t(mean, design))


def _critical_t(mean: ClusteredMean, design: Design) -> float:
    return float(stdtrit(mean.clusters - 1, 1 - design.alpha / 2))


def _needed(
    clusters: Sequence[ClusterSum],
    mean: ClusteredMean,
    interval: Interval,
    metric: MetricSpec,
    design: Design,
) -> int | None:
    """By the t test, the spread taken as larger where the interval is wider than that of the test.

    Clusters are taken to be as large as they are.
    """
    if metric.margin is None:
        return None
    items = sum(cluster.items for cluster in clusters) / len(clusters)
    if mean.error == 0:
        needed = _shares_needed(metric, 0.0, design) if metric.scale is Scale.BINARY else None
        return None if needed is None else math.ceil(needed * items)
    wider = _critical(mean, interval, design) / _critical_t(mean, design)
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
