"""Columns of a table that are reckoned from others: a share, a change, a sum, a product.

What holds in every row but one is a rule of the table, and the one row is doubted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, permutations

from ..model import Quantity, QuantityKind
from .bounds import Bounds, Computed, bounds, quotients
from .calculation import Calculation, CalculationKind, figure
from .figures import Figures

_MOST_COLUMNS = 8
_MOST_ROWS = 200
_FEWEST_HELD = 3
_FEWEST_SHARES = 2
_MEASURES = frozenset({QuantityKind.COUNT, QuantityKind.MONEY, QuantityKind.MEASURE})

_Rule = Callable[[Quantity, Quantity], Computed | None]


def find_column_sums(figures: Sequence[Figures]) -> Iterator[tuple[Figures, Calculation]]:
    """Each figure that breaks a rule which all other rows of its table keep, with its row."""
    rows = (one for one in figures if one.sentence.table is not None and one.sentence.cells)
    for _, table in groupby(rows, key=lambda one: one.sentence.table):
        held = [row for row in table if row.sentence.header is not None and row.quantities]
        yield from _broken(held[:_MOST_ROWS])


def _broken(rows: Sequence[Figures]) -> Iterator[tuple[Figures, Calculation]]:
    columns = _columns(rows)
    if len(rows) < _FEWEST_SHARES + 1:
        return
    doubted = set[int]()
    for a, b, c in permutations(range(len(columns)), 3):
        if c < max(a, b):
            continue  # Results stand to the right of what they are reckoned from.
        for kind, rule in _RULES.items():
            fewest = _FEWEST_SHARES if kind is CalculationKind.SHARE else _FEWEST_HELD
            at = _one_exception(columns[a], columns[b], columns[c], rule, fewest)
            if at is None or at in doubted:
                continue
            doubted.add(at)
            yield rows[at], _calculation(kind, columns[a][at], columns[b][at], columns[c][at], rule)


def _columns(rows: Sequence[Figures]) -> list[list[Quantity]]:
    """The columns that hold as many figures in each row: "91 (65%)" makes two."""
    found: list[list[Quantity]] = []
    width = min((len(row.sentence.cells) for row in rows), default=0)
    for cell in range(1, width):
        spans = [(row, row.sentence.cells[cell]) for row in rows]
        held = [
            [one for one in row.quantities if start <= one.start and one.end <= end]
            for row, (start, end) in spans
        ]
        counts = {len(one) for one in held}
        if len(counts) == 1:
            found += [[one[at] for one in held] for at in range(counts.pop())]
    alike = (column for column in found if len({(one.kind, one.unit) for one in column}) == 1)
    return list(alike)[:_MOST_COLUMNS]


def _one_exception(
    a: Sequence[Quantity], b: Sequence[Quantity], c: Sequence[Quantity], rule: _Rule, fewest: int
) -> int | None:
    """The one row in which the rule does not hold; None if there is none, or are several."""
    broken: int | None = None
    for at, (left, right, stated) in enumerate(zip(a, b, c, strict=True)):
        computed = rule(left, right) if _fits(left, right, stated, rule) else None
        if computed is None:
            return None
        if not computed.bounds.meets(bounds(stated)):
            if broken is not None:
                return None
            broken = at
    return broken if len(c) > fewest else None


def _fits(left: Quantity, right: Quantity, stated: Quantity, rule: _Rule) -> bool:
    """Whether the sorts of the three columns are those of the rule."""
    alike = left.kind is right.kind and left.unit == right.unit and left.kind in _MEASURES
    if rule in (_share, _growth):
        return alike and stated.kind is QuantityKind.PERCENT
    if rule is _product:
        return {left.kind, right.kind, stated.kind} <= _MEASURES and left.start < right.start
    if rule is _sum and left.start > right.start:
        return False
    return alike and stated.kind is left.kind and stated.unit == left.unit


def _share(part: Quantity, whole: Quantity) -> Computed | None:
    if part.low > whole.low or bounds(whole).low <= 0:
        return None
    held = quotients(bounds(part), bounds(whole))
    value = Fraction(part.low) / Fraction(whole.low)
    return Computed(value, held).times(100)


def _growth(old: Quantity, new: Quantity) -> Computed | None:
    if bounds(old).low <= 0:
        return None
    held = quotients(bounds(new), bounds(old))
    value = Fraction(new.low) / Fraction(old.low) - 1
    return Computed(value, Bounds(held.low - 1, held.high - 1)).times(100)


def _sum(left: Quantity, right: Quantity) -> Computed | None:
    one, other = bounds(left), bounds(right)
    value = Fraction(left.low) + Fraction(right.low)
    return Computed(value, Bounds(one.low + other.low, one.high + other.high))


def _difference(left: Quantity, right: Quantity) -> Computed | None:
    one, other = bounds(left), bounds(right)
    value = Fraction(left.low) - Fraction(right.low)
    return Computed(value, Bounds(one.low - other.high, one.high - other.low))


def _product(left: Quantity, right: Quantity) -> Computed | None:
    one, other = bounds(left), bounds(right)
    value = Fraction(left.low) * Fraction(right.low)
    return Computed(value, Bounds(one.low * other.low, one.high * other.high))


_RULES: Mapping[CalculationKind, _Rule] = {
    CalculationKind.SHARE: _share,
    CalculationKind.GROWTH: _growth,
    CalculationKind.SUM: _sum,
    CalculationKind.DIFFERENCE: _difference,
    CalculationKind.PRODUCT: _product,
}
_SIGNS = {
    CalculationKind.SHARE: "/",
    CalculationKind.SUM: "+",
    CalculationKind.DIFFERENCE: "−",
    CalculationKind.PRODUCT: "×",
}


def _calculation(
    kind: CalculationKind, left: Quantity, right: Quantity, stated: Quantity, rule: _Rule
) -> Calculation:
    computed = rule(left, right)
    value = computed.value if computed else Fraction(0)
    if kind is CalculationKind.GROWTH:
        working = f"from {left.text} to {right.text}: {figure(value)} %"
    else:
        percent = " %" if kind is CalculationKind.SHARE else ""
        working = f"{left.text} {_SIGNS[kind]} {right.text} = {figure(value)}{percent}"
    return Calculation(
        kind,
        stated.start,
        stated.end,
        stated=Fraction(stated.low),
        computed=value,
        agrees=False,
        working=f"{working}, as in the other rows",
    )
