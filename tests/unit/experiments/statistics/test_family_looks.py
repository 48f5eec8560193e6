"""Several tests at several looks: together they err as often as one test at one look."""

from __future__ import annotations

import random
from statistics import NormalDist

import pytest
from foureyes.datatypes import Design
from foureyes.experiments.statistics.paired import holm
from foureyes.experiments.statistics.power import Spending, holm_factors, looks

FRACTIONS = (0.25, 0.5, 0.75, 1.0)


@pytest.mark.parametrize("spending", Spending)
def test_one_look_at_the_end_is_plain_holm(spending: Spending) -> None:
    [factors] = holm_factors([1.0], spending, 0.05, 3)
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
