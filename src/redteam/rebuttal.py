"""A flaw with the places around it, and words of the document that answer it."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..base.finding import Location
from ..documents.model import BlockKind, Sentence
from .defence_rules import DefenceRules
from .model import Flaw
from .reading import Reading

LONGEST = 1000
FEWEST_WORDS = 3
"""A shorter quotation stands in any text."""

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class Rebuttal:
    """Words of the document that answer a flaw: `[start, end)` of its text.

    `whole` is true if nothing is left of the flaw. `argument` is one sentence.
    """

    start: int
    end: int
    argument: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Case:
    """One flaw of a document that is to be defended."""

    flaw: Flaw
    reading: Reading
    rules: DefenceRules

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All of the document."""
        return self.reading.document.sentences

    @property
    def sentence(self) -> Sentence:
        """That which the flaw stands in."""
        return self.at(self.flaw.location)

    @property
    def other(self) -> Sentence | None:
        """The first of the flaw's other places."""
        return self.at(self.flaw.related[0]) if self.flaw.related else None

    def at(self, place: Location) -> Sentence:
        """The sentence that `place` begins in."""
        after = bisect.bisect_right(self.sentences, place.start, key=lambda one: one.start)
        return self.sentences[max(0, after - 1)]

    def beside(self, sentence: Sentence, step: int) -> Sentence | None:
        """The sentence `step` further on in the same paragraph."""
        index = sentence.index + step
        if not 0 <= index < len(self.sentences):
            return None
        found = self.sentences[index]
        return found if found.block == sentence.block else None

    def is_cited(self, sentence: Sentence) -> bool:
        """Whether a citation covers it."""
        return bool(self.reading.document.covering(sentence.index))

    def others(self) -> Iterator[Sentence]:
        """Every sentence but the flaw's own."""
        own = self.sentence
        return (one for one in self.sentences if one.index != own.index and one.text)

    def headings(self) -> Iterator[Sentence]:
        """Every heading."""
        return (one for one in self.sentences if one.kind is BlockKind.HEADING)

    def heading_of(self, sentence: Sentence) -> Sentence | None:
        """The nearest heading above a sentence."""
        index = sentence.index
        while index >= 0:
            if self.sentences[index].kind is BlockKind.HEADING:
                return self.sentences[index]
            index -= 1
        return None

    def answer(self, sentence: Sentence, argument: str, *, whole: bool) -> Rebuttal:
        """A rebuttal by `sentence`; a heading and a few words are quoted with what follows."""
        start, end = sentence.start, sentence.end
        following = self.sentences[sentence.index + 1 :][:1]
        if following and (sentence.kind is BlockKind.HEADING or not suffices(sentence.text)):
            end = following[0].end
        elif sentence.index and not suffices(sentence.text):
            start = self.sentences[sentence.index - 1].start
        return self.answer_at(start, end, argument, whole=whole)

    def answer_at(self, start: int, end: int, argument: str, *, whole: bool) -> Rebuttal:
        """A rebuttal by `[start, end)` of the text, cut at a word where it is long."""
        if end - start > LONGEST:
            end = start + len(
                self.reading.document.text[start : start + LONGEST].rsplit(None, 1)[0]
            )
        return Rebuttal(start, end, argument, whole)


def suffices(words: str) -> bool:
    """Whether a defence may rest on `words`: they are enough to be found by."""
    return len(_WORD.findall(words)) >= FEWEST_WORDS


def numbers(text: str) -> frozenset[str]:
    """The figures of a text as they are written."""
    return frozenset(_NUMBER.findall(text))


def of_other_years(one: Sentence, other: Sentence) -> bool:
    """Whether both name years, and no year in common."""
    ours, theirs = set(_YEAR.findall(one.text)), set(_YEAR.findall(other.text))
    return bool(ours and theirs) and not ours & theirs
