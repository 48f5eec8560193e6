"""The textual lens: references, wording, repetitions and quotation marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from ..documents.model import Sentence
from .model import Flaw, FlawKind
from .reading import Reading
from .references import references
from .repetition import repetitions
from .wording import wording

_SHOWN = 60
"""Characters of an open quotation that its finding quotes."""

_OPENED = re.compile(r"(?<![\w\u2019'])\u2018(?=\w)(?!\w{0,4}\d)(?!(?:tis|twas|em|til|cause)\b)")
_CLOSED = re.compile(r"(?<=[\w.,;:!?…)])\u2019(?!\w)")


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
        marks = _straight(sentences)
        # German marks open low, and close with what opens in English.
        low = any("„" in one.text for one in sentences)
        opening, closing = ("„", "“”") if low else ("“«", "”»")
        opened = [(s, at) for s in sentences for at, char in enumerate(s.text) if char in opening]
        closed = [(s, at) for s in sentences for at, char in enumerate(s.text) if char in closing]
        odd = marks[-1] if len(marks) % 2 else None
        if odd is None and len(opened) != len(closed):
            odd = (opened or closed)[-1]
        odd = odd or _single(sentences)
        if odd is not None:
            sentence, at = odd
            yield reading.flaw(
                FlawKind.UNCLOSED_QUOTATION,
                sentence,
                "A quotation mark of this paragraph has no partner.",
                span=(at, _cut(sentence.text, at + _SHOWN)),
            )


def _straight(sentences: Iterable[Sentence]) -> list[tuple[Sentence, int]]:
    """The straight marks of a paragraph; behind a digit one is inches, unless it can close."""
    marks: list[tuple[Sentence, int]] = []
    for sentence in sentences:
        for at, char in enumerate(sentence.text):
            if char == '"' and (len(marks) % 2 or not _is_inch(sentence.text, at)):
                marks.append((sentence, at))
    return marks


def _cut(text: str, end: int) -> int:
    """The last end of a word up to `end`."""
    return len(text) if end >= len(text) else max(text.rfind(" ", 0, end), 1)


def _single(sentences: Sequence[Sentence]) -> tuple[Sentence, int] | None:
    """The first single mark that opens and is not closed; between letters it is an apostrophe."""
    text = " ".join(sentence.text for sentence in sentences)
    at = 0
    for sentence in sentences:
        for found in _OPENED.finditer(sentence.text):
            if not _CLOSED.search(text, at + found.end()):
                return sentence, found.start()
        at += len(sentence.text) + 1
    return None


def _is_inch(text: str, at: int) -> bool:
    return at > 0 and text[at - 1].isdigit() and (at + 1 == len(text) or text[at + 1] in " ,.;)x")
