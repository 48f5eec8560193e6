"""The verdict on one claim and one source: support first, then contradiction."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.vocabulary import Verdict
from ..claims.lexicon import Lexicon
from ..claims.model import DateSpan, Quantity
from . import judgement as results
from .alignment import Aligner, Alignment
from .comparison import same_figure, similar_figures
from .edits import is_altered
from .form import MAX_COMPARED, ClaimForm, covered
from .guards import objections
from .implied import weighed
from .index import TextIndex
from .judgement import Judgement, slot_checks
from .model import SlotCheck, SlotKind, SlotOutcome
from .objection import Objection, ObjectionKind
from .policy import VerificationPolicy
from .quotation import QuoteCheck, check_quotes, speaker_fits
from .slots import SlotMatch
from .structure import check_structure, settled_by
from .window import Window, build_window

# Turns that make the passage speak of something else than the claim's number.
_BLOCKING = frozenset({"negation", "forecast", "period"})
# A claim about each of several things may state a quotient that the source does not print.
_DISTRIBUTIVE = frozenset({"each", "every", "all"})
# A year right after one of these is part of a name.
_NAMING = frozenset({"the", "a", "an", "its", "his", "her", "their", "our", "this", "that"})
_ALIGNMENTS_READ = 8
_LEAST_WORDS = 4


def judge(
    form: ClaimForm, index: TextIndex, lexicon: Lexicon, policy: VerificationPolicy
) -> Judgement:
    """Compare a claim with the text of one source."""
    if len(form.claim.text) > MAX_COMPARED:
        return Judgement(Verdict.UNVERIFIABLE, "the sentence is too long to be compared: split it")
    window = find_verbatim(form, index)
    if window:
        return results.verbatim(form, window)
    aligner = Aligner(form, index, lexicon, policy)
    if form.claim.quotes:
        return _judge_quotation(aligner)
    record = settled_by(check_structure(aligner))
    return results.by_record(record) if record else _judge_statement(aligner)


def _judge_statement(aligner: Aligner) -> Judgement:
    """Support by one passage first, then a contradiction by one."""
    policy = aligner.policy
    alignments = weighed(aligner, aligner.alignments())[:_ALIGNMENTS_READ]
    if not alignments:
        return Judgement(Verdict.UNVERIFIABLE, "the source has no passage on this")
    read = [(alignment, objections(aligner, alignment)) for alignment in alignments]
    if not _is_denied(read, policy):
        for alignment, against in read:
            if _supports(alignment, against, policy) and not is_altered(aligner, alignment):
                return results.supported(alignment)
    windows = [alignment.window for alignment in alignments]
    for clash in (aligner.roles.clash(windows), aligner.speakers.clash(windows)):
        if clash and clash[1].strength >= policy.contradiction.role:
            window, objection = clash
            alignment = next(one for one in alignments if one.window is window)
            return results.differing_word(alignment, objection)
    by_words = sorted(read, key=lambda pair: -pair[0].coverage)
    for alignment, against in by_words:
        result = _contradiction(aligner, alignment, against, alignments)
        if result:
            return result
    return _contrary(aligner, by_words) or results.unsettled(*read[0], policy.support)


def _contrary(
    aligner: Aligner, by_words: Sequence[tuple[Alignment, Sequence[Objection]]]
) -> Judgement | None:
    """The contradiction by a word, of the passage that holds most of the claim's words."""
    for alignment, against in by_words:
        objection = _single_difference(aligner, alignment, against)
        if objection:
            return results.differing_word(alignment, objection)
    for alignment, against in by_words:
        objection = _flipped(aligner, alignment, against, by_words[0][0].coverage)
        if objection:
            return results.denied(alignment, objection)
    return None


def _contradiction(
    aligner: Aligner,
    alignment: Alignment,
    against: Sequence[Objection],
    everywhere: Sequence[Alignment],
) -> Judgement | None:
    """The contradiction by numbers or dates that a passage holds, if any."""
    mismatch = _mismatch(aligner, alignment, against, everywhere)
    if mismatch:
        return results.differing_value(alignment, mismatch)
    if alignment.swapped and _is_swap(alignment, against, aligner.policy):
        return results.swapped_values(alignment, alignment.swapped)
    return None


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


def _is_denied(
    read: Sequence[tuple[Alignment, Sequence[Objection]]], policy: VerificationPolicy
) -> bool:
    """Whether a passage that holds as many of the claim's words as any says something else.

    A narrower passage may just leave out the words that deny the claim.
    """
    limits = policy.support
    least = max(alignment.coverage for alignment, _ in read) - limits.denial_lead
    return any(
        objection.foreign
        or objection.replaced
        or (objection.flipped and objection.strength >= limits.denial)
        for alignment, against in read
        if alignment.coverage >= least
        for objection in against
    )


def _supports(
    alignment: Alignment, against: Sequence[Objection], policy: VerificationPolicy
) -> bool:
    limits = policy.support
    if against or alignment.order < limits.order or alignment.coverage < limits.coverage:
        return False
    if not alignment.slots:
        sparse = alignment.density < limits.density or bool(alignment.unknown)
        covered_ = alignment.coverage >= limits.words and alignment.plain >= limits.words_plain
        return covered_ and not sparse
    if alignment.swapped or all(match.from_heading for match in alignment.slots):
        return False
    filled = all(match.filled and match.near >= limits.near for match in alignment.slots)
    return filled and alignment.plain >= limits.plain


def _mismatch(
    aligner: Aligner,
    alignment: Alignment,
    against: Sequence[Objection],
    everywhere: Sequence[Alignment],
) -> SlotMatch | None:
    """The one number or date in which the claim differs from a passage about the same thing."""
    wrong = [match for match in alignment.slots if match.outcome is SlotOutcome.MISMATCH]
    if len(wrong) != 1 or any(_is_open(match) for match in alignment.slots):
        return None
    match = wrong[0]
    if not _is_close(match, alignment, aligner.policy):
        return None
    if any(_blocks(o) for o in against) and not _differs_in_figures_alone(aligner.form, alignment):
        return None
    if isinstance(match.slot.value, DateSpan) and not _dates_one_event(aligner, match.slot.value):
        return None
    return None if _is_stated(match, alignment.slots.index(match), everywhere) else match


def _differs_in_figures_alone(form: ClaimForm, alignment: Alignment) -> bool:
    """Whether the passage is the claim word for word, figures left out."""
    window = alignment.window
    numbers = window.numbers()
    own = [token.word for token in form.tokens if not covered(token, form.hidden)]
    return own == [token.word for token in window.tokens if not covered(token, numbers)]


def _is_stated(match: SlotMatch, place: int, everywhere: Sequence[Alignment]) -> bool:
    """Whether the source gives the claimed figure for these words, or for something else."""
    value = match.slot.value
    return any(
        alignment.slots[place].filled
        or any(same_figure(value, other.value) for other in alignment.window.candidates)
        for alignment in everywhere
    )


def _is_swap(
    alignment: Alignment, against: Sequence[Objection], policy: VerificationPolicy
) -> bool:
    """Whether a passage about the same thing gives two values the other way round."""
    if alignment.coverage < policy.contradiction.coverage or any(_blocks(o) for o in against):
        return False
    return all(match.filled or not _is_open(match) for match in alignment.slots)


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
    """Whether a slot is unanswered; a small count in words may be put otherwise in the passage."""
    value = match.slot.value
    spelled = isinstance(value, Quantity) and not value.text[:1].isdigit()
    return match.outcome is SlotOutcome.ABSENT and not spelled


def _dates_one_event(aligner: Aligner, date: DateSpan) -> bool:
    """Whether the claim dates something that happens once, rather than one of several.

    A title may be won in many years, and "the 1932 Grand Prix" is another race than that of 1937.
    """
    before = aligner.form.claim.text[: date.start].rsplit(maxsplit=1)
    if before and before[-1].lower() in _NAMING:
        return False
    repeatable = aligner.lexicon.words.repeatable
    return not any(token.stem in repeatable for token in aligner.form.tokens)


def _blocks(objection: Objection) -> bool:
    if objection.kind is ObjectionKind.TURN:
        derived = objection.guard == "quantifier" and objection.claimed in _DISTRIBUTIVE
        return objection.guard in _BLOCKING or derived
    return objection.foreign or (objection.kind is ObjectionKind.NAME and objection.replaced)


def _single_difference(
    aligner: Aligner, alignment: Alignment, against: Sequence[Objection]
) -> Objection | None:
    """The one word or name that differs in otherwise equal sentences."""
    if len(against) != 1 or not all(match.filled for match in alignment.slots):
        return None
    objection, limits = against[0], aligner.policy.contradiction
    negated = objection.kind is ObjectionKind.TURN and objection.guard == "negation"
    if not (negated or objection.replaced) or alignment.density < limits.same_density:
        return None
    left_out = frozenset(objection.claimed.lower().split())
    rest = aligner.coverage_without(left_out, alignment.window)
    return objection if rest >= limits.same_sentence else None


def _flipped(
    aligner: Aligner, alignment: Alignment, against: Sequence[Objection], most: float
) -> Objection | None:
    """What a passage about the same thing, one of those that hold most, says the contrary of."""
    limits = aligner.policy.contradiction
    if alignment.coverage < most - limits.denial_lead:
        return None
    if not all(match.filled for match in alignment.slots):
        return None
    for objection in sorted(against, key=lambda one: -one.strength):
        left_out = frozenset(objection.claimed.lower().split())
        rest = aligner.coverage_without(left_out, alignment.window)
        if objection.flipped and objection.strength >= limits.denial and rest >= limits.denied:
            return objection
    return None


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
    foreign = speaker is not None or any(objection.foreign for objection in against)
    stated = all(match.filled for match in alignment.slots)
    apart = last - first > policy.search.window
    meta = any(index.is_meta(number) for number in range(first, last + 1))
    if (
        foreign
        or is_altered(aligner, alignment)
        or not stated
        or apart
        or meta
        or (alignment.coverage < policy.support.quotation_frame)
    ):
        reason = "the quoted words are in the source, but not what is said about them"
        return Judgement(Verdict.UNVERIFIABLE, reason, slots=slots)
    if not all(speaker_fits(aligner.form, c, index, aligner.lexicon.words) for c in checks):
        reason = "the source gives the quoted words to someone else"
        return Judgement(Verdict.UNVERIFIABLE, reason, slots=slots)
    reason = "the source has the quoted words exactly"
    return Judgement(Verdict.SUPPORTED, reason, start, end, decided=True, slots=slots)
