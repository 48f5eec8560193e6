"""A passage of a source with its numbers and dates, and the words near each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ..claims.model import DateSpan, Quantity, QuantityKind
from ..claims.words import Token
from .form import number_spans, reach
from .index import SegmentFacts, TextIndex

_SENTENCE_STEP = 8
# In a table, a number's own row and column are next to it, the rest of the row is far.
_OWN_CELL, _OTHER_CELL = 1.0, 12.0
_CELL = re.compile(r"[^|\t]+")
_FAR = 1e9
_NOUN_REACH = 4
_NOUN_ROOT = 4


class Candidate(NamedTuple):
    """A number or date of a passage, `[start, end)` in the source's text.

    `spans` are the parts that are number, unit or qualifier. `near` gives each word's distance from
    it. `between` are the words between a count and its noun, which narrow what is counted.
    """

    value: Quantity | DateSpan
    start: int
    end: int
    near: Mapping[str, float]
    spans: tuple[tuple[int, int], ...] = ()
    between: tuple[str, ...] = ()
    in_row: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """Neighbouring segments of a source, `[start, end)` in its text.

    `stems` holds the words of the header as well if the window has a table row.
    """

    first: int
    last: int
    start: int
    end: int
    tokens: tuple[Token, ...]
    positions: tuple[float, ...]
    stems: frozenset[str]
    candidates: tuple[Candidate, ...]

    def places(self, stems: frozenset[str]) -> list[float]:
        """The positions of the words whose stem is one of `stems`, in order."""
        return [
            position
            for token, position in zip(self.tokens, self.positions, strict=True)
            if token.stem in stems
        ]

    def numbers(self) -> list[tuple[int, int]]:
        """The spans of its numbers and dates with the words that qualify them."""
        return [span for candidate in self.candidates for span in candidate.spans]


def build_window(index: TextIndex, first: int, last: int) -> Window:
    """The segments `first` to `last` of a source as one passage."""
    tokens: list[Token] = []
    positions: list[float] = []
    base = 0.0
    for number in range(first, last + 1):
        facts = index.facts(number)
        tokens += facts.tokens
        positions += [base + place for place in facts.positions]
        base += (facts.positions[-1] if facts.positions else 0) + _SENTENCE_STEP
    stems = {token.stem for token in tokens}
    candidates: list[Candidate] = []
    for number in range(first, last + 1):
        header = index.segments[number].header
        if header:
            stems.update(token.stem for token in index.tokens_at(*header))
            candidates += _row_candidates(index, number, header)
        else:
            candidates += _candidates(index, number, tokens, positions)
    return Window(
        first,
        last,
        index.segments[first].start,
        index.segments[last].end,
        tuple(tokens),
        tuple(positions),
        frozenset(stems),
        tuple(candidates),
    )


def _candidates(
    index: TextIndex, number: int, tokens: list[Token], positions: list[float]
) -> Iterator[Candidate]:
    facts = index.facts(number)
    for value in (*facts.quantities, *facts.dates):
        start, end = value.start, value.end
        first, last = reach(start, end, tokens, positions)
        near: dict[str, float] = {}
        for token, position in zip(tokens, positions, strict=True):
            if token.start >= end or token.end <= start:
                distance = first - position if position < first else position - last
                near[token.stem] = min(distance, near.get(token.stem, _FAR))
        spans = number_spans(index.text, value, index.lexicon)
        yield Candidate(value, start, end, near, spans, _between(value, end, tokens))


def _between(value: Quantity | DateSpan, end: int, tokens: list[Token]) -> tuple[str, ...]:
    if isinstance(value, DateSpan) or value.kind is not QuantityKind.COUNT or not value.unit:
        return ()
    after = [token.stem for token in tokens if token.start >= end][:_NOUN_REACH]
    noun = value.unit[:_NOUN_ROOT]
    at = next((place for place, word in enumerate(after) if word[:_NOUN_ROOT] == noun), 0)
    return tuple(after[:at])


def _row_candidates(index: TextIndex, number: int, header: tuple[int, int]) -> Iterator[Candidate]:
    """The numbers of a table row: near them are the row's first cell and their column's header."""
    segment, facts = index.segments[number], index.facts(number)
    titles = _cells(index.text, *header)
    cells = _cells(index.text, segment.start, segment.end)
    for value in (*facts.quantities, *facts.dates):
        column = next((n for n, (_, end) in enumerate(cells) if value.start < end), 0)
        near = _row_words(facts, cells[0], cells[column])
        if column < len(titles):
            near.update((token.stem, _OWN_CELL) for token in index.tokens_at(*titles[column]))
        spans = number_spans(index.text, value, index.lexicon)
        yield Candidate(value, value.start, value.end, near, spans, in_row=True)


def _row_words(
    facts: SegmentFacts, label: tuple[int, int], own: tuple[int, int]
) -> dict[str, float]:
    near: dict[str, float] = {}
    for token in facts.tokens:
        close = any(start <= token.start < end for start, end in (label, own))
        distance = _OWN_CELL if close else _OTHER_CELL
        near[token.stem] = min(distance, near.get(token.stem, _FAR))
    return near


def _cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The spans of the cells of the table row `text[start:end]`."""
    cells = [match.span() for match in _CELL.finditer(text, start, end) if match[0].strip()]
    return cells or [(start, end)]
