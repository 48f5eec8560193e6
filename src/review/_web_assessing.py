"""Assesses claims against outside sources: their words, which of them count, and as of when."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import TypeAlias

from ..agents.fact_check_batches import clip
from ..base.vocabulary import Drift, Stance, Verdict
from ..claims.document_day import day_written
from ..claims.model import Claim, Polarity, Temporality
from ..claims.routing import is_attributed
from ..core.source_tools import SourceReader
from ..documents.language import reads_english
from ..documents.model import Document
from ..sources.model import SourceSet
from ..sources.scoring.model import RatedSource
from ..verification.assessing.assess import assess_claim
from ..verification.cautions import with_cautions
from ..verification.exact.changes import end_of
from ..verification.judge import compare_with, judge
from ..verification.model import ClaimAssessment, Evidence, SlotOutcome
from ..verification.passages.retrieval import SourceIndex, SourceText
from .extraction import restate_refuted, reword
from .types import (
    ENGINE_VERDICTS,
    WEB_VERDICTS,
    DetectedClaims,
    ExtractedClaim,
    SourceNote,
    WebResult,
    WebSource,
    WebVerdict,
)
from .web_sources import Outside, WebRules, checks_citation, outside_passages, source_notes

_LONG_WORD = re.compile(r"\w{3,}")
_LONGEST_QUOTE = 160


@dataclass(frozen=True, slots=True)
class SourceVerdict:
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
        words = clip(" ".join(self.evidence.quote.split()), _LONGEST_QUOTE)
        return f"{self.found or f'“{words}”'} ({self.evidence.url})"


Verdicts: TypeAlias = Sequence[SourceVerdict]


@dataclass(frozen=True, slots=True)
class TimeRules:
    """The day that a document states, if it does, that of its check, and how far days may differ.

    Undated sources are taken to speak of the day that the document was `written`.
    """

    stated: date | None
    as_of: date
    same_time_days: int
    outdated_after_days: int

    @property
    def written(self) -> date:
        """The document's day; of one that states none that of its check, as nothing is later."""
        return self.stated or self.as_of


def decide(
    claim: Claim, verdicts: Verdicts, time: TimeRules, *, names_speaker: bool
) -> WebResult | None:
    """Decide a claim from the `verdicts` of its sources; None if there are none.

    Only authoritative sources confirm or contradict a claim; if they disagree, it is disputed.
    Whether somebody said something needs no authority beyond the place where it is said.
    `names_speaker` is true if the claim says who says so. The result names no claim.
    """
    if not verdicts:
        return None
    cited = checks_citation(claim)
    if claim.polarity is Polarity.REFUTED:
        return _decide_refuted(verdicts, misrepresentable=cited and names_speaker)
    attributed = claim.polarity is Polarity.ATTRIBUTED
    relevant = [one for one in verdicts if (attributed and cited) or one.note.authoritative]
    if not relevant:
        speak = "; ".join(
            f"{one.evidence.url} ({one.note.tier}) {'states' if one.agrees else 'denies'} it"
            for one in verdicts
        )
        return _leave_open(f"no authoritative source was found: {speak}")
    timely = claim.temporality is Temporality.TEMPORAL or any(one.ended for one in relevant)
    if timely and not attributed:
        return _decide_in_time(time, relevant)
    agree, against = _sides(relevant)
    if agree and against:
        return _dispute(agree, against)
    if agree:
        return _confirm(agree, Drift.UNKNOWN if attributed else Drift.CURRENT)
    return _contradict(against) if attributed else _contradict_ever(against)


def _decide_refuted(verdicts: Verdicts, *, misrepresentable: bool) -> WebResult:
    """Whether the document represents what it argues against.

    A source that denies what the document denies, too, tells nothing of who holds it; only words of
    somebody who is named and cited can be misrepresented.
    """
    agree, against = _sides(verdicts)
    if agree:
        return _confirm(agree, reason="it is held as the document says")
    if misrepresentable:
        return _contradict(against, "the source does not hold what the document argues against")
    denied = f"{against[0].says} denies it as the document does"
    return _leave_open(f"no source was found that holds it; {denied}")


def _sides(verdicts: Iterable[SourceVerdict]) -> tuple[Verdicts, Verdicts]:
    """The sources that state a claim and those that deny it, the youngest first."""
    ordered = sorted(verdicts, key=lambda one: one.day, reverse=True)
    return [one for one in ordered if one.agrees], [one for one in ordered if not one.agrees]


# --- verdicts ----------------------------------------------------------------------------------
# Reasons name a source by its address: that the user gave it makes it no authority.


def _leave_open(reason: str) -> WebResult:
    return WebResult("", WebVerdict.UNVERIFIABLE, reason)


def _confirm(agree: Verdicts, drift: Drift = Drift.UNKNOWN, reason: str = "") -> WebResult:
    reason = reason or f"{agree[0].evidence.url} states it"
    circular = all(one.note.circular for one in agree)
    return WebResult("", WebVerdict.CONFIRMED, reason, drift=drift, circular=circular)


def _contradict(against: Verdicts, reason: str = "a source says otherwise") -> WebResult:
    reason = f"{reason}: {against[0].says}"
    return WebResult("", WebVerdict.CONTRADICTED, reason, found=against[0].found)


def _contradict_ever(against: Verdicts) -> WebResult:
    note = f"Was always incorrect: {against[0].says}"
    return replace(_contradict(against), drift=Drift.NEVER_TRUE, temporal_note=note)


def _dispute(agree: Verdicts, against: Verdicts) -> WebResult:
    states, denies = agree[0].evidence.url, against[0].evidence.url
    reason = f"the sources disagree: {states} states it, {denies} has {against[0].says}"
    return WebResult("", WebVerdict.DISPUTED, reason, found=against[0].found)


# --- time --------------------------------------------------------------------------------------


def _decide_in_time(time: TimeRules, strong: Verdicts) -> WebResult:
    """Decide as of the document's day first, then whether the claim has become outdated."""
    since = [one for one in strong if one.day > time.written]
    agree, against = _sides(one for one in strong if one.day <= time.written)
    if not agree and not against:
        return _decide_by_later(time, since)
    if agree and against and _at_one_time(time, agree[0], against[0]):
        return _dispute(agree, against)
    if agree and (not against or agree[0].day > against[0].day):
        return _decide_right_then(time, agree, since)
    return _decide_wrong_then(time, against, agree)


def _decide_right_then(time: TimeRules, agree: Verdicts, since: Verdicts) -> WebResult:
    for one in agree:
        if one.ended and time.written < one.ended <= time.as_of:
            return _mark_outdated(time, agree, f"ended {one.ended}, {one.says}")
    still, changed = _sides(since)
    agree = [*agree, *still]
    if changed and (not still or changed[0].day > still[0].day):
        return _mark_changed(time, agree, changed[0])
    latest = max(one.day for one in agree)
    if (time.as_of - latest).days <= time.outdated_after_days:
        return _confirm(agree, Drift.CURRENT)
    when = "by a source that bears no date" if latest == date.min else f"as of {latest}"
    note = f"Accurate {when}; whether it still is was not found."
    return replace(_confirm(agree), temporal_note=note)


def _mark_changed(time: TimeRules, agree: Verdicts, now: SourceVerdict) -> WebResult:
    return _mark_outdated(time, agree, f"{now.says}, as of {now.day}", now.found)


def _mark_outdated(time: TimeRules, agree: Verdicts, now: str, found: str = "") -> WebResult:
    note = f"Accurate as of {time.written} / Now outdated: {now}"
    right = _confirm(agree, Drift.OUTDATED, "right when the document was written")
    return replace(right, temporal_note=note, found=found)


def _decide_wrong_then(time: TimeRules, against: Verdicts, before: Verdicts) -> WebResult:
    if before:
        note = (
            f"Was so as of {before[0].note.dated}; outdated when the document was written "
            f"({time.written}): {against[0].says}"
        )
        return replace(_contradict(against), drift=Drift.OUTDATED, temporal_note=note)
    if time.stated is None or against[0].note.dated:
        return _contradict_ever(against)
    note = f"Not so by a source that bears no date: {against[0].says}"
    return replace(_contradict(against), temporal_note=note)


def _decide_by_later(time: TimeRules, since: Verdicts) -> WebResult:
    """Only sources younger than the document speak."""
    agree, against = _sides(since)
    after = f"after the document's day ({time.written})"
    if agree and against:
        if _at_one_time(time, agree[0], against[0]) or against[0].day <= agree[0].day:
            return _dispute(agree, against)
        return _mark_changed(time, agree, against[0])
    if agree:
        note = f"Accurate as of {agree[-1].day}, {after}."
        return replace(_confirm(agree, Drift.CURRENT), temporal_note=note)
    unknown = _leave_open("no authoritative source was found for the time of the document")
    note = f"Differs as of {against[0].day}, {after}: {against[0].says}"
    return replace(unknown, temporal_note=note, found=against[0].found)


def _at_one_time(time: TimeRules, one: SourceVerdict, other: SourceVerdict) -> bool:
    """Whether two sources speak of one time as far as is known."""
    if one.note.dated is None or other.note.dated is None:
        return True
    return abs((one.day - other.day).days) <= time.same_time_days


@dataclass(frozen=True)
class WebAssessor:
    """Assesses the claims of one document against outside sources, one at a time.

    `chosen` are the claims to verify, as the document has them; `stated` are the same as the engine
    knows them, by id.
    """

    detected: DetectedClaims
    chosen: tuple[ExtractedClaim, ...]
    stated: Mapping[str, Claim]
    reader: SourceReader
    rules: WebRules

    @cached_property
    def _claims(self) -> Mapping[str, Claim]:
        """The claims to compare, by id: of a refuted one what the document argues against."""
        detected = self.detected
        return {
            one.id: restate_refuted(self.stated[one.id], detected.lexicon, as_of=detected.as_of)
            for one in self.chosen
        }

    @property
    def document(self) -> Document:
        """The document under review."""
        return self.detected.document

    @cached_property
    def time(self) -> TimeRules:
        """The document's day, and how far apart days may be."""
        registry = self.rules.registry
        return TimeRules(
            day_written(self.document, registry.lexicon, until=self.detected.as_of),
            self.detected.as_of,
            self.rules.policy.same_time_days,
            registry.severity.outdated_after_days,
        )

    def _notes(self, sources: SourceSet, rated: Iterable[RatedSource]) -> Mapping[str, SourceNote]:
        return source_notes(self.document, sources, rated, self.rules, written=self.time.written)

    def assess(self, outside: Outside) -> dict[str, ClaimAssessment]:
        """Assess each claim by code; the assessments by id. It takes seconds."""
        registry, claims = self.rules.registry, tuple(self._claims.values())
        sources = self.reader.store.source_set(outside.sources)
        index = SourceIndex(sources, registry.lexicon)
        notes = self._notes(sources, self.rules.appraise(sources).rated)
        problems = {query.claim_id: query.problem for query in outside.queries}
        assessments = [self._assess_claim(one, index, notes, problems[one.id]) for one in claims]
        assessed = with_cautions(self.document, claims, assessments, registry)
        return {one.claim_id: one for one in assessed}

    def _assess_claim(
        self, claim: Claim, index: SourceIndex, notes: Mapping[str, SourceNote], problem: str
    ) -> ClaimAssessment:
        """Assess `claim` by code; `problem` says why the search for it had no answer."""
        registry, language = self.rules.registry, self.document.language
        evidence, silence = tuple[Evidence, ...](), ""
        english = reads_english(language)
        if not english:
            silence = f"the document's language ({language}) is not compared"
        elif claim.cited:
            day, written = self.detected.as_of, self.time.stated
            cited = assess_claim(
                claim, index, registry, as_of=day, written=written, language=language
            )
            evidence, silence = cited.evidence, cited.reason
        if english and not checks_citation(claim):
            evidence, silence = self._find_evidence(claim, index, notes, evidence), ""
        decision = self._decide(claim, evidence, notes)
        verdict = ENGINE_VERDICTS[decision.verdict] if decision else Verdict.UNVERIFIABLE
        silence = silence or self._explain_silence(index.sources, problem)
        return ClaimAssessment(
            claim.id,
            verdict,
            claim.citation_state,
            decision.reason if decision else silence,
            decided=verdict is not Verdict.UNVERIFIABLE,
            evidence=evidence,
            passages=outside_passages(claim, index, registry) if english else (),
        )

    def _find_evidence(
        self,
        claim: Claim,
        index: SourceIndex,
        notes: Mapping[str, SourceNote],
        cited: Iterable[Evidence],
    ) -> tuple[Evidence, ...]:
        """The words of sources that state a claim or deny it, those of `cited` ones among them.

        Authoritative independent sources, other independent ones and circular ones each have their
        own few, so that copies of one kind do not keep the others out.
        """
        registry, lexicon = self.rules.registry, self.rules.registry.lexicon
        evidence = {item.url: item for item in cited}
        circular = {url for url, note in notes.items() if note.circular}
        weak = {url for url, note in notes.items() if not note.authoritative}
        # No source has to have its intensifiers.
        core = reword(claim, claim.core, lexicon, self.detected.as_of) if claim.core else claim
        for besides in map(frozenset, (circular | weak, circular, notes.keys() - circular)):
            for url in index.likely(claim.text, besides=besides):
                if url in evidence:
                    continue
                says = compare_with(core, url, index, registry, written=self.time.stated)
                if item := says.support or says.against:
                    evidence[url] = item
        return tuple(evidence.values())

    def _explain_silence(self, sources: SourceSet, problem: str) -> str:
        """The reason why none of the sources speaks on a claim."""
        read = sum(source.state.readable for source in sources.sources.values())
        if not read and self.reader.searching is None:
            return problem or "there is no search provider, and no source to hold it against"
        if not read:
            return problem or "no source was found that could be read"
        reason = f"none of the {read} sources at hand states or denies it"
        if read == 1:
            reason = "the one source at hand neither states nor denies it"
        return f"{reason}; {problem}" if problem else reason

    def _decide(
        self, claim: Claim, evidence: Iterable[Evidence], notes: Mapping[str, SourceNote]
    ) -> WebResult | None:
        """Decide `claim` from the words of its sources; None if none of them speaks on it."""
        sentence = self.document.sentences[claim.sentence].text
        verdicts = [
            SourceVerdict(
                item, notes[item.url], self._find_value(claim, item), self._find_end(claim, item)
            )
            for item in evidence
            if item.stance is not Stance.NEUTRAL and item.url in notes
        ]
        named = is_attributed(sentence, self.rules.registry.lexicon.routing)
        return decide(claim, verdicts, self.time, names_speaker=named)

    def _find_end(self, claim: Claim, item: Evidence) -> date | None:
        """The day until which `item` says that the claim was so: "was chief until 1 May 2023"."""
        if item.stance is not Stance.SUPPORTS:
            return None
        words = set(_LONG_WORD.findall(claim.text.casefold()))
        for sentence in re.split(r"(?<=[.!?])\s+", item.quote):
            found = set(_LONG_WORD.findall(sentence.casefold()))
            if 2 * len(words & found) < len(words):
                continue
            if end := end_of(sentence, self.rules.registry.lexicon):
                return end.last
        return None

    def _find_value(self, claim: Claim, item: Evidence) -> str:
        """The value or name of `item` that differs from the claim's, "" if none does."""
        if item.stance is not Stance.CONTRADICTS:
            return ""
        registry = self.rules.registry
        judged = judge(claim, SourceText(item.quote, registry.lexicon), registry)
        differing = (one.found for one in judged.slots if one.outcome is SlotOutcome.MISMATCH)
        return next(filter(None, differing), "")

    def _make_result(
        self, claim: Claim, assessment: ClaimAssessment, notes: Mapping[str, SourceNote]
    ) -> WebResult:
        """The result of a claim: `assessment` as far as its words bear it out."""
        decision = self._decide(claim, assessment.evidence, notes)
        noted = [(item, notes[item.url]) for item in assessment.evidence if item.url in notes]
        noted.sort(key=lambda each: (not each[1].authoritative, each[1].circular))
        sources = tuple(
            WebSource(note.tier, item, note.circular, citation=note.citation, dated=note.dated)
            for item, note in noted
        )
        if decision is None or not _allows(decision, WEB_VERDICTS[assessment.verdict]):
            return WebResult(claim.id, WebVerdict.UNVERIFIABLE, assessment.reason, sources)
        reasons = dict.fromkeys((decision.reason, assessment.reason))
        return replace(decision, claim_id=claim.id, reason="; ".join(reasons), sources=sources)


def _allows(decision: WebResult, stated: WebVerdict) -> bool:
    """Whether the words found come to a verdict no better for the claim than `stated`."""
    if stated is WebVerdict.CONFIRMED or decision.verdict is WebVerdict.UNVERIFIABLE:
        return True
    if stated is WebVerdict.UNVERIFIABLE:
        return False
    # Who finds that it is no longer so may have taken that for wrong.
    outdated = stated is WebVerdict.CONTRADICTED and bool(decision.found)
    return decision.verdict is not WebVerdict.CONFIRMED or outdated
