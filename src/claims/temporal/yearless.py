"""Dates without a year in plain text: "28 June", "in October".

They are intervals of days in the placeholder year `YEARLESS`, and `DateSpan.yearless` marks them.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from ..lexicon import Lexicon, scan
from ..model import DateSpan, Granularity, Quantity

# A leap year, so that 29 February is a day of it.
YEARLESS = 2000
_DAY_BEFORE = re.compile(r"(?<![\d.,/:-])(\d{1,2}|[a-z]+)(?:st|nd|rd|th)?(?: of)?[ \u00a0-]$")
_DAY_AFTER = re.compile(
    r"\.?[ \u00a0](?:the )?(\d{1,2})(?:st|nd|rd|th)?(?![\d:%]|[.,]\d| ?(?:%|per))"
)
_YEAR_AFTER = re.compile(r"(?:\.?,? |-|/|\u00a0)(?:of )?(?:\d{4}|[’']\d\d)(?!\d|,\d)")
_CUE = re.compile(
    r"\b(?:in|of|since|until|till|by|from|to|during|through|before|after|between|and|early|late|mid"
    r"|last|next|this|each|every|for|end of|start of|beginning of|middle of|mid-)[ -]?$"
)
# "March" and "may" are other words, too.
_AMBIGUOUS = frozenset({"may", "march"})


def find_yearless(text: str, lexicon: Lexicon) -> tuple[DateSpan, ...]:
    """The dates of `text` that give no year, in order; offsets are into `text`."""
    low = scan(text, lexicon).low
    kept: list[DateSpan] = []
    for one in sorted(_months(text, low, lexicon), key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return tuple(kept)


def with_yearless(
    text: str, quantities: Sequence[Quantity], dates: Sequence[DateSpan], lexicon: Lexicon
) -> tuple[tuple[Quantity, ...], tuple[DateSpan, ...]]:
    """The quantities and dates of `text` with its dates that give no year.

    A number inside such a date ("28 June") is no quantity.
    """
    known = [(one.start, one.end) for one in dates]
    more = [one for one in find_yearless(text, lexicon) if not _overlaps(one, known)]
    taken = [(one.start, one.end) for one in more]
    kept = tuple(one for one in quantities if not _overlaps(one, taken))
    return kept, tuple(sorted((*dates, *more), key=lambda one: one.start))


def _overlaps(one: Quantity | DateSpan, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start < one.end and one.start < end for start, end in spans)


def _months(text: str, low: str, lexicon: Lexicon) -> Iterator[DateSpan]:
    for match in lexicon.months.finditer(low):
        start, end = match.span()
        before = _DAY_BEFORE.search(low, max(0, start - 16), start)
        day = _day(before[1], lexicon) if before else 0
        after = None if day else _DAY_AFTER.match(low, end)
        if _YEAR_AFTER.match(low, after.end() if after else end):
            continue
        month = lexicon.file.months[match.group()]
        if before and day:
            start = before.start()
        elif after:
            day, end = int(after[1]), after.end()
        if day or _is_month(text, low, match):
            yield from _span(text, (start, end), month, day)


def _day(word: str, lexicon: Lexicon) -> int:
    if word.isdigit():
        return int(word)
    return {"first": 1, "second": 2, "third": 3}.get(word) or lexicon.ordinal_words.get(word, 0)


def _is_month(text: str, low: str, match: re.Match[str]) -> bool:
    cue = _CUE.search(low, max(0, match.start() - 14), match.start())
    return text[match.start()].isupper() and bool(cue or match.group() not in _AMBIGUOUS)


def _span(text: str, where: tuple[int, int], month: int, day: int) -> Iterator[DateSpan]:
    """The whole month if `day` is 0."""
    start, end = where
    last = monthrange(YEARLESS, month)[1]
    if day <= last:
        yield DateSpan(
            date(YEARLESS, month, day or 1),
            date(YEARLESS, month, day or last),
            Granularity.DAY if day else Granularity.MONTH,
            text[start:end],
            start,
            end,
            yearless=True,
        )
