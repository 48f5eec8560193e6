"""What holds of every comparison, whatever the items."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from statistics import NormalDist

import pytest
from foureyes import Direction, Scale
from foureyes.datatypes import Design, Interval, MetricSpec
from foureyes.datatypes import ExperimentConclusion as Conclusion
from foureyes.experiments.statistics.comparison import conclude, conclude_family
from foureyes.experiments.statistics.paired import (
    benjamini_hochberg,
    holm,
    mcnemar_exact,
    sign_flip,
    wilcoxon,
)
from foureyes.experiments.statistics.power import Spending, holm_factors, looks
from foureyes.experiments.statistics.samples import PairedItem
from hypothesis import given
from hypothesis import strategies as st
from unit.experiments.statistics.paired_items import (
    COST,
    SHARE,
    from_pairs,
    paired_items,
    quickly,
    swapped,
)

BOTH_SCALES = st.sampled_from([SHARE, COST])
SCALED_ITEMS = BOTH_SCALES.flatmap(
    lambda metric: st.tuples(st.just(metric), paired_items(metric.scale))
)
Drawn = tuple[MetricSpec, list[PairedItem]]


def mirrored(interval: Interval) -> Interval:
    return Interval(-interval.high, -interval.low, interval.level)


@given(SCALED_ITEMS)
def test_swapping_the_arms_mirrors_the_comparison(drawn: Drawn) -> None:
    metric, items = drawn
    one, other = quickly(items, metric), quickly(swapped(items), metric)
    assert other.difference == -one.difference
    assert other.interval == mirrored(one.interval)
    assert other.test.p == one.test.p
    assert other.wilcoxon == one.wilcoxon
    assert (other.control, other.treatment) == (one.treatment, one.control)
    assert (other.higher, other.lower) == (one.lower, one.higher)
    assert other.detectable == one.detectable


@given(SCALED_ITEMS, st.randoms(use_true_random=False))
def test_the_order_of_items_and_trials_never_matters(drawn: Drawn, rng: random.Random) -> None:
    metric, items = drawn
    shuffled = [
        replace(
            item,
            control=tuple(rng.sample(item.control, len(item.control))),
            treatment=tuple(rng.sample(item.treatment, len(item.treatment))),
        )
        for item in rng.sample(items, len(items))
    ]
    assert quickly(shuffled, metric) == quickly(items, metric)


@given(SCALED_ITEMS, st.sampled_from([None, 0.01, 0.5, 5.0]))
def test_identical_arms_never_differ(drawn: Drawn, margin: float | None) -> None:
    metric, items = drawn
    alike = [replace(item, treatment=item.control) for item in items]
    comparison = quickly(alike, replace(metric, margin=margin))
    [concluded] = conclude_family([comparison])
    assert comparison.test.p == comparison.wilcoxon.p == concluded.adjusted_p == 1
    assert comparison.difference == 0
    assert concluded.conclusion in (Conclusion.INCONCLUSIVE, Conclusion.EQUIVALENT)
    if margin is None:
        assert concluded.conclusion is Conclusion.INCONCLUSIVE


@given(SCALED_ITEMS)
def test_the_figures_are_possible(drawn: Drawn) -> None:
    metric, items = drawn
    comparison = quickly(items, metric)
    assert 0 < comparison.test.p <= 1
    assert 0 < comparison.wilcoxon.p <= 1
    interval = comparison.interval
    assert -math.inf < interval.low <= comparison.difference <= interval.high < math.inf
    assert comparison.detectable is None or comparison.detectable > 0
    assert comparison.higher + comparison.lower <= comparison.items
    if metric is SHARE:
        assert -1 <= interval.low <= interval.high <= 1
        assert comparison.detectable is None or comparison.detectable <= 1


@given(st.lists(st.tuples(*[st.floats(-1e100, 1e100)] * 4), min_size=2, max_size=9))
def test_numbers_of_any_size_have_an_interval(rows: list[tuple[float, ...]]) -> None:
    comparison = quickly(from_pairs([(row[:2], row[2:]) for row in rows]), COST)
    interval = comparison.interval
    assert -math.inf < interval.low <= comparison.difference <= interval.high < math.inf
    assert 0 < comparison.test.p <= 1


@given(paired_items(Scale.NUMERIC), st.integers(-8, 8))
def test_a_constant_added_to_both_arms_changes_nothing_between_them(
    items: list[PairedItem], constant: int
) -> None:
    moved = [
        replace(
            item,
            control=tuple(value + constant for value in item.control),
            treatment=tuple(value + constant for value in item.treatment),
        )
        for item in items
    ]
    one, other = quickly(items, COST), quickly(moved, COST)
    assert other.test.p == one.test.p
    assert other.wilcoxon.p == one.wilcoxon.p
    same(other.interval, one.interval, 0)
    assert other.control.mean == pytest.approx(one.control.mean + constant)


@given(paired_items(Scale.NUMERIC), st.integers(-8, 8))
def test_a_constant_added_to_one_arm_moves_the_interval(
    items: list[PairedItem], constant: int
) -> None:
    # Clusters are drawn in the order of their totals, which a constant moves by their sizes.
    alone = [replace(item, cluster="") for item in items]
    # Drawing starts from the arm that is ahead, which must not change by the move.
    ahead = 30 if quickly(alone, COST).difference >= 0 else -30
    base, moved = (quickly(raised(alone, ahead + by), COST) for by in (0, constant))
    assert moved.difference == pytest.approx(base.difference + constant)
    same(moved.interval, base.interval, constant)


def raised(items: Sequence[PairedItem], by: float) -> list[PairedItem]:
    return [
        replace(item, treatment=tuple(value + by for value in item.treatment)) for item in items
    ]


def same(one: Interval, other: Interval, moved: float) -> None:
    assert (one.low, one.high) == pytest.approx((other.low + moved, other.high + moved), abs=1e-9)


@given(st.integers(0, 15), st.integers(0, 15), st.integers(0, 30))
def test_sign_flips_of_single_binary_trials_are_the_mcnemar_test(
    gained: int, lost: int, tied: int
) -> None:
    differences = [1.0] * gained + [-1.0] * lost + [0.0] * tied
    assert sign_flip(differences, 0).p == pytest.approx(mcnemar_exact(gained, lost).p)


@given(st.lists(st.integers(-9, 9).filter(bool), min_size=31, max_size=60), st.integers(0, 99))
def test_drawn_signs_come_near_the_counted_ones(differences: list[int], seed: int) -> None:
    drawn = sign_flip(differences, seed, draws=1999).p
    counted = shares_of_sums(differences)
    assert abs(drawn - counted) < 5 * math.sqrt(counted * (1 - counted) / 1999) + 1e-3


def shares_of_sums(differences: Sequence[int]) -> float:
    """The exact p-value of whole numbers, by counting the ways to each sum."""
    ways = {0: 1}
    for difference in differences:
        after: dict[int, int] = {}
        for total, count in ways.items():
            for sign in (difference, -difference):
                after[total + sign] = after.get(total + sign, 0) + count
        ways = after
    reached = abs(sum(differences))
    return sum(count for total, count in ways.items() if abs(total) >= reached) / 2 ** len(
        differences
    )


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=60), st.sampled_from([0.1, 3.0, 1e6]))
def test_the_unit_of_a_metric_never_matters_to_its_tests(
    differences: list[int], unit: float
) -> None:
    scaled = [difference * unit for difference in differences]
    assert sign_flip(scaled, 1, 99).p == sign_flip(differences, 1, 99).p
    assert wilcoxon(scaled).p == wilcoxon(differences).p


P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(P_VALUES)
def test_adjusting_only_raises_and_keeps_the_order(p_values: list[float]) -> None:
    for adjust in (holm, benjamini_hochberg):
        adjusted = adjust(p_values)
        assert all(0 <= p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))
        ranked = sorted(zip(p_values, adjusted, strict=True))
        assert [q for _, q in ranked] == sorted(adjusted)
    strict, lenient = holm(p_values), benjamini_hochberg(p_values)
    assert all(h >= b - 1e-15 for h, b in zip(strict, lenient, strict=True))


INTERVALS = st.tuples(st.floats(-2, 2), st.floats(-2, 2)).map(
    lambda ends: Interval(min(ends), max(ends), 0.95)
)


@given(st.floats(0, 1), INTERVALS, st.sampled_from(Direction), st.floats(0.01, 2))
def test_there_is_always_one_conclusion_and_the_other_direction_turns_it(
    p: float, interval: Interval, direction: Direction, margin: float
) -> None:
    def of(direction: Direction) -> Conclusion:
        metric = MetricSpec("a metric", Scale.NUMERIC, direction, margin)
        return conclude(p, 0.05, interval, metric, interval)

    other = Direction.LOWER if direction is Direction.HIGHER else Direction.HIGHER
    turned = {
        Conclusion.BETTER: Conclusion.WORSE,
        Conclusion.WORSE: Conclusion.BETTER,
        Conclusion.EQUIVALENT: Conclusion.EQUIVALENT,
        Conclusion.INCONCLUSIVE: Conclusion.INCONCLUSIVE,
    }
    assert of(other) is turned[of(direction)]


FRACTIONS = (0.25, 0.5, 0.75, 1.0)


@pytest.mark.parametrize("spending", Spending)
def test_one_look_at_the_end_is_plain_holm(spending: Spending) -> None:
    [factors] = holm_factors((1.0,), spending, 0.05, 3)
    assert factors == pytest.approx((1, 2, 3))
    given = (0.03, 0.001, 0.02)
    assert holm(given, factors) == pytest.approx(holm(given))


@pytest.mark.parametrize("spending", Spending)
def test_the_smallest_p_is_held_against_the_level_of_its_part_of_alpha(spending: Spending) -> None:
    factors = holm_factors(FRACTIONS, spending, 0.05, 4)
    whole, part = looks(FRACTIONS, spending, 0.05), looks(FRACTIONS, spending, 0.05 / 4)
    for at, look in enumerate(whole):
        [adjusted] = holm([part[at].level], (factors[at][3],))
        assert adjusted == pytest.approx(look.level)


@pytest.mark.parametrize("spending", Spending)
def test_a_family_without_any_difference_errs_at_most_as_often_as_told(spending: Spending) -> None:
    levels = [look.level for look in looks(FRACTIONS, spending)]
    factors = holm_factors(FRACTIONS, spending, 0.05, 3)
    rng = random.Random(4)
    erred, repetitions = 0, 4000
    for _ in range(repetitions):
        sums = [0.0, 0.0, 0.0]
        for at, fraction in enumerate(FRACTIONS):
            sums = [one + rng.gauss(0, 0.5) for one in sums]
            p_values = [2 * NormalDist().cdf(-abs(one) / fraction**0.5) for one in sums]
            if min(holm(p_values, factors[at])) <= levels[at]:
                erred += 1
                break
    # Three standard errors above 0.05.
    assert erred / repetitions <= 0.0604


def test_equivalence_has_the_level_of_both_sides_together() -> None:
    assert Design(alpha=0.05, family=2).equivalence_level == pytest.approx(0.95)
    assert Design(alpha=0.05, family=2, equivalence_alpha=0.01).equivalence_level == 0.99
