"""A claimed number that a passage does not print but implies: a total, a difference, a share.

A number is derived only where the claim's own words ask for the operation ("in total", "on
average", "the gap"), and only from two or more values of one passage, so that a chance result of
unrelated figures settles nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from ...claims.arithmetic.calculation import figure
from ...claims.lexicon import Lexicon
from ...claims.model import Modifier, Quantity, QuantityKind
from .comparison import counts_points
from .rates import rate_of

# The most values of a passage that are combined, and the most that are added up.
_MOST_VALUES, _MOST_PARTS = 16, 8
_ABOUT, _ABOUT_SHARE = Fraction(1, 50), Fraction(1, 20)
# "Roughly a third" stands for anything nearer to it than to the fractions beside it.
_ABOUT_FRACTION = Fraction(1, 12)
_ONE_SIDED = Fraction(1, 4)
# A result that is only rounded to its last non-zero digit may be off by this much.
_LOOSE = Fraction(1, 100)
_LOOK = 60


class Operation(StrEnum):
    """How a number follows from others."""

    TOTAL = "total"
    DIFFERENCE = "difference"
    AVERAGE = "average"
    SHARE = "share"
    CHANGE = "change"
    MULTIPLE = "multiple"


class Term(NamedTuple):
    """A number of a passage and its size in the claim's unit."""

    quantity: Quantity
    size: Fraction


@dataclass(frozen=True, slots=True)
class Derivation:
    """A value worked out from a passage; `value` is in the unit of the claimed number."""

    operation: Operation
    value: Fraction
    terms: tuple[Term, ...]

    @property
    def operands(self) -> tuple[Quantity, ...]:
        """The numbers of the passage that it is worked from."""
        return tuple(term.quantity for term in self.terms)

    @property
    def working(self) -> str:
        """The sum in one line."""
        sizes = [figure(term.size) for term in self.terms]
        match self.operation:
            case Operation.TOTAL:
                return f"{' + '.join(sizes)} = {figure(self.value)}"
            case Operation.DIFFERENCE:
                return f"{' − '.join(sizes)} = {figure(self.value)}"
            case Operation.CHANGE:
                start, end = (term.size for term in self.terms)
                share = figure(100 * abs(end - start) / start)
                return f"{sizes[0]} to {sizes[1]}: {figure(abs(end - start))}, or {share} %"
            case Operation.AVERAGE | Operation.SHARE | Operation.MULTIPLE:
                over, under = (term.size for term in self.terms)
                return f"{sizes[0]} / {sizes[1]} = {figure(over / under)}"


Worked = Iterator[Derivation]
_CUES: dict[Operation, re.Pattern[str]] = {
    Operation.TOTAL: re.compile(
        r"\b(?:total(?:s|l?ed|l?ing)?|altogether|all told|all in all|in all|combined|together"
        r"|overall|sum(?:s|med)?|add(?:s|ed|ing)? up|across|both|between them|counting|including"
        r"|inclusive|aggregate|cumulative(?:ly)?|taken as a whole|as a whole|jointly|plus"
        r"|bill|thus|therefore|hence)\b"
    ),
    Operation.DIFFERENCE: re.compile(
        r"\b(?:gap|difference|deduct\w*|subtract\w*|minus|differen(?:t|ce)s?|differed|margin|spread|shortfall|surplus|deficit"
        r"|remain\w*|left|leav(?:es?|ing)|still|balance|net|excess|saving|saved?|extra|additional|apart|ahead|behind"
        r"|more|fewer|less|higher|lower|larger|smaller|longer|shorter|older|younger|cheaper|dearer"
        r"|deeper|shallower|heavier|lighter|taller|wider|narrower|warmer|colder|hotter|cooler|faster"
        r"|slower|earlier|further|farther|thicker|thinner|steeper|bigger|better|worse|richer|poorer"
        r"|above|below|beyond|exceed\w*|rose|risen|ris(?:e|es|ing)|grew|grow\w*|gain\w*|climb\w*"
        r"|increas\w*|jump\w*|ad(?:d|ded|ding)|join\w*|widen\w*|fell|fall\w*|drop\w*|declin\w*"
        r"|decreas\w*|shr[aiu]nk\w*|lost|los(?:e|es|ing|s)|cut|reduc\w*|slip\w*|dip\w*|slid|narrow\w*"
        r"|up(?! to)|down|off|improv\w*|worsen\w*|chang\w*|short(?:en\w*)?|after|later|earlier|took"
        r"|last(?:ed|ing|s)?|thus|therefore|hence)\b"
    ),
    Operation.AVERAGE: re.compile(
        r"\b(?:average[ds]?|averaging|mean|per|each|every|apiece|a head|an? (?:hour|day|week|month"
        r"|year|night|piece)|works? out|typical(?:ly)?|respectively)\b"
    ),
}
# "At its two depots": a number said of a group is the sum of what is said of its members.
_GROUP = re.compile(
    r"(?:\b(?:its|their|his|her|our|the|all)|\w['’]s|s['’]) (?P<n>two|three|four|five|six)"
    r"(?= (?!times\b|per\b)[a-z])"
)
_SIZES = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_SINGLY = re.compile(
    r"\b(?:each|every|apiece|average[ds]?|averaging|per|respectively"
    r"|of the (?:two|three|four|five|six))\b"
)
# "More than 300" bounds a number, and asks for no difference.
_THAN = re.compile(r"\b\w+ than (?:a |an |the |some )?$")
_BOUNDS = frozenset(Modifier) - {Modifier.EXACT, Modifier.ABOUT}
# Which way a change goes, so that of two values the first or the greater one is where it starts.
_FALLS = re.compile(
    r"\b(?:fell|fall\w*|drop\w*|declin\w*|decreas\w*|shr[aiu]nk\w*|lost|los(?:e|es|ing)|cut"
    r"|reduc\w*|slump\w*|plung\w*|contract\w*|down|lower|less|fewer|slower|cheaper|smaller)\b"
)
_SHARE_KINDS = frozenset({QuantityKind.RATIO, QuantityKind.PERCENT})
_AMOUNTS = frozenset({QuantityKind.COUNT, QuantityKind.MONEY, QuantityKind.MEASURE})
_MOVES = re.compile(
    r"\b(?:rose|risen|ris(?:e|es|ing)|grew|grow\w*|gain\w*|climb\w*|increas\w*|jump\w*|surg\w*|soar\w*"
    r"|expan\w*|improv\w*|fell|fall\w*|drop\w*|declin\w*|decreas\w*|shr[aiu]nk\w*|lost|los(?:e|es|ing)"
    r"|cut|reduc\w*|slump\w*|plung\w*|contract\w*|worsen\w*|up|down|higher|lower|more|less|fewer"
    r"|faster|slower|cheaper|dearer)\b"
)


@lru_cache(maxsize=256)
def operations(text: str, claimed: Quantity) -> tuple[Operation, ...]:
    """The operations whose result the words of the claim `text` call `claimed`."""
    low = text.lower()
    near = _around(low, claimed)
    if claimed.low != claimed.high or claimed.kind is QuantityKind.ORDINAL:
        return ()
    if claimed.kind in (QuantityKind.PERCENTAGE_POINTS, QuantityKind.BASIS_POINTS) or counts_points(
        claimed
    ):
        return (Operation.DIFFERENCE,)
    if claimed.kind in _SHARE_KINDS:
        if claimed.unit == "times":
            return (Operation.MULTIPLE,)
        return (Operation.CHANGE, Operation.SHARE) if _MOVES.search(near) else (Operation.SHARE,)
    asked = tuple(
        operation
        for operation, cue in _CUES.items()
        if cue.search(near if operation is Operation.DIFFERENCE else low)
    )
    of_group = group_size(text) and Operation.TOTAL not in asked
    return (Operation.TOTAL, *asked) if of_group else asked


def asks(text: str, claimed: Quantity, word: str) -> bool:
    """Whether a word of the claim only asks for the operation: "together", "remained"."""
    return any(
        cue.fullmatch(word)
        for operation, cue in _CUES.items()
        if operation in operations(text, claimed)
    )


def group_size(text: str) -> int:
    """How many there are of what a claim gives one number for together; 0 if it does not say."""
    low = text.lower()
    found = _GROUP.search(low)
    return _SIZES[found["n"]] if found and not _SINGLY.search(low) else 0


def _around(low: str, claimed: Quantity) -> str:
    """What the claim says right round a number: up to the numbers and clauses beside it."""
    before = re.split(r"[\d;:]", low[max(0, claimed.start - _LOOK) : claimed.start])[-1]
    after = re.split(r"[\d;:,.]", low[claimed.end : claimed.end + _LOOK])[0]
    return f"{_THAN.sub('', before)} {after}"


def derive(
    text: str, claimed: Quantity, values: Sequence[Quantity], lexicon: Lexicon
) -> Iterator[Derivation]:
    """The ways in which `claimed` follows from `values`, the numbers of a passage in their order.

    `text` is the claim. Only what its words call for is tried, the surest operation first; none of
    the operands is itself the claimed number.
    """
    known = [value for value in values[:_MOST_VALUES] if value.low == value.high]
    size = 0 if _CUES[Operation.TOTAL].search(text.lower()) else group_size(text)
    for operation in operations(text, claimed):
        tried = _TRIED[operation](claimed, known, lexicon)
        if operation is Operation.TOTAL and size:
            tried = (found for found in tried if len(found.terms) == size)
        if operation is Operation.AVERAGE:
            tried = _by_the_right_count(tried, _per(text, claimed, known, lexicon))
        for found in tried:
            if agrees(claimed, found.value) and _is_worked(claimed, found, lexicon):
                yield found


def _per(
    text: str, claimed: Quantity, values: Sequence[Quantity], lexicon: Lexicon
) -> tuple[Quantity, ...]:
    """The counts of what the claim says the number is for each of, if the passage has any."""
    book = lexicon.words
    rate = rate_of(text, claimed.start, claimed.end, book)
    names = {name for thing in (rate.things if rate else ()) for name in book.alike(thing)}
    return tuple(v for v in values if v.unit and book.stem(v.unit) in names)


def _by_the_right_count(tried: Worked, counts: Sequence[Quantity]) -> Worked:
    return (found for found in tried if not counts or found.operands[1] in counts)


def _is_worked(claimed: Quantity, found: Derivation, lexicon: Lexicon) -> bool:
    """Whether each operand matters: 5,100,000 − 4 is no way to 5.1 million."""
    sizes = [in_unit(claimed, operand, lexicon) for operand in found.operands]
    return not any(size is not None and agrees(claimed, size) for size in sizes)


def change_of(
    text: str, claimed: Quantity, values: Sequence[Quantity], lexicon: Lexicon
) -> Derivation | None:
    """The relative change between two values that a claim gives itself, from the first one.

    None if the claim does not call `claimed` a change, or the values are not of one kind.
    """
    if Operation.CHANGE not in operations(text, claimed) or claimed.modifier in _BOUNDS:
        return None
    falls = bool(_FALLS.search(_around(text.lower(), claimed)))
    changes = _changes(claimed, values, lexicon)
    # "Down by a third to 40, from 60": what falls starts from the greater of the two.
    return next((c for c in changes if not falls or c.terms[0].size > c.terms[1].size), None)


def confusion(text: str, claimed: Quantity, values: Sequence[Quantity]) -> Derivation | None:
    """Two levels in per cent whose change the claim gives in the other measure, or None.

    From 12 to 15 per cent is a rise of 3 percentage points or of 25 per cent, never of 3 per cent
    nor of 25 points. The claim must speak of a change.
    """
    points = claimed.kind is QuantityKind.PERCENTAGE_POINTS or counts_points(claimed)
    if not (points or claimed.kind is QuantityKind.PERCENT) or not _MOVES.search(text.lower()):
        return None
    levels = [
        Term(value, Fraction(value.low))
        for value in values[:_MOST_VALUES]
        if value.kind is QuantityKind.PERCENT
    ]
    for pair in combinations(levels, 2):
        for start, end in (pair, pair[::-1]):
            if start.size <= 0 or start.size == end.size:
                continue
            gap = abs(end.size - start.size)
            share = 100 * gap / start.size
            wrong, right = (share, gap) if points else (gap, share)
            if agrees(claimed, wrong) and not agrees(claimed, right):
                return Derivation(Operation.CHANGE, right, (start, end))
    return None


def total_of_group(
    text: str, claimed: Quantity, values: Sequence[Quantity], lexicon: Lexicon
) -> Derivation | None:
    """The sum of `values` if they are one for each member of the group that the claim speaks of.

    None if the claim speaks of no group, or the values of the claim's noun are fewer or more.
    """
    book = lexicon.words
    noun = book.alike(book.stem(claimed.unit)) if claimed.unit else frozenset[str]()
    counts = claimed.kind is QuantityKind.COUNT
    parts = [
        term
        for term in _of_unit(claimed, values[:_MOST_VALUES], lexicon)
        if not (counts and term.quantity.unit and noun) or book.stem(term.quantity.unit) in noun
    ]
    exact = all(one.low == one.high and one.modifier is Modifier.EXACT for one, _ in parts)
    if len(parts) != group_size(text) or not parts or not exact:
        return None
    return Derivation(Operation.TOTAL, _total(parts), tuple(parts))


def agrees(claimed: Quantity, value: Fraction) -> bool:
    """Whether a result is the claimed number, as far as that is rounded or hedged (decision 4)."""
    stated = Fraction(claimed.low)
    slack = _slack(claimed)
    match claimed.modifier:
        case Modifier.EXACT:
            return abs(stated - value) <= slack
        case Modifier.ABOUT:
            about = _ABOUT_SHARE if claimed.kind in _SHARE_KINDS else _ABOUT
            if claimed.kind is QuantityKind.RATIO and not any(map(str.isdigit, claimed.text)):
                about = _ABOUT_FRACTION
            return abs(stated - value) <= max(slack, abs(value) * about)
        case Modifier.AT_LEAST | Modifier.MORE_THAN:
            return stated <= value <= stated + slack + abs(stated) * _ONE_SIDED
        case Modifier.AT_MOST | Modifier.LESS_THAN:
            return stated - slack - abs(stated) * _ONE_SIDED <= value <= stated


@lru_cache(maxsize=1024)
def _slack(claimed: Quantity) -> Fraction:
    """How far a rounded number may be off: half its last digit, small counts not at all."""
    half = Fraction(claimed.step) / 2
    if claimed.kind is QuantityKind.COUNT and claimed.step == 1 and claimed.low % 10:
        half = Fraction(0)
    digits = claimed.low.normalize().as_tuple()
    if claimed.low and isinstance(digits.exponent, int) and len(digits.digits) > 1:
        shown = Fraction(Decimal(1).scaleb(digits.exponent)) / 2
        half = max(half, min(shown, abs(Fraction(claimed.low)) * _LOOSE))
    return half


def _totals(claimed: Quantity, values: Sequence[Quantity], lexicon: Lexicon) -> Worked:
    """Sums of neighbouring values of the claim's unit."""
    parts = _of_unit(claimed, values, lexicon)
    for count in range(2, min(len(parts), _MOST_PARTS) + 1):
        for first in range(len(parts) - count + 1):
            terms = parts[first : first + count]
            yield Derivation(Operation.TOTAL, _total(terms), tuple(terms))


def _total(terms: Iterable[Term]) -> Fraction:
    return sum((term.size for term in terms), Fraction(0))


def _differences(claimed: Quantity, values: Sequence[Quantity], lexicon: Lexicon) -> Worked:
    """Differences of two values, and what a first value leaves after the ones that follow."""
    parts = _of_unit(claimed, values, lexicon)
    for pair in combinations(parts, 2):
        whole, part = sorted(pair, key=lambda term: -term.size)
        yield Derivation(Operation.DIFFERENCE, whole.size - part.size, (whole, part))
    for place, whole in enumerate(parts):
        for count in range(2, min(len(parts) - place, _MOST_PARTS)):
            taken = parts[place + 1 : place + 1 + count]
            rest = whole.size - _total(taken)
            if rest > 0:
                yield Derivation(Operation.DIFFERENCE, rest, (whole, *taken))


def _averages(claimed: Quantity, values: Sequence[Quantity], lexicon: Lexicon) -> Worked:
    """An amount of the claim's unit divided by a count of something else."""
    if "/" in claimed.unit:
        yield from _rates(claimed, values, lexicon)
        return
    counts = [Term(value, Fraction(value.low)) for value in values if _is_divisor(value, claimed)]
    for over in _of_unit(claimed, values, lexicon):
        for under in counts:
            if under.quantity.start != over.quantity.start and over.size > under.size:
                yield _quotient(Operation.AVERAGE, over, under)


def _rates(claimed: Quantity, values: Sequence[Quantity], lexicon: Lexicon) -> Worked:
    """A measure by another one: so many metres in so many days."""
    over, _, under = claimed.unit.partition("/")
    tops = _of_unit(replace(claimed, unit=over), values, lexicon)
    for one in tops:
        for other in _of_unit(replace(claimed, unit=under), values, lexicon):
            measured = other.quantity.kind is one.quantity.kind is QuantityKind.MEASURE
            if measured and other.quantity is not one.quantity and other.size:
                yield _quotient(Operation.AVERAGE, one, other)


def _is_divisor(value: Quantity, claimed: Quantity) -> bool:
    whole = value.kind is QuantityKind.COUNT and value.low > 1
    return whole and (not claimed.unit or value.unit != claimed.unit)


def _shares(claimed: Quantity, values: Sequence[Quantity], lexicon: Lexicon) -> Worked:
    """A part by its whole, in percent if the claim is in percent."""
    for pair in _pairs(values, lexicon):
        part, whole = sorted(pair, key=lambda term: term.size)
        if 0 < part.size < whole.size:
            yield _scaled(claimed, _quotient(Operation.SHARE, part, whole))


def _changes(claimed: Quantity, values: Sequence[Quantity], lexicon: Lexicon) -> Worked:
    """The relative change between two values, whichever of them is the later one."""
    for pair in _pairs(values, lexicon, levels=True):
        for start, end in (pair, pair[::-1]):
            if start.size > 0:
                share = abs(end.size - start.size) / start.size
                yield _scaled(claimed, Derivation(Operation.CHANGE, share, (start, end)))


def _multiples(_claimed: Quantity, values: Sequence[Quantity], lexicon: Lexicon) -> Worked:
    """How many times one value is the other."""
    for pair in _pairs(values, lexicon, levels=True):
        small, great = sorted(pair, key=lambda term: term.size)
        if small.size > 0:
            yield _quotient(Operation.MULTIPLE, great, small)


def _quotient(operation: Operation, over: Term, under: Term) -> Derivation:
    return Derivation(operation, over.size / under.size, (over, under))


def _scaled(claimed: Quantity, found: Derivation) -> Derivation:
    in_percent = claimed.kind is QuantityKind.PERCENT
    return replace(found, value=100 * found.value) if in_percent else found


def _of_unit(claimed: Quantity, values: Sequence[Quantity], lexicon: Lexicon) -> list[Term]:
    """The values that can be added to give the claimed one."""
    sized = ((value, in_unit(claimed, value, lexicon)) for value in values)
    return [Term(value, size) for value, size in sized if size is not None]


def in_unit(claimed: Quantity, value: Quantity, lexicon: Lexicon) -> Fraction | None:
    """`value` in the unit of `claimed`; None if the two measure different things.

    A change in points is read from levels in per cent; a bare number may lack its unit.
    """
    size, bare = Fraction(value.low), value.kind is QuantityKind.COUNT
    if counts_points(claimed) and value.kind is QuantityKind.PERCENT:
        return size
    match claimed.kind:
        case QuantityKind.PERCENTAGE_POINTS | QuantityKind.PERCENT:
            return size if value.kind is QuantityKind.PERCENT else None
        case QuantityKind.BASIS_POINTS:
            return 100 * size if value.kind is QuantityKind.PERCENT else None
        case QuantityKind.MEASURE:
            return _measured(claimed, value, lexicon)
        case QuantityKind.MONEY:
            same = value.kind is QuantityKind.MONEY and value.unit == claimed.unit
            return size if same or (bare and not value.unit) else None
        case QuantityKind.COUNT if not claimed.unit:
            return size if bare or value.kind is QuantityKind.MONEY else None
        case _:
            return size if bare else None


def _measured(claimed: Quantity, value: Quantity, lexicon: Lexicon) -> Fraction | None:
    left, right = lexicon.unit(claimed.unit), lexicon.unit(value.unit)
    if value.kind is QuantityKind.COUNT and not value.unit:
        return Fraction(value.low)
    if not left or not right or value.kind is not QuantityKind.MEASURE:
        return None
    if left.dimension != right.dimension or left.offset or right.offset:
        return None
    return Fraction(value.low) * Fraction(right.factor) / Fraction(left.factor)


def _pairs(
    values: Sequence[Quantity], lexicon: Lexicon, *, levels: bool = False
) -> Iterator[tuple[Term, Term]]:
    """Two values of one kind and unit; with `levels` percentages, too."""
    for left, right in combinations(values, 2):
        if left.kind in _AMOUNTS or (levels and left.kind is QuantityKind.PERCENT):
            size = in_unit(left, right, lexicon)
            if size is not None:
                yield Term(left, Fraction(left.low)), Term(right, size)


_TRIED: dict[Operation, Callable[[Quantity, Sequence[Quantity], Lexicon], Iterator[Derivation]]] = {
    Operation.TOTAL: _totals,
    Operation.DIFFERENCE: _differences,
    Operation.AVERAGE: _averages,
    Operation.SHARE: _shares,
    Operation.CHANGE: _changes,
    Operation.MULTIPLE: _multiples,
}
