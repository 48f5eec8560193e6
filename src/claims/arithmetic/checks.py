"""The arithmetic of a document: every result that it states about its own figures, worked again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ...base.vocabulary import Location
from ...documents.model import BlockKind, Document, Sentence
from ..lexicon import Lexicon
from ..model import DateSpan, Quantity, QuantityKind
from ..quantities import find_quantities, find_slots
from ._equations import find_equations
from .calculation import Calculation
from .reckoning import find_carried_totals, find_sums, sum_of

_READ = frozenset(
    {
        BlockKind.PARAGRAPH,
        BlockKind.LIST_ITEM,
        BlockKind.TABLE_ROW,
        BlockKind.TABLE_HEADER,
        BlockKind.FOOTNOTE,
        BlockKind.HEADING,
    }
)
_PLAIN = frozenset({BlockKind.TABLE_ROW, BlockKind.TABLE_HEADER, BlockKind.HEADING})
_TOTAL = re.compile(r"^\W*(?:grand |overall )?(?:totals?|sum|altogether|all)\b\W*$", re.IGNORECASE)
_PARTIAL = re.compile(r"sub-?total|of which|average|mean|median", re.IGNORECASE)
_FEWEST_PARTS = 2
_UNCOUNTED = frozenset({QuantityKind.ORDINAL, QuantityKind.RATIO})


@dataclass(frozen=True, slots=True)
class Figures:
    """A sentence with its quantities and dates, whose offsets are into the sentence's text."""

    sentence: Sentence
    quantities: tuple[Quantity, ...]
    dates: tuple[DateSpan, ...]

    @property
    def text(self) -> str:
        """The sentence as a reader sees it."""
        return self.sentence.text


def read_figures(document: Document, lexicon: Lexicon) -> tuple[Figures, ...]:
    """Every sentence of the author's own, with or without figures, in order.

    Quotations and code are left out: what others reckoned is theirs.
    """
    return tuple(
        Figures(sentence, *find_slots(sentence.text, lexicon))
        for sentence in document.sentences
        if sentence.kind in _READ and sentence.text
    )


@dataclass(frozen=True, slots=True)
class CheckedSum:
    """A calculation and where it stands: `sentence` is the index of its sentence."""

    calculation: Calculation
    sentence: int
    text: str
    location: Location


def check_arithmetic(
    document: Document, figures: Sequence[Figures], lexicon: Lexicon
) -> tuple[CheckedSum, ...]:
    """Every equation, share, change, sum and table total, in order.

    `figures` are those of `document`.
    """
    found = [
        _located(document, one.sentence, calculation)
        for before, one in zip((None, *figures), figures, strict=False)
        for calculation in _in_sentence(before, one, lexicon)
    ]
    found += [_located(document, *total) for total in _table_totals(document, lexicon)]
    # One wrong total may be that of its row and of its column, or a sum and a product.
    single = {(s.sentence, s.calculation.stated, s.calculation.computed): s for s in found}
    return tuple(sorted(single.values(), key=lambda one: one.location.start))


def _in_sentence(before: Figures | None, one: Figures, lexicon: Lexicon) -> Iterator[Calculation]:
    plain = one.sentence.kind in _PLAIN
    if not plain and ("=" in one.text or "equals" in one.text):
        yield from find_equations(one.text, lexicon)
    if not plain and len(one.quantities) > 1:
        yield from find_sums(one.text, one.quantities)
    if before is not None and before.sentence.kind not in _PLAIN:
        yield from find_carried_totals(before.text, before.quantities, one.text, one.quantities)


def _located(document: Document, sentence: Sentence, calculation: Calculation) -> CheckedSum:
    start, end = calculation.start, calculation.end
    first, last = sentence.source_span(start, end)
    location = document.location(first, last, " > ".join(sentence.section))
    return CheckedSum(calculation, sentence.index, sentence.text[start:end], location)


@dataclass(frozen=True, slots=True)
class _Row:
    """A table row: its cells as written, and the one figure of each, None where there is none."""

    sentence: Sentence
    cells: tuple[str, ...]
    figures: tuple[Quantity | None, ...]


def _table_totals(document: Document, lexicon: Lexicon) -> Iterator[tuple[Sentence, Calculation]]:
    """Each stated total of the document's tables with its row.

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
    found = find_quantities(sentence.text, lexicon)
    figures = (
        [quantity for quantity in found if start <= quantity.start and quantity.end <= end]
        for start, end in sentence.cells
    )
    single = tuple(one[0] if len(one) == 1 else None for one in figures)
    return _Row(sentence, _cells(sentence), single)


def _cells(sentence: Sentence) -> tuple[str, ...]:
    return tuple(sentence.text[start:end] for start, end in sentence.cells)


def _column_totals(
    rows: Sequence[_Row], titles: Sequence[str]
) -> Iterator[tuple[Sentence, Calculation]]:
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


def _row_totals(
    rows: Sequence[_Row], titles: Sequence[str]
) -> Iterator[tuple[Sentence, Calculation]]:
    """The last column as the sum of those before it."""
    if len(titles) <= _FEWEST_PARTS or not _TOTAL.match(titles[-1]):
        return
    for row in rows:
        stated = row.figures[-1] if len(row.figures) == len(titles) else None
        if stated:
            yield from _sum(row.sentence, stated, row.figures[1:-1])


def _sum(
    sentence: Sentence, stated: Quantity, parts: Sequence[Quantity | None]
) -> Iterator[tuple[Sentence, Calculation]]:
    held = [part for part in parts if part is not None]
    alike = all(part.kind is stated.kind and part.unit == stated.unit for part in held)
    if len(held) < max(_FEWEST_PARTS, len(parts)) or not alike or stated.kind in _UNCOUNTED:
        return
    # A mean of rates or shares lies among them.
    rate = stated.kind is QuantityKind.PERCENT or stated.step < 1
    if rate and min(part.low for part in held) < stated.low < max(part.low for part in held):
        return
    yield sentence, sum_of(held, stated, stated.start, stated.end)
