"""The batches' answers and carried verdicts, merged by code into one fact check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
from ..verification.model import ClaimAssessment, Evidence, Passage
from ..verification.passages.retrieval import SourceIndex
from ..verification.registry import Registry
from .fact_check_batches import describe_citations
from .fact_check_reply import (
    AddedClaim,
    Answer,
    BatchAnswer,
    CarriedVerdicts,
    CheckedClaim,
    MergedVerdicts,
    StatedIssue,
)
from .replies import Places
from .rules import FactCheckerRules


def merge(
    evidence: IterationEvidence,
    carried: CarriedVerdicts,
    batches: Sequence[BatchAnswer],
    registry: Registry,
    rules: FactCheckerRules,
) -> MergedVerdicts:
    """Every claim with its verdict, and every finding once.

    A claim that no batch answered for stays open; the findings of code about it still count.
    """
    claims = {claim.id: claim for claim in evidence.claims}
    checked = {one.claim.id: one for one in carried.checked}
    sources = SourceIndex(evidence.sources, registry.lexicon)
    for batch in batches:
        for claim_id, answer in batch.answers.items():
            engine = evidence.assessments[claim_id]
            checked[claim_id] = judge_answer(claims[claim_id], engine, answer, sources, registry)
    for claim in evidence.claims:
        assessment = evidence.assessments.get(claim.id)
        if assessment is not None and assessment.needs_no_answer:
            checked[claim.id] = CheckedClaim(claim, assessment)
    open_ = tuple(claim for claim in evidence.claims if claim.id not in checked)
    findings = [f for one in checked.values() for f in one.assessment.findings]
    findings += _engine_findings(open_, evidence.assessments)
    added = {one.quote: one for one in carried.added}
    for batch in batches:
        findings += (_stated_finding(issue, claims, rules) for issue in batch.issues)
        added |= {one.quote: one for one in batch.added}
    findings += _added_findings(added.values(), evidence.document, registry)
    return MergedVerdicts(checked, open_, tuple(added.values()), merge_findings([findings]))


def judge_answer(
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
    return replace(finding, evidence=f"{answer.reason} {_quoted(answer.passage)}".strip())


def _quoted(passage: Passage | None) -> str:
    return f"“{' '.join(passage.text.split())[:400]}” ({passage.url})" if passage else ""


def _engine_findings(
    claims: Iterable[Claim], assessments: Mapping[str, ClaimAssessment]
) -> Iterable[Finding]:
    for claim in claims:
        if claim.id in assessments:
            yield from assessments[claim.id].findings


def _stated_finding(
    issue: StatedIssue, claims: Mapping[str, Claim], rules: FactCheckerRules
) -> Finding:
    claim = claims[issue.claim_id]
    return Finding(
        id=finding_id(issue.type, claim.id),
        severity=rules.issues[issue.type],
        type=issue.type,
        claim=claim.text,
        problem=issue.problem,
        origin=FACT_CHECKER,
        location=claim.location,
        evidence=_quoted(issue.passage),
        recommendation=issue.recommendation,
        claim_id=claim.id,
    )


def _added_findings(
    added: Iterable[AddedClaim], document: Document, registry: Registry
) -> Iterable[Finding]:
    """The findings about additional claims; one that a passage supports has none."""
    places = Places(document)
    for claim in added:
        answer = claim.answer
        if answer.verdict is Verdict.NOT_CHECKABLE:
            continue
        if answer.verdict is Verdict.SUPPORTED and answer.passage is not None:
            continue
        type_, severity = _added_issue(claim, registry)
        yield Finding(
            id=finding_id(type_, claim.quote),
            severity=severity,
            type=type_,
            claim=claim.quote,
            problem=answer.reason or f"the fact checker found this {answer.verdict}",
            origin=FACT_CHECKER,
            location=places.locate(claim.quote),
            evidence=_quoted(answer.passage),
            recommendation="cite a source that states it, or remove the claim",
        )


def _added_issue(claim: AddedClaim, registry: Registry) -> tuple[IssueType, Severity]:
    policy = registry.severity
    if claim.answer.verdict is Verdict.CONTRADICTED and claim.answer.passage is not None:
        return IssueType.VERIFIED_FALSE, policy.verified_false
    if claim.answer.passage is not None:
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


def carry_over(previous: str, evidence: IterationEvidence) -> CarriedVerdicts:
    """Return the verdicts of the fact check `previous`, an artefact's text, that still hold.

    A claim's verdict is kept if it was checked, and if the words, the citations, the state and the
    snapshot of every source are the same. An additional claim is kept if its words still stand in
    the document.

    Raises:
        RunDirectoryError: `previous` is no fact check.
    """
    if not previous:
        return CarriedVerdicts()
    try:
        last = from_json(FactCheck, previous)
    except ValidationError as error:
        reason = first_line(str(error))
        raise RunDirectoryError(f"the last fact check cannot be read: {reason}") from error
    checked = [
        _carried(claim, evidence.assessments[claim.id], last.claims[claim.id], last.issues)
        for claim in evidence.claims
        if claim.id in last.claims
        and claim.id in evidence.assessments
        and _unchanged(claim, last.claims[claim.id], evidence)
    ]
    added = [
        AddedClaim(one.quote, _answer(one))
        for one in last.additional_claims
        if one.quote in evidence.document.text
    ]
    return CarriedVerdicts(tuple(checked), tuple(added))


def _unchanged(claim: Claim, last: ClaimVerdict, evidence: IterationEvidence) -> bool:
    return (
        not claim.exclusion
        and last.checked
        and last.text == claim.text
        and last.cited == describe_citations(claim, evidence.sources)
    )


def _carried(
    claim: Claim, engine: ClaimAssessment, last: ClaimVerdict, issues: Sequence[IssueRecord]
) -> CheckedClaim:
    own = [issue for issue in issues if issue.claim_id == claim.id]
    if last.decided_by != FACT_CHECKER:
        raised = _findings(claim, (issue for issue in own if issue.origin == FACT_CHECKER))
        assessment = replace(engine, findings=(*engine.findings, *raised))
        return CheckedClaim(claim, assessment, last.stated_verdict, carried=True)
    assessment = replace(
        engine,
        verdict=last.verdict,
        reason=last.reason,
        decided=False,
        evidence=tuple(_evidence(record) for record in last.evidence),
        findings=_findings(claim, own),
    )
    return CheckedClaim(claim, assessment, last.stated_verdict, "", FACT_CHECKER, carried=True)


def _findings(claim: Claim, issues: Iterable[IssueRecord]) -> tuple[Finding, ...]:
    """The last iteration's findings at the claim's present place."""
    return tuple(
        Finding(
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
        for issue in issues
    )


def _evidence(record: EvidenceRecord) -> Evidence:
    stance = Stance(record.stance)
    return Evidence(record.url, record.sha256, record.quote, record.start, record.end, stance)


def _answer(added: AdditionalClaim) -> Answer:
    """An additional claim's answer; its passage is known to have been looked up by code."""
    return Answer(added.verdict, _passage(added), added.reason)


def _passage(added: AdditionalClaim) -> Passage | None:
    record = added.evidence
    if record is None:
        return None
    return Passage(
        "carried", record.url, record.sha256, record.start, record.end, record.quote, 1.0
    )
