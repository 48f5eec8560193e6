"""Where the words that an agent quotes stand in the draft."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from ..base.finding import Location
from ..documents.model import Document

_SAME = str.maketrans(
    {"\u2018": "'", "’": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "\u00a0": " "}
)


class _Folded(NamedTuple):
    """A text with white space, quotation marks and case folded; `origin` leads back."""

    text: str
    origin: list[int]


class Places:
    """Finds quoted words in one document."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def locate(self, quote: str) -> Location | None:
        """The first place of `quote`, None if it is empty or does not occur.

        Differences of white space, case and the form of quotation marks and dashes are let pass.
        """
        words = quote.strip()
        if not words:
            return None
        start = self._document.text.find(words)
        if start >= 0:
            return self._at(start, start + len(words))
        folded = _fold(words).text.strip()
        found = self._folded.text.find(folded) if folded else -1
        if found < 0:
            return None
        origin = self._folded.origin
        return self._at(origin[found], origin[found + len(folded) - 1] + 1)

    def line(self, start: int, end: int) -> Location:
        """The place of `[start, end)` with its section."""
        return self._at(start, end)

    def _at(self, start: int, end: int) -> Location:
        titles = [s.title for s in self._document.sections if s.start <= start < s.end]
        return self._document.location(start, end, " > ".join(titles))

    @cached_property
    def _folded(self) -> _Folded:
        return _fold(self._document.text)


def _fold(text: str) -> _Folded:
    characters: list[str] = []
    origin: list[int] = []
    for index, character in enumerate(text.translate(_SAME)):
        if character.isspace():
            if characters and characters[-1] == " ":
                continue
            character = " "
        # Folding case may lengthen a character; only those that keep their length are folded.
        low = character.lower()
        characters.append(low if len(low) == 1 else character)
        origin.append(index)
    return _Folded("".join(characters), origin)
