"""Lines of plain text that are the rows of a table, and the cells of a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import groupby

Span = tuple[int, int]

_BAR = re.compile(r"\|.*\S.*\||^[^|\n]+(?: \| [^|\n]*)+$")
_TAB = re.compile(r"\S\t+\S")
_GAP = re.compile(r"(?<=\S)(?: {2,}| ?\.{4,} ?)(?=\S)")
# Fewer lines of these looks may be prose with a slip in it.
_LEAST_LINES = 3
_LEAST_CELLS = 3
_ENTRY_CELLS = 2
# A number that is no year.
_FIGURE = re.compile(r"[^\w\s]?\d(?!\d{3}\s*\Z)")
_WORDED = re.compile(r"\s*[^\W\d_]{2}")
# Many spaces between two columns; fewer may follow a full stop.
_WIDE = re.compile(r"(?<=\S)(?: {3,}| ?\.{4,} ?)(?=\S)")


class RowStyle(StrEnum):
    """Separator between the cells of a row."""

    BAR = "|"
    TAB = "\t"
    SEMICOLON = ";"
    GAP = " "


_BETWEEN = {
    RowStyle.BAR: re.compile(r"\|"),
    RowStyle.TAB: re.compile(r"\t+"),
    RowStyle.SEMICOLON: re.compile(r";"),
    RowStyle.GAP: _GAP,
}


def row_styles(lines: Sequence[str]) -> list[RowStyle | None]:
    """The style of each line of a paragraph, None for one that is no table row.

    Semicolons and gaps make a table only if three lines in a row have as many cells, or gaps.
    """
    looks = [_look(line) for line in lines]
    styles: list[RowStyle | None] = []
    for look, run in groupby(looks):
        length = len(list(run))
        style = look[0] if look else None
        sure = style in (RowStyle.BAR, RowStyle.TAB) or length >= _LEAST_LINES
        styles += [style if sure else None] * length
    return styles


def _look(line: str) -> tuple[RowStyle, int] | None:
    if "|" in line and _BAR.search(line):
        return RowStyle.BAR, 0
    if "\t" in line and _TAB.search(line):
        return RowStyle.TAB, 0
    cells = line.count(";") + 1
    if cells >= _LEAST_CELLS and not line.rstrip().endswith((".", ";")):
        return RowStyle.SEMICOLON, cells
    stripped = line.strip()
    if "   " in stripped or "...." in stripped:
        wide = bool(_WIDE.search(stripped))
        return (RowStyle.GAP, 0) if wide else None
    return None


def is_entry(line: str, style: RowStyle) -> bool:
    """Whether a first row is an entry of a list, "Care assistants     2", and names no columns."""
    if style not in (RowStyle.GAP, RowStyle.BAR):
        return False
    cells = [line[slice(*span)] for span in split_cells(line, 0, len(line), style)]
    # A Markdown table has a header, and one over numbers alone is no entry either.
    titled = style is RowStyle.BAR and not _WORDED.match(line)
    return len(cells) == _ENTRY_CELLS and bool(_FIGURE.match(cells[1])) and not titled


def row_cells(written: str) -> list[str]:
    """The cells of a row as its unit has them, "- title: cell; title: cell"."""
    return written.removeprefix("- ").split("; ")


def row_label(cells: Iterable[str]) -> str:
    """The first of the texts of a row's cells that is no bare number, or else the first."""
    texts = [cell.strip() for cell in cells]
    return next((text for text in texts if any(map(str.isalpha, text))), texts[0])


def label_of(written: str) -> str:
    """Label of a row as its unit has it: its first cell that is more than a serial number."""
    return row_label(cell.partition(": ")[2] or cell for cell in row_cells(written))


def title_of(written: str, at: int) -> str | None:
    """The title of the column that `written[at]` stands in, None where a cell has none."""
    title, colon, _ = written[written.rfind("; ", 0, at) + 1 : at].partition(": ")
    return title if colon else None


def split_cells(text: str, start: int, end: int, style: RowStyle) -> list[Span]:
    """The spans of the cells of the row `text[start:end]`, white space left out.

    An empty cell is an empty span, so that a cell keeps the place of its column.
    """
    if style is RowStyle.BAR:
        start, end = _trimmed(text, start, end)
        start += text.startswith("|", start)
        end -= end > start and text[end - 1] == "|"
    return [_trimmed(text, *span) for span in _between(text, start, end, _BETWEEN[style])]


def _between(text: str, start: int, end: int, mark: re.Pattern[str]) -> Iterator[Span]:
    if mark is _GAP:
        start, end = _trimmed(text, start, end)
    for match in mark.finditer(text, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end


def _trimmed(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
