"""Which test and interval fit which data, what is concluded, and what is refused."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import pytest
from foureyes import Direction, Scale
from foureyes.base.errors import StatisticsError
from foureyes.datatypes import ArmSummary, Design, Interval, IntervalMethod, Method, MetricSpec
from foureyes.datatypes import ExperimentConclusion as Conclusion
from foureyes.experiments.statistics.comparison import compare, conclude, conclude_family, wilson
from foureyes.experiments.statistics.samples import PairedItem
from unit.experiments.statistics.paired_items import (
    COST,
    QUICK,
    SHARE,
    from_pairs,
    passing,
    quickly,
    single,
)

C = Conclusion
GOLDEN_P, GOLDEN = 0.0002, (-2.666264141760174, -1.1228531477084234)


@dataclass(frozen=True)
class Choice:
    name: str
    items: list[PairedItem]
    metric: MetricSpec
    method: Method
    interval: IntervalMethod


CHOICES = [
    Choice(
        "one binary trial an item",
        single(5, 4, 1, 2),
        SHARE,
        Method.MCNEMAR_EXACT,
        IntervalMethod.NEWCOMBE,
    ),
    Choice(
        "binary trials, several",
        passing(12, 3, seed=1),
        SHARE,
        Method.SIGN_FLIP_EXACT,
        IntervalMethod.CLUSTER_BOOTSTRAP,
    ),
    Choice(
        "one binary trial, but two items share a document",
        [replace(item, cluster="d" * (at < 2)) for at, item in enumerate(single(5, 4, 1, 2))],
        SHARE,
        Method.SIGN_FLIP_EXACT,
        IntervalMethod.CLUSTER_BOOTSTRAP,
    ),
    Choice(
        "more trials in one arm of one item",
        [*single(5, 4, 1, 2), PairedItem("more", (1.0,), (1.0, 0.0))],
        SHARE,
        Method.SIGN_FLIP_EXACT,
        IntervalMethod.CLUSTER_BOOTSTRAP,
    ),
    Choice(
        "numbers that happen to be 0 and 1",
        single(5, 4, 1, 2),
        COST,
        Method.SIGN_FLIP_EXACT,
        IntervalMethod.CLUSTER_BOOTSTRAP,
    ),
    Choice(
        "too many differences to count all signs",
        from_pairs([([0.0], [1.0 + at]) for at in range(31)]),
        COST,
        Method.SIGN_FLIP_DRAWN,
        IntervalMethod.CLUSTER_BOOTSTRAP,
    ),
]


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.name)
def test_the_data_choose_the_test_and_the_interval(choice: Choice) -> None:
    comparison = quickly(choice.items, choice.metric)
    assert (comparison.test.method, comparison.interval_method) == (choice.method, choice.interval)


def test_trials_of_an_item_are_averaged_and_never_counted_as_items() -> None:
    items = passing(20, 2, seed=4, gain=0.5)
    doubled = [
        replace(item, control=item.control * 2, treatment=item.treatment * 2) for item in items
    ]
    one, other = quickly(items, SHARE), quickly(doubled, SHARE)
    assert (other.items, other.difference) == (one.items, one.difference)
    assert (other.test, other.interval) == (one.test, one.interval)


def test_items_of_a_cluster_count_as_one() -> None:
    apart = passing(12, 1, seed=2, gain=0.9)
    copies = [
        replace(item, item=f"{item.item} {copy}", cluster=item.item)
        for item in apart
        for copy in range(5)
    ]
    together = quickly(copies, SHARE)
    assert together.clusters == 12
    assert together.items == 60
    assert together.test.p == quickly(apart, SHARE).test.p


def test_arms_have_intervals_of_their_own() -> None:
    comparison = quickly(single(6, 3, 1, 2), SHARE)
    assert comparison.control == ArmSummary(7 / 12, wilson(7, 12), 12)
    assert comparison.treatment == ArmSummary(9 / 12, wilson(9, 12), 12)


def test_an_arm_of_trials_that_always_agree_is_as_sure_as_its_items() -> None:
    pairs = [([float(at < 7)] * 5, [1.0] * 5) for at in range(10)]
    comparison = quickly(from_pairs(pairs), SHARE)
    assert comparison.treatment == ArmSummary(1.0, wilson(10, 10), 50)
    control = comparison.control.interval
    assert (control.low, control.high) == pytest.approx(
        (wilson(6.3, 9).low, wilson(6.3, 9).high), abs=1e-9
    )


def test_the_same_seed_gives_the_same_figures_on_every_machine() -> None:
    items = from_pairs([([float(at % 7)], [float(at % 5) - 1]) for at in range(40)])
    comparison = compare(items, COST, Design(seed=11))
    assert comparison.test.method is Method.SIGN_FLIP_DRAWN
    assert comparison.test.p == GOLDEN_P
    assert (comparison.interval.low, comparison.interval.high) == pytest.approx(GOLDEN, rel=1e-12)
    other = compare(items, COST, Design(seed=12))
    assert other.interval != comparison.interval


def test_sparse_shares_have_an_end_even_where_no_item_differs() -> None:
    alike = quickly(from_pairs([([1.0] * 5, [1.0] * 5)] * 50), SHARE)
    assert alike.interval.low == -alike.interval.high
    assert 0.02 < alike.interval.high < 0.06


def test_few_items_detect_nothing_and_say_so() -> None:
    for items in (single(2, 1, 1, 1), passing(5, 5, seed=1, gain=0.9)):
        assert quickly(items, SHARE).detectable is None


def test_numbers_that_never_differ_show_no_equivalence() -> None:
    comparison = quickly(from_pairs([([2.0], [2.0])] * 20), replace(COST, margin=1.0))
    assert comparison.interval == Interval(0.0, 0.0, 0.95)
    assert comparison.detectable is None
    [concluded] = conclude_family([comparison])
    assert concluded.conclusion is C.INCONCLUSIVE


OUTCOMES = [
    ("a clear gain", single(10, 15, 1, 4), SHARE, C.BETTER),
    ("a clear loss", single(10, 1, 15, 4), SHARE, C.WORSE),
    ("little data", single(2, 3, 1, 2), SHARE, C.INCONCLUSIVE),
    ("a cost saved", from_pairs([([3.0 + at], [1.0]) for at in range(12)]), COST, C.BETTER),
    ("a cost added", from_pairs([([1.0], [3.0 + at]) for at in range(12)]), COST, C.WORSE),
    (
        "no difference of ten points in many items",
        single(400, 5, 5, 90),
        replace(SHARE, margin=0.1),
        C.EQUIVALENT,
    ),
    (
        "a sure difference smaller than what matters",
        single(400, 15, 1, 84),
        replace(SHARE, margin=0.1),
        C.EQUIVALENT,
    ),
    (
        "a sure difference that matters",
        single(400, 15, 1, 84),
        replace(SHARE, margin=0.02),
        C.BETTER,
    ),
]


@pytest.mark.parametrize(
    ("items", "metric", "expected"),
    [outcome[1:] for outcome in OUTCOMES],
    ids=[outcome[0] for outcome in OUTCOMES],
)
def test_what_is_concluded(
    items: list[PairedItem], metric: MetricSpec, expected: Conclusion
) -> None:
    [concluded] = conclude_family([quickly(items, metric)])
    assert concluded.conclusion is expected


def test_more_metrics_ask_for_more_evidence() -> None:
    gain = quickly(single(10, 10, 2, 4), SHARE)
    nothing = quickly(single(10, 3, 3, 4), SHARE)
    alone = conclude_family([gain])
    among = conclude_family([gain, nothing, nothing])
    assert alone[0].conclusion is C.BETTER
    assert among[0].conclusion is C.INCONCLUSIVE
    assert among[0].adjusted_p == pytest.approx(3 * gain.test.p)


def test_slices_are_held_to_their_rate_of_false_discoveries() -> None:
    slices = [quickly(single(10, gained, 2, 4), SHARE) for gained in (12, 11, 3)]
    p_values = [comparison.test.p for comparison in slices]
    concluded = conclude_family(slices, explored=True)
    assert [one.adjusted_p for one in concluded] == pytest.approx(
        [p_values[1] * 1.5, p_values[1] * 1.5, 1.0]
    )
    assert [one.conclusion for one in concluded] == [C.BETTER, C.BETTER, C.INCONCLUSIVE]


def test_a_family_narrows_what_is_equivalent() -> None:
    metric = replace(SHARE, margin=0.1)
    levels = [
        compare(single(40, 2, 2, 9), metric, Design(family=family)).equivalence for family in (1, 2)
    ]
    assert [level.level for level in levels if level] == pytest.approx([0.9, 0.95])


CASES = [
    (0.01, Interval(0.1, 0.3, 0.95), Direction.HIGHER, C.BETTER),
    (0.01, Interval(0.1, 0.3, 0.95), Direction.LOWER, C.WORSE),
    (0.05, Interval(0.1, 0.3, 0.95), Direction.HIGHER, C.BETTER),
    (0.06, Interval(0.1, 0.3, 0.95), Direction.HIGHER, C.INCONCLUSIVE),
    (0.01, Interval(-0.1, 0.3, 0.95), Direction.HIGHER, C.INCONCLUSIVE),
    (0.01, Interval(0.0, 0.3, 0.95), Direction.HIGHER, C.INCONCLUSIVE),
    (1.00, Interval(-0.3, -0.1, 0.95), Direction.LOWER, C.INCONCLUSIVE),
    (0.01, Interval(-0.3, -0.1, 0.95), Direction.LOWER, C.BETTER),
]


@pytest.mark.parametrize(("p", "interval", "direction", "expected"), CASES)
def test_test_and_interval_must_both_show_a_difference(
    p: float, interval: Interval, direction: Direction, expected: Conclusion
) -> None:
    metric = MetricSpec("a metric", Scale.NUMERIC, direction)
    assert conclude(p, 0.05, interval, metric) is expected


ONE = PairedItem("a", (1.0,), (0.0,))
OTHER = PairedItem("b", (1.0,), (0.0,))
REFUSED: list[tuple[list[PairedItem], MetricSpec, str]] = [
    ([], SHARE, "a comparison needs at least 2 items, and there are 0"),
    ([ONE], SHARE, "a comparison needs at least 2 items, and there are 1"),
    ([ONE, replace(OTHER, control=(math.nan,))], COST, "item 'b' has the value nan in the control"),
    ([ONE, replace(OTHER, treatment=(math.inf,))], COST, "item 'b' has the value inf in the treat"),
    ([ONE, replace(OTHER, control=(0.5,))], SHARE, "item 'b' has the value 0.5 in the control arm"),
    (
        [replace(ONE, cluster="d"), replace(OTHER, cluster="d")],
        SHARE,
        "all 2 items are of one cluster, 'd'",
    ),
]


@pytest.mark.parametrize(("items", "metric", "message"), REFUSED)
def test_what_cannot_be_compared_is_refused_in_one_line(
    items: list[PairedItem], metric: MetricSpec, message: str
) -> None:
    with pytest.raises(StatisticsError) as refused:
        compare(items, metric, QUICK)
    assert message in refused.value.message
    assert refused.value.hint
    assert "\n" not in str(refused.value)
