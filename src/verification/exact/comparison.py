"""Comparing a claimed number or date with one of the source (decision 4)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Set
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from ...claims.lexicon import Lexicon
from ...claims.model import DateSpan, Figure, Granularity, Modifier, Quantity, QuantityKind
from ..model import SlotOutcome
from ..policy import NumberPolicy

_UPWARD = (Modifier.MORE_THAN, Modifier.AT_LEAST)
_DOWNWARD = (Modifier.LESS_THAN, Modifier.AT_MOST)
_SAME = Decimal("1e-9")
_ROUNDING = 1e-6
_WRITTEN = re.compile(r"\d[\d,]*(?:\.\d+)?")
_TELLING_DIGITS = 3
_SHARES_AND_POINTS = frozenset(
    {QuantityKind.PERCENT, QuantityKind.PERCENTAGE_POINTS, QuantityKind.BASIS_POINTS}
)
# Compared with nothing but their own kind, to the last digit.
_EXACT_KINDS = frozenset({QuantityKind.ORDINAL, QuantityKind.CLOCK})
# Weeks and months measure one thing, though neither is a number of the other.
_DURATIONS = {"time", "calendar"}
# Parts of more than one currency.
_HUNDREDTHS = frozenset({"cent", "penny"})
_DEGREE, _TEMPERATURE = "degree", "temperature"
_SCALES = (100, 1000, 10**6, 10**9)
_ZERO, _HUNDRED, _HUNDREDTH = Decimal(0), Decimal(100), Decimal("0.01")


class Comparison(NamedTuple):
    """How a claimed value relates to a found one.

    `change` is (claimed - found) / found, signed, None for dates and for a found zero. `ABSENT`
    means that the found value neither confirms nor contradicts.
    """

    outcome: SlotOutcome
    change: float | None = None


class _Value(NamedTuple):
    low: Decimal
    high: Decimal
    step: Decimal
    scale: str


def compare_quantities(
    claimed: Quantity, found: Quantity, lexicon: Lexicon, policy: NumberPolicy
) -> Comparison | None:
    """The comparison in one unit, or None if the two measure different things."""
    claimed, found = _in_sense(claimed, found, lexicon), _in_sense(found, claimed, lexicon)
    left, right = _value(claimed, lexicon), _value(found, lexicon)
    if left.scale != right.scale:
        return _compare_bare(claimed, found) or _compare_level(claimed, found)
    change = float((left.low - right.low) / abs(right.low)) if right.low else None
    if right.low != right.high and left.low == left.high and left.low in (right.low, right.high):
        # The end of a range is printed; whether that is meant, the reader tells.
        return Comparison(SlotOutcome.ABSENT, 0.0)
    same = _equal(left.low, right.low) and _equal(left.high, right.high)
    if same:
        # "At least 30" contradicts "at most 30".
        clash = limits_clash(claimed, found)
        other = SlotOutcome.MISMATCH if clash else SlotOutcome.ABSENT
        return Comparison(SlotOutcome.MATCH if _modifiers_agree(claimed, found) else other, 0.0)
    if claimed.kind is QuantityKind.CLOCK:
        # Another time of day is that of another event.
        return Comparison(SlotOutcome.ABSENT)
    return Comparison(_unequal(claimed, left, found, right, policy), change)


def _in_sense(quantity: Quantity, other: Quantity, lexicon: Lexicon) -> Quantity:
    """`quantity` in the sense of `other` where its unit alone leaves that open.

    "Pounds" may be money or a weight, "32 degrees" a temperature or an angle, a cent is a hundredth
    of many currencies.
    """
    if quantity.unit == _DEGREE and other.unit != _DEGREE:
        warm = lexicon.dimension(other) == _TEMPERATURE
        return replace(quantity, unit=other.unit) if warm else quantity
    if quantity.unit in _HUNDREDTHS and other.kind is QuantityKind.MONEY:
        if other.unit in _HUNDREDTHS:
            return quantity
        low, high, step = quantity.low / 100, quantity.high / 100, quantity.step / 100
        return replace(quantity, low=low, high=high, step=step, unit=other.unit)
    counted = quantity.kind is QuantityKind.COUNT and other.kind is QuantityKind.MONEY
    same = counted and lexicon.currency_words.get(quantity.unit) == other.unit
    return replace(quantity, kind=other.kind, unit=other.unit) if same else quantity


def _compare_bare(claimed: Quantity, found: Quantity) -> Comparison | None:
    """A number without a unit matches the same number with one: "905 million had been spent".

    A table often names the unit and scale of its cells elsewhere: "27.5" for 27.5 million marks.
    """
    bare = [q for q in (claimed, found) if q.kind is QuantityKind.COUNT and not q.unit]
    if not bare or {claimed.kind, found.kind} & _EXACT_KINDS:
        return None
    same = claimed.low == found.low and claimed.high == found.high
    if same or is_scaled(claimed, found):
        agree = _modifiers_agree(claimed, found)
        return Comparison(SlotOutcome.MATCH if agree else SlotOutcome.ABSENT, 0.0)
    return None


def is_scaled(one: Quantity, other: Quantity) -> bool:
    """Whether one is a bare number and the other the same with a scale word: 27.5, 27.5 million.

    A number of two digits is too common to be taken for the same. A table gives a loss as -12.5.
    """
    return _has_scale_of(one, other) or _has_scale_of(other, one)


def _has_scale_of(bare: Quantity, other: Quantity) -> bool:
    if bare.kind is not QuantityKind.COUNT or other.low != other.high:
        return False
    digits = len(bare.low.normalize().as_tuple().digits)
    number = written_number(other)
    if number is None or digits < _TELLING_DIGITS:
        return False
    return number == abs(bare.low) and number * 1000 <= abs(other.low)


def in_other_unit(claimed: Quantity, found: Quantity, lexicon: Lexicon) -> bool:
    """Whether one number is written in both and means another amount: "8 km/h" and "8 knots".

    Both measure the same thing, or are money, or shares and points. A count has no unit that could
    be mistaken, but a scale: 4.5 million and 4.5 billion.
    """
    if claimed.low != claimed.high or found.low != found.high:
        return False
    if QuantityKind.CLOCK in (claimed.kind, found.kind):
        return False
    written = written_number(claimed)
    if written != written_number(found) or (written is None and claimed.low != found.low):
        return False
    if claimed.kind is found.kind and claimed.unit == found.unit:
        return abs(claimed.low) != abs(found.low)
    if {claimed.kind, found.kind} <= _SHARES_AND_POINTS:
        return claimed.kind is not found.kind
    united = claimed.kind in (QuantityKind.MEASURE, QuantityKind.MONEY)
    dimensions = {lexicon.dimension(claimed), lexicon.dimension(found)}
    return united and (len(dimensions) == 1 or dimensions == _DURATIONS)


def sizes_of(found: Quantity, lexicon: Lexicon) -> tuple[float, ...]:
    """Sizes, to one of which one of the same figure is near; none if the unit is ambiguous."""
    if found.unit == _DEGREE or found.unit in _HUNDREDTHS:
        return ()
    base, written = _value(found, lexicon), written_number(found)
    sizes = {found.low, found.high, base.low, base.high, found.low if written is None else written}
    return tuple(abs(float(size)) for size in sizes)


def reach_of(claimed: Figure, lexicon: Lexicon, policy: NumberPolicy) -> list[tuple[float, float]]:
    """Where one of `sizes_of` lies of every quantity that prints `claimed`: rather too wide."""
    if isinstance(claimed, DateSpan):
        return [(claimed.first.year, claimed.first.year)]
    sizes, value = sizes_of(claimed, lexicon), _value(claimed, lexicon)
    if not sizes:
        return [(0, math.inf)]
    share = 0.0 if claimed.modifier is Modifier.EXACT else max(policy.about, policy.one_sided)
    slack = float(abs(_significant_step(claimed, value)) / 2)
    if claimed.kind is QuantityKind.RATIO:
        slack += float(value.low**2 / (2 * _HUNDRED))
    base = float(abs(value.low))
    nearest, furthest = base / (1 + share) - slack, base / (1 - share) + slack
    around = (nearest, furthest), *zip(sizes, sizes, strict=True)
    return [(low - _ROUNDING * (1 + low), high + _ROUNDING * (1 + high)) for low, high in around]


def printed_forms(figures: Iterable[Figure]) -> Set[object]:
    """What `stands_otherwise` looks for: sizes and single numbers with units, years and days."""
    found = set[object]()
    for one in figures:
        if isinstance(one, Quantity):
            found |= {(one.low, one.high, one.kind, one.unit)}
            found |= {(one.low, one.unit)} if one.low == one.high else set[object]()
            continue
        found |= {("year", day.year) for day in (one.first, one.last) if not one.yearless}
        found |= {("day", one.first.day)} if one.granularity is Granularity.DAY else set[object]()
    return found


def stands_otherwise(value: Figure, forms: Set[object]) -> bool:
    """Whether a figure is printed with another limit, or as a part of others, or in parts.

    "Fewer than 40" and "at least 40", the year 2024 in "2024–2026", the 11th in "2024-08-11", a
    range by its two ends. What that says of the claim, the reader tells. `forms` are those printed.
    """
    if isinstance(value, DateSpan):
        return value.granularity is Granularity.YEAR and ("year", value.first.year) in forms
    if value.kind is QuantityKind.ORDINAL:
        return ("day", value.low) in forms
    units, ends = {value.unit, ""}, {value.low, value.high}
    if any((value.low, value.high, value.kind, unit) in forms for unit in units):
        return True
    return len(ends) > 1 and all(any((end, unit) in forms for unit in units) for end in ends)


def is_bare(value: Figure) -> bool:
    """Whether it is a number without a unit."""
    return isinstance(value, Quantity) and value.kind is QuantityKind.COUNT and not value.unit


def differ_by_scale(one: Figure, other: Figure) -> bool:
    """Whether two quantities are one number but for rounding and a scale, named elsewhere."""
    if isinstance(one, DateSpan) or isinstance(other, DateSpan) or not (one.low and other.low):
        return False
    small, large = sorted((one, other), key=lambda value: abs(value.low))
    return any(abs(abs(large.low) / power - abs(small.low)) <= small.step / 2 for power in _SCALES)


def written_number(quantity: Quantity) -> Decimal | None:
    """The number in digits that a quantity is written with, without sign, scale and unit."""
    written = _WRITTEN.search(quantity.text)
    return Decimal(written[0].replace(",", "")) if written else None


def _compare_level(claimed: Quantity, found: Quantity) -> Comparison | None:
    """A fee of 25 basis points is one of 0.25 per cent; a change of so much is neither's."""
    size = {quantity.kind: quantity.low for quantity in (claimed, found)}
    points, level = size.get(QuantityKind.BASIS_POINTS), size.get(QuantityKind.PERCENT)
    if points is None or level is None or points != 100 * level:
        return None
    return Comparison(SlotOutcome.MATCH, 0.0)


def counts_points(quantity: Quantity) -> bool:
    """Whether it is a number of "points", which may be percentage points."""
    return quantity.kind is QuantityKind.COUNT and quantity.unit == "point"


def value_in_base(quantity: Quantity, lexicon: Lexicon) -> tuple[str, Decimal]:
    """Scale and amount of a quantity. All quantities of one sort share a unit."""
    value = _value(quantity, lexicon)
    return value.scale, value.low


def same_value(value: Figure, lexicon: Lexicon) -> str:
    """A key that two figures share if they are one amount with one limit, or one date: "4.6bn"."""
    if isinstance(value, DateSpan):
        return f"={value.first} {value.last} {value.yearless} {value.fiscal}"
    base, about = _value(value, lexicon), value.modifier is Modifier.ABOUT
    # A third of an hour is no Decimal.
    amount = f"{float(base.low):.15g} {float(base.high):.15g}"
    return f"={base.scale} {amount} {_direction(value)} {about}"


def signed_number(quantity: Quantity) -> str:
    """A key that two figures share if number, sign and limit are the same, whatever the unit."""
    return f"{written_number(quantity)} {quantity.low < 0} {_direction(quantity)}"


def is_bounded(value: Figure) -> bool:
    """Whether it is a quantity with a limit or a range, which leaves open how much it is."""
    return isinstance(value, Quantity) and (_direction(value) != 0 or value.low < value.high)


def limits_clash(claimed: Quantity, found: Quantity) -> bool:
    """Whether one is a least and the other a most: "at least 30" and "up to 30"."""
    return _direction(claimed) * _direction(found) < 0


def _value(quantity: Quantity, lexicon: Lexicon) -> _Value:
    match quantity.kind:
        case QuantityKind.RATIO if quantity.unit == "":
            return _scaled(quantity, _HUNDRED, _ZERO, QuantityKind.PERCENT)
        case QuantityKind.BASIS_POINTS:
            return _scaled(quantity, _HUNDREDTH, _ZERO, QuantityKind.PERCENTAGE_POINTS)
        case QuantityKind.MEASURE if unit := lexicon.unit(quantity.unit):
            return _scaled(quantity, unit.factor, unit.offset, unit.dimension)
        case QuantityKind.MONEY:
            scale = f"money {quantity.unit}"
        case QuantityKind.COUNT if counts_points(quantity):
            scale = QuantityKind.PERCENTAGE_POINTS
        case kind:
            scale = kind
    return _Value(quantity.low, quantity.high, quantity.step, scale)


def _scaled(quantity: Quantity, factor: Decimal, offset: Decimal, scale: str) -> _Value:
    low, high = quantity.low * factor + offset, quantity.high * factor + offset
    return _Value(low, high, quantity.step * abs(factor), scale)


def _equal(left: Decimal, right: Decimal) -> bool:
    return abs(left - right) <= _SAME * max(abs(left), abs(right), 1)


def _direction(quantity: Quantity) -> int:
    if quantity.modifier in _UPWARD:
        return 1
    return -1 if quantity.modifier in _DOWNWARD else 0


def _modifiers_agree(claimed: Quantity, found: Quantity) -> bool:
    return _direction(claimed) == _direction(found)


def _unequal(
    claimed: Quantity, left: _Value, found: Quantity, right: _Value, policy: NumberPolicy
) -> SlotOutcome:
    if right.low != right.high or left.low != left.high:
        inside = right.low <= left.low <= left.high <= right.high
        around = left.low <= right.low <= right.high <= left.high
        return SlotOutcome.ABSENT if inside or around else SlotOutcome.MISMATCH
    claimed_way, found_way = _direction(claimed), _direction(found)
    gap = left.low - right.low
    if found_way:
        beyond = gap * found_way > 0 and found_way != claimed_way
        return SlotOutcome.ABSENT if beyond else SlotOutcome.MISMATCH
    if claimed_way:
        if gap * claimed_way > 0:
            return SlotOutcome.MISMATCH
        near = abs(gap) <= abs(right.low) * Decimal(str(policy.one_sided))
        return SlotOutcome.ROUNDED if near else SlotOutcome.ABSENT
    small = max(abs(left.low), abs(right.low)) < policy.exact_below
    if claimed.kind in _EXACT_KINDS or (claimed.kind is QuantityKind.COUNT and small):
        return SlotOutcome.MISMATCH
    rounded = abs(gap) <= _tolerance(claimed, left, found, right, policy)
    return SlotOutcome.ROUNDED if rounded else SlotOutcome.MISMATCH


def _tolerance(
    claimed: Quantity, left: _Value, found: Quantity, right: _Value, policy: NumberPolicy
) -> Decimal:
    """How far the claim may be off: half of its last digit if it is the coarser of the two.

    "About" allows more, but only for a number that is rounder than the source's. In another unit
    hardly any number is exact, and which is the rounder one says nothing. "One in fourteen" is 7
    per cent if this is no nearer to one in thirteen or fifteen.
    """
    coarse, about = _significant_step(claimed, left), abs(right.low) * Decimal(str(policy.about))
    if claimed.kind is QuantityKind.RATIO and found.kind is QuantityKind.PERCENT:
        if claimed.modifier is Modifier.ABOUT:
            return abs(right.low) * Decimal(str(policy.about_fraction))
        return min(about, left.low**2 / (2 * _HUNDRED))
    converted = claimed.kind is QuantityKind.MEASURE and claimed.unit != found.unit
    if coarse <= _significant_step(found, right) and not converted:
        return Decimal(0)
    if claimed.modifier is Modifier.ABOUT:
        return max(coarse / 2, about) if not converted else about
    return min(coarse / 2, about) if converted else coarse / 2


def _significant_step(quantity: Quantity, value: _Value) -> Decimal:
    """The step of a number rounded to its last non-zero digit, if two digits are left.

    "26,000" may stand for 25,963, and "about 50" for 48; "30" stands for no 28.
    """
    digits = quantity.low.normalize().as_tuple()
    least = 1 if quantity.modifier is Modifier.ABOUT else 2
    if not isinstance(digits.exponent, int) or len(digits.digits) < least or not quantity.low:
        return value.step
    shown = Decimal(1).scaleb(digits.exponent)
    return shown * (value.low / quantity.low) if shown > quantity.step else value.step


def compare_dates(claimed: DateSpan, found: DateSpan) -> Comparison:
    """The comparison as intervals of days.

    A finer found date inside the claimed one supports it; a coarser one decides nothing, nor does
    a fiscal date beside a calendar one. Of two dates that do not both give a year only month and
    day are compared; where the claim alone gives one, equal days decide nothing.
    """
    if claimed.fiscal != found.fiscal:
        return Comparison(SlotOutcome.ABSENT)
    if claimed.yearless or found.yearless:
        return _compare_yearless(claimed, found)
    if claimed.first <= found.first and found.last <= claimed.last:
        return Comparison(SlotOutcome.MATCH)
    if found.last < claimed.first or claimed.last < found.first:
        return Comparison(SlotOutcome.MISMATCH)
    return Comparison(SlotOutcome.ABSENT)


def _compare_yearless(claimed: DateSpan, found: DateSpan) -> Comparison:
    spans = [_in_one_year(claimed), _in_one_year(found)]
    if None in spans:
        return Comparison(SlotOutcome.ABSENT)
    left, right = (span for span in spans if span)
    if right[1] < left[0] or left[1] < right[0]:
        return Comparison(SlotOutcome.MISMATCH)
    inside = left[0] <= right[0] and right[1] <= left[1]
    return Comparison(SlotOutcome.MATCH if inside and claimed.yearless else SlotOutcome.ABSENT)


def _in_one_year(span: DateSpan) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """First and last day as (month, day); None for what is longer than half a year.

    February ends with the 29th: a date without a year may be of any.
    """
    long = span.granularity in (Granularity.YEAR, Granularity.DECADE, Granularity.CENTURY)
    if long or span.first.year != span.last.year:
        return None
    last = 29 if (span.last.month, span.last.day) == (2, 28) else span.last.day
    return (span.first.month, span.first.day), (span.last.month, last)
