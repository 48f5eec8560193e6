"""Metrics, the design of a comparison, and samples: items with their trials in both arms.

The unit is the item. Trials of an item are averaged before anything else, for they are not
independent: counted as items they double the false positives. Items of one cluster (a document
that several items come from) are summed, and the cluster is what is resampled or flipped.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from ...base.errors import StatisticsError

LARGEST = 1e100
"""Sums of squares of values up to this size do not overflow."""
SIGN_DRAWS = 9999
"""Drawn signs of the permutation test; the standard error of a p-value near 0.05 is then 0.002."""
RESAMPLES = 1999
"""Bootstrap resamples: with one more, the ends of a 95 % interval are the 50th from either side."""


class Scale(StrEnum):
    """Scale of a metric."""

    BINARY = "binary"
    """0 or 1 for each trial."""
    NUMERIC = "numeric"
    """Any finite number."""


class Direction(StrEnum):
    """Which values of a metric are good."""

    HIGHER = "higher"
    LOWER = "lower"


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """A metric as it was declared before the results were seen.

    Args:
        name: Its name.
        scale: What values it takes.
        direction: Which of them are good.
        margin: The smallest difference that matters, in the metric's unit (for a share, 0.05 is
            five points); None if only a difference is looked for.
    """

    name: str
    scale: Scale
    direction: Direction = Direction.HIGHER
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class Design:
    """How a comparison is judged.

    Args:
        alpha: The two-sided level; at a look before the end, that look's level.
        power: The power that the minimum detectable effect is stated for.
        family: How many comparisons belong together. Their p-values are adjusted by Holm;
            equivalence is shown at alpha / family each.
        seed: The number from which everything random starts.
        draws: How many signs are drawn, where there are too many to count all.
        resamples: How many bootstrap resamples are drawn.
        equivalence_alpha: The level of both one-sided tests of equivalence together; None for
            2 alpha / family, which holds without looks before the end.
        factors: What Holm's procedure multiplies p by for 1, 2, … tests left, a number for each
            count of them; () for these numbers.
    """

    alpha: float = 0.05
    power: float = 0.8
    family: int = 1
    seed: int = 0
    draws: int = SIGN_DRAWS
    resamples: int = RESAMPLES
    _: KW_ONLY
    equivalence_alpha: float | None = None
    factors: tuple[float, ...] = ()

    @property
    def equivalence_level(self) -> float:
        """The level of the interval that shows equivalence."""
        if self.equivalence_alpha is not None:
            return 1 - self.equivalence_alpha
        return 1 - 2 * self.alpha / self.family


@dataclass(frozen=True, slots=True)
class PairedItem:
    """One item and what both arms made of it.

    A trial that ended in an error is no missing value: the caller has given it the value of a
    failure.

    Args:
        item: The item's name, unique in a comparison.
        control: The metric's value for each trial of the control arm, of which there is one.
        treatment: The same for the arm that is compared with it; the counts may differ.
        cluster: What other items it shares its origin with; "" if it stands alone.
    """

    item: str
    control: tuple[float, ...]
    treatment: tuple[float, ...]
    cluster: str = ""

    @property
    def difference(self) -> float:
        """Mean of the treatment's trials minus mean of the control's, in the metric's unit.

        One division, so that equal differences of counts are equal numbers and tie.
        """
        n, m = len(self.control), len(self.treatment)
        treatment, control = math.fsum(self.treatment) * n, math.fsum(self.control) * m
        return (
            0.0
            if math.isclose(treatment, control, rel_tol=1e-12)
            else (treatment - control) / (n * m)
        )

    @property
    def single(self) -> bool:
        """Whether each arm ran it once."""
        return len(self.control) == len(self.treatment) == 1


@dataclass(frozen=True, slots=True, order=True)
class ClusterSum:
    """Items that are not independent of each other, as one.

    Args:
        total: The sum of its items' values (mostly of their differences).
        items: How many they are.
    """

    total: float
    items: int = 1

    @property
    def mean(self) -> float:
        """The mean of its items' values."""
        return self.total / self.items


@dataclass(frozen=True, slots=True)
class ClusteredMean:
    """A mean over items with the standard error that their clusters leave it.

    Args:
        mean: The mean over items; each item weighs the same.
        error: Its standard error, robust to dependence inside clusters, with the correction
            G / (G - 1) for G clusters (Liang & Zeger 1986). Without clusters it is s / sqrt(n).
        items: How many items there are.
        clusters: How many independent units there are; the degrees of freedom are one less.
    """

    mean: float
    error: float
    items: int
    clusters: int


def check_items(items: Sequence[PairedItem], scale: Scale) -> None:
    """Refuse what cannot be compared.

    Raises:
        StatisticsError: Fewer than two items or clusters, a value that is not finite, or on the
            binary scale one that is neither 0 nor 1.
    """
    if len(items) < 2:
        raise StatisticsError(
            f"a comparison needs at least 2 items, and there are {len(items)}", "add items"
        )
    for item in items:
        _check_values(item, scale)
    if items[0].cluster and len({item.cluster for item in items}) == 1:
        raise StatisticsError(
            f"all {len(items)} items are of one cluster, {items[0].cluster!r}",
            "add items of other origin: only clusters are independent of each other",
        )


def _check_values(item: PairedItem, scale: Scale) -> None:
    for arm, values in (("control", item.control), ("treatment", item.treatment)):
        for value in values:
            found = f"item {item.item!r} has the value {value:g} in the {arm} arm"
            if not abs(value) <= LARGEST:
                raise StatisticsError(found, f"values must be numbers of at most {LARGEST:g}")
            if scale is Scale.BINARY and value not in (0, 1):
                raise StatisticsError(found, "a binary metric is 0 or 1 in each trial")


def sum_clusters(values: Sequence[tuple[str, float]]) -> tuple[ClusterSum, ...]:
    """Values with the cluster of each ("" for none), summed by cluster, the smallest sum first.

    The order of what is given never matters.
    """
    alone = [ClusterSum(value) for cluster, value in values if not cluster]
    grouped: defaultdict[str, list[float]] = defaultdict(list)
    for cluster, value in values:
        if cluster:
            grouped[cluster].append(value)
    shared = [ClusterSum(math.fsum(group), len(group)) for group in grouped.values()]
    return tuple(sorted(alone + shared))


def clustered_mean(clusters: Sequence[ClusterSum]) -> ClusteredMean:
    """The mean over items and its cluster-robust standard error, of at least two clusters."""
    items = sum(cluster.items for cluster in clusters)
    mean = math.fsum(cluster.total for cluster in clusters) / items
    residuals = [cluster.total - mean * cluster.items for cluster in clusters]
    # What rounding leaves of equal values is no spread.
    dust = 1e-13 * max(abs(cluster.total) for cluster in clusters)
    squares = math.fsum(r * r for r in residuals if abs(r) > dust)
    count = len(clusters)
    return ClusteredMean(mean, math.sqrt(squares * count / (count - 1)) / items, items, count)
