"""Decides a claim from the verdicts of its sources: which of them count, and as of when."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import date

from ..base.vocabulary import Drift, Stance
from ..claims.dates import find_dates
from ..claims.lexicon import Lexicon
from ..claims.model import Granularity, Polarity, Temporality
from ..documents.model import BlockKind, Document
from ..verification.model import Evidence
from .types import SourceNote, WebVerdict

_KEYS = ("date", "published", "publish_date", "created", "updated", "modified", "last_modified")
_LINE = re.compile(
    r"\W*(?:date|dated|published|posted|released|issued|written|updated|last (?:updated|modified)"
    r"|as of|version of|draft of|status)\b",
    re.IGNORECASE,
)
# A dateline names a place and ends in a dash: "RIGA, 3 March 2026 – The port …".
_PLACE_LINE = re.compile(r"[A-Z][\w. ]{1,40}(?:, [A-Z]\w+)?[,(] ?$")
_LONGEST_LINE = 8
_FIRST_SENTENCES = 6

_LONGEST_QUOTE = 160


@dataclass(frozen=True, slots=True)
class ReferenceDay:
    """The day that a document's "today" is; `assumed` if the document does not state it."""

    day: date
    assumed: bool


def reference_day(document: Document, lexicon: Lexicon, as_of: date) -> ReferenceDay:
    """The document's date: front matter, a line at its head, else `as_of`."""
    entries = {name.casefold(): value for name, value in document.front_matter}
    values = [entries[key] for key in _KEYS if key in entries]
    for text in (*values, *_head_lines(document, lexicon)):
        for found in find_dates(text, lexicon):
            if found.granularity in (Granularity.DAY, Granularity.MONTH) and found.first <= as_of:
                return ReferenceDay(min(found.last, as_of), assumed=False)
    return ReferenceDay(as_of, assumed=True)


def _head_lines(document: Document, lexicon: Lexicon) -> Iterator[str]:
    """Dates at the head of a document that may date it: from a short line or a dateline."""
    prose = [
        one.text
        for one in document.sentences[: 3 * _FIRST_SENTENCES]
        # A line that is nothing but a date reads as an entry of a list of references.
        if one.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.REFERENCE)
    ]
    for text in prose[:_FIRST_SENTENCES]:
        dates = find_dates(text, lexicon)
        if not dates:
            continue
        first = dates[0]
        rest = text[: first.start] + text[first.end :]
        bare = not rest.strip(" *_().,:")
        line = len(rest.split()) <= _LONGEST_LINE and (bare or _LINE.match(text))
        after = text[first.end :].lstrip(" )")[:1]
        if line or (_PLACE_LINE.match(text[: first.start]) and after in ("-", "–", "—")):
            yield first.text


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
    def day(self) -> date:
        """Its day; one that is not known is before all others."""
        return self.note.dated or date.min

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
    if case.polarity is Polarity.REFUTED:
        return _decide_refuted(case, verdicts)
    attributed = case.polarity is Polarity.ATTRIBUTED
    own = attributed and case.against_citation
    relevant = [one for one in verdicts if own or one.note.authoritative]
    if not relevant:
        return _too_weak(verdicts)
    if case.temporality is Temporality.TEMPORAL and not attributed:
        return _decide_in_time(case, relevant)
    agree, against = _sides(relevant)
    if agree and against:
        return _dispute(agree, against)
    if agree:
        return _confirm(agree, drift=Drift.UNKNOWN if attributed else Drift.CURRENT)
    return _contradict(against) if attributed else _contradict_ever(against)


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
    verdicts: Iterable[WebSourceVerdict],
) -> tuple[list[WebSourceVerdict], list[WebSourceVerdict]]:
    """The sources that state a claim and those that deny it, the youngest first."""
    ordered = sorted(verdicts, key=lambda one: one.day, reverse=True)
    return [one for one in ordered if one.agrees], [one for one in ordered if not one.agrees]


def _too_weak(verdicts: Sequence[WebSourceVerdict]) -> WebDecision:
    speak = "; ".join(
        f"{one.evidence.url} ({one.note.tier}) {'states' if one.agrees else 'denies'} it"
        for one in verdicts
    )
    return WebDecision(WebVerdict.UNVERIFIABLE, f"no authoritative source was found: {speak}")


# --- verdicts ----------------------------------------------------------------------------------
# Reasons name a source by its address: that the user gave it makes it no authority.


def _confirm(
    agree: Sequence[WebSourceVerdict],
    reason: str = "",
    *,
    drift: Drift = Drift.UNKNOWN,
    note: str = "",
    found: str = "",
) -> WebDecision:
    circular = all(one.note.circular for one in agree)
    reason = reason or f"{agree[0].evidence.url} states it"
    return WebDecision(WebVerdict.CONFIRMED, reason, drift, note, found, circular)


def _contradict(
    against: Sequence[WebSourceVerdict],
    reason: str = "a source says otherwise",
    *,
    drift: Drift = Drift.UNKNOWN,
    note: str = "",
) -> WebDecision:
    first = against[0]
    reason = f"{reason}: {first.says}"
    return WebDecision(WebVerdict.CONTRADICTED, reason, drift, note, first.found)


def _contradict_ever(against: Sequence[WebSourceVerdict]) -> WebDecision:
    note = f"Was always incorrect: {against[0].says}"
    return _contradict(against, drift=Drift.NEVER_TRUE, note=note)


def _dispute(agree: Sequence[WebSourceVerdict], against: Sequence[WebSourceVerdict]) -> WebDecision:
    return WebDecision(
        WebVerdict.DISPUTED,
        f"the sources disagree: {agree[0].evidence.url} states it, "
        f"{against[0].evidence.url} has {against[0].says}",
        found=against[0].found,
    )


# --- time --------------------------------------------------------------------------------------


def _decide_in_time(case: Case, strong: Sequence[WebSourceVerdict]) -> WebDecision:
    """Decide as of the document's day first, then whether the claim has become outdated."""
    since = [one for one in strong if one.day > case.written.day]
    agree, against = _sides(one for one in strong if one.day <= case.written.day)
    if not agree and not against:
        return _decide_by_later(case, since)
    if agree and against and _at_one_time(case, agree[0], against[0]):
        return _dispute(agree, against)
    if agree and (not against or agree[0].day > against[0].day):
        return _decide_right_then(case, agree, since)
    return _decide_wrong_then(case, against, agree)


def _decide_right_then(
    case: Case, agree: Sequence[WebSourceVerdict], since: Sequence[WebSourceVerdict]
) -> WebDecision:
    for one in agree:
        if one.ended and case.written.day < one.ended <= case.as_of:
            return _mark_outdated(case, agree, f"ended {one.ended}, {one.says}")
    still, changed = _sides(since)
    agree = [*agree, *still]
    if changed and (not still or changed[0].day > still[0].day):
        now = f"{changed[0].says}, as of {changed[0].day}"
        return _mark_outdated(case, agree, now, changed[0].found)
    latest = max(one.day for one in agree)
    if (case.as_of - latest).days <= case.outdated_after_days:
        return _confirm(agree, drift=Drift.CURRENT)
    undated = latest == date.min
    when = "by a source that bears no date" if undated else f"as of {latest}"
    return _confirm(agree, note=f"Accurate {when}; whether it still is was not found.")


def _mark_outdated(
    case: Case, agree: Sequence[WebSourceVerdict], now: str, found: str = ""
) -> WebDecision:
    note = f"Accurate as of {case.written.day} / Now outdated: {now}"
    reason = "right when the document was written"
    return _confirm(agree, reason, drift=Drift.OUTDATED, note=note, found=found)


def _decide_wrong_then(
    case: Case, against: Sequence[WebSourceVerdict], before: Sequence[WebSourceVerdict]
) -> WebDecision:
    if before:
        note = (
            f"Was so as of {before[0].note.dated}; outdated when the document was written "
            f"({case.written.day}): {against[0].says}"
        )
        return _contradict(against, drift=Drift.OUTDATED, note=note)
    if case.written.assumed or against[0].note.dated:
        return _contradict_ever(against)
    return _contradict(against, note=f"Not so by a source that bears no date: {against[0].says}")


def _decide_by_later(case: Case, since: Sequence[WebSourceVerdict]) -> WebDecision:
    """Only sources younger than the document speak."""
    agree, against = _sides(since)
    after = f"after the document's day ({case.written.day})"
    if agree and against:
        if _at_one_time(case, agree[0], against[0]) or against[0].day <= agree[0].day:
            return _dispute(agree, against)
        now = f"{against[0].says}, as of {against[0].day}"
        return _mark_outdated(case, agree, now, against[0].found)
    if agree:
        note = f"Accurate as of {agree[-1].day}, {after}."
        return _confirm(agree, drift=Drift.CURRENT, note=note)
    return WebDecision(
        WebVerdict.UNVERIFIABLE,
        "no authoritative source was found for the time of the document",
        temporal_note=f"Differs as of {against[0].day}, {after}: {against[0].says}",
        found=against[0].found,
    )


def _at_one_time(case: Case, one: WebSourceVerdict, other: WebSourceVerdict) -> bool:
    """Whether two sources speak of one time as far as is known."""
    if one.note.dated is None or other.note.dated is None:
        return True
    return abs((one.day - other.day).days) <= case.same_time_days
