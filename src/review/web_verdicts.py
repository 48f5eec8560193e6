"""From what sources say to a verdict: whose word counts, and as of when (phase 4b)."""

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
class Witness:
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
    """How a claim is to be judged.

    `against_citation` is true if it is held against what it cites, whoever wrote that. `named` is
    true if it says who says so. `written` is the document's day; of sources whose day is not known
    it is taken that they speak of that day.
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
class Settled:
    """The verdict, why, and what time has to do with it."""

    verdict: WebVerdict
    reason: str
    drift: Drift = Drift.UNKNOWN
    temporal_note: str = ""
    found: str = ""
    circular: bool = False


def settle(case: Case, witnesses: Sequence[Witness]) -> Settled | None:
    """What `witnesses` together say; None if there are none.

    Confirmed or contradicted is a claim by authoritative sources alone, disputed if such sources
    disagree. Whether somebody said something needs no authority beyond the place where it is said.
    """
    if not witnesses:
        return None
    match case.polarity:
        case Polarity.ASSERTED:
            settled = _asserted(case, witnesses)
        case Polarity.ATTRIBUTED:
            settled = _attributed(case, witnesses)
        case Polarity.REFUTED:
            settled = _refuted(case, witnesses)
        case _:
            assert_never(case.polarity)
    return settled


def _asserted(case: Case, witnesses: Sequence[Witness]) -> Settled:
    strong = [one for one in witnesses if one.note.authoritative]
    if not strong:
        return _too_weak(witnesses)
    return _in_time(case, strong) if case.temporality is Temporality.TEMPORAL else _static(strong)


def _attributed(case: Case, witnesses: Sequence[Witness]) -> Settled:
    """Whether the source says so; without a citation somebody of authority has to report it."""
    heard = witnesses
    if not case.against_citation:
        heard = [one for one in witnesses if one.note.authoritative]
    if not heard:
        return _too_weak(witnesses)
    agree, against = _sides(heard)
    if agree and against:
        return _disputed(agree, against)
    if agree:
        return _confirmed(agree, "the source says so")
    return _contradicted(against, "the source says otherwise")


def _refuted(case: Case, witnesses: Sequence[Witness]) -> Settled:
    """Whether the document represents what it argues against.

    A source that denies what the document denies, too, tells nothing of who holds it; only words of
    somebody who is named and cited can be misrepresented.
    """
    agree, against = _sides(witnesses)
    if agree:
        return _confirmed(agree, "it is held as the document says")
    if case.against_citation and case.named:
        return _contradicted(against, "the source does not hold what the document argues against")
    return Settled(
        WebVerdict.UNVERIFIABLE,
        f"no source was found that holds it; {against[0].says} denies it as the document does",
    )


def _sides(witnesses: Sequence[Witness]) -> tuple[list[Witness], list[Witness]]:
    return (
        [one for one in witnesses if one.agrees],
        [one for one in witnesses if not one.agrees],
    )


def _too_weak(witnesses: Sequence[Witness]) -> Settled:
    speak = "; ".join(
        f"{one.evidence.url} ({one.note.tier}) {'states' if one.agrees else 'denies'} it"
        for one in witnesses
    )
    return Settled(WebVerdict.UNVERIFIABLE, f"no authoritative source was found: {speak}")


# --- verdicts ----------------------------------------------------------------------------------


def _who(witnesses: Sequence[Witness]) -> str:
    """What a source may be called: one that the user gave is no authority by that."""
    of_the_web = any("://" in one.evidence.url for one in witnesses)
    return "an authoritative source" if of_the_web else "a source that was given"


def _who_all(agree: Sequence[Witness], against: Sequence[Witness]) -> str:
    given = "given" in _who(agree) or "given" in _who(against)
    return "the sources" if given else "authoritative sources"


def _static(strong: Sequence[Witness]) -> Settled:
    agree, against = _sides(strong)
    if agree and against:
        return _disputed(agree, against)
    if agree:
        return _confirmed(agree, f"{_who(agree)} states it", drift=Drift.CURRENT)
    return _never(against)


def _confirmed(
    agree: Sequence[Witness], reason: str, *, drift: Drift = Drift.UNKNOWN, note: str = ""
) -> Settled:
    circular = all(one.note.circular for one in agree)
    return Settled(WebVerdict.CONFIRMED, reason, drift, note, circular=circular)


def _contradicted(
    against: Sequence[Witness], reason: str, *, drift: Drift = Drift.UNKNOWN, note: str = ""
) -> Settled:
    first = against[0]
    return Settled(
        WebVerdict.CONTRADICTED, f"{reason}: {first.says}", drift, note, found=first.found
    )


def _never(against: Sequence[Witness]) -> Settled:
    note = f"Was always incorrect: {against[0].says}"
    return _contradicted(
        against, f"{_who(against)} says otherwise", drift=Drift.NEVER_TRUE, note=note
    )


def _disputed(agree: Sequence[Witness], against: Sequence[Witness]) -> Settled:
    return Settled(
        WebVerdict.DISPUTED,
        f"{_who_all(agree, against)} disagree: {agree[0].evidence.url} states it, "
        f"{against[0].evidence.url} has {against[0].says}",
        found=against[0].found,
    )


# --- time --------------------------------------------------------------------------------------


def _in_time(case: Case, strong: Sequence[Witness]) -> Settled:
    """As of the document's day first, then what has become of it (decision 27)."""
    then = [one for one in strong if one.note.dated is None or one.note.dated <= case.written.day]
    since = [one for one in strong if one not in then]
    if not then:
        return _only_since(case, since)
    agree, against = (_youngest_first(side) for side in _sides(then))
    if agree and against and _at_one_time(case, agree[0], against[0]):
        return _disputed(agree, against)
    if agree and (not against or _is_younger(agree[0], against[0])):
        return _right_then(case, agree, since)
    return _wrong_then(case, against, agree)


def _right_then(case: Case, agree: Sequence[Witness], since: Sequence[Witness]) -> Settled:
    ended = next((one for one in agree if one.ended and case.written.day < one.ended), None)
    if ended is not None and ended.ended is not None and ended.ended <= case.as_of:
        note = (
            f"Accurate as of {case.written.day} / Now outdated: ended {ended.ended}, {ended.says}"
        )
        reason = "right when the document was written"
        return _confirmed(agree, reason, drift=Drift.OUTDATED, note=note)
    still, changed = (_youngest_first(side) for side in _sides(since))
    if changed and (not still or _is_younger(changed[0], still[0])):
        return _outdated(case, [*agree, *still], changed[0])
    dates = [one.note.dated for one in (*agree, *still) if one.note.dated]
    reason = f"{_who([*agree, *still])} states it"
    if dates and (case.as_of - max(dates)).days <= case.outdated_after_days:
        return _confirmed([*agree, *still], reason, drift=Drift.CURRENT)
    told = f"as of {max(dates)}" if dates else "by a source that bears no date"
    return _confirmed(
        [*agree, *still], reason, note=f"Accurate {told}; whether it still is was not found."
    )


def _outdated(case: Case, agree: Sequence[Witness], changed: Witness) -> Settled:
    note = (
        f"Accurate as of {case.written.day} / Now outdated: {changed.says}, "
        f"as of {changed.note.dated}"
    )
    settled = _confirmed(
        agree, "right when the document was written", drift=Drift.OUTDATED, note=note
    )
    return replace(settled, found=changed.found)


def _wrong_then(case: Case, against: Sequence[Witness], before: Sequence[Witness]) -> Settled:
    reason = f"{_who(against)} says otherwise"
    if before:
        note = (
            f"Was so as of {before[0].note.dated}; outdated when the document was written "
            f"({case.written.day}): {against[0].says}"
        )
        return _contradicted(against, reason, drift=Drift.OUTDATED, note=note)
    if any(one.note.dated for one in against) or case.written.assumed:
        return _never(against)
    note = f"Not so by a source that bears no date: {against[0].says}"
    return _contradicted(against, reason, note=note)


def _only_since(case: Case, since: Sequence[Witness]) -> Settled:
    """Only sources younger than the document speak."""
    agree, against = (_youngest_first(side) for side in _sides(since))
    if agree and against:
        if _at_one_time(case, agree[0], against[0]) or not _is_younger(against[0], agree[0]):
            return _disputed(agree, against)
        return _outdated(case, agree, against[0])
    if agree:
        day = agree[-1].note.dated
        note = f"Accurate as of {day}, after the document's day ({case.written.day})."
        reason = f"{_who(agree)} states it"
        return _confirmed(agree, reason, drift=Drift.CURRENT, note=note)
    note = (
        f"Differs as of {against[0].note.dated}, after the document's day ({case.written.day}): "
        f"{against[0].says}"
    )
    reason = "no authoritative source was found for the time of the document"
    return Settled(WebVerdict.UNVERIFIABLE, reason, temporal_note=note, found=against[0].found)


def _youngest_first(witnesses: Sequence[Witness]) -> list[Witness]:
    return sorted(witnesses, key=lambda one: one.note.dated or date.min, reverse=True)


def _is_younger(one: Witness, other: Witness) -> bool:
    return (one.note.dated or date.min) > (other.note.dated or date.min)


def _at_one_time(case: Case, one: Witness, other: Witness) -> bool:
    """Whether two sources speak of one time as far as is known."""
    if one.note.dated is None or other.note.dated is None:
        return True
    return abs((one.note.dated - other.note.dated).days) <= case.same_time_days
