"""What follows from several cells of a table: a difference, a change, a share of the whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from ...claims.model import DateSpan, Modifier, Quantity, QuantityKind
from ..reading.form import Slot
from ..reading.labels import Named
from ..reading.records import RecordCheck, RecordOutcome, free_slots
from ..values.comparison import unsigned
from ..values.derivation import Operation, agrees, derive, operations
from .asked import LESS, MORE, Asked, is_figure
from .grid import Row, cell_scale

_MOVES = frozenset({Operation.CHANGE, Operation.DIFFERENCE, Operation.MULTIPLE})
_SHARES = frozenset({QuantityKind.RATIO, QuantityKind.PERCENT})
_PARTS = (QuantityKind.COUNT, QuantityKind.MONEY, QuantityKind.MEASURE)

Cell = tuple[Row, int]


def worked(asked: Asked) -> Iterator[RecordCheck]:
    """The numbers of the claim that follow from cells: what one has more, a change, a share."""
    slots = [slot for slot in free_slots(asked.form) if is_figure(slot, asked)]
    for slot in slots:
        value = slot.value
        if isinstance(value, DateSpan):
            continue
        check = _of_two(asked, slot, value, alone=len(slots) == 1) or _share(asked, slot, value)
        if check:
            yield check


def _of_two(asked: Asked, slot: Slot, value: Quantity, *, alone: bool) -> RecordCheck | None:
    """The number that follows from two cells, those that the claim names or two times of a row."""
    named = _two_cells(asked)
    for cells in [named] if named else list(_two_times(asked, value)):
        values = _figures(asked, cells, value)
        if len(values) != len(cells):
            continue
        found = next(derive(asked.text, value, values, asked.lexicon), None)
        wrong = _goes_wrong_way(asked, cells, values)
        if found is None or (wrong and not alone):
            continue
        outcome = RecordOutcome.DENIED if wrong else RecordOutcome.CONFIRMED
        start = min(row.cells[0][0] for row, _ in cells)
        end = max(row.cells[-1][1] for row, _ in cells)
        return RecordCheck(outcome, start, end, value.text, found.working, slot=slot)
    return None


def _two_cells(asked: Asked) -> list[Cell]:
    """The cells of one row and two columns, or of two rows and one column, in the claim's order."""
    if sorted((len(asked.rows), len(asked.columns))) != [1, 2]:
        return []
    rows, columns = (
        sorted(named, key=lambda one: one.places[0]) for named in (asked.rows, asked.columns)
    )
    return [(asked.grid.rows[row.number], column.number) for row in rows for column in columns]


def _two_times(asked: Asked, value: Quantity) -> Iterator[list[Cell]]:
    """The cells of the one row named, of the time that the claim names and the one before it.

    Where it names no time it speaks of the last one.
    """
    if len(asked.rows) != 1 or _MOVES.isdisjoint(operations(asked.text, value)):
        return
    times = sorted(asked.times.items(), key=lambda pair: pair[1])
    if len({first for _, first in times}) < len(times) or any(
        one.number not in asked.times for one in asked.columns
    ):
        return
    row = asked.grid.rows[asked.rows[0].number]
    named = {one.number for one in asked.columns} or {number for number, _ in times[-1:]}
    for (before, _), (after, _) in pairwise(times):
        if after in named:
            yield [(row, before), (row, after)]


def _share(asked: Asked, slot: Slot, value: Quantity) -> RecordCheck | None:
    """A cell as a share of what its column adds up to, or of the row that it is a part of."""
    asks_change = not _MOVES.isdisjoint(operations(asked.text, value))
    if value.kind not in _SHARES or value.unit or asks_change or len(asked.rows) != 1:
        return None
    own = asked.rows[0]
    column = _column(asked)
    row = asked.grid.rows[own.number]
    if column is None or row.is_whole:
        return None
    part, whole = row.figure(column), _whole(asked, own, column)
    if part is None or part.kind not in _PARTS or part.low <= 0 or not whole or whole <= part.low:
        return None
    share = Fraction(part.low) / Fraction(whole)
    in_percent = value.kind is QuantityKind.PERCENT
    if not agrees(_loosely(value), 100 * share if in_percent else share):
        return None
    start, end = row.cells[0][0], row.cells[-1][1]
    working = f"{part.text} / {whole:,f}"
    return RecordCheck(RecordOutcome.CONFIRMED, start, end, value.text, working, slot=slot)


def _loosely(value: Quantity) -> Quantity:
    """A share in words as what it may stand for: "six in ten" of 59 per cent."""
    in_words = value.kind is QuantityKind.RATIO and not any(map(str.isdigit, value.text))
    exact = value.modifier is Modifier.EXACT
    return replace(value, modifier=Modifier.ABOUT) if in_words and exact else value


def _column(asked: Asked) -> int | None:
    """The one column that the claim names, else the last of several times, else the only one."""
    if len(asked.columns) == 1:
        return asked.columns[0].number
    every = range(asked.grid.keys, len(asked.grid.columns))
    if asked.columns:
        return None
    if len(asked.times) == len(every) and asked.times:
        return max(asked.times, key=lambda number: asked.times[number])
    return every[0] if len(every) == 1 else None


def _whole(asked: Asked, own: Named, column: int) -> Decimal | None:
    """What a cell is a part of: the row that it is "of which", the total, or all of the column."""
    grid = asked.grid
    row = grid.rows[own.number]
    if row.parent is not None:
        above = grid.rows[row.parent].figure(column)
        return above.low if above else None
    totals = [figure for other in grid.rows if other.is_whole and (figure := other.figure(column))]
    if totals:
        return totals[0].low if len(totals) == 1 else None
    parts = [other.figure(column) for other in grid.rows if other.parent is None]
    sizes = [part.low for part in parts if part is not None]
    alike = {(part.kind, part.unit) for part in parts if part is not None}
    return sum(sizes, Decimal(0)) if len(sizes) == len(parts) and len(alike) == 1 else None


def _figures(asked: Asked, cells: Sequence[Cell], claimed: Quantity) -> list[Quantity]:
    """The numbers of cells, in the claim's unit where they are amounts without one."""
    found: list[Quantity] = []
    for row, column in cells:
        figure = row.figure(column)
        if figure is None:
            continue
        figure = unsigned(figure, claimed, asked.text)
        if claimed.kind in (QuantityKind.MONEY, QuantityKind.MEASURE, QuantityKind.COUNT):
            figure = _sized(figure, cell_scale(asked.index, asked.grid, row, column), claimed)
        found.append(figure)
    return found


def _sized(found: Quantity, factor: Decimal, claimed: Quantity) -> Quantity:
    """A bare number of a cell in the unit of the claim, which the table names elsewhere."""
    if found.kind is not QuantityKind.COUNT:
        return found
    return replace(
        found,
        low=found.low * factor,
        high=found.high * factor,
        step=found.step * factor,
        kind=claimed.kind,
        unit=claimed.unit,
    )


def _goes_wrong_way(asked: Asked, cells: Sequence[Cell], values: Sequence[Quantity]) -> bool:
    """Whether the claim has the two values rise that fall, or the first of them the smaller one."""
    rises = values[0].low < values[1].low
    (_, left), (_, right) = cells
    first, second = asked.times.get(left), asked.times.get(right)
    ways = asked.book.directions
    told = {way > 0 for token in asked.form.tokens if (way := ways.get(token.stem))}
    up, down = bool(MORE.search(asked.text)), bool(LESS.search(asked.text))
    if first and second and first != second:
        told = told or ({up} if up is not down else set[bool]())
        return len(told) == 1 and rises is ((first < second) is not told.pop())
    return up is not down and up is rises
