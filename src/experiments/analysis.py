"""Results and what was declared, to what may be concluded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum
from statistics import fmean

from .file import ExperimentFile
from .looks import LookDecision, PlannedLook, TakenLook, before_end, planned_looks, taken
from .planning import Item
from .statistics.comparison import Conclusion
from .statistics.paired import Correction
from .statistics.samples import Design, Direction, MetricSpec
from .treatments import (
    Compared,
    Flip,
    ItemPair,
    Measured,
    Table,
    by_item_and_arm,
    by_slice,
    compare_declared,
    conclude_together,
    measured,
    paired_items,
    values_of,
)
from .trials import TrialOutcome, TrialResult


class Expense(StrEnum):
    """An expense of a trial."""

    COST = "cost_usd"
    SECONDS = "seconds"


@dataclass(frozen=True, slots=True)
class ArmPoint:
    """An arm: the mean of the primary metric, and the mean cost and seconds of its trials.

    Cost is None for an unknown price.
    """

    arm: str
    value: float
    cost_usd: float | None
    seconds: float


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """An arm: what it reaches, and at what expense.

    `front` is whether no other arm is better in one of the two and no worse in the other.
    """

    arm: str
    value: float
    expense: float
    front: bool


@dataclass(frozen=True, slots=True)
class Frontier:
    """All arms on the same items.

    Args:
        expense: What expenses are: dollars a trial, or seconds.
        why: Why they are no dollars; "" if they are.
        points: The arms.
    """

    expense: Expense
    why: str
    points: tuple[FrontierPoint, ...]


def frontier(arms: Sequence[ArmPoint], direction: Direction) -> Frontier | None:
    """The Pareto front of `arms`; None if neither cost nor time is known of any of them.

    Args:
        arms: What is known of each.
        direction: Which values of the primary metric are good.
    """
    costs = [one.cost_usd for one in arms if one.cost_usd is not None]
    if len(costs) == len(arms) and any(costs):
        return _front(arms, costs, direction, Expense.COST, "")
    seconds = [one.seconds for one in arms]
    if not any(seconds):
        return None
    paid = "nothing was paid" if len(costs) == len(arms) else "the price of a model is not known"
    return _front(arms, seconds, direction, Expense.SECONDS, paid)


def _front(
    arms: Sequence[ArmPoint],
    expenses: Sequence[float],
    direction: Direction,
    expense: Expense,
    why: str,
) -> Frontier:
    sign = 1 if direction is Direction.HIGHER else -1
    both = [(sign * one.value, -each) for one, each in zip(arms, expenses, strict=True)]
    return Frontier(
        expense,
        why,
        tuple(
            FrontierPoint(one.arm, one.value, each, not any(_beats(other, mine) for other in both))
            for one, each, mine in zip(arms, expenses, both, strict=True)
        ),
    )


def _beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] >= other[0] and one[1] >= other[1] and one != other


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
class Failure:
    """A reason for which trials of an arm did not finish, and how many of them."""

    arm: str
    outcome: TrialOutcome
    reason: str
    trials: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """Result of the analysis of an experiment.

    Args:
        name: The experiment.
        baseline: Its control arm.
        items: All items.
        complete: Those whose trials have all ended; only they are compared.
        arms: Each arm by itself.
        declared: Every treatment on every declared metric. The primary metric is adjusted by Holm
            for its treatments alone, the others together.
        slices: The primary metric on slices, adjusted by Benjamini and Hochberg together.
        flips: The items on which the primary metric differs.
        conclusion: On the primary metric, over all treatments.
        note: What limits the conclusion; "" for nothing.
        primary: The primary metric as it was declared.
        design: The level, the power, and how many comparisons the primary metric makes.
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
    table = by_item_and_arm(results)
    complete = [
        item
        for item in items
        if all(len(table[item.id, arm]) == file.trials for arm in file.variants)
    ]
    metrics, looks = measured(file), planned_looks(file, items)

    def decided(look: PlannedLook) -> tuple[LookDecision, ...]:
        return look_at(file, items, results, look)

    done = before_end(looks, frozenset(item.id for item in complete), decided)
    stopped = bool(done) and done[-1].stops
    look = looks[len(done) - 1 if stopped else -1]
    ended = stopped or len(complete) == len(items)
    seen = look.seen(items) if stopped else complete
    concluded = _concluded(file, table, seen, metrics, look, ended=ended)
    if ended and not stopped:
        done = (*done, taken(look, _decisions(concluded)))
    slices = conclude_together(
        list(by_slice(file, table, seen, metrics[0], look.design)),
        Correction.BENJAMINI_HOCHBERG,
        ended=ended,
    )
    pairs, flips = paired_items(file, table, seen, metrics[0])
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
        failures=_failures_of(results.values()),
        looks=done if file.stopping is not None else (),
    )


def look_at(
    file: ExperimentFile,
    items: Sequence[Item],
    results: Mapping[str, TrialResult],
    look: PlannedLook,
) -> tuple[LookDecision, ...]:
    """The primary metric of each treatment at a look, whatever other metrics are declared."""
    table, metrics, seen = by_item_and_arm(results), measured(file), look.seen(items)
    primary = compare_declared(file, table, seen, metrics[:1], look.design)
    if look.before_end and all(_is_undecided(one) for one in primary):
        return tuple(replace(one, adjusted_p=None) for one in _decisions(primary))
    return _decisions(conclude_together(primary, Correction.HOLM, ended=True))


def _concluded(
    file: ExperimentFile,
    table: Table,
    items: Sequence[Item],
    metrics: Sequence[Measured],
    look: PlannedLook,
    *,
    ended: bool,
) -> tuple[Compared, ...]:
    """Every treatment on every metric: the primary one by itself, the others for each other."""
    families = ((metrics[:1], look.design), (metrics[1:], look.secondary))
    found = [
        one
        for family, design in families
        for one in conclude_together(
            compare_declared(file, table, items, family, design), Correction.HOLM, ended=ended
        )
    ]
    return tuple(sorted(found, key=lambda one: file.treatments.index(one.treatment)))


def _is_undecided(one: Compared) -> bool:
    return one.concluded is None or one.concluded.conclusion is Conclusion.INCONCLUSIVE


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


def _frontier(
    file: ExperimentFile, table: Table, items: Sequence[Item], metric: Measured
) -> Frontier | None:
    """Every arm on the items that all arms have a value for."""
    points = {arm: list[float]() for arm in file.variants}
    shared: list[Item] = []
    for item in items:
        given = [values_of(table[item.id, arm], metric) for arm in file.variants]
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


def _failures_of(results: Iterable[TrialResult]) -> tuple[Failure, ...]:
    """The reasons in `results`, those of most trials first."""
    counted = Counter(
        (one.trial.arm, one.outcome, one.error or one.status or "")
        for one in results
        if one.outcome is not TrialOutcome.FINISHED
    )
    ordered = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Failure(*why, count) for why, count in ordered)
