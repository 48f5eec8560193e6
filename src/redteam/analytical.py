"""The analytical lens: figures, sums, and values that are stated twice."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ..base.vocabulary import Severity
from ..claims.arithmetic.calculation import bounds
from ..claims.arithmetic.checks import Figures
from ..claims.model import DateSpan, Granularity, Quantity, QuantityKind
from ..claims.words import Token
from ..documents.model import BlockKind, Sentence
from ..documents.technical import is_technical
from .model import Flaw, FlawKind
from .reading import PROSE, Reading

_TWO = 2
_MOST_REPEATED = 3
_MOST_COMPARED = 20
"""Statements of the same words, times and names that a later one is compared with."""
_NEAR = 2
_COMPARED = frozenset({QuantityKind.COUNT, QuantityKind.MONEY, QuantityKind.MEASURE})
_BELONGS = re.compile(r"\s+of\s+(?:the|its|their|our|this|that)\b", re.IGNORECASE)
# What points back to the text before it is drawn from that: "Hence this facility is disabled".
_POINTS_BACK = re.compile(r"\b(?:this|these|those|such|above)\b", re.IGNORECASE)
# Each part of a list of licences has years of its own.
_COPYRIGHT = re.compile(r"©|\bcopyright(?:ed)? (?:\(c\)|©|\d{4})", re.IGNORECASE)
_OF_SOMEBODY = re.compile(r"\b(?:he|she|him|his|hers?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A sentence as the statement of one of its values.

    `words` are the stems of all other words of weight, `tokens` all of its words, `names` the stems
    of its names.
    """

    figures: Figures
    value: Quantity | DateSpan
    words: frozenset[str]
    tokens: tuple[Token, ...]
    names: frozenset[str]

    @property
    def times(self) -> frozenset[tuple[date, date]]:
        """The dates of the sentence besides the value."""
        dates = (one for one in self.figures.dates if one is not self.value)
        return frozenset((one.first, one.last) for one in dates)


def _restated_values(reading: Reading) -> Iterator[Flaw]:
    """Values that another paragraph states otherwise, in a statement with the same words.

    The words of one of the two sentences must all stand in the other, and nothing may set the
    other apart: another time or name, or a word such as "planned" or "northern".
    """
    for group in _grouped(reading):
        # The statements so far by their words: most of a long text have others.
        before: defaultdict[frozenset[str], list[_Statement]] = defaultdict(list)
        for other in group:
            for one in _alike(before, other):
                if _disagree(one, other) and _is_same(one, other, reading):
                    yield _flaw(reading, one, other)
                    break
            if len(before[other.words]) < _MOST_COMPARED:
                before[other.words].append(other)


def _flaw(reading: Reading, one: _Statement, other: _Statement) -> Flaw:
    before, here = one.figures.sentence, other.figures.sentence
    problem = f"{other.value.text} stands here, {one.value.text} in line {before.line}."
    span, related = (other.value.start, other.value.end), (reading.place(before),)
    return reading.flaw(FlawKind.INCONSISTENT_NUMBER, here, problem, span, related)


def _grouped(reading: Reading) -> Iterable[list[_Statement]]:
    """Statements of values of one sort, for the same times and with the same names."""
    groups: defaultdict[tuple[object, ...], list[_Statement]] = defaultdict(list)
    repeated: Counter[str] = Counter()
    for one in reading.figures:
        # What is said over and over disagrees with nothing that its first places do not.
        repeated[one.text] += 1
        if repeated[one.text] > _MOST_REPEATED:
            continue
        if one.sentence.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
            continue
        if (
            _COPYRIGHT.search(one.text)
            or _OF_SOMEBODY.search(one.text)
            or not one.text.endswith((".", "!"))
        ):
            continue
        for value in _values(one):
            stated = _statement(one, value, reading)
            key = (_sort(value), stated.times, stated.names - reading.scope)
            groups[key].append(stated)
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
    names = frozenset(
        token.stem for token in tokens[1:] if token.capital and token.word not in book.stop_words
    )
    if isinstance(value, Quantity) and _BELONGS.match(figures.text, value.end):
        # The dimension of what belongs to a thing: length, for "the 40 km of the canal".
        words |= {reading.rules.restatement.measures.get(value.unit, "")} - {""}
    return _Statement(figures, value, words, tokens, names)


def _alike(
    before: Mapping[frozenset[str], Sequence[_Statement]], other: _Statement
) -> list[_Statement]:
    """Those in another paragraph whose words all stand in `other`, or the reverse, in order."""
    mine = other.words
    found = [one for words in before if words <= mine or mine <= words for one in before[words]]
    return sorted(
        (
            one
            for one in found
            if not _is_beside(one.figures.sentence, other.figures.sentence)
            and min(len(one.words), len(mine)) + _counts_what(other.value) >= _TWO
        ),
        key=lambda one: one.figures.sentence.index,
    )


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
    if _differ_elsewhere(one, other):
        return False
    shared = one.words if len(one.words) <= len(other.words) else other.words
    marks = [_marks(each, shared, reading) for each in (one, other)]
    return marks[0] == marks[1]


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
    shared_tokens = [
        token.stem in shared or one.value.start <= token.start < one.value.end
        for token in one.tokens
    ]
    limits = {
        token.stem
        for number, token in enumerate(one.tokens)
        if token.stem in reading.limits and any(shared_tokens[number + 1 : number + 1 + _NEAR])
    }
    return frozenset(limits | one.names)


_STATISTICS = (QuantityKind.PERCENT, QuantityKind.PERCENTAGE_POINTS)


def find_analytical_flaws(reading: Reading) -> Iterator[Flaw]:
    """Yield every flaw of the document's reasoning, in no particular order."""
    yield from _sums(reading)
    yield from _restated_values(reading)
    yield from _statistics(reading)
    yield from _conclusions(reading)


def _sums(reading: Reading) -> Iterator[Flaw]:
    """Results that do not follow from the document's own figures."""
    for one in reading.sums:
        if not one.calculation.agrees:
            span = one.location.start, one.location.end
            problem = f"It does not come out: {one.calculation.working}."
            section = " > ".join(reading.document.sentences[one.sentence].section)
            yield reading.flaw_at(FlawKind.ARITHMETIC_ERROR, span, problem, section=section)


def _statistics(reading: Reading) -> Iterator[Flaw]:
    """Statistics without a source, in a document that cites sources.

    Those of a README or a specification are its own matter, and low, as in a check.
    """
    document, rules = reading.document, reading.rules.statistics
    if not document.citations:
        return
    technical = is_technical(document)
    reckoned = {one.sentence for one in reading.sums}
    surveyed: set[tuple[str, ...]] = set()
    for one in reading.figures:
        sentence = one.sentence
        if rules.surveyed.search(sentence.text):
            surveyed.add(sentence.section)
        if sentence.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
            continue
        sourced = document.covering(sentence.index) or sentence.index in reckoned
        if sourced or sentence.section in surveyed:
            continue
        share = any(each.kind in _STATISTICS for each in one.quantities)
        statistic = one.quantities and rules.words.search(sentence.text)
        if not (share or statistic or rules.fractions.search(sentence.text)):
            continue
        if not rules.own.search(sentence.text) and not sentence.text.endswith("?"):
            problem = "A statistic without a source."
            whole = 0, len(sentence.text)
            flaw = reading.flaw(FlawKind.UNSUPPORTED_STATISTIC, sentence, problem, whole)
            yield replace(flaw, severity=Severity.LOW) if technical else flaw


def _conclusions(reading: Reading) -> Iterator[Flaw]:
    """Conclusions on a subject that no sentence before them mentions."""
    rules = reading.rules.conclusions
    known: set[str] = set()
    for section in reading.document.sections[:1]:
        known |= reading.weight(section.title)
    for sentence in reading.document.sentences:
        own = reading.weight(sentence.text)
        opener = rules.openers.match(sentence.text) if sentence.kind in PROSE else None
        if opener and not reading.document.covering(sentence.index):
            said = sentence.text[opener.end() :]
            weighed = reading.weight(said)
            new = len(weighed & known) < rules.shared * len(weighed)
            new = new and not _POINTS_BACK.search(said)
            if new and len(weighed) >= rules.fewest_words:
                problem = "It is drawn from nothing that the document says before it."
                whole = 0, len(sentence.text)
                yield reading.flaw(FlawKind.UNSUPPORTED_CONCLUSION, sentence, problem, whole)
        known |= own
