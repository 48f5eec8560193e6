"""A batch's filled form, read: an answer for each claim, with the passage it names."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from ..base.errors import ReplyError
from ..base.vocabulary import Finding, IssueType, Severity, Stance, Verdict, finding_id
from ..core.artefacts import AdditionalClaim, EvidenceRecord, StatedSummary
from ..core.forms import read_reply
from ..core.tasks import ToolFailure
from ..core.work import ClaimWork, EvidenceTools, IterationEvidence
from ..verification.assessing.issues import FACT_CHECKER
from ..verification.exact.quotes import quote_in_text
from ..verification.model import ClaimAssessment, Evidence, Passage
from .replies import RecommendationWord, Reply, VerdictWord, Words, locate, named_passage, word_of

STATED_ISSUES = (
    IssueType.OUTDATED,
    IssueType.MISSING_CONTEXT,
    IssueType.MISATTRIBUTED,
    IssueType.INTERNAL_CONTRADICTION,
    IssueType.ARITHMETIC,
)
"""The kinds of issue that a model may raise beside its verdicts."""

_INSIDE_DOCUMENT = (IssueType.INTERNAL_CONTRADICTION, IssueType.ARITHMETIC)


class ClaimReply(Reply):
    """A claim's entry."""

    verdict: VerdictWord
    passage: Words
    reason: Words


class AdditionalReply(Reply):
    """A claim that the detector missed."""

    quote: Words
    verdict: VerdictWord
    passage: Words
    reason: Words


class StatedIssueReply(Reply):
    """An issue that a verdict cannot express."""

    claim: Words
    type: Annotated[IssueType, word_of(STATED_ISSUES)]
    problem: Words
    passage: Words
    recommendation: Words


class BatchReply(Reply):
    """The filled form of one batch."""

    recommendation: RecommendationWord
    recommendation_reason: Words
    claims: dict[str, ClaimReply]
    additional_claims: list[AdditionalReply]
    issues: list[StatedIssueReply]


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict as the agent stated it, with the passage it named, if any."""

    verdict: Verdict
    passage: Passage | None
    reason: str


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """Everything that one batch answered: verdicts by claim id, further claims, further issues."""

    stated: StatedSummary
    answers: Mapping[str, Answer]
    added: tuple[AdditionalClaim, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim that was answered for: the verdict, what the agent stated, and who decided."""

    assessment: ClaimAssessment
    stated: Verdict | None = None
    reason: str = ""
    decided_by: str = "engine"


@dataclass(frozen=True, slots=True)
class CheckedClaims:
    """The claims of an iteration that were answered for, by id, and those that an agent added."""

    checked: Mapping[str, CheckedClaim]
    added: tuple[AdditionalClaim, ...] = ()
    findings: tuple[Finding, ...] = ()


def evidence_record(place: Evidence | Passage) -> EvidenceRecord:
    """A place of a source as it stands in the artefact; a passage takes no side."""
    quote, stance = (
        (place.text, Stance.NEUTRAL) if isinstance(place, Passage) else (place.quote, place.stance)
    )
    return EvidenceRecord(
        url=place.url,
        sha256=place.sha256,
        quote=quote,
        start=place.start,
        end=place.end,
        stance=stance.value,
    )


def quoted(words: str, url: str) -> str:
    """The words of a source as the evidence of a finding."""
    return f"“{' '.join(words.split())[:400]}” ({url})"


@dataclass(frozen=True, slots=True)
class BatchReader:
    """Reads the form of a batch, and looks up the passages that it names.

    `works` are the claims of the batch by id. `source_tools` finds further passages by claim, the
    same at every call. `severities` are those of each kind of issue that the agent may raise.
    """

    works: Mapping[str, ClaimWork]
    evidence: IterationEvidence
    source_tools: EvidenceTools | None
    severities: Mapping[IssueType, Severity]

    def read(self, text: str) -> BatchAnswer:
        """The answers in the filled form `text`.

        Raises:
            ReplyError: A value cannot be read, a passage does not exist, or a quotation is not in
                the document.
        """
        reply = read_reply(BatchReply, text)
        stated = StatedSummary(
            recommendation=reply.recommendation, recommendation_reason=reply.recommendation_reason
        )
        answers: dict[str, Answer] = {}
        for id_, entry in reply.claims.items():
            passage = self._passage(entry.passage, id_, f"/claims/{id_}/passage")
            answers[id_] = Answer(entry.verdict, passage, entry.reason)
        claims, issues = enumerate(reply.additional_claims), enumerate(reply.issues)
        added = tuple(self._added(one, f"/additional_claims/{at}") for at, one in claims)
        findings = tuple(self._issue(one, f"/issues/{at}") for at, one in issues)
        return BatchAnswer(stated, answers, added, findings)

    def _passage(self, named: str, claim_id: str, place: str) -> Passage | None:
        """The passage `named` by its id among the claim's, or by its exact words; None for "".

        Words stand for the whole sentences of the source that they touch.

        Raises:
            ReplyError: There is none; `place` is the slot that names it.
        """
        name, cited = named.strip(), self.works[claim_id].claim.cited
        targets = [address.target for address in cited if address.target]
        passages = [*self.works[claim_id].assessment.passages]
        if self.source_tools is not None:
            with suppress(ToolFailure):
                passages += self.source_tools.find_passages(claim_id)
        found = named_passage(name, passages, targets, self.evidence.sources)
        if name and found is None:
            raise ReplyError(
                f"{place}: {name[:80]!r} is neither the id of a passage of this claim nor words "
                "that stand in a source it cites"
            )
        return found

    def _added(self, entry: AdditionalReply, place: str) -> AdditionalClaim:
        document, sources = self.evidence.document, self.evidence.sources
        quote, named = entry.quote.strip(), entry.passage.strip()
        if quote not in document.text and quote_in_text(quote, document.text) is None:
            raise ReplyError(
                f"{place}/quote: {quote[:80]!r} is not in the document: copy it exactly"
            )
        passage = named_passage(named, (), sources.sources, sources)
        if named and passage is None:
            raise ReplyError(
                f"{place}/passage: {named[:80]!r} are not words of a source: copy them exactly"
            )
        found = locate(quote, document)
        return AdditionalClaim(
            quote=quote,
            line=found.line if found else 1,
            verdict=entry.verdict,
            reason=entry.reason,
            evidence=evidence_record(passage) if passage else None,
        )

    def _issue(self, entry: StatedIssueReply, place: str) -> Finding:
        claim_id = entry.claim.strip()
        if claim_id not in self.works:
            known = ", ".join(self.works)
            raise ReplyError(f"{place}/claim: {claim_id[:80]!r} is none of {known}")
        passage = self._passage(entry.passage, claim_id, f"{place}/passage")
        if passage is None and entry.type not in _INSIDE_DOCUMENT:
            raise ReplyError(f"{place}/passage: name the passage that shows it")
        claim = self.works[claim_id].claim
        return Finding(
            id=finding_id(entry.type, claim.id),
            severity=self.severities[entry.type],
            type=entry.type,
            claim=claim.text,
            problem=entry.problem,
            origin=FACT_CHECKER,
            location=claim.location,
            evidence=quoted(passage.text, passage.url) if passage else "",
            recommendation=entry.recommendation,
            claim_id=claim.id,
        )
