"""Calculations that a text states, computed again."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

_SHOWN_DIGITS = 4


class CalculationKind(StrEnum):
    """Kind of calculation."""

    EQUATION = "equation"
    SUM = "sum"
    DIFFERENCE = "difference"
    SHARE = "share"
    GROWTH = "growth"
    CONVERSION = "conversion"
    TABLE_TOTAL = "table_total"
    DURATION = "duration"
    PRODUCT = "product"
    CROSS = "cross"


@dataclass(frozen=True, slots=True)
class Calculation:
    """A stated result and what its own figures come to.

    `[start, end)` covers the figures and the result in the text. `working` shows the sum in one
    line. `agrees` allows for the rounding that the result's last digit implies.
    """

    kind: CalculationKind
    start: int
    end: int
    stated: Fraction
    computed: Fraction
    agrees: bool
    working: str


def figure(value: Fraction) -> str:
    """A number as a person writes it: at most four decimals, thousands apart."""
    rounded = round(value, _SHOWN_DIGITS)
    whole = f"{float(rounded):,.{_SHOWN_DIGITS}f}"
    return whole.rstrip("0").rstrip(".")
