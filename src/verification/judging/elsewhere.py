"""Whether a figure that one passage gives otherwise may be right all the same.

It may be given elsewhere in the source, be worked out of its figures, or be what the claim rules
out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from ...claims.model import DateSpan, Granularity, Quantity, QuantityKind
from ..model import SlotOutcome
from ..reading.form import CELLS, Slot
from ..reading.index import TextIndex
from ..structure.lookup import may_be_of_table
from ..values.comparison import same_figure
from ..values.slots import SlotMatch
from .alignment import Aligner, Alignment

# A year right after one of these is part of a name.
_NAMING = frozenset({"the", "a", "an", "its", "his", "her", "their", "our", "this", "that"})
# What adds up, and from how many on it does not by chance.
_ADDED = (QuantityKind.COUNT, QuantityKind.MONEY, QuantityKind.MEASURE)
_FEWEST_RECKONED, _MOST_RECKONED = 20, 12
# "None of the 40 boats" tells how many boats there were.
_COUNTED_OUT = re.compile(r"\b(?:none|neither|any) of (?:the |its |their |these |those )?$", re.I)


def is_multiplied(match: SlotMatch, alignment: Alignment, index: TextIndex) -> bool:
    """Whether the claimed value is the found one by a number of the claim, or less a percentage.

    "34 euros a metre" is 340 euros for ten metres, and 27.20 with 20 per cent off. The number may
    stand beside the found one as well: "a card | 38 | 4 cards a season".
    """
    own, found = match.slot.value, match.found.value if match.found else None
    if not isinstance(own, Quantity) or not isinstance(found, Quantity) or match.working:
        return False
    others = (one.slot.value for one in alignment.slots if one is not match)
    factors = {one.low for one in others if isinstance(one, Quantity) and one.low > 1}
    beside = index.segment_at(found.start)
    for one in alignment.window.candidates:
        if not isinstance(one.value, Quantity):
            continue
        if one.value.kind is QuantityKind.PERCENT:
            factors |= {1 - one.value.low / 100, 1 + one.value.low / 100}
        elif one.value.low > 1 and one.start != found.start and one.value.kind in _ADDED:
            factors |= {one.value.low} if index.segment_at(one.start) == beside else set()
    return own.kind is found.kind and any(found.low * factor == own.low for factor in factors)


def is_printed(aligner: Aligner, match: SlotMatch, alignment: Alignment) -> bool:
    """Whether the passage has the very number; of another date it is all the same one."""
    return any(
        one.filled and one.slot is match.slot and one.outcome is SlotOutcome.MATCH
        for one in aligner.figures(alignment.window)
    )


def is_of_table(value: Quantity, match: SlotMatch, aligner: Aligner) -> bool:
    """Whether the other figure is a cell of a table that may hold or add up to the claimed one."""
    found = match.found
    if found is None or not found.in_row or CELLS in aligner.form.claim.text:
        return False
    return may_be_of_table(value, aligner.index, found.start)


def is_reckoned(value: Quantity, everywhere: Sequence[Alignment]) -> bool:
    """Whether figures of the source add up to the claimed one, or differ by it.

    What they are of may be told in words that no rule reads: it is no contradiction then.
    """
    if value.kind not in _ADDED or value.low != value.high or value.low < _FEWEST_RECKONED:
        return False
    others = {
        one.value.low
        for alignment in everywhere
        for one in alignment.window.candidates
        if isinstance(one.value, Quantity) and one.value.kind is value.kind
    }
    some = sorted(others, reverse=True)[:_MOST_RECKONED]
    results = {left - right for left, right in combinations(some, 2)}
    results |= {sum(parts) for size in (2, 3) for parts in combinations(some, size)}
    return any(abs(result - value.low) < value.step / 2 for result in results)


def is_ruled_out(value: Quantity | DateSpan, aligner: Aligner) -> bool:
    """Whether the claim says that it was not this number: "at no time twelve or more"."""
    own = aligner.statement
    places = own.within(value.start, value.end)
    if not isinstance(value, Quantity) or _COUNTED_OUT.search(own.text[: value.start]):
        return False
    return any(
        negation.place < min(places, default=0)
        and not places.isdisjoint(own.clause_of(negation.place))
        for negation in own.negations
    )


def is_stated(
    aligner: Aligner, match: SlotMatch, place: int, everywhere: Sequence[Alignment]
) -> bool:
    """Whether the source gives the claimed figure for these words, or for what may be the same.

    It may not where far fewer of the claim's words stand by it than by the other figure; but a
    claim with several such figures may tell of several things.
    """
    value, own = match.slot.value, match.found.start if match.found else None
    several = sum(_is_alike(match.slot, slot) for slot in aligner.form.slots) > 1
    apart = 1.0 if several else aligner.policy.contradiction.apart
    return any(
        (alignment.slots[place].filled and not alignment.slots[place].from_heading)
        or any(
            same_figure(value, other.value)
            and other.start != own
            and aligner.filler.nearness(match.slot, other) > match.near - apart
            for other in alignment.window.candidates
        )
        for alignment in everywhere
    )


def stands_alone(aligner: Aligner, slot: Slot) -> bool:
    """Whether a sentence or row with all the claim's words has this figure and no other."""
    index = aligner.index
    terms = (term.stem for term in aligner.form.terms if term.counts)
    return any(
        len(figures) == 1 and same_figure(slot.value, figures[0].value)
        for figures in (index.facts(number).figures for number in index.holding(terms))
    )


def _is_alike(one: Slot, other: Slot) -> bool:
    """Whether two parts of a claim are two dates, or numbers of one kind."""
    values = one.value, other.value
    kinds = [value.kind if isinstance(value, Quantity) else None for value in values]
    return kinds[0] is kinds[1]


def dates_one_event(aligner: Aligner, date: DateSpan) -> bool:
    """Whether the claim dates something that happens once, rather than one of several.

    A title may be won in many years, and "the 1932 Grand Prix" is another race than that of 1937.
    """
    before = aligner.form.claim.text[: date.start].rsplit(maxsplit=1)
    named = date.granularity in (Granularity.YEAR, Granularity.DAY, Granularity.MONTH)
    if named and before and before[-1].lower() in _NAMING:
        return False
    repeatable = aligner.lexicon.words.repeatable
    return not any(token.stem in repeatable for token in aligner.form.tokens)
