"""The verdict on one claim and one source: support first, then contradiction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations

from ...base.vocabulary import Verdict
from ...claims.lexicon import Lexicon
from ...claims.model import DateSpan, Quantity, QuantityKind
from ..judging import judgement as results
from ..meaning.introduced import introduces, is_setting
from ..meaning.objection import FRAMING, Objection, ObjectionKind
from ..model import SlotCheck, SlotKind, SlotOutcome
from ..policy import SupportPolicy, VerificationPolicy
from ..reading.form import CELLS, MAX_COMPARED, ClaimForm, covered
from ..reading.index import TextIndex
from ..reading.records import PART_OF
from ..reading.sentence import Sentence
from ..reading.window import Window, build_window
from ..structure.entry_lines import check_entry
from ..values.comparison import similar_figures
from ..values.slots import SlotMatch
from .alignment import Aligner, Alignment
from .edits import is_altered, replaced_in
from .elsewhere import (
    dates_one_event,
    is_multiplied,
    is_of_table,
    is_printed,
    is_reckoned,
    is_ruled_out,
    is_stated,
    stands_alone,
)
from .events import is_moved, misdated
from .exchanged import exchanged, keeps_pairs
from .guards import LABEL, is_labelled_apart, objections
from .implied import weighed
from .judgement import Judgement, slot_checks
from .quotation import QuoteCheck, check_quotes, other_speaker, speaker_fits
from .structure import check_structure, is_doubted, settled_by
from .universal import is_of_all, is_of_some

# Turns that make the passage speak of something else than the claim's number.
_BLOCKING = frozenset({"negation", "forecast", "period", FRAMING})
# A claim about each of several things may state a quotient that the source does not print.
_DISTRIBUTIVE = frozenset({"each", "every", "all"})
_ALIGNMENTS_READ = 8
_LEAST_WORDS = 4
_SENTENCES_REPEATED = 3
# Each number of the claim is compared with every number of a passage.
_MOST_SLOTS = 30
_PAST = "ed"
_FULL_NAME = 2
_NOT_YET = frozenset({"is", "are", "be", "being", "to", "gets", "get"})
_CONDITIONAL = "would"
# What is measured: "six inches of rain".
_OF = re.compile(r" of (?:the )?((?:[a-z-]+ ?){1,3})")
_TELLING_DIGITS, _LARGE = 2, 10
_NONE = frozenset({"none", "neither", "nobody", "nothing"})


def judge(
    form: ClaimForm, index: TextIndex, lexicon: Lexicon, policy: VerificationPolicy
) -> Judgement:
    """Compare a claim with the text of one source."""
    if len(form.claim.text) > MAX_COMPARED or len(form.slots) > _MOST_SLOTS:
        return Judgement(Verdict.UNVERIFIABLE, "the sentence is too long to be compared: split it")
    window = find_verbatim(form, index)
    if window:
        return results.verbatim(form, window)
    aligner = Aligner(form, index, lexicon, policy)
    if form.claim.quotes:
        return _judge_quotation(aligner)
    entry = check_entry(form, index, lexicon, policy)
    if entry:
        return results.by_record(entry)
    record = settled_by(check_structure(aligner))
    if record and not (record.denied and record.slot and stands_alone(aligner, record.slot)):
        return results.by_record(record)
    return _altered(aligner) or _judge_statement(aligner)


def _judge_statement(aligner: Aligner) -> Judgement:
    """Support by one passage first, then a contradiction by one."""
    policy = aligner.policy
    alignments = weighed(aligner, aligner.alignments())[:_ALIGNMENTS_READ]
    if not alignments:
        return Judgement(Verdict.UNVERIFIABLE, "the source has no passage on this", silent=True)
    read = [_Reading(aligner, alignment) for alignment in alignments]
    first = read[0]
    for reading in read:
        if _supports(reading, policy) and not is_altered(aligner, reading.alignment):
            doubted = _is_only_planned(reading, read) or is_doubted(aligner)
            doubted = doubted or _is_met_by_chance(reading, read)
            doubted = doubted or any(exchanged(aligner, one.alignment) for one in read)
            if doubted or _is_denied(read, policy):
                break
            return results.supported(reading.alignment)
    # What a source says of lot 4 denies nothing of lot 5.
    read = [one for one in read if not is_labelled_apart(aligner, one.alignment.window)]
    windows = [reading.alignment.window for reading in read]
    for clash in (aligner.roles.clash(windows), aligner.speakers.clash(windows)):
        if clash and clash[1].strength >= policy.contradiction.role:
            window, objection = clash
            alignment = next(one for one in alignments if one.window is window)
            return results.differing_word(alignment, objection)
    by_words = sorted(read, key=lambda reading: -reading.alignment.coverage)
    for reading in by_words:
        result = _contradiction(aligner, reading, alignments)
        if result:
            return result
    slip = _slip(aligner, by_words) or _misdated(aligner)
    if slip:
        return slip
    open_ = _contrary(aligner, by_words) or results.unsettled(
        first.alignment,
        first.against,
        policy.support,
        silent=not any(_is_on_it(aligner.form, one, policy) for one in alignments),
    )
    return replace(open_, foreseeing=_is_foreseen(first))


def _is_foreseen(reading: _Reading) -> bool:
    """Whether the passage says that the claim's values are to come, and the claim that they came.

    What "would" be so is what somebody reckoned, and may be told of as such.
    """
    values = [match.found for match in reading.alignment.slots if match.filled and match.found]
    if len(values) < len(reading.alignment.slots) or not _tells_of_past(reading.aligner):
        return False
    index = reading.aligner.index
    return any(
        one.guard == "forecast"
        and one.found != _CONDITIONAL
        and any(
            0 <= one.at < value.start and index.segment_at(one.at) == index.segment_at(value.start)
            for value in values
        )
        for one in reading.against
    )


def _tells_of_past(aligner: Aligner) -> bool:
    """Whether the claim has a verb in the past that is no participle of "is to be done"."""
    form = aligner.form
    said = Sentence(form.claim.text, form.tokens, aligner.lexicon, aligner.index.is_always_capital)
    return any(
        said.is_past(at)
        and not said.is_determiner(at - 1)
        and _NOT_YET.isdisjoint((said.word(at - 1), said.word(at - 2)))
        for at in range(len(said.tokens))
    )


def _is_on_it(form: ClaimForm, alignment: Alignment, policy: VerificationPolicy) -> bool:
    """Whether a passage has a share of the claim's words, or one of its numbers."""
    missing = set(alignment.missing)
    terms = [term for term in form.terms if term.counts]
    held = sum(term not in missing for term in terms)
    numbers = any(m.filled and isinstance(m.slot.value, Quantity) for m in alignment.slots)
    return numbers or held > policy.support.on_it * len(terms)


def _altered(aligner: Aligner) -> Judgement | None:
    """The contradiction by a sentence that the claim repeats but for one word."""
    for _, number in aligner.best_segments[:_SENTENCES_REPEATED]:
        if is_labelled_apart(aligner, build_window(aligner.index, number, number)):
            continue
        edit = replaced_in(aligner, number)
        if edit:
            own, theirs = (" ".join(t.word for t in words) for words in (edit.claimed, edit.found))
            objection = Objection(ObjectionKind.TURN, own, theirs)
            return results.differing_word(aligner.align_round(number), objection)
    return None


class _Reading:
    """An alignment with what speaks against it, which costs most and is not always asked for."""

    def __init__(self, aligner: Aligner, alignment: Alignment) -> None:
        self.aligner = aligner
        self.alignment = alignment

    @cached_property
    def against(self) -> tuple[Objection, ...]:
        """Every difference of meaning that the words and numbers alone do not show."""
        return objections(self.aligner, self.alignment)

    @cached_property
    def swapped(self) -> tuple[SlotMatch, SlotMatch] | None:
        """Two values that the passage gives the other way round."""
        pair = self.alignment.swapped
        return None if pair and keeps_pairs(self.aligner, self.alignment) else pair


def _contrary(aligner: Aligner, by_words: Sequence[_Reading]) -> Judgement | None:
    """The contradiction by a word, of the passage that holds most of the claim's words."""
    for reading in by_words:
        objection = _single_difference(aligner, reading)
        if objection:
            return results.differing_word(reading.alignment, objection)
    for reading in by_words:
        objection = _renamed(aligner, reading)
        if objection:
            return results.differing_word(reading.alignment, objection)
    for reading in by_words:
        objection = _flipped(aligner, reading, by_words[0].alignment.coverage)
        if objection:
            return results.denied(reading.alignment, objection)
    return None


def _contradiction(
    aligner: Aligner, reading: _Reading, everywhere: Sequence[Alignment]
) -> Judgement | None:
    """The contradiction by numbers or dates that a passage holds, if any."""
    alignment = reading.alignment
    mismatch = _mismatch(aligner, reading, everywhere)
    if mismatch:
        return _differing(aligner, alignment, mismatch)
    # Of the values of a table row the headings alone say which is which.
    in_row = CELLS in aligner.form.claim.text
    swapped = None if in_row else reading.swapped or _exchanged(aligner, alignment)
    if swapped and not _is_share(aligner, swapped) and _is_swap(reading, swapped, aligner.policy):
        return results.swapped_values(alignment, swapped)
    renamed = None if in_row else exchanged(aligner, alignment)
    if renamed and alignment.coverage >= aligner.policy.contradiction.denied:
        return results.denied(alignment, renamed)
    return None


def _differing(aligner: Aligner, alignment: Alignment, match: SlotMatch) -> Judgement | None:
    texts = aligner.form.claim.text, aligner.index.text
    return results.differing_value(alignment, match, *texts)


def _exchanged(aligner: Aligner, alignment: Alignment) -> tuple[SlotMatch, SlotMatch] | None:
    """Two counts of the claim of which the passage gives each to what the other counts."""
    found = [c.value for c in alignment.window.candidates if isinstance(c.value, Quantity)]
    for pair in combinations(alignment.slots, 2):
        one, other = (match.slot.value for match in pair)
        if not (isinstance(one, Quantity) and isinstance(other, Quantity)) or one.low == other.low:
            continue
        if not (one.unit and other.unit) or aligner.counts_alike(one, other):
            continue
        crossed = [
            any(value.low == size.low and aligner.counts_alike(noun, value) for value in found)
            for size, noun in ((one, other), (other, one))
        ]
        if all(crossed):
            return pair[0], pair[1]
    return None


def _slip(aligner: Aligner, by_words: Sequence[_Reading]) -> Judgement | None:
    """The contradiction by the claim's own figure with another scale, unit, limit or divisor."""
    limits = aligner.policy.contradiction
    most = max((reading.alignment.coverage for reading in by_words), default=0.0)
    least = max(limits.slip_coverage, most - limits.slip_lead)
    for reading in by_words:
        alignment = reading.alignment
        if alignment.coverage < least:
            break
        for slot in aligner.form.slots:
            match = aligner.filler.slip(slot, alignment.window)
            if not match or is_multiplied(match, alignment, aligner.index):
                continue
            if match.near >= limits.similar_near and not _is_of_other(reading):
                return _differing(aligner, alignment, match)
    return None


def _misdated(aligner: Aligner) -> Judgement | None:
    """The contradiction by another date of the very event that the claim dates."""
    found = misdated(aligner)
    if not found:
        return None
    alignment, match = found
    value = match.slot.value
    if isinstance(value, DateSpan) and not dates_one_event(aligner, value):
        return None
    if any(_blocks(objection) for objection in objections(aligner, alignment)):
        return None
    return _differing(aligner, alignment, match)


def _is_of_other(reading: _Reading) -> bool:
    """Whether the passage is about somebody else, another time or what is only foreseen.

    "Not more than 30" denies no figure, and "each" asks for no quotient of the very same one.
    """
    return any(
        _blocks(one) and one.guard not in ("quantifier", "negation") for one in reading.against
    )


def find_verbatim(form: ClaimForm, index: TextIndex) -> Window | None:
    """The one or two segments whose words are exactly those of the claim, in order."""
    words = [token.word for token in form.tokens]
    if len(words) < _LEAST_WORDS:
        return None
    rarest = min(
        (token.stem for token in form.tokens), key=lambda s: len(index.postings.get(s, ()))
    )
    for number in index.postings.get(rarest, ()):
        for first, last in ((number, number), (number - 1, number), (number, number + 1)):
            if first < 0 or last >= len(index.segments):
                continue
            found = [t.word for n in range(first, last + 1) for t in index.facts(n).tokens]
            if found == words and not any(index.is_meta(n) for n in range(first, last + 1)):
                return build_window(index, first, last)
    return None


def _is_denied(read: Sequence[_Reading], policy: VerificationPolicy) -> bool:
    """Whether a passage that holds as many of the claim's words as any says something else.

    A narrower passage may just leave out the words that deny the claim.
    """
    limits = policy.support
    least = max(reading.alignment.coverage for reading in read) - limits.denial_lead
    return any(
        objection.foreign
        or objection.replaced
        or (objection.flipped and objection.strength >= limits.denial)
        for reading in read
        if reading.alignment.coverage >= least
        for objection in reading.against
    )


def _is_met_by_chance(reading: _Reading, read: Sequence[_Reading]) -> bool:
    """Whether a narrower passage with as many of the claim's words lacks an "all" or "most" of it.

    What the wider one has besides is of something else: "None had it. Copies went to all members."
    """
    own, window = reading.alignment, reading.alignment.window
    return any(
        one.alignment.coverage >= own.coverage
        and one.alignment.rank[0] >= own.rank[0]
        and any(objection.guard == "quantifier" for objection in one.against)
        for one in read
        if window.first <= one.alignment.window.first
        and one.alignment.window.last <= window.last
        and not any(
            reading.aligner.holds(number)
            for number in range(window.first, window.last + 1)
            if not one.alignment.window.first <= number <= one.alignment.window.last
        )
    )


def _is_only_planned(reading: _Reading, read: Sequence[_Reading]) -> bool:
    """Whether the deed that a passage lacks is told, right beside it, of the future alone."""
    own = reading.alignment
    deeds = {term.stem for term in own.missing if term.word.endswith(_PAST)}
    return bool(deeds) and any(
        one.alignment.window.first <= own.window.first
        and own.window.last <= one.alignment.window.last
        and not deeds.isdisjoint(one.alignment.window.stems)
        and any(objection.guard == "forecast" for objection in one.against)
        for one in read
    )


def _supports(reading: _Reading, policy: VerificationPolicy) -> bool:
    alignment, limits = reading.alignment, policy.support
    # Words that stand so far apart say nothing together, whatever a text takes for a sentence.
    too_long = alignment.window.end - alignment.window.start > limits.longest
    coverage, plain = _least(reading, limits)
    if too_long or alignment.coverage < coverage:
        return False
    if alignment.slots:
        held = not reading.swapped and alignment.plain >= plain
        held = held and not all(match.from_heading for match in alignment.slots)
        held = held and all(_fits(reading, match, policy) for match in alignment.slots)
    else:
        held = alignment.coverage >= limits.words and alignment.plain >= limits.words_plain
        held = held and alignment.density >= limits.density and not alignment.unknown
    return held and not reading.against


def _least(reading: _Reading, limits: SupportPolicy) -> tuple[float, float]:
    """The shares of the claim's words that a passage must hold, weighed and all counted alike.

    A number, and more so one that is worked out, says that the passage is on the claim's matter;
    but not if the source has a part of a name nowhere.
    """
    slots = reading.alignment.slots
    named = {stem for name in reading.aligner.form.names for stem in name.stems}
    if any(term.stem in named for term in reading.alignment.unknown):
        return limits.coverage, limits.plain
    if any(_is_proved(match) for match in slots):
        return limits.proved, limits.proved
    if any(_is_large(match.slot.value) for match in slots):
        return limits.counted, limits.counted_plain
    return limits.coverage, limits.plain


def _is_large(value: Quantity | DateSpan) -> bool:
    """Whether it is a number that is seldom there for another thing, as any "two" may be."""
    if not isinstance(value, Quantity):
        return False
    return value.kind is not QuantityKind.COUNT or value.low >= _LARGE


def _is_proved(match: SlotMatch) -> bool:
    """Whether the claim's figure follows from those of the passage, which does not print it.

    One that agrees only in another unit, or as the result of a sum, is hardly there by chance.
    """
    claimed, found = match.slot.value, match.found.value if match.found else None
    if not match.filled or not isinstance(claimed, Quantity) or not isinstance(found, Quantity):
        return False
    if match.working:
        return True
    digits = len(claimed.low.normalize().as_tuple().digits)
    converted = found.unit != claimed.unit and claimed.low != found.low
    return digits >= _TELLING_DIGITS and converted and claimed.kind is QuantityKind.MEASURE


def _is_of_other_stuff(aligner: Aligner, match: SlotMatch) -> bool:
    """Whether the passage measures rain where the claim measures snow."""
    claimed, found = match.slot.value, match.found.value if match.found else None
    if not isinstance(claimed, Quantity) or not isinstance(found, Quantity) or match.working:
        return False
    if not claimed.kind is found.kind is QuantityKind.MEASURE:
        return False
    own = _OF.match(aligner.form.claim.text, claimed.end)
    theirs = _OF.match(aligner.index.text, found.end)
    if not own or not theirs:
        return False
    book = aligner.lexicon.words
    stuff = {token.stem for token in book.tokens(theirs[1])}
    return all(book.alike(token.stem).isdisjoint(stuff) for token in book.tokens(own[1]))


def _fits(reading: _Reading, match: SlotMatch, policy: VerificationPolicy) -> bool:
    """Whether the passage gives the number or date, or need not."""
    if match.filled and _is_of_other_stuff(reading.aligner, match):
        return False
    if match.filled:
        return match.near >= policy.support.near or (
            _is_proved(match) and match.near >= policy.support.near / 2
        )
    text, value = reading.aligner.form.claim.text, match.slot.value
    absent = match.outcome is SlotOutcome.ABSENT
    return absent and introduces(text, value) and is_setting(text, value)


def _mismatch(
    aligner: Aligner, reading: _Reading, everywhere: Sequence[Alignment]
) -> SlotMatch | None:
    """The one number or date in which the claim differs from a passage about the same thing."""
    alignment = reading.alignment
    wrong = [match for match in alignment.slots if match.outcome is SlotOutcome.MISMATCH]
    if len(wrong) != 1:
        return None
    match = wrong[0]
    for place, open_ in enumerate(alignment.slots):
        if not _is_open(open_) or any(other.slots[place].filled for other in everywhere):
            continue
        if not (isinstance(match.slot.value, DateSpan) and is_printed(aligner, open_, alignment)):
            return None
    if not _is_close(match, alignment, aligner.policy) or is_of_some(aligner, match.slot.value):
        return None
    value = match.slot.value
    if isinstance(value, DateSpan) and match.found:
        at = aligner.index.segment_at(match.found.start)
        if not dates_one_event(aligner, value) or is_moved(aligner, match.slot, at):
            return None
    place = alignment.slots.index(match)
    stated = is_stated(aligner, match, place, everywhere) or stands_alone(aligner, match.slot)
    implied = any(is_multiplied(one.slots[place], one, aligner.index) for one in everywhere)
    if stated or implied or is_ruled_out(value, aligner):
        return None
    if isinstance(value, Quantity) and (
        is_reckoned(value, everywhere) or is_of_table(value, match, aligner)
    ):
        return None
    alone = _differs_in_figures_alone(aligner.form, alignment)
    return match if alone or not any(_blocks(o) for o in reading.against) else None


def _differs_in_figures_alone(form: ClaimForm, alignment: Alignment) -> bool:
    """Whether the passage is the claim word for word, figures left out."""
    window = alignment.window
    numbers = window.numbers()
    own = [token.word for token in form.tokens if not covered(token, form.hidden)]
    return own == [token.word for token in window.tokens if not covered(token, numbers)]


def _is_share(aligner: Aligner, pair: tuple[SlotMatch, SlotMatch]) -> bool:
    """Whether two values are a part and its whole: "three of the four" is never exchanged."""
    one, other = sorted((match.slot.value for match in pair), key=lambda value: value.start)
    return bool(PART_OF.fullmatch(aligner.form.claim.text, one.end, other.start))


def _is_swap(
    reading: _Reading, swapped: tuple[SlotMatch, SlotMatch], policy: VerificationPolicy
) -> bool:
    """Whether a passage about the same thing gives two values the other way round."""
    alignment = reading.alignment
    if alignment.coverage < policy.contradiction.coverage:
        return False
    others = (match for match in alignment.slots if match not in swapped)
    if any(not match.filled and _is_open(match) for match in others):
        return False
    return not any(_blocks(objection) for objection in reading.against)


def _is_close(match: SlotMatch, alignment: Alignment, policy: VerificationPolicy) -> bool:
    """Whether the words say that the two values are of the same thing."""
    limits, value = policy.contradiction, match.slot.value
    if match.found and similar_figures(value, match.found.value):
        near, coverage = limits.similar_near, limits.similar_coverage
    else:
        near = limits.near_date if isinstance(value, DateSpan) else limits.near
        coverage = limits.coverage
    return match.near >= near and match.lead >= limits.lead and alignment.coverage >= coverage


def _is_open(match: SlotMatch) -> bool:
    """Whether a slot is unanswered; a count in words may be put otherwise in the passage."""
    return match.outcome is SlotOutcome.ABSENT and not _is_spelled(match)


def _is_spelled(match: SlotMatch) -> bool:
    """Whether the claim's number is written in words: "two", "a third"."""
    value = match.slot.value
    return isinstance(value, Quantity) and not any(char.isdigit() for char in value.text)


def _blocks(objection: Objection) -> bool:
    if objection.kind is ObjectionKind.TURN:
        derived = objection.guard == "quantifier" and objection.claimed in _DISTRIBUTIVE
        return objection.guard in _BLOCKING or derived
    another = objection.replaced or objection.guard == LABEL
    return objection.foreign or (objection.kind is ObjectionKind.NAME and another)


def _single_difference(aligner: Aligner, reading: _Reading) -> Objection | None:
    """The one word or name that differs in otherwise equal sentences."""
    alignment, limits = reading.alignment, aligner.policy.contradiction
    if alignment.density < limits.same_density:
        return None
    if not all(match.filled for match in alignment.slots) or len(reading.against) != 1:
        return None
    objection = reading.against[0]
    negated = objection.guard == "negation" and objection.strength >= limits.denial
    if not (negated or objection.replaced) or _tells_of_silence(objection, aligner):
        return None
    if _is_denied_alike(objection, reading):
        return None
    left_out = frozenset(objection.claimed.lower().split())
    rest = aligner.coverage_without(left_out, alignment.window)
    return objection if rest >= limits.same_sentence else None


def _renamed(aligner: Aligner, reading: _Reading) -> Objection | None:
    """The one full name in which a claim differs from the sentence that tells the same.

    All other words and every value of the claim stand there, and one other full name besides.
    """
    alignment, window = reading.alignment, reading.alignment.window
    told = alignment.slots and all(match.filled for match in alignment.slots)
    if window.first != window.last or not told:
        return None
    named = [one for one in reading.against if one.kind is ObjectionKind.NAME and not one.guard]
    whole = all(one.kind is ObjectionKind.NAME for one in reading.against)
    if not whole or len(named) != 1:
        return None
    (objection,) = named
    claimed = {token.stem for token in aligner.form.tokens}
    own = next((n for n in aligner.form.names if n.text == objection.claimed), None)
    rivals = [n for n in aligner.index.cast.names(window.first) if claimed.isdisjoint(n.stems)]
    if own is None or len(rivals) != 1 or min(len(own.stems), len(rivals[0].stems)) < _FULL_NAME:
        return None
    rest = aligner.coverage_without(frozenset(own.text.lower().split()), window)
    if rest < aligner.policy.contradiction.same_sentence:
        return None
    return replace(objection, found=rivals[0].text, replaced=True)


def _flipped(aligner: Aligner, reading: _Reading, most: float) -> Objection | None:
    """What a passage about the same thing, one of those that hold most, says the contrary of.

    In a passage that says much besides, it is something else that "fell" or was "not" so.
    """
    alignment, limits = reading.alignment, aligner.policy.contradiction
    behind = alignment.coverage < most - limits.denial_lead
    text = aligner.form.claim.text
    open_ = [m.slot.value for m in alignment.slots if not m.filled]
    open_ = [value for value in open_ if not introduces(text, value)]
    for objection in sorted(reading.against, key=lambda one: -one.strength):
        # The limit of "all were below 50" is no value that the passage would give.
        limit = objection.claimed if objection.by_values else ""
        if any(value.text not in limit for value in open_):
            continue
        if behind and not is_of_all(objection, aligner):
            continue
        # The values of a list stand between many words that are none of the claim's.
        if alignment.density < limits.denied_density and not objection.by_values:
            continue
        if _tells_of_silence(objection, aligner) or _is_denied_alike(objection, reading):
            continue
        left_out = frozenset(objection.claimed.lower().split())
        rest = aligner.coverage_without(left_out, alignment.window)
        sure = objection.flipped and objection.strength >= limits.denial
        # A word may be the opposite of another one in one of its meanings only.
        by_word = objection.kind is ObjectionKind.OPPOSITE and not objection.by_values
        least = limits.coverage if by_word else limits.denied
        if sure and rest >= least and _is_beside(objection, aligner):
            return objection
    return None


def _is_beside(objection: Objection, aligner: Aligner) -> bool:
    """Whether the sentence with the contrary word has some of the claim's words itself."""
    if objection.at < 0:
        return True
    said = objection.claimed.lower().split()
    words = [term for term in aligner.form.terms if term.counts and term.word not in said]
    number = aligner.index.segment_at(objection.at)
    stems = {token.stem for token in aligner.index.facts(number).tokens}
    held = sum(not aligner.lexicon.words.alike(term.stem).isdisjoint(stems) for term in words)
    return held >= aligner.policy.contradiction.denied_beside * len(words)


def _is_denied_alike(objection: Objection, reading: _Reading) -> bool:
    """Whether claim and passage, or the sentence after it, both say "none" of something.

    Of what, a pronoun may tell: "received 64 complaints. None of them was upheld".
    """
    word = (objection.claimed or objection.found).lower()
    if word not in _NONE or (objection.claimed and objection.found):
        return False
    index, window = reading.aligner.index, reading.alignment.window
    last = min(window.last + 1, len(index.segments) - 1)
    if index.segments[last].block != index.segments[window.last].block:
        last = window.last
    theirs = {t.word for n in range(window.first, last + 1) for t in index.facts(n).tokens}
    return word in theirs and word in {token.word for token in reading.aligner.form.tokens}


def _tells_of_silence(objection: Objection, aligner: Aligner) -> bool:
    """Whether the claim says that its source does not say something, as no passage can deny."""
    if objection.found:
        return False
    nouns = aligner.lexicon.words.source_nouns
    at = aligner.form.claim.text.lower().find(objection.claimed.lower())
    return any(token.stem in nouns for token in aligner.form.tokens if token.end <= at)


def _judge_quotation(aligner: Aligner) -> Judgement:
    form, index = aligner.form, aligner.index
    checks = check_quotes(form, index, aligner.lexicon.words)
    slots = tuple(_quote_slot(check, index) for check in checks)
    for check in checks:
        if check.outcome is SlotOutcome.MISMATCH:
            return results.altered(check, index.text[check.start : check.end], slots)
    if any(check.outcome is SlotOutcome.ABSENT for check in checks):
        reason = "the quoted words are not in the source"
        return Judgement(Verdict.UNVERIFIABLE, reason, slots=slots)
    return _judge_frame(aligner, checks, slots)


def _quote_slot(check: QuoteCheck, index: TextIndex) -> SlotCheck:
    found = index.text[check.start : check.end]
    return SlotCheck(SlotKind.QUOTE, check.outcome, check.quote.text, found)


def _judge_frame(
    aligner: Aligner, checks: Sequence[QuoteCheck], slots: tuple[SlotCheck, ...]
) -> Judgement:
    """Whether the passage round the quoted words says of them what the claim says."""
    index, policy = aligner.index, aligner.policy
    start, end = min(check.start for check in checks), max(check.end for check in checks)
    first, last = index.segment_at(start), index.segment_at(end - 1)
    after = min(len(index.segments) - 1, last + 1)
    alignment = aligner.align(build_window(index, max(0, first - 1), after))
    slots += slot_checks(alignment)
    against = objections(aligner, alignment)
    speaker = next((one for one in against if one.guard == "speaker"), None)
    if speaker and speaker.strength >= policy.contradiction.role:
        return results.differing_word(alignment, speaker)
    for check in checks:
        told = other_speaker(aligner.form, check, index)
        if told:
            claimed, kind = aligner.form.names[0].text, ObjectionKind.NAME
            return results.differing_word(alignment, Objection(kind, claimed, told.text))
    foreign = speaker is not None or any(objection.foreign for objection in against)
    stated = all(match.filled for match in alignment.slots)
    apart = last - first > policy.search.window
    # "The page says: …" says nothing of the words but where they are from.
    framed = any(not term.speaker for term in aligner.form.terms)
    meta = any(index.is_meta(number) for number in range(first, last + 1))
    if (
        foreign
        or is_altered(aligner, alignment)
        or not stated
        or apart
        or meta
        or (framed and alignment.coverage < policy.support.quotation_frame)
    ):
        reason = "the quoted words are in the source, but not what is said about them"
        return Judgement(Verdict.UNVERIFIABLE, reason, slots=slots, differing=foreign)
    if not all(speaker_fits(aligner.form, c, index, aligner.lexicon.words) for c in checks):
        reason = "the source gives the quoted words to someone else"
        return Judgement(Verdict.UNVERIFIABLE, reason, slots=slots, differing=True)
    reason = "the source has the quoted words exactly"
    return Judgement(Verdict.SUPPORTED, reason, start, end, decided=True, slots=slots)
