"""How long it is from one date or time of day of a passage to another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from ...claims.lexicon import Lexicon
from ...claims.model import DateSpan, Granularity, Modifier, Quantity, QuantityKind

_UNIT_DAYS = {"day": 1.0, "week": 7.0, "month": 30.44, "year": 365.25}
DURATIONS = frozenset(_UNIT_DAYS)
# A stretch of 3.9 years may be called four years, one of 3.8 about four.
_EXACT, _ABOUT, _ONE_SIDED = 0.12, 0.5, 0.25
# Of years alone, too many lie as far apart.
_DATED = (Granularity.DAY, Granularity.MONTH)


_CLOCK = re.compile(r"(?<![\d:.])(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?![\d:])")
CLOCKED = frozenset({"hour", "minute"})
_MINUTES_A_DAY, _MOST_TIMES = 1440, 24
# "A quarter of an hour" may be 16 minutes, "nearly three hours" 171.
_ABOUT_TIME = 0.1


class ClockTime(NamedTuple):
    """A time of day in a text, in minutes after midnight, and where it stands."""

    minutes: int
    text: str
    start: int


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


def clock_times(text: str, start: int = 0, end: int | None = None) -> list[ClockTime]:
    """The times of day that a text gives, as "06:58", in order."""
    found = _CLOCK.finditer(text, start, len(text) if end is None else end)
    return [ClockTime(60 * int(m["hour"]) + int(m["minute"]), m[0], m.start()) for m in found]


def between_times(
    claimed: Quantity, times: Sequence[ClockTime], lexicon: Lexicon
) -> tuple[ClockTime, ClockTime] | None:
    """The two of `times` that lie as far apart as `claimed` says, or None.

    Of more times some two lie as far apart as anything.
    """
    unit, minute = lexicon.unit(claimed.unit), lexicon.unit("minute")
    if claimed.unit not in CLOCKED or not unit or not minute or claimed.low != claimed.high:
        return None
    wanted = float(claimed.low * unit.factor / minute.factor)
    spread = float(claimed.step * unit.factor / minute.factor) / 2
    if claimed.modifier is not Modifier.EXACT or not any(map(str.isdigit, claimed.text)):
        spread = max(spread if claimed.unit == "minute" else 0.0, _ABOUT_TIME * wanted)
    if len({time.minutes for time in times}) > _MOST_TIMES:
        return None
    for first, last in combinations(times, 2):
        apart = (last.minutes - first.minutes) % _MINUTES_A_DAY
        if apart and abs(apart - wanted) <= spread:
            return first, last
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
