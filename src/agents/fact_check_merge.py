"""The batches' answers and carried verdicts, merged by code into one fact check."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pydantic import ValidationError

from ..base.errors import RunDirectoryError
from ..base.files import from_json
from ..base.registry import first_line
from ..base.vocabulary import (
    Finding,
    IssueType,
    Recommendation,
    Severity,
    Stance,
    Verdict,
    finding_id,
)
from ..claims.model import Claim, ClaimCategory
from ..claims.quantities import find_slots
from ..core.artefacts import (
    AdditionalClaim,
    ClaimVerdict,
    EvidenceRecord,
    FactCheck,
    IssueRecord,
    StatedSummary,
)
from ..core.iteration import merge_findings
from ..core.work import IterationEvidence
from ..documents.model import Document
from ..verification.assessing.combine import combine_verdicts
from ..verification.assessing.issues import FACT_CHECKER
from ..verification.model import ClaimAssessment, Evidence
from ..verification.passages.retrieval import SourceIndex
from ..verification.registry import Registry
from .fact_check_batches import describe_citations
from .fact_check_reply import Answer, BatchAnswer, CheckedClaim, CheckedClaims, quoted
from .replies import locate


def merge(
    evidence: IterationEvidence,
    carried: CheckedClaims,
    batches: Sequence[BatchAnswer],
    registry: Registry,
) -> CheckedClaims:
    """Every claim with its verdict, and every finding once.

    A claim that no batch answered for stays open; the findings of code about it still count.
    """
    claims = {claim.id: claim for claim in evidence.claims}
    checked = dict(carried.checked)
    sources = SourceIndex(evidence.sources, registry.lexicon)
    for batch in batches:
        for claim_id, answer in batch.answers.items():
            engine = evidence.assessments[claim_id]
            checked[claim_id] = _judge(claims[claim_id], engine, answer, sources, registry)
    for claim in evidence.claims:
        assessment = evidence.assessments.get(claim.id)
        if assessment is not None and assessment.needs_no_answer:
            checked[claim.id] = CheckedClaim(claim, assessment)
    left = [one for id_, one in evidence.assessments.items() if id_ in claims.keys() - checked]
    assessments = [*(one.assessment for one in checked.values()), *left]
    findings = [finding for one in assessments for finding in one.findings]
    findings += [finding for batch in batches for finding in batch.findings]
    every = (*carried.added, *(one for batch in batches for one in batch.added))
    added = tuple({one.quote: one for one in every}.values())
    findings += _added_findings(added, evidence.document, registry)
    return CheckedClaims(checked, added, merge_findings([findings]))


def _judge(
    claim: Claim,
    engine: ClaimAssessment,
    answer: Answer,
    sources: SourceIndex,
    registry: Registry,
) -> CheckedClaim:
    """The verdict on a claim: code re-checks what the agent stated and the passage it named."""
    result = combine_verdicts(claim, engine, answer.verdict, answer.passage, sources, registry)
    if result == engine:
        return CheckedClaim(claim, engine, answer.verdict, answer.reason)
    findings = tuple(_explained(finding, answer) for finding in result.findings)
    result = replace(result, findings=findings)
    return CheckedClaim(claim, result, answer.verdict, answer.reason, FACT_CHECKER)


def _explained(finding: Finding, answer: Answer) -> Finding:
    """A finding that the agent's verdict led to, with the agent's reason and passage."""
    if finding.origin != FACT_CHECKER or not answer.reason:
        return finding
    passage = answer.passage
    shown = quoted(passage.text, passage.url) if passage else ""
    return replace(finding, evidence=f"{answer.reason} {shown}".strip())


def _added_findings(
    added: Iterable[AdditionalClaim], document: Document, registry: Registry
) -> Iterable[Finding]:
    """The findings about additional claims; one that a passage supports has none."""
    for claim in added:
        shown = claim.evidence
        borne_out = claim.verdict is Verdict.SUPPORTED and shown is not None
        if claim.verdict is Verdict.NOT_CHECKABLE or borne_out:
            continue
        type_, severity = _added_issue(claim, registry)
        yield Finding(
            id=finding_id(type_, claim.quote),
            severity=severity,
            type=type_,
            claim=claim.quote,
            problem=claim.reason or f"the fact checker found this {claim.verdict}",
            origin=FACT_CHECKER,
            location=locate(claim.quote, document),
            evidence=quoted(shown.quote, shown.url) if shown else "",
            recommendation="cite a source that states it, or remove the claim",
        )


def _added_issue(claim: AdditionalClaim, registry: Registry) -> tuple[IssueType, Severity]:
    policy = registry.severity
    if claim.evidence is not None:
        if claim.verdict is Verdict.CONTRADICTED:
            return IssueType.VERIFIED_FALSE, policy.verified_false
        return IssueType.UNVERIFIABLE, policy.unverifiable
    numbers, dates = find_slots(claim.quote, registry.lexicon)
    category = ClaimCategory.STATISTICAL if numbers or dates else ClaimCategory.GENERAL
    return IssueType.UNSOURCED, policy.unsourced[category].severity


def combine_stated(stated: Sequence[StatedSummary]) -> Recommendation | None:
    """The recommendation stated by all sessions: one rejection rejects; None without a session."""
    words = {summary.recommendation for summary in stated}
    if Recommendation.REJECT in words:
        return Recommendation.REJECT
    return Recommendation.APPROVE if words == {Recommendation.APPROVE} else None


def carry_over(previous: str, evidence: IterationEvidence) -> CheckedClaims:
    """Return the verdicts of the fact check `previous`, an artefact's text, that still hold.

    A claim's verdict is kept if it was checked, and if the words, the citations, the state and the
    snapshot of every source are the same. An additional claim is kept if its words still stand in
    the document.

    Raises:
        RunDirectoryError: `previous` is no fact check.
    """
    if not previous:
        return CheckedClaims({})
    try:
        last = from_json(FactCheck, previous)
    except ValidationError as error:
        reason = first_line(str(error))
        raise RunDirectoryError(f"the last fact check cannot be read: {reason}") from error
    checked = {
        claim.id: _carried(claim, evidence.assessments[claim.id], last.claims[claim.id], last)
        for claim in evidence.claims
        if claim.id in last.claims
        and claim.id in evidence.assessments
        and _unchanged(claim, last.claims[claim.id], evidence)
    }
    added = (
        one.model_copy(update={"line": place.line})
        for one in last.additional_claims
        if (place := locate(one.quote, evidence.document)) is not None
    )
    return CheckedClaims(checked, tuple(added))


def _unchanged(claim: Claim, last: ClaimVerdict, evidence: IterationEvidence) -> bool:
    return (
        not claim.exclusion
        and last.checked
        and last.text == claim.text
        and last.cited == describe_citations(claim, evidence.sources)
    )


def _carried(
    claim: Claim, engine: ClaimAssessment, last: ClaimVerdict, check: FactCheck
) -> CheckedClaim:
    own = [issue for issue in check.issues if issue.claim_id == claim.id]
    if last.decided_by != FACT_CHECKER:
        raised = (_finding(claim, issue) for issue in own if issue.origin == FACT_CHECKER)
        assessment = replace(engine, findings=(*engine.findings, *raised))
        return CheckedClaim(claim, assessment, last.stated_verdict)
    assessment = replace(
        engine,
        verdict=last.verdict,
        reason=last.reason,
        decided=False,
        evidence=tuple(map(_evidence, last.evidence)),
        findings=tuple(_finding(claim, issue) for issue in own),
    )
    return CheckedClaim(claim, assessment, last.stated_verdict, "", FACT_CHECKER)


def _finding(claim: Claim, issue: IssueRecord) -> Finding:
    """The last iteration's finding at the claim's present place."""
    return Finding(
        id=issue.id,
        severity=issue.severity,
        type=IssueType(issue.type),
        claim=claim.text,
        problem=issue.problem,
        origin=issue.origin,
        location=claim.location,
        evidence=issue.evidence,
        recommendation=issue.recommendation,
        claim_id=claim.id,
    )


def _evidence(record: EvidenceRecord) -> Evidence:
    stance = Stance(record.stance)
    return Evidence(record.url, record.sha256, record.quote, record.start, record.end, stance)
