"""scipy and statsmodels, which have no types of their own, as plain functions."""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from itertools import product
from typing import Any

np: Any = importlib.import_module("numpy")
stats: Any = importlib.import_module("scipy.stats")
special: Any = importlib.import_module("scipy.special")
contingency: Any = importlib.import_module("statsmodels.stats.contingency_tables")
proportion: Any = importlib.import_module("statsmodels.stats.proportion")
multitest: Any = importlib.import_module("statsmodels.stats.multitest")
power: Any = importlib.import_module("statsmodels.stats.power")
linear: Any = importlib.import_module("statsmodels.regression.linear_model")

Table = tuple[int, int, int, int]


def mcnemar(table: Table) -> float:
    both, gained, lost, neither = table
    return contingency.mcnemar([[both, lost], [gained, neither]], exact=True).pvalue


def wilson(hits: int, n: int, level: float) -> tuple[float, float]:
    return proportion.proportion_confint(hits, n, alpha=1 - level, method="wilson")


def newcombe(table: Table, level: float) -> tuple[float, float]:
    """Method 10 from statsmodels' Wilson intervals, and phi as a correlation of the items."""
    both, gained, lost, neither = table
    n = sum(table)
    treated = np.repeat([1, 1, 0, 0], table)
    controlled = np.repeat([1, 0, 1, 0], table)
    scale = n * n * treated.std() * controlled.std()
    product = both * neither - gained * lost
    corrected = product if product <= 0 else max(product - n / 2, 0)
    phi = corrected / scale if scale else 0.0
    first, second = treated.mean(), controlled.mean()
    low_1, high_1 = wilson(both + gained, n, level)
    low_2, high_2 = wilson(both + lost, n, level)
    below, above = (
        np.array([first - low_1, high_2 - second]),
        np.array([high_1 - first, second - low_2]),
    )
    matrix = np.array([[1, -phi], [-phi, 1]])
    difference = first - second
    return (
        difference - math.sqrt(max(0.0, below @ matrix @ below)),
        difference + math.sqrt(max(0.0, above @ matrix @ above)),
    )


def sign_flip(differences: Sequence[float]) -> float:
    return stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=math.inf
    ).pvalue


def wilcoxon(differences: Sequence[float], *, ties: bool) -> float:
    """Exact: counted by scipy's own distribution, or with ties over all signs."""
    if not ties:
        return stats.wilcoxon(differences, method="exact").pvalue
    method = stats.PermutationMethod(n_resamples=math.inf)
    return stats.wilcoxon(differences, method=method).pvalue


def wilcoxon_normal(differences: Sequence[float]) -> float:
    return stats.wilcoxon(differences, method="asymptotic", correction=True).pvalue


def student_interval(values: Sequence[float], level: float) -> tuple[float, float]:
    interval = stats.ttest_1samp(values, 0).confidence_interval(level)
    return interval.low, interval.high


def clustered_error(values: Sequence[float], clusters: Sequence[int]) -> float:
    """The cluster-robust standard error of a mean, by regression on a constant."""
    model = linear.OLS(values, np.ones(len(values)))
    return model.fit(cov_type="cluster", cov_kwds={"groups": np.array(clusters)}).bse[0]


def mcnemar_power(effect: float, discordance: float, items: int, alpha: float) -> float:
    """Over every number of gained and lost items."""
    gained, lost = (discordance + effect) / 2, (discordance - effect) / 2
    total = 0.0
    for up, down in product(range(items + 1), repeat=2):
        if up + down <= items and stats.binomtest(up, up + down or 1).pvalue <= alpha:
            cells = [up, down, items - up - down]
            total += stats.multinomial.pmf(cells, items, [gained, lost, 1 - discordance])
    return total


def krippendorff(units: Sequence[Sequence[str | None]]) -> float:
    """By the coincidence matrix, value by value."""
    values = sorted({value for unit in units for value in unit if value is not None})
    at = {value: place for place, value in enumerate(values)}
    matrix = np.zeros((len(values), len(values)))
    for unit in units:
        given = [at[value] for value in unit if value is not None]
        for i, j in product(range(len(given)), repeat=2):
            if i != j:
                matrix[given[i], given[j]] += 1 / (len(given) - 1)
    n = matrix.sum(axis=0)
    distances = 1 - np.eye(len(values))
    expected = (np.outer(n, n) - np.diag(n)) / (n.sum() - 1)
    return 1 - (matrix * distances).sum() / (expected * distances).sum()
