"""The arithmetic of a document: every result that it states about its own figures, worked again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..base.finding import Location
from ..documents.model import BlockKind, Document, Sentence
from .calculation import Calculation
from .equations import find_equations
from .lexicon import Lexicon
from .quantities import find_slots
from .reckoning import find_reckonings
from .tables import find_table_totals

_PLAIN = frozenset({BlockKind.TABLE_ROW, BlockKind.TABLE_HEADER})


@dataclass(frozen=True, slots=True)
class CheckedSum:
    """A calculation and where it stands: `sentence` is the index of its sentence."""

    calculation: Calculation
    sentence: int
    text: str
    location: Location


def check_arithmetic(document: Document, lexicon: Lexicon) -> tuple[CheckedSum, ...]:
    """Every equation, share, change, sum, conversion, duration and table total, in order.

    Quotations and code are left alone: what others reckoned is theirs.
    """
    found = [
        _located(document, sentence, calculation)
        for sentence in document.sentences
        if sentence.kind.makes_claims and sentence.kind not in _PLAIN
        for calculation in _in_sentence(sentence, lexicon)
    ]
    found += [
        _located(document, document.sentences[index], calculation)
        for index, calculation in find_table_totals(document, lexicon)
    ]
    return tuple(sorted(found, key=lambda one: one.location.start))


def _in_sentence(sentence: Sentence, lexicon: Lexicon) -> Iterator[Calculation]:
    if "=" in sentence.text or "equals" in sentence.text:
        yield from find_equations(sentence.text, lexicon)
    quantities, dates = find_slots(sentence.text, lexicon)
    if len(quantities) + len(dates) > 1:
        yield from find_reckonings(sentence.text, quantities, dates, lexicon)


def _located(document: Document, sentence: Sentence, calculation: Calculation) -> CheckedSum:
    start, end = sentence.source_span(calculation.start, calculation.end)
    return CheckedSum(
        calculation,
        sentence.index,
        sentence.text[calculation.start : calculation.end],
        document.location(start, end, " > ".join(sentence.section)),
    )
