"""Dates that are counted from another one: from the document's day, or the one named before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from ...documents.model import BlockKind, Document
from ..classify import is_readable
from ..context import preceding
from ..lexicon import Lexicon
from ..model import Claim, DateSpan, Granularity
from .dates import find_dates
from .relative_expressions import RelativeDate, find_relative

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
    """Dates at the head of a document that may date it: from a short line or a dateline."""
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


def relative_dates(
    claim: Claim, document: Document, today: ReferenceDay, lexicon: Lexicon
) -> tuple[DateSpan, ...]:
    """The dates of a claim that are counted from `today`, or from one named before."""
    if not is_readable(document, claim.text) or not _CUE.search(claim.text):
        return ()
    sentence = document.sentences[claim.sentence]
    before = (find_dates(one.text, lexicon) for one in preceding(document, sentence))
    last = next((dates[-1] for dates in before if dates), None)
    return find_relative_dates(claim.text, claim.dates, last, today, lexicon)


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
    for one in find_relative(text, today.day, lexicon):
        written = text[one.start : one.end]
        if any(day.start < one.end and one.start < day.end for day in known):
            continue
        if not _ANAPHORIC.search(written):
            found.append(_span(text, one, assumed=today.assumed))
            continue
        earlier = [day for day in known if day.end <= one.start]
        anchor = earlier[-1] if earlier else before
        if anchor is not None:
            found += _counted(text, one, anchor, lexicon)
    return tuple(found)


def _counted(
    text: str, one: RelativeDate, anchor: DateSpan, lexicon: Lexicon
) -> Iterator[DateSpan]:
    """`one` counted from `anchor`, if that is as fine as what is counted."""
    for again in find_relative(text[: one.end], anchor.first, lexicon):
        fine = _FINENESS.index(anchor.granularity) <= _FINENESS.index(again.granularity)
        if again[3:] == one[3:] and fine:
            yield _span(text, again, assumed=anchor.assumed)


def _span(text: str, one: RelativeDate, *, assumed: bool) -> DateSpan:
    written = text[one.start : one.end]
    first, last, granularity, start, end = one
    return DateSpan(first, last, granularity, written, start, end, relative=True, assumed=assumed)
