"""The textual lens: references, wording, repetitions and quotation marks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from .model import Flaw, FlawKind
from .reading import Reading
from .references import references
from .repetition import repetitions
from .wording import wording


def textual_flaws(reading: Reading) -> Iterator[Flaw]:
    """Every flaw of the text as a text, in no order."""
    yield from references(reading)
    yield from wording(reading)
    yield from repetitions(reading)
    yield from _quotations(reading)


def _quotations(reading: Reading) -> Iterator[Flaw]:
    """Paragraphs in which a quotation is opened and not closed, or closed and not opened."""
    for _, group in groupby(reading.prose, key=lambda sentence: sentence.block):
        sentences = list(group)
        marks = [
            (sentence, at)
            for sentence in sentences
            for at, char in enumerate(sentence.text)
            if char == '"' and not _is_inch(sentence.text, at)
        ]
        opened = [(s, at) for s in sentences for at, char in enumerate(s.text) if char in "“„«"]
        closed = [(s, at) for s in sentences for at, char in enumerate(s.text) if char in "”»"]
        odd = marks[-1] if len(marks) % 2 else None
        if odd is None and len(opened) != len(closed) and not any("„" in s.text for s in sentences):
            odd = (opened or closed)[-1]
        if odd is not None:
            sentence, at = odd
            yield reading.flaw(
                FlawKind.UNCLOSED_QUOTATION,
                sentence,
                "A quotation mark of this paragraph has no partner.",
                span=(at, min(len(sentence.text), at + 60)),
            )


def _is_inch(text: str, at: int) -> bool:
    return at > 0 and text[at - 1].isdigit() and (at + 1 == len(text) or text[at + 1] in " ,.;)x")
