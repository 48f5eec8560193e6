"""Dates that count from a day: "last year", "two months ago", "the first half of next year".

Each gives whole days. Seasons, hours and open ends ("since last year") are left out.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from ..lexicon import Lexicon, alternatives
from ..model import Granularity
from ..scan import scan
from .dates import NTH

_LATER = frozenset({"next", "coming", "upcoming", "following"})
_EARLIER = frozenset({"last", "previous", "past", "prior", "preceding"})
_REL = f"(?P<rel>{'|'.join(sorted(_LATER | _EARLIER))}|this|same|that)"
_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
_DAYS = {"day": 1, "week": 7, "fortnight": 14}
_VAGUE = {
    "a": 1,
    "an": 1,
    "a couple of": 2,
    "couple of": 2,
    "couple": 2,
    "a few": 3,
    "few": 3,
    "several": 3,
}
_GRANULARITY = {unit: Granularity(unit) for unit in _MONTHS}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY = f"(?P<weekday>{'|'.join(_WEEKDAYS)})"
_PLAIN_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}
# These are also other words, or names, if they have no capital.
_AMBIGUOUS = frozenset({"may", "march", "mar", "dec", "jan", "sep", "jun"})
_PART = re.compile(
    r"\b(?:(?P<edge>beginning|start|end|middle|close) of (?:the )?"
    r"|(?P<mod>early|late|mid|earlier|later)(?: in)?[ -](?:the )?)$"
)
_ENDS, _MIDDLES = frozenset({"end", "close", "late", "later"}), frozenset({"mid", "middle"})
# An end is left open, or the days are counted from the one named: "a week from today".
_OPEN = re.compile(
    r"\b(?:before|until|till|til|by|prior to|(?:later|earlier) than|after|since"
    r"|(?:starting|beginning)(?: from| on)?|ending(?: on)?|as of|as (?:early|late) as"
    r"|(?:days?|weeks?|months?|years?) (?:from|of)) (?:the )?$"
)
_OR_LATER = re.compile(
    r" (?:and|or) (?:later|after|before|earlier|onwards?|prior)\b(?! than| ?\d| (?:the|that|this))"
)
_LAST_AS_VERB = re.compile(r"(?:\b(?:will|would|to|not|can|could|may|might|should)|n['’]t) $")
_REACH = 34
_WEEK, _MONTH = 7, 31


class RelativeDate(NamedTuple):
    """The days from `first` to `last`, written at `[start, end)`."""

    first: date
    last: date
    granularity: Granularity
    start: int
    end: int


_Days = tuple[date, date, Granularity]
_Reader = Callable[[re.Match[str], date, Lexicon], _Days | None]


def find_relative(text: str, today: date, lexicon: Lexicon) -> Iterator[RelativeDate]:
    """The dates of `text` that count from `today`, in order; none overlaps another."""
    low = scan(text, lexicon).low
    patterns = _patterns(alternatives(lexicon.file.months), alternatives(lexicon.number_words))
    found = [
        (match, reader)
        for pattern, reader in patterns
        for match in pattern.finditer(low)
        if not _is_other_word(text, low, match)
    ]
    end = 0
    for match, reader in sorted(found, key=lambda one: (one[0].start(), -one[0].end())):
        try:
            days = reader(match, today, lexicon) if match.start() >= end else None
        except (OverflowError, ValueError):  # before the year 1 or after 9999
            continue
        if days:
            end = match.end()
            yield from _qualified(low, match, days, today)


def _is_other_word(text: str, low: str, match: re.Match[str]) -> bool:
    """Whether "may" is no month, or "last" a verb: "it will last three weeks"."""
    groups = match.groupdict()
    if groups.get("month") in _AMBIGUOUS and text[match.start("month")].islower():
        return True
    return groups.get("rel") == "last" and bool(_LAST_AS_VERB.search(low, 0, match.start()))


def _qualified(low: str, match: re.Match[str], days: _Days, today: date) -> Iterator[RelativeDate]:
    """The days as the words round them narrow them; none if they leave an end open."""
    first, last, granularity = days
    start, end = match.start("what"), match.end()
    reach = max(0, start - _REACH)
    part = _PART.search(low, reach, start)
    if part and first < last and not match.groupdict().get("count"):
        start = part.start()
        first, last = _slice(first, last, part["edge"] or part["mod"], today)
    if not (_OPEN.search(low, reach, start) or _OR_LATER.match(low, end)):
        yield RelativeDate(first, last, granularity, start, end)


def _slice(first: date, last: date, word: str, today: date) -> tuple[date, date]:
    """The beginning, the middle or the end of a period.

    "Earlier" in one that goes on is what of it is over.
    """
    days = (last - first).days + 1
    months = round(days / 30.4)
    if days <= _WEEK:
        cuts = first + timedelta(3), first + timedelta(4)
        half = cuts[0]
    elif days <= _MONTH:
        cuts, half = (first + timedelta(9), first + timedelta(20)), first + timedelta(15)
    else:
        cuts = moved(first, months // 3), moved(first, 2 * months // 3)
        half = moved(first, months // 2)
    one_day = timedelta(1)
    if word in _MIDDLES:
        return cuts[0], cuts[1] - one_day
    if word in _ENDS:
        return half, last
    if word == "earlier" and first < today <= last:
        return first, (today if days > _MONTH else min(today, half)) - one_day
    return first, half - one_day


def moved(day: date, months: int) -> date:
    """`day` moved by calendar months, at most to the last day of the month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _away(day: date, count: int, unit: str) -> date:
    months = _MONTHS.get(unit)
    return moved(day, count * months) if months else day + timedelta(count * _DAYS[unit])


def _around(day: date, unit: str, shift: int = 0) -> _Days:
    """The calendar month, quarter, year or ten years in which `day` lies, moved by `shift`."""
    months = _MONTHS[unit]
    years = max(1, months // 12)
    month = (day.month - 1) // months * months + 1 if months < 12 else 1
    first = moved(date(day.year - day.year % years, month, 1), shift * months)
    return first, moved(first, months) - timedelta(1), _GRANULARITY[unit]


def _sign(rel: str) -> int:
    return (rel in _LATER) - (rel in _EARLIER)


def _number(written: str, lexicon: Lexicon) -> int:
    if written.isdigit() or written in _VAGUE:
        return int(_VAGUE.get(written, written))
    return sum(lexicon.number_words[word] for word in re.split("[ -]", written))


def _plain_day(match: re.Match[str], today: date, _: Lexicon) -> _Days:
    day = today + timedelta(_PLAIN_DAYS[match["what"]])
    return day, day, Granularity.DAY


def _unit(match: re.Match[str], today: date, _: Lexicon) -> _Days:
    """The calendar unit around, before or after `today`: "last month"."""
    unit, shift = match["unit"], _sign(match["rel"])
    if unit in _MONTHS:
        return _around(today, unit, shift)
    first = today + timedelta(shift * _DAYS[unit])
    if unit == "week":
        first -= timedelta(first.weekday())
    return first, first + timedelta(_DAYS[unit] - 1), Granularity.DAY


def _several(match: re.Match[str], today: date, lexicon: Lexicon) -> _Days | None:
    """Units that end with yesterday or begin with tomorrow: "the last five years"."""
    sign, count, unit = _sign(match["rel"]), _number(match["count"], lexicon), match["unit"]
    if not sign or not count:
        return None
    first = today + timedelta(1) if sign > 0 else _away(today, -count, unit)
    last = _away(first, count, unit) if sign > 0 else today
    return first, last - timedelta(1), Granularity.YEAR


def _ago(match: re.Match[str], today: date, lexicon: Lexicon) -> _Days:
    """So many units before or after; nobody means the very day by "two years ago"."""
    sign = -1 if match["way"] in ("ago", "earlier") else 1
    day, unit = _away(today, sign * _number(match["count"], lexicon), match["unit"]), match["unit"]
    exact = unit in _DAYS or unit == "quarter"
    return (day, day, Granularity.DAY) if exact else _around(day, unit)


def _month(match: re.Match[str], today: date, lexicon: Lexicon) -> _Days:
    """The nearest such month in the direction named: "last March"."""
    month, sign = lexicon.file.months[match["month"]], _sign(match["rel"])
    passed = sign * (today.month - month) >= 0
    return _around(date(today.year + sign * passed, month, 1), "month")


def _month_of_year(match: re.Match[str], today: date, lexicon: Lexicon) -> _Days:
    year = today.year + _sign(match["rel"])
    return _around(date(year, lexicon.file.months[match["month"]], 1), "month")


def _part_of_year(match: re.Match[str], today: date, _: Lexicon) -> _Days | None:
    """A quarter or half of a year that is counted: "the third quarter of last year"."""
    half = "half" in (match["sort"], match["letter"]) or match["letter"] == "h"
    months = 6 if half else 3
    number = int(match["digit"] or 0) or NTH.get(match["nth"], 12 // months)
    if number * months > 12:
        return None
    first = date(today.year + _sign(match["rel"]), months * (number - 1) + 1, 1)
    granularity = Granularity.HALF if half else Granularity.QUARTER
    return first, moved(first, months) - timedelta(1), granularity


def _weekday(match: re.Match[str], today: date, _: Lexicon) -> _Days:
    """A day of this, the last or the next week; with "past" or "coming" the nearest one."""
    weekday, rel = _WEEKDAYS.index(match["weekday"]), match["rel"]
    ahead = (weekday - today.weekday() - 1) % 7 + 1
    days = weekday - today.weekday() + 7 * _sign(rel)
    if rel in ("coming", "upcoming"):
        days = ahead
    if rel == "past":
        days = -((today.weekday() - weekday - 1) % 7 + 1)
    day = today + timedelta(days)
    return day, day, Granularity.DAY


@cache
def _patterns(months: str, numbers: str) -> Sequence[tuple[re.Pattern[str], _Reader]]:
    count = rf"(?P<count>\d{{1,3}}|(?:{numbers})(?:[ -](?:{numbers}))?|{alternatives(_VAGUE)})"
    units, month = rf"(?P<unit>{'|'.join((*_MONTHS, *_DAYS))})s?", rf"(?P<month>{months})"
    written: tuple[tuple[str, _Reader], ...] = (
        (rf"\b(?P<what>{alternatives(_PLAIN_DAYS)})\b", _plain_day),
        (rf"\bthe (?P<what>{_REL} (?P<unit>day))\b(?! of\b)", _unit),
        (rf"\b(?P<what>{_REL} (?:calendar )?(?P<unit>week|{'|'.join(_MONTHS)}))\b(?! of\b)", _unit),
        (rf"\b(?P<what>{_REL} {count} {units})\b(?! of\b)", _several),
        (
            rf"(?<![\w.,/$€£-])(?<!more than )(?<!less than )(?P<what>{count} {units}"
            r" (?P<way>ago|earlier|later|hence|from now))"
            r"\b(?! than)(?!(?<=later) (?:in|this|that)\b)",
            _ago,
        ),
        (rf"\b(?P<what>{_REL} {month})\b", _month),
        (
            rf"(?<!to )(?<!and )\b(?P<what>{month}(?:['’]s)?,? (?:of )?{_REL} year)\b",
            _month_of_year,
        ),
        (
            rf"\b(?P<what>(?:the )?(?:(?P<nth>{'|'.join(NTH)}|last|final)[ -](?P<sort>quarter"
            rf"|half)|(?P<letter>[qh])(?P<digit>[1-4]))(?: of)? (?:the )?{_REL} year)\b",
            _part_of_year,
        ),
        (rf"\b(?P<what>{_REL} {_WEEKDAY})\b", _weekday),
        (rf"\b(?P<what>{_WEEKDAY} (?:of |in )?(?:the )?{_REL} week)\b", _weekday),
    )
    return tuple((re.compile(pattern), reader) for pattern, reader in written)
