"""A passage of a source with its numbers and dates, and the words near each of them."""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...claims.model import DateSpan, Quantity
from ...claims.words import Token
from .index import SegmentFacts, TextIndex
from .kept import Kept
from .rows import RowStyle, split_cells

_SENTENCE_STEP = 8
# In a table, a number's own row and column are next to it, then the title over the labels; the rest
# of the row is far.
_OWN_CELL, _CORNER, _OTHER_CELL = 1.0, 2.0, 12.0
_FAR = 1e9
# Claims of one document ask for the same passages of a source again and again.
MOST_KEPT = 512


class _Near(Mapping[str, float]):
    """How far each word of a passage stands from the words `first` to `last`, found on demand.

    Most candidates are asked for a few words only, and a passage may be a whole source.
    """

    __slots__ = ("_first", "_last", "_places")

    def __init__(self, places: Mapping[str, Sequence[float]], first: float, last: float) -> None:
        self._places, self._first, self._last = places, first, last

    def __getitem__(self, word: str) -> float:
        distance = self._distance(self._places[word])
        if distance == _FAR:
            raise KeyError(word)
        return distance

    def least(self, words: frozenset[str]) -> float | None:
        """How far the nearest of `words` stands, None if none of them does."""
        found = [self._distance(self._places[word]) for word in words if word in self._places]
        reach = min(found, default=_FAR)
        return None if reach == _FAR else reach

    def _distance(self, places: Sequence[float]) -> float:
        before = bisect.bisect_left(places, self._first)
        after = bisect.bisect_right(places, self._last)
        distance = self._first - places[before - 1] if before else _FAR
        if after < len(places):
            distance = min(distance, places[after] - self._last)
        return distance

    def __iter__(self) -> Iterator[str]:
        return (word for word in self._places if word in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, word: object) -> bool:
        places = self._places.get(word, ()) if isinstance(word, str) else ()
        return bool(places) and (places[0] < self._first or places[-1] > self._last)


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

    def nearest(self, words: frozenset[str]) -> float | None:
        """How far the nearest of `words` stands from it, None if the passage has none of them."""
        if isinstance(self.near, _Near):
            return self.near.least(words)
        return min((self.near[word] for word in words & self.near.keys()), default=None)


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
    by_stem: Mapping[str, Sequence[float]]

    def places(self, stems: frozenset[str]) -> list[float]:
        """The positions of the words whose stem is one of `stems`, in order."""
        return sorted(
            place for word in stems if word in self.by_stem for place in self.by_stem[word]
        )

    def numbers(self) -> list[tuple[int, int]]:
        """The spans of its numbers and dates with the words that qualify them."""
        return [span for candidate in self.candidates for span in candidate.spans]


_WINDOWS: Kept[tuple[int, int], Window] = Kept(MOST_KEPT)


def build_window(index: TextIndex, first: int, last: int) -> Window:
    """The segments `first` to `last` of a source as one passage."""
    return _WINDOWS.get(index, (first, last), lambda: _build(index, first, last))


def _build(index: TextIndex, first: int, last: int) -> Window:
    tokens: list[Token] = []
    positions: list[float] = []
    base = 0.0
    for number in range(first, last + 1):
        facts = index.facts(number)
        tokens += facts.tokens
        positions += [base + place for place in facts.positions]
        base += (facts.positions[-1] if facts.positions else 0) + _SENTENCE_STEP
    by_stem: dict[str, list[float]] = {}
    for token, position in zip(tokens, positions, strict=True):
        by_stem.setdefault(token.stem, []).append(position)
    stems = set(by_stem)
    candidates: list[Candidate] = []
    begun = 0
    for number in range(first, last + 1):
        header = index.segments[number].header
        if header:
            stems.update(token.stem for token in index.tokens_at(*header))
            candidates += _row_candidates(index, number, header)
        else:
            candidates += _candidates(index, number, positions[begun:], by_stem)
        begun += len(index.facts(number).tokens)
    return Window(
        first,
        last,
        index.segments[first].start,
        index.segments[last].end,
        tuple(tokens),
        tuple(positions),
        frozenset(stems),
        tuple(candidates),
        by_stem,
    )


def _candidates(
    index: TextIndex,
    number: int,
    positions: Sequence[float],
    by_stem: Mapping[str, Sequence[float]],
) -> Iterator[Candidate]:
    facts = index.facts(number)
    for figure in facts.figures:
        first, last = figure.first, figure.last
        near = _Near(by_stem, *((positions[first], positions[last]) if positions else (0.0, 0.0)))
        value = figure.value
        yield Candidate(value, value.start, value.end, near, figure.spans, figure.between)


def _row_candidates(index: TextIndex, number: int, header: tuple[int, int]) -> Iterator[Candidate]:
    """The numbers of a table row: near them are the row's first cell and their column's header."""
    segment, facts = index.segments[number], index.facts(number)
    style = segment.style or RowStyle.BAR
    titles = split_cells(index.text, *header, style)
    cells = split_cells(index.text, segment.start, segment.end, style)
    # The header of a table may leave the place above the labels empty.
    titles = [titles[0]] * max(0, len(cells) - len(titles)) + titles
    for figure in facts.figures:
        value = figure.value
        column = next((n for n, (_, end) in enumerate(cells) if value.start < end), 0)
        near = _row_words(facts, cells[0], cells[column])
        # The title over the labels says of all cells what they are: "Million crowns | 2024 | 2025".
        for token in index.tokens_at(*titles[0]):
            near[token.stem] = min(_CORNER, near.get(token.stem, _FAR))
        if column < len(titles):
            near.update((token.stem, _OWN_CELL) for token in index.tokens_at(*titles[column]))
        yield Candidate(value, value.start, value.end, near, figure.spans, in_row=True)


def _row_words(
    facts: SegmentFacts, label: tuple[int, int], own: tuple[int, int]
) -> dict[str, float]:
    near: dict[str, float] = {}
    for token in facts.tokens:
        close = any(start <= token.start < end for start, end in (label, own))
        distance = _OWN_CELL if close else _OTHER_CELL
        near[token.stem] = min(distance, near.get(token.stem, _FAR))
    return near
