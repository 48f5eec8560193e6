"""Statements that a document makes twice, with two values."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..claims.arithmetic.calculation import bounds
from ..claims.arithmetic.figures import Figures
from ..claims.model import DateSpan, Granularity, Quantity, QuantityKind
from ..claims.words import Token
from ..documents.model import BlockKind, Sentence
from .model import Flaw, FlawKind
from .reading import Reading

_TWO = 2
_NEAR = 2
_AGENT = frozenset({"by"})
"""Behind a participle it names who did it."""
_COMPARED = frozenset({QuantityKind.COUNT, QuantityKind.MONEY, QuantityKind.MEASURE})
_BELONGS = re.compile(r"\s+of\s+(?:the|its|their|our|this|that)\b", re.IGNORECASE)
_OF_SOMEBODY = re.compile(r"\b(?:he|she|him|his|hers?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A sentence as the statement of one of its values.

    `words` are the stems of all other words of weight, `tokens` all of its words.
    """

    figures: Figures
    value: Quantity | DateSpan
    words: frozenset[str]
    tokens: tuple[Token, ...]


def find_restated_values(reading: Reading) -> Iterator[tuple[int, Flaw]]:
    """Values that another paragraph states otherwise, in a statement with the same words.

    The words of one of the two sentences must all stand in the other, and nothing may set the
    other apart: another time or name, or a word such as "planned" or "northern".
    Each comes with the index of its sentence.
    """
    for group in _grouped(reading):
        for number, other in enumerate(group):
            for one in _alike(group[:number], other):
                if _disagree(one, other) and _is_same(one, other, reading):
                    yield other.figures.sentence.index, _flaw(reading, one, other)
                    break


def _flaw(reading: Reading, one: _Statement, other: _Statement) -> Flaw:
    sentence = other.figures.sentence
    return reading.flaw(
        FlawKind.INCONSISTENT_NUMBER,
        sentence,
        f"{other.value.text} stands here, {one.value.text} in line {one.figures.sentence.line}.",
        span=(other.value.start, other.value.end),
        related=(reading.place(one.figures.sentence),),
    )


def _grouped(reading: Reading) -> Iterable[list[_Statement]]:
    groups: defaultdict[tuple[str, str], list[_Statement]] = defaultdict(list)
    for one in reading.figures:
        if one.sentence.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
            continue
        if _OF_SOMEBODY.search(one.text) or not one.text.endswith((".", "!")):
            continue
        for value in _values(one):
            groups[_sort(value)].append(_statement(one, value, reading))
    return groups.values()


def _values(figures: Figures) -> Iterator[Quantity | DateSpan]:
    """The values of a sentence that are the only ones of their sort in it."""
    sorts = Counter(map(_sort, figures.quantities))
    for one in figures.quantities:
        if one.kind in _COMPARED and sorts[_sort(one)] == 1 and one.low == one.high:
            yield one
    years = [one for one in figures.dates if one.granularity is Granularity.YEAR]
    if len(figures.dates) == len(years) == 1:
        yield years[0]


def _sort(value: Quantity | DateSpan) -> tuple[str, str]:
    return (value.kind, value.unit) if isinstance(value, Quantity) else ("date", "")


def _statement(figures: Figures, value: Quantity | DateSpan, reading: Reading) -> _Statement:
    book, dimensions = reading.lexicon.words, reading.dimensions
    tokens = tuple(book.tokens(figures.text))
    words = frozenset(
        dimensions.get(token.stem, token.stem)
        for token in tokens
        if token.word not in book.stop_words
        and token.stem not in reading.weightless
        and not token.word[0].isdigit()
        and not value.start <= token.start < value.end
    )
    return _Statement(figures, value, words | _measured(figures, value, reading), tokens)


def _measured(figures: Figures, value: Quantity | DateSpan, reading: Reading) -> frozenset[str]:
    """The dimension of a value that belongs to a thing: length, for "the 40 km of the canal"."""
    if not isinstance(value, Quantity) or not _BELONGS.match(figures.text, value.end):
        return frozenset()
    dimension = reading.rules.restatement.measures.get(value.unit)
    return frozenset({dimension}) if dimension else frozenset()


def _alike(group: Iterable[_Statement], other: _Statement) -> Iterator[_Statement]:
    """Those of `group` in another paragraph whose words all stand in `other`, or the reverse."""
    for one in group:
        short, long = sorted((one, other), key=lambda each: len(each.words))
        if (
            not _is_beside(one.figures.sentence, other.figures.sentence)
            and len(short.words) + _counts_what(short.value) >= _TWO
            and short.words <= long.words
        ):
            yield one


def _counts_what(value: Quantity | DateSpan) -> bool:
    """Whether it is a count that says what it counts."""
    return isinstance(value, Quantity) and value.kind is QuantityKind.COUNT and bool(value.unit)


def _is_beside(one: Sentence, other: Sentence) -> bool:
    """Whether the two are of one paragraph or list, which tells of several things."""
    listed = one.list_id is not None and one.list_id == other.list_id
    return one.block == other.block or listed or abs(one.index - other.index) == 1


def _disagree(one: _Statement, other: _Statement) -> bool:
    left, right = one.value, other.value
    if isinstance(left, Quantity) and isinstance(right, Quantity):
        return not bounds(left).meets(bounds(right))
    if isinstance(left, DateSpan) and isinstance(right, DateSpan):
        return left.last < right.first or right.last < left.first
    return False


def _is_same(one: _Statement, other: _Statement, reading: Reading) -> bool:
    """Whether nothing beside the shared words sets the two statements apart."""
    shared = one.words if len(one.words) <= len(other.words) else other.words
    marks = [_marks(each, shared, reading) for each in (one, other)]
    times = [
        {(date.first, date.last) for date in each.figures.dates if date is not each.value}
        for each in (one, other)
    ]
    return marks[0] == marks[1] and times[0] == times[1] and not _differ_elsewhere(one, other)


def _differ_elsewhere(one: _Statement, other: _Statement) -> bool:
    """Whether the two give two values of another sort as well: they are of a row of cases."""
    there = {_sort(each): each for each in other.figures.quantities if each != other.value}
    return any(
        _sort(each) in there and not bounds(each).meets(bounds(there[_sort(each)]))
        for each in one.figures.quantities
        if each != one.value
    )


def _marks(one: _Statement, shared: frozenset[str], reading: Reading) -> frozenset[str]:
    """The names of the sentence, and the words beside the shared ones that limit what it says."""
    book, scope = reading.lexicon.words, reading.scope
    shared_tokens = [
        token.stem in shared or one.value.start <= token.start < one.value.end
        for token in one.tokens
    ]
    limits = {
        token.stem
        for number, token in enumerate(one.tokens)
        if token.stem in scope - _AGENT - reading.dimensions.keys()
        and any(shared_tokens[number + 1 : number + 1 + _NEAR])
    }
    names = {
        token.stem
        for token in one.tokens[1:]
        if token.capital and token.word not in book.stop_words
    }
    return frozenset(limits | names)
