"""What the passages of a source, taken together, say about the values of a claim.

One passage is laid against the others, because a value beside other words than the claim's is
somebody else's; and a value that no passage prints is worked out from those that it does print.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from ...claims.model import DateSpan, Modifier, Quantity, QuantityKind
from ..model import SlotOutcome
from ..policy import VerificationPolicy
from ..reading.form import Slot
from ..reading.window import Candidate, Window, build_window
from ..values.derivation import (
    Derivation,
    Operation,
    agrees,
    asks,
    change_of,
    confusion,
    derive,
    operations,
    total_of_group,
)
from ..values.elapsed import CLOCKED, DURATIONS, between_times, clock_times, elapsed
from ..values.rates import rate_of
from ..values.sameness import FILLED
from ..values.slots import SlotMatch, Standing, is_telling
from .alignment import Aligner, Alignment

# Passages that are widened in search of operands, and by how many sentences.
_WIDENED, _REACH = 3, 2
# Operands stand about as near to the claim's words as the nearest number of the passage.
_NEAREST, _EACH = 0.7, 0.25
_TELLING_DIGITS = 3
_UNDONE = "un"
_OPERANDS, _DATES = 2, 5
# What stands between a number and its date: "27 m in 2021/22", "38.6 (2022)", "2020: 90,412".
_DATED_AFTER = re.compile(r" \(?(?:(?:in|for|during|by|on) )?(?:the )?")
_DATED_BEFORE = re.compile(r"(?::|,| \(|,? it was) (?:some |about |only |just )?")
# A counted noun stands within these many words of its number.
_NOUN_REACH = 4.0


def weighed(aligner: Aligner, alignments: Sequence[Alignment]) -> list[Alignment]:
    """`alignments` with each value settled by all of them together, derived values included.

    A value that stands by other words than the claim's, while another value stands by those, is
    absent; so is a difference where the claimed value itself stands as near.
    """
    settled = _settled(aligner, alignments)
    stated = {match.slot.value.start for one in settled for match in one.slots if match.filled}
    if all(slot.value.start in stated for slot in aligner.form.slots):
        return settled
    by_words = sorted(settled, key=lambda one: -one.coverage)[:_WIDENED]
    derived = list(_derived(aligner, by_words, stated))
    return [*derived, *(_without_parts(one, derived) for one in settled)]


def _without_parts(alignment: Alignment, derived: Sequence[Alignment]) -> Alignment:
    """`alignment` in which no part differs from a total that the passages give."""
    totals = {
        match.slot.value.start
        for one in derived
        for match in one.slots
        if match.working and match.outcome is SlotOutcome.MISMATCH and match.change is not None
    }
    slots = tuple(
        match._replace(outcome=SlotOutcome.ABSENT)
        if match.outcome is SlotOutcome.MISMATCH and match.slot.value.start in totals
        else match
        for match in alignment.slots
    )
    return replace(alignment, slots=slots)


def _settled(aligner: Aligner, alignments: Sequence[Alignment]) -> list[Alignment]:
    filler = aligner.filler
    standings = [
        _best(filler.standing(slot, alignment.window) for alignment in alignments)
        for slot in aligner.form.slots
    ]
    settled = [
        replace(
            alignment,
            slots=tuple(
                _against(match, standing, aligner.policy)
                for match, standing in zip(alignment.slots, standings, strict=True)
            ),
        )
        for alignment in alignments
    ]
    return [replace(one, slots=tuple(_dated_by_numbers(aligner, one))) for one in settled]


def _dated_by_numbers(aligner: Aligner, alignment: Alignment) -> Iterator[SlotMatch]:
    """The slots, with a date filled that stands right beside the number that the claim dates.

    Of "31.2 (2021), 38.6 (2022)" the second is of 2022, whatever words stand round it.
    """
    numbers = [m for m in alignment.slots if m.filled and isinstance(m.slot.value, Quantity)]
    for match in alignment.slots:
        dated = match
        for number in numbers if isinstance(match.slot.value, DateSpan) else ():
            own = _own_date(number, alignment.window, aligner.index.text)
            compared = aligner.compare(match.slot, own) if own else None
            if own and compared and compared.outcome in FILLED:
                near = max(match.near, number.near)
                dated = match._replace(outcome=compared.outcome, found=own, near=near, lead=1.0)
        yield dated


def _own_date(number: SlotMatch, window: Window, text: str) -> Candidate | None:
    """The date right after a number of a passage, or else right before it."""
    found = number.found
    if found is None or found.in_row or number.working:
        return None
    dates = [one for one in window.candidates if isinstance(one.value, DateSpan)]
    after = [one for one in dates if _DATED_AFTER.fullmatch(text, found.end, one.start)]
    before = [one for one in dates if _DATED_BEFORE.fullmatch(text, one.end, found.start)]
    return next(iter((*after, *before)), None)


def _best(standings: Iterator[Standing]) -> Standing:
    agreeing = differing = 0.0
    for one in standings:
        agreeing, differing = max(agreeing, one.agreeing), max(differing, one.differing)
    return Standing(agreeing, differing)


def _against(match: SlotMatch, standing: Standing, policy: VerificationPolicy) -> SlotMatch:
    # A row and its header say in fewer words than a sentence what a cell is about.
    if match.from_heading or match.found is None or match.found.in_row:
        return match
    # The very same figure is seldom there by chance, a rounded one or a wider date often.
    edge = policy.contradiction.lead if _is_same(match) else 0.0
    if is_telling(match.slot.value, exact=match.outcome is SlotOutcome.MATCH):
        edge = policy.support.telling
    if match.filled and standing.differing > max(match.near, standing.agreeing) + edge:
        return match._replace(outcome=SlotOutcome.ABSENT)
    if match.outcome is SlotOutcome.MISMATCH:
        ahead = match.near - standing.agreeing
        outcome = match.outcome if ahead > 0 else SlotOutcome.ABSENT
        return match._replace(outcome=outcome, lead=min(match.lead, ahead))
    return match


def _is_same(match: SlotMatch) -> bool:
    claimed, found = match.slot.value, match.found.value if match.found else None
    if isinstance(claimed, Quantity):
        digits = len(claimed.low.normalize().as_tuple().digits)
        return match.outcome is SlotOutcome.MATCH or digits >= _TELLING_DIGITS
    if isinstance(found, Quantity) or found is None:
        return True
    return (claimed.first, claimed.last) == (found.first, found.last)


def _derived(
    aligner: Aligner, alignments: Sequence[Alignment], stated: Collection[int]
) -> Iterator[Alignment]:
    """The alignments over wider windows in which a value that none has follows from others."""
    for alignment in alignments:
        found = {
            place: match
            for place, match in enumerate(alignment.slots)
            if match.slot.value.start not in stated
            for match in [_implied(aligner, match.slot, alignment)]
            if match
        }
        if found:
            yield _widened(aligner, alignment, found)


def _implied(aligner: Aligner, slot: Slot, alignment: Alignment) -> SlotMatch | None:
    text, value = aligner.form.claim.text, slot.value
    if not isinstance(value, Quantity):
        return None
    asked = bool(operations(text, value))
    if not asked and value.unit not in DURATIONS and value.unit not in CLOCKED:
        return None
    figures = _Figures(aligner, slot, _wide(aligner, alignment))
    for found in derive(text, value, figures.values, aligner.lexicon) if asked else ():
        alone = found.operation is not Operation.TOTAL
        near = figures.are_near(found.operands, alone=alone) or _has_both(alignment, found.operands)
        if near and figures.divides(found):
            return figures.match(found.operands, found.working, SlotOutcome.MATCH)
    stretch = elapsed(value, figures.nearest_dates())
    if stretch:
        return figures.match((stretch.first, stretch.last), stretch.working, SlotOutcome.MATCH)
    between = _between_times(aligner, slot, value, alignment)
    if between:
        return between
    group = total_of_group(text, value, _quantities(alignment.window), aligner.lexicon)
    if group and figures.are_near(group.operands, alone=False):
        return figures.corrected(group)
    mistaken = confusion(text, value, figures.values)
    if mistaken and figures.are_near(mistaken.operands, alone=False):
        return figures.match(mistaken.operands, mistaken.working, SlotOutcome.MISMATCH)
    return _against_own(aligner, slot, alignment)


def _between_times(
    aligner: Aligner, slot: Slot, value: Quantity, alignment: Alignment
) -> SlotMatch | None:
    """How long it is from one time of day to another, where the passage gives just two."""
    window = _wide(aligner, alignment)
    times = clock_times(aligner.index.text, window.start, window.end)
    found = between_times(value, times, aligner.lexicon) if len(times) == _OPERANDS else None
    if found is None:
        return None
    first, last = found
    place = Candidate(value, first.start, first.start + len(first.text), {})
    working = f"{first.text} to {last.text}"
    near = alignment.coverage
    return SlotMatch(slot, SlotOutcome.MATCH, place, None, near, 1.0, working=working)


def _has_both(alignment: Alignment, operands: Sequence[Quantity]) -> bool:
    """Whether the claim gives the operands itself, in this order: "by a fifth, from 100 to 80"."""
    held = [match.found.start for match in alignment.slots if match.filled and match.found]
    wanted = [one.start for one in operands]
    return len(wanted) == _OPERANDS and [start for start in held if start in wanted] == wanted


def _quantities(window: Window) -> list[Quantity]:
    return [one.value for one in window.candidates if isinstance(one.value, Quantity)]


def _against_own(aligner: Aligner, slot: Slot, alignment: Alignment) -> SlotMatch | None:
    """A change that the claim gives beside the two values that it is worked from, worked again."""
    text, value = aligner.form.claim.text, slot.value
    own = [m for m in alignment.slots if m.filled and isinstance(m.slot.value, Quantity)]
    others = [m.slot.value for m in own if isinstance(m.slot.value, Quantity)]
    if not isinstance(value, Quantity) or len(others) != _OPERANDS or own[0].found is None:
        return None
    found = change_of(text, value, others, aligner.lexicon)
    if found is None or agrees(_loosely(value), found.value):
        return None
    near = min(match.near for match in own)
    working = found.working
    return SlotMatch(slot, SlotOutcome.MISMATCH, own[0].found, None, near, 1.0, working=working)


def _loosely(value: Quantity) -> Quantity:
    """A fraction in words as what it may stand for: "a third" of 35 per cent."""
    in_words = value.kind is QuantityKind.RATIO and not any(map(str.isdigit, value.text))
    return replace(value, modifier=Modifier.ABOUT) if in_words else value


def _wide(aligner: Aligner, alignment: Alignment) -> Window:
    first, last = alignment.window.first, alignment.window.last
    index = aligner.index
    for _ in range(_REACH):
        if first and not index.is_meta(first - 1):
            first -= 1
        if last + 1 < len(index.segments) and not index.is_meta(last + 1):
            last += 1
    return build_window(index, first, last)


class _Figures:
    """The numbers and dates of a passage with how near each stands to the words of a slot."""

    def __init__(self, aligner: Aligner, slot: Slot, window: Window) -> None:
        self._slot = slot
        self._aligner = aligner
        self._by_start = {
            candidate.start: (candidate, aligner.filler.nearness(slot, candidate))
            for candidate in window.candidates
        }
        numbers = [
            (candidate.value, near)
            for candidate, near in self._by_start.values()
            if isinstance(candidate.value, Quantity)
        ]
        self._best = max((near for _, near in numbers), default=0.0)
        self.values = [value for value, near in numbers if near >= _EACH * self._best]

    def nearest_dates(self) -> list[DateSpan]:
        """The dates that stand nearest to the words of the slot."""
        ranked = sorted(self._by_start.values(), key=lambda pair: -pair[1])
        dates = [c.value for c, near in ranked if near > 0 and isinstance(c.value, DateSpan)]
        return dates[:_DATES]

    def are_near(self, operands: Sequence[Quantity], *, alone: bool = True) -> bool:
        """Whether the operands stand by the claim's words; unless `alone`, one of them will do."""
        nears = [self._by_start[operand.start][1] for operand in operands]
        # What is added up may stand in further sentences that say "it" of the matter.
        near = sum(nears) / len(nears) if alone else max(nears)
        return near >= _NEAREST * self._best

    def divides(self, found: Derivation) -> bool:
        """Whether an average is over what the claim says it is for each of, if it says so."""
        text, book = self._aligner.form.claim.text, self._aligner.lexicon.words
        value = self._slot.value
        rate = rate_of(text, value.start, value.end, book)
        if found.operation is not Operation.AVERAGE or not rate or not rate.things:
            return True
        divisor = self._by_start[found.operands[1].start][0]
        names = {name for thing in rate.things for name in book.alike(thing)}
        return any(divisor.near.get(name, _NOUN_REACH) < _NOUN_REACH for name in names)

    def match(
        self, operands: Sequence[Quantity | DateSpan], working: str, outcome: SlotOutcome
    ) -> SlotMatch:
        """What follows from `operands` as what the passage offers for the slot."""
        candidate: Candidate = self._by_start[operands[0].start][0]
        near = max(self._by_start[operand.start][1] for operand in operands)
        return SlotMatch(self._slot, outcome, candidate, None, near, 1.0, working=working)

    def corrected(self, found: Derivation) -> SlotMatch | None:
        """The result of `found` as what the passage has in the place of the claimed number."""
        claimed = self._slot.value
        if not isinstance(claimed, Quantity) or agrees(claimed, found.value) or not found.value:
            return None
        low = Decimal(found.value.numerator) / Decimal(found.value.denominator)
        result = replace(claimed, low=low, high=low, text=found.working, modifier=Modifier.EXACT)
        match = self.match(found.operands, found.working, SlotOutcome.MISMATCH)
        change = float((Fraction(claimed.low) - found.value) / found.value)
        shown = match.found._replace(value=result) if match.found else None
        return match._replace(found=shown, change=change)


def _given(aligner: Aligner, window: Window, found: Iterable[SlotMatch]) -> frozenset[str]:
    """The claim's words that a difference or total says itself: "remained", "together".

    What is left of what was used is unused.
    """
    text, book = aligner.form.claim.text, aligner.lexicon.words
    values = [m.slot.value for m in found if isinstance(m.slot.value, Quantity)]
    return frozenset(
        term.stem
        for term in aligner.form.terms
        for value in values
        if asks(text, value, term.word)
        or (
            Operation.DIFFERENCE in operations(text, value)
            and term.word.startswith(_UNDONE)
            and book.stem(term.word.removeprefix(_UNDONE)) in window.stems
        )
    )


def _widened(aligner: Aligner, alignment: Alignment, found: dict[int, SlotMatch]) -> Alignment:
    """`alignment` over a window that holds the operands, with the derived values in it."""
    window = _wide(aligner, alignment)
    wider = aligner.align(window, _given(aligner, window, found.values()))
    slots = tuple(found.get(place, match) for place, match in enumerate(alignment.slots))
    return replace(wider, slots=slots, swapped=alignment.swapped)
