"""Tables as wide as the terminal."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass

from .terminal import safe

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
    """Print a table with `gap` empty lines between its rows."""
    # Imported here: it costs 40 ms, and most commands print no table.
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE, pad_edge=False, show_edge=False, leading=gap)
    for column in columns:
        justify = "right" if column.right else "left"
        table.add_column(
            column.heading, justify=justify, overflow="fold", ratio=column.share or None
        )
    for row in rows:
        lines = ([(cell, "")] if isinstance(cell, str) else cell for cell in row)
        table.add_row(
            *(Text("\n").join(Text(safe(text), style) for text, style in each) for each in lines)
        )
    width = shutil.get_terminal_size((120, 24)).columns
    Console(width=max(width, 60), highlight=False).print(table)
