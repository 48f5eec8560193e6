"""Calculations that a text states, and the values that its figures may stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from ..model import Modifier, Quantity, QuantityKind

_SHOWN_DIGITS = 4
# How far beyond "more than" or "nearly" a figure may be, relative to it.
_ONE_SIDED_SHARE = Fraction(1, 4)
_ABOUT_SHARE = Fraction(1, 20)
_EXACT_COUNT = 10_000


@dataclass(frozen=True, slots=True)
class Calculation:
    """A stated result and what its own figures come to.

    `[start, end)` covers the figures and the result in the text. `working` shows the sum in one
    line. `agrees` allows for the rounding that the result's last digit implies. `implied` results
    are not written: shares of a whole come to 100.
    """

    start: int
    end: int
    stated: Fraction
    computed: Fraction
    agrees: bool
    working: str
    implied: bool = False


def figure(value: Fraction) -> str:
    """A number as a person writes it: at most four decimals, thousands apart."""
    rounded = round(value, _SHOWN_DIGITS)
    whole = f"{float(rounded):,.{_SHOWN_DIGITS}f}"
    return whole.rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class Bounds:
    """The values that a figure may stand for."""

    low: Fraction
    high: Fraction

    def meets(self, other: Bounds) -> bool:
        """Whether the two have a value in common."""
        return self.low <= other.high and other.low <= self.high


@dataclass(frozen=True, slots=True)
class Computed:
    """A result by the figures as written, and the values that it may have."""

    value: Fraction
    bounds: Bounds

    def times(self, factor: int) -> Computed:
        """The result `factor` times over."""
        ends = self.bounds.low * factor, self.bounds.high * factor
        return Computed(self.value * factor, Bounds(min(ends), max(ends)))


@lru_cache(maxsize=10_000)
def bounds(quantity: Quantity) -> Bounds:
    """The values that round to `quantity`, and what its "about" or "more than" allows."""
    low, high = Fraction(quantity.low), Fraction(quantity.high)
    half = _half_step(quantity)
    match quantity.modifier:
        case Modifier.EXACT:
            return Bounds(low - half, high + half)
        case Modifier.ABOUT:
            slack = max(half, abs(high) * _ABOUT_SHARE)
            return Bounds(low - slack, high + slack)
        case Modifier.AT_LEAST | Modifier.MORE_THAN:
            return Bounds(low - half, high + half + abs(high) * _ONE_SIDED_SHARE)
        case Modifier.AT_MOST | Modifier.LESS_THAN:
            return Bounds(low - half - abs(low) * _ONE_SIDED_SHARE, high + half)


def _half_step(quantity: Quantity) -> Fraction:
    """Half the last digit's value; whole counts and sums that end in no zero are exact."""
    step = Fraction(quantity.step)
    whole = step == 1 and quantity.kind in (QuantityKind.COUNT, QuantityKind.MONEY)
    if whole and (quantity.high < _EXACT_COUNT or quantity.high % 10):
        return Fraction(0)
    return step / 2


def meets_sum(parts: Sequence[Quantity], stated: Quantity) -> bool:
    """Whether `parts` add up to `stated`, within the rounding of all of them."""
    held = [bounds(part) for part in parts]
    low = sum((one.low for one in held), Fraction())
    return Bounds(low, sum((one.high for one in held), Fraction())).meets(bounds(stated))


def quotients(over: Bounds, under: Bounds) -> Bounds:
    """Bounds of the quotients of `over` by `under`; zero divisors are left out."""
    values = [a / b for a in (over.low, over.high) for b in (under.low, under.high) if b]
    return Bounds(min(values), max(values))


def same_sort(left: Quantity, right: Quantity) -> bool:
    """Whether the two count or measure alike; a figure without a unit may have any."""
    return left.kind is right.kind and (left.unit == right.unit or not (left.unit and right.unit))
