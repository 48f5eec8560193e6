"""What one source says about one claim, as a record with its reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...base.vocabulary import Stance, Verdict
from ...claims.model import DateSpan
from ..meaning.objection import Objection, ObjectionKind
from ..model import SlotCheck, SlotKind, SlotOutcome
from ..policy import SupportPolicy
from ..reading.form import ClaimForm
from ..reading.records import RecordCheck
from ..reading.window import Window
from ..values.slots import SlotMatch
from .alignment import Alignment
from .quotation import QuoteCheck

_WORDS_SHOWN, _WORDS_BEFORE = 6, 3
_SENTENCE_END = re.compile(r"[.;!?](?=\s|$)|\n")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one source: supported, contradicted, unverifiable or not checkable.

    `[start, end)` is the evidence in the source's text, empty unless the claim is supported or
    contradicted. `decided` says that every slot was settled. `mismatch` or `quote` is the one part
    that differs, if a contradiction is about a number, date or quotation. A `silent` source has no
    passage with words of the claim; one that is `foreseeing` tells as planned or expected what the
    claim tells as done. `differing` is an unverifiable claim's whose best passage lacks a name or a
    superlative of the claim, and not only words.
    """

    verdict: Verdict
    reason: str
    start: int = 0
    end: int = 0
    decided: bool = False
    slots: tuple[SlotCheck, ...] = ()
    mismatch: SlotMatch | None = None
    quote: QuoteCheck | None = None
    silent: bool = False
    foreseeing: bool = False
    differing: bool = False

    @property
    def stance(self) -> Stance:
        """What the evidence does to the claim."""
        if self.verdict is Verdict.SUPPORTED:
            return Stance.SUPPORTS
        return Stance.CONTRADICTS if self.verdict is Verdict.CONTRADICTED else Stance.NEUTRAL


def slot_check(match: SlotMatch) -> SlotCheck:
    """A compared number or date as it is recorded."""
    value = match.slot.value
    kind = SlotKind.DATE if isinstance(value, DateSpan) else SlotKind.NUMBER
    found = match.found.value.text if match.found else ""
    deviation = None if match.change is None else abs(match.change)
    return SlotCheck(kind, match.outcome, value.text, found, deviation)


def slot_checks(alignment: Alignment) -> tuple[SlotCheck, ...]:
    """The compared numbers and dates of an alignment."""
    return tuple(slot_check(match) for match in alignment.slots)


def _words(alignment: Alignment) -> SlotCheck:
    share = f"{alignment.coverage:.0%} of the claim's words"
    return SlotCheck(SlotKind.WORDS, SlotOutcome.MATCH, share)


def verbatim(form: ClaimForm, window: Window) -> Judgement:
    """Supported: the claim stands in the source as it is, at `window`."""
    slots = [
        slot_check(SlotMatch(slot, SlotOutcome.MATCH, None, None, 1.0, 1.0)) for slot in form.slots
    ]
    words = SlotCheck(SlotKind.WORDS, SlotOutcome.MATCH, form.claim.text)
    return Judgement(
        Verdict.SUPPORTED,
        "the source has the sentence word for word",
        window.start,
        window.end,
        decided=True,
        slots=(*slots, words),
    )


def supported(alignment: Alignment) -> Judgement:
    """Supported by one passage that fills every slot."""
    rounded = (match for match in alignment.slots if match.outcome is SlotOutcome.ROUNDED)
    match = next(rounded, None)
    reason = "one passage of the source states every number, date and word of weight"
    if match and match.found:
        reason = (
            f"the source gives {match.found.value.text}, "
            f"which the claim rounds to {match.slot.value.text}"
        )
    window = alignment.window
    slots = (*slot_checks(alignment), _words(alignment))
    return Judgement(Verdict.SUPPORTED, reason, window.start, window.end, decided=True, slots=slots)


def differing_value(
    alignment: Alignment, match: SlotMatch, claim: str, source: str
) -> Judgement | None:
    """Contradicted: a passage about the same thing gives another number or date.

    Equal figures are shown with the words round them, which are then what differs: "up to 30
    people" and "at least 30 people". None if these are equal as well, as nothing differs then.
    """
    own, theirs = match.slot.value, match.found.value if match.found else None
    claimed, found = own.text, match.working or (theirs.text if theirs else "")
    if theirs and _is_one(claimed, found):
        claimed = _in_context(claim, own.start, own.end)
        found = _in_context(source, theirs.start, theirs.end)
        if _is_one(claimed, found):
            return None
    window = alignment.window
    return Judgement(
        Verdict.CONTRADICTED,
        f"source: {found}; claim: {claimed}{deviation_text(match.change)}",
        window.start,
        window.end,
        decided=True,
        slots=(*slot_checks(alignment), _words(alignment)),
        mismatch=match,
    )


def _is_one(claimed: str, found: str) -> bool:
    return claimed.lower().split() == found.lower().split()


def _in_context(text: str, start: int, end: int) -> str:
    """A number with the few words of its sentence that say what it is of."""
    before = _SENTENCE_END.split(text[:start])[-1].split()[-_WORDS_BEFORE:]
    after = _SENTENCE_END.split(text[end:])[0].split()[:_WORDS_SHOWN]
    return " ".join((*before, text[start:end], *after)).rstrip(" .,;:")


def by_record(check: RecordCheck) -> Judgement:
    """Supported or contradicted: a table or an enumeration answers what the claim names."""
    kind = SlotKind.NUMBER if check.slot else SlotKind.POLARITY
    if check.slot and isinstance(check.slot.value, DateSpan):
        kind = SlotKind.DATE
    deviation = None if check.change is None else abs(check.change)
    outcome = SlotOutcome.MISMATCH if check.denied else SlotOutcome.MATCH
    change = deviation_text(check.change) if check.denied else ""
    reason = f"source: {check.found}; claim: {check.claimed}{change}"
    if check.exchanged:
        reason = f"the source gives {check.claimed} and {check.exchanged} the other way round"
    return Judgement(
        Verdict.CONTRADICTED if check.denied else Verdict.SUPPORTED,
        reason,
        check.start,
        check.end,
        decided=True,
        slots=(SlotCheck(kind, outcome, check.claimed, check.found, deviation),),
    )


def swapped_values(alignment: Alignment, pair: tuple[SlotMatch, SlotMatch]) -> Judgement:
    """Contradicted: the passage gives two values the other way round."""
    left, right = (match.slot.value.text for match in pair)
    window = alignment.window
    checks = [
        replace(slot_check(match), outcome=SlotOutcome.MISMATCH)
        if match in pair
        else slot_check(match)
        for match in alignment.slots
    ]
    return Judgement(
        Verdict.CONTRADICTED,
        f"the source gives {left} and {right} the other way round",
        window.start,
        window.end,
        decided=True,
        slots=(*checks, _words(alignment)),
    )


def deviation_text(change: float | None) -> str:
    """The signed difference from the source's value for a reader, "" if there is none."""
    if not change:
        return ""
    digits = 1 if abs(change) < 0.1 else 0
    return f"; {change * 100:+.{digits}f} % against the source"


def differing_word(alignment: Alignment, objection: Objection) -> Judgement:
    """Contradicted: the same sentence with another name, direction or polarity."""
    found = f"“{objection.found}”" if objection.found else f"no “{objection.claimed}”"
    claimed = f"“{objection.claimed}”" if objection.claimed else f"no “{objection.found}”"
    kind = SlotKind.WORDS if objection.kind is ObjectionKind.NAME else SlotKind.POLARITY
    slot = SlotCheck(kind, SlotOutcome.MISMATCH, objection.claimed, objection.found)
    window = alignment.window
    return Judgement(
        Verdict.CONTRADICTED,
        f"the same sentence in the source has {found}, the claim has {claimed}",
        window.start,
        window.end,
        decided=True,
        slots=(*slot_checks(alignment), slot),
    )


def denied(alignment: Alignment, objection: Objection) -> Judgement:
    """Contradicted: a passage about the same thing says the contrary."""
    found = f"“{objection.found}”" if objection.found else f"no “{objection.claimed}”"
    claimed = f"“{objection.claimed}”" if objection.claimed else f"no “{objection.found}”"
    slot = SlotCheck(SlotKind.POLARITY, SlotOutcome.MISMATCH, objection.claimed, objection.found)
    window = alignment.window
    return Judgement(
        Verdict.CONTRADICTED,
        f"the passage on this has {found}, the claim has {claimed}",
        window.start,
        window.end,
        decided=True,
        slots=(*slot_checks(alignment), slot),
    )


def unsettled(
    alignment: Alignment,
    against: Sequence[Objection],
    policy: SupportPolicy,
    *,
    silent: bool = False,
) -> Judgement:
    """Unverifiable, with what the best passage lacks."""
    slots = slot_checks(alignment)
    differing = any(one.kind.value in policy.astray for one in against)
    absent = [match.slot.value.text for match in alignment.slots if not match.filled]
    if absent:
        reason = f"no passage states {', '.join(absent)} for what the claim says"
        return Judgement(
            Verdict.UNVERIFIABLE, reason, slots=slots, silent=silent, differing=differing
        )
    outcome = SlotOutcome.ABSENT
    if against:
        outcome = SlotOutcome.MISMATCH
        reason = f"the nearest passage differs in “{against[0].claimed or against[0].found}”"
    elif alignment.coverage < policy.coverage or alignment.plain < policy.plain:
        words = ", ".join(term.word for term in alignment.missing[:_WORDS_SHOWN])
        reason = f"the nearest passage lacks: {words}"
    else:
        reason = "the nearest passage has the claim's words in another connection"
    words = SlotCheck(SlotKind.WORDS, outcome, reason)
    return Judgement(
        Verdict.UNVERIFIABLE, reason, slots=(*slots, words), silent=silent, differing=differing
    )


def altered(check: QuoteCheck, found: str, slots: tuple[SlotCheck, ...]) -> Judgement:
    """Contradicted: the source has other words than the quotation."""
    return Judgement(
        Verdict.CONTRADICTED,
        f"the source has other words: “{found}”",
        check.start,
        check.end,
        decided=True,
        slots=slots,
        quote=check,
    )
