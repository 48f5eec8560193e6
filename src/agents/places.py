"""Where the words that an agent quotes stand in the draft."""

from __future__ import annotations

from ..base.finding import Location
from ..documents.model import Document
from ..verification.reading.quotes import quote_in_text


class Places:
    """Finds quoted words in one document."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def locate(self, quote: str) -> Location | None:
        """The first place of `quote`, None if it is empty or does not occur.

        Typography is let pass as it is for quotations: white space, marks and dashes.
        """
        words = quote.strip()
        if not words:
            return None
        start = self._document.text.find(words)
        if start >= 0:
            return self._at(start, start + len(words))
        found = quote_in_text(words, self._document.text)
        return self._at(*found) if found else None

    def _at(self, start: int, end: int) -> Location:
        titles = [s.title for s in self._document.sections if s.start <= start < s.end]
        return self._document.location(start, end, " > ".join(titles))
