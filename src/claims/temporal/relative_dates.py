"""Dates that are counted from another one: from the document's day, or the one named before."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from ...documents.model import BlockKind, Document
from ..lexicon import Lexicon
from ..model import DateSpan, Granularity
from .dates import find_dates
from .model import Interval, Temporal
from .temporals import find_temporals

_KEYS = ("date", "published", "publish_date", "created", "updated", "modified", "last_modified")
_LINE = re.compile(
    r"\W*(?:date|dated|published|posted|released|issued|written|updated|last (?:updated|modified)"
    r"|as of|version of|draft of|status)\b",
    re.IGNORECASE,
)
# A dateline names a place and ends in a dash: "RIGA, 3 March 2026 – The port …".
_PLACE_LINE = re.compile(r"[A-Z][\w. ]{1,40}(?:, [A-Z]\w+)?[,(] ?$")
_LONGEST_LINE = 8
_FIRST_SENTENCES = 6
_CUE = re.compile(
    r"\b(?:last|this|next|past|previous|coming|following|preceding|same|ago|yesterday|today|tomorrow"
    r"|earlier|later|before|after|that (?:year|month|quarter|day))\b",
    re.IGNORECASE,
)
# Counted from the date named before, not from the day of writing.
_ANAPHORIC = re.compile(
    r"\b(?:same|following|preceding|previous|later|after|before|next day|that)\b"
    r"|\bearlier\b(?! this)",
    re.IGNORECASE,
)
_UNIT = re.compile(r"\b(year|month|decade)s? (?:ago|later|earlier|before|after)\b", re.IGNORECASE)
_FORMS = (
    (re.compile(r"\d{4}-\d\d-\d\d|\d{4}-W\d\d"), Granularity.DAY),
    (re.compile(r"\d{4}-\d\d"), Granularity.MONTH),
    (re.compile(r"\d{4}-Q\d"), Granularity.QUARTER),
    (re.compile(r"\d{4}-H\d"), Granularity.HALF),
    (re.compile(r"\d{4}|\(.*"), Granularity.YEAR),
    (re.compile(r"\d{3}X"), Granularity.DECADE),
    (re.compile(r"\d\dXX"), Granularity.CENTURY),
)
_FINENESS = tuple(Granularity)


@dataclass(frozen=True, slots=True)
class ReferenceDay:
    """The day that a document's "today" is; `assumed` if the document does not state it."""

    day: date
    assumed: bool


def reference_day(document: Document, lexicon: Lexicon, as_of: date) -> ReferenceDay:
    """The document's date (decision 27): front matter, a line at its head, else `as_of`."""
    entries = {name.casefold(): value for name, value in document.front_matter}
    values = [entries[key] for key in _KEYS if key in entries]
    for text in (*values, *_head_lines(document, lexicon)):
        for found in find_dates(text, lexicon):
            if found.granularity in (Granularity.DAY, Granularity.MONTH) and found.first <= as_of:
                return ReferenceDay(min(found.last, as_of), assumed=False)
    return ReferenceDay(as_of, assumed=True)


def _head_lines(document: Document, lexicon: Lexicon) -> Iterator[str]:
    """What at the head of a document says its date: a short line, or the start of the text."""
    prose = [
        one.text
        for one in document.sentences[: 3 * _FIRST_SENTENCES]
        # A line that is nothing but a date reads as an entry of a list of references.
        if one.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.REFERENCE)
    ]
    for text in prose[:_FIRST_SENTENCES]:
        dates = find_dates(text, lexicon)
        if not dates:
            continue
        first = dates[0]
        rest = text[: first.start] + text[first.end :]
        bare = not rest.strip(" *_().,:")
        line = len(rest.split()) <= _LONGEST_LINE and (bare or _LINE.match(text))
        after = text[first.end :].lstrip(" )")[:1]
        if line or (_PLACE_LINE.match(text[: first.start]) and after in ("-", "–", "—")):
            yield first.text


def is_counted(text: str) -> bool:
    """Whether `text` may have a date that is counted from another."""
    return _CUE.search(text) is not None


def find_relative_dates(
    text: str,
    known: Sequence[DateSpan],
    before: DateSpan | None,
    today: ReferenceDay,
    lexicon: Lexicon,
) -> tuple[DateSpan, ...]:
    """The dates of `text` that are counted from another, in order; none overlaps one of `known`.

    `before` is the last date named before `text`: "the same month" is counted from it or from one
    of `known` that stands before. What could mean two days or none is left out.
    """
    found: list[DateSpan] = []
    for one in find_temporals(text, lexicon, _noon(today.day)):
        if not one.relative or any(d.start < one.end and one.start < d.end for d in known):
            continue
        if not is_counted(one.text):
            continue
        earlier = [date for date in known if date.end <= one.start]
        anchor = earlier[-1] if earlier else before
        if not _ANAPHORIC.search(one.text):
            span = _span(one, assumed=today.assumed)
        else:
            span = _counted(one, anchor, lexicon) if anchor else None
        if span:
            found.append(span)
    return tuple(found)


def _counted(one: Temporal, anchor: DateSpan, lexicon: Lexicon) -> DateSpan | None:
    """`one` counted from `anchor`, if that is as fine as what is counted."""
    (again, *_) = (*find_temporals(one.text, lexicon, _noon(anchor.first)), one)
    span = _span(again, assumed=anchor.assumed) if again is not one else None
    if span is None or _FINENESS.index(anchor.granularity) > _FINENESS.index(span.granularity):
        return None
    return replace(span, text=one.text, start=one.start, end=one.end)


def _noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 12)


def _span(one: Temporal, *, assumed: bool) -> DateSpan | None:
    granularity = next((g for form, g in _FORMS if form.fullmatch(one.timex)), None)
    if granularity is None or len(one.readings) != 1:
        return None
    days = _days(one.readings[0])
    if days is None:
        return None
    first, last = days
    unit = _UNIT.search(one.text)
    if unit:
        granularity = Granularity(unit[1].lower())
        first, last = _whole(first, granularity)
    return DateSpan(
        first, last, granularity, one.text, one.start, one.end, relative=True, assumed=assumed
    )


def _days(reading: Interval) -> tuple[date, date] | None:
    start, end = reading.start, reading.end
    if not isinstance(start, datetime) or not isinstance(end, datetime) or start >= end:
        return None
    return start.date(), (end - timedelta(seconds=1)).date()


def _whole(day: date, granularity: Granularity) -> tuple[date, date]:
    """The month, year or ten years around a day: nobody means the day by "two years ago"."""
    if granularity is Granularity.MONTH:
        return day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])
    first = day.year - (day.year % 10 if granularity is Granularity.DECADE else 0)
    last = first + (9 if granularity is Granularity.DECADE else 0)
    return date(first, 1, 1), date(last, 12, 31)
