"""Dates without a year in plain text: "28 June", "in October", "the third quarter", "spring".

They are intervals of days in the placeholder year `YEARLESS`, and `DateSpan.yearless` marks them.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise

from .dates import NTH
from .lexicon import Lexicon, Scan, scan
from .model import DateSpan, Granularity, Quantity
from .spans import apart, overlaps

# A leap year, so that 29 February is a day of it.
YEARLESS = 2000
_DAY_BEFORE = re.compile(r"(?<![\d.,:])(\d{1,2}|[a-z]+)(?:st|nd|rd|th)?(?: of)?[ \u00a0-]$")
_DAY_AFTER = re.compile(
    r"\.?[ \u00a0](?:the )?(\d{1,2})(?:st|nd|rd|th)?(?![\d:%]|[.,]\d| ?(?:%|per))"
)
# "5–19 May", "3/4 July", "May 5–19": one end of some days has the month.
_FIRST_DAY = re.compile(r"(?<![\d.,/:-])(\d{1,2})(?: ?[-–—/] ?| and | to )$")
_LAST_DAY = re.compile(r"[-–—/](\d{1,2})(?![\d%]|[.,/:]\d)")
_YEAR_AFTER = re.compile(r"(?:\.?,? |-|/|\u00a0)(?:of )?(?:\d{4}|[’']\d\d)(?!\d|,\d)")
_CUE = re.compile(
    r"\b(?:in|of|since|until|till|by|from|to|during|through|before|after|between|and|early|late|mid"
    r"|last|next|this|each|every|for|end of|start of|beginning of|middle of|mid-)[ -]?$"
)
# "March" and "may" are other words, too.
_AMBIGUOUS = frozenset({"may", "march"})
_PART = re.compile(
    r"\b(?:(?P<nth>first|second|third|fourth|last|final|1st|2nd|3rd|4th)[ -](?P<sort>quarter\b"
    r"|three months\b(?= of the year)|half(?:-year|(?= of (?:the|this|its) (?:\w+ )?year\b)))"
    r"|q(?P<q>[1-4])\b|h(?P<h>[12])\b)"
)
_NOT_OF_YEAR = re.compile(
    r"[ -](?:of|in|fiscal|final|century|past|mile|million|marathon|back|pounder|game|match)\b"
    r"(?! (?:the|its|this|last) (?:\w+ )?year)"
)
_SEASON = re.compile(
    r"\b(?:in|during|by|since|until|of(?! the fall)|from|this|last|next|for)(?: the)?"
    r"(?: early| late)? (?P<season>spring|summer|autumn|fall)\b(?! of \d| \d)"
)
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9}
_YEAR_TO = re.compile(
    r"\b(?:the )?(?:(?:fiscal|financial|full) )?(?:year|twelve months|12 months)"
    r" (?:to|ended|ending|that ended|up to|until)(?: on)?(?: the end of| the last day of)? $",
    re.IGNORECASE,
)
_TO = re.compile(r" ?(?:to|and|until|through|up to|–|-|—) ?(?:the end of )?")
_PRECISE = frozenset({Granularity.DAY, Granularity.MONTH})
_LONGEST_LEAD = 60
_SHORT_YEAR, _LONG_YEAR = 364, 367
_NTH = NTH | {"last": 4, "final": 4}


def find_yearless(text: str, lexicon: Lexicon) -> tuple[DateSpan, ...]:
    """The dates of `text` that give no year, in order; offsets are into `text`."""
    scanned = scan(text, lexicon)
    found = [*_months(scanned), *_parts(scanned), *_seasons(scanned)]
    return apart(sorted(found, key=lambda one: (one.start, -one.end)))


def with_yearless(
    text: str, quantities: Sequence[Quantity], dates: Sequence[DateSpan], lexicon: Lexicon
) -> tuple[tuple[Quantity, ...], tuple[DateSpan, ...]]:
    """The quantities and dates of `text` with its dates that give no year.

    A number inside such a date ("the fourth quarter") is no quantity.
    """
    more = [one for one in find_yearless(text, lexicon) if not overlaps(one, dates)]
    years = list(_years(text, dates))
    kept = tuple(one for one in quantities if not overlaps(one, (*more, *years)))
    others = [one for one in (*dates, *more) if not overlaps(one, years)]
    return kept, tuple(sorted((*others, *years), key=lambda one: one.start))


def _years(text: str, dates: Sequence[DateSpan]) -> Iterator[DateSpan]:
    """Twelve months by their ends: "the year to 31 March 2023", "July 2020 to June 2021"."""
    for last in dates:
        lead = _YEAR_TO.search(text, max(0, last.start - _LONGEST_LEAD), last.start)
        if lead and last.granularity in _PRECISE and not last.yearless:
            end = last.last
            start = date(end.year - 1, end.month, min(end.day, 28)) + timedelta(days=1)
            if end.day == monthrange(end.year, end.month)[1]:
                start = date(end.year - 1 + end.month // 12, end.month % 12 + 1, 1)
            yield _twelve(text, (lead.start(), last.end), start, end)
    for first, last in pairwise(dates):
        between = text[first.end : last.start]
        precise = first.granularity in _PRECISE and last.granularity in _PRECISE
        days = (last.last - first.first).days + 1
        if precise and _TO.fullmatch(between) and _SHORT_YEAR <= days <= _LONG_YEAR:
            yield _twelve(text, (first.start, last.end), first.first, last.last)


def _twelve(text: str, where: tuple[int, int], first: date, last: date) -> DateSpan:
    start, end = where
    return DateSpan(first, last, Granularity.YEAR, text[start:end], start, end)


def _months(scan: Scan) -> Iterator[DateSpan]:
    low, lexicon = scan.low, scan.lexicon
    for match in lexicon.months.finditer(low):
        start, end = match.span()
        before = _DAY_BEFORE.search(low, max(0, start - 16), start)
        day = _day(before[1], lexicon) if before else 0
        after = None if day else _DAY_AFTER.match(low, end)
        number = lexicon.file.months[match.group()]
        if before and day and (first := _FIRST_DAY.search(low, max(0, start - 14), before.start())):
            yield from _span(scan, first.span(1), number, Granularity.DAY, day=int(first[1]))
        elif after and (last := _LAST_DAY.match(low, after.end())):
            yield from _span(scan, last.span(1), number, Granularity.DAY, day=int(last[1]))
        if _YEAR_AFTER.match(low, after.end() if after else end):
            continue
        if before and day:
            start = before.start()
        elif after:
            day, end = int(after[1]), after.end()
        if day:
            yield from _span(scan, (start, end), number, Granularity.DAY, day=day)
        elif _is_month(scan, match):
            yield from _span(scan, (start, end), number, Granularity.MONTH)


def _day(word: str, lexicon: Lexicon) -> int:
    if word.isdigit():
        return int(word)
    return {"first": 1, "second": 2, "third": 3}.get(word) or lexicon.file.numbers.ordinals.get(
        word, 0
    )


def _is_month(scan: Scan, match: re.Match[str]) -> bool:
    cue = _CUE.search(scan.low, max(0, match.start() - 14), match.start())
    return scan.text[match.start()].isupper() and bool(cue or match.group() not in _AMBIGUOUS)


def _parts(scan: Scan) -> Iterator[DateSpan]:
    for match in _PART.finditer(scan.low):
        if _YEAR_AFTER.match(scan.low, match.end()) or scan.low.startswith(" of 20", match.end()):
            continue
        number = int(match["q"] or match["h"] or _NTH[match["nth"]])
        if match["h"] or (match["sort"] or "").startswith("half"):
            number = min(number, 2)
            yield from _span(scan, match.span(), 6 * number - 5, Granularity.HALF, months=6)
        elif not _NOT_OF_YEAR.match(scan.low, match.end()):
            yield from _span(scan, match.span(), 3 * number - 2, Granularity.QUARTER, months=3)


def _seasons(scan: Scan) -> Iterator[DateSpan]:
    for match in _SEASON.finditer(scan.low):
        where = match.span("season")
        yield from _span(scan, where, _SEASONS[match["season"]], Granularity.QUARTER, months=3)


def _span(
    scan: Scan,
    where: tuple[int, int],
    month: int,
    granularity: Granularity,
    *,
    months: int = 1,
    day: int = 0,
) -> Iterator[DateSpan]:
    start, end = where
    last_month = month + months - 1
    longest = monthrange(YEARLESS, last_month)[1]
    if day <= longest:
        first, last = date(YEARLESS, month, day or 1), date(YEARLESS, last_month, day or longest)
        written = scan.text[start:end]
        yield DateSpan(first, last, granularity, written, start, end, yearless=True)
