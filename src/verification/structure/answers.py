"""What a table answers without a number: yes or no, more or less, the most or the least."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from ...claims.model import Quantity
from ..reading.labels import Named
from ..reading.records import RecordCheck, RecordOutcome
from .asked import LESS, MORE, Asked, cell_check, cell_text, is_figure, span_text
from .grid import Row

_YES = re.compile(
    r"(?:yes|y|true|included|available|supported|member)\b\W*|[✓✔✅](?: \([^()]*\))?", re.I
)
_NO = re.compile(r"(?:no|n|none|not|never|false|planned|excluded|unavailable)\b.*|[✗✘✕❌]", re.I)
_DENIES = re.compile(
    r"\b(?:not|no|never|neither|nor|none|without|lacks?|lacked|lacking|misses|cannot|except"
    r"|excludes?|excluded|withdrew|withdrawn|left|quit|dropped|unavailable|unsupported)\b|n['’]t\b",
    re.I,
)
_CLAUSE = re.compile(r"[,;:]|\b(?:but|while|whereas|although|though|and)\b", re.I)
_MOST = re.compile(
    r"\b(?:(?<!at )most|highest|largest|biggest|greatest|longest|busiest|dearest|heaviest|tallest"
    r"|commonest|strongest|fastest|oldest|widest|deepest|hottest|warmest|maximum"
    r"|tops?|topped|leads?|led|record)\b",
    re.I,
)
_LEAST = re.compile(
    r"\b(?:(?<!at )least|lowest|smallest|fewest|cheapest|shortest|lightest|slowest|rarest|youngest"
    r"|weakest|narrowest|coldest|coolest|minimum|bottom)\b",
    re.I,
)

_PER = re.compile(r"\b(?:per|each|apiece)\b|\ba head\b|/", re.I)


def answers(asked: Asked) -> Iterator[RecordCheck]:
    """The yes or no of the cells in the row and the columns that the claim names."""
    if len(asked.rows) != 1:
        return
    row = asked.rows[0]
    for column in asked.columns:
        answer = _answer(asked, asked.grid.rows[row.number], column.number)
        if answer is not None:
            denies = bool(_DENIES.search(_clause(asked, column)))
            outcome = RecordOutcome.DENIED if answer is denies else RecordOutcome.CONFIRMED
            yield cell_check(asked, row, column.number, outcome)


def _answer(asked: Asked, row: Row, column: int) -> bool | None:
    """What a cell of a yes-or-no column says, None if that is neither."""
    columns = range(asked.grid.keys, len(asked.grid.columns))
    cells = (cell_text(asked, other, number) for other in asked.grid.rows for number in columns)
    if not any(_YES.fullmatch(cell) for cell in cells):
        return None
    cell = cell_text(asked, row, column)
    if _YES.fullmatch(cell):
        return True
    return False if _NO.fullmatch(cell) else None


def _clause(asked: Asked, column: Named) -> str:
    """The part of the claim that speaks of a column."""
    tokens, text = asked.form.tokens, asked.text
    place = min(range(len(tokens)), key=lambda n: abs(_place(asked, n) - column.places[0]))
    at = tokens[place].start
    cuts = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
    start = max(cut for cut in cuts if cut <= at)
    return text[start : min(cut for cut in cuts if cut > at)]


def _place(asked: Asked, number: int) -> float:
    return asked.bag.positions[number]


def compared(asked: Asked) -> Iterator[RecordCheck]:
    """Two cells that the claim compares, or one that it calls the greatest of its column."""
    if _DENIES.search(asked.text) or any(is_figure(slot, asked) for slot in asked.form.slots):
        return
    if len(asked.rows) == 1 and len(asked.columns) == 2:
        row = asked.grid.rows[asked.rows[0].number]
        left, right = sorted(asked.columns, key=lambda one: one.places[0])
        yield from _pair(asked, (row, left.number), (row, right.number))
    elif len(asked.rows) == 2 and len(asked.columns) == 1:
        left, right = sorted(asked.rows, key=lambda one: one.places[0])
        column = asked.columns[0].number
        rows = asked.grid.rows
        yield from _pair(asked, (rows[left.number], column), (rows[right.number], column))


def calls_extreme(asked: Asked) -> bool:
    """Whether the claim calls something the most or the least of its kind."""
    return bool(_MOST.search(asked.text) or _LEAST.search(asked.text))


def is_extreme(word: str) -> bool:
    """Whether a word calls something the most or the least."""
    return bool(_MOST.fullmatch(word) or _LEAST.fullmatch(word))


def extremes(asked: Asked) -> Iterator[RecordCheck]:
    """The cell that the claim calls the greatest or least: of its column, or of its row."""
    if _DENIES.search(asked.text) or len(asked.rows) != 1:
        return
    for column in asked.columns:
        yield from _extreme(asked, asked.rows[0], column)


def _pair(asked: Asked, left: tuple[Row, int], right: tuple[Row, int]) -> Iterator[RecordCheck]:
    up, down = bool(MORE.search(asked.text)), bool(LESS.search(asked.text))
    one, other = left[0].figure(left[1]), right[0].figure(right[1])
    if up is down or one is None or other is None or one.low == other.low:
        return
    outcome = RecordOutcome.CONFIRMED if (one.low > other.low) is up else RecordOutcome.DENIED
    start = min(left[0].cells[0][0], right[0].cells[0][0])
    end = max(left[0].cells[-1][1], right[0].cells[-1][1])
    yield RecordCheck(outcome, start, end, asked.text, f"{one.text} and {other.text}")


def _extreme(asked: Asked, named: Named, title: Named) -> Iterator[RecordCheck]:
    text, column = _clause(asked, title), title.number
    most, least = bool(_MOST.search(text)), bool(_LEAST.search(text))
    if most is least:
        return
    own = asked.grid.rows[named.number]
    mine = own.figure(column)
    beside, below = _in_row(asked, own), _in_column(asked, column)
    across = bool(beside) and (not below or _is_said_of_column(asked, named, title))
    found = beside if across else below
    if mine is None or own.is_whole or not found or asked.is_modifier(named if across else title):
        return
    if not across and _is_otherwise_divided(text, asked, column):
        return
    best = max(found) if most else min(found)
    outcome = RecordOutcome.CONFIRMED if mine.low == best else RecordOutcome.DENIED
    yield replace(cell_check(asked, named, column, outcome), extreme=True)


def _is_otherwise_divided(text: str, asked: Asked, column: int) -> bool:
    """Whether the claim speaks of so much for each of something, and the column does not."""
    title = span_text(asked, asked.grid.columns[column][1:])
    return bool(_PER.search(text)) and not _PER.search(title)


def _is_said_of_column(asked: Asked, row: Named, title: Named) -> bool:
    """Whether the columns are the things and the rows what is told of them.

    "Decay was commonest in the Valley": the extreme stands by the row's words.
    """
    if asked.times:
        return False
    match = _MOST.search(asked.text) or _LEAST.search(asked.text)
    at = match.start() if match else 0
    places = zip(asked.form.tokens, asked.bag.positions, strict=True)
    here = min((place for token, place in places if token.start >= at), default=0.0)
    return row.distance(here) < title.distance(here)


def _in_column(asked: Asked, column: int) -> list[Decimal]:
    """The numbers of a column, none if a row lacks one or they are of several sorts."""
    rows = [row for row in asked.grid.rows if not row.is_whole]
    return _alike([row.figure(column) for row in rows])


def _in_row(asked: Asked, row: Row) -> list[Decimal]:
    """The numbers of a row, none if a column lacks one or they are of several sorts."""
    width = range(asked.grid.keys, len(asked.grid.columns))
    return [] if asked.times else _alike([row.figure(n) for n in width])


def _alike(figures: Sequence[Quantity | None]) -> list[Decimal]:
    found = [figure for figure in figures if figure is not None]
    alike = len({(one.kind, one.unit) for one in found}) == 1
    return [one.low for one in found] if len(found) == len(figures) and alike else []
