"""The arithmetic of a document: every result that it states about its own figures, worked again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass

from ...base.finding import Location
from ...documents.model import BlockKind, Document
from ..lexicon import Lexicon
from .calculation import Calculation
from .cross_sums import CrossSum, find_cross_sums
from .equations import find_equations
from .figures import Figures, Place, place
from .reckoning import find_reckonings
from .tables import find_table_totals

_PLAIN = frozenset({BlockKind.TABLE_ROW, BlockKind.TABLE_HEADER, BlockKind.HEADING})


@dataclass(frozen=True, slots=True)
class CheckedSum:
    """A calculation and where it stands: `sentence` is the index of its sentence.

    `operands` are the places of the figures that it rests on, as far as they stand elsewhere.
    """

    calculation: Calculation
    sentence: int
    text: str
    location: Location
    _: KW_ONLY
    operands: tuple[Place, ...] = ()


def check_arithmetic(
    document: Document, figures: Sequence[Figures], lexicon: Lexicon
) -> tuple[CheckedSum, ...]:
    """Every equation, share, change, sum, conversion, duration and table total, in order.

    `figures` are those of `document`.
    """
    found = [
        _located(document, one, calculation)
        for one in figures
        if one.sentence.kind not in _PLAIN
        for calculation in _in_sentence(one, lexicon)
    ]
    worked = {(one.sentence, one.location.end) for one in found}
    found += [
        crossed
        for cross in find_cross_sums(figures, lexicon)
        for crossed in (_crossed(document, cross),)
        if (crossed.sentence, crossed.location.end) not in worked
    ]
    by_index = {one.sentence.index: one for one in figures}
    found += [
        _located(document, by_index[index], calculation)
        for index, calculation in find_table_totals(document, lexicon)
    ]
    return tuple(sorted(found, key=lambda one: one.location.start))


def _in_sentence(figures: Figures, lexicon: Lexicon) -> Iterator[Calculation]:
    if "=" in figures.text or "equals" in figures.text:
        yield from find_equations(figures.text, lexicon)
    if len(figures.quantities) + len(figures.dates) > 1:
        yield from find_reckonings(figures.text, figures.quantities, figures.dates, lexicon)


def _crossed(document: Document, cross: CrossSum) -> CheckedSum:
    places = (
        place(document, one.home.sentence, one.quantity.start, one.quantity.end)
        for one in cross.operands
    )
    return _located(document, cross.home, cross.calculation, tuple(places))


def _located(
    document: Document,
    figures: Figures,
    calculation: Calculation,
    operands: tuple[Place, ...] = (),
) -> CheckedSum:
    at = place(document, figures.sentence, calculation.start, calculation.end)
    return CheckedSum(calculation, at.sentence, at.text, at.location, operands=operands)
