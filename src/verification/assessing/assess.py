"""Assessment of a claim against all its sources (decisions 18, 22, 27, 28, 42 and 43)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ...base.vocabulary import Basis, CitationState, Finding, IssueType, SourceState, Verdict
from ...claims.model import Claim, ClaimCategory
from ...documents.language import reads_english
from ...sources.model import Snapshot, Source
from .._signals import pairs_to_read
from ..assessing import issues
from ..exact.changes import other_holder, was_so
from ..exact.edits import past_year
from ..exact.model import Judgement
from ..exact.words import is_present
from ..judge import judge, judge_foreign
from ..model import ClaimAssessment, Evidence
from ..passages.retrieval import SourceIndex, SourceText, find_passages
from ..registry import Registry
from ..severity import SeverityPolicy

MOST_TOGETHER = 4
"""Sources of one claim that are read as one."""


@dataclass(frozen=True, slots=True)
class SourceVerdict:
    """One cited source that can be read, and what it says about the claim."""

    url: str
    snapshot: Snapshot
    text: SourceText
    judgement: Judgement

    @property
    def day(self) -> date | None:
        """The day of the page, None if it states none."""
        return self.snapshot.modified or self.snapshot.published

    def evidence(self) -> Evidence:
        """The exact words that the judgement rests on."""
        start, end = self.judgement.start, self.judgement.end
        quote = self.text.text[start:end]
        return Evidence(self.url, self.snapshot.sha256, quote, start, end, self.judgement.stance)


def read_ahead(
    claims: Iterable[Claim], sources: SourceIndex, registry: Registry, *, language: str = "en"
) -> None:
    """Let the reader read all that `assess_claim` will ask for, in large batches.

    Raises:
        SnapshotError: A readable source has no text.
        InputError: The reader's files are missing or broken.
    """
    if registry.reader.available and reads_english(language):
        registry.reader.read(
            [
                pair
                for claim in claims
                if not claim.exclusion
                for url in cited_addresses(claim)
                if (readable := sources.readable(url)) and reads_english(readable[0].language)
                for pair in pairs_to_read(claim, readable[1])
            ]
        )


def cited_addresses(claim: Claim) -> list[str]:
    """The addresses of the claim's strongest sort of citation, each once."""
    cited = (address for address in claim.cited if address.state is claim.citation_state)
    return list(dict.fromkeys(address.target for address in cited if address.target))


def assess_claim(
    claim: Claim,
    sources: SourceIndex,
    registry: Registry,
    *,
    as_of: date,
    written: date | None = None,
    language: str = "en",
) -> ClaimAssessment:
    """Compare `claim` with the sources that it cites.

    A claim that is neither supported nor proved wrong is left undecided, with the passages worth
    reading. `as_of` is the day at which ages are measured. `language` is the document's, `written`
    its day, as of which it is judged; None if it states none.

    Raises:
        SnapshotError: A readable source has no text.
        InputError: The reader's files are missing or broken.
    """
    if claim.exclusion:
        return settled(claim, Verdict.NOT_CHECKABLE, f"no claim of fact ({claim.exclusion})")
    if claim.citation_state is CitationState.NONE:
        found = issues.unsourced(claim, registry.severity)
        return settled(claim, Verdict.UNVERIFIABLE, found.problem, (found,))
    cited = [address for address in claim.cited if address.state is claim.citation_state]
    urls = cited_addresses(claim)
    notes = [
        issues.incomplete(
            claim,
            address.label,
            registry.severity,
            # The sentence that has the citation tells.
            spare=bool(urls) or claim.citation_state is not CitationState.DIRECT,
        )
        for address in cited
        if address.target is None
    ][:1]
    if not urls:
        return settled(claim, Verdict.UNVERIFIABLE, notes[0].problem, notes)
    verdicts = [
        verdict for url in urls if (verdict := _judge(claim, url, sources, registry, language))
    ]
    read = {verdict.url for verdict in verdicts}
    unread = [sources.sources.source(url) for url in urls if url not in read]
    if not verdicts:
        assessment = _unavailable(claim, unread, notes, registry.severity)
    else:
        case = _Case(claim, verdicts, unread, notes, sources, registry, as_of, written)
        assessment = case.decide()
    return _own_result(claim, assessment, registry.severity)


def _own_result(
    claim: Claim, assessment: ClaimAssessment, policy: SeverityPolicy
) -> ClaimAssessment:
    """An own result that no citation of its own bears out has no source."""
    own = claim.category is ClaimCategory.OWN_RESULT
    borrowed = own and claim.citation_state is not CitationState.DIRECT
    if not borrowed or assessment.verdict is Verdict.SUPPORTED:
        return assessment
    return replace(assessment, findings=(issues.unsourced(claim, policy),))


def _adds(one: Judgement, other: Judgement) -> bool:
    return any(
        mine.outcome.is_found and not theirs.outcome.is_found
        for mine, theirs in zip(one.slots, other.slots, strict=True)
    )


def settled(
    claim: Claim, verdict: Verdict, reason: str, findings: Sequence[Finding] = ()
) -> ClaimAssessment:
    """An assessment that needs no source, or has none."""
    return ClaimAssessment(
        claim.id, verdict, claim.citation_state, reason, decided=True, findings=tuple(findings)
    )


def _judge(
    claim: Claim, url: str, sources: SourceIndex, registry: Registry, language: str
) -> SourceVerdict | None:
    readable = sources.readable(url)
    if readable is None:
        return None
    snapshot, text = readable
    if reads_english(language) and reads_english(snapshot.language):
        judgement = judge(claim, text, registry)
    else:
        judgement = judge_foreign(claim, text)
    return SourceVerdict(url, snapshot, text, judgement)


def _unavailable(
    claim: Claim, unread: Sequence[Source], notes: Sequence[Finding], policy: SeverityPolicy
) -> ClaimAssessment:
    """No cited source can be read: the worst issue stands for all (decision 18).

    Of a citation that is carried on, the sentence that has it tells.
    """
    spare = claim.citation_state is CitationState.CARRIED
    found = [f for source in unread if (f := issues.unreadable(claim, source, policy, spare=spare))]
    found.sort(key=lambda finding: finding.severity.rank)
    reason = "; ".join(f"{source.url}: {source.state.value}" for source in unread)
    return ClaimAssessment(
        claim.id,
        Verdict.SOURCE_UNAVAILABLE,
        claim.citation_state,
        reason,
        decided=True,
        unchecked=not found or all(one.state is SourceState.REFUSED_BY_POLICY for one in unread),
        findings=(*found[:1], *notes),
    )


@dataclass(frozen=True, slots=True)
class _Case:
    """A claim with everything its sources gave; at least one of them can be read."""

    claim: Claim
    verdicts: Sequence[SourceVerdict]
    unread: Sequence[Source]
    notes: Sequence[Finding]
    sources: SourceIndex
    registry: Registry
    as_of: date
    written: date | None

    def decide(self) -> ClaimAssessment:
        """Supported if one supports and none contradicts, disputed if both (decision 22)."""
        agreeing = self._with(Verdict.SUPPORTED)
        against = self._against()
        standing = [one for one in against if not self._came_later(one)]
        if not any(one.judgement.decided for one in standing) and (past := self._ended()):
            return past
        if agreeing and (note := self._changed(agreeing, against)):
            return self._assessment(Verdict.SUPPORTED, agreeing, note)
        if agreeing and any(one.judgement.decided for one in against):
            return self._disputed([*agreeing, *against])
        if bearing := agreeing or self._together():
            return self._assessment(Verdict.SUPPORTED, bearing, *self._age(bearing))
        if standing:
            first, policy = standing[0], self.registry.severity
            judged = first.judgement, first.url, first.text
            found = issues.contradicted(self.claim, *judged, policy)
            return self._assessment(Verdict.CONTRADICTED, standing, found)
        if left := [*self._with(Verdict.CONTRADICTED), *self._with(Verdict.UNVERIFIABLE)]:
            return self._unsettled(left)
        return self._assessment(Verdict.NOT_CHECKABLE, self.verdicts)

    def _changed(
        self, agreeing: Sequence[SourceVerdict], against: Sequence[SourceVerdict]
    ) -> Finding | None:
        """Note on a claim that a source of its document's day states and only later ones deny.

        To name somebody else denies it, too.
        """
        claim, written = self.claim, self.written
        if written is None or not is_present(claim.text, self.registry.lexicon):
            return None
        if not any(one.day and one.day <= written for one in agreeing):
            return None
        if not all(one.day and one.day > written for one in against):
            return None
        later = [one for one in self.verdicts if one.day and one.day > written]
        others = [(one, unit) for one in later if (unit := other_holder(claim.text, one.text))]
        said = [f"“{unit.text}” ({one.url})" for one, unit in others]
        said += [f"{one.judgement.reason} ({one.url})" for one in against]
        return issues.changed(claim, written, said[0], self.registry.severity) if said else None

    def _came_later(self, verdict: SourceVerdict) -> bool:
        """Whether a later source only names another holder, who may have come since."""
        later = bool(self.written and verdict.day and verdict.day > self.written)
        text, lexicon = self.claim.text, self.registry.lexicon
        return later and is_present(text, lexicon) and other_holder(text, verdict.text) is not None

    def _ended(self) -> ClaimAssessment | None:
        """A claim of which a source says that it was so on the document's day."""
        if self.written is None:
            return None
        lexicon = self.registry.lexicon
        for one in self.verdicts:
            unit = was_so(self.claim.text, one.text, self.written, lexicon)
            if unit is None:
                continue
            reason = f"the source says that it was so on {self.written.isoformat()}"
            found = Judgement(Verdict.SUPPORTED, Basis.EXACT, reason, unit.start, unit.end)
            said = f"“{unit.text}” ({one.url})"
            note = issues.changed(self.claim, self.written, said, self.registry.severity)
            stated = replace(one, judgement=found)
            return self._assessment(Verdict.SUPPORTED, [stated], note)
        return None

    def _with(self, verdict: Verdict) -> list[SourceVerdict]:
        return [one for one in self.verdicts if one.judgement.verdict is verdict]

    def _together(self) -> list[SourceVerdict]:
        """The cited sources if they bear it out together: a figure from one, a target from another.

        Empty if they don't, or if one of them is proved to say otherwise or retracted.
        """
        direct = self.claim.citation_state is CitationState.DIRECT
        compared = [
            one for one in self.verdicts if one.judgement.verdict is not Verdict.NOT_CHECKABLE
        ]
        proved = any(one.judgement.decided or one.text.retracted for one in compared)
        if not direct or proved or not 1 < len(compared) <= MOST_TOGETHER:
            return []
        joined = self.sources.joined([one.text for one in compared])
        found = judge(self.claim, joined.text, self.registry) if joined else None
        if joined is None or found is None or found.verdict is not Verdict.SUPPORTED:
            return []
        number, start, end = joined.place(found.start, found.end)
        first = replace(compared[number], judgement=replace(found, start=start, end=end))
        others = [
            replace(one, judgement=replace(one.judgement, verdict=Verdict.SUPPORTED))
            for one in compared
            if one.url != first.url and _adds(one.judgement, compared[number].judgement)
        ]
        return [first, *others]

    def _against(self) -> list[SourceVerdict]:
        against = self._with(Verdict.CONTRADICTED)
        against.sort(key=lambda one: not one.judgement.decided)
        if self.claim.citation_state is CitationState.CARRIED:
            return [one for one in against if one.judgement.decided]
        return against

    def _age(self, agreeing: Sequence[SourceVerdict]) -> list[Finding]:
        """The two-year rule for statements about the present (decision 27)."""
        claim, policy = self.claim, self.registry.severity
        timely = claim.category in (ClaimCategory.MARKET, ClaimCategory.COMPANY_METRIC)
        if not timely or claim.dates or not is_present(claim.text, self.registry.lexicon):
            return []
        dates = [(published, one.url) for one in agreeing if (published := one.day)]
        if len(dates) < len(agreeing) or not dates:
            return []
        published, url = max(dates)
        if ((self.written or self.as_of) - published).days <= policy.outdated_after_days:
            return []
        return [issues.outdated(claim, published, policy, url=url)]

    def _disputed(self, verdicts: Sequence[SourceVerdict]) -> ClaimAssessment:
        reason = "the cited sources disagree: " + "; ".join(
            f"{one.url}: {one.judgement.reason}" for one in verdicts
        )
        found = issues.unverifiable(self.claim, reason, self.registry.severity)
        return replace(self._assessment(Verdict.DISPUTED, verdicts, found), reason=reason)

    def _unsettled(self, verdicts: Sequence[SourceVerdict]) -> ClaimAssessment:
        urls = ", ".join(one.url for one in verdicts)
        evidence = f"{verdicts[0].judgement.reason} ({urls})"
        policy = self.registry.severity
        judged = [one.judgement for one in verdicts]
        sure = all(one.sure or one.verdict is Verdict.CONTRADICTED for one in judged)
        # What a source binds to the past may have been so when the document was written.
        past = max(past_year(one.reservation) for one in judged)
        sure = sure and not (self.written and past >= self.written.year)
        if sure and self.claim.citation_state is CitationState.CARRIED:
            # The citation further above is none of this claim's.
            found = issues.unsourced(self.claim, policy)
        else:
            found = issues.not_found(self.claim, evidence, policy, sure=sure)
        return replace(self._assessment(Verdict.UNVERIFIABLE, verdicts, found), sure=sure)

    def _assessment(
        self, verdict: Verdict, verdicts: Sequence[SourceVerdict], *findings: Finding
    ) -> ClaimAssessment:
        """The assessment with `findings`, and the first about a source that cannot be read."""
        policy, first = self.registry.severity, verdicts[0].judgement
        unread = (issues.unreadable(self.claim, one, policy, spare=True) for one in self.unread)
        spare = [*self.notes, *[finding for finding in unread if finding][:1]]
        if verdict is Verdict.UNVERIFIABLE:
            # A blocked second source adds nothing here.
            spare = [one for one in spare if one.type is not IssueType.UNVERIFIABLE]
        shown = verdict in (Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.DISPUTED)
        chances, limits = first.probabilities, self.registry.verification
        stands = verdict is Verdict.SUPPORTED
        return ClaimAssessment(
            self.claim.id,
            verdict,
            self.claim.citation_state,
            first.reason,
            decided=shown and first.decided,
            unchecked=verdict is Verdict.NOT_CHECKABLE,
            slots=first.slots,
            evidence=tuple(one.evidence() for one in verdicts) if shown else (),
            findings=(*findings, *spare),
            passages=() if stands else find_passages(self.claim, self.sources, limits),
            basis=first.basis,
            supported=round(chances.supported, 4) if chances else None,
            contradicted=round(chances.contradicted, 4) if chances else None,
        )
