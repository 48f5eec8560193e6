"""Results and what was declared, to the treatments compared and what may be concluded.

A look is taken at the primary metric before all items are in.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime
from itertools import product
from statistics import fmean

from ..base.errors import InputError, StatisticsError
from .file import ExperimentFile, MetricEntry, Stopping
from .planning import Item, TrialOutcome, TrialResult, digest_of, order_items
from .statistics.comparison import Concluded, Conclusion, compare, conclude_family
from .statistics.power import CLOSEST, holm_factors, looks
from .statistics.samples import Design, MetricSpec, PairedItem

LEAST_LEVEL = 1e-9
"""No experiment is decided at a level below this: so early a look cannot stop it."""
FEWEST_ITEMS = 2


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
        left_out: How many items are complete but have no value, to which the metric does not apply.
        counted: How many trials ended otherwise than finished and count as failures.
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
    """An item that was compared, with a run of each arm.

    `baseline_value` and `treatment_value` are the means over its trials of the primary metric, in
    the metric's unit.
    """

    item: str
    treatment: str
    baseline_value: float
    treatment_value: float
    baseline_run: str
    treatment_run: str


class Table:
    """What was declared, and the results of each item and arm in the order of the trials."""

    def __init__(self, file: ExperimentFile, results: Iterable[TrialResult]) -> None:
        self.file = file
        self.results: defaultdict[tuple[str, str], list[TrialResult]] = defaultdict(list)
        for result in sorted(results, key=lambda one: one.trial.number):
            self.results[result.trial.item, result.trial.arm].append(result)

    def values(self, item: Item, arm: str, metric: MetricEntry) -> tuple[float, ...] | None:
        """The trials' values; None if the metric does not apply, or a failure has no value.

        A trial that failed counts as a failure whatever it left behind. One that finished without a
        value is one the metric does not apply to: so is its item.
        """
        values: list[float] = []
        for result in self.results[item.id, arm]:
            value = result.values.get(metric.name)
            if result.outcome is not TrialOutcome.FINISHED and metric.worst is not None:
                value = metric.worst
            if value is None:
                return None
            values.append(value)
        return tuple(values)

    def compare(
        self, items: Sequence[Item], metrics: Sequence[MetricEntry], design: Design
    ) -> list[Compared]:
        """These metrics of every treatment, not yet adjusted for each other."""
        return [
            self._compared(items, metric, arm, design)
            for arm in self.file.treatments
            for metric in metrics
        ]

    def _compared(
        self, items: Sequence[Item], metric: MetricEntry, arm: str, design: Design
    ) -> Compared:
        pairs = [*self._pairs(items, arm, metric)]
        arms = (self.file.baseline, arm) if metric.worst is not None else ()
        ends = (one for pair in pairs for of in arms for one in self.results[pair.item, of])
        found = Compared(
            metric.name,
            arm,
            metric is self.file.metrics.primary,
            left_out=len(items) - len(pairs),
            counted=sum(one.outcome is not TrialOutcome.FINISHED for one in ends),
        )
        try:
            comparison = compare(pairs, metric.spec, design)
        except StatisticsError as error:
            return replace(found, why_not=str(error))
        return replace(found, concluded=conclude_family([comparison])[0])

    def compare_slices(
        self, items: Sequence[Item], metric: MetricEntry, design: Design
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
        self, items: Sequence[Item], metric: MetricEntry
    ) -> tuple[tuple[ItemPair, ...], tuple[ItemPair, ...]]:
        """All items with both values, and those on which they differ."""
        pairs: list[ItemPair] = []
        flips: list[ItemPair] = []
        for item, arm in product(items, self.file.treatments):
            for one in self._pairs([item], arm, metric):
                runs = (self.results[one.item, of][0].run_dir for of in (self.file.baseline, arm))
                means = fmean(one.control), fmean(one.treatment)
                pairs.append(ItemPair(one.item, arm, *means, *runs))
                if one.difference:
                    flips.append(pairs[-1])
        return tuple(pairs), tuple(flips)

    def _pairs(self, items: Sequence[Item], arm: str, metric: MetricEntry) -> Iterator[PairedItem]:
        """The items that have values in both arms."""
        for item in items:
            control = self.values(item, self.file.baseline, metric)
            treatment = self.values(item, arm, metric)
            if control is not None and treatment is not None:
                yield PairedItem(item.id, control, treatment, item.cluster)


def conclude_together(
    found: Sequence[Compared], *, ended: bool, explored: bool = False
) -> list[Compared]:
    """Adjusted for each other; nothing is concluded before the end."""
    comparisons = [one.concluded.comparison for one in found if one.concluded is not None]
    adjusted = conclude_family(comparisons, explored=explored)
    if not ended:
        adjusted = [replace(one, conclusion=Conclusion.INCONCLUSIVE) for one in adjusted]
    following = iter(adjusted)
    return [replace(one, concluded=one.concluded and next(following)) for one in found]


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """One arm: how its trials ended and what they used.

    `finished`, `inconclusive` and `errors` count the trials that ended so, `missing` those that
    have not ended. `cost_usd` is the sum of their costs in dollars, None if one is unknown,
    `tokens` that of the tokens read and written, `seconds` that of their wall times.
    """

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
    """A reason for which trials of an arm did not finish, and how many of them.

    `trials` counts those of them that ended for that reason.
    """

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
        items: How many items there are.
        complete: How many there are whose trials have all ended; only they are compared.
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
    flips: tuple[ItemPair, ...]
    conclusion: Conclusion
    note: str = ""
    _: KW_ONLY
    primary: MetricSpec
    design: Design
    pairs: tuple[ItemPair, ...] = ()
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
    table, looks = Table(file, results.values()), planned_looks(file, items)
    primary, *others = file.metrics.declared
    complete = [
        item
        for item in items
        if all(len(table.results[item.id, arm]) == file.trials for arm in file.variants)
    ]
    ids = frozenset(item.id for item in complete)
    done: list[TakenLook] = []
    stopped = False
    # A look sees its own items alone, whatever else has ended by then.
    for look in looks[:-1]:
        if stopped or not ids.issuperset(look.items):
            break
        done.append(take_look(table, items, look))
        stopped = done[-1].stops
    look = looks[len(done) - 1 if stopped else -1]
    ended = stopped or len(complete) == len(items)
    seen = look.seen(items) if stopped else complete
    # The primary metric is adjusted by itself, the others for each other.
    decided = conclude_together(table.compare(seen, [primary], look.design), ended=ended)
    beside = conclude_together(table.compare(seen, others, look.secondary), ended=ended)
    if ended and not stopped:
        done.append(_recorded(look, _decisions(decided)))
    slices = table.compare_slices(seen, primary, look.design)
    pairs, flips = table.pair_items(seen, primary)
    return Analysis(
        file.name,
        file.baseline,
        len(items),
        len(complete),
        tuple(_arm(arm, table, items) for arm in file.variants),
        tuple(sorted([*decided, *beside], key=lambda one: file.treatments.index(one.treatment))),
        tuple(conclude_together(slices, ended=ended, explored=True)),
        flips,
        _overall(decided),
        "" if ended else f"only {len(complete)} of {len(items)} items are complete",
        primary=primary.spec,
        design=look.design,
        pairs=pairs,
        failures=_failures_of(results.values()),
        looks=tuple(done) if file.stopping is not None else (),
    )


def take_look(table: Table, items: Sequence[Item], look: PlannedLook) -> TakenLook:
    """Look at the primary metric of each treatment, whatever other metrics are declared."""
    primary = table.compare(look.seen(items), [table.file.metrics.primary], look.design)
    if look.before_end and all(_conclusion(one) is Conclusion.INCONCLUSIVE for one in primary):
        return _recorded(look, [replace(one, adjusted_p=None) for one in _decisions(primary)])
    return _recorded(look, _decisions(conclude_together(primary, ended=True)))


def _recorded(look: PlannedLook, decisions: Sequence[LookDecision]) -> TakenLook:
    """A look as taken. It stops if the primary metric is decided for every treatment."""
    decided = all(one.conclusion is not Conclusion.INCONCLUSIVE for one in decisions)
    return TakenLook(
        look.number,
        look.of,
        look.fraction,
        len(look.items),
        look.digest,
        look.design.alpha,
        decisions=tuple(decisions),
        stops=look.before_end and decided,
    )


def _conclusion(one: Compared) -> Conclusion:
    return one.concluded.conclusion if one.concluded else Conclusion.INCONCLUSIVE


def _decisions(primary: Sequence[Compared]) -> list[LookDecision]:
    """The primary metric of each treatment at a look."""
    return [
        LookDecision(one.treatment, None, None, None, Conclusion.INCONCLUSIVE)
        if one.concluded is None
        else LookDecision(
            one.treatment,
            one.concluded.comparison.test.p,
            one.concluded.adjusted_p,
            one.concluded.comparison.difference,
            one.concluded.conclusion,
        )
        for one in primary
    ]


def _arm(arm: str, table: Table, items: Sequence[Item]) -> ArmFigures:
    results = [one for item in items for one in table.results[item.id, arm]]
    ends = Counter(one.outcome for one in results)
    costs = [one.cost_usd for one in results if one.cost_usd is not None]
    return ArmFigures(
        arm,
        ends[TrialOutcome.FINISHED],
        ends[TrialOutcome.INCONCLUSIVE],
        ends[TrialOutcome.ERROR],
        len(items) * table.file.trials - len(results),
        sum(costs) if len(costs) == len(results) else None,
        sum(one.tokens_in + one.tokens_out for one in results),
        sum(one.seconds for one in results),
    )


def _overall(primary: Sequence[Compared]) -> Conclusion:
    """WORSE if any treatment is, else BETTER if any is, EQUIVALENT if all are."""
    found = {_conclusion(one) for one in primary}
    if len(found) == 1:
        return found.pop()
    decided = (one for one in (Conclusion.WORSE, Conclusion.BETTER) if one in found)
    return next(decided, Conclusion.INCONCLUSIVE)


def _failures_of(results: Iterable[TrialResult]) -> tuple[Failure, ...]:
    """The reasons in `results`, those of most trials first."""
    counted = Counter(
        (one.trial.arm, one.outcome, one.error or one.status or "")
        for one in results
        if one.outcome is not TrialOutcome.FINISHED
    )
    ordered = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Failure(*why, count) for why, count in ordered)


@dataclass(frozen=True, slots=True)
class PlannedLook:
    """A look as it follows from the file and the items, before there is any result.

    Args:
        number: From 1; the last is that at the end.
        of: How many looks there are.
        fraction: The share (0–1) of the planned items that it sees.
        items: The ids of those, the first of the plan's order.
        design: How it judges the primary metric; `alpha` is its level.
        secondary: How it judges the other metrics.
    """

    number: int
    of: int
    fraction: float
    items: tuple[str, ...]
    design: Design
    secondary: Design

    @property
    def before_end(self) -> bool:
        """Whether items are left."""
        return self.number < self.of

    @property
    def digest(self) -> str:
        """The hash of the ids that it sees."""
        return digest_of(*self.items)[:16]

    def seen(self, items: Sequence[Item]) -> list[Item]:
        """Those of `items` that it sees, as they are ordered."""
        names = frozenset(self.items)
        return [item for item in items if item.id in names]


@dataclass(frozen=True, slots=True)
class LookDecision:
    """The primary metric of one treatment at a look.

    `p` is the two-sided p-value, above 0 and at most 1, `adjusted_p` the same adjusted for the
    family, `difference` that of the means, treatment minus baseline, in the metric's unit. They are
    None where nothing could be compared, `adjusted_p` as well where `p` by itself decides nothing.
    """

    treatment: str
    p: float | None
    adjusted_p: float | None
    difference: float | None
    conclusion: Conclusion


@dataclass(frozen=True, slots=True)
class TakenLook:
    """A look that was taken.

    Args:
        number: From 1.
        of: How many looks there are, with that at the end.
        fraction: The share (0–1) of the planned items that it saw.
        items: How many those are.
        seen: The hash of their ids.
        level: What p and one minus the level of the interval were held against.
        decisions: The primary metric, a treatment each.
        stops: Whether it ended the experiment before its end.
    """

    number: int
    of: int
    fraction: float
    items: int
    seen: str
    level: float
    _: KW_ONLY
    decisions: tuple[LookDecision, ...]
    stops: bool


@dataclass(frozen=True, slots=True)
class LookRecord:
    """A line of `looks.jsonl`: a look and when it was taken."""

    at: datetime
    look: TakenLook


def planned_looks(file: ExperimentFile, items: Sequence[Item]) -> tuple[PlannedLook, ...]:
    """Every look of an experiment, that at the end last; only that one where no other is declared.

    Args:
        file: What was declared.
        items: How many items there are.

    Raises:
        InputError: A look cannot be taken of so many items, or could never stop.
    """
    order, stopping, treatments = order_items(file.seed, items), file.stopping, len(file.treatments)
    counts = [*(_counts(stopping, order) if stopping else ()), len(order)]
    # What answers the question is adjusted for treatments, never for other metrics.
    designs = _designs(file, counts, treatments)
    first = next(at for at, one in enumerate(designs) if one.alpha >= LEAST_LEVEL)
    if first and stopping and stopping.every is None:
        raise InputError(
            f"stopping.looks: a look at {counts[0] / len(order):g} of the items could never stop "
            f"with {stopping.spending} spending",
            "look later, or spend as pocock does",
        )
    if first:
        counts = counts[first:]
        designs = _designs(file, counts, treatments)
    others = _designs(file, counts, max(1, len(file.metrics.secondary) * treatments))
    return tuple(
        PlannedLook(
            at + 1,
            len(counts),
            count / len(order),
            tuple(item.id for item in order[:count]),
            designs[at],
            others[at],
        )
        for at, count in enumerate(counts)
    )


def _counts(stopping: Stopping, order: Sequence[Item]) -> list[int]:
    """How many items each look before the end sees; items of one cluster are seen together."""
    total = len(order)
    if stopping.every is not None:
        # One so near the end would tell what the end tells.
        asked = range(stopping.every, math.floor(total * (1 - CLOSEST)) + 1, stopping.every)
    else:
        # The addend is for shares such as 0.7, which no float is.
        asked = [math.ceil(share * total - 1e-9) for share in stopping.looks]
    counts = [_whole(count, order) for count in asked]
    if stopping.every is not None:
        counts = [count for count in dict.fromkeys(counts) if FEWEST_ITEMS <= count < total]
    for before, count in zip([0, *counts], [*counts, total], strict=False):
        if count < FEWEST_ITEMS or (count - before) / total < CLOSEST - 1e-9:
            raise InputError(
                f"stopping: a look at {count} of {total} items after one at {before}",
                f"looks see {FEWEST_ITEMS} items or more, and are at least {CLOSEST:g} of all "
                "items apart",
            )
    return counts


def _whole(count: int, order: Sequence[Item]) -> int:
    while 0 < count < len(order) and order[count].cluster == order[count - 1].cluster != "":
        count += 1
    return count


def _designs(file: ExperimentFile, counts: Sequence[int], family: int) -> list[Design]:
    """How looks that see so many items, the last of them all, judge a family of comparisons."""
    design = Design(alpha=file.alpha, power=file.power, family=family, seed=file.seed)
    if file.stopping is None:
        return [design]
    fractions = tuple(count / counts[-1] for count in counts)
    spending = file.stopping.spending
    levels = looks(fractions, spending, file.alpha)
    factors = holm_factors(fractions, spending, file.alpha, family)
    of_equivalence = looks(fractions, spending, 2 * file.alpha / family)
    return [
        replace(
            design,
            alpha=look.level,
            # An interval at the level 1 is none.
            equivalence_alpha=max(of_both.level, LEAST_LEVEL),
            factors=times,
        )
        for look, of_both, times in zip(levels, of_equivalence, factors, strict=True)
    ]
