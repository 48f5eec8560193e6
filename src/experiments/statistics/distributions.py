"""Distribution functions, from scipy, and the roots of increasing functions.

The normal distribution is `statistics.NormalDist`. Student's t and the binomial are incomplete beta
functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from statistics import NormalDist

from scipy.special import betainc, betaincinv, nctdtr

NORMAL = NormalDist()


def normal_cdf(z: float) -> float:
    """P(Z <= z) for the standard normal, exact in the tails too."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


@cache
def student_t_quantile(probability: float, df: float) -> float:
    """The t with P(T <= t) = `probability`, which lies strictly between 0 and 1."""
    if probability == 0.5:
        return 0.0
    # By the tail: near 1 the probability itself has no digits left to tell quantiles apart.
    tail = min(probability, 1 - probability)
    x = float(betaincinv(df / 2, 0.5, 2 * tail))
    return math.copysign(math.sqrt(df * (1 / x - 1)), probability - 0.5)


def binomial_upper_tail(successes: int, n: int, share: float) -> float:
    """P(X >= successes) for X binomial (n, share), by the incomplete beta (DLMF 8.17.5)."""
    if successes <= 0:
        return 1.0
    return 0.0 if successes > n else float(betainc(successes, n - successes + 1, share))


def noncentral_t_cdf(t: float, df: float, shift: float) -> float:
    """P(T <= t) for the noncentral t with `df` degrees of freedom and noncentrality `shift`."""
    found = float(nctdtr(df, shift, t))
    # So far in a tail scipy has no number.
    return float(t > shift) if math.isnan(found) else found


def solve_increasing(
    function: Callable[[float], float], target: float, low: float, tolerance: float = 1e-12
) -> float:
    """Where an increasing function reaches `target`: sought from `low` up, then by bisection."""
    high = low + 1.0
    while function(high) < target and high < 1e15:
        low, high = high, 2 * high + 1
    return bisect_increasing(function, target, low, high, tolerance)


def bisect_increasing(
    function: Callable[[float], float],
    target: float,
    low: float,
    high: float,
    tolerance: float = 1e-12,
) -> float:
    """Where an increasing function reaches `target` between two bounds, to a relative tolerance."""
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if function(middle) < target else (low, middle)
        if high - low <= tolerance * abs(high):
            break
    return (low + high) / 2
