"""The figures of a text: quantities, dates also without a year, and the sums of columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import groupby

from ...claims.dates import with_yearless
from ...claims.lexicon import Lexicon
from ...claims.model import (
    SUMMED,
    Claim,
    DateSpan,
    Figure,
    Modifier,
    Quantity,
    QuantityKind,
    TableCell,
)
from ...claims.quantities import find_quantities, find_slots
from ...claims.spans import overlaps
from .rows import label_of, row_cells, row_label, title_of
from .units import Unit, UnitKind

MOST_FIGURES = 100
"""A unit with more is a list of data: each of them would be compared with each of the claim's."""

# "Electricians 410 (358)": in a source such a number is the value of another year or group.
_BRACKETED = re.compile(
    r"\((?=\d[\d.,]*\d\)|\d[\d.,]* )(\d[\d.,]*(?: (?:thousand|million|billion))?)\)"
)
# "Output (MWh)", "lead time in weeks", "Cost, EUR m"; "million crowns" is a unit as a whole.
_UNIT = re.compile(
    r"\(([^()]{1,30})\)|(?:,? in|,) ((?:[^\W\d]|[ /%€$£])+)$"
    r"|^(?:in )?((?:million|thousand|billion)s?\b.*)$",
    re.I,
)
# "EUR million", "€m", "$000": the number stands between.
_CURRENCY_FIRST = re.compile(r"([A-Z]{3}(?= )|[$€£¥])\s?(['’]?000|[^\W\d_]+)$")
_SCALES = ("thousand", "million", "billion")
# Of "Passengers (millions)".
_PLURAL = re.compile(r"^(.*(?:thousand|million|billion))s$", re.I)
_NUMBER_AND_UNIT = 2
# Before an hour of one digit, which is else a race time or a score.
_AT = re.compile(
    r"\b(?:at|from|until|till|by|to|before|after|since|around|about|between|and)\s$", re.I
)
# 14:20, 14h20, 2:20 pm; 2.20 pm, 2 p.m.
_CLOCK = re.compile(
    r"(?<![\d:.,/-])(?P<hour>[01]?\d|2[0-4])"
    r"(?:[:h](?P<minute>[0-5]\d)(?:[ \u00a0]?(?P<half>[ap])\.?m\b)?"
    r"|(?:[.](?P<after>[0-5]\d))?[ \u00a0]?(?P<part>[ap])\.?m\b)(?![\d:])",
    re.I,
)
_FEWEST_ROWS, _MOST_ROWS = 3, 60
# A longer sum is no working that a person reads.
_MOST_SHOWN = 8


def find_figures(text: str, lexicon: Lexicon) -> tuple[Figure, ...]:
    """The quantities and dates of a text in order, at most `MOST_FIGURES`."""
    text = _BRACKETED.sub(r";\1;", text)
    quantities, dates = with_yearless(text, *find_slots(text, lexicon), lexicon)
    return _in_order(text, (*quantities, *dates))[:MOST_FIGURES]


def _in_order(text: str, found: Sequence[Figure]) -> tuple[Figure, ...]:
    clocks = (clock for clock in find_clocks(text) if not overlaps(clock, found))
    return tuple(sorted((*found, *clocks), key=lambda value: value.start))


def find_clocks(text: str) -> Iterator[Quantity]:
    """The times of day of a text: 14:20, 2.20 pm, 10 p.m."""
    for match in _CLOCK.finditer(text):
        cued = len(match["hour"]) > 1 or match["half"] or match["part"]
        if not (cued or _AT.search(text[max(0, match.start() - 10) : match.start()])):
            continue
        hour, minute = int(match["hour"]), int(match["minute"] or match["after"] or 0)
        half = (match["half"] or match["part"] or "").lower()
        if half:
            hour = hour % 12 + (12 if half == "p" else 0)
        size = Decimal(60 * hour + minute)
        yield Quantity(
            size, size, QuantityKind.CLOCK, "", Modifier.EXACT, Decimal(1), match[0], *match.span()
        )


def find_row_figures(text: str, lexicon: Lexicon) -> tuple[Figure, ...]:
    """The figures of a table row, "- title: cell; title: cell".

    A number without a unit has that of its column's title or, failing that, of the row's label or
    of the corner, the title of the column of labels.
    """
    label, corner = label_of(text), _whole_unit(row_cells(text)[0].partition(": ")[0])
    found: list[Figure] = []
    for value in find_figures(text, lexicon):
        title = title_of(text, value.start)
        heads = (label,) if title is None else (title, label, corner)
        found.append(next(_in_units_of(value, heads, lexicon), value))
    return tuple(found)


def _in_units_of(value: Figure, heads: tuple[str, ...], lexicon: Lexicon) -> Iterator[Quantity]:
    """A bare number in each unit that the heads of its column and row name."""
    if isinstance(value, DateSpan) or value.kind is not QuantityKind.COUNT or value.unit:
        return
    for head in heads:
        for match in _UNIT.finditer(head.strip()):
            written = _with_unit(value.text, match[match.lastindex or 0])
            quantities, dates = find_slots(written, lexicon)
            if len(quantities) != 1 or dates or quantities[0].start:
                continue
            (found,) = quantities
            if found.text == written or (found.unit and len(written.split()) == _NUMBER_AND_UNIT):
                yield replace(found, text=written, start=value.start, end=value.end)


def _whole_unit(title: str) -> str:
    match = _UNIT.fullmatch(title.strip())
    return title if match and match[3] else ""


def _with_unit(number: str, unit: str) -> str:
    """A number as a sentence writes it: "6.2 km", "EUR 6.2 million", "€6.2m"."""
    unit = _PLURAL.sub(r"\1", unit)
    money = _CURRENCY_FIRST.match(unit)
    if not money:
        return f"{number} {unit}"
    scale = "thousand" if money[2].endswith("000") else money[2]
    if money[1].isalpha():
        return f"{money[1]} {number} {scale}"
    gap = " " if scale in _SCALES else ""
    return f"{money[1]}{number}{gap}{scale}"


def claim_figures(claim: Claim, lexicon: Lexicon) -> tuple[Figure, ...]:
    """The figures that a source has to bear out: those outside quotations."""
    quantities, dates = with_yearless(claim.text, claim.quantities, claim.dates, lexicon)
    found = _in_order(claim.text, (*quantities, *dates))
    if claim.cells:
        found = tuple(_in_units_of_cell(value, claim.cells, lexicon) for value in found)
    return tuple(
        value
        for value in found[:MOST_FIGURES]
        if not any(quote.start <= value.start < quote.end for quote in claim.quotes)
    )


def _in_units_of_cell(value: Figure, cells: Sequence[TableCell], lexicon: Lexicon) -> Figure:
    titles = (cell.title for cell in cells if cell.start <= value.start < cell.end)
    heads = (*titles, row_label(cell.text for cell in cells), _whole_unit(cells[0].title))
    return next(_in_units_of(value, heads, lexicon), value)


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
    cells = (part.rpartition(": ")[2] for part in row_cells(unit.text))
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
