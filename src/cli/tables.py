"""Tables as wide as the terminal."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass

from rich.box import SIMPLE
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from .terminal import safe, write

_UNBOUND = 10_000
"""Columns in which the widest table fits unbroken."""

Line = tuple[str, str]
"""A text and its rich style, "" for none."""
Cell = str | Sequence[Line]
"""A text on one line, or several lines."""


@dataclass(frozen=True, slots=True)
class Column:
    """A heading and the column's share of the width; 0 takes what it needs."""

    heading: str
    share: int = 0
    _: KW_ONLY
    right: bool = False


def show_table(columns: Sequence[Column], rows: Iterable[Sequence[Cell]], *, gap: int = 0) -> None:
    """Print a table with `gap` empty lines between its rows.

    Where no column has a share of the width and the terminal is too narrow for all of them, each
    row is a block of lines, one a column: a cell broken into pieces is harder to read. A pipe or a
    file has no width, so nothing is broken there.
    """
    cells = [[_text(cell) for cell in row] for row in rows]
    table = _table(columns, cells, gap)
    unbound = Console(width=_UNBOUND, highlight=False)
    natural = Measurement.get(unbound, unbound.options, table).maximum
    shared = any(column.share for column in columns)
    width = max(shutil.get_terminal_size((120 if shared else natural, 24)).columns, 60)
    console = Console(width=width, highlight=False)
    # Captured, so that a table ends as other output does where nobody reads on.
    with console.capture() as printed:
        if shared or natural <= width:
            console.print(table)
        else:
            console.print(*(_block(columns, row) for row in cells), sep="")
    write("".join(f"{line.rstrip(' ')}\n" for line in printed.get().splitlines()))


def _text(cell: Cell) -> Text:
    lines = [(cell, "")] if isinstance(cell, str) else cell
    return Text("\n").join(Text(safe(text), style) for text, style in lines)


def _table(columns: Sequence[Column], rows: Iterable[Sequence[Text]], gap: int) -> Table:
    table = Table(box=SIMPLE, pad_edge=False, show_edge=False, leading=gap)
    for column in columns:
        justify = "right" if column.right else "left"
        table.add_column(
            column.heading, justify=justify, overflow="fold", ratio=column.share or None
        )
    for row in rows:
        table.add_row(*row)
    return table


def _block(columns: Sequence[Column], row: Sequence[Text]) -> Table:
    """One row, a line a column, with an empty line after it."""
    block = Table(box=None, pad_edge=False, show_header=False)
    block.add_column()
    block.add_column(overflow="fold")
    for column, cell in zip(columns, row, strict=True):
        block.add_row(column.heading, cell)
    block.add_row()
    return block
