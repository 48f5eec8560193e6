"""The statistics agree with worked examples, with scipy and statsmodels, or with definitions."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import pytest
from foureyes.experiments.metrics import krippendorff_alpha
from foureyes.experiments.statistics.comparison import (
    PairedTable,
    newcombe,
    resample,
    student,
    wilson,
)
from foureyes.experiments.statistics.paired import (
    benjamini_hochberg,
    holm,
    mcnemar_exact,
    sign_flip,
    wilcoxon,
)
from foureyes.experiments.statistics.power import (
    Spending,
    items_needed,
    looks,
    mcnemar_detectable,
    mcnemar_items_needed,
    mcnemar_power,
    mean_power,
    spent,
)
from foureyes.experiments.statistics.samples import ClusterSum, clustered_mean, sum_clusters
from unit.experiments.statistics import oracles

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


def drawn(sample: int, soak: int) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "seeds",
        [
            pytest.param(range(sample), id="sample"),
            pytest.param(range(soak), id="soak", marks=[pytest.mark.soak]),
        ],
    )


tables = drawn(50, 1000)
few_of_a_slow_oracle = drawn(8, 1000)
few = drawn(5, 100)


def agree(ours: float | Sequence[float], theirs: float | Sequence[float]) -> None:
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-9)


def random_tables(seeds: range) -> Iterator[oracles.Table]:
    for seed in seeds:
        rng = random.Random(seed)
        top = rng.choice((3, 10, 60, 500))
        both, gained, lost, neither = (rng.choice((0, rng.randint(0, top))) for _ in range(4))
        yield both, gained, lost, neither + (both + gained + lost + neither == 0)


def random_differences(
    seeds: range, size: Callable[[random.Random], int]
) -> Iterator[tuple[random.Random, list[float]]]:
    """Differences without equal sizes and without 0."""
    for seed in seeds:
        rng = random.Random(seed)
        yield rng, [rng.gauss(0.3, 1) for _ in range(size(rng))]


@tables
def test_mcnemar(seeds: range) -> None:
    for table in random_tables(seeds):
        agree(mcnemar_exact(table[1], table[2]).p, oracles.mcnemar(table))


@tables
def test_wilson(seeds: range) -> None:
    for seed in seeds:
        rng = random.Random(seed)
        n, level = rng.randint(1, 2000), rng.choice((0.8, 0.9, 0.95, 0.999))
        hits = rng.choice((0, n, rng.randint(0, n)))
        interval = wilson(hits, n, level)
        agree((interval.low, interval.high), oracles.wilson(hits, n, level))


@tables
def test_newcombe(seeds: range) -> None:
    for seed, table in zip(seeds, random_tables(seeds), strict=True):
        level = random.Random(seed).choice((0.8, 0.9, 0.95, 0.999))
        interval = newcombe(PairedTable(*table), level)
        agree((interval.low, interval.high), oracles.newcombe(table, level))


@tables
def test_sign_flip(seeds: range) -> None:
    for rng, differences in random_differences(seeds, lambda rng: rng.randint(2, 10)):
        coarse = [round(difference * 5) / 5 for difference in differences]
        values = rng.choice((differences, coarse))
        agree(sign_flip(values, 0).p, oracles.sign_flip(values))


@tables
def test_wilcoxon_without_ties(seeds: range) -> None:
    for _, differences in random_differences(seeds, lambda rng: rng.randint(2, 50)):
        agree(wilcoxon(differences).p, oracles.wilcoxon(differences, ties=False))


@tables
def test_wilcoxon_with_ties_and_zeros(seeds: range) -> None:
    for _, differences in random_differences(seeds, lambda rng: rng.randint(4, 7)):
        tied = [*(round(difference * 2) / 2 for difference in differences), 1.0]
        agree(wilcoxon(tied).p, oracles.wilcoxon([d for d in tied if d], ties=True))


@tables
def test_wilcoxon_of_many(seeds: range) -> None:
    for _, differences in random_differences(seeds, lambda rng: rng.randint(60, 300)):
        tied = [round(difference * 10) / 10 for difference in differences]
        for values in (differences, tied):
            assert sum(map(bool, values)) > 50
            agree(wilcoxon(values).p, oracles.wilcoxon_normal(values))


@tables
def test_student(seeds: range) -> None:
    for rng, values in random_differences(seeds, lambda rng: rng.randint(2, 300)):
        level = rng.choice((0.8, 0.9, 0.95, 0.999))
        mean = clustered_mean([ClusterSum(value) for value in values])
        interval = student(mean, level)
        agree((interval.low, interval.high), oracles.student_interval(values, level))


@tables
def test_the_standard_error_over_clusters(seeds: range) -> None:
    for rng, values in random_differences(seeds, lambda rng: rng.randint(8, 60)):
        clusters = [0, 1, *(rng.randint(0, 6) for _ in values[2:])]
        sums = sum_clusters([(str(at), value) for at, value in zip(clusters, values, strict=True)])
        mean = clustered_mean(sums)
        agree(mean.mean, sum(values) / len(values))
        agree(mean.error, oracles.clustered_error(values, clusters))


@few_of_a_slow_oracle
def test_bootstrap_ratios(seeds: range) -> None:
    """By the definition: whole clusters drawn, mean and robust error of each resample.

    Totals above 0, because arms are swapped before drawing where they are below.
    """
    for seed in seeds:
        rng = random.Random(seed)
        sums = sorted(
            ClusterSum(rng.expovariate(1), rng.choice((1, 1, 3))) for _ in range(rng.randint(6, 12))
        )
        mean, stream, count = clustered_mean(sums), random.Random(seed), len(sums)
        expected: list[float] = []
        for _ in range(199):
            drawn = [sums[int(stream.random() * count)] for _ in sums]
            again = clustered_mean(drawn)
            shift = again.mean - mean.mean
            expected.append(shift / again.error if again.error else math.copysign(math.inf, shift))
        # Rounding tells where a resample is one cluster over and over but once.
        assert resample(sums, seed, 199) == pytest.approx(sorted(expected), rel=1e-6, abs=1e-9)


@few_of_a_slow_oracle
def test_adjusted_p_values(seeds: range) -> None:
    for seed in seeds:
        rng = random.Random(seed)
        p_values = [round(rng.random() ** 3, rng.choice((2, 9))) for _ in range(rng.randint(1, 30))]
        for ours, name in ((holm, "holm"), (benjamini_hochberg, "fdr_bh")):
            theirs = oracles.multitest.multipletests(p_values, method=name)[1]
            agree(ours(p_values), list(theirs))


@tables
def test_power_of_means(seeds: range) -> None:
    solver = oracles.power.TTestPower()
    for seed in seeds:
        rng = random.Random(seed)
        n, alpha = rng.randint(3, 200), rng.choice((0.01, 0.05, 0.1))
        effect = rng.uniform(0.1, 5) / math.sqrt(n)
        ours = mean_power(effect, 1 / math.sqrt(n), n, alpha)
        agree(ours, solver.power(effect, n, alpha))


@few
def test_power_of_mcnemar(seeds: range) -> None:
    for seed in seeds:
        rng = random.Random(seed)
        items, discordance = rng.randint(6, 30), rng.uniform(0.1, 0.9)
        effect = discordance * rng.random()
        ours = mcnemar_power(effect, discordance, items)
        assert ours == pytest.approx(
            oracles.mcnemar_power(effect, discordance, items, 0.05), abs=1e-8
        )


@few
def test_items_needed(seeds: range) -> None:
    solver = oracles.power.TTestPower()
    for seed in seeds:
        effect = random.Random(seed).uniform(0.1, 1)
        needed = solver.solve_power(effect_size=effect, alpha=0.05, power=0.8)
        assert items_needed(effect, 1.0) == math.ceil(needed)


@tables
def test_krippendorff(seeds: range) -> None:
    for seed in seeds:
        rng = random.Random(seed)
        units = [
            [rng.choice((None, "1", "2", "3", "5")) for _ in range(rng.randint(1, 4))]
            for _ in range(rng.randint(5, 20))
        ]
        units += [["1", "2"]]
        pairable = [unit for unit in units if sum(value is not None for value in unit) > 1]
        alpha = krippendorff_alpha(units)
        assert alpha is not None
        agree(alpha, oracles.krippendorff(pairable))


@pytest.mark.parametrize("spending", Spending)
@few
def test_looks_together_err_as_often_as_told(seeds: range, spending: Spending) -> None:
    for seed in seeds:
        early = random.Random(seed).uniform(0.1, 0.9)
        bounds = [look.boundary for look in looks((early, 1.0), spending)]
        joint = oracles.stats.multivariate_normal(cov=[[1, early**0.5], [early**0.5, 1]])
        inside = joint.cdf(bounds, lower_limit=[-bound for bound in bounds])
        assert 1 - inside == pytest.approx(0.05, abs=1e-6)
