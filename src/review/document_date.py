"""The day of a document, by which its claims are judged (decision 27)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from ..claims.dates import find_dates
from ..claims.lexicon import Lexicon
from ..claims.model import Granularity
from ..documents.model import BlockKind, Document

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


@dataclass(frozen=True, slots=True)
class ReferenceDay:
    """The day that a document's "today" is; `assumed` if the document does not state it."""

    day: date
    assumed: bool


def reference_day(document: Document, lexicon: Lexicon, as_of: date) -> ReferenceDay:
    """The document's date: front matter, a line at its head, else `as_of`."""
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
