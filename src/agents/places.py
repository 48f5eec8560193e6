"""Places of words that an agent quotes, in the document and in its sources."""

from __future__ import annotations

import bisect
from dataclasses import dataclass

from ..base.vocabulary import Location
from ..documents.model import Document
from ..documents.source import line_starts
from ..sources.model import Snapshot, SourceSet
from ..verification.exact.quotes import quote_in_text
from ..verification.model import Passage
from ..verification.passages.units import widen_to_units


class Places:
    """Finds quoted words in one document."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def locate(self, quote: str) -> Location | None:
        """The first place of `quote`, None if it is empty or does not occur.

        Typography is let pass as it is for quotations: white space, marks and dashes.
        """
        text = self._document.text
        found = _span(quote, text) if quote.strip() and quote in text else None
        found = found or _span(quote.strip(), text)
        return self._at(*found) if found else None

    def _at(self, start: int, end: int) -> Location:
        titles = [s.title for s in self._document.sections if s.start <= start < s.end]
        return self._document.location(start, end, " > ".join(titles))


@dataclass(frozen=True, slots=True)
class QuotedText:
    """Words as a document has them, and the line (from 1) in which they begin."""

    words: str
    line: int


def find_quoted(quote: str, text: str, line: int = 0) -> QuotedText | None:
    """The words of `quote` in `text`, in `line` if they begin there, else at their first place.

    Typography is let pass as in `Places.locate`. None if they stand nowhere.
    """
    words, starts = quote.strip(), line_starts(text)
    if 1 <= line <= len(starts):
        first = starts[line - 1]
        end = starts[line] if line < len(starts) else len(text)
        here = _span(words, text[first:])
        if here is not None and here[0] < end - first:
            return QuotedText(text[first + here[0] : first + here[1]], line)
    found = _span(words, text)
    if found is None:
        return None
    return QuotedText(text[slice(*found)], bisect.bisect_right(starts, found[0]))


def passage_with(words: str, url: str, sources: SourceSet) -> Passage | None:
    """The whole sentences of the source `url` that hold `words`; None if it does not have them."""
    readable = sources.readable(url)
    place = quote_in_text(words, readable[1]) if readable else None
    if readable is None or place is None:
        return None
    return whole_passage("quoted", url, *readable, *place)


def whole_passage(
    name: str, url: str, snapshot: Snapshot, text: str, start: int, end: int
) -> Passage:
    """The passage `name` from `start` to `end`, widened to whole sentences."""
    start, end = widen_to_units(text, start, end)
    return Passage(name, url, snapshot.sha256, start, end, text[start:end], 1.0)


def _span(words: str, text: str) -> tuple[int, int] | None:
    """Where `words` stand, as they are or with other typography."""
    if not words:
        return None
    start = text.find(words)
    return (start, start + len(words)) if start >= 0 else quote_in_text(words, text)
