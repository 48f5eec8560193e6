"""Sums of whole columns of a source's tables, which a claim may state as "together"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import groupby

from ...claims.lexicon import Lexicon
from ...claims.model import SUMMED, Quantity
from ...claims.quantity.quantities import find_quantities
from .units import Unit, UnitKind

_FEWEST_ROWS, _MOST_ROWS = 3, 60
# A longer sum is no working that a person reads.
_MOST_SHOWN = 8


def column_totals(units: Iterable[Unit], lexicon: Lexicon) -> tuple[Quantity, ...]:
    """The sum of every column that has one quantity of one kind and unit in each row.

    `text` of a total is its working.
    """
    rows = (unit for unit in units if unit.kind is UnitKind.ROW and unit.header)
    return tuple(
        total
        for _, table in groupby(rows, key=lambda unit: unit.header)
        for total in _totals(tuple(table), lexicon)
    )


def _cells(unit: Unit, lexicon: Lexicon) -> tuple[Quantity | None, ...]:
    cells = (part.rpartition(": ")[2] for part in unit.text.removeprefix("- ").split("; "))
    found = (find_quantities(cell, lexicon) for cell in cells)
    return tuple(one[0] if len(one) == 1 else None for one in found)


def _totals(table: Sequence[Unit], lexicon: Lexicon) -> Iterator[Quantity]:
    if not _FEWEST_ROWS <= len(table) <= _MOST_ROWS:
        return
    rows = [_cells(unit, lexicon) for unit in table]
    if len({len(row) for row in rows}) > 1:
        return
    for column in zip(*rows, strict=True):
        cells = [cell for cell in column if cell is not None and cell.low == cell.high]
        sorts = {(cell.kind, cell.unit) for cell in cells}
        if len(cells) == len(rows) and len(sorts) == 1 and cells[0].kind in SUMMED:
            total = sum((cell.low for cell in cells), Decimal(0))
            parts = " + ".join(cell.text for cell in cells)
            working = parts if len(cells) <= _MOST_SHOWN else f"{len(cells)} rows together"
            step = max(cell.step for cell in cells)
            yield replace(cells[0], low=total, high=total, step=step, text=f"{working} = {total:,}")
