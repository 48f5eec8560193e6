"""A claim laid beside a table: what it names of it, and a cell of it as a record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from ...claims.lexicon import Lexicon
from ...claims.model import DateSpan, QuantityKind
from ...claims.quantity.quantities import find_slots
from ...claims.words import WordBook
from ..policy import VerificationPolicy
from ..reading.form import ClaimForm, Slot
from ..reading.index import TextIndex
from ..reading.labels import Bag, Named
from ..reading.records import RecordCheck, RecordOutcome
from ..values.comparison import Comparison
from .grid import Grid, Row

MORE = re.compile(
    r"\b(?:exceed(?:s|ed|ing)?|surpass(?:es|ed)?|outnumber(?:s|ed)?|outstrip(?:s|ped)?|outsold"
    r"|overtook|top(?:s|ped)|ahead of|more|higher|greater|larger|bigger|longer|dearer|above|over"
    r"|costlier|taller|heavier|older|faster|busier)\b",
    re.I,
)
LESS = re.compile(
    r"\b(?:fewer|less|lower|smaller|shorter|cheaper|below|under|behind|trail(?:s|ed)?|lighter"
    r"|younger|slower|fell short of|lag(?:s|ged)?)\b",
    re.I,
)


@dataclass(frozen=True)
class Asked:
    """A claim beside a table: the rows and columns that it names."""

    form: ClaimForm
    index: TextIndex
    grid: Grid
    bag: Bag
    rows: list[Named]
    columns: list[Named]
    lexicon: Lexicon
    policy: VerificationPolicy

    @property
    def text(self) -> str:
        """The claim."""
        return self.form.claim.text

    @property
    def book(self) -> WordBook:
        """The words of the lexicon."""
        return self.lexicon.words

    @cached_property
    def figures(self) -> frozenset[int]:
        """Where the values of the claim start that `is_figure`."""
        return frozenset(s.value.start for s in self.form.slots if _is_looked_up(s, self))

    @cached_property
    def around(self) -> frozenset[str]:
        """The words of the head of the source and of what stands round the table."""
        spans = self.grid.caption, self.grid.notes
        near = frozenset(t.stem for span in spans for t in self.index.tokens_at(*span))
        return near | self.index.heading_stems

    @cached_property
    def times(self) -> dict[int, date]:
        """The columns that stand for a time, with its first day."""
        found: dict[int, date] = {}
        for number, title in enumerate(self.grid.columns):
            _, dates = find_slots(self.index.text[title.start : title.end], self.lexicon)
            if dates and number >= self.grid.keys:
                found[number] = dates[0].first
        return found

    def is_modifier(self, named: Named) -> bool:
        """Whether a further noun follows right after the words of a label: "course fees"."""
        last = max(named.places)
        # Of what the table is about, "short-sighted pupils" says no more than "short-sighted".
        about = {word for row in self.grid.rows for word in row.label.words}
        stops = self.lexicon.words.stop_words | about
        return any(
            0 < place - last <= 1 and token.stem not in stops
            for token, place in zip(self.form.tokens, self.bag.positions, strict=True)
        )


def is_figure(slot: Slot, asked: Asked) -> bool:
    """Whether a slot is a number to be looked up and no row, column or count of rows."""
    return slot.value.start in asked.figures


def _is_looked_up(slot: Slot, asked: Asked) -> bool:
    value = slot.value
    if isinstance(value, DateSpan):
        if _is_label(slot, asked):
            return False
        in_cells = any(row.date(named.number) for row in asked.grid.rows for named in asked.columns)
        return in_cells or not _is_captioned(slot, asked)
    if value.kind is QuantityKind.ORDINAL:
        return False
    if value.kind is QuantityKind.RATIO:
        # "Six loans in ten" names the column of loans, and is a share all the same.
        return True
    if value.kind is QuantityKind.COUNT and value.low in _counts(asked.grid):
        return False
    return not _is_label(slot, asked)


def _is_label(slot: Slot, asked: Asked) -> bool:
    """Whether a number or date of the claim is part of the name of a row or column."""
    named = [place for one in (*asked.rows, *asked.columns) for place in one.places]
    return any(slot.first <= place <= slot.last for place in named)


def _counts(grid: Grid) -> set[int]:
    """How many rows there are: "of the four districts"."""
    return {len(grid.rows), sum(not row.is_whole for row in grid.rows)}


def _is_captioned(slot: Slot, asked: Asked) -> bool:
    """Whether what stands round the table says its date."""
    words = {token.stem for token in asked.book.tokens(slot.value.text)}
    return words <= asked.around


def cell_check(
    asked: Asked,
    row: Named,
    column: int,
    outcome: RecordOutcome,
    slot: Slot | None = None,
    comparison: Comparison | None = None,
) -> RecordCheck:
    """The cell of a named row as the record that answers the claim, or its `slot`."""
    record = asked.grid.rows[row.number]
    cell = asked.index.text[slice(*record.cells[column])]
    label, title = (
        span_text(asked, record.label[1:]),
        span_text(asked, asked.grid.columns[column][1:]),
    )
    return RecordCheck(
        outcome,
        record.cells[0][0],
        record.cells[-1][1],
        slot.value.text if slot else asked.text,
        f"{label}, {title}: {cell}" if title else f"{label}: {cell}",
        slot=slot,
        change=comparison.change if comparison else None,
    )


def span_text(asked: Asked, span: Sequence[int]) -> str:
    """The text of a span of the source without the marks of a cell."""
    return asked.index.text[span[0] : span[1]].strip(" |*")


def cell_text(asked: Asked, row: Row, column: int) -> str:
    """What stands in a cell, "" if the row is too short for it."""
    return asked.index.text[slice(*row.cells[column])] if column < len(row.cells) else ""
