"""Decides a claim from the verdicts of its sources: which of them count, and as of when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import date
from typing import assert_never

from ..base.vocabulary import Drift, Stance
from ..claims.model import Polarity, Temporality
from ..claims.temporal.relative_dates import ReferenceDay
from ..verification.model import Evidence
from .types import SourceNote, WebVerdict

_LONGEST_QUOTE = 160


@dataclass(frozen=True, slots=True)
class WebSourceVerdict:
    """A source that states a claim or denies it; `found` is what it has in a value's place.

    `ended` is the day until which it says that the claim was so.
    """

    evidence: Evidence
    note: SourceNote
    found: str = ""
    ended: date | None = None

    @property
    def agrees(self) -> bool:
        """Whether it states the claim."""
        return self.evidence.stance is Stance.SUPPORTS

    @property
    def says(self) -> str:
        """The value that it has, or its words, and where."""
        words = " ".join(self.evidence.quote.split())
        words = words if len(words) <= _LONGEST_QUOTE else f"{words[:_LONGEST_QUOTE]} […]"
        return f"{self.found or f'“{words}”'} ({self.evidence.url})"


@dataclass(frozen=True, slots=True)
class Case:
    """The properties of a claim that its decision depends on.

    `against_citation` is true if it is checked against its own citation, whoever wrote that.
    `named` is true if it names who says so. `written` is the document's day; undated sources are
    taken to speak of that day.
    """

    polarity: Polarity
    temporality: Temporality
    written: ReferenceDay
    _: KW_ONLY
    against_citation: bool
    named: bool
    same_time_days: int
    outdated_after_days: int
    as_of: date


@dataclass(frozen=True, slots=True)
class WebDecision:
    """The verdict, why, and what time has to do with it."""

    verdict: WebVerdict
    reason: str
    drift: Drift = Drift.UNKNOWN
    temporal_note: str = ""
    found: str = ""
    circular: bool = False


def decide(case: Case, verdicts: Sequence[WebSourceVerdict]) -> WebDecision | None:
    """Decide a claim from the `verdicts` of its sources; None if there are none.

    Only authoritative sources confirm or contradict a claim; if they disagree, it is disputed.
    Whether somebody said something needs no authority beyond the place where it is said.
    """
    if not verdicts:
        return None
    match case.polarity:
        case Polarity.ASSERTED:
            decision = _decide_asserted(case, verdicts)
        case Polarity.ATTRIBUTED:
            decision = _decide_attributed(case, verdicts)
        case Polarity.REFUTED:
            decision = _decide_refuted(case, verdicts)
        case _:
            assert_never(case.polarity)
    return decision


def _decide_asserted(case: Case, verdicts: Sequence[WebSourceVerdict]) -> WebDecision:
    strong = [one for one in verdicts if one.note.authoritative]
    if not strong:
        return _too_weak(verdicts)
    return (
        _decide_in_time(case, strong)
        if case.temporality is Temporality.TEMPORAL
        else _decide_static(strong)
    )


def _decide_attributed(case: Case, verdicts: Sequence[WebSourceVerdict]) -> WebDecision:
    """Whether the source says so; without a citation somebody of authority has to report it."""
    relevant = verdicts
    if not case.against_citation:
        relevant = [one for one in verdicts if one.note.authoritative]
    if not relevant:
        return _too_weak(verdicts)
    agree, against = _sides(relevant)
    if agree and against:
        return _dispute(agree, against)
    if agree:
        return _confirm(agree, "the source says so")
    return _contradict(against, "the source says otherwise")


def _decide_refuted(case: Case, verdicts: Sequence[WebSourceVerdict]) -> WebDecision:
    """Whether the document represents what it argues against.

    A source that denies what the document denies, too, tells nothing of who holds it; only words of
    somebody who is named and cited can be misrepresented.
    """
    agree, against = _sides(verdicts)
    if agree:
        return _confirm(agree, "it is held as the document says")
    if case.against_citation and case.named:
        return _contradict(against, "the source does not hold what the document argues against")
    return WebDecision(
        WebVerdict.UNVERIFIABLE,
        f"no source was found that holds it; {against[0].says} denies it as the document does",
    )


def _sides(
    verdicts: Sequence[WebSourceVerdict],
) -> tuple[list[WebSourceVerdict], list[WebSourceVerdict]]:
    return (
        [one for one in verdicts if one.agrees],
        [one for one in verdicts if not one.agrees],
    )


def _too_weak(verdicts: Sequence[WebSourceVerdict]) -> WebDecision:
    speak = "; ".join(
        f"{one.evidence.url} ({one.note.tier}) {'states' if one.agrees else 'denies'} it"
        for one in verdicts
    )
    return WebDecision(WebVerdict.UNVERIFIABLE, f"no authoritative source was found: {speak}")


# --- verdicts ----------------------------------------------------------------------------------


def _who(verdicts: Sequence[WebSourceVerdict]) -> str:
    """The name of a source in reasons: that the user gave it makes it no authority."""
    of_the_web = any("://" in one.evidence.url for one in verdicts)
    return "an authoritative source" if of_the_web else "a source that was given"


def _who_all(agree: Sequence[WebSourceVerdict], against: Sequence[WebSourceVerdict]) -> str:
    given = "given" in _who(agree) or "given" in _who(against)
    return "the sources" if given else "authoritative sources"


def _decide_static(strong: Sequence[WebSourceVerdict]) -> WebDecision:
    agree, against = _sides(strong)
    if agree and against:
        return _dispute(agree, against)
    if agree:
        return _confirm(agree, f"{_who(agree)} states it", drift=Drift.CURRENT)
    return _contradict_ever(against)


def _confirm(
    agree: Sequence[WebSourceVerdict], reason: str, *, drift: Drift = Drift.UNKNOWN, note: str = ""
) -> WebDecision:
    circular = all(one.note.circular for one in agree)
    return WebDecision(WebVerdict.CONFIRMED, reason, drift, note, circular=circular)


def _contradict(
    against: Sequence[WebSourceVerdict],
    reason: str,
    *,
    drift: Drift = Drift.UNKNOWN,
    note: str = "",
) -> WebDecision:
    first = against[0]
    return WebDecision(
        WebVerdict.CONTRADICTED, f"{reason}: {first.says}", drift, note, found=first.found
    )


def _contradict_ever(against: Sequence[WebSourceVerdict]) -> WebDecision:
    note = f"Was always incorrect: {against[0].says}"
    return _contradict(
        against, f"{_who(against)} says otherwise", drift=Drift.NEVER_TRUE, note=note
    )


def _dispute(agree: Sequence[WebSourceVerdict], against: Sequence[WebSourceVerdict]) -> WebDecision:
    return WebDecision(
        WebVerdict.DISPUTED,
        f"{_who_all(agree, against)} disagree: {agree[0].evidence.url} states it, "
        f"{against[0].evidence.url} has {against[0].says}",
        found=against[0].found,
    )


# --- time --------------------------------------------------------------------------------------


def _decide_in_time(case: Case, strong: Sequence[WebSourceVerdict]) -> WebDecision:
    """Decide as of the document's day first, then whether the claim has become outdated."""
    then = [one for one in strong if one.note.dated is None or one.note.dated <= case.written.day]
    since = [one for one in strong if one not in then]
    if not then:
        return _decide_by_later(case, since)
    agree, against = (_youngest_first(side) for side in _sides(then))
    if agree and against and _at_one_time(case, agree[0], against[0]):
        return _dispute(agree, against)
    if agree and (not against or _is_younger(agree[0], against[0])):
        return _decide_right_then(case, agree, since)
    return _decide_wrong_then(case, against, agree)


def _decide_right_then(
    case: Case, agree: Sequence[WebSourceVerdict], since: Sequence[WebSourceVerdict]
) -> WebDecision:
    ended = next((one for one in agree if one.ended and case.written.day < one.ended), None)
    if ended is not None and ended.ended is not None and ended.ended <= case.as_of:
        note = (
            f"Accurate as of {case.written.day} / Now outdated: ended {ended.ended}, {ended.says}"
        )
        reason = "right when the document was written"
        return _confirm(agree, reason, drift=Drift.OUTDATED, note=note)
    still, changed = (_youngest_first(side) for side in _sides(since))
    if changed and (not still or _is_younger(changed[0], still[0])):
        return _mark_outdated(case, [*agree, *still], changed[0])
    dates = [one.note.dated for one in (*agree, *still) if one.note.dated]
    reason = f"{_who([*agree, *still])} states it"
    if dates and (case.as_of - max(dates)).days <= case.outdated_after_days:
        return _confirm([*agree, *still], reason, drift=Drift.CURRENT)
    when = f"as of {max(dates)}" if dates else "by a source that bears no date"
    return _confirm(
        [*agree, *still], reason, note=f"Accurate {when}; whether it still is was not found."
    )


def _mark_outdated(
    case: Case, agree: Sequence[WebSourceVerdict], changed: WebSourceVerdict
) -> WebDecision:
    note = (
        f"Accurate as of {case.written.day} / Now outdated: {changed.says}, "
        f"as of {changed.note.dated}"
    )
    decision = _confirm(
        agree, "right when the document was written", drift=Drift.OUTDATED, note=note
    )
    return replace(decision, found=changed.found)


def _decide_wrong_then(
    case: Case, against: Sequence[WebSourceVerdict], before: Sequence[WebSourceVerdict]
) -> WebDecision:
    reason = f"{_who(against)} says otherwise"
    if before:
        note = (
            f"Was so as of {before[0].note.dated}; outdated when the document was written "
            f"({case.written.day}): {against[0].says}"
        )
        return _contradict(against, reason, drift=Drift.OUTDATED, note=note)
    if any(one.note.dated for one in against) or case.written.assumed:
        return _contradict_ever(against)
    note = f"Not so by a source that bears no date: {against[0].says}"
    return _contradict(against, reason, note=note)


def _decide_by_later(case: Case, since: Sequence[WebSourceVerdict]) -> WebDecision:
    """Only sources younger than the document speak."""
    agree, against = (_youngest_first(side) for side in _sides(since))
    if agree and against:
        if _at_one_time(case, agree[0], against[0]) or not _is_younger(against[0], agree[0]):
            return _dispute(agree, against)
        return _mark_outdated(case, agree, against[0])
    if agree:
        day = agree[-1].note.dated
        note = f"Accurate as of {day}, after the document's day ({case.written.day})."
        reason = f"{_who(agree)} states it"
        return _confirm(agree, reason, drift=Drift.CURRENT, note=note)
    note = (
        f"Differs as of {against[0].note.dated}, after the document's day ({case.written.day}): "
        f"{against[0].says}"
    )
    reason = "no authoritative source was found for the time of the document"
    return WebDecision(WebVerdict.UNVERIFIABLE, reason, temporal_note=note, found=against[0].found)


def _youngest_first(verdicts: Sequence[WebSourceVerdict]) -> list[WebSourceVerdict]:
    return sorted(verdicts, key=lambda one: one.note.dated or date.min, reverse=True)


def _is_younger(one: WebSourceVerdict, other: WebSourceVerdict) -> bool:
    return (one.note.dated or date.min) > (other.note.dated or date.min)


def _at_one_time(case: Case, one: WebSourceVerdict, other: WebSourceVerdict) -> bool:
    """Whether two sources speak of one time as far as is known."""
    if one.note.dated is None or other.note.dated is None:
        return True
    return abs((one.note.dated - other.note.dated).days) <= case.same_time_days
