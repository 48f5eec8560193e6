"""The figures of a document, read once for every check that compares them with each other."""

from __future__ import annotations

from dataclasses import dataclass

from ...base.vocabulary import Location
from ...documents.model import BlockKind, Document, Sentence
from ..lexicon import Lexicon
from ..model import DateSpan, Quantity
from ..quantity.quantities import find_slots

_READ = frozenset(
    {
        BlockKind.PARAGRAPH,
        BlockKind.LIST_ITEM,
        BlockKind.TABLE_ROW,
        BlockKind.TABLE_HEADER,
        BlockKind.FOOTNOTE,
        BlockKind.HEADING,
    }
)


@dataclass(frozen=True, slots=True)
class Figures:
    """A sentence with its quantities and dates, whose offsets are into the sentence's text."""

    sentence: Sentence
    quantities: tuple[Quantity, ...]
    dates: tuple[DateSpan, ...]

    @property
    def text(self) -> str:
        """The sentence as a reader sees it."""
        return self.sentence.text

    def before(self, start: int, most: int) -> str:
        """At most `most` characters of the text before `start`."""
        return self.text[max(0, start - most) : start]


@dataclass(frozen=True, slots=True)
class Place:
    """Words of the document that a check is about: `sentence` is the index of their sentence."""

    sentence: int
    text: str
    location: Location


def read_figures(document: Document, lexicon: Lexicon) -> tuple[Figures, ...]:
    """Every sentence of the author's own, with or without figures, in order.

    Quotations and code are left out: what others reckoned is theirs.
    """
    return tuple(
        Figures(sentence, *find_slots(sentence.text, lexicon))
        for sentence in document.sentences
        if sentence.kind in _READ and sentence.text
    )


def place(document: Document, sentence: Sentence, start: int, end: int) -> Place:
    """Where `sentence.text[start:end]` stands."""
    first, last = sentence.source_span(start, end)
    location = document.location(first, last, " > ".join(sentence.section))
    return Place(sentence.index, sentence.text[start:end], location)
