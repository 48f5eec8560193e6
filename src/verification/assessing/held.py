"""Whether a source holds the figures of a claim in any form at all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import combinations, permutations
from typing import NamedTuple

from ...claims.lexicon import Lexicon
from ...claims.model import DateSpan, Modifier, Quantity, QuantityKind
from ..model import SlotOutcome
from ..policy import NumberPolicy, SupportPolicy
from ..reading.form import ClaimForm
from ..reading.index import TextIndex
from ..registry import Registry
from ..values.comparison import compare_quantities, value_in_base
from ..values.elapsed import DURATIONS, between_times, clock_times

# These only bound the time: beyond them a source has a figure for everything, and combining them
# all would cost too much.
_MOST_SEGMENTS, _MOST_FIGURES = 400, 40
_BESIDE = 2
# So few words do not tell where to look.
_FEW_WORDS = 2
_EXACT = (Modifier.EXACT, Modifier.ABOUT)
_SHARES = frozenset({QuantityKind.PERCENT, QuantityKind.RATIO})
_POINTS = frozenset({QuantityKind.PERCENTAGE_POINTS, QuantityKind.BASIS_POINTS})
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_NUMBER = re.compile(r"\d+(?:[,.\u00a0\u202f]\d+)*")
_MARKS = re.compile(r"[,.\u00a0\u202f]")
_PARTS = 3
_TELLING = 3
_WHOLE = Decimal(100)
_ABOUT = 20
_BARE = QuantityKind.COUNT.value
_WORD = re.compile(r"[a-z]+")
# "By 44 per cent", "by some 44 per cent".
_BY = re.compile(r"\bby (?:\w+ ){0,2}\Z", re.IGNORECASE)
# A year has 12 months, 52 weeks and 4 quarters.
_PERIODS = (
    (frozenset({"year", "years", "yearly", "annual", "annually"}), (4, 12, 52, 365)),
    (frozenset({"quarter", "quarterly"}), (3, 13)),
    (frozenset({"week", "weeks", "weekly"}), (7,)),
    (frozenset({"day", "days", "daily"}), (24,)),
)
# A sentence that vouches for a claim repeats it, and not just a word of it.
_LEAST_VOUCHED = 2


class _Size(NamedTuple):
    """A figure in the unit that all of its sort are compared in."""

    scale: str
    value: Decimal


def figures_not_held(
    form: ClaimForm, index: TextIndex, registry: Registry
) -> tuple[str, ...] | None:
    """The figures of a claim that no passage with one of its words gives or adds up to.

    A figure is held if its digits stand there, in whatever unit and scale, if it is one of the
    figures there, rounded or in another unit, or if it is the sum, difference, product, quotient
    or share of two or three of them: what may be so is not counted as absent. The claim may give
    one of them itself, as may the calendar: at 45 seats a year's bill is 45 times 12 monthly
    prices. Only exact figures in digits are looked for, and no stretches of time, which follow
    from dates and times of day.

    Returns:
        None if that cannot be told: the source is too long to be read as a whole, or has none of
        the claim's words.
    """
    sought = [
        slot.value
        for slot in form.slots
        if isinstance(slot.value, Quantity) and _is_sought(slot.value)
    ]
    if not sought:
        return ()
    if len(index.segments) > _MOST_SEGMENTS:
        return None
    near = list(_segments(form, index, registry.lexicon))
    if not near:
        return None
    printed = {digits for number in near for digits in _digits(_text(index, number))}
    there = [
        figure.value
        for number in near
        for figure in index.facts(number).figures
        if isinstance(figure.value, Quantity)
    ]
    sizes = list(dict.fromkeys(_size(one, registry.lexicon) for one in there))
    if len(sizes) > _MOST_FIGURES:
        return None
    numbers = registry.verification.numbers
    times = [time for number in near for time in clock_times(_text(index, number))]
    absent = [
        value
        for value in sought
        if printed.isdisjoint(_digits(value.text))
        and not any(_agrees(value, one, registry.lexicon, numbers) for one in there)
        and not _is_worked_out(form, value, _of_any_unit(value, there) or sizes, registry.lexicon)
        and not between_times(value, times, registry.lexicon)
    ]
    given = _worked_from_own(form, absent, sizes, registry.lexicon)
    return tuple(value.text for value in absent if value not in given)


def _of_any_unit(claimed: Quantity, there: Sequence[Quantity]) -> list[_Size]:
    """The plain numbers of a source for a figure without a unit: "the hours are down by 32"."""
    if claimed.kind is not QuantityKind.COUNT or claimed.unit:
        return []
    return list(dict.fromkeys(_Size(_BARE, one.low) for one in there))


def _worked_from_own(
    form: ClaimForm, absent: Sequence[Quantity], sizes: Sequence[_Size], lexicon: Lexicon
) -> list[Quantity]:
    """The figures that follow from another one of the claim and those of the source, and that one.

    Without its own figure the claim would be one for any number of things.
    """
    own = [slot.value for slot in form.slots if isinstance(slot.value, Quantity)]
    found: list[Quantity] = []
    periods = [_Size(_BARE, Decimal(n)) for n in _periods(form.claim.text)]
    for value in absent:
        for other in own:
            if other is value or other.low != other.high:
                continue
            results = _with_own(value, _size(other, lexicon), sizes, periods, lexicon)
            if _is_one_of(value, results, lexicon):
                found += [value, other]
        if periods and value not in found:
            rates = (size.value * one.value for size in sizes for one in periods)
            if _is_one_of(value, rates, lexicon):
                found.append(value)
    return found


def _periods(text: str) -> list[int]:
    """How many of a shorter period each period has that the claim names."""
    words = set(_WORD.findall(text.lower()))
    return sorted({n for names, counts in _PERIODS if not words.isdisjoint(names) for n in counts})


def _with_own(
    claimed: Quantity,
    own: _Size,
    sizes: Sequence[_Size],
    periods: Sequence[_Size],
    lexicon: Lexicon,
) -> Iterator[Decimal]:
    scale = _size(claimed, lexicon).scale
    for size in sizes:
        yield from _results(claimed, scale, [own, size])
        if size.scale != own.scale:
            yield from (own.value * size.value * one.value for one in periods)


def _is_one_of(claimed: Quantity, results: Iterable[Decimal], lexicon: Lexicon) -> bool:
    wanted = _size(claimed, lexicon).value
    spread = _spread(claimed, wanted)
    return any(abs(result - wanted) <= spread for result in results)


def lacks_year(form: ClaimForm, index: TextIndex) -> bool:
    """Whether the claim names a year that the source prints nowhere."""
    dates = (slot.value.text for slot in form.slots if isinstance(slot.value, DateSpan))
    years = {year for text in dates for year in _YEAR.findall(text)}
    return any(year not in index.text for year in years)


def lacks_name(form: ClaimForm, index: TextIndex) -> bool:
    """Whether the claim has a name of several words of which the source has none."""
    return any(
        len(name.stems) > 1 and not any(index.knows(word) for word in name.stems)
        for name in form.names
    )


def is_vouched_for(form: ClaimForm, index: TextIndex, policy: SupportPolicy) -> bool:
    """Whether a sentence that states nothing, as one that vouches for a claim, has its words."""
    counted: Counter[int] = Counter()
    terms = [term for term in form.terms if term.counts]
    for term in terms:
        alike = index.lexicon.words.alike(term.stem)
        counted.update({number for word in alike for number in index.postings.get(word, ())})
    return any(
        count >= max(_LEAST_VOUCHED, policy.vouched * len(terms)) and index.is_meta(number)
        for number, count in counted.items()
    )


def _is_sought(value: Quantity) -> bool:
    return (
        value.low == value.high
        and value.modifier in _EXACT
        and any(character.isdigit() for character in value.text)
        and value.kind is not QuantityKind.ORDINAL
        and value.unit not in DURATIONS
    )


def _segments(form: ClaimForm, index: TextIndex, lexicon: Lexicon) -> Iterator[int]:
    """The sentences and rows that have one of the claim's words, or stand beside or under one."""
    terms = [term for term in form.terms if term.counts]
    words = frozenset(word for term in terms for word in lexicon.words.alike(term.stem))
    having = {number for word in words for number in index.postings.get(word, ())}
    if len(terms) <= _FEW_WORDS and (having or _prints_telling(form, index)):
        yield from range(len(index.segments))
        return
    for number, segment in enumerate(index.segments):
        header = index.tokens_at(*segment.header) if segment.header else ()
        if (
            not having.isdisjoint(range(number - _BESIDE, number + _BESIDE + 1))
            or any(token.stem in words for token in header)
            or not words.isdisjoint(index.governing(number))
        ):
            yield number


def _prints_telling(form: ClaimForm, index: TextIndex) -> bool:
    """Whether the source prints a figure of so many digits that it is hardly there by chance."""
    figures = (slot.value for slot in form.slots if isinstance(slot.value, Quantity))
    telling = [one for one in figures if len(one.low.normalize().as_tuple().digits) >= _TELLING]
    printed = _digits(index.text) if telling else frozenset[str]()
    return any(not printed.isdisjoint(_digits(one.text)) for one in telling)


def _text(index: TextIndex, number: int) -> str:
    segment = index.segments[number]
    return index.text[segment.start : segment.end]


def _digits(text: str) -> frozenset[str]:
    """The digits of the numbers in a text: 1.31 million is 1,310 in a table of thousands."""
    return frozenset(_MARKS.sub("", match[0]).strip("0") for match in _NUMBER.finditer(text))


def _agrees(claimed: Quantity, found: Quantity, lexicon: Lexicon, policy: NumberPolicy) -> bool:
    compared = compare_quantities(claimed, found, lexicon, policy)
    return compared is not None and compared.outcome is not SlotOutcome.MISMATCH


def _size(value: Quantity, lexicon: Lexicon) -> _Size:
    return _Size(*value_in_base(value, lexicon))


def _is_worked_out(
    form: ClaimForm, claimed: Quantity, sizes: Sequence[_Size], lexicon: Lexicon
) -> bool:
    scale = _size(claimed, lexicon).scale
    if claimed.kind in _SHARES and _BY.search(form.claim.text[: claimed.start]):
        # What falls "by 44 per cent" is no share of 44 per cent.
        return _is_one_of(claimed, _changes(sizes), lexicon)
    return _is_one_of(claimed, _results(claimed, scale, sizes), lexicon)


def _spread(claimed: Quantity, wanted: Decimal) -> Decimal:
    """How far a result may be off: half of the last digit, more for what is said to be about."""
    spread = abs(wanted * claimed.step / claimed.low) / 2 if claimed.low else Decimal(0)
    return max(spread, abs(wanted) / _ABOUT) if claimed.modifier is Modifier.ABOUT else spread


def _results(claimed: Quantity, scale: str, sizes: Sequence[_Size]) -> Iterator[Decimal]:
    """What can be worked out of the figures of a source for a figure of the claim's sort.

    A number without a unit may be of any sort: its unit may stand over the table.
    """
    scales = {scale, _BARE}
    if claimed.kind in _POINTS:
        scales.add(QuantityKind.PERCENT.value)
    elif claimed.kind is QuantityKind.PERCENT:
        scales.add(QuantityKind.PERCENTAGE_POINTS.value)
    alike = [size.value for size in sizes if size.scale in scales]
    for one, other in combinations(alike, 2):
        yield abs(one - other)
    for size in range(2, _PARTS + 1):
        yield from (sum(parts, Decimal(0)) for parts in combinations(alike, size))
    if claimed.kind in _SHARES:
        yield from (_WHOLE - value for value in alike)
        yield from _shares(sizes)
        yield from _changes(sizes)
    else:
        yield from _rates(sizes)


def _shares(sizes: Sequence[_Size]) -> Iterator[Decimal]:
    """What each figure is of another of its sort, in per cent."""
    for one, other in permutations(sizes, 2):
        if one.scale == other.scale and other.value:
            yield _WHOLE * one.value / other.value


def _changes(sizes: Sequence[_Size]) -> Iterator[Decimal]:
    """By how much each figure is more or less than another of its sort, in per cent."""
    for one, other in permutations(sizes, 2):
        if one.scale == other.scale and other.value:
            yield abs(_WHOLE * one.value / other.value - _WHOLE)


def _rates(sizes: Sequence[_Size]) -> Iterator[Decimal]:
    """So many of something at so much each, so much for each of them, so many per cent of it."""
    for one, other in permutations(sizes, 2):
        if one.scale == QuantityKind.PERCENT.value:
            share = one.value / _WHOLE
            yield from (other.value * part for part in (share, 1 - share, 1 + share))
        elif other.value:
            yield from (one.value * other.value, one.value / other.value)
