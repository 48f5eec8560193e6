"""The nth day, week or month of a longer period: "the first Monday of May"."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from .day_expressions import MONTH, nth_weekday
from .model import Interval
from .nodes import Context, Node, NodeKind, add_months, month_of, one_day, year_of
from .words import COUNT, WEEKDAY, WEEKDAYS, YEAR, spelled_number

ORDINALS = {
    "first": 1,
    "1st": 1,
    "second": 2,
    "2nd": 2,
    "third": 3,
    "3rd": 3,
    "fourth": 4,
    "4th": 4,
    "last": -1,
    "fifth": 5,
    "5th": 5,
}
_OF_MONTH = (
    rf"(?:(?P<mon>{MONTH})(?:,? (?:of )?(?P<y>{YEAR}))?"
    r"|(?:the )?(?P<rel>next|last|this|following|previous) (?P<u2>month|year)"
    rf"|(?:the )?year (?P<y2>{YEAR})|(?P<y3>{YEAR}))"
)
NTH = re.compile(
    rf"\b(?:the )?(?P<o>first|second|third|fourth|fifth|last|1st|2nd|3rd|4th"
    rf"|5th)(?: (?P<n>{COUNT}))? (?P<u>{WEEKDAY}|weekend|weeks?|days?|months?)(?: in| of"
    rf"|,) (?:the )?{_OF_MONTH}"
)


def find_nth(context: Context, match: re.Match[str]) -> Node | None:
    """The day or period that a match of `NTH` names."""
    years, month = _where(context, match)
    number = ORDINALS[match["o"]]
    count = int(spelled_number(match["n"])) if match["n"] else 1
    unit = match["u"].removesuffix("s")
    readings = [_nth_of(number, count, unit, year, month) for year in years]
    found = tuple(one for one in readings if one)
    relative = len(years) > 1 or bool(match["rel"])
    written = unit in WEEKDAYS or match["u"] in WEEKDAYS
    kind = NodeKind.DATE if written or (unit == "day" and count == 1) else NodeKind.PERIOD
    shown = f"{years[0]:04}" if len(years) == 1 else "XXXX"
    place = f"-{month:02}" if month else ""
    code = f"WXX-{WEEKDAYS[match['u']] + 1}-#{number}" if written else f"W{number % 6:02}"
    start = match.start()
    if kind is NodeKind.DATE and match[0].startswith("the "):
        start += len("the ")
    return Node(start, match.end(), kind, f"{shown}{place}-{code}", found, relative)


def _where(context: Context, match: re.Match[str]) -> tuple[tuple[int, ...], int]:
    """The years, and the month or 0, that an ordinal period counts in."""
    now = context.now
    if match["mon"]:
        month = context.lexicon.file.months[match["mon"]]
        year = match["y"]
        later = now.year + (now.month > month)
        return ((int(year),) if year else (later - 1, later)), month
    if match["u2"]:
        step = {"next": 1, "following": 1, "last": -1, "previous": -1}.get(match["rel"], 0)
        if match["u2"] == "year":
            return (now.year + step,), 0
        moved = add_months(now.replace(day=1), step)
        return (moved.year,), moved.month
    return (int(match["y2"] or match["y3"]),), 0


def _nth_of(number: int, count: int, unit: str, year: int, month: int) -> Interval | None:
    whole = month_of(year, month) if month else year_of(year)
    first, end = whole.start, whole.end
    if not isinstance(first, datetime) or not isinstance(end, datetime):
        return None
    if unit in WEEKDAYS and month:
        return one_day(nth_weekday(year, month, number, WEEKDAYS[unit]))
    if unit == "weekend" and month:
        saturday = nth_weekday(year, month, number, 5)
        return Interval(saturday, saturday + timedelta(2))
    if unit == "week":
        # The first week is the one with the first Thursday, as ISO 8601 counts.
        monday = first - timedelta((first.weekday() + 3) % 7 - 3)
        if number == -1:
            last = (end - timedelta(1)) - timedelta((end - timedelta(1)).weekday())
            return Interval(last - timedelta(7 * (count - 1)), last + timedelta(7))
        begin = monday + timedelta(7 * (number - 1))
        return Interval(begin, begin + timedelta(7 * count))
    if unit == "day":
        begin = end - timedelta(count) if number == -1 else first + timedelta(number - 1)
        return Interval(begin, begin + timedelta(count))
    begin = add_months(end, -count) if number == -1 else add_months(first, number - 1)
    return Interval(begin, add_months(begin, count))
