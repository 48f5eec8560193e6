"""Dates without a year in plain text: "28 June", "in October", "the third quarter", "spring".

They are intervals of days in the placeholder year `YEARLESS`, and `DateSpan.yearless` marks them.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise

from .lexicon import Lexicon, scan
from .model import DateSpan, Granularity, Quantity

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
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "final": 4}


def find_yearless(text: str, lexicon: Lexicon) -> tuple[DateSpan, ...]:
    """The dates of `text` that give no year, in order; offsets are into `text`."""
    low = scan(text, lexicon).low
    found = [*_months(text, low, lexicon), *_parts(text, low), *_seasons(text, low)]
    kept: list[DateSpan] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return tuple(kept)


def with_yearless(
    text: str, quantities: Sequence[Quantity], dates: Sequence[DateSpan], lexicon: Lexicon
) -> tuple[tuple[Quantity, ...], tuple[DateSpan, ...]]:
    """The quantities and dates of `text` with its dates that give no year.

    A number inside such a date ("the fourth quarter") is no quantity.
    """
    known = [(one.start, one.end) for one in dates]
    more = [one for one in find_yearless(text, lexicon) if not _overlaps(one, known)]
    taken = [(one.start, one.end) for one in more]
    years = list(_years(text, dates))
    taken += [(one.start, one.end) for one in years]
    kept = tuple(one for one in quantities if not _overlaps(one, taken))
    others = [
        one for one in (*dates, *more) if not _overlaps(one, [(y.start, y.end) for y in years])
    ]
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


def _overlaps(one: Quantity | DateSpan, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start < one.end and one.start < end for start, end in spans)


def _months(text: str, low: str, lexicon: Lexicon) -> Iterator[DateSpan]:
    for match in lexicon.months.finditer(low):
        start, end = match.span()
        before = _DAY_BEFORE.search(low, max(0, start - 16), start)
        day = _day(before[1], lexicon) if before else 0
        after = None if day else _DAY_AFTER.match(low, end)
        number = lexicon.file.months[match.group()]
        if before and day and (first := _FIRST_DAY.search(low, max(0, start - 14), before.start())):
            yield from _span(text, first.span(1), number, Granularity.DAY, day=int(first[1]))
        elif after and (last := _LAST_DAY.match(low, after.end())):
            yield from _span(text, last.span(1), number, Granularity.DAY, day=int(last[1]))
        if _YEAR_AFTER.match(low, after.end() if after else end):
            continue
        if before and day:
            start = before.start()
        elif after:
            day, end = int(after[1]), after.end()
        if day:
            yield from _span(text, (start, end), number, Granularity.DAY, day=day)
        elif _is_month(text, low, match):
            yield from _span(text, (start, end), number, Granularity.MONTH)


def _day(word: str, lexicon: Lexicon) -> int:
    if word.isdigit():
        return int(word)
    return {"first": 1, "second": 2, "third": 3}.get(word) or lexicon.ordinal_words.get(word, 0)


def _is_month(text: str, low: str, match: re.Match[str]) -> bool:
    cue = _CUE.search(low, max(0, match.start() - 14), match.start())
    return text[match.start()].isupper() and bool(cue or match.group() not in _AMBIGUOUS)


def _parts(text: str, low: str) -> Iterator[DateSpan]:
    for match in _PART.finditer(low):
        if _YEAR_AFTER.match(low, match.end()) or low.startswith(" of 20", match.end()):
            continue
        half = match["h"] or (match["sort"] or "").startswith("half")
        number = int(match["q"] or match["h"] or 0) or _NTH.get(match["nth"], 0)
        number = number or int(match["nth"][0])
        if half:
            number = min(number, 2)
            yield from _span(text, match.span(), 6 * number - 5, Granularity.HALF, months=6)
        elif not _NOT_OF_YEAR.match(low, match.end()):
            yield from _span(text, match.span(), 3 * number - 2, Granularity.QUARTER, months=3)


def _seasons(text: str, low: str) -> Iterator[DateSpan]:
    for match in _SEASON.finditer(low):
        where = match.span("season")
        yield from _span(text, where, _SEASONS[match["season"]], Granularity.QUARTER, months=3)


def _span(
    text: str,
    where: tuple[int, int],
    month: int,
    granularity: Granularity,
    *,
    months: int = 1,
    day: int = 0,
) -> Iterator[DateSpan]:
    start, end = where
    last_month = month + months - 1
    last_day = day or monthrange(YEARLESS, last_month)[1]
    if last_day > monthrange(YEARLESS, last_month)[1]:
        return
    first, last = date(YEARLESS, month, day or 1), date(YEARLESS, last_month, last_day)
    yield DateSpan(first, last, granularity, text[start:end], start, end, yearless=True)
