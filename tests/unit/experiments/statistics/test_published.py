"""Worked examples and tables from the literature."""

from __future__ import annotations

from itertools import pairwise

import pytest
from foureyes.experiments.metrics import krippendorff_alpha
from foureyes.experiments.statistics.comparison import PairedTable, newcombe, wilson
from foureyes.experiments.statistics.power import (
    Spending,
    items_needed,
    looks,
    mcnemar_detectable,
    mcnemar_items_needed,
    mcnemar_power,
    spent,
)

FIFTHS = (0.2, 0.4, 0.6, 0.8, 1.0)


@pytest.mark.parametrize(
    ("table", "low", "high"),
    [
        # Newcombe (1998), Stat. Med. 17, table II.
        (PairedTable(36, 12, 2, 0), 0.0569, 0.3404),
        # Altman et al. (2000), Statistics with Confidence, table 6.2.
        (PairedTable(14, 5, 0, 22), 0.011, 0.226),
    ],
)
def test_newcombe_intervals_are_the_published_ones(
    table: PairedTable, low: float, high: float
) -> None:
    interval = newcombe(table)
    digits = 5e-5 if low == 0.0569 else 6e-4
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=digits)


def test_wilson_intervals_are_the_published_ones() -> None:
    # Newcombe (1998), Stat. Med. 17, 857-872, table I, method 3.
    for hits, n, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605)):
        interval = wilson(hits, n)
        assert (interval.low, interval.high) == pytest.approx((low, high), abs=5e-5)
    assert (wilson(0, 20).low, wilson(20, 20).high) == (0.0, 1.0)
    assert wilson(0, 20).high == pytest.approx(0.1611, abs=5e-5)


@pytest.mark.parametrize(
    ("spending", "boundaries"),
    [
        # Reboussin et al. (2000), programs for Lan-DeMets boundaries, five equal looks.
        (Spending.OBRIEN_FLEMING, (4.8769, 3.3569, 2.6803, 2.2898, 2.0310)),
        (Spending.POCOCK, (2.4380, 2.4268, 2.4101, 2.3966, 2.3859)),
    ],
)
def test_spending_boundaries_are_the_published_ones(
    spending: Spending, boundaries: tuple[float, ...]
) -> None:
    made = looks(FIFTHS, spending)
    assert [look.boundary for look in made] == pytest.approx(boundaries, abs=1.5e-4)
    assert made[-1].spent == pytest.approx(0.05)


def test_a_boundary_does_not_depend_on_later_looks() -> None:
    for spending in Spending:
        assert looks(FIFTHS[:3], spending) == looks(FIFTHS, spending)[:3]
        levels = [look.spent for look in looks(FIFTHS, spending)]
        assert all(before < after for before, after in pairwise(levels))
        assert spent(spending, 1.0, 0.01) == pytest.approx(0.01)


N = None
OBSERVERS = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3),
    (N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N),
)


def test_krippendorffs_example_with_missing_values() -> None:
    """Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, section C."""
    units = [
        [None if value is None else str(value) for value in unit]
        for unit in zip(*OBSERVERS, strict=True)
    ]
    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=5e-4)


def test_krippendorffs_examples_of_two_observers() -> None:
    """The same, sections A and B: binary and nominal data."""
    binary = zip("0100000010", "1110010000", strict=True)
    nominal = zip("aabbdcccedda", "babbbccceddd", strict=True)
    assert krippendorff_alpha(list(binary)) == pytest.approx(0.095, abs=5e-4)
    assert krippendorff_alpha(list(nominal)) == pytest.approx(0.692, abs=5e-4)


@pytest.mark.parametrize("units", [[], [("x", None), ("y",)], [("x", "x"), ("x", "x")]])
def test_agreement_without_two_values_is_undefined(
    units: list[tuple[str | None, ...]],
) -> None:
    assert krippendorff_alpha(units) is None


def test_items_needed_are_those_of_cohens_table() -> None:
    """Cohen (1988), as G*Power gives them for a paired t test, two-sided 0.05, power 0.8."""
    assert [items_needed(effect, 1.0) for effect in (0.2, 0.5, 0.8)] == [199, 34, 15]


def test_what_mcnemar_detects_it_detects_with_the_power_stated() -> None:
    for discordance, items in ((0.0, 20), (0.1, 50), (0.3, 200)):
        effect = mcnemar_detectable(discordance, items)
        assert effect is not None
        power = mcnemar_power(effect, max(effect, discordance), items)
        assert power == pytest.approx(0.8, abs=1e-4)
    assert mcnemar_detectable(0.5, 5) is None
    assert mcnemar_detectable(0.5, 6) is not None


def test_so_many_items_detect_what_they_are_needed_for() -> None:
    for effect, discordance in ((0.3, 0.3), (0.1, 0.3), (0.25, 0.1), (-0.1, 0.3)):
        needed = mcnemar_items_needed(effect, discordance)
        assert needed is not None
        reached = mcnemar_detectable(discordance, needed)
        assert reached is not None
        assert reached <= abs(effect) + 1e-6
        fewer = mcnemar_detectable(discordance, round(0.8 * needed))
        assert fewer is None or fewer > abs(effect)


def test_many_items_are_worked_out_as_they_would_be_counted() -> None:
    # Counted one by one, 7,944 are the first to have the power.
    assert mcnemar_items_needed(0.02, 0.4) == pytest.approx(7944, rel=0.01)
    assert mcnemar_items_needed(0.0001, 0.4) is None
