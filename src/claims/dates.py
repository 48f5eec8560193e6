"""Date expressions in plain text, as closed intervals of days.

Dates that need a reference day ("last year", "14 May" without a year) and numeric dates of unclear
order (03/04/2025) are left out; their digits are still kept from being read as quantities.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

from .lexicon import Lexicon, Scan, scan
from .model import DateSpan, Granularity, Quantity
from .spans import apart, overlaps

FIRST_YEAR, LAST_YEAR = 1000, 2199
_NUMERIC = re.compile(r"(?<![\d/.-])(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?![\d/-]|\.\d)")
_CLOCK = re.compile(r":\d\d(?::\d\d)?(?!\d)(?: ?[ap]\.?m\b)?")
_HOUR_BEFORE = re.compile(r"(?<![\d:])\d{1,2}$")
_HOUR = re.compile(r"(?<!\d)\d{1,2} ?[ap]\.?m\b")
_YEAR = re.compile(r"(?<![\w.,/$€£¥#])(1[0-9]\d\d|20\d\d|21\d\d)(s|'s|’s)?(?![\w%€£$°]|[,.:]\d)")
_FISCAL_WORD = r"(?:fiscal|financial|tax|budget|school|academic)(?: year)?"
_FISCAL = re.compile(
    rf"(?<![^\W_])(?=[qftbsa])(?:(q)([1-4]) ?(?:of )?)?(?:fy|{_FISCAL_WORD})"
    r"[ '’]?(\d{4}|\d{2})(?:[/–-](\d{4}|\d{2}))?(?!\d)(?: (q)([1-4]))?\b"
)
_CENTURY = re.compile(r"[ -]century\b")
_ORDINAL_BEFORE = re.compile(r"\b(\d{1,2}(?:st|nd|rd|th)|twenty-first|[a-z]+)$")
_DAY_BEFORE = re.compile(r"(?<![\d.,/:-])(\d{1,2})(?:st|nd|rd|th)?(?: of)?[ \u00a0-]$")
_DAY_AFTER = re.compile(r"\.?[ \u00a0](\d{1,2})(?:st|nd|rd|th)?(?![\d:%]|[.,/]\d)")
_YEAR_AFTER = re.compile(r"\.?(?:,? (?:of )?|-|\u00a0)(\d{4})(?!\d|[.,]\d)")
NTH = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_PART_BEFORE = re.compile(
    r"\b(?:(q|h)([1-4])"
    r"|(?:the )?(first|second|third|fourth|1st|2nd|3rd|4th)( fiscal)? (quarter|half))"
    r"(?:,? | of | of the year |[ -])$"
)
# "The late 2010s", "the mid-nineties": which years of the ten are meant.
_DECADE_PART = re.compile(r"\b(early|mid|middle|late)(?:[ -]|(?: of)? the )$")
_DECADE_YEARS = {"early": (0, 4), "mid": (3, 7), "middle": (3, 7), "late": (6, 9)}
_DECADE_WORD = re.compile(
    r"(?P<cue>\b(?:the|early|mid|late|nineteen)[ -])"
    r"(?P<word>twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)\b"
)
_DECADE_WORDS = {
    "twenties": 1920, "thirties": 1930, "forties": 1940, "fifties": 1950, "sixties": 1960,
    "seventies": 1970, "eighties": 1980, "nineties": 1990,
}  # fmt: skip
_QUARTER_AFTER = re.compile(r"[ -]q([1-4])\b")
_YEAR_RANGE = re.compile(r" ?[-–—/] ?(\d{4}|\d{2})(?![\d%]|[.,]\d)")
_WORD_BEFORE = re.compile(r"([a-z.§#]+)[ \u00a0(]*$")
_WORD_AFTER = re.compile(r"[ \u00a0-]([a-z]+)")
# Words after which four digits are a year even if a counted noun could follow.
_YEAR_CUES = frozenset(
    {"in", "since", "during", "until", "till", "by", "early", "late", "mid", "year"}
)


class DateMatch(NamedTuple):
    """Characters that belong to a date or time; `span` is None when it cannot be resolved."""

    start: int
    end: int
    span: DateSpan | None


def find_dates(text: str, lexicon: Lexicon) -> tuple[DateSpan, ...]:
    """The resolved dates of `text`, in order; offsets are into `text`."""
    return tuple(match.span for match in match_dates(scan(text, lexicon)) if match.span)


def match_dates(scan: Scan) -> tuple[DateMatch, ...]:
    """Every date and time of a text, in order, none overlapping."""
    finders = (_fiscal, _written, _numeric, _centuries, _spelled_decades, _times, _years)
    found = [match for finder in finders for match in finder(scan)]
    return apart(sorted(found, key=lambda match: (match.start, -match.end)))


def _span(
    scan: Scan,
    where: tuple[int, int],
    days: tuple[date, date],
    granularity: Granularity,
    *,
    fiscal: bool = False,
) -> DateMatch:
    start, end = where
    span = DateSpan(*days, granularity, scan.text[start:end], start, end, fiscal)
    return DateMatch(start, end, span)


def _month_days(year: int, month: int, months: int = 1) -> tuple[date, date]:
    last = month + months - 1
    return date(year, month, 1), date(year, last, monthrange(year, last)[1])


def _year_days(first: int, last: int) -> tuple[date, date]:
    return date(first, 1, 1), date(last, 12, 31)


def _quarter_days(year: int, quarter: int) -> tuple[date, date]:
    return _month_days(year, 3 * quarter - 2, 3)


def _day(year: int, month: int, day: int) -> tuple[date, date] | None:
    if not (FIRST_YEAR <= year <= LAST_YEAR and 1 <= month <= 12):
        return None
    if not 1 <= day <= monthrange(year, month)[1]:
        return None
    return date(year, month, day), date(year, month, day)


def _written(scan: Scan) -> Iterator[DateMatch]:
    low = scan.low
    for match in scan.lexicon.months.finditer(low):
        start, end = match.span()
        before = _DAY_BEFORE.search(low, max(0, start - 12), start)
        after = None if before else _DAY_AFTER.match(low, end)
        if before:
            start = before.start()
        if after:
            end = after.end()
        year, day = _YEAR_AFTER.match(low, end), before or after
        if year:
            month = scan.lexicon.file.months[match.group()]
            where = start, year.end()
            yield _dated(scan, where, int(year[1]), month, int(day[1]) if day else None)
        elif day:
            yield DateMatch(start, end, None)


def _dated(scan: Scan, where: tuple[int, int], year: int, month: int, day: int | None) -> DateMatch:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return DateMatch(*where, None)
    if day is None:
        return _span(scan, where, _month_days(year, month), Granularity.MONTH)
    days = _day(year, month, day)
    return _span(scan, where, days, Granularity.DAY) if days else DateMatch(*where, None)


def _numeric(scan: Scan) -> Iterator[DateMatch]:
    for match in _NUMERIC.finditer(scan.low):
        days = _numeric_day(match[1], match[2], match[3], match[4])
        where = match.span()
        yield _span(scan, where, days, Granularity.DAY) if days else DateMatch(*where, None)


def _numeric_day(first: str, mark: str, second: str, third: str) -> tuple[date, date] | None:
    if len(first) == 4:
        return _day(int(first), int(second), int(third))
    if len(third) != 4 or len(first) > 2:
        return None
    one, two, year = int(first), int(second), int(third)
    if mark == "." or one > 12:
        return _day(year, two, one)
    # Day first or month first: only a number above 12, or both alike, settles it.
    return _day(year, one, two) if two > 12 or one == two else None


def _fiscal(scan: Scan) -> Iterator[DateMatch]:
    for match in _FISCAL.finditer(scan.low):
        year = int(match[3]) if len(match[3]) == 4 else 2000 + int(match[3])
        if not FIRST_YEAR <= year <= LAST_YEAR:
            continue
        start, quarter = match.start(), int(match[2] or match[6] or 0)
        before = None if quarter else _PART_BEFORE.search(scan.low, max(0, start - 30), start)
        if before and (before[1] == "q" or before[5] == "quarter"):
            quarter, start = int(before[2] or NTH[before[3]]), before.start()
        where = start, match.end()
        days = _quarter_days(year, quarter) if quarter else _year_days(year, year)
        granularity = Granularity.QUARTER if quarter else Granularity.YEAR
        yield _span(scan, where, days, granularity, fiscal=True)


def _centuries(scan: Scan) -> Iterator[DateMatch]:
    for match in _CENTURY.finditer(scan.low):
        end = match.start()
        before = _ORDINAL_BEFORE.search(scan.low, max(0, end - 16), end)
        word = before[1] if before else ""
        ordinals = {**scan.lexicon.file.numbers.ordinals, "twenty-first": 21}
        number = int(word[:-2]) if word[:1].isdigit() else ordinals.get(word, 0)
        if before and 10 < number < 22:
            days = _year_days(100 * number - 99, 100 * number)
            yield _span(scan, (before.start(), match.end()), days, Granularity.CENTURY)


def _times(scan: Scan) -> Iterator[DateMatch]:
    for match in _CLOCK.finditer(scan.low):
        before = _HOUR_BEFORE.search(scan.low, max(0, match.start() - 3), match.start())
        if before:
            yield DateMatch(before.start(), match.end(), None)
    for match in _HOUR.finditer(scan.low):
        yield DateMatch(*match.span(), None)


def _years(scan: Scan) -> Iterator[DateMatch]:
    for match in _YEAR.finditer(scan.low):
        if match[2]:
            yield from _decade(scan, match)
        elif _is_year(scan, match.span()):
            yield _part_of_year(scan, match.span()) or _whole_year(scan, match.span())


def _decade(scan: Scan, match: re.Match[str]) -> Iterator[DateMatch]:
    """The 1990s; the 1800s are a century, the 2000s a decade."""
    year = int(match[1])
    if year % 100 == 0 and year < 2000:
        yield _span(scan, match.span(), _year_days(year, year + 99), Granularity.CENTURY)
    elif year % 10 == 0:
        yield _in_decade(scan, match.span(), year)


def _spelled_decades(scan: Scan) -> Iterator[DateMatch]:
    if "ties" in scan.low:
        for match in _DECADE_WORD.finditer(scan.low):
            yield _in_decade(scan, match.span("word"), _DECADE_WORDS[match["word"]])


def _in_decade(scan: Scan, place: tuple[int, int], year: int) -> DateMatch:
    start, end = place
    part = _DECADE_PART.search(scan.low, max(0, start - 16), start)
    first, last = _DECADE_YEARS[part[1]] if part else (0, 9)
    start = part.start() if part else start
    days = _year_days(year + first, year + last)
    return _span(scan, (start, end), days, Granularity.DECADE)


def _part_of_year(scan: Scan, place: tuple[int, int]) -> DateMatch | None:
    """The quarter or half of the year at `place`, if one is named before or after it."""
    start, end = place
    year = int(scan.low[start:end])
    if after := _QUARTER_AFTER.match(scan.low, end):
        where = start, after.end()
        return _span(scan, where, _quarter_days(year, int(after[1])), Granularity.QUARTER)
    before = _PART_BEFORE.search(scan.low, max(0, start - 40), start)
    if not before:
        return None
    number, where = int(before[2] or NTH[before[3]]), (before.start(), end)
    fiscal = bool(before[4])
    if before[1] == "q" or before[5] == "quarter":
        days = _quarter_days(year, number)
        return _span(scan, where, days, Granularity.QUARTER, fiscal=fiscal)
    if number > 2:
        return DateMatch(*where, None)
    days = _month_days(year, 6 * number - 5, 6)
    return _span(scan, where, days, Granularity.HALF, fiscal=fiscal)


def _whole_year(scan: Scan, place: tuple[int, int]) -> DateMatch:
    start, end = place
    year = last = int(scan.low[start:end])
    other = _YEAR_RANGE.match(scan.low, end)
    if other:
        last = int(other[1]) if len(other[1]) == 4 else year - year % 100 + int(other[1])
    if other and year < last <= min(year + 100, LAST_YEAR):
        # "2021/22" is a year of its own that begins in one calendar year and ends in the next.
        fiscal = "/" in other[0] and last == year + 1
        days = _year_days(year, last)
        return _span(scan, (start, other.end()), days, Granularity.YEAR, fiscal=fiscal)
    return _span(scan, (start, end), _year_days(year, year), Granularity.YEAR)


def _is_year(scan: Scan, place: tuple[int, int]) -> bool:
    """Whether four digits are a year and not a count, an amount or a number of something."""
    start, end = place
    lexicon = scan.lexicon
    before = _WORD_BEFORE.search(scan.low, max(0, start - 16), start)
    word = before[1] if before else ""
    money = lexicon.currency_before.search(scan.text, max(0, start - 5), start)
    if word in lexicon.file.structural or money:
        return False
    after = _WORD_AFTER.match(scan.low, end)
    following = after[1] if after else ""
    if _is_unit(following, lexicon):
        return False
    if word in _YEAR_CUES:
        return True
    year = int(scan.low[start:end])
    counted = following in lexicon.file.irregular_plurals or (
        year % 50 == 0 and len(following) > 3 and following[-1] == "s" and following[-2] != "s"
    )
    return 1400 <= year <= 2100 and not counted


def _is_unit(word: str, lexicon: Lexicon) -> bool:
    tables = (lexicon.file.numbers.scales, lexicon.unit_words, lexicon.currency_words)
    return word in ("percent", "per") or any(word in table for table in tables)


# A leap year, so that 29 February is a day of it.
YEARLESS = 2000
_BARE_DAY_BEFORE = re.compile(r"(?<![\d.,:])(\d{1,2}|[a-z]+)(?:st|nd|rd|th)?(?: of)?[ \u00a0-]$")
_BARE_DAY_AFTER = re.compile(
    r"\.?[ \u00a0](?:the )?(\d{1,2})(?:st|nd|rd|th)?(?![\d:%]|[.,]\d| ?(?:%|per))"
)
# "5–19 May", "3/4 July", "May 5–19": one end of some days has the month.
_FIRST_DAY = re.compile(r"(?<![\d.,/:-])(\d{1,2})(?: ?[-–—/] ?| and | to )$")
_LAST_DAY = re.compile(r"[-–—/](\d{1,2})(?![\d%]|[.,/:]\d)")
_ANY_YEAR_AFTER = re.compile(r"(?:\.?,? |-|/|\u00a0)(?:of )?(?:\d{4}|[’']\d\d)(?!\d|,\d)")
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
    years = list(_years_to(text, dates))
    kept = tuple(one for one in quantities if not overlaps(one, (*more, *years)))
    others = [one for one in (*dates, *more) if not overlaps(one, years)]
    return kept, tuple(sorted((*others, *years), key=lambda one: one.start))


def _years_to(text: str, dates: Sequence[DateSpan]) -> Iterator[DateSpan]:
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
        before = _BARE_DAY_BEFORE.search(low, max(0, start - 16), start)
        day = _day_of_month(before[1], lexicon) if before else 0
        after = None if day else _BARE_DAY_AFTER.match(low, end)
        number = lexicon.file.months[match.group()]
        if before and day and (first := _FIRST_DAY.search(low, max(0, start - 14), before.start())):
            yield from _bare_span(scan, first.span(1), number, Granularity.DAY, day=int(first[1]))
        elif after and (last := _LAST_DAY.match(low, after.end())):
            yield from _bare_span(scan, last.span(1), number, Granularity.DAY, day=int(last[1]))
        if _ANY_YEAR_AFTER.match(low, after.end() if after else end):
            continue
        if before and day:
            start = before.start()
        elif after:
            day, end = int(after[1]), after.end()
        if day:
            yield from _bare_span(scan, (start, end), number, Granularity.DAY, day=day)
        elif _is_month(scan, match):
            yield from _bare_span(scan, (start, end), number, Granularity.MONTH)


def _day_of_month(word: str, lexicon: Lexicon) -> int:
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
        if _ANY_YEAR_AFTER.match(scan.low, match.end()) or scan.low.startswith(
            " of 20", match.end()
        ):
            continue
        number = int(match["q"] or match["h"] or _NTH[match["nth"]])
        if match["h"] or (match["sort"] or "").startswith("half"):
            number = min(number, 2)
            yield from _bare_span(scan, match.span(), 6 * number - 5, Granularity.HALF, months=6)
        elif not _NOT_OF_YEAR.match(scan.low, match.end()):
            yield from _bare_span(scan, match.span(), 3 * number - 2, Granularity.QUARTER, months=3)


def _seasons(scan: Scan) -> Iterator[DateSpan]:
    for match in _SEASON.finditer(scan.low):
        where = match.span("season")
        yield from _bare_span(scan, where, _SEASONS[match["season"]], Granularity.QUARTER, months=3)


def _bare_span(
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
