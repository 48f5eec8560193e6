"""A limit that a claim sets for all of several, held against the values of each in a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from ...claims.lexicon import Lexicon
from ...claims.model import Modifier, Quantity, QuantityKind
from ..meaning.objection import Objection, ObjectionKind
from ..meaning.polarity import NegationKind, Statement
from ..meaning.relations import Entry, entries_of, sentences_of, words_of
from ..reading.form import ClaimForm
from ..reading.window import Window
from .comparison import value_in_base

_ALL = ("quantifier", "all")
_EACH = frozenset({"each", "both", "every"})
_FEWEST = 3
_SURE = 0.6
_UPWARD = (Modifier.MORE_THAN, Modifier.AT_LEAST)
_DOWNWARD = (Modifier.LESS_THAN, Modifier.AT_MOST)


class _Limit(NamedTuple):
    """A limit and the quantifier of those that keep to it; `way` is 1 if they lie above it."""

    quantity: Quantity
    word: str
    way: int
    strict: bool


def limit_objections(
    form: ClaimForm, claim: Statement, window: Window, text: str, lexicon: Lexicon
) -> Iterator[Objection]:
    """What a list of values shows against "all were below 50 per cent" or "none was above it".

    `text` is that of the source. The list must have a word of the claim for itself.
    """
    limit = _limit(form, claim)
    if limit is None:
        return
    values = sorted((c for c in window.candidates if not c.in_row), key=lambda c: c.start)
    wanted = frozenset(term.stem for term in form.terms if term.counts)
    for group in sentences_of(values, text):
        entries = entries_of(group, window, text)
        said = words_of(group, window, text) - frozenset().union(*(one.label for one in entries))
        if len(entries) < _FEWEST or wanted.isdisjoint(said):
            continue
        found = _beyond(limit, entries, lexicon)
        if found:
            yield Objection(
                ObjectionKind.EXTREME,
                f"{limit.word} {limit.quantity.text}",
                found.quantity.text,
                strength=_SURE,
                flipped=True,
                by_values=True,
            )


def _limit(form: ClaimForm, claim: Statement) -> _Limit | None:
    """The one limit of a claim about all, or about none, of several."""
    values = [slot.value for slot in form.slots if isinstance(slot.value, Quantity)]
    bounds = [one for one in values if one.modifier in (*_UPWARD, *_DOWNWARD)]
    if len(bounds) != 1:
        return None
    (bound,) = bounds
    way = 1 if bound.modifier in _UPWARD else -1
    strict = bound.modifier in (Modifier.MORE_THAN, Modifier.LESS_THAN)
    if not claim.negations:
        every = [t.word for t in claim.turns if _ALL in t.keys]
        every += [token.word for token in claim.tokens if token.word in _EACH]
        return _Limit(bound, every[0], way, strict) if every else None
    (negation, *more) = claim.negations
    none = negation.kind is NegationKind.NO and not more
    return _Limit(bound, negation.word, -way, not strict) if none else None


def _beyond(limit: _Limit, entries: Sequence[Entry], lexicon: Lexicon) -> Entry | None:
    """The first value that does not keep to a limit, if all of them can be compared with it."""
    scale, bound = _in_base(limit.quantity, lexicon)
    for entry in entries:
        own, value = _in_base(entry.quantity, lexicon)
        bare = entry.quantity.kind is QuantityKind.COUNT and not entry.quantity.unit
        if bare:
            value = _like(entry.quantity.low, entries, lexicon)
        elif own != scale:
            return None
        gap = (value - bound) * limit.way
        if gap < 0 or (not gap and limit.strict):
            return entry
    return None


def _in_base(quantity: Quantity, lexicon: Lexicon) -> tuple[str, Decimal]:
    scale, value = value_in_base(quantity, lexicon)
    return scale, value


def _like(value: Decimal, entries: Sequence[Entry], lexicon: Lexicon) -> Decimal:
    """A value without a unit in that of the first of its list."""
    first = entries[0].quantity
    _, low = value_in_base(first, lexicon)
    return value * low / first.low if first.low else value
