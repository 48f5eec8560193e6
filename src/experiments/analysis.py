"""Results and what was declared, to what may be concluded."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from statistics import fmean

from ..base.errors import StatisticsError
from .failures import Failure, failures_of
from .file import ExperimentFile, MetricEntry
from .frontier import ArmPoint, Frontier, frontier
from .looks import LookDecision, PlannedLook, TakenLook, before_end, planned_looks, taken
from .metrics import METRICS
from .planning import Item
from .statistics.comparison import Comparison, Concluded, compare, conclude_family
from .statistics.conclusion import Conclusion
from .statistics.design import Design, MetricSpec
from .statistics.multiplicity import Correction
from .statistics.samples import Direction, PairedItem, Scale
from .trials import TrialOutcome, TrialResult


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """One arm: how its trials ended and what they used. Cost is None for an unknown price."""

    arm: str
    finished: int
    inconclusive: int
    errors: int
    missing: int
    cost_usd: float | None
    tokens: int
    seconds: float


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
class Analysis:
    """What an experiment showed.

    Args:
        name: The experiment.
        baseline: Its control arm.
        items: All items.
        complete: Those whose trials have all ended; only they are compared.
        arms: Each arm by itself.
        declared: Every treatment on every declared metric, adjusted by Holm together.
        slices: The primary metric on slices, adjusted by Benjamini and Hochberg together.
        flips: The items on which the primary metric differs.
        conclusion: On the primary metric, over all treatments.
        note: What limits the conclusion; "" for nothing.
        primary: The primary metric as it was declared.
        design: The level, the power, and how many comparisons are declared.
        pairs: Every item that was compared on the primary metric, with each treatment.
        frontier: What each arm reaches on the primary metric, and at what expense; None if there
            is no item that all arms have a value for, or neither cost nor time is known.
        failures: Why trials did not finish.
        looks: Those taken, where looks before the end are declared. If the last one stops the
            experiment its items are those that are compared, and no others.
    """

    name: str
    baseline: str
    items: int
    complete: int
    arms: tuple[ArmFigures, ...]
    declared: tuple[Compared, ...]
    slices: tuple[Compared, ...]
    flips: tuple[Flip, ...]
    conclusion: Conclusion
    note: str = ""
    _: KW_ONLY
    primary: MetricSpec
    design: Design
    pairs: tuple[ItemPair, ...] = ()
    frontier: Frontier | None = None
    failures: tuple[Failure, ...] = ()
    looks: tuple[TakenLook, ...] = ()


@dataclass(frozen=True, slots=True)
class _Metric:
    """A declared metric with all that is known of it."""

    entry: MetricEntry
    spec: MetricSpec
    failure: float | None
    primary: bool


Table = Mapping[tuple[str, str], Sequence[TrialResult]]
"""The results of each item and arm, in the order of the trials."""


def analyse(
    file: ExperimentFile, items: Sequence[Item], results: Mapping[str, TrialResult]
) -> Analysis:
    """Compare each variant with the baseline.

    While trials are missing nothing but INCONCLUSIVE is concluded: a look before the end at the
    level of the end finds differences that are not there.

    Args:
        file: What was declared.
        items: The items.
        results: By the trials' keys.
    """
    table = _table(results)
    complete = [
        item
        for item in items
        if all(len(table[item.id, arm]) == file.trials for arm in file.variants)
    ]
    metrics, looks = _metrics(file), planned_looks(file, items)

    def decided(look: PlannedLook) -> tuple[LookDecision, ...]:
        return look_at(file, items, results, look)

    done = before_end(looks, frozenset(item.id for item in complete), decided)
    stopped = bool(done) and done[-1].stops
    look = looks[len(done) - 1 if stopped else -1]
    ended = stopped or len(complete) == len(items)
    seen = look.seen(items) if stopped else complete
    found = _declared(file, table, seen, metrics, look.design)
    concluded = _concluded(found, Correction.HOLM, ended=ended)
    if ended and not stopped:
        done = (*done, taken(look, _decisions(concluded)))
    slices = _concluded(
        list(_by_slice(file, table, seen, metrics[0], look.design)),
        Correction.BENJAMINI_HOCHBERG,
        ended=ended,
    )
    pairs, flips = _pairs(file, table, seen, metrics[0])
    return Analysis(
        file.name,
        file.baseline,
        len(items),
        len(complete),
        tuple(_arm(arm, table, items, file.trials) for arm in file.variants),
        concluded,
        slices,
        flips,
        _overall([one for one in concluded if one.primary]),
        "" if ended else f"only {len(complete)} of {len(items)} items are complete",
        primary=metrics[0].spec,
        design=look.design,
        pairs=pairs,
        frontier=_frontier(file, table, seen, metrics[0]),
        failures=failures_of(results.values()),
        looks=done if file.stopping is not None else (),
    )


def look_at(
    file: ExperimentFile,
    items: Sequence[Item],
    results: Mapping[str, TrialResult],
    look: PlannedLook,
) -> tuple[LookDecision, ...]:
    """The primary metric of each treatment at a look.

    The other metrics are compared, too, where their number matters: not if the primary one is
    undecided even by itself.
    """
    table, metrics, seen = _table(results), _metrics(file), look.seen(items)
    primary = _declared(file, table, seen, metrics[:1], look.design)
    if look.before_end and all(_is_undecided(one) for one in primary):
        return tuple(replace(one, adjusted_p=None) for one in _decisions(primary))
    declared = _declared(file, table, seen, metrics, look.design)
    return _decisions(_concluded(declared, Correction.HOLM, ended=True))


def _is_undecided(one: Compared) -> bool:
    return one.concluded is None or one.concluded.conclusion is Conclusion.INCONCLUSIVE


def _table(results: Mapping[str, TrialResult]) -> Table:
    table: defaultdict[tuple[str, str], list[TrialResult]] = defaultdict(list)
    for result in sorted(results.values(), key=lambda one: one.trial.number):
        table[result.trial.item, result.trial.arm].append(result)
    return table


def _declared(
    file: ExperimentFile,
    table: Table,
    items: Sequence[Item],
    metrics: Sequence[_Metric],
    design: Design,
) -> list[Compared]:
    """These metrics of every treatment, not yet adjusted for each other."""
    return [
        _compared(file, table, items, metric, arm, design)
        for arm in file.treatments
        for metric in metrics
    ]


def _decisions(declared: Sequence[Compared]) -> tuple[LookDecision, ...]:
    """The primary metric of each treatment, as a look tells of it."""
    return tuple(
        LookDecision(one.treatment, None, None, None, Conclusion.INCONCLUSIVE)
        if one.concluded is None
        else LookDecision(
            one.treatment,
            one.concluded.comparison.test.p,
            one.concluded.adjusted_p,
            one.concluded.comparison.difference,
            one.concluded.conclusion,
        )
        for one in declared
        if one.primary
    )


def _metrics(file: ExperimentFile) -> list[_Metric]:
    found: list[_Metric] = []
    for entry in file.metrics.declared:
        ours = METRICS.get(entry.name)
        scale = ours.scale if ours else entry.scale or Scale.NUMERIC
        direction = (ours and ours.direction) or entry.direction or Direction.HIGHER
        failure = entry.failure if entry.failure is not None or ours is None else ours.failure
        spec = MetricSpec(entry.name, scale, direction, entry.margin)
        found.append(_Metric(entry, spec, failure, entry is file.metrics.primary))
    return found


def _compared(
    file: ExperimentFile,
    table: Table,
    items: Sequence[Item],
    metric: _Metric,
    arm: str,
    design: Design,
) -> Compared:
    """One metric of one treatment, not yet adjusted for the others."""
    pairs: list[PairedItem] = []
    left_out = counted = 0
    for item in items:
        both = [table[item.id, file.baseline], table[item.id, arm]]
        given = [_values(results, metric) for results in both]
        if given[0] is None or given[1] is None:
            left_out += 1
            continue
        if metric.failure is not None:
            ends = (one.outcome for results in both for one in results)
            counted += sum(end is not TrialOutcome.FINISHED for end in ends)
        pairs.append(PairedItem(item.id, given[0], given[1], item.cluster))
    found = Compared(metric.entry.name, arm, metric.primary, left_out=left_out, counted=counted)
    try:
        comparison = compare(pairs, metric.spec, design)
    except StatisticsError as error:
        return replace(found, why_not=str(error))
    return replace(found, concluded=_alone(comparison))


def _alone(comparison: Comparison) -> Concluded:
    return conclude_family([comparison], Correction.HOLM)[0]


def _values(results: Sequence[TrialResult], metric: _Metric) -> tuple[float, ...] | None:
    """The trials' values; None if the metric does not apply, or a failure has no value.

    A trial that failed counts as a failure whatever it left behind. One that finished without a
    value is one the metric does not apply to: so is its item.
    """
    values: list[float] = []
    for result in results:
        value = result.values.get(metric.entry.name)
        if result.outcome is not TrialOutcome.FINISHED:
            value = metric.failure if metric.failure is not None else value
        if value is None:
            return None
        values.append(value)
    return tuple(values)


def _concluded(
    found: Sequence[Compared], correction: Correction, *, ended: bool
) -> tuple[Compared, ...]:
    """Adjusted for each other; nothing is concluded before the end."""
    comparisons = [one.concluded.comparison for one in found if one.concluded is not None]
    adjusted = iter(conclude_family(comparisons, correction))
    told: list[Compared] = []
    for one in found:
        concluded = next(adjusted) if one.concluded is not None else None
        if concluded is not None and not ended:
            concluded = replace(concluded, conclusion=Conclusion.INCONCLUSIVE)
        told.append(replace(one, concluded=concluded))
    return tuple(told)


def _by_slice(
    file: ExperimentFile, table: Table, items: Sequence[Item], metric: _Metric, design: Design
) -> Sequence[Compared]:
    found: list[Compared] = []
    for name in file.slices:
        for value in sorted({item.slices[name] for item in items if name in item.slices}):
            those = [item for item in items if item.slices.get(name) == value]
            for arm in file.treatments:
                one = _compared(file, table, those, metric, arm, replace(design, family=1))
                found.append(replace(one, slice=f"{name}={value}"))
    return found


def _pairs(
    file: ExperimentFile, table: Table, items: Sequence[Item], metric: _Metric
) -> tuple[tuple[ItemPair, ...], tuple[Flip, ...]]:
    """All items with both values, and those on which they differ."""
    pairs: list[ItemPair] = []
    flips: list[Flip] = []
    for item in items:
        for arm in file.treatments:
            control, treatment = table[item.id, file.baseline], table[item.id, arm]
            before, after = _values(control, metric), _values(treatment, metric)
            if before is None or after is None:
                continue
            means = fmean(before), fmean(after)
            pairs.append(ItemPair(item.id, arm, *means))
            if PairedItem(item.id, before, after).difference:
                runs = control[0].run_dir, treatment[0].run_dir
                flips.append(Flip(item.id, arm, *means, *runs))
    return tuple(pairs), tuple(flips)


def _frontier(
    file: ExperimentFile, table: Table, items: Sequence[Item], metric: _Metric
) -> Frontier | None:
    """Every arm on the items that all arms have a value for."""
    points = {arm: list[float]() for arm in file.variants}
    shared: list[Item] = []
    for item in items:
        given = [_values(table[item.id, arm], metric) for arm in file.variants]
        if any(values is None for values in given):
            continue
        shared.append(item)
        for arm, values in zip(file.variants, given, strict=True):
            points[arm].append(fmean(values or ()))
    if not shared:
        return None
    return frontier(
        [_point(arm, fmean(points[arm]), shared, table) for arm in file.variants],
        metric.spec.direction,
    )


def _point(arm: str, value: float, items: Sequence[Item], table: Table) -> ArmPoint:
    results = [one for item in items for one in table[item.id, arm]]
    costs = [one.cost_usd for one in results if one.cost_usd is not None]
    return ArmPoint(
        arm,
        value,
        fmean(costs) if len(costs) == len(results) else None,
        fmean(one.seconds for one in results),
    )


def _arm(arm: str, table: Table, items: Sequence[Item], trials: int) -> ArmFigures:
    results = [one for item in items for one in table[item.id, arm]]
    ends = Counter(one.outcome for one in results)
    costs = [one.cost_usd for one in results]
    return ArmFigures(
        arm,
        ends[TrialOutcome.FINISHED],
        ends[TrialOutcome.INCONCLUSIVE],
        ends[TrialOutcome.ERROR],
        len(items) * trials - len(results),
        None if None in costs else sum(cost for cost in costs if cost is not None),
        sum(one.tokens_in + one.tokens_out for one in results),
        sum(one.seconds for one in results),
    )


def _overall(primary: Sequence[Compared]) -> Conclusion:
    """WORSE if any treatment is, else BETTER if any is, EQUIVALENT if all are."""
    found = [
        one.concluded.conclusion if one.concluded else Conclusion.INCONCLUSIVE for one in primary
    ]
    for conclusion in (Conclusion.WORSE, Conclusion.BETTER):
        if conclusion in found:
            return conclusion
    return (
        Conclusion.EQUIVALENT
        if set(found) == {Conclusion.EQUIVALENT}
        else (Conclusion.INCONCLUSIVE)
    )
