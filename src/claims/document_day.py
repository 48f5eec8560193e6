"""The day that a document gives for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from ..documents.model import BlockKind, Document
from .dates import find_dates
from .lexicon import Lexicon
from .model import Granularity

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


def day_written(document: Document, lexicon: Lexicon, *, until: date | None = None) -> date | None:
    """The day in the front matter, in a line at the head or in a dateline (decision 27).

    A month stands for its last day. A day after `until` is none.
    """
    entries = {name.casefold(): value for name, value in document.front_matter}
    values = [entries[key] for key in _KEYS if key in entries]
    for text in (*values, *_head_lines(document, lexicon)):
        for found in find_dates(text, lexicon):
            if found.granularity not in (Granularity.DAY, Granularity.MONTH):
                continue
            if until is None or found.first <= until:
                return min(found.last, until) if until else found.last
    return None


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
