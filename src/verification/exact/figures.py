"""Figures and dates of a claim in passages: equal, rounded, derived, differing or absent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...claims.lexicon import Lexicon
from ...claims.model import DateSpan, Granularity, Quantity, QuantityKind
from ..model import SlotCheck, SlotKind, SlotOutcome
from ..passages.figures import Figure
from ..policy import NumberPolicy
from .comparison import Comparison, compare_dates, compare_quantities, is_scaled
from .derivation import Derivation, Operands, derive

MOST_CHANCE = 0.9
"""A figure that follows from others only by a likelier accident than this counts as not found.

Of .3, .5, .7 and .9 the one at which the fitted decision ranks documents best (AUC .830, .834,
.834, .839, cross-validated over 716 claims).
"""
# Few columns have a total that fits by accident.
_CHANCE_OF_TOTAL = 0.05


@dataclass(frozen=True, slots=True)
class FigureCheck:
    """One figure of a claim against passages.

    `found` is the value of the passage that it was compared with, if any. `change` is (claimed -
    found) / found. `derivation` shows how a figure follows that is not printed, if it does.
    """

    value: Figure
    outcome: SlotOutcome
    found: Figure | None = None
    change: float | None = None
    derivation: Derivation | None = None

    @property
    def is_found(self) -> bool:
        """Whether the passages print the figure or imply it."""
        return self.outcome.is_found

    @property
    def is_printed(self) -> bool:
        """Whether the passages have the figure itself, in whatever unit or form."""
        return self.is_found and not self.is_derived

    @property
    def is_derived(self) -> bool:
        """Whether it is only implied."""
        return self.derivation is not None

    @property
    def working(self) -> str:
        """How a derived figure follows, "" for any other."""
        return self.derivation.working if self.derivation else ""

    def slot(self) -> SlotCheck:
        """The check as it is recorded."""
        kind = SlotKind.DATE if isinstance(self.value, DateSpan) else SlotKind.NUMBER
        found = self.working or (self.found.text if self.found else "")
        deviation = None if self.change is None else abs(self.change)
        return SlotCheck(kind, self.outcome, self.value.text, found, deviation)


def check_figures(
    claimed: Iterable[Figure], found: Sequence[Figure], lexicon: Lexicon, policy: NumberPolicy
) -> tuple[FigureCheck, ...]:
    """Each figure of `claimed` against all of `found`, at its best."""
    return tuple(_check(one, found, lexicon, policy) for one in claimed)


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
    summed = _check(check.value, totals, lexicon, policy)
    if summed.is_found and summed.found:
        return replace(summed, derivation=Derivation(summed.found.text, _CHANCE_OF_TOTAL))
    derived = [one for scope in scopes if (one := derive(check.value, sentence, scope, lexicon))]
    best = min(derived, key=lambda one: one.chance, default=None)
    if best is None or best.chance > MOST_CHANCE:
        return check
    return FigureCheck(check.value, SlotOutcome.MATCH, derivation=best)


def _check(
    value: Figure, found: Sequence[Figure], lexicon: Lexicon, policy: NumberPolicy
) -> FigureCheck:
    compared = [
        FigureCheck(value, _outcome(comparison), other, comparison.change)
        for other in found
        if (comparison := _compare(value, other, lexicon, policy))
    ]
    for outcome in (SlotOutcome.MATCH, SlotOutcome.ROUNDED):
        for one in compared:
            if one.outcome is outcome:
                return one
    rivals = [one for one in compared if one.outcome is SlotOutcome.MISMATCH]
    named = isinstance(value, DateSpan) and _named_without_year(value, found)
    if named:
        return FigureCheck(value, SlotOutcome.MATCH, named)
    if rivals:
        return min(rivals, key=lambda one: abs(one.change) if one.change is not None else 1.0)
    return FigureCheck(value, SlotOutcome.ABSENT)


def _named_without_year(value: DateSpan, found: Sequence[Figure]) -> DateSpan | None:
    """The day or month of `value` without its year, on a page that has a date of that year, too.

    So pages write: "Portavel, 4 April 2025. On four nights in February …".
    """
    dates = [one for one in found if isinstance(one, DateSpan)]
    years = {one.first.year for one in dates if not one.yearless}
    if value.yearless or value.first.year not in years:
        return None
    bare = replace(value, yearless=True)
    return next(
        (
            one
            for one in dates
            if one.yearless and compare_dates(bare, one).outcome is SlotOutcome.MATCH
        ),
        None,
    )


def _outcome(comparison: Comparison) -> SlotOutcome:
    """Take an equal value with another qualifier as printed: the reader tells "20 or more"."""
    if comparison.outcome is SlotOutcome.ABSENT and comparison.change == 0.0:
        return SlotOutcome.MATCH
    return comparison.outcome


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
        compared = compare_quantities(_bare(value), _bare(other), lexicon, policy)
        named = value.unit and other.unit and value.unit != other.unit
        if compared and compared.outcome is SlotOutcome.MISMATCH and named:
            # But 24 turbines deny no 140 people.
            return Comparison(SlotOutcome.ABSENT)
        return compared
    return compare_quantities(value, other, lexicon, policy)


def _bare(quantity: Quantity) -> Quantity:
    return replace(quantity, unit="")


def _as_year(value: DateSpan, other: Quantity) -> Comparison | None:
    """A year of the claim against a bare number of a table's header or cell."""
    year = value.granularity is Granularity.YEAR and other.kind is QuantityKind.COUNT
    if not year or other.low != other.high:
        return None
    same = other.low == value.first.year and not value.fiscal
    return Comparison(SlotOutcome.MATCH) if same else None
