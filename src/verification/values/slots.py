"""What a passage offers for each number and date of a claim."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from ...claims.lexicon import Lexicon
from ...claims.model import DateSpan, Granularity, Quantity, QuantityKind
from ...claims.words import Token
from ..model import SlotOutcome
from ..policy import VerificationPolicy
from ..reading.form import ClaimForm, Slot, token_positions
from ..reading.index import TextIndex
from ..reading.records import PART_OF
from ..reading.window import Candidate, Window
from .comparison import Comparison, compare_dates, similar_figures
from .sameness import FILLED, REACH, ValueComparer

_TELLING_DIGITS = 3
# A date within so many words of a verb is its own.
_BESIDE, _FAR = 3.0, 99.0
_EXPRESSION = 16
_DAYS = frozenset({Granularity.DAY})


class SlotMatch(NamedTuple):
    """What a passage offers for a slot.

    `change` is (claimed - found) / found. `near` (0–1) says how well the words around the two
    agree, `lead` how much better than around the next offer. `from_heading` marks a date that
    only the head of the source states. `working` shows how a value follows from those of the
    passage that does not print it.
    """

    slot: Slot
    outcome: SlotOutcome
    found: Candidate | None
    change: float | None
    near: float
    lead: float
    from_heading: bool = False
    working: str = ""

    @property
    def filled(self) -> bool:
        """Whether the passage states or implies the claim's value."""
        return self.outcome in FILLED


class Standing(NamedTuple):
    """How well the words around a slot agree with those around values of a passage, 0–1.

    `agreeing` is for the claimed value, `differing` for another one; 0 if there is none.
    """

    agreeing: float
    differing: float


class _Offer(NamedTuple):
    near: float
    comparison: Comparison
    candidate: Candidate

    def match(self, slot: Slot, outcome: SlotOutcome, lead: float) -> SlotMatch:
        return SlotMatch(slot, outcome, self.candidate, self.comparison.change, self.near, lead)


class SlotFiller:
    """Fills the slots of one claim from passages of one source."""

    def __init__(
        self,
        form: ClaimForm,
        weights: Sequence[float],
        index: TextIndex,
        lexicon: Lexicon,
        policy: VerificationPolicy,
    ) -> None:
        self._form = form
        self._weights = weights
        self._index = index
        self._lexicon = lexicon
        self._policy = policy
        self._neighbours = _neighbours(form, lexicon)
        self._values = ValueComparer(form, index, lexicon, policy.numbers)
        self._shared: dict[int, tuple[float, list[tuple[frozenset[str], float]]]] = {}
        self._offers: dict[tuple[int, int, int], tuple[list[_Offer], list[_Offer]]] = {}

    def fill(self, slot: Slot, window: Window) -> SlotMatch:
        """The offer of `window` for `slot`: the number whose words agree best with the slot's."""
        offers, free = self._offered(slot, window)
        if not offers or not (free or any(o.comparison.outcome in FILLED for o in offers)):
            # What another slot takes, "£23,900 (2019: £31,200)", does not say when this was.
            return self._from_heading(slot, window)
        return (
            self._dated_otherwise(slot, free)
            or self._dated_alike(slot, free)
            or self._agreeing(slot, offers, free)
            or self._differing(slot, offers, free)
        )

    def standing(self, slot: Slot, window: Window) -> Standing:
        """How near the words of `slot` its own value and other values stand in `window`."""
        agreeing = differing = 0.0
        for offer in self._offered(slot, window)[1]:
            if offer.comparison.outcome in FILLED or offer.comparison.change == 0:
                # "At least 30" neither confirms nor denies "30".
                agreeing = max(agreeing, offer.near)
            elif offer.comparison.outcome is SlotOutcome.MISMATCH:
                differing = max(differing, offer.near)
        return Standing(agreeing, differing)

    def _offered(self, slot: Slot, window: Window) -> tuple[list[_Offer], list[_Offer]]:
        """The offers of `window` for `slot`, best first: all, and those no other slot takes."""
        key = slot.value.start, window.first, window.last
        known = self._offers.get(key)
        if known is None:
            offers = [
                _Offer(self.nearness(slot, candidate), comparison, candidate)
                for candidate in window.candidates
                if (comparison := self._values.compare(slot, candidate))
                and not self._values.of_another_time(slot, candidate)
                and not self._is_whole(candidate, window, slot)
            ]
            offers.sort(key=lambda offer: -offer.near)
            # What another slot of the claim takes does not compete for this one.
            free = [
                offer
                for offer in offers
                if _is_same_date(slot.value, offer.candidate.value)
                or not self._is_taken(offer.candidate, slot)
            ]
            known = self._offers[key] = offers, free
        return known

    def _dated_otherwise(self, slot: Slot, free: Sequence[_Offer]) -> SlotMatch | None:
        """The other date that stands by the very word that the claim dates.

        None unless the claimed date is there as well, by another: "begun in 2021, published in
        2023" dates no publication of 2021.
        """
        if not isinstance(slot.value, DateSpan):
            return None
        before = [
            t for t in self._form.terms if 0 < slot.first - t.position <= _BESIDE and t.counts
        ]
        if not before:
            return None
        dated = max(before, key=lambda term: term.position)
        # "From the county in 2012" dates no county.
        if self._is_led(dated.position):
            return None
        names = self._lexicon.words.alike(dated.stem)
        placed = [
            (_FAR if (nearest := offer.candidate.nearest(names)) is None else nearest, offer)
            for offer in free
        ]
        agreeing = min((d for d, o in placed if o.comparison.outcome in FILLED), default=_FAR)
        rivals = [(d, o) for d, o in placed if o.comparison.outcome is SlotOutcome.MISMATCH]
        distance, rival = min(rivals, key=lambda pair: pair[0], default=(_FAR, None))
        apart = distance <= _BESIDE and distance + _BESIDE <= agreeing < _FAR
        return rival.match(slot, SlotOutcome.MISMATCH, 1.0) if rival and apart else None

    def _dated_alike(self, slot: Slot, free: Sequence[_Offer]) -> SlotMatch | None:
        """The date inside the claimed period that follows the very word that the claim dates.

        "Entered into force on the twentieth day, that is, on 16 January" dates it in the first
        quarter, whatever date stands before it.
        """
        value = slot.value
        if not isinstance(value, DateSpan) or value.granularity in _DAYS:
            return None
        before = [
            t for t in self._form.terms if 0 < slot.first - t.position <= _BESIDE and t.counts
        ]
        said = [t for t in self._form.terms if before and t.stem == before[-1].stem]
        if not said or self._is_led(said[0].position):
            return None
        names = self._lexicon.words.alike(said[0].stem)
        places = [t.start for t in self._tokens_of(free) if t.stem in names]
        # "Entered into force" is one expression of several words.
        if not places or places[-1] - places[0] > _EXPRESSION:
            return None
        later = [offer for offer in free if offer.candidate.start > places[-1]]
        first = min(later, key=lambda offer: offer.candidate.start, default=None)
        if first is None or first.comparison.outcome not in FILLED:
            return None
        segment = self._index.segment_at
        if segment(places[0]) != segment(first.candidate.start):
            return None
        match = first.match(slot, first.comparison.outcome, 1.0)
        return match._replace(near=max(offer.near for offer in free))

    def _tokens_of(self, offers: Sequence[_Offer]) -> list[Token]:
        """The words of the sentences that hold `offers`."""
        numbers = {self._index.segment_at(offer.candidate.start) for offer in offers}
        return [token for n in sorted(numbers) for token in self._index.facts(n).tokens]

    @cached_property
    def _positions(self) -> tuple[float, ...]:
        """Where each word of the claim stands."""
        return token_positions(self._form.claim.text, self._form.tokens)

    def _is_led(self, position: float) -> bool:
        """Whether a word of the claim stands behind an article or preposition: it is no verb."""
        tokens = self._form.tokens
        place = self._positions.index(position)
        grammar = self._lexicon.roles.grammar
        before = tokens[place - 1].word if place else ""
        return before in grammar.determiners or before in grammar.prepositions

    def _agreeing(
        self, slot: Slot, offers: Sequence[_Offer], free: Sequence[_Offer]
    ) -> SlotMatch | None:
        best = (free or offers)[0]
        for offer in offers:
            if offer.comparison.outcome in FILLED:
                if not self._index.fiscal_year and _other_calendar(slot, offers):
                    return offer.match(slot, SlotOutcome.ABSENT, 0.0)
                ahead = offer.near - best.near
                if ahead + self.slack(slot.value, offer.comparison) >= 0:
                    return offer.match(slot, offer.comparison.outcome, ahead)
                # A figure that stands by other words than the claim's settles nothing.
                return offer.match(slot, SlotOutcome.ABSENT, ahead)
        return None

    def slack(self, claimed: Quantity | DateSpan, comparison: Comparison) -> float:
        """By how much another value may stand nearer than one that agrees.

        A figure of several digits is seldom there by chance.
        """
        telling = is_telling(claimed, exact=comparison.outcome is SlotOutcome.MATCH)
        return self._policy.support.telling if telling else self._policy.contradiction.lead

    def _differing(self, slot: Slot, offers: Sequence[_Offer], free: Sequence[_Offer]) -> SlotMatch:
        if not free:
            return offers[0].match(slot, SlotOutcome.ABSENT, 0.0)
        best = self._contrary(free)
        for offer in free:
            near = offer.near + self._policy.contradiction.lead >= best.near
            if near and similar_figures(slot.value, offer.candidate.value):
                return offer.match(slot, offer.comparison.outcome, 1.0)
        next_best = free[1].near if len(free) > 1 else 0.0
        return best.match(slot, best.comparison.outcome, best.near - next_best)

    def _contrary(self, free: Sequence[_Offer]) -> _Offer:
        """The best offer; one that differs goes before one about as near that says nothing."""
        least = free[0].near - self._policy.contradiction.lead
        differing = [o for o in free if o.comparison.outcome is SlotOutcome.MISMATCH]
        return differing[0] if differing and differing[0].near >= least else free[0]

    def _from_heading(self, slot: Slot, window: Window) -> SlotMatch:
        """A date that no passage repeats because its heading states it, or the source's head."""
        value = slot.value
        for date in self._dates_over(value, window) if isinstance(value, DateSpan) else ():
            if isinstance(value, DateSpan) and compare_dates(value, date).outcome in FILLED:
                found = Candidate(date, date.start, date.end, {})
                return SlotMatch(slot, SlotOutcome.MATCH, found, None, 1.0, 0.0, from_heading=True)
        return SlotMatch(slot, SlotOutcome.ABSENT, None, None, 0.0, 0.0)

    def _dates_over(self, claimed: DateSpan, window: Window) -> tuple[DateSpan, ...]:
        """The dates of the heading, if it has any as fine as the claim's, or else of the head."""
        over = self._index.dates_over(window.first)
        told = any(date.granularity is claimed.granularity for date in over)
        return over if told else (*over, *self._index.heading_dates)

    def _is_whole(self, candidate: Candidate, window: Window, slot: Slot) -> bool:
        """Whether it is only what another number is a part of: "in two of the twelve towns"."""
        if isinstance(slot.value, DateSpan) or isinstance(candidate.value, DateSpan):
            return False
        text = self._form.claim.text
        after_part = any(
            PART_OF.fullmatch(text, other.value.end, slot.value.start)
            for other in self._form.slots
            if other.value.end < slot.value.start
        )
        return not after_part and any(
            PART_OF.fullmatch(self._index.text, part.end, candidate.start)
            for part in window.candidates
            if part.end < candidate.start and not isinstance(part.value, DateSpan)
        )

    def _is_taken(self, candidate: Candidate, slot: Slot) -> bool:
        """Whether another slot of the claim has just this value."""
        return any(
            other is not slot
            and (comparison := self._values.compare(other, candidate)) is not None
            and comparison.outcome in FILLED
            for other in self._form.slots
        )

    def find(self, slot: Slot, window: Window) -> SlotMatch:
        """The same value anywhere in `window`, whatever words stand around it."""
        for candidate in window.candidates:
            comparison = self._values.compare_values(slot, candidate)
            if comparison and comparison.outcome in FILLED:
                return _Offer(1.0, comparison, candidate).match(slot, comparison.outcome, 0.0)
        return SlotMatch(slot, SlotOutcome.ABSENT, None, None, 0.0, 0.0)

    def slip(self, slot: Slot, window: Window) -> SlotMatch | None:
        """The claimed figure as `window` has it, if it cannot be so in the claim as well.

        None if the source gives the claimed value anywhere.
        """
        offers = [
            _Offer(self.nearness(slot, candidate), Comparison(SlotOutcome.MISMATCH), candidate)
            for candidate in window.candidates
            if self._values.slips(slot, candidate)
            and not self._values.of_another_time(slot, candidate)
        ]
        best = max(offers, key=lambda offer: offer.near, default=None)
        if best is None or self._values.is_given(slot):
            return None
        return best.match(slot, SlotOutcome.MISMATCH, 1.0)

    def counts_alike(self, one: Quantity, other: Quantity) -> bool:
        """Whether two numbers count the same things."""
        return self._values.same_noun(one, other)

    def compare(self, slot: Slot, candidate: Candidate) -> Comparison | None:
        """How a claimed value relates to one of a passage, whatever words stand around the two."""
        return self._values.compare_values(slot, candidate)

    def agrees(self, slot: Slot, candidate: Candidate) -> bool:
        """Whether a number or date of a passage is the one that the claim states."""
        comparison = self._values.compare(slot, candidate)
        return comparison is not None and comparison.outcome in FILLED

    def swapped(self, matches: Sequence[SlotMatch]) -> tuple[SlotMatch, SlotMatch] | None:
        """Two filled slots whose values stand the other way round in the passage."""
        filled = [match for match in matches if match.filled and not match.from_heading]
        for left, right in combinations(filled, 2):
            if left.found is None or right.found is None or left.found.start == right.found.start:
                continue
            if not self._beside(left.found, right.found):
                continue
            if _sort(left.slot.value) is not _sort(right.slot.value):
                continue
            straight = self._bond(left.slot, left.found) + self._bond(right.slot, right.found)
            crossed = self._bond(left.slot, right.found) + self._bond(right.slot, left.found)
            if crossed > straight + self._policy.contradiction.swap_lead:
                return left, right
        return None

    def _beside(self, left: Candidate, right: Candidate) -> bool:
        """Whether one sentence or one table gives both values.

        Of two sentences each may leave to the other what its value is.
        """
        rows = left.in_row and right.in_row
        return rows or self._index.segment_at(left.start) == self._index.segment_at(right.start)

    def _bond(self, slot: Slot, candidate: Candidate) -> float:
        """As `nearness`, but next words count most, and other numbers and dates count, too."""
        total = agreed = 0.0
        for words, position in self._neighbours:
            if slot.first <= position <= slot.last:
                continue
            distance = slot.first - position if position < slot.first else position - slot.last
            share = 1 / (1 + distance)
            total += share
            reach = candidate.nearest(words)
            if reach is not None:
                agreed += share / (1 + max(0.0, reach - 1))
        return agreed / total if total else 0.0

    def nearness(self, slot: Slot, candidate: Candidate) -> float:
        """How well the words around the slot agree with those around the candidate, 0–1."""
        total, shares = self._shares(slot)
        agreed = 0.0
        for words, share in shares:
            reach = candidate.nearest(words)
            if reach is not None:
                agreed += share / (1 + max(0.0, reach - 1) / (2 * REACH))
        return agreed / total if total else 0.0

    def _shares(self, slot: Slot) -> tuple[float, list[tuple[frozenset[str], float]]]:
        """What each of the claim's words, with those that mean the same, weighs for `slot`."""
        known = self._shared.get(slot.value.start)
        if known is None:
            shares: list[tuple[frozenset[str], float]] = []
            for term, weight in zip(self._form.terms, self._weights, strict=True):
                position = term.position
                distance = slot.first - position if position < slot.first else position - slot.last
                share = weight / (1 + max(0.0, distance) / REACH)
                shares.append((self._lexicon.words.alike(term.stem), share))
            total = sum(share for _, share in shares)
            known = self._shared[slot.value.start] = total, shares
        return known


def _neighbours(form: ClaimForm, lexicon: Lexicon) -> tuple[tuple[frozenset[str], float], ...]:
    """The claim's words and figures, each with what it may be called and its position."""
    words = [(lexicon.words.alike(term.stem), term.position) for term in form.terms]
    figures = [
        (frozenset({token.stem}), slot.first)
        for slot in form.slots
        for token in lexicon.words.tokens(slot.value.text)
        if token.word[0].isdigit()
    ]
    # "From 12 to 19": the word right before a number says which of the two it is.
    heads = [
        (frozenset({token.stem}), slot.first - 1)
        for slot in form.slots
        for token in form.tokens
        if 0 < slot.value.start - token.end <= 2 and token.word in lexicon.words.stop_words
    ]
    return (*words, *figures, *heads)


def is_telling(value: Quantity | DateSpan, *, exact: bool) -> bool:
    """Whether the same number, `exact` or rounded, is hardly there for another thing."""
    if isinstance(value, DateSpan) or value.low != value.high:
        return False
    digits = len(value.low.normalize().as_tuple().digits)
    return digits >= _TELLING_DIGITS - (exact and value.kind is QuantityKind.MEASURE)


def _is_same_date(claimed: Quantity | DateSpan, found: Quantity | DateSpan) -> bool:
    if not isinstance(claimed, DateSpan) or not isinstance(found, DateSpan):
        return False
    return (claimed.first, claimed.last) == (found.first, found.last)


def _sort(value: Quantity | DateSpan) -> QuantityKind | None:
    return value.kind if isinstance(value, Quantity) else None


def _other_calendar(slot: Slot, offers: Sequence[_Offer]) -> bool:
    """Whether the passage dates by fiscal years what the claim dates by calendar years."""
    claimed = slot.value
    if not isinstance(claimed, DateSpan):
        return False
    return any(
        isinstance(found := offer.candidate.value, DateSpan)
        and found.fiscal != claimed.fiscal
        and found.first <= claimed.last
        and claimed.first <= found.last
        for offer in offers
    )
