"""What the cited sources together say about a claim (decisions 18, 22, 27 and 28)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ...base.finding import Finding
from ...base.vocabulary import CitationState, IssueType, Verdict
from ...claims.model import Claim, ClaimCategory
from ...sources.model import Snapshot, Source
from ..assessing import issues
from ..judging.foreign import judge_foreign, reads_english
from ..judging.judge import judge
from ..judging.judgement import Judgement
from ..judging.passages import find_passages
from ..model import ClaimAssessment, Evidence, Passage
from ..reading.form import ClaimForm, claim_form
from ..reading.index import SourceIndex, TextIndex
from ..registry import Registry
from ..severity import SeverityPolicy
from .held import figures_not_held, is_vouched_for, lacks_name, lacks_year
from .held_dates import days_not_held

_PRESENT = re.compile(
    r"\b(?:is|are|has|have|currently|now|today|costs?|charges?|holds?|employs?)\b"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """One cited source that can be read, and what it says about the claim."""

    url: str
    snapshot: Snapshot
    index: TextIndex
    judgement: Judgement

    def evidence(self) -> Evidence:
        """The exact words that the judgement rests on."""
        start, end = self.judgement.start, self.judgement.end
        quote = self.index.text[start:end]
        return Evidence(self.url, self.snapshot.sha256, quote, start, end, self.judgement.stance)


def assess_claim(
    claim: Claim, sources: SourceIndex, registry: Registry, *, as_of: date, language: str = "en"
) -> ClaimAssessment:
    """Compare `claim` with the sources that it cites, as far as code can.

    `language` is the document's. A claim that is neither supported nor contradicted is left
    undecided, with the passages worth reading. `as_of` is the day at which ages are measured.

    Raises:
        SnapshotError: A readable source has no text.
    """
    if claim.exclusion:
        return settled(claim, Verdict.NOT_CHECKABLE, f"no claim of fact ({claim.exclusion})")
    if claim.citation_state is CitationState.NONE:
        found = issues.unsourced(claim, registry.severity)
        return settled(claim, Verdict.UNVERIFIABLE, found.problem, (found,))
    cited = [address for address in claim.cited if address.state is claim.citation_state]
    urls = list(dict.fromkeys(address.target for address in cited if address.target))
    notes = [
        issues.incomplete(claim, address.label, registry.severity, spare=bool(urls))
        for address in cited
        if address.target is None
    ][:1]
    if not urls:
        return settled(claim, Verdict.UNVERIFIABLE, notes[0].problem, notes)
    form = claim_form(claim, registry.lexicon)
    readings = [
        reading for url in urls if (reading := _read(form, url, sources, registry, language))
    ]
    read = {reading.url for reading in readings}
    unread = [sources.sources.source(url) for url in urls if url not in read]
    if not readings:
        assessment = _unavailable(claim, unread, notes, registry.severity)
    else:
        assessment = _Case(claim, readings, unread, notes, sources, registry, as_of).decide()
    return _own_result(claim, assessment, registry.severity)


def _own_result(
    claim: Claim, assessment: ClaimAssessment, policy: SeverityPolicy
) -> ClaimAssessment:
    """An own result that the next sentence's citation does not bear out has no source."""
    own = claim.category is ClaimCategory.OWN_RESULT
    borrowed = own and claim.citation_state is CitationState.INHERITED
    if not borrowed or assessment.verdict is Verdict.SUPPORTED:
        return assessment
    return replace(assessment, findings=(issues.unsourced(claim, policy),))


def settled(
    claim: Claim, verdict: Verdict, reason: str, findings: Sequence[Finding] = ()
) -> ClaimAssessment:
    """An assessment that needs no source, or has none."""
    return ClaimAssessment(
        claim.id, verdict, claim.citation_state, reason, decided=True, findings=tuple(findings)
    )


def _read(
    form: ClaimForm, url: str, sources: SourceIndex, registry: Registry, language: str
) -> Reading | None:
    readable = sources.readable(url)
    if readable is None:
        return None
    snapshot, index = readable
    if reads_english(language) and reads_english(snapshot.language):
        judgement = judge(form, index, registry.lexicon, registry.verification)
    else:
        judgement = judge_foreign(form, index)
    return Reading(url, snapshot, index, judgement)


def _unavailable(
    claim: Claim, unread: Sequence[Source], notes: Sequence[Finding], policy: SeverityPolicy
) -> ClaimAssessment:
    """No cited source can be read: the worst issue stands for all (decision 18)."""
    found = [f for source in unread if (f := issues.unreadable(claim, source, policy, spare=False))]
    found.sort(key=lambda finding: finding.severity.rank)
    reason = "; ".join(f"{source.url}: {source.state.value}" for source in unread)
    return ClaimAssessment(
        claim.id,
        Verdict.SOURCE_UNAVAILABLE,
        claim.citation_state,
        reason,
        decided=True,
        unchecked=not found,
        findings=(*found[:1], *notes),
    )


@dataclass(frozen=True, slots=True)
class _Case:
    """A claim with everything its sources gave; at least one of them can be read."""

    claim: Claim
    readings: Sequence[Reading]
    unread: Sequence[Source]
    notes: Sequence[Finding]
    sources: SourceIndex
    registry: Registry
    as_of: date

    def decide(self) -> ClaimAssessment:
        """Supported if one supports and none contradicts, disputed if both (decision 22)."""
        agreeing = self._with(Verdict.SUPPORTED)
        against = self._with(Verdict.CONTRADICTED)
        open_ = self._with(Verdict.UNVERIFIABLE)
        if agreeing and against:
            return self._disputed([*agreeing, *against])
        if agreeing:
            return self._assessment(
                Verdict.SUPPORTED, agreeing, [*self._age(agreeing), *self._spare()]
            )
        if against:
            first = against[0]
            found = issues.contradicted(
                self.claim, first.judgement, first.url, first.index, self.registry.severity
            )
            return self._assessment(Verdict.CONTRADICTED, against, [found, *self._spare()])
        if open_:
            return self._unsettled(open_)
        return self._assessment(Verdict.NOT_CHECKABLE, self.readings, self._spare())

    def _with(self, verdict: Verdict) -> list[Reading]:
        return [reading for reading in self.readings if reading.judgement.verdict is verdict]

    def _spare(self) -> list[Finding]:
        """The low findings about citations that do not work beside one that does."""
        policy = self.registry.severity
        found = [
            issues.unreadable(self.claim, source, policy, spare=True) for source in self.unread
        ]
        return [*self.notes, *[finding for finding in found if finding][:1]]

    def _age(self, agreeing: Sequence[Reading]) -> list[Finding]:
        """The two-year rule for statements about the present (decision 27)."""
        claim, policy = self.claim, self.registry.severity
        dated = any(not one.relative for one in claim.dates)
        timely = claim.category in (ClaimCategory.MARKET, ClaimCategory.COMPANY_METRIC)
        if not timely or dated or not _PRESENT.search(claim.text):
            return []
        dated = [
            (published, reading.url)
            for reading in agreeing
            if (published := reading.snapshot.modified or reading.snapshot.published)
        ]
        if len(dated) < len(agreeing) or not dated:
            return []
        published, url = max(dated)
        if (self.as_of - published).days <= policy.outdated_after_days:
            return []
        return [issues.outdated(claim, published, policy, url=url)]

    def _disputed(self, readings: Sequence[Reading]) -> ClaimAssessment:
        reason = "the cited sources disagree: " + "; ".join(
            f"{reading.url}: {reading.judgement.reason}" for reading in readings
        )
        found = issues.unverifiable(self.claim, reason, self.registry.severity)
        return self._assessment(Verdict.DISPUTED, readings, [found, *self._spare()], reason)

    def _unsettled(self, readings: Sequence[Reading]) -> ClaimAssessment:
        urls = ", ".join(reading.url for reading in readings)
        evidence = f"{readings[0].judgement.reason} ({urls})"
        found = self._open(readings, evidence)
        # A blocked second source adds nothing here.
        spare = [one for one in self._spare() if one.type is not IssueType.UNVERIFIABLE]
        return self._assessment(Verdict.UNVERIFIABLE, readings, [found, *spare])

    def _open(self, readings: Sequence[Reading], evidence: str) -> Finding:
        """How the sources go past the claim, or that it is open whether they do."""
        claim, policy = self.claim, self.registry.severity
        absent = self._not_held(readings)
        if all(reading.judgement.silent or self._is_foreign_to(reading) for reading in readings):
            how = issues.ELSEWHERE
        elif all(reading.judgement.foreseeing for reading in readings):
            how = issues.FORESEEN
        elif absent:
            how = issues.without(absent)
        elif absent is None or self._is_doubtful(readings):
            return issues.unverifiable(claim, evidence, policy)
        elif any(reading.judgement.differing for reading in readings):
            how = issues.DIFFERING
        else:
            return issues.undecided(claim, evidence, policy)
        return issues.misattributed(claim, how, evidence, policy)

    def _not_held(self, readings: Sequence[Reading]) -> tuple[str, ...] | None:
        """The figures of a cited claim that none of its sources holds; None if that is open."""
        english = all(reads_english(one.snapshot.language) for one in readings)
        if self.claim.citation_state is not CitationState.DIRECT or not english:
            return None
        form = claim_form(self.claim, self.registry.lexicon)
        lists: list[tuple[str, ...]] = []
        for one in readings:
            figures = figures_not_held(form, one.index, self.registry)
            days = days_not_held(form, one.index)
            if figures is None or days is None:
                return None
            lists.append(figures + days)
        return tuple(text for text in lists[0] if all(text in one for one in lists[1:]))

    def _is_foreign_to(self, reading: Reading) -> bool:
        """Whether a source has neither the year nor the name of the claim, whatever it is on."""
        form = claim_form(self.claim, self.registry.lexicon)
        return lacks_year(form, reading.index) and lacks_name(form, reading.index)

    def _is_doubtful(self, readings: Sequence[Reading]) -> bool:
        """Whether no source prints a year of the claim, or one only vouches for the claim."""
        form = claim_form(self.claim, self.registry.lexicon)
        policy = self.registry.verification.support
        vouched = any(is_vouched_for(form, one.index, policy) for one in readings)
        return vouched or all(lacks_year(form, one.index) for one in readings)

    def _assessment(
        self,
        verdict: Verdict,
        readings: Sequence[Reading],
        findings: Iterable[Finding],
        reason: str = "",
    ) -> ClaimAssessment:
        decided = verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.DISPUTED)
        return ClaimAssessment(
            self.claim.id,
            verdict,
            self.claim.citation_state,
            reason or readings[0].judgement.reason,
            decided=decided,
            unchecked=verdict is Verdict.NOT_CHECKABLE,
            slots=readings[0].judgement.slots,
            evidence=tuple(reading.evidence() for reading in readings) if decided else (),
            findings=tuple(findings),
            passages=self._passages(verdict),
        )

    def _passages(self, verdict: Verdict) -> tuple[Passage, ...]:
        if verdict is Verdict.SUPPORTED:
            return ()
        return find_passages(self.claim, self.sources, self.registry.verification)
