"""Figures and dates of a claim in passages: equal, rounded, derived, differing or absent.

A derived figure shows its working. Operands have to be of one kind and unit with each other, and
the operation has to fit what the claim's figure measures: a share or a change for a percentage, a
sum or a difference for anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal, DivisionByZero, InvalidOperation
from itertools import combinations, permutations

from ...claims.lexicon import Lexicon
from ...claims.model import DateSpan, Granularity, Modifier, Quantity, QuantityKind
from ..model import SlotCheck, SlotKind, SlotOutcome
from ..passages.figures import Figure
from ..policy import NumberPolicy
from .comparison import Comparison, compare_dates, compare_quantities, value_in_base

# Sums over more values find a match for anything.
MOST_ADDENDS, MOST_OPERANDS = 8, 24
# "About" and one-sided figures may lie this far from what they are worked from.
_ABOUT = Decimal("0.05")
_ONE_SIDED = Decimal("0.15")
_HUNDRED = Decimal(100)
_DAYS = {
    "day": Decimal(1),
    "week": Decimal(7),
    "month": Decimal("30.44"),
    "year": Decimal("365.25"),
}
# Two dates a stretch of 3.9 years apart are four years apart.
_STRETCH = Decimal("0.12")
_FOUND = (SlotOutcome.MATCH, SlotOutcome.ROUNDED)
_SHARES = frozenset({QuantityKind.PERCENT, QuantityKind.RATIO})
_POINTS = frozenset({QuantityKind.PERCENTAGE_POINTS, QuantityKind.BASIS_POINTS})
_SUMMED = frozenset({QuantityKind.COUNT, QuantityKind.MONEY, QuantityKind.MEASURE})


@dataclass(frozen=True, slots=True)
class FigureCheck:
    """One figure of a claim against passages.

    `found` is the value of the passage that it was compared with, if any. `change` is (claimed -
    found) / found. `working` shows how a derived figure follows, "" for one that is printed.
    """

    value: Figure
    outcome: SlotOutcome
    found: Figure | None = None
    change: float | None = None
    working: str = ""

    @property
    def is_found(self) -> bool:
        """Whether the passages print the figure or imply it."""
        return self.outcome in _FOUND

    @property
    def is_printed(self) -> bool:
        """Whether the passages have the figure itself, in whatever unit or form."""
        return self.is_found and not self.working

    @property
    def is_derived(self) -> bool:
        """Whether it is only implied."""
        return bool(self.working)

    def slot(self) -> SlotCheck:
        """The check as it is recorded."""
        kind = SlotKind.DATE if isinstance(self.value, DateSpan) else SlotKind.NUMBER
        found = self.working or (self.found.text if self.found else "")
        deviation = None if self.change is None else abs(self.change)
        return SlotCheck(kind, self.outcome, self.value.text, found, deviation)


def check_figures(
    claimed: Iterable[Figure], found: Sequence[Figure], lexicon: Lexicon, policy: NumberPolicy
) -> tuple[FigureCheck, ...]:
    """Each figure of `claimed` against all of `found`, at its best."""
    return tuple(_check(one, found, lexicon, policy) for one in claimed)


def _check(
    value: Figure, found: Sequence[Figure], lexicon: Lexicon, policy: NumberPolicy
) -> FigureCheck:
    compared = [
        FigureCheck(value, _outcome(comparison), other, comparison.change)
        for other in found
        if (comparison := _compare(value, other, lexicon, policy))
    ]
    for outcome in _FOUND:
        for one in compared:
            if one.outcome is outcome:
                return one
    working = derive(value, found, lexicon)
    if working:
        return FigureCheck(value, SlotOutcome.MATCH, working=working)
    rivals = [one for one in compared if one.outcome is SlotOutcome.MISMATCH]
    if rivals:
        return min(rivals, key=lambda one: abs(one.change) if one.change is not None else 1.0)
    return FigureCheck(value, SlotOutcome.ABSENT)


def _outcome(comparison: Comparison) -> SlotOutcome:
    """Take an equal value with another qualifier as printed: the reader tells "20 or more"."""
    if comparison.outcome is SlotOutcome.ABSENT and comparison.change == 0.0:
        return SlotOutcome.MATCH
    return comparison.outcome


def _compare(
    value: Figure, other: Figure, lexicon: Lexicon, policy: NumberPolicy
) -> Comparison | None:
    if isinstance(value, DateSpan):
        if isinstance(other, DateSpan):
            return compare_dates(value, other)
        return _as_year(value, other)
    if isinstance(other, DateSpan):
        return None
    if value.kind is QuantityKind.COUNT and other.kind is QuantityKind.COUNT:
        # What a count counts is the reader's business: "826 ships called" and "calls: 826".
        return compare_quantities(_bare(value), _bare(other), lexicon, policy)
    return compare_quantities(value, other, lexicon, policy)


def _bare(quantity: Quantity) -> Quantity:
    return replace(quantity, unit="")


def _as_year(value: DateSpan, other: Quantity) -> Comparison | None:
    """A year of the claim against a bare number of a table's header or cell."""
    year = value.granularity is Granularity.YEAR and other.kind is QuantityKind.COUNT
    if not year or other.low != other.high:
        return None
    same = other.low == value.first.year and not value.fiscal
    return Comparison(SlotOutcome.MATCH) if same else None


def derive(value: Figure, found: Sequence[Figure], lexicon: Lexicon) -> str:
    """How `value` follows from figures of `found`, in one line; "" if it does not."""
    if isinstance(value, DateSpan) or value.low != value.high:
        return ""
    dates = [one for one in found if isinstance(one, DateSpan)]
    quantities = [one for one in found if isinstance(one, Quantity) and one.low == one.high]
    if value.kind is QuantityKind.MEASURE and value.unit in _DAYS:
        working = _stretch(value, dates)
        if working:
            return working
    groups = _alike(quantities, lexicon)
    if value.kind in _SHARES:
        operands = [sizes for (kind, _), sizes in groups.items() if kind not in _POINTS]
        claimed = value.low * (_HUNDRED if value.kind is QuantityKind.RATIO else 1)
        step = value.step * (_HUNDRED if value.kind is QuantityKind.RATIO else 1)
        return _first(_shares(operands), claimed, step, value.modifier)
    if value.kind in _POINTS:
        sizes = groups.get((QuantityKind.PERCENT, QuantityKind.PERCENT), [])
        return _first(_differences(sizes), value.low, value.step, value.modifier)
    if value.kind not in _SUMMED:
        return ""
    scale, size = value_in_base(value, lexicon)
    factor = size / value.low if value.low else Decimal(1)
    counted = value.kind is QuantityKind.COUNT
    sizes = [
        one
        for (kind, unit), members in groups.items()
        if kind is value.kind and (counted or unit == scale)
        for one in members
    ]
    results = [*_differences(sizes), *_sums(sizes), *(_multiples(sizes) if counted else ())]
    return _first(results, size, value.step * abs(factor), value.modifier)


def _alike(
    quantities: Iterable[Quantity], lexicon: Lexicon
) -> dict[tuple[QuantityKind, str], list[Decimal]]:
    """The different values of each kind and unit, in base units."""
    groups: dict[tuple[QuantityKind, str], list[Decimal]] = {}
    for one in quantities:
        scale, size = value_in_base(one, lexicon)
        known = groups.setdefault((one.kind, scale), [])
        if size not in known and len(known) < MOST_OPERANDS:
            known.append(size)
    return groups


Result = tuple[Decimal, str]


def _first(results: Iterable[Result], size: Decimal, step: Decimal, modifier: Modifier) -> str:
    """The working of the first result that `size` stands for."""
    for result, working in results:
        if _stands_for(size, result, step, modifier):
            return f"{working} = {_written(result)}"
    return ""


def _stands_for(size: Decimal, result: Decimal, step: Decimal, modifier: Modifier) -> bool:
    gap = size - result
    match modifier:
        case Modifier.EXACT:
            return abs(gap) <= step / 2
        case Modifier.ABOUT:
            return abs(gap) <= max(step / 2, _ABOUT * abs(result))
        case Modifier.AT_LEAST | Modifier.MORE_THAN:
            return -_ONE_SIDED * abs(result) <= gap <= step / 2
        case Modifier.AT_MOST | Modifier.LESS_THAN:
            return -step / 2 <= gap <= _ONE_SIDED * abs(result)


def _differences(sizes: Sequence[Decimal]) -> Iterator[Result]:
    for one, other in combinations(sizes, 2):
        high, low = max(one, other), min(one, other)
        yield high - low, f"{_written(high)} − {_written(low)}"


def _sums(sizes: Sequence[Decimal]) -> Iterator[Result]:
    for one, other in combinations(sizes, 2):
        yield one + other, f"{_written(one)} + {_written(other)}"
    for length in range(3, min(len(sizes), MOST_ADDENDS) + 1):
        for start in range(len(sizes) - length + 1):
            parts = sizes[start : start + length]
            yield sum(parts, Decimal(0)), " + ".join(map(_written, parts))


def _multiples(sizes: Sequence[Decimal]) -> Iterator[Result]:
    for one, other in combinations(sizes, 2):
        high, low = max(one, other), min(one, other)
        if low > 0 and high / low >= Decimal("1.5"):
            yield high / low, f"{_written(high)} / {_written(low)}"


def _shares(groups: Iterable[Sequence[Decimal]]) -> Iterator[Result]:
    for sizes in groups:
        for one in sizes:
            if 0 < one < _HUNDRED:
                yield _HUNDRED - one, f"100 − {_written(one)}"
        for part, whole in permutations(sizes, 2):
            try:
                share = _HUNDRED * part / whole
            except (DivisionByZero, InvalidOperation):
                continue
            if 0 < share < _HUNDRED:
                yield share, f"{_written(part)} / {_written(whole)}"
            yield abs(share - _HUNDRED), f"{_written(whole)} to {_written(part)}"


def _stretch(value: Quantity, dates: Sequence[DateSpan]) -> str:
    """The time between two dates that are given to the day, month or year, in the claimed unit."""
    size = value.low
    for one, other in combinations(dates, 2):
        if one.granularity is not other.granularity:
            continue
        first, last = sorted(_in_one_year(one, other), key=lambda span: span.first)
        gap = _whole_gap(first.first, last.first, value.unit)
        if abs(gap - size) <= max(_STRETCH, value.step / 2 if value.unit == "day" else _STRETCH):
            return f"{first.text} to {last.text} = {_written(gap)} {value.unit}s"
    return ""


def _in_one_year(one: DateSpan, other: DateSpan) -> tuple[DateSpan, DateSpan]:
    """A date without a year beside one with it is of that year: "2 July 2024; 16 September"."""
    if one.yearless == other.yearless:
        return one, other
    if other.yearless:
        other, one = one, other
    year = other.first.year
    try:
        first, last = one.first.replace(year=year), one.last.replace(year=year)
    except ValueError:  # 29 February
        return one, one
    return replace(one, first=first, last=last), other


def _whole_gap(first: date, last: date, unit: str) -> Decimal:
    return Decimal((last - first).days) / _DAYS[unit]


def _written(value: Decimal) -> str:
    """A number for a person: two decimals at most, thousands apart."""
    return f"{float(value):,.2f}".rstrip("0").rstrip(".")
