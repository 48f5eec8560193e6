"""A row of the claim's table laid over a row of the source's table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from ...claims.lexicon import Lexicon
from ...claims.model import DateSpan, Quantity
from ...claims.words import WordBook
from ..model import SlotOutcome
from ..policy import VerificationPolicy
from ..reading.form import CELLS, ClaimForm, Slot
from ..reading.index import TextIndex
from ..reading.labels import Bag, label_words
from ..reading.records import RecordCheck, RecordOutcome
from ..values.comparison import compare_dates, compare_quantities
from .grid import Grid, Row, read_grid

_TABLES_READ = 3
# One value may be equal by chance, and says nothing of the order.
_LEAST_VALUES = 2


def check_row(
    form: ClaimForm,
    index: TextIndex,
    held: Sequence[int],
    lexicon: Lexicon,
    policy: VerificationPolicy,
) -> RecordCheck | None:
    """What the tables of a source say of a claim that is a table row with several values.

    Equal rows in equal order are one row, however their columns are headed. The order differs only
    where each heading of the claim is plainly one of the source's.
    """
    cells = list(_cells(form))
    if len(cells) < _LEAST_VALUES or any(len(slots) > 1 for _, slots in cells):
        return None
    asked = _Asked(form, index, lexicon, policy)
    near = set(held)
    runs = [run for run in index.tables if any(run[0] <= n <= run[1] for n in near)]
    for run in runs[:_TABLES_READ]:
        grid = read_grid(index, *run, held)
        row = asked.row(grid)
        check = asked.check(grid, row, [(title, slot) for title, (slot,) in cells]) if row else None
        if check:
            return check
    return None


def _cells(form: ClaimForm) -> Iterator[tuple[str, list[Slot]]]:
    """The cells of the claim's row that have values, the first cell left out, with their titles."""
    text, titles = form.claim.text, form.claim.context.split(CELLS)
    at = 0
    for number, cell in enumerate(text.split(CELLS)):
        slots = [s for s in form.slots if at <= s.value.start < at + len(cell)]
        if number and slots:
            yield titles[number].strip() if number < len(titles) else "", slots
        at += len(cell) + len(CELLS)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A claim that is a table row, and what is needed to compare it."""

    form: ClaimForm
    index: TextIndex
    lexicon: Lexicon
    policy: VerificationPolicy

    @property
    def _book(self) -> WordBook:
        return self.lexicon.words

    def row(self, grid: Grid) -> Row | None:
        """The one row of a table that has the claim's label."""
        text = self.form.claim.text
        end = text.find(CELLS)
        tokens = [token for token in self.form.tokens if token.end <= end]
        words = label_words(tokens, text[:end], 0, self._book)
        bag = Bag(self.form, self._book)
        shares = [
            (max(bag.share(words, row.label.words), bag.share(row.label.words, words)), row)
            for row in grid.rows
        ]
        best = max((share for share, _ in shares), default=0.0)
        rows = [row for share, row in shares if share == best >= self.policy.support.row_label]
        # A day train is no night train, whatever else the labels share.
        opposed = {word for one in words for word in self._book.opposed(one)}
        alone = len(rows) == 1 and opposed.isdisjoint(rows[0].label.words)
        return rows[0] if alone else None

    def check(self, grid: Grid, row: Row, cells: Sequence[tuple[str, Slot]]) -> RecordCheck | None:
        """Whether the row has the claim's values in their order, or under exchanged headings."""
        columns = range(grid.keys, len(row.cells))
        slots = [slot for _, slot in cells]
        named = [self._column(grid, title) for title, _ in cells]
        if None in named or len(set(named)) < len(named):
            # A heading that names a column by itself says at least where its own value stands.
            orders = combinations(columns, len(cells))
            equal = any(
                all(column in (None, n) for column, n in zip(named, order, strict=True))
                and self._fits(slots, row, order)
                for order in orders
            )
            return self._record(row, RecordOutcome.CONFIRMED) if equal else None
        plain = [column for column in named if column is not None]
        if self._fits(slots, row, plain):
            return self._record(row, RecordOutcome.CONFIRMED)
        for (one, left), (other, right) in combinations(zip(slots, plain, strict=True), 2):
            straight = self._agree(one, row, left)
            if not straight and self._fits((one, other), row, (right, left)):
                return self._record(row, RecordOutcome.DENIED, one, other)
        return None

    def _column(self, grid: Grid, title: str) -> int | None:
        """The one column whose heading shares words with `title`."""
        words = {w for t in self._book.tokens(title) for w in self._book.alike(t.stem)}
        named = [
            number
            for number, label in enumerate(grid.columns)
            if number >= grid.keys
            and any(t.stem in words for t in self.index.tokens_at(label.start, label.end))
        ]
        return named[0] if len(named) == 1 else None

    def _fits(self, slots: Sequence[Slot], row: Row, columns: Sequence[int]) -> bool:
        return all(self._agree(slot, row, n) for slot, n in zip(slots, columns, strict=True))

    def _agree(self, slot: Slot, row: Row, column: int) -> bool:
        value = slot.value
        found: Quantity | DateSpan | None
        if isinstance(value, DateSpan):
            found = row.date(column)
            comparison = compare_dates(value, found) if found else None
        else:
            found = row.figure(column)
            numbers = self.policy.numbers
            comparison = compare_quantities(value, found, self.lexicon, numbers) if found else None
        return comparison is not None and comparison.outcome is SlotOutcome.MATCH

    def _record(
        self, row: Row, outcome: RecordOutcome, slot: Slot | None = None, other: Slot | None = None
    ) -> RecordCheck:
        start, end = row.cells[0][0], row.cells[-1][1]
        return RecordCheck(
            outcome,
            start,
            end,
            slot.value.text if slot else self.form.claim.text,
            self.index.text[start:end],
            slot=slot,
            complete=True,
            exchanged=other.value.text if other else "",
        )
