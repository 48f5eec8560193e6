"""Results that rest on the figures of the sentences before, such as "That is 72 per cent of it".

A cue ("that is", "the remaining") says that a figure is reckoned from
those before it in its paragraph. It agrees if any of them give it; it is doubted only where the cue
and the nearest figures leave one way to reckon.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, permutations

from ...documents.model import BlockKind
from ..lexicon import Lexicon
from ..model import Quantity, QuantityKind
from .calculation import (
    Bounds,
    Calculation,
    CalculationKind,
    Computed,
    bounds,
    converted,
    figure,
    quotients,
)
from .figures import Figures

_HEDGE = (
    r"(?:(?:just|about|some|only|nearly|almost|over|under|around|roughly|approximately|exactly|more"
    r"|less|fewer|than|well|no|a|total|of|to|the|equivalent|another|still|up|at|as|all) )*"
)
_COMES_TO = (
    r"(?:is|are|was|were|makes?|made|means?|meant|comes? to|came to|amount(?:s|ed)? to"
    r"|equals?|equalled|represents?|represented|corresponds? to|works? out (?:at|to|as)"
    r"|worked out (?:at|to)"
    r"|add(?:s|ed)? up to|gives?|gave|yields?|total(?:s|led|ed)?|sums? to|(?:would|will) (?:be|make"
    r"|come to|mean|give|cost|take|amount to|total|equal|require)|puts? the total at"
    r"|brings? the total to|brought the total to|takes? the total to)"
)
_IS = re.compile(
    r"(?:^|[,;:(–—] ?|\b(?:and|so|thus|hence|therefore|then|or),? )"
    r"(?:so |thus |hence |therefore |altogether |in all |in total |overall |and )*,? ?"
    r"(?:(?:that|this|these|which|together(?: they| these| both)?|it all|the two|the three"
    r"|all this|all told,? (?:that|this|they)) "
    rf"(?:\w+ly |thus |then |therefore |together |alone )*{_COMES_TO}"
    r"|making|totall?ing|that’s|that's|in total|altogether|in all)"
    rf",? {_HEDGE}$",
    re.IGNORECASE,
)
_LEAVES = re.compile(
    r"\b(?:leaves?|leaving|left|the remaining|the other|the rest,?|the remainder,?|the balance,?"
    rf"|the difference (?:is|was)|the rest (?:is|are|was|were)|the balance is),? {_HEDGE}$",
    re.IGNORECASE,
)
_RISE = r"rise|increase|growth|gain|jump|expansion|climb|surge"
_FALL = r"fall|drop|decline|decrease|reduction|cut|loss|slump|contraction"
_CHANGE_AFTER = re.compile(
    rf"^ (?:\w+ )?(?:{_RISE}|{_FALL}|more|higher|up|less|fewer|lower|down)\b",
    re.IGNORECASE,
)
_OF = re.compile(
    r"^ of (?:(?:the|its|their|our|his|her|all|that|this|those|these) (?:\w+ ){0,2}?(?!of\b))?"
    r"(?P<noun>[a-z]\w+)",
    re.IGNORECASE,
)
_WHOLES = frozenset(
    {"total", "whole", "sum", "amount", "figure", "overall", "lot", "number", "all", "them", "it"}
)
_RATE = re.compile(
    r"\b(?:each|per|every|apiece|an? (?:second|minute|hour|day|night|shift|week|month|quarter|year"
    r"|person|head|piece|unit|ship|ward|room|car|seat|bed|item|site|copy|school|set|household))\b",
    re.IGNORECASE,
)
_OPERANDS = frozenset({QuantityKind.COUNT, QuantityKind.MONEY, QuantityKind.MEASURE})
_TABLES = frozenset({BlockKind.TABLE_ROW, BlockKind.TABLE_HEADER, BlockKind.HEADING})
_LOOK = 90
_POOL_FIGURES = 6
_NEAR_SENTENCES = 2
_MOST_PARTS = 4
_PAIR = 2
_TRIPLE = 3
_LEAST_SCALED = 1_000
_HUNDRED = Fraction(100)
_FRACTION_SLACK = Fraction(1, 10)


@dataclass(frozen=True, slots=True)
class Operand:
    """A figure and the sentence that states it."""

    home: Figures
    quantity: Quantity

    @property
    def told(self) -> str:
        """The figure as it stands inside a line of working."""
        return self.quantity.text[0].lower() + self.quantity.text[1:]


@dataclass(frozen=True, slots=True)
class CrossSum:
    """A calculation whose span is that of its result in `home`, and the figures it rests on."""

    home: Figures
    calculation: Calculation
    operands: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to reckon: what comes out, how it is written, and from which figures."""

    result: Computed
    working: str
    operands: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class _Case:
    """A stated result. `pool` are the figures before it, the nearest last; `near` the closest."""

    home: Figures
    stated: Quantity
    pool: Sequence[Operand]
    near: Sequence[Operand]
    lexicon: Lexicon

    @property
    def lead(self) -> str:
        return self.home.before(self.stated.start, _LOOK)

    @property
    def rest(self) -> str:
        return self.home.text[self.stated.end : self.stated.end + _LOOK]


def find_cross_sums(figures: Sequence[Figures], lexicon: Lexicon) -> Iterator[CrossSum]:
    """Each result that a sentence states about figures before it, in order."""
    pool: list[Operand] = []
    section: tuple[str, ...] | None = None
    for home in figures:
        if home.sentence.section != section:
            section, pool = home.sentence.section, []
        if home.sentence.kind in _TABLES:
            continue
        for stated in home.quantities:
            if len(pool):
                yield from _checked(_Case(home, stated, pool, _near(home, pool), lexicon))
            if stated.low == stated.high:
                pool = [*pool[1 - _POOL_FIGURES :], Operand(home, stated)]


def _near(home: Figures, pool: Sequence[Operand]) -> list[Operand]:
    """The figures of the sentence itself and of those right before it in the paragraph."""
    first = home.sentence.index - _NEAR_SENTENCES
    return [
        one
        for one in pool
        if one.home.sentence.block == home.sentence.block and one.home.sentence.index >= first
    ]


def _checked(case: _Case) -> Iterator[CrossSum]:
    for check in _CHECKS:
        found = check(case)
        if found is None:
            continue
        ways, likely = found
        stated = _share_bounds(case.stated)
        if likely is not None:
            fits = next(
                (way for way in chain((likely,), ways) if way.result.bounds.meets(stated)), None
            )
            yield _cross_sum(case, fits or likely, agrees=fits is not None)
        return


def _cross_sum(case: _Case, way: _Way, *, agrees: bool) -> CrossSum:
    kind = CalculationKind.SHARE if case.stated.kind is QuantityKind.PERCENT else _KIND
    stated = Fraction(case.stated.low) * (100 if case.stated.kind is QuantityKind.RATIO else 1)
    calculation = Calculation(
        kind,
        case.stated.start,
        case.stated.end,
        stated=stated,
        computed=way.result.value,
        agrees=agrees,
        working=way.working,
    )
    return CrossSum(case.home, calculation, way.operands)


_KIND = CalculationKind.CROSS
# Every way to reckon the figures, and the one that the words leave, if there is only one.
_Found = tuple[Iterator[_Way], _Way | None]


def _share(case: _Case) -> _Found | None:
    """That is C per cent of the whole."""
    shares = case.stated.kind in (QuantityKind.PERCENT, QuantityKind.RATIO)
    if not shares or not _IS.search(case.lead) or _CHANGE_AFTER.match(case.rest):
        return None
    if case.stated.kind is QuantityKind.RATIO and not 0 < case.stated.low < 1:
        return None
    of = _OF.match(case.rest)
    ways = (_as_share(part, whole) for part, whole in _pairs(case))
    other = (_as_growth(old, new) for old, new in _pairs(case))
    percents = [one for one in case.pool if one.quantity.kind is QuantityKind.PERCENT]
    sums = (_as_sum(chosen) for chosen in _subsets(percents))
    everything = (way for group in (ways, other, sums) for way in group)
    return everything, _doubted_share(case, of["noun"].lower()) if of else None


def _doubted_share(case: _Case, noun: str) -> _Way | None:
    """The nearest figure as a share of the one larger figure that `noun` names."""
    parts = [one for one in case.near if one.quantity.kind in _OPERANDS]
    if not parts:
        return None
    part = parts[-1]
    wholes = [
        one
        for one in case.near
        if _alike(part.quantity, one.quantity) and one.quantity.low > part.quantity.low
    ]
    if noun not in _WHOLES:
        wholes = [one for one in wholes if re.search(rf"\b{noun}", one.home.text, re.IGNORECASE)]
    if len({one.quantity.low for one in wholes}) != 1:
        return None
    return _as_share(part, wholes[0])


def _rest(case: _Case) -> _Found | None:
    """The remaining C."""
    if not _LEAVES.search(case.lead):
        return None
    stated = case.stated
    if stated.kind is QuantityKind.PERCENT:
        percents = [one for one in case.near if one.quantity.kind is QuantityKind.PERCENT]
        ways = (_as_rest(None, chosen) for chosen in _subsets(percents, 1))
        one_list = 0 < len(percents) <= _MOST_PARTS and not _OF.match(case.rest)
        return ways, _as_rest(None, percents) if one_list else None
    if stated.kind not in _OPERANDS:
        return None
    held = [one for one in case.near if _alike(one.quantity, stated)]
    ways = (
        _as_rest(whole, chosen)
        for whole in held
        for chosen in _subsets([one for one in held if one is not whole], 1)
    )
    return ways, _doubted_rest(held)


def _doubted_rest(held: Sequence[Operand]) -> _Way | None:
    """The first figure less the others, if it is larger than all of them together."""
    if not 1 < len(held) <= _MOST_PARTS:
        return None
    whole, *parts = held
    fits = all(part.quantity.unit in ("", whole.quantity.unit) for part in parts)
    larger = whole.quantity.low > sum(part.quantity.low for part in parts)
    return _as_rest(whole, parts) if fits and larger else None


def _product(case: _Case) -> _Found | None:
    """That is C, where one of two figures is a rate."""
    if case.stated.kind not in _OPERANDS or not _IS.search(case.lead):
        return None
    last = [one for one in case.near if one.home is case.near[-1].home]
    if len(last) == 1 and len(case.near) == _PAIR:
        last = list(reversed(case.near))
    doubted = None
    if len(last) == _PAIR and _RATE.search(last[0].home.text):
        doubted = next(_as_products(last[0], last[1], case), None)
    return _expressions(case), doubted


def _expressions(case: _Case) -> Iterator[_Way]:
    """Results of calculations that combine the figures of a case."""
    held = [one for one in case.pool if one.quantity.kind in _OPERANDS]
    yield from _sums([one for one in held if _alike(one.quantity, case.stated)])
    for left, right in permutations(held, 2):
        if _alike(left.quantity, right.quantity):
            yield _as_rest(left, [right])
        yield from _as_products(left, right, case)
        if left.quantity.unit == case.stated.unit or case.stated.kind is not QuantityKind.MEASURE:
            yield from _as_quotient(left, right)
    for left, right in permutations(case.pool, 2):
        if right.quantity.kind in (QuantityKind.PERCENT, QuantityKind.RATIO):
            yield from _as_fraction(left, right)
    for chosen in combinations(case.near, _TRIPLE):
        if all(one.quantity.kind in _OPERANDS for one in chosen):
            yield _as_product(chosen)


def _as_products(left: Operand, right: Operand, case: _Case) -> Iterator[_Way]:
    """The product in the unit of the result, if one of the two has a unit that leads to it."""
    if not {left.quantity.kind, right.quantity.kind} <= _OPERANDS:
        return
    way = _as_product((left, right))
    to = case.lexicon.unit(case.stated.unit)
    for one in (left, right):
        unit = case.lexicon.unit(one.quantity.unit)
        if one.quantity.unit == case.stated.unit or case.stated.kind is QuantityKind.COUNT:
            yield way
        elif unit and to and unit.dimension == to.dimension:
            factor = converted(Fraction(1), unit, to)
            bound = Bounds(way.result.bounds.low * factor, way.result.bounds.high * factor)
            value = way.result.value * factor
            working = f"{way.working} = {figure(value)} {case.stated.unit}"
            yield _Way(Computed(value, bound), working, way.operands)


def _as_product(chosen: Sequence[Operand]) -> _Way:
    value, low, high = Fraction(1), Fraction(1), Fraction(1)
    for one in chosen:
        held = bounds(one.quantity)
        value, low, high = value * Fraction(one.quantity.low), low * held.low, high * held.high
    working = f"{' × '.join(one.told for one in chosen)} = {figure(value)}"
    return _Way(Computed(value, Bounds(low, high)), working, tuple(chosen))


def _as_quotient(over: Operand, under: Operand) -> Iterator[_Way]:
    if not under.quantity.low or bounds(under.quantity).low <= 0:
        return
    value = Fraction(over.quantity.low) / Fraction(under.quantity.low)
    held = quotients(bounds(over.quantity), bounds(under.quantity))
    working = f"{over.told} / {under.told} = {figure(value)}"
    yield _Way(Computed(value, held), working, (over, under))


def _as_fraction(whole: Operand, share: Operand) -> Iterator[_Way]:
    """A percentage or fraction of a figure, and what is left of it."""
    if whole.quantity.kind not in _OPERANDS:
        return
    held, part = bounds(whole.quantity), _share_bounds(share.quantity)
    value = Fraction(whole.quantity.low) * (part.low + part.high) / 200
    bound = Bounds(held.low * part.low / 100, held.high * part.high / 100)
    text = f"{share.told} of {whole.told} = {figure(value)}"
    yield _Way(Computed(value, bound), text, (whole, share))
    left = Bounds(held.low - bound.high, held.high - bound.low)
    rest = Fraction(whole.quantity.low) - value
    yield _Way(Computed(rest, left), f"{text}; the rest is {figure(rest)}", (whole, share))


def _as_share(part: Operand, whole: Operand) -> _Way:
    computed = Fraction(part.quantity.low) / Fraction(whole.quantity.low) * 100
    held = quotients(bounds(part.quantity), bounds(whole.quantity))
    working = f"{part.told} / {whole.told} = {figure(computed)} %"
    return _Way(Computed(computed, Bounds(held.low * 100, held.high * 100)), working, (part, whole))


def _as_growth(old: Operand, new: Operand) -> _Way:
    ratio = (Fraction(new.quantity.low) / Fraction(old.quantity.low) - 1) * 100
    held = quotients(bounds(new.quantity), bounds(old.quantity))
    low, high = (held.low - 1) * 100, (held.high - 1) * 100
    size = Bounds(low, high) if ratio >= 0 else Bounds(-high, -low)
    sign = "+" if ratio >= 0 else "−"
    working = f"from {old.told} to {new.told}: {sign}{figure(abs(ratio))} %"
    return _Way(Computed(abs(ratio), size), working, (old, new))


def _as_rest(whole: Operand | None, parts: Sequence[Operand]) -> _Way:
    """Remainder of `whole`, or of 100 per cent, after `parts` are subtracted."""
    all_of = bounds(whole.quantity) if whole else Bounds(_HUNDRED, _HUNDRED)
    value = Fraction(whole.quantity.low) if whole else _HUNDRED
    low, high = all_of.low, all_of.high
    for part in parts:
        held = bounds(part.quantity)
        value, low, high = value - Fraction(part.quantity.low), low - held.high, high - held.low
    first = whole.told if whole else "100 %"
    working = f"{' − '.join([first, *(part.told for part in parts)])} = {figure(value)}"
    operands = (*([whole] if whole else ()), *parts)
    return _Way(Computed(value, Bounds(low, high)), working, operands)


def _as_sum(parts: Sequence[Operand]) -> _Way:
    held = [bounds(part.quantity) for part in parts]
    low = sum((one.low for one in held), Fraction())
    high = sum((one.high for one in held), Fraction())
    value = sum((Fraction(part.quantity.low) for part in parts), Fraction())
    working = f"{' + '.join(part.told for part in parts)} = {figure(value)}"
    return _Way(Computed(value, Bounds(low, high)), working, tuple(parts))


def _sums(held: Sequence[Operand]) -> Iterator[_Way]:
    return (_as_sum(chosen) for chosen in _subsets(held))


def _subsets(held: Sequence[Operand], fewest: int = 2) -> Iterator[tuple[Operand, ...]]:
    for size in range(fewest, len(held) + 1):
        yield from combinations(held, size)


def _pairs(case: _Case) -> Iterator[tuple[Operand, Operand]]:
    for left, right in permutations(case.pool, 2):
        operands = left.quantity.kind in _OPERANDS or left.quantity.kind is QuantityKind.PERCENT
        positive = bounds(left.quantity).low > 0 and bounds(right.quantity).low > 0
        if operands and positive and _alike(left.quantity, right.quantity):
            yield left, right


def _share_bounds(quantity: Quantity) -> Bounds:
    """The bounds of a result; those of a fraction in words ("a third") in per cent."""
    if quantity.kind is not QuantityKind.RATIO:
        return bounds(quantity)
    value = Fraction(quantity.low) * 100
    return Bounds(value * (1 - _FRACTION_SLACK), value * (1 + _FRACTION_SLACK))


def _alike(left: Quantity, right: Quantity) -> bool:
    """Whether two figures count the same sort; "905 million" may be money whose unit is known."""
    if left.kind is right.kind:
        return left.unit == right.unit or not (left.unit and right.unit)
    bare, money = (left, right) if right.kind is QuantityKind.MONEY else (right, left)
    scaled = bare.kind is QuantityKind.COUNT and not bare.unit and bare.low >= _LEAST_SCALED
    return scaled and money.kind is QuantityKind.MONEY


_CHECKS: tuple[Callable[[_Case], _Found | None], ...] = (_share, _rest, _product)
