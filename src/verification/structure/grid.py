"""A table of a source: its rows by label, its columns by title, its cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from ...claims.model import DateSpan, Quantity
from ...claims.words import stem
from ..reading.index import SegmentFacts, TextIndex
from ..reading.labels import Label, label_words
from ..reading.rows import RowStyle, split_cells

Span = tuple[int, int]

# Rows of a longer table are read only where the claim's words stand.
MOST_ROWS = 60
_MOST_KEYS = 3
# How many segments before a table may name it, and how many after it explain it.
_CAPTION, _NOTES = 2, 8
_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
# "A further $90 million" is an amount and gives no scale.
_SCALE = re.compile(r"(?<!\d )\b(thousand|million|billion|trillion)s?\b|(['’]000|\b000s)", re.I)
_PLAIN = re.compile(r"\((?:number|no\.|count|headcount|units)\b|%|\bper ?cent\b|\bratio\b", re.I)
PERCENT = re.compile(r"%|\bper ?cent\b|\bpercent|\bshares?\b", re.I)
# A row that is a part of one above it.
_PART_ROW = re.compile(r"\W*(?:of (?:which|whom|these|this)|thereof|whereof|including)\b", re.I)
# What a label says of its numbers alone: "Passengers, thousand".
_MEASURES = frozenset(
    {"thousand", "million", "billion", "trillion", "per", "cent", "percent", "number"}
)
_ALL = re.compile(r"\W*(?:all|everything|everybody|grand total)\b\W*(?:\w+\W*)?$", re.IGNORECASE)
_NO_WORDS = re.compile(r"[\d.,\s]+")
_WHOLE = frozenset(
    stem(word, {})
    for word in ("total", "all", "whole", "overall", "sum", "group", "average", "mean", "combined")
)


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its label, its cells (all of them, those of the label too) and its facts.

    `parent` is the number of the row that it is a part of: "of which graphic paper"; `whole` marks
    one that is headed "all".
    """

    label: Label
    cells: tuple[Span, ...]
    facts: SegmentFacts
    parent: int | None = None
    whole: bool = False

    def figure(self, column: int) -> Quantity | None:
        """The one number of a cell."""
        return next((v for v in self._values(column) if isinstance(v, Quantity)), None)

    def date(self, column: int) -> DateSpan | None:
        """The one date of a cell."""
        return next((v for v in self._values(column) if isinstance(v, DateSpan)), None)

    def _values(self, column: int) -> Iterator[Quantity | DateSpan]:
        start, end = self.cells[column] if column < len(self.cells) else (0, 0)
        return (f.value for f in self.facts.figures if start <= f.value.start < end)

    @property
    def is_whole(self) -> bool:
        """Whether it sums up the other rows."""
        return self.whole or not _WHOLE.isdisjoint(self.label.words)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; `columns` are the titles of its columns, the first `keys` of which label the rows.

    `caption` and `notes` are the places of the text before and after it.
    """

    rows: tuple[Row, ...]
    columns: tuple[Label, ...]
    keys: int
    caption: Span
    notes: Span
    first: int
    last: int


def read_grid(index: TextIndex, first: int, last: int, wanted: Sequence[int]) -> Grid:
    """The table of the segments `first` to `last`; of a long one the rows `wanted` only."""
    segments = index.segments
    style = segments[first].style or RowStyle.BAR
    numbers = range(first + 1, last + 1)
    if len(numbers) > MOST_ROWS:
        numbers = [number for number in wanted if first < number <= last][:MOST_ROWS]
    titles = split_cells(index.text, segments[first].start, segments[first].end, style)
    body = [split_cells(index.text, segments[n].start, segments[n].end, style) for n in numbers]
    width = max((len(cells) for cells in body), default=0)
    titles = [(titles[0][0], titles[0][0])] * max(0, width - len(titles)) + titles
    keys = _keys(index.text, body)
    rows = [_row(index, number, cells, keys) for number, cells in zip(numbers, body, strict=True)]
    return Grid(
        tuple(_with_parents(index, rows)),
        _titles(index, titles),
        keys,
        (segments[max(0, first - _CAPTION)].start, segments[first].start),
        (segments[last].end, segments[min(len(segments) - 1, last + _NOTES)].end),
        first,
        last,
    )


def _keys(text: str, body: Sequence[Sequence[Span]]) -> int:
    """How many columns it takes to tell the rows apart."""
    for keys in range(1, _MOST_KEYS):
        labels = {tuple(text[start:end] for start, end in cells[:keys]) for cells in body}
        if len(labels) == len(body) or any(
            _NO_WORDS.fullmatch(text[slice(*cells[keys])]) for cells in body if keys < len(cells)
        ):
            return keys
    return 1


def _row(index: TextIndex, number: int, cells: Sequence[Span], keys: int) -> Row:
    label = _label(index, cells[0][0], cells[min(keys, len(cells)) - 1][1])
    whole = bool(_ALL.match(index.text, *label[1:]))
    return Row(label, tuple(cells), index.facts(number), whole=whole)


def _with_parents(index: TextIndex, rows: Sequence[Row]) -> Iterator[Row]:
    """The rows, each part with the number of the last row above that is none."""
    parent: int | None = None
    for number, row in enumerate(rows):
        part = bool(_PART_ROW.match(index.text, *row.label[1:]))
        yield replace(row, parent=parent if part else None)
        parent = parent if part else number


def _label(index: TextIndex, start: int, end: int) -> Label:
    text, book = index.text[start:end], index.lexicon.words
    words = label_words(index.tokens_at(start, end), text, start, book)
    return Label(tuple(w for w in words if w not in _MEASURES) or words, start, end)


def _titles(index: TextIndex, titles: Sequence[Span]) -> tuple[Label, ...]:
    """The columns' titles; "Python 3.8 | 3.9" stands for "Python 3.8 | Python 3.9"."""
    found: list[Label] = []
    lead: tuple[str, ...] = ()
    for start, end in titles:
        label = _label(index, start, end)
        if _NO_WORDS.fullmatch(index.text[start:end]):
            label = label._replace(words=(*lead, *label.words))
        else:
            words = [word for word in label.words if not word[0].isdigit()]
            lead = tuple(words) if 0 < len(words) < len(label.words) else ()
        found.append(label)
    return tuple(found)


def cell_scale(index: TextIndex, grid: Grid, row: Row, column: int) -> Decimal:
    """What the number of a cell is multiplied with: by its row, its column or what is over both.

    "Employees (number)" are multiplied with nothing.
    """
    if _PLAIN.search(index.text, *row.label[1:]):
        return Decimal(1)
    for start, end in (row.label[1:], grid.columns[column][1:], grid.columns[0][1:], grid.caption):
        found = _SCALE.search(index.text, start, end)
        if found:
            return Decimal(1).scaleb(_SCALES[found[1].lower()] if found[1] else 3)
    return Decimal(1)
