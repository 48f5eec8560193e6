"""Treatments beside the baseline: metric by metric, slice by slice, item by item."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from statistics import fmean

from ..base.errors import StatisticsError
from .file import ExperimentFile
from .metrics import METRICS
from .planning import Item, TrialOutcome, TrialResult
from .statistics.comparison import Concluded, Conclusion, compare, conclude_family
from .statistics.paired import Correction
from .statistics.samples import Design, Direction, MetricSpec, PairedItem, Scale


@dataclass(frozen=True, slots=True)
class Compared:
    """A treatment against the baseline on one metric.

    Args:
        metric: The metric.
        treatment: The arm that is compared with the baseline.
        primary: Whether it is the primary metric.
        slice: ``name=value`` of the items that it is about; "" for all.
        concluded: What follows; None if nothing could be compared.
        why_not: Why nothing could be.
        left_out: The items that are complete but have no value, to which the metric does not apply.
        counted: Trials that ended otherwise than finished and count as failures.
    """

    metric: str
    treatment: str
    primary: bool
    _: KW_ONLY
    slice: str = ""
    concluded: Concluded | None = None
    why_not: str = ""
    left_out: int = 0
    counted: int = 0


@dataclass(frozen=True, slots=True)
class ItemPair:
    """An item that was compared: the means over its trials of the primary metric in both arms."""

    item: str
    treatment: str
    baseline_value: float
    treatment_value: float


@dataclass(frozen=True, slots=True)
class Flip:
    """An item on which the primary metric differs, with a run of each arm."""

    item: str
    treatment: str
    baseline_value: float
    treatment_value: float
    baseline_run: str
    treatment_run: str


@dataclass(frozen=True, slots=True)
class DeclaredMetric:
    """A declared metric with all that is known of it."""

    spec: MetricSpec
    failure: float | None
    primary: bool


@dataclass(frozen=True, slots=True)
class Table:
    """What was declared, and the results of each item and arm in the order of the trials."""

    file: ExperimentFile
    results: Mapping[tuple[str, str], Sequence[TrialResult]]

    @classmethod
    def of(cls, file: ExperimentFile, results: Mapping[str, TrialResult]) -> Table:
        """The table of `results`, which are by the trials' keys."""
        table: defaultdict[tuple[str, str], list[TrialResult]] = defaultdict(list)
        for result in sorted(results.values(), key=lambda one: one.trial.number):
            table[result.trial.item, result.trial.arm].append(result)
        return cls(file, table)

    def values(self, item: Item, arm: str, metric: DeclaredMetric) -> tuple[float, ...] | None:
        """The trials' values; None if the metric does not apply, or a failure has no value.

        A trial that failed counts as a failure whatever it left behind. One that finished without a
        value is one the metric does not apply to: so is its item.
        """
        values: list[float] = []
        for result in self.results[item.id, arm]:
            value = result.values.get(metric.spec.name)
            if result.outcome is not TrialOutcome.FINISHED and metric.failure is not None:
                value = metric.failure
            if value is None:
                return None
            values.append(value)
        return tuple(values)

    def compare(
        self, items: Sequence[Item], metrics: Sequence[DeclaredMetric], design: Design
    ) -> list[Compared]:
        """These metrics of every treatment, not yet adjusted for each other."""
        return [
            self._compared(items, metric, arm, design)
            for arm in self.file.treatments
            for metric in metrics
        ]

    def _compared(
        self, items: Sequence[Item], metric: DeclaredMetric, arm: str, design: Design
    ) -> Compared:
        pairs: list[PairedItem] = []
        counted = 0
        for item in items:
            control = self.values(item, self.file.baseline, metric)
            treatment = self.values(item, arm, metric)
            if control is None or treatment is None:
                continue
            pairs.append(PairedItem(item.id, control, treatment, item.cluster))
            if metric.failure is not None:
                both = (
                    one for each in (self.file.baseline, arm) for one in self.results[item.id, each]
                )
                counted += sum(one.outcome is not TrialOutcome.FINISHED for one in both)
        left_out = len(items) - len(pairs)
        found = Compared(metric.spec.name, arm, metric.primary, left_out=left_out, counted=counted)
        try:
            comparison = compare(pairs, metric.spec, design)
        except StatisticsError as error:
            return replace(found, why_not=str(error))
        return replace(found, concluded=conclude_family([comparison], Correction.HOLM)[0])

    def compare_slices(
        self, items: Sequence[Item], metric: DeclaredMetric, design: Design
    ) -> list[Compared]:
        """A metric of every treatment on each slice, not yet adjusted for each other."""
        alone = replace(design, family=1)
        return [
            replace(one, slice=f"{name}={value}")
            for name in self.file.slices
            for value in sorted({item.slices[name] for item in items if name in item.slices})
            for one in self.compare(
                [item for item in items if item.slices.get(name) == value], [metric], alone
            )
        ]

    def pair_items(
        self, items: Sequence[Item], metric: DeclaredMetric
    ) -> tuple[tuple[ItemPair, ...], tuple[Flip, ...]]:
        """All items with both values, and those on which they differ."""
        pairs: list[ItemPair] = []
        flips: list[Flip] = []
        for item in items:
            for arm in self.file.treatments:
                before = self.values(item, self.file.baseline, metric)
                after = self.values(item, arm, metric)
                if before is None or after is None:
                    continue
                means = fmean(before), fmean(after)
                pairs.append(ItemPair(item.id, arm, *means))
                if PairedItem(item.id, before, after).difference:
                    control = self.results[item.id, self.file.baseline][0].run_dir
                    treatment = self.results[item.id, arm][0].run_dir
                    flips.append(Flip(item.id, arm, *means, control, treatment))
        return tuple(pairs), tuple(flips)


def declared_metrics(file: ExperimentFile) -> list[DeclaredMetric]:
    """The declared metrics, the primary one first."""
    found: list[DeclaredMetric] = []
    for entry in file.metrics.declared:
        ours = METRICS.get(entry.name)
        scale = ours.scale if ours else entry.scale or Scale.NUMERIC
        direction = (ours and ours.direction) or entry.direction or Direction.HIGHER
        failure = entry.failure if entry.failure is not None or ours is None else ours.failure
        spec = MetricSpec(entry.name, scale, direction, entry.margin)
        found.append(DeclaredMetric(spec, failure, entry is file.metrics.primary))
    return found


def conclude_together(
    found: Sequence[Compared], correction: Correction, *, ended: bool
) -> list[Compared]:
    """Adjusted for each other; nothing is concluded before the end."""
    comparisons = [one.concluded.comparison for one in found if one.concluded is not None]
    adjusted = iter(conclude_family(comparisons, correction))
    together: list[Compared] = []
    for one in found:
        concluded = next(adjusted) if one.concluded is not None else None
        if concluded is not None and not ended:
            concluded = replace(concluded, conclusion=Conclusion.INCONCLUSIVE)
        together.append(replace(one, concluded=concluded))
    return together
