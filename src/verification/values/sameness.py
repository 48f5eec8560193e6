"""Whether a number or date of a passage is of the same thing as one of a claim."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

from ...claims.lexicon import Lexicon
from ...claims.model import DateSpan, Granularity, Modifier, Quantity, QuantityKind
from ...claims.words import WordBook
from ..model import SlotOutcome
from ..policy import NumberPolicy
from ..reading.form import ClaimForm, Slot
from ..reading.index import TextIndex
from ..reading.window import Candidate
from .aspect import Aspect, aspect_of, conflict
from .comparison import (
    Comparison,
    compare_dates,
    compare_quantities,
    counts_points,
    similar_figures,
    unsigned,
)
from .dating import at_odds, date_of
from .rates import Rate, differ, factor, rate_of
from .slips import is_slip, other_currency

FILLED = (SlotOutcome.MATCH, SlotOutcome.ROUNDED)
# Words this far apart say little about each other.
REACH = 4.0
_FAR = 99.0
# A title of a row, a column or all labels stands so near to the number of a cell.
_TITLE = 2.0
# A smaller count without its own noun may count anything.
_LARGE_COUNT = 100
_TELLING_DIGITS = 3
_TELLING_BARE = 2
# The noun of a number without one may stand in the sentence before.
_BARE_REACH = 5
_FAR_LARGER = 10
# Brackets reach so far on either side of a date in them.
_BRACKETED = 24
_SCALES = {"billion": 10**9, "bn": 10**9, "million": 10**6, "mn": 10**6, "thousand": 10**3}
_UNNARROWED = frozenset({"new", "total", "overall", "altogeth", "whol", "combined", "combin"})
_ROOT = 6
# Of what a share is: "a third of peak traffic".
_PART_OF = re.compile(
    r" of (?P<whole>(?:(?:all|the|its|their|our|his|her|those|these) )*[\w'’-]+(?: [\w'’-]+){0,2})"
)


_LIMIT = re.compile(
    r"\b(?:within|(?:limit|ceiling|cap|maximum|upper bound)(?: \w+){0,2}? (?:of|is|was|at|to|:)"
    r"|(?:limited|capped|restricted) (?:to|at))(?: (?:the|a|about))?\s$",
    re.IGNORECASE,
)
_LIMIT_REACH = 40
# What a date after it dates is compared with.
_COMPARED = re.compile(
    r"\b(?:than|since|against|versus|(?:compared|comparison) (?:with|to))"
    r"(?: (?:in|for|at|during|the|that|those|one|end|start|of))* $",
    re.IGNORECASE,
)
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


class _Around(NamedTuple):
    """What the words beside a number say of it."""

    rate: Rate | None
    aspect: Aspect


class _Surroundings:
    """The words beside the numbers of one text, each read once."""

    def __init__(self, text: str, book: WordBook) -> None:
        self._text = text
        self._book = book
        self._known: dict[int, _Around] = {}

    def around(self, value: Quantity) -> _Around:
        known = self._known.get(value.start)
        if known is None:
            rate = rate_of(self._text, value.start, value.end, self._book)
            aspect = aspect_of(self._text, value.start, value.end)
            known = self._known[value.start] = _Around(rate, aspect)
        return known


# What stands beside the numbers of a source is the same for every claim.
_OF_SOURCES: WeakKeyDictionary[TextIndex, _Surroundings] = WeakKeyDictionary()


def _surroundings_of(index: TextIndex) -> _Surroundings:
    known = _OF_SOURCES.get(index)
    if known is None:
        known = _OF_SOURCES[index] = _Surroundings(index.text, index.lexicon.words)
    return known


class ValueComparer:
    """Compares the values of a claim with those of a source, as far as they are of one thing."""

    def __init__(
        self, form: ClaimForm, index: TextIndex, lexicon: Lexicon, numbers: NumberPolicy
    ) -> None:
        self._form = form
        self._index = index
        self._lexicon = lexicon
        self._numbers = numbers
        self._stems = frozenset(term.stem for term in form.terms)
        self._own = _Surroundings(form.claim.text, lexicon.words)
        self._theirs = _surroundings_of(index)
        self._found_dates: dict[int, DateSpan | None] = {}

    def compare(self, slot: Slot, candidate: Candidate) -> Comparison | None:
        """How a claimed value relates to one of a passage; None if they are of other things."""
        claimed, found = slot.value, candidate.value
        if isinstance(claimed, DateSpan) or isinstance(found, DateSpan):
            return self.compare_values(slot, candidate)
        found = unsigned(found, claimed, self._form.claim.text) if candidate.in_row else found
        return self._compare_alike(slot, claimed, found, candidate._replace(value=found))

    def _compare_alike(
        self, slot: Slot, claimed: Quantity, found: Quantity, candidate: Candidate
    ) -> Comparison | None:
        own, theirs = self._own.around(claimed), self._theirs.around(found)
        if own.rate and theirs.rate and (own.rate.told or theirs.rate.told):
            rates = self._compare_rates(claimed, found, own.rate, theirs.rate)
            # "By 250 a year" is not what "to 60 a year" says.
            apart = conflict(own.aspect, theirs.aspect)
            return None if rates and apart and rates.outcome is SlotOutcome.MISMATCH else rates
        if _other_measure(claimed, found) and claimed.low == found.low:
            change = theirs.aspect is Aspect.CHANGE
            return Comparison(SlotOutcome.MISMATCH) if change else None
        if not self._same_sort(claimed, found, candidate):
            return None
        if conflict(own.aspect, theirs.aspect) or not self._tells_of(own.rate, theirs.rate, found):
            return None
        if _other_currency(claimed, found):
            return Comparison(SlotOutcome.MISMATCH)
        comparison = self.compare_values(slot, _in_scale(candidate, claimed))
        if comparison is None or comparison.outcome is SlotOutcome.MATCH:
            return comparison
        if comparison.outcome is SlotOutcome.ROUNDED:
            return comparison if _rounds(claimed, found) else None
        # A change differs from another change only.
        changes = own.aspect is Aspect.CHANGE, theirs.aspect is Aspect.CHANGE
        if changes == (True, False) or (
            changes == (False, True) and claimed.kind is QuantityKind.RATIO
        ):
            return None
        return comparison if self._may_differ(claimed, found, candidate) else None

    def _compare_rates(
        self, claimed: Quantity, found: Quantity, wanted: Rate, offered: Rate
    ) -> Comparison | None:
        """The comparison of two numbers that are both divided by something."""
        scaled = replace(found, low=found.low * (k := factor(wanted, offered)), high=found.high * k)
        comparison = self._compare_quantities(claimed, scaled)
        if not comparison or not self._are_divided_apart(wanted, offered, found):
            return comparison
        # The same figure for another thing is a slip, another figure says nothing.
        same = comparison.outcome in FILLED or comparison.change == 0
        return Comparison(SlotOutcome.MISMATCH) if same else None

    def slips(self, slot: Slot, candidate: Candidate) -> bool:
        """Whether a passage has the claimed figure, of another scale, unit, limit or divisor."""
        claimed, found = slot.value, candidate.value
        if isinstance(claimed, DateSpan) or isinstance(found, DateSpan):
            return False
        return is_slip(claimed, found, self._lexicon) or self._is_divided(claimed, found)

    def _is_divided(self, claimed: Quantity, found: Quantity) -> bool:
        """Whether the two are one figure of different things: "per head" and "per household"."""
        comparison = self._compare_quantities(claimed, found)
        if comparison is None or comparison.outcome is not SlotOutcome.MATCH:
            return False
        own, theirs = self._own.around(claimed).rate, self._theirs.around(found).rate
        # "8 kg each" may be per bag or per traveller.
        return bool(theirs and theirs.told) and self._are_divided_apart(own, theirs, found)

    def _tells_of(self, rate: Rate | None, theirs: Rate | None, found: Quantity) -> bool:
        """Whether a number, or else its sentence, has what the claim's number is divided by."""
        if rate is None or theirs or not rate.told or not rate.things:
            return True
        return not self._beside(found).isdisjoint(
            name for one in rate.things for name in self._lexicon.words.alike(one)
        )

    def _beside(self, found: Quantity) -> frozenset[str]:
        facts = self._index.facts(self._index.segment_at(found.start))
        return frozenset(token.stem for token in facts.tokens)

    def _are_divided_apart(self, own: Rate | None, theirs: Rate | None, found: Quantity) -> bool:
        """Whether two numbers are divided by different things.

        "Each wash takes 8 litres" is the same as "a wash takes 8 litres per cup".
        """
        book = self._lexicon.words
        if own and not own.told:
            said = self._beside(found)
            if any(not book.alike(one).isdisjoint(said) for one in own.things):
                return False
        return differ(own, theirs, book)

    def is_given(self, slot: Slot) -> bool:
        """Whether the source has the claimed value anywhere, of whatever it may be."""
        return any(
            (comparison := self.compare_values(slot, candidate)) is not None
            and comparison.outcome in FILLED
            and not self.slips(slot, candidate)
            for number in range(len(self._index.segments))
            for figure in self._index.facts(number).figures
            for candidate in [Candidate(figure.value, figure.value.start, figure.value.end, {})]
        )

    def _compare_quantities(self, claimed: Quantity, found: Quantity) -> Comparison | None:
        # "Within 40 days" may be "in 40 days" and "in at most 40 days".
        if claimed.modifier is Modifier.AT_MOST and _is_limit(self._index.text, found):
            found = replace(found, modifier=Modifier.AT_MOST)
        elif found.modifier is Modifier.AT_MOST and _is_limit(self._form.claim.text, claimed):
            claimed = replace(claimed, modifier=Modifier.AT_MOST)
        return compare_quantities(claimed, found, self._lexicon, self._numbers)

    def compare_values(self, slot: Slot, candidate: Candidate) -> Comparison | None:
        """As `compare`, by the values alone, whatever they count."""
        claimed, found = slot.value, candidate.value
        if isinstance(claimed, DateSpan) and isinstance(found, DateSpan):
            if self._index.fiscal_year and _is_quarter(claimed) != _is_quarter(found):
                return Comparison(SlotOutcome.ABSENT)
            if self._is_fiscal_year(claimed, found):
                return Comparison(SlotOutcome.MATCH)
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
        if self._is_of_one_money(claimed, found):
            return True
        if claimed.kind is not QuantityKind.COUNT:
            # A bare number stands for money or a measure only where a header may name the unit.
            return found.kind is not QuantityKind.COUNT or candidate.in_row
        if found.kind is not QuantityKind.COUNT:
            return not claimed.unit
        if claimed.unit and not found.unit and found.step < 1 <= claimed.step:
            return False
        if any(self._narrows(word) for word in candidate.between):
            return False
        if not claimed.unit or candidate.in_row:
            return True
        if _is_rare(claimed) and _is_rare(found) and self._is_named(found.unit):
            return not self._is_counted_apart(claimed, found)
        reach = REACH if found.unit else _BARE_REACH * REACH
        return self.same_noun(claimed, found) or self._noun_near(claimed, candidate) <= reach

    def _is_of_one_money(self, claimed: Quantity, found: Quantity) -> bool:
        """Whether one is an amount of money and the other a number of its "pounds"."""
        if QuantityKind.MONEY not in (claimed.kind, found.kind):
            return False
        known = self._lexicon.currency_words
        one, other = (known.get(q.unit, q.unit) for q in (claimed, found))
        return bool(one) and one == other

    def _narrows(self, word: str) -> bool:
        """Whether a word before a counted noun says that fewer things are counted."""
        if word in self._stems or word in _UNNARROWED or word in self._lexicon.words.stop_words:
            return False
        return not any(word[:_ROOT] == one[:_ROOT] for one in self._stems if len(one) >= _ROOT)

    def _is_named(self, noun: str) -> bool:
        """Whether the claim has the counted noun of a passage."""
        one = self._lexicon.words.stem(noun)
        return bool(noun) and one in self._form.wanted

    def _is_counted_apart(self, claimed: Quantity, found: Quantity) -> bool:
        """Whether another number of the claim counts what the found one counts.

        "303 nurses and 845 doctors" has no 303 doctors.
        """
        if self.same_noun(claimed, found):
            return False
        others = (slot.value for slot in self._form.slots if slot.value is not claimed)
        return any(
            isinstance(other, Quantity) and bool(other.unit) and self.same_noun(other, found)
            for other in others
        )

    def same_noun(self, claimed: Quantity, found: Quantity) -> bool:
        """Whether two numbers count the same things, by their nouns."""
        book = self._lexicon.words
        nouns = claimed.unit, found.unit
        if any(noun in _ANYBODY for noun in nouns) and all(noun in _PEOPLE for noun in nouns):
            return True
        return book.stem(found.unit) in book.alike(book.stem(claimed.unit))

    def _noun_near(self, claimed: Quantity, candidate: Candidate) -> float:
        """How far from the candidate the noun stands that the claim counts."""
        noun = self._lexicon.words.stem(claimed.unit)
        names = self._lexicon.words.alike(noun)
        nearest = candidate.nearest(names)
        return _FAR if nearest is None else nearest

    def _may_differ(self, claimed: Quantity, found: Quantity, candidate: Candidate) -> bool:
        """Whether a different value contradicts, rather than counts something else."""
        if found.kind is QuantityKind.RATIO and claimed.kind is QuantityKind.PERCENT:
            return False
        if found.kind is QuantityKind.PERCENT and not self._is_part_of_same(claimed, found):
            return False
        alike = claimed.low == found.low or similar_figures(claimed, found)
        if not (alike or self._is_near_size(claimed, found)):
            return False
        if claimed.kind is not QuantityKind.COUNT or candidate.in_row:
            return True
        if not claimed.unit:
            noun = self._lexicon.words.stem(found.unit)
            return not found.unit or noun in self._form.wanted
        if found.unit:
            return self.same_noun(claimed, found) or self._is_named(found.unit)
        return min(claimed.low, found.low) >= _LARGE_COUNT

    def _is_part_of_same(self, claimed: Quantity, found: Quantity) -> bool:
        """Whether the sentence of a percentage has what a share of the claim is a part of.

        "One region out of three" is a share of regions, "a third of peak traffic" one of traffic.
        """
        if claimed.kind is not QuantityKind.RATIO:
            return True
        text, book = self._form.claim.text, self._lexicon.words
        whole = _PART_OF.match(text, claimed.end)
        said = f"{claimed.text} {whole['whole'] if whole else ''}"
        numbers = self._lexicon.number_words.keys() | self._lexicon.fractions.keys()
        counted = [
            token.stem
            for token in book.tokens(said)
            if token.word.isalpha()
            and token.word not in numbers
            and token.stem not in book.stop_words
            and token.stem not in book.weak_words
        ]
        beside = self._beside(found)
        return not counted or any(not book.alike(one).isdisjoint(beside) for one in counted)

    def _is_near_size(self, claimed: Quantity, found: Quantity) -> bool:
        """Whether two values are of one order; what is far larger is of something else."""
        comparison = self._compare_quantities(claimed, found)
        change = comparison.change if comparison else None
        return change is None or 1 / _FAR_LARGER <= abs(change + 1) <= _FAR_LARGER

    def of_another_time(self, slot: Slot, candidate: Candidate) -> bool:
        """Whether the claim and the passage date the two numbers differently."""
        value, index = candidate.value, self._index
        if isinstance(value, DateSpan) or isinstance(slot.value, DateSpan) or candidate.in_row:
            return False
        own = [one.value for one in self._form.slots if isinstance(one.value, DateSpan)]
        if not own:
            return False
        if value.start not in self._found_dates:
            number = index.segment_at(value.start)
            dates = index.facts(number).dates
            own_date = date_of(index.text, value, dates)
            self._found_dates[value.start] = own_date or self._headed(number)
        claimed = date_of(self._form.claim.text, slot.value, own) or self._only_date(own)
        found = self._found_dates[value.start]
        if claimed is None:
            return False
        if found is None:
            return self._dates_its_rival(claimed, value)
        return at_odds(self._days(claimed), self._days(found))

    def _headed(self, number: int) -> DateSpan | None:
        """The one date of the heading over a segment that has none itself."""
        over = () if self._index.facts(number).dates else self._index.dates_over(number)
        return over[0] if len(over) == 1 else None

    def _only_date(self, own: Sequence[DateSpan]) -> DateSpan | None:
        """The one date of the claim, unless it dates what the claim compares with.

        "A third less than for 2024" is of another year.
        """
        if len(own) != 1 or _COMPARED.search(self._form.claim.text[: own[0].start]):
            return None
        return own[0]

    def _dates_its_rival(self, claimed: DateSpan, value: Quantity) -> bool:
        """Whether the date that the claim gives a number stands by another one of its sort.

        "£23,900 (2019: £31,200)" does not say that it was £23,900 in 2019.
        """
        index = self._index
        text, facts = index.text, index.facts(index.segment_at(value.start))
        for date in facts.dates:
            start = text.rfind("(", max(0, date.start - _BRACKETED), date.start)
            end = text.find(")", date.end, date.end + _BRACKETED)
            same = (date.first, date.last) == (claimed.first, claimed.last)
            if not same or start < 0 or end < 0 or start <= value.start < end:
                continue
            if any(
                start < other.start < end and (other.kind is value.kind or _is_bare(other))
                for figure in facts.figures
                if isinstance(other := figure.value, Quantity)
            ):
                return True
        return False

    def _is_fiscal_year(self, claimed: DateSpan, found: DateSpan) -> bool:
        """Whether the claim gives the very days of the year that the source calls by its number.

        Where the year runs from April, "2022/23" are the twelve months to March 2023.
        """
        year = self._index.fiscal_year
        if year is None or year.first_month == 1 or found.granularity is not Granularity.YEAR:
            return False
        days = year.days(replace(found, fiscal=True))
        return (claimed.first, claimed.last) == (days.first, days.last)

    def _days(self, span: DateSpan) -> DateSpan:
        """A fiscal date as the days it means, where the source says when its year runs."""
        year = self._index.fiscal_year if span.fiscal else None
        return year.days(span) if year else span


def _other_measure(claimed: Quantity, found: Quantity) -> bool:
    """Whether one is a change in per cent and the other in percentage points."""
    kinds = {claimed.kind, found.kind}
    return kinds == {QuantityKind.PERCENT, QuantityKind.PERCENTAGE_POINTS}


def _other_currency(claimed: Quantity, found: Quantity) -> bool:
    """Whether two amounts have the same digits in different currencies, which is a slip."""
    money = claimed.kind is found.kind is QuantityKind.MONEY
    return money and other_currency(claimed.unit, found.unit) and similar_figures(claimed, found)


def _rounds(claimed: Quantity, found: Quantity) -> bool:
    """Whether the claim can stand for the found number: "over 60" is no rounding of 61 women."""
    exact = claimed.modifier in (Modifier.EXACT, Modifier.ABOUT)
    return exact or claimed.kind is not QuantityKind.COUNT or bool(claimed.unit) or not found.unit


def _is_rare(quantity: Quantity) -> bool:
    """Whether no two things are likely to be counted by the same figure."""
    return _digits(quantity) >= _TELLING_DIGITS


def _is_limit(text: str, value: Quantity) -> bool:
    """Whether what stands before a number says that it is the most there may be."""
    before = text[max(0, value.start - _LIMIT_REACH) : value.start]
    return value.modifier is Modifier.EXACT and bool(_LIMIT.search(before))


def _is_bare(quantity: Quantity) -> bool:
    return quantity.kind is QuantityKind.COUNT and not quantity.unit


def _digits(quantity: Quantity) -> int:
    return len(quantity.low.normalize().as_tuple().digits)


def _in_scale(candidate: Candidate, claimed: Quantity) -> Candidate:
    """The number of a table cell with the scale that its row or column names: "(million)"."""
    found = candidate.value
    if isinstance(found, DateSpan) or found.kind is not QuantityKind.COUNT:
        return candidate
    for word, scale in _SCALES.items():
        # "Expenditure 99 million: staff 66, buildings 18": the scale is said once.
        once = not found.unit and word in candidate.near and claimed.low == scale * found.low
        titled = candidate.in_row and candidate.near.get(word, _FAR) <= _TITLE
        if (titled or once) and claimed.low >= scale:
            scaled = replace(found, low=found.low * scale, high=found.high * scale)
            return candidate._replace(value=replace(scaled, step=found.step * scale))
    return candidate


def _is_quarter(span: DateSpan) -> bool:
    """Whether it is a quarter of some year: of which calendar, only its year would tell."""
    return span.yearless and span.granularity is Granularity.QUARTER
