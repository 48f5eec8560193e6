"""What a passage offers for each number and date of a claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from ..claims.lexicon import Lexicon
from ..claims.model import DateSpan, Granularity, Quantity, QuantityKind
from ..claims.words import stem
from .aspect import Aspect, aspect_of, conflict
from .comparison import (
    Comparison,
    compare_dates,
    compare_quantities,
    counts_points,
    similar_figures,
)
from .dating import at_odds, date_of
from .form import ClaimForm, Slot
from .index import TextIndex
from .model import SlotOutcome
from .policy import VerificationPolicy
from .rates import Rate, differ, factor, rate_of
from .window import Candidate, Window

FILLED = (SlotOutcome.MATCH, SlotOutcome.ROUNDED)
# Words this far apart say little about each other.
_REACH = 4.0
_FAR = 99.0
# A smaller count without its own noun may count anything.
_LARGE_COUNT = 100
_TELLING_DIGITS = 3
_TELLING_BARE = 2
_FAR_LARGER = 10
_SCALES = {"billion": 10**9, "bn": 10**9, "million": 10**6, "mn": 10**6, "thousand": 10**3}
_UNNARROWED = frozenset({"new", "total", "overall", "altogeth", "whol", "combined", "combin"})
_ROOT = 6


_ANYBODY = frozenset({"people", "person"})
# Who may be counted as people.
_PEOPLE = _ANYBODY | frozenset({
    "adult", "applicant", "attendee", "boy", "candidate", "caller", "child", "children", "citizen",
    "client", "consumer", "customer", "diner", "donor", "driver", "employee", "fan", "girl",
    "graduate", "guest", "household", "individual", "inhabitant", "inmate", "listener", "man",
    "member", "men", "migrant", "mourner", "newcomer", "onlooker", "participant", "passenger",
    "patient", "pensioner", "pilgrim", "player", "prisoner", "protester", "pupil", "reader",
    "recruit", "refugee", "resident", "respondent", "runner", "soldier", "spectator", "staff",
    "student", "subscriber", "survivor", "swimmer", "teacher", "teenager", "tenant", "tourist",
    "trainee", "traveller", "user", "viewer", "villager", "visitor", "volunteer", "voter", "woman",
    "women", "worker", "youth",
})  # fmt: skip


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
        self._stems = frozenset(term.stem for term in form.terms)
        self._neighbours = _neighbours(form, lexicon)
        self._claimed_rates: dict[int, Rate | None] = {}
        self._found_rates: dict[int, Rate | None] = {}
        self._aspects: dict[int, Aspect] = {}
        self._found_dates: dict[int, DateSpan | None] = {}
        self._offers: dict[tuple[int, int, int], tuple[list[_Offer], list[_Offer]]] = {}

    def fill(self, slot: Slot, window: Window) -> SlotMatch:
        """The offer of `window` for `slot`: the number whose words agree best with the slot's."""
        offers, free = self._offered(slot, window)
        if not offers:
            return self._from_heading(slot)
        return self._agreeing(slot, offers, free) or self._differing(slot, offers, free)

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
                if (comparison := self._compare(slot, candidate))
                and not self._of_another_time(slot, candidate)
            ]
            offers.sort(key=lambda offer: -offer.near)
            # What another slot of the claim takes does not compete for this one.
            free = [offer for offer in offers if not self._is_taken(offer.candidate, slot)]
            known = self._offers[key] = offers, free
        return known

    def _of_another_time(self, slot: Slot, candidate: Candidate) -> bool:
        """Whether the claim and the passage date the two numbers differently."""
        value, index = candidate.value, self._index
        if isinstance(value, DateSpan) or isinstance(slot.value, DateSpan) or candidate.in_row:
            return False
        own = [one.value for one in self._form.slots if isinstance(one.value, DateSpan)]
        if not own:
            return False
        if value.start not in self._found_dates:
            dates = index.facts(index.segment_at(value.start)).dates
            self._found_dates[value.start] = date_of(index.text, value, dates)
        claimed = date_of(self._form.claim.text, slot.value, own)
        claimed = claimed or (own[0] if len(own) == 1 else None)
        found = self._found_dates[value.start]
        return (
            claimed is not None
            and found is not None
            and at_odds(self._days(claimed), self._days(found))
        )

    def _days(self, span: DateSpan) -> DateSpan:
        """A fiscal date as the days it means, where the source says when its year runs."""
        year = self._index.fiscal_year if span.fiscal else None
        return year.days(span) if year else span

    def _agreeing(
        self, slot: Slot, offers: Sequence[_Offer], free: Sequence[_Offer]
    ) -> SlotMatch | None:
        best = (free or offers)[0].near
        for offer in offers:
            if offer.comparison.outcome in FILLED:
                # A figure that stands by other words than the claim's settles nothing.
                fits = offer.near + self._policy.contradiction.lead >= best
                fits = fits and bool(self._index.fiscal_year or not _other_calendar(slot, offers))
                outcome = offer.comparison.outcome if fits else SlotOutcome.ABSENT
                return offer.match(slot, outcome, offer.near - best)
        return None

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

    def _from_heading(self, slot: Slot) -> SlotMatch:
        """A date that no passage repeats because the source states it at its head."""
        value = slot.value
        for date in self._index.heading_dates if isinstance(value, DateSpan) else ():
            if isinstance(value, DateSpan) and compare_dates(value, date).outcome in FILLED:
                found = Candidate(date, date.start, date.end, {})
                return SlotMatch(slot, SlotOutcome.MATCH, found, None, 1.0, 0.0, from_heading=True)
        return SlotMatch(slot, SlotOutcome.ABSENT, None, None, 0.0, 0.0)

    def _is_taken(self, candidate: Candidate, slot: Slot) -> bool:
        """Whether another slot of the claim has just this value."""
        return any(
            other is not slot
            and (comparison := self._compare(other, candidate)) is not None
            and comparison.outcome in FILLED
            for other in self._form.slots
        )

    def find(self, slot: Slot, window: Window) -> SlotMatch:
        """The same value anywhere in `window`, whatever words stand around it."""
        for candidate in window.candidates:
            comparison = self._compare_values(slot, candidate)
            if comparison and comparison.outcome in FILLED:
                return _Offer(1.0, comparison, candidate).match(slot, comparison.outcome, 0.0)
        return SlotMatch(slot, SlotOutcome.ABSENT, None, None, 0.0, 0.0)

    def agrees(self, slot: Slot, candidate: Candidate) -> bool:
        """Whether a number or date of a passage is the one that the claim states."""
        comparison = self._compare(slot, candidate)
        return comparison is not None and comparison.outcome in FILLED

    def _compare(self, slot: Slot, candidate: Candidate) -> Comparison | None:
        claimed, found = slot.value, candidate.value
        if isinstance(claimed, DateSpan) or isinstance(found, DateSpan):
            return self._compare_values(slot, candidate)
        rates = self._rate(slot), self._found_rate(candidate)
        if rates[0] and rates[1] and (rates[0].told or rates[1].told):
            return self._compare_rates(claimed, found, *rates)
        if _other_measure(claimed, found) and claimed.low == found.low:
            change = self._found_aspect(candidate) is Aspect.CHANGE
            return Comparison(SlotOutcome.MISMATCH) if change else None
        if not self._same_sort(claimed, found, candidate):
            return None
        if conflict(self._claimed_aspect(slot), self._found_aspect(candidate)):
            return None
        comparison = self._compare_values(slot, _in_scale(candidate, claimed))
        if comparison is None or comparison.outcome in FILLED:
            return comparison
        return comparison if self._may_differ(claimed, found, candidate) else None

    def _compare_rates(
        self, claimed: Quantity, found: Quantity, wanted: Rate | None, offered: Rate | None
    ) -> Comparison | None:
        """The comparison of two numbers that are both divided by something."""
        scaled = replace(found, low=found.low * (k := factor(wanted, offered)), high=found.high * k)
        comparison = self._compare_quantities(claimed, scaled)
        if not comparison or not differ(wanted, offered, self._lexicon.words):
            return comparison
        # The same figure for another thing is a slip, another figure says nothing.
        return Comparison(SlotOutcome.MISMATCH) if comparison.outcome in FILLED else None

    def _claimed_aspect(self, slot: Slot) -> Aspect:
        return aspect_of(self._form.claim.text, slot.value.start, slot.value.end)

    def _found_aspect(self, candidate: Candidate) -> Aspect:
        if candidate.start not in self._aspects:
            aspect = aspect_of(self._index.text, candidate.start, candidate.end)
            self._aspects[candidate.start] = aspect
        return self._aspects[candidate.start]

    def _rate(self, slot: Slot) -> Rate | None:
        return self._rate_at(self._form.claim.text, slot.value, self._claimed_rates)

    def _found_rate(self, candidate: Candidate) -> Rate | None:
        return self._rate_at(self._index.text, candidate.value, self._found_rates)

    def _rate_at(
        self, text: str, value: Quantity | DateSpan, known: dict[int, Rate | None]
    ) -> Rate | None:
        if value.start not in known:
            known[value.start] = rate_of(text, value.start, value.end, self._lexicon.words)
        return known[value.start]

    def _compare_quantities(self, claimed: Quantity, found: Quantity) -> Comparison | None:
        return compare_quantities(claimed, found, self._lexicon, self._policy.numbers)

    def _compare_values(self, slot: Slot, candidate: Candidate) -> Comparison | None:
        claimed, found = slot.value, candidate.value
        if isinstance(claimed, DateSpan) and isinstance(found, DateSpan):
            if self._index.fiscal_year and _is_quarter(claimed) != _is_quarter(found):
                return Comparison(SlotOutcome.ABSENT)
            return compare_dates(self._days(claimed), self._days(found))
        if isinstance(claimed, DateSpan) or isinstance(found, DateSpan):
            return None
        return self._compare_quantities(claimed, found)

    def _same_sort(self, claimed: Quantity, found: Quantity, candidate: Candidate) -> bool:
        """Whether two quantities can be about the same thing at all."""
        if counts_points(claimed) or counts_points(found):
            return True
        if claimed.low == found.low and not found.unit and _digits(claimed) >= _TELLING_BARE:
            return True
        if claimed.kind is not QuantityKind.COUNT:
            # A bare number stands for money or a measure only where a header may name the unit.
            return found.kind is not QuantityKind.COUNT or candidate.in_row
        if found.kind is not QuantityKind.COUNT:
            return not claimed.unit
        if any(self._narrows(word) for word in candidate.between):
            return False
        if _is_rare(claimed) and claimed.low == found.low and self._is_named(found.unit):
            return True
        if not claimed.unit or candidate.in_row:
            return True
        reach = _REACH if found.unit else 3 * _REACH
        return self._same_noun(claimed, found) or self._noun_near(claimed, candidate) <= reach

    def _narrows(self, word: str) -> bool:
        """Whether a word before a counted noun says that fewer things are counted."""
        if word in self._stems or word in _UNNARROWED or word in self._lexicon.words.stop_words:
            return False
        return not any(word[:_ROOT] == one[:_ROOT] for one in self._stems if len(one) >= _ROOT)

    def _is_named(self, noun: str) -> bool:
        """Whether the claim has the counted noun of a passage."""
        one = stem(noun, self._lexicon.words.irregular)
        return bool(noun) and one in self._form.wanted

    def _same_noun(self, claimed: Quantity, found: Quantity) -> bool:
        irregular = self._lexicon.words.irregular
        nouns = claimed.unit, found.unit
        if any(noun in _ANYBODY for noun in nouns) and all(noun in _PEOPLE for noun in nouns):
            return True
        return stem(found.unit, irregular) in self._lexicon.words.alike(
            stem(claimed.unit, irregular)
        )

    def _noun_near(self, claimed: Quantity, candidate: Candidate) -> float:
        """How far from the candidate the noun stands that the claim counts."""
        noun = stem(claimed.unit, self._lexicon.words.irregular)
        names = self._lexicon.words.alike(noun)
        return min((candidate.near[name] for name in names if name in candidate.near), default=_FAR)

    def _may_differ(self, claimed: Quantity, found: Quantity, candidate: Candidate) -> bool:
        """Whether a different value contradicts, rather than counts something else."""
        if found.kind is QuantityKind.RATIO and claimed.kind is QuantityKind.PERCENT:
            return False
        alike = claimed.low == found.low or similar_figures(claimed, found)
        if not (alike or self._is_near_size(claimed, found)):
            return False
        if claimed.kind is not QuantityKind.COUNT or candidate.in_row:
            return True
        if not claimed.unit:
            noun = stem(found.unit, self._lexicon.words.irregular)
            return not found.unit or noun in self._form.wanted
        if found.unit:
            return self._same_noun(claimed, found)
        return min(claimed.low, found.low) >= _LARGE_COUNT

    def _is_near_size(self, claimed: Quantity, found: Quantity) -> bool:
        """Whether two values are of one order; what is far larger is of something else."""
        comparison = self._compare_quantities(claimed, found)
        change = comparison.change if comparison else None
        return change is None or 1 / _FAR_LARGER <= abs(change + 1) <= _FAR_LARGER

    def swapped(self, matches: Sequence[SlotMatch]) -> tuple[SlotMatch, SlotMatch] | None:
        """Two filled slots whose values stand the other way round in the passage."""
        filled = [match for match in matches if match.filled and not match.from_heading]
        for left, right in combinations(filled, 2):
            if left.found is None or right.found is None or left.found.start == right.found.start:
                continue
            if _sort(left.slot.value) is not _sort(right.slot.value):
                continue
            straight = self._bond(left.slot, left.found) + self._bond(right.slot, right.found)
            crossed = self._bond(left.slot, right.found) + self._bond(right.slot, left.found)
            if crossed > straight + self._policy.contradiction.swap_lead:
                return left, right
        return None

    def _bond(self, slot: Slot, candidate: Candidate) -> float:
        """As `nearness`, but next words count most, and other numbers and dates count, too."""
        total = agreed = 0.0
        for words, position in self._neighbours:
            if slot.first <= position <= slot.last:
                continue
            distance = slot.first - position if position < slot.first else position - slot.last
            share = 1 / (1 + distance)
            total += share
            reach = min((candidate.near[w] for w in words if w in candidate.near), default=None)
            if reach is not None:
                agreed += share / (1 + max(0.0, reach - 1))
        return agreed / total if total else 0.0

    def nearness(self, slot: Slot, candidate: Candidate) -> float:
        """How well the words around the slot agree with those around the candidate, 0–1."""
        total = agreed = 0.0
        book, near = self._lexicon.words, candidate.near
        for term, weight in zip(self._form.terms, self._weights, strict=True):
            position = term.position
            distance = slot.first - position if position < slot.first else position - slot.last
            share = weight / (1 + max(0.0, distance) / _REACH)
            total += share
            reach = min((near[w] for w in book.alike(term.stem) if w in near), default=None)
            if reach is not None:
                agreed += share / (1 + max(0.0, reach - 1) / (2 * _REACH))
        return agreed / total if total else 0.0


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


def _other_measure(claimed: Quantity, found: Quantity) -> bool:
    """Whether one is a change in per cent and the other in percentage points."""
    kinds = {claimed.kind, found.kind}
    return kinds == {QuantityKind.PERCENT, QuantityKind.PERCENTAGE_POINTS}


def _is_rare(quantity: Quantity) -> bool:
    """Whether no two things are likely to be counted by the same figure."""
    return _digits(quantity) >= _TELLING_DIGITS


def _digits(quantity: Quantity) -> int:
    return len(quantity.low.normalize().as_tuple().digits)


def _sort(value: Quantity | DateSpan) -> QuantityKind | None:
    return value.kind if isinstance(value, Quantity) else None


def _in_scale(candidate: Candidate, claimed: Quantity) -> Candidate:
    """The number of a table cell with the scale that its row or column names: "(million)"."""
    found = candidate.value
    if not candidate.in_row or isinstance(found, DateSpan) or found.kind is not QuantityKind.COUNT:
        return candidate
    for word, scale in _SCALES.items():
        if candidate.near.get(word, _FAR) <= 1 and claimed.low >= scale:
            scaled = replace(found, low=found.low * scale, high=found.high * scale)
            return candidate._replace(value=replace(scaled, step=found.step * scale))
    return candidate


def _is_quarter(span: DateSpan) -> bool:
    """Whether it is a quarter of some year: of which calendar, only its year would tell."""
    return span.yearless and span.granularity is Granularity.QUARTER


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
