"""How long it is from one date of a passage to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from ...claims.model import DateSpan, Granularity, Modifier, Quantity, QuantityKind

_UNIT_DAYS = {"day": 1.0, "week": 7.0, "month": 30.44, "year": 365.25}
DURATIONS = frozenset(_UNIT_DAYS)
# A stretch of 3.9 years may be called four years, one of 3.8 about four.
_EXACT, _ABOUT, _ONE_SIDED = 0.12, 0.5, 0.25
# Of years alone, too many lie as far apart.
_DATED = (Granularity.DAY, Granularity.MONTH)


@dataclass(frozen=True, slots=True)
class Stretch:
    """The time between two dates, in the unit of the claimed duration."""

    first: DateSpan
    last: DateSpan
    length: float
    unit: str

    @property
    def working(self) -> str:
        """The dates and what lies between them, in one line."""
        length = f"{self.length:.1f}".removesuffix(".0")
        return f"{self.first.text} to {self.last.text}: {length} {self.unit}s"


def elapsed(claimed: Quantity, dates: Sequence[DateSpan]) -> Stretch | None:
    """The two of `dates` that lie as far apart as `claimed` says, the first such two, or None."""
    days = _UNIT_DAYS.get(claimed.unit)
    if claimed.kind is not QuantityKind.MEASURE or days is None or claimed.low != claimed.high:
        return None
    dated = [one for one in dates if one.granularity in _DATED and not one.fiscal]
    for pair in combinations(dated, 2):
        first, last = sorted(pair, key=lambda one: one.first)
        if first.yearless != last.yearless or first.last >= last.first:
            continue
        apart = _middle(last) - _middle(first)
        if _agrees(claimed, apart / days):
            return Stretch(first, last, apart / days, claimed.unit)
    return None


def _middle(span: DateSpan) -> float:
    return (span.first.toordinal() + span.last.toordinal()) / 2


def _agrees(claimed: Quantity, length: float) -> bool:
    stated = float(claimed.low)
    match claimed.modifier:
        case Modifier.EXACT:
            return abs(length - stated) <= _EXACT
        case Modifier.ABOUT:
            return abs(length - stated) <= _ABOUT
        case Modifier.AT_LEAST | Modifier.MORE_THAN:
            return stated - _EXACT <= length <= stated * (1 + _ONE_SIDED)
        case Modifier.AT_MOST | Modifier.LESS_THAN:
            return stated * (1 - _ONE_SIDED) <= length <= stated + _EXACT
