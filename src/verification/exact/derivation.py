"""Figures and dates of a claim in passages: equal, rounded, absent, or worked from others there.

Sums, differences, shares, changes, rates, products and stretches of time are worked from the
figures of the sentences and rows that are most about the claim. Enough figures give a match for
anything, so every derivation says how likely one would fit by chance: the more results of like
size there are, and the coarser the claimed figure is, the less its match means.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations, permutations, product

from ...claims.arithmetic.reckoning import movement
from ...claims.lexicon import Lexicon
from ...claims.model import SUMMED, DateSpan, Figure, Granularity, Modifier, Quantity, QuantityKind
from ..model import SlotOutcome
from ..policy import NumberPolicy
from .comparison import (
    Comparison,
    compare_dates,
    compare_quantities,
    counts_points,
    is_bare,
    is_bounded,
    is_scaled,
    value_in_base,
    written_number,
)
from .model import Derivation, FigureCheck

MOST_CHANCE = 0.9
"""A figure that follows from others only by a likelier accident than this counts as not found.

Of .3, .5, .7 and .9 the one at which the fitted decision ranks documents best (AUC .830, .834,
.834, .839, cross-validated over 716 claims).
"""
# Few columns have a total that fits by accident.
_CHANCE_OF_TOTAL = 0.05
# Sums over more values find a match for anything.
MOST_ADDENDS, MOST_OPERANDS = 8, 24
# One-sided figures may lie this far from what they are worked from.
_ONE_SIDED = Decimal("0.15")
_ONE, _HUNDRED = Decimal(1), Decimal(100)
_DAYS = {
    "day": Decimal(1),
    "week": Decimal(7),
    "month": Decimal("30.44"),
    "year": Decimal("365.25"),
}
_MINUTES = {"minute": Decimal(1), "hour": Decimal(60), "second": Decimal(1) / 60}
# Two dates a stretch of 3.9 years apart are four years apart.
_STRETCH = Decimal("0.12")
_MONTHS = Decimal(12)
# "Two" and "four" stand everywhere, and half of some figure is near most others.
_LEAST_FACTOR = Decimal(10)
_CLOCK = re.compile(r"(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])")
# A whole has so many named parts beside the rest.
_MOST_PARTS = 4
_SHARES = frozenset({QuantityKind.PERCENT, QuantityKind.RATIO})
_UNITED = frozenset({QuantityKind.MONEY, QuantityKind.MEASURE})
_POINTS = frozenset({QuantityKind.PERCENTAGE_POINTS, QuantityKind.BASIS_POINTS})
# Results within this factor of the claimed figure are its rivals.
_RIVALS = 1.5

Result = tuple[Decimal, str, Sequence[Decimal | str]]
"""A size, and its working as a sign and what that joins: one of thousands is written out."""


@dataclass(frozen=True, slots=True)
class Operands:
    """Figures of a source and the texts that they stand in."""

    figures: Sequence[Figure]
    texts: Sequence[str]

    @property
    def clocks(self) -> tuple[Decimal, ...]:
        """The times of day in the texts, as minutes after midnight."""
        clocks = {
            Decimal(60 * int(match[1]) + int(match[2]))
            for text in self.texts
            for match in _CLOCK.finditer(text)
        }
        return tuple(sorted(clocks))[:MOST_OPERANDS]

    def without(self, value: Figure) -> Operands:
        """All of them but `value` itself."""
        return replace(self, figures=tuple(one for one in self.figures if one is not value))


def derive(
    value: Figure, sentence: str, operands: Operands, lexicon: Lexicon, policy: NumberPolicy
) -> Derivation | None:
    """How a figure of `sentence` follows from `operands`, by the nearest result, if by any."""
    if isinstance(value, DateSpan) or value.low != value.high or not value.low:
        return None
    # Of a rise 1, of a fall -1: from 20 to 30 is a rise of 50 per cent, 33 the fall from 30 to 20.
    told = movement(sentence)
    value = _as_money(value, lexicon)
    # A profit of −4 million is a loss of 4 million.
    way = told if value.low > 0 else min(map(movement, operands.texts), default=0)
    fall = _fall(value, operands.figures) if way < 0 else None
    if fall:
        return Derivation(f"a change of {fall.text}", 0.0, fell=True)
    # A column of changes has a fall as "-20,700".
    value = replace(value, low=abs(value.low), high=abs(value.high))
    found = _nearest(value, _results(value, operands, lexicon, told), policy)
    if found is None and (unscaled := _without_scale(value)):
        found = _nearest(unscaled, _results(unscaled, operands, lexicon, told), policy)
    return found


def _fall(value: Quantity, figures: Iterable[Figure]) -> Quantity | None:
    """The figure that is `value` below zero: "changed by -5%" is a fall by 5%."""
    below = (value.kind, value.unit, -value.low)
    quantities = (one for one in figures if isinstance(one, Quantity))
    return next((one for one in quantities if (one.kind, one.unit, one.low) == below), None)


def _as_money(value: Quantity, lexicon: Lexicon) -> Quantity:
    """A number of "crowns", which may be written without a cue that they are money."""
    currency = lexicon.currency_words.get(value.unit) if value.kind is QuantityKind.COUNT else None
    return replace(value, kind=QuantityKind.MONEY, unit=currency) if currency else value


def _without_scale(value: Quantity) -> Quantity | None:
    """The number that "135 million crowns" is written with: a table of millions has no others."""
    number = written_number(value)
    if value.kind not in SUMMED or number is None or number * 1000 > value.low:
        return None
    step = value.step * number / value.low
    return replace(value, kind=QuantityKind.COUNT, unit="", low=number, high=number, step=step)


def _nearest(value: Quantity, results: Iterable[Result], policy: NumberPolicy) -> Derivation | None:
    """How a figure follows by the nearest of `results` that it may be, if by any."""
    best: Result | None = None
    rivals = 0
    size, below, above = _window(value, policy)
    low, high = size / Decimal(_RIVALS), size * Decimal(_RIVALS)
    for found in results:
        rivals += low < (result := found[0]) < high
        if size - below <= result <= size + above:
            best = min(best or found, found, key=lambda one: abs(one[0] - size))
    if best is None:
        return None
    spread = float(size) * (_RIVALS - 1 / _RIVALS)
    chance = 1 - math.exp(-rivals * float(below + above) / spread)
    result, sign, parts = best
    working = sign.join(one if isinstance(one, str) else _written(one) for one in parts)
    return Derivation(f"{working} = {_written(result)}", chance)


def _window(value: Quantity, policy: NumberPolicy) -> tuple[Decimal, Decimal, Decimal]:
    """The figure (shares in per cent), and how far a result may lie below and above it."""
    factor = _HUNDRED if is_share(value) and value.kind is QuantityKind.RATIO else _ONE
    size, half = value.low * factor, value.step * factor / 2
    about = policy.about_fraction if value.kind is QuantityKind.RATIO else policy.about
    match value.modifier:
        case Modifier.EXACT:
            return size, half, half
        case Modifier.ABOUT:
            near = max(half, Decimal(str(about)) * size)
            return size, near, near
        case Modifier.AT_LEAST | Modifier.MORE_THAN:
            return size, half, _ONE_SIDED * size
        case Modifier.AT_MOST | Modifier.LESS_THAN:
            return size, _ONE_SIDED * size, half


def is_share(value: Figure) -> bool:
    """Whether a figure is a part of a whole: 40 per cent, two fifths."""
    if isinstance(value, DateSpan):
        return False
    return value.kind in _SHARES and value.unit != "times"


def _results(value: Quantity, operands: Operands, lexicon: Lexicon, told: int) -> Iterator[Result]:
    exact = [
        _as_money(one, lexicon)
        for one in operands.figures
        if isinstance(one, Quantity) and one.low == one.high
    ]
    groups = _alike(exact, lexicon)
    shares = groups.get((QuantityKind.PERCENT, QuantityKind.PERCENT), [])
    if value.kind in _POINTS or counts_points(value):
        yield from _differences(shares)
    elif is_share(value):
        bare = _different(one.low for one in exact if is_bare(one))
        counts = _different(one.low for one in exact if one.kind is QuantityKind.COUNT)
        # Three seasons and four more are no rise of a third.
        few = all(map(_is_whole, counts))
        yield from _shares(counts, told, _LEAST_FACTOR if few else Decimal(0))
        for (kind, _), sizes in groups.items():
            if kind in _UNITED:
                yield from _shares(_different((*sizes, *bare)), told)
            elif kind is not QuantityKind.COUNT and kind not in _POINTS:
                yield from _shares(sizes, told)
        yield from _joined(shares)
    elif value.kind is QuantityKind.RATIO:
        for sizes in groups.values():
            yield from _multiples(sizes)
    elif value.kind in SUMMED:
        yield from _amounts(value, exact, groups, lexicon)
        yield from _times(value.unit, operands)


def _alike(
    quantities: Iterable[Quantity], lexicon: Lexicon
) -> dict[tuple[QuantityKind, str], list[Decimal]]:
    groups: dict[tuple[QuantityKind, str], list[Decimal]] = {}
    factors: dict[tuple[QuantityKind, str], Decimal] = {}
    for one in quantities:
        scale, size = value_in_base(one, lexicon)
        unit = lexicon.unit(one.unit) if one.kind is QuantityKind.MEASURE else None
        factor = unit.factor if unit and not unit.offset else _ONE
        size /= factors.setdefault((one.kind, scale), factor)
        groups.setdefault((one.kind, scale), []).append(size)
    return {sort: _different(sizes) for sort, sizes in groups.items()}


def _amounts(
    value: Quantity,
    exact: Sequence[Quantity],
    groups: dict[tuple[QuantityKind, str], list[Decimal]],
    lexicon: Lexicon,
) -> Iterator[Result]:
    counts = [size for sizes in _of_kinds(groups, QuantityKind.COUNT) for size in sizes]
    own = counts if value.kind is QuantityKind.COUNT else _in_unit(value, exact, lexicon)
    if value.kind is QuantityKind.COUNT:
        yield from _counted(value, counts, _of_kinds(groups, *_UNITED))
        if value.low < _LEAST_FACTOR and _is_whole(value.low):
            own = [size for size in counts if _is_whole(size)]
    else:
        bare = _different(one.low for one in exact if is_bare(one))
        yield from _with_bare(own, bare)
        yield from _rates(own, counts)
        if value.kind is QuantityKind.MONEY:
            # Rows of a table name units apart: "24.0" million by "4.8" million passengers.
            yield from _rates(bare, [size for size in bare if not _is_whole(size)])
    # "A net gain of 5.8 million" leaves out of what.
    unnamed = is_bare(value) and value.low >= _LEAST_FACTOR
    for sizes in (own, *(_of_kinds(groups, QuantityKind.MONEY) if unnamed else ())):
        yield from _differences(sizes)
        yield from _remainders(sizes)
        yield from _sums(sizes)
    shares = groups.get((QuantityKind.PERCENT, QuantityKind.PERCENT), [])
    for size, share in product(own, shares):
        if 0 < share < _HUNDRED:
            yield size * share / _HUNDRED, " % of ", (share, size)
    if value.kind is QuantityKind.MONEY:
        for size in own:
            yield size / _MONTHS, " / ", (size, "12")
            yield size * _MONTHS, " × ", ("12", size)


def _of_kinds(
    groups: dict[tuple[QuantityKind, str], list[Decimal]], *kinds: QuantityKind
) -> list[list[Decimal]]:
    return [sizes for (kind, _), sizes in groups.items() if kind in kinds]


def _counted(
    value: Quantity, counts: Sequence[Decimal], united: Iterable[Sequence[Decimal]]
) -> Iterator[Result]:
    """How many times one goes into another, and differences whose unit the claim leaves out."""
    if value.low >= _LEAST_FACTOR:
        for sizes in (*united, counts):
            yield from _multiples(sizes)
        for one, other in combinations(counts, 2):
            yield one * other, " × ", (one, other)
    elif not _is_whole(value.low):
        yield from _multiples(counts)
        for sizes in united:
            yield from _differences(sizes)


def _with_bare(own: Sequence[Decimal], bare: Sequence[Decimal]) -> Iterator[Result]:
    """Results with a number that leaves its unit out: "It takes 52 minutes; the train takes 31"."""
    for size, other in product(own, bare):
        if size != other:
            yield from _differences((size, other))
            yield size + other, " + ", (size, other)


def _is_whole(size: Decimal) -> bool:
    return size == size.to_integral_value()


def _rates(own: Sequence[Decimal], counts: Sequence[Decimal]) -> Iterator[Result]:
    for size, count in product(own, counts):
        if count >= _LEAST_FACTOR:
            yield size * count, " × ", (count, size)
        if size != count and (count >= _LEAST_FACTOR or not _is_whole(count)):
            yield size / count, " / ", (size, count)


def _in_unit(value: Quantity, exact: Sequence[Quantity], lexicon: Lexicon) -> list[Decimal]:
    """The sizes of `exact` that measure what `value` measures, in its unit, without an offset."""
    unit, found = lexicon.unit(value.unit), list[Decimal]()
    for one in exact:
        if one.kind is not value.kind:
            continue
        other = lexicon.unit(one.unit)
        if one.unit == value.unit or (value.unit == "degree" and one.unit.startswith("degree")):
            found.append(one.low)
        elif unit and other and unit.dimension == other.dimension:
            found.append(one.low * other.factor / unit.factor)
    return _different(found)


def _different(sizes: Iterable[Decimal]) -> list[Decimal]:
    return list(dict.fromkeys(sizes))[:MOST_OPERANDS]


def _differences(sizes: Sequence[Decimal]) -> Iterator[Result]:
    for one, other in combinations(sizes, 2):
        high, low = max(one, other), min(one, other)
        yield high - low, " − ", (high, low)


def _remainders(sizes: Sequence[Decimal]) -> Iterator[Result]:
    """What is left of a whole after the parts that are named next."""
    for at, whole in enumerate(sizes):
        for length in range(2, _MOST_PARTS + 1):
            parts = sizes[at + 1 : at + 1 + length]
            rest = whole - sum(parts, Decimal(0))
            if len(parts) == length and 0 < rest < min(parts):
                yield rest, " − ", (whole, *parts)


def _sums(sizes: Sequence[Decimal]) -> Iterator[Result]:
    for one, other in combinations(sizes, 2):
        yield one + other, " + ", (one, other)
    for length in range(3, min(len(sizes), MOST_ADDENDS) + 1):
        for start in range(len(sizes) - length + 1):
            parts = sizes[start : start + length]
            yield sum(parts, Decimal(0)), " + ", parts


def _multiples(sizes: Sequence[Decimal]) -> Iterator[Result]:
    for one, other in combinations(sizes, 2):
        high, low = max(one, other), min(one, other)
        if low > 0:
            yield high / low, " / ", (high, low)


def _shares(sizes: Sequence[Decimal], way: int, least: Decimal = Decimal(0)) -> Iterator[Result]:
    """Shares of one in another, and changes between two that are `least` or more."""
    for one in sizes:
        if 0 < one < _HUNDRED:
            yield _HUNDRED - one, " − ", ("100", one)
    for part, whole in permutations(sizes, 2):
        if whole <= 0:
            continue
        share = _HUNDRED * part / whole
        if 0 < share < _HUNDRED:
            yield share, " / ", (part, whole)
        if way * (share - _HUNDRED) >= 0 and min(part, whole) >= least:
            yield abs(share - _HUNDRED), " to ", (whole, part)


def _joined(shares: Sequence[Decimal]) -> Iterator[Result]:
    """Shares that stand side by side taken together, and what they leave of the whole."""
    for length in range(2, _MOST_PARTS + 1):
        for start in range(len(shares) - length + 1):
            parts = shares[start : start + length]
            total = sum(parts, Decimal(0))
            if 0 < total < _HUNDRED:
                yield total, " + ", parts
                yield _HUNDRED - total, " − ", (_HUNDRED, *parts)


def _times(unit: str, operands: Operands) -> Iterator[Result]:
    if unit in _DAYS:
        dates = [one for one in operands.figures if isinstance(one, DateSpan)]
        yield from _stretches(unit, dates)
    if unit in _MINUTES:
        for first, last in combinations(operands.clocks, 2):
            yield (last - first) / _MINUTES[unit], " − ", (_clock(last), _clock(first))


def _stretches(unit: str, dates: Sequence[DateSpan]) -> Iterator[Result]:
    for one, other in combinations(dates, 2):
        if one.granularity is not other.granularity:
            continue
        first, last = sorted(_in_one_year(one, other), key=lambda span: span.first)
        gap = Decimal((last.first - first.first).days) / _DAYS[unit]
        whole = gap.to_integral_value()
        near = unit != "day" and abs(gap - whole) <= _STRETCH
        yield whole if near else gap, " to ", (first.text, last.text)


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


def _clock(minutes: Decimal) -> str:
    return f"{int(minutes) // 60:02}:{int(minutes) % 60:02}"


def _written(value: Decimal) -> str:
    """A number for a person: two decimals at most, thousands apart."""
    return f"{float(value):,.2f}".rstrip("0").rstrip(".")


def with_derivation(
    check: FigureCheck,
    sentence: str,
    scopes: Iterable[Operands],
    totals: Sequence[Quantity],
    lexicon: Lexicon,
    policy: NumberPolicy,
) -> FigureCheck:
    """A check of a figure that is not printed, with its likeliest derivation in any of `scopes`.

    `sentence` states the figure; `totals` are sums of whole columns.
    """
    if check.is_found:
        return check
    summed = check_figure(check.value, totals, lexicon, policy)
    if summed.is_found and summed.found:
        return replace(summed, derivation=Derivation(summed.found.text, _CHANCE_OF_TOTAL))
    ways = (derive(check.value, sentence, scope, lexicon, policy) for scope in scopes)
    best = min(filter(None, ways), key=lambda one: one.chance, default=None)
    if best is None or best.chance > MOST_CHANCE:
        return check
    return FigureCheck(check.value, SlotOutcome.MATCH, derivation=best)


def is_left_open(check: FigureCheck, slot: str, found: Iterable[Figure]) -> bool:
    """Whether a limit or a range leaves the figure open: 40 of "at least 30", the `slot`."""
    there = (one for one in found if one.text in slot)
    return check.outcome is SlotOutcome.ABSENT and any(map(is_bounded, (check.value, *there)))


def check_figure(
    value: Figure, found: Sequence[Figure], lexicon: Lexicon, policy: NumberPolicy
) -> FigureCheck:
    """A claimed figure against all of `found`, at its best."""
    by_outcome: dict[SlotOutcome, list[FigureCheck]] = {outcome: [] for outcome in SlotOutcome}
    for other in found:
        if comparison := _compare(value, other, lexicon, policy):
            outcome, change = comparison
            if outcome is SlotOutcome.ABSENT and change == 0.0:
                # An equal value with another qualifier is printed: the reader tells "20 or more".
                outcome = SlotOutcome.MATCH
            by_outcome[outcome].append(FigureCheck(value, outcome, other, change))
    if equal := by_outcome[SlotOutcome.MATCH] or by_outcome[SlotOutcome.ROUNDED]:
        return equal[0]
    if isinstance(value, DateSpan) and (named := _named_without_year(value, found)):
        return FigureCheck(value, SlotOutcome.MATCH, named)
    return min(
        by_outcome[SlotOutcome.MISMATCH],
        key=lambda one: abs(one.change) if one.change is not None else 1.0,
        default=FigureCheck(value, SlotOutcome.ABSENT),
    )


def _named_without_year(value: DateSpan, found: Sequence[Figure]) -> DateSpan | None:
    """The day or month of `value` without its year, on a page that has a date of that year, too.

    So pages write: "Portavel, 4 April 2025. On four nights in February …".
    """
    dates = [one for one in found if isinstance(one, DateSpan)]
    years = {one.first.year for one in dates if not one.yearless}
    if value.yearless or value.first.year not in years:
        return None
    bare = replace(value, yearless=True)
    named = (one for one in dates if one.yearless)
    matches = (one for one in named if compare_dates(bare, one).outcome is SlotOutcome.MATCH)
    return next(matches, None)


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
        if is_scaled(value, other):
            return Comparison(SlotOutcome.MATCH, 0.0)
        # What a count counts is the reader's business: "826 ships called" and "calls: 826".
        bare = replace(value, unit=""), replace(other, unit="")
        compared = compare_quantities(*bare, lexicon, policy)
        named = value.unit and other.unit and value.unit != other.unit
        if compared and compared.outcome is SlotOutcome.MISMATCH and named:
            # But 24 turbines deny no 140 people.
            return Comparison(SlotOutcome.ABSENT)
        return compared
    return compare_quantities(value, other, lexicon, policy)


def _as_year(value: DateSpan, other: Quantity) -> Comparison | None:
    """A year of the claim against a bare number of a table's header or cell."""
    year = value.granularity is Granularity.YEAR and other.kind is QuantityKind.COUNT
    if not year or other.low != other.high:
        return None
    same = other.low == value.first.year and not value.fiscal
    return Comparison(SlotOutcome.MATCH) if same else None
