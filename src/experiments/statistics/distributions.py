"""Distribution functions that the standard library lacks, to about 1e-12.

The normal distribution is `statistics.NormalDist`. Student's t and the binomial are incomplete beta
functions; the noncentral t, which power is made of, is a Poisson mixture of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from statistics import NormalDist

NORMAL = NormalDist()
TINY = 1e-300


def normal_cdf(z: float) -> float:
    """P(Z <= z) for the standard normal, exact in the tails too."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularized incomplete beta function I_x(a, b).

    Source: the continued fraction DLMF 8.17.22 by Lentz's method, with the symmetry 8.17.4 where
    it would converge slowly.

    Args:
        a: First shape, above 0.
        b: Second shape, above 0.
        x: From 0 to 1.
    """
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    log_front = (
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
        + a * math.log(x) + b * math.log1p(-x)
    )  # fmt: skip
    if x < (a + 1) / (a + b + 2):
        return math.exp(log_front) * _beta_fraction(a, b, x) / a
    return 1.0 - math.exp(log_front) * _beta_fraction(b, a, 1 - x) / b


def _beta_fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1.0 / _off_zero(1.0 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1.0 / _off_zero(1.0 + term * d)
            c = _off_zero(1.0 + term / c)
            value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return value


def _off_zero(value: float) -> float:
    return value if abs(value) > TINY else TINY


def student_t_cdf(t: float, df: float) -> float:
    """P(T <= t) for Student's t with `df` degrees of freedom (DLMF 8.17, Abramowitz 26.7.1)."""
    tail = 0.5 * incomplete_beta(df / 2, 0.5, df / (df + t * t))
    return tail if t < 0 else 1.0 - tail


@cache
def student_t_quantile(probability: float, df: float) -> float:
    """The t with P(T <= t) = `probability`, which lies strictly between 0 and 1."""
    if probability < 0.5:
        return -student_t_quantile(1 - probability, df)
    tail = 1 - probability
    return solve_increasing(
        lambda t: -0.5 * incomplete_beta(df / 2, 0.5, df / (df + t * t)), -tail, 0.0
    )


def binomial_upper_tail(successes: int, n: int, share: float) -> float:
    """P(X >= successes) for X binomial (n, share), by the incomplete beta (DLMF 8.17.5)."""
    if successes <= 0:
        return 1.0
    return 0.0 if successes > n else incomplete_beta(successes, n - successes + 1, share)


def noncentral_t_cdf(t: float, df: float, shift: float) -> float:
    """P(T <= t) for the noncentral t with `df` degrees of freedom and noncentrality `shift`.

    Source: Lenth (1989), algorithm AS 243, summed around its largest term so that a large shift
    does not underflow.
    """
    if t < 0:
        return 1.0 - noncentral_t_cdf(-t, df, -shift)
    x = t * t / (t * t + df)
    rate = shift * shift / 2
    if x == 0.0 or rate == 0.0:
        return normal_cdf(-shift) + 0.5 * incomplete_beta(0.5, df / 2, x)
    reach = 9 * math.sqrt(rate) + 25
    first, last = max(0, int(rate - reach)), int(rate + reach)
    evens = _incomplete_betas(first + 0.5, last - first, df / 2, x)
    odds = _incomplete_betas(first + 1.0, last - first, df / 2, x)
    terms: list[float] = []
    for j, even, odd in zip(range(first, last), evens, odds, strict=True):
        log_even = j * math.log(rate) - rate - math.lgamma(j + 1)
        log_odd = (j + 0.5) * math.log(rate) - rate - math.lgamma(j + 1.5)
        terms += math.exp(log_even) * even, math.copysign(math.exp(log_odd), shift) * odd
    return min(1.0, max(0.0, normal_cdf(-shift) + 0.5 * math.fsum(terms)))


def _incomplete_betas(a: float, count: int, b: float, x: float) -> list[float]:
    """I_x(a, b), I_x(a + 1, b) and so on, from the last one down: that is stable (DLMF 8.17.20)."""
    values = [incomplete_beta(a + count - 1, b, x)]
    for at in range(count - 2, -1, -1):
        c = a + at
        log_step = math.lgamma(c + b) - math.lgamma(c + 1) - math.lgamma(b)
        log_step += c * math.log(x) + b * math.log1p(-x)
        values.append(values[-1] + math.exp(log_step))
    return values[::-1]


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
