"""Consistency: does the document give two values for the same thing?"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from ...base.counting import counted
from ...base.vocabulary import ReviewCriterion, Severity
from ...claims.labels import told_apart
from ...claims.model import DateSpan, Modifier, Quantity, QuantityKind
from ...claims.quantity.quantities import find_slots
from ...documents.model import Sentence
from .excerpts import content_stems
from .graded import Grade, GradedText, Issue
from .rubric import ConsistencyRules

_NAME = re.compile(r"\b[A-ZÀ-Þ][\w-]*")


@dataclass(frozen=True, slots=True)
class _Statement:
    """A sentence with one quantity, and what it says apart from the number."""

    sentence: Sentence
    quantity: Quantity
    dates: tuple[DateSpan, ...]
    stems: frozenset[str]
    names: frozenset[str]


def grade_consistency(text: GradedText) -> Grade:
    """Sentences that say the same with different numbers, each pair an issue."""
    issues: list[Issue] = []
    compared = 0
    for group in _by_measure(text).values():
        for one, other in combinations(group[: text.rubric.consistency.most_compared], 2):
            compared += 1
            if _contradict(one, other, text):
                issues.append(_issue(text, one, other))
    reason = (
        "No two sentences give different values for the same thing."
        if not issues
        else f"{counted(len(issues), 'pair of sentences gives', 'pairs of sentences give')} "
        "different values for the same thing."
    )
    pairs = counted(compared, "pair with the same measure was", "pairs with the same measure were")
    reason += f" {pairs} compared by their words."
    return Grade(ReviewCriterion.CONSISTENCY, text.score(issues), reason, tuple(issues))


def _by_measure(text: GradedText) -> dict[tuple[QuantityKind, str], list[_Statement]]:
    groups: dict[tuple[QuantityKind, str], list[_Statement]] = defaultdict(list)
    for sentence in text.prose:
        for statement in _statements(text, sentence):
            groups[statement.quantity.kind, statement.quantity.unit].append(statement)
    return groups


def _statements(text: GradedText, sentence: Sentence) -> Iterator[_Statement]:
    quantities, dates = find_slots(sentence.text, text.lexicon)
    for quantity in quantities:
        alone = sum(q.kind is quantity.kind and q.unit == quantity.unit for q in quantities) == 1
        if alone and quantity.kind is not QuantityKind.ORDINAL:
            rest = _without(sentence.text, [*quantities, *dates])
            yield _Statement(
                sentence,
                quantity,
                dates,
                content_stems(rest, text.lexicon.words),
                frozenset(_NAME.findall(rest[1:])),
            )


def _without(text: str, spans: list[Quantity | DateSpan]) -> str:
    for span in sorted(spans, key=lambda span: span.start, reverse=True):
        text = f"{text[: span.start]} {text[span.end :]}"
    return text


def _contradict(one: _Statement, other: _Statement, text: GradedText) -> bool:
    rules = text.rubric.consistency
    shared = one.stems & other.stems
    either = one.stems | other.stems
    distinguishing = frozenset(rules.distinguishing)
    return (
        len(shared) >= rules.shared_words
        and len(shared) >= rules.same_statement * len(either)
        and one.names == other.names
        and not (_words(one) ^ _words(other)) & distinguishing
        and _same_time(one, other)
        and _differ(one.quantity, other.quantity, rules)
        and not told_apart(one.sentence.text, other.sentence.text, text.lexicon)
    )


def _words(statement: _Statement) -> frozenset[str]:
    return frozenset(statement.sentence.text.casefold().replace(",", " ").split())


def _same_time(one: _Statement, other: _Statement) -> bool:
    return {(d.first, d.last) for d in one.dates} == {(d.first, d.last) for d in other.dates}


def _differ(one: Quantity, other: Quantity, rules: ConsistencyRules) -> bool:
    """Whether no reading of the two numbers makes them agree."""
    modifiers = {one.modifier, other.modifier}
    if Modifier.EXACT not in modifiers and len(modifiers) == 2:
        return False
    tolerance = rules.about_tolerance if Modifier.ABOUT in modifiers else rules.tolerance
    step = max(one.step, other.step)
    gap = max(one.low, other.low) - min(one.high, other.high)
    smaller = min(abs(one.low), abs(other.low))
    return gap > step / 2 and float(gap) > tolerance * float(smaller)


def _issue(text: GradedText, one: _Statement, other: _Statement) -> Issue:
    return Issue(
        Severity.HIGH,
        text.source(other.sentence),
        f"It gives {other.quantity.text!r} where line {one.sentence.line} gives "
        f"{one.quantity.text!r} for the same thing.",
        "Find out which is right and use it in both places.",
        f"Line {one.sentence.line}: {text.source(one.sentence)}",
    )
