"""When a source says that the claim's event happened: the date that stands by the same verb.

A source dates many things. "Work began in June; the bridge was opened in May" dates the opening,
whatever else it has of June.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...claims.model import DateSpan, Quantity
from ...claims.words import Token
from ..model import SlotOutcome
from ..reading.form import Slot, covered
from ..reading.index import Figure, SegmentFacts
from ..reading.sentence import Sentence
from ..reading.window import Candidate
from ..values.slots import FILLED, SlotMatch
from .alignment import Aligner, Alignment

# A date belongs to the verb that stands so near, counted in words; a clause's end counts more.
_REACH, _SOURCE_REACH = 8.0, 12.0
# "Had to be registered by 1 July; the date is put off to 15 September".
_MOVED_TO = re.compile(r"\b(?:to|until|till)\s+(?:the\s+)?$")
_LATER = 2
# "On 3 May the bridge was opened": so many words stand before a date that opens a sentence.
_OPENING = 3
_LEAD = 12


class _Dated(NamedTuple):
    """The date by an occurrence of the verb, and the sentence of the source that has both."""

    segment: int
    outcome: SlotOutcome
    found: Candidate


def misdated(aligner: Aligner) -> tuple[Alignment, SlotMatch] | None:
    """The date of the claim that the source gives otherwise wherever it dates the same event."""
    least = aligner.policy.contradiction.coverage
    for slot in aligner.form.slots:
        verb = _verb_of(aligner, slot) if isinstance(slot.value, DateSpan) else None
        dated = list(_dates_by(aligner, slot, verb)) if verb else []
        if not dated or any(one.outcome is not SlotOutcome.MISMATCH for one in dated):
            continue
        for one in dated:
            alignment = aligner.align_round(one.segment)
            if alignment.coverage >= least and not _is_of_another(aligner, alignment):
                match = SlotMatch(slot, one.outcome, one.found, None, 1.0, 1.0)
                return alignment, match
    return None


def _is_of_another(aligner: Aligner, alignment: Alignment) -> bool:
    """Whether the source lacks a word of a name, as "U-30" in a text on U-27."""
    names = {stem for name in aligner.form.names for stem in name.stems}
    return any(term.stem in names for term in alignment.unknown)


def _verb_of(aligner: Aligner, slot: Slot) -> Token | None:
    """The past form that a date of the claim stands nearest to, with no other value between."""
    form, index = aligner.form, aligner.index
    sentence = Sentence(form.claim.text, form.tokens, aligner.lexicon, index.is_always_capital)
    places = {term.stem: term.position for term in form.terms if term.counts}
    ranked = sorted(
        (abs(places[token.stem] - slot.first), at)
        for at, token in enumerate(form.tokens)
        if token.stem in places
        and sentence.is_past(at)
        and not sentence.is_auxiliary(at)
        and not covered(token, form.hidden)
    )
    if not ranked or ranked[0][0] > _REACH:
        return None
    at = ranked[0][1]
    verb = form.tokens[at]
    first, last = sorted((verb.start, slot.value.start))
    between = [n for n, token in enumerate(form.tokens) if first < token.start < last]
    taken = any(first < other.value.start < last for other in form.slots if other is not slot)
    # "It was in May that it opened" is one clause, "it said that in May it would open" two.
    parted = verb.start < slot.value.start and any(map(sentence.is_joining, between))
    return None if taken or parted else verb


def _dates_by(aligner: Aligner, slot: Slot, verb: Token) -> Iterator[_Dated]:
    """The date nearest to the verb in each sentence of the source that has both."""
    index, names = aligner.index, aligner.lexicon.words.alike(verb.stem)
    for number in sorted({n for name in names for n in index.postings.get(name, ())}):
        if index.is_meta(number) or index.segments[number].header:
            continue
        facts = index.facts(number)
        dates = [figure for figure in facts.figures if isinstance(figure.value, DateSpan)]
        verbs = _past_forms(aligner, number) if dates else []
        own = [at for at in verbs if facts.tokens[at].stem in names]
        if not own:
            continue
        nearest = _nearest(dates, verbs, own, facts)
        if nearest is None:
            continue
        after = [f for f in dates if f.first > nearest.first]
        followed = [max((at for at in verbs if at < f.first), default=-1) for f in after]
        rest = [
            figure.value
            for figure, at in zip(after, followed, strict=True)
            if at >= 0 and facts.tokens[at].stem in names
        ]
        outcome = _outcome(aligner, slot, nearest.value)
        own_after = any(_outcome(aligner, slot, value) in FILLED for value in rest)
        if own_after or is_moved(aligner, slot, number):
            outcome = SlotOutcome.ABSENT
        if outcome:
            yield _Dated(number, outcome, _candidate(nearest.value))


def _nearest(
    dates: Sequence[Figure], verbs: Sequence[int], own: Sequence[int], facts: SegmentFacts
) -> Figure | None:
    """The date of the verbs `own`: the next one after them, or one that opens the sentence."""
    ranked = [
        (facts.positions[date.first] - facts.positions[at], date)
        for date in dates
        for at in own
        if at < date.first
    ]
    if not ranked:
        ranked = [
            (facts.positions[at] - facts.positions[date.first], date)
            for date in dates
            for at in own
            if date.first <= _OPENING and not any(verb < date.first for verb in verbs)
        ]
    distance, nearest = min(ranked, key=lambda pair: pair[0], default=(0.0, None))
    return nearest if distance <= _SOURCE_REACH else None


def _past_forms(aligner: Aligner, number: int) -> list[int]:
    index = aligner.index
    tokens = index.facts(number).tokens
    sentence = Sentence(index.text, tokens, aligner.lexicon, index.is_always_capital)
    return [
        at for at in range(len(tokens)) if sentence.is_past(at) and not sentence.is_auxiliary(at)
    ]


def is_moved(aligner: Aligner, slot: Slot, number: int) -> bool:
    """Whether the sentences after a segment say that something was put off to the claimed date."""
    index = aligner.index
    for later in range(number + 1, min(number + _LATER + 1, len(index.segments))):
        for figure in index.facts(later).figures:
            start = figure.value.start
            if _MOVED_TO.search(index.text, max(0, start - _LEAD), start):
                return _outcome(aligner, slot, figure.value) in FILLED
    return False


def _outcome(aligner: Aligner, slot: Slot, value: DateSpan | Quantity) -> SlotOutcome | None:
    comparison = aligner.compare(slot, _candidate(value))
    return comparison.outcome if comparison else None


def _candidate(value: DateSpan | Quantity) -> Candidate:
    return Candidate(value, value.start, value.end, {})
