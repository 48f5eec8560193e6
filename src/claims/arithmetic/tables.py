"""Tables whose totals can be worked again, column by column and row by row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from ...documents.model import BlockKind, Document, Sentence
from ..lexicon import Lexicon
from ..model import Quantity, QuantityKind
from ..quantity.quantities import find_quantities
from .bounds import meets_sum
from .calculation import Calculation, CalculationKind, figure

_TOTAL = re.compile(r"^\W*(?:grand |overall )?(?:totals?|sum|altogether|all)\b\W*$", re.IGNORECASE)
_PARTIAL = re.compile(r"sub-?total|of which|average|mean|median", re.IGNORECASE)
_FEWEST_PARTS = 2
_UNCOUNTED = frozenset({QuantityKind.ORDINAL, QuantityKind.RATIO})


@dataclass(frozen=True, slots=True)
class _Row:
    """A table row: its cells as written, and the one figure of each, None where there is none."""

    sentence: Sentence
    cells: tuple[str, ...]
    figures: tuple[Quantity | None, ...]


def find_table_totals(document: Document, lexicon: Lexicon) -> Iterator[tuple[int, Calculation]]:
    """Each stated total of the document's tables with the index of its row's sentence.

    The span of a calculation is that of the stated figure in the row's text. A table with a
    subtotal is left alone, because it says only to a reader what adds up to what.
    """
    rows = (s for s in document.sentences if s.kind is BlockKind.TABLE_ROW and s.table is not None)
    for _, table in groupby(rows, key=lambda sentence: sentence.table):
        read = [_row(sentence, lexicon) for sentence in table]
        if any(_PARTIAL.search(cell) for row in read for cell in row.cells[:1]):
            continue
        header = read[0].sentence.header
        titles = _cells(document.sentences[header]) if header is not None else ()
        yield from _column_totals(read, titles)
        yield from _row_totals(read, titles)


def _row(sentence: Sentence, lexicon: Lexicon) -> _Row:
    cells = _cells(sentence)
    found = find_quantities(sentence.text, lexicon)
    figures = [
        [quantity for quantity in found if start <= quantity.start and quantity.end <= end]
        for start, end in sentence.cells
    ]
    return _Row(sentence, cells, tuple(one[0] if len(one) == 1 else None for one in figures))


def _cells(sentence: Sentence) -> tuple[str, ...]:
    return tuple(sentence.text[start:end] for start, end in sentence.cells)


def _column_totals(
    rows: Sequence[_Row], titles: Sequence[str]
) -> Iterator[tuple[int, Calculation]]:
    """The last row as the sum of those above it."""
    last = rows[-1]
    if not last.cells or not _TOTAL.match(last.cells[0]):
        return
    for column in range(1, len(last.figures)):
        stated = last.figures[column]
        parts = [row.figures[column] for row in rows[:-1] if column < len(row.figures)]
        title = titles[column] if column < len(titles) else ""
        if stated and not _PARTIAL.search(title):
            yield from _sum(last.sentence, stated, parts)


def _row_totals(rows: Sequence[_Row], titles: Sequence[str]) -> Iterator[tuple[int, Calculation]]:
    """The last column as the sum of those before it."""
    if len(titles) <= _FEWEST_PARTS or not _TOTAL.match(titles[-1]):
        return
    for row in rows:
        stated = row.figures[-1] if len(row.figures) == len(titles) else None
        if stated:
            yield from _sum(row.sentence, stated, row.figures[1:-1])


def _sum(
    sentence: Sentence, stated: Quantity, parts: Sequence[Quantity | None]
) -> Iterator[tuple[int, Calculation]]:
    held = [part for part in parts if part is not None]
    alike = all(part.kind is stated.kind and part.unit == stated.unit for part in held)
    if len(held) < max(_FEWEST_PARTS, len(parts)) or not alike or stated.kind in _UNCOUNTED:
        return
    total = sum((Fraction(part.low) for part in held), Fraction())
    yield (
        sentence.index,
        Calculation(
            CalculationKind.TABLE_TOTAL,
            stated.start,
            stated.end,
            stated=Fraction(stated.low),
            computed=total,
            agrees=meets_sum(held, stated),
            working=f"{' + '.join(part.text for part in held)} = {figure(total)}",
        ),
    )
