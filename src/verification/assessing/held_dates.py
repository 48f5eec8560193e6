"""Whether a source holds the days and months of a claim in any form at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from ...claims.model import DateSpan, Granularity, Quantity
from ...claims.temporal.yearless import YEARLESS
from ..reading.form import ClaimForm
from ..reading.index import TextIndex

# A longer source is not read as a whole.
_MOST_SEGMENTS = 400
_SOUGHT = frozenset({Granularity.DAY, Granularity.MONTH})
_SHIFTS = {"day": 1, "week": 7, "month": 30.44, "year": 365.25}
# Months and years differ in length, and "two weeks later" need not be 14 days to the day.
_LOOSE = 0.07
_TO = r"\s*(?:-|–|—|to|and|until|till|through)\s*(?:the\s+)?"
_JOINED = re.compile(_TO, re.IGNORECASE)
# "10 to" before "24 May", "4–" before "24 September".
_FROM_DAY = re.compile(rf"(?<![\d.,])(?P<day>\d{{1,2}})(?:st|nd|rd|th)?{_TO}\Z", re.IGNORECASE)
_REACH = 20
# A day that is counted from the one on which the source was written.
_COUNTED = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|(?:this|last|next|past|coming) (?:week|month|weekend)"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day(?!,? (?:\d|the \d|[A-Z])))\b"
)


def days_not_held(form: ClaimForm, index: TextIndex) -> tuple[str, ...] | None:
    """The days and months of a claim that the source does not print, and that none of it leads to.

    One is held if a date of the source lies in it, or a stretch of days or months of the source
    spans it, whether or not both give their year; and if it lies as far from a date of the source
    as some duration there. A source that counts from the day of its writing, as "on Friday", may
    mean any.

    Returns:
        None if that cannot be told: the source is too long to be read as a whole.
    """
    sought = [slot.value for slot in form.slots if isinstance(slot.value, DateSpan)]
    sought = [value for value in sought if _is_sought(value)]
    if not sought:
        return ()
    if len(index.segments) > _MOST_SEGMENTS:
        return None
    if _COUNTED.search(index.text):
        return ()
    there = list(_dates(index))
    shifts = list(_durations(index))
    return tuple(
        value.text
        for value in sought
        if not any(_is_in(value, one) or _leads_to(value, one, shifts) for one in there)
    )


def _is_sought(value: DateSpan) -> bool:
    return value.granularity in _SOUGHT and not (value.relative or value.fiscal)


def _dates(index: TextIndex) -> Iterator[DateSpan]:
    """The dates of the source, and the stretches from one to another."""
    for number in range(len(index.segments)):
        dates = index.facts(number).dates
        yield from (_from_its_first_day(one, index.text) for one in dates)
        for one, other in pairwise(dates):
            if _JOINED.fullmatch(index.text, one.end, other.start) and one.first <= other.last:
                yield replace(one, last=other.last)


def _from_its_first_day(last: DateSpan, text: str) -> DateSpan:
    """What is from "10 to 24 May" where the dates of a text have "24 May" alone."""
    before = _FROM_DAY.search(text, max(0, last.start - _REACH), last.start)
    if before is None or last.granularity is not Granularity.DAY:
        return last
    day = int(before["day"])
    return replace(last, first=last.first.replace(day=day)) if 0 < day < last.first.day else last


def _durations(index: TextIndex) -> Iterator[float]:
    for number in range(len(index.segments)):
        for figure in index.facts(number).figures:
            value = figure.value
            if isinstance(value, Quantity) and value.unit in _SHIFTS:
                yield float(value.high) * _SHIFTS[value.unit]


def _is_in(claimed: DateSpan, found: DateSpan) -> bool:
    """Whether `found` is no vaguer than days or months, and shares a day with `claimed`."""
    if found.granularity not in _SOUGHT:
        return False
    if claimed.granularity is Granularity.DAY and _is_whole_month(found):
        return False
    if claimed.yearless != found.yearless:
        claimed_days, found_days = _in_no_year(claimed), _in_no_year(found)
        return claimed_days[0] <= found_days[1] and found_days[0] <= claimed_days[1]
    return claimed.first <= found.last and found.first <= claimed.last


def _is_whole_month(found: DateSpan) -> bool:
    return found.granularity is Granularity.MONTH


def _in_no_year(span: DateSpan) -> tuple[date, date]:
    first, last = span.first.replace(year=YEARLESS), span.last.replace(year=YEARLESS)
    return (first, last) if first <= last else (date(YEARLESS, 1, 1), date(YEARLESS, 12, 31))


def _leads_to(claimed: DateSpan, found: DateSpan, shifts: Sequence[float]) -> bool:
    """Whether `claimed` lies a duration of the source after or before `found`."""
    if found.granularity not in _SOUGHT or claimed.yearless != found.yearless:
        return False
    nearest, farthest = (claimed.first - found.last).days, (claimed.last - found.first).days
    return any(
        nearest - slack <= moved <= farthest + slack
        for shift in shifts
        for slack in [1 + _LOOSE * shift]
        for moved in (shift, -shift)
    )
