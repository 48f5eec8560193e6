"""A sentence as words: where its first clause begins, what its verb and its subject are."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..model import DateSpan, Quantity
from .clauses import ClauseWords, Finite, Word
from .relatives import Span

_LONGEST_LEAD = 14
_WORD = re.compile(r"[^\W_]+(?:[.,'’/&-][^\W_]+)*%?|[$€£¥%]|[,;:—–()]")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|\([^()]*\)|\[[^\[\]]*\]")


@dataclass(frozen=True, slots=True)
class Held:
    """Elements of a sentence other than words.

    `others` are the spans of other elements that stay whole. `cuts` are the offsets of the
    sentence's citations.
    """

    quantities: Sequence[Quantity] = ()
    dates: Sequence[DateSpan] = ()
    others: Sequence[Span] = ()
    cuts: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Clause:
    """Words `first` to `end` with the verb at `verb`; the words of `subject` may stand elsewhere.

    `carried` and `after` are what the clause shares with others, before and after its own words.
    """

    first: int
    verb: int
    end: int
    subject: tuple[int, int]
    carried: tuple[Span, ...] = ()
    after: tuple[Span, ...] = ()


def words_of(text: str) -> list[Word]:
    """The words and marks of a sentence, without what stands in quotation marks or brackets."""
    hidden = [match.span() for match in _QUOTED.finditer(text)]
    starts = [start for start, _ in hidden]
    found: list[Word] = []
    for match in _WORD.finditer(text):
        at = bisect.bisect_right(starts, match.start()) - 1
        if at < 0 or match.start() >= hidden[at][1]:
            low = match[0].lower().replace("’", "'")
            found.append(Word(low, match.start(), match.end(), match[0][0].isupper()))
    return found


class ClauseReader:
    """The words of a sentence and how they hang together.

    Args:
        text: The sentence.
        words: Those of its words that stand in no hole.
        holes: Stretches of the text that are told apart already.
        held: What the sentence holds beside words.
        lists: The word lists.
    """

    def __init__(
        self,
        text: str,
        words: Iterable[Word],
        holes: Sequence[Span],
        held: Held,
        lists: ClauseWords,
    ) -> None:
        self.text = text
        self.holes = holes
        self.held = held
        self.lists = lists
        self.file = lists.file
        self.words = [
            word for word in words if not any(low <= word.start < high for low, high in holes)
        ]

    def pieces(self, start: int, end: int) -> tuple[Span, ...]:
        """`[start, end)` without what stands in holes."""
        pieces: list[Span] = []
        for low, high in self.holes:
            if start < high and low < end:
                pieces.append((start, low))
                start = high
        pieces.append((start, end))
        return tuple(span for span in map(self._stripped, pieces) if span[0] < span[1])

    def _stripped(self, span: Span) -> Span:
        piece = self.text[slice(*span)]
        return span[0] + len(piece) - len(piece.lstrip(" ,;")), span[0] + len(piece.rstrip(" ,;"))

    def lead(self) -> tuple[int, list[Span]]:
        """Where the first clause begins, and the phrase before it that holds for all of them."""
        words, opener = self.words, self.lists.openers.match(self.text)
        comma = next((at for at, word in enumerate(words[:_LONGEST_LEAD]) if word.low == ","), 0)
        before = range(comma)
        whole = not any(self.lists.finite(words, at) is Finite.YES for at in before)
        if comma and whole and not any(words[at].low in self.file.subordinators for at in before):
            if opener and not self.lists.connectives.match(self.text):
                return comma + 1, [(words[0].start, words[comma].end)]
            if opener or (comma == 1 and not words[0].low[0].isdigit()):
                return comma + 1, []
        if opener:
            for one in self.held.dates:
                if one.start <= opener.end() + 1:
                    first = next((i for i, w in enumerate(words) if w.start >= one.end), 0)
                    return first, [(words[0].start, one.end)] if first else []
        return 0, []

    def attributed(self) -> tuple[int, list[Span]]:
        """A sentence that says what somebody says: "The board said that"."""
        words = self.words
        for at, word in enumerate(words[1:_LONGEST_LEAD], start=1):
            if word.low == "that":
                told = words[at - 1].low in self.file.reporting
                return (at + 1, [(words[0].start, word.end)]) if told else (0, [])
        return 0, []

    def main_verb(self, first: int, end: int) -> int | None:
        """The verb of the clause that begins at `first`; None where a clause hangs before it."""
        commas, halves = 0, self.file.half_subordinators
        perhaps: int | None = None
        for at in range(first, end):
            word = self.words[at]
            commas += word.low == ","
            if word.low in self.file.subordinators or word.low in ";:":
                return perhaps
            if at and word.low in self.file.pronouns and self.words[at - 1].low in halves:
                return perhaps
            finite = self.lists.finite(self.words, at)
            if finite is Finite.YES and at > first and not commas % 2:
                return at
            if finite is Finite.PERHAPS and perhaps is None and at > first and not commas % 2:
                perhaps = at
        return perhaps

    def is_adverb(self, at: int) -> bool:
        """Whether a word only says how or when."""
        low = self.words[at].low
        return low in self.file.adverbs or (len(low) > 4 and low.endswith("ly"))

    def is_infinitive(self, at: int) -> bool:
        """Whether a word is the "to" of a verb."""
        following = self.words[at + 1].low if at + 1 < len(self.words) else ""
        return self.words[at].low == "to" and following in self.lists.base

    def chain(self, clause: Clause) -> list[int]:
        """The auxiliaries of a clause: "has been", "will not"."""
        chain: list[int] = []
        for at in range(clause.verb, clause.end):
            low = self.words[at].low
            if low in self.file.auxiliaries or low in ("be", "been", "being"):
                chain.append(at)
            elif not (chain and low in self.file.negations):
                break
            else:
                chain.append(at)
        return chain

    def subject_of(self, clause: Clause) -> tuple[Span, ...]:
        """The spans of a clause's subject, wherever it stands."""
        first, verb = clause.subject
        return self.pieces(self.words[first].start, self.words[verb].start)

    def subject(self) -> Span | None:
        """The subject of the main clause."""
        first, _ = self.lead()
        last = self.main_verb(first, len(self.words))
        while last is not None and last - 1 > first and self.is_adverb(last - 1):
            last -= 1
        if last is None or last <= first:
            return None
        return self.words[first].start, self.words[last - 1].end
