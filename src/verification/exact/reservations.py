"""Words by which a source takes back, doubts or limits a sentence that the claim repeats.

A reader takes a close copy of a claim for support, whatever stands round it: "critics claimed
that", "failed to", "all but one". What the source says only with such a word, a claim must not say
without it, nor the other way round. The word lists are in `config/registry/words.yaml`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...claims.words import WordBook
from ..passages.retrieval import SourceText
from ..passages.units import Unit
from .edits import shared_order

# Share of a claim's words that a sentence has in their order to be a copy.
_COPIED = 0.7
# Sentences of a paragraph in which a frame such as "Exercise 3" reaches on, or back.
_REACH = 3


def reservation(claim: str, units: Sequence[Unit], source: SourceText, book: WordBook) -> str:
    """The word that keeps every copy of `claim` among `units` from stating it; "" if one does.

    Also "" where none of them is a copy.
    """
    own = _marks(claim, book)
    found = ""
    for unit in units:
        if shared_order(claim, unit.text) < _COPIED:
            continue
        theirs = _marks(unit.text, book)
        differing = sorted(theirs ^ own)
        framed = "" if book.frames.search(claim) else _frame(unit, source, book)
        if not differing and not framed:
            return ""
        found = found or framed or differing[0]
    return found


def _marks(text: str, book: WordBook) -> frozenset[str]:
    return frozenset(match[0].lower() for match in book.reservations.finditer(text))


def _frame(unit: Unit, source: SourceText, book: WordBook) -> str:
    """What frames the whole paragraph of `unit`, or the section under its heading."""
    at = source.units.index(unit)
    texts = [*unit.path[1:], unit.text]
    texts += _neighbours(at, -1, source)
    texts += _neighbours(at, 1, source)
    for text in texts:
        match = book.frames.search(text)
        if match:
            return match[0].lower()
    return ""


def _neighbours(at: int, step: int, source: SourceText) -> list[str]:
    """The sentences before or after a unit that stand in its paragraph."""
    found: list[str] = []
    for number in range(at + step, at + step * (_REACH + 1), step):
        if not 0 <= number < len(source.units):
            break
        first, last = sorted((number, number - step))
        if "\n\n" in source.text[source.units[first].end : source.units[last].start]:
            break
        found.append(source.units[number].text)
    return found
