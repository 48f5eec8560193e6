"""`fact_check_iteration_N.json`: answers and carried verdicts, merged and counted by code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pydantic import ValidationError

from ..base.errors import RunDirectoryError
from ..base.files import from_json
from ..base.printable import counted
from ..base.registry import first_line
from ..base.vocabulary import (
    CitationState,
    Finding,
    IssueType,
    Recommendation,
    Severity,
    SourceState,
    Stance,
    Verdict,
    finding_id,
)
from ..claims.model import Claim, ClaimCategory
from ..claims.quantities import find_slots
from ..core.artefacts import (
    AdditionalClaim,
    ClaimVerdict,
    FactCheck,
    FactCheckSummary,
    IssueRecord,
    StatedSummary,
    VerificationResults,
    count_severities,
)
from ..core.iteration import merge_findings
from ..core.work import IterationEvidence
from ..verification.assessing.combine import combine_verdicts
from ..verification.assessing.issues import FACT_CHECKER
from ..verification.ledger.building import (
    FactCheckState,
    accuracy_score,
    build_ledger,
    count_states,
    coverage,
    fact_check_state,
)
from ..verification.model import ClaimAssessment, Evidence
from ..verification.passages.retrieval import SourceIndex
from ..verification.registry import Registry
from .fact_check_batches import describe_citations
from .fact_check_reply import (
    Answer,
    BatchAnswer,
    CheckedClaim,
    CheckedClaims,
    evidence_record,
    quoted,
)
from .replies import locate

_MOST_PRIORITIES = 3
_PRIORITY_CHARS = 300
_UNANSWERED = "the batch that should have checked this claim failed"


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
            checked[claim.id] = CheckedClaim(assessment)
    left = [one for id_, one in evidence.assessments.items() if id_ in claims.keys() - checked]
    assessments = [*(one.assessment for one in checked.values()), *left]
    findings = [finding for one in assessments for finding in one.findings]
    findings += [finding for batch in batches for finding in batch.findings]
    every = (*carried.added, *(one for batch in batches for one in batch.added))
    added = tuple({one.quote: one for one in every}.values())
    findings += _added_findings(added, evidence, registry)
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
        return CheckedClaim(engine, answer.verdict, answer.reason)
    shown = quoted(answer.passage.text, answer.passage.url) if answer.passage else ""
    findings = tuple(
        # What the agent's verdict led to has the agent's reason and passage.
        replace(finding, evidence=f"{answer.reason} {shown}".strip())
        if finding.origin == FACT_CHECKER and answer.reason
        else finding
        for finding in result.findings
    )
    result = replace(result, findings=findings)
    return CheckedClaim(result, answer.verdict, answer.reason, FACT_CHECKER)


def _added_findings(
    added: Iterable[AdditionalClaim], evidence: IterationEvidence, registry: Registry
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
            location=locate(claim.quote, evidence.document),
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
    checked: dict[str, CheckedClaim] = {}
    for claim in evidence.claims:
        verdict, engine = last.claims.get(claim.id), evidence.assessments.get(claim.id)
        if (
            verdict is not None
            and engine is not None
            and not claim.exclusion
            and verdict.checked
            and verdict.text == claim.text
            and verdict.cited == describe_citations(claim, evidence.sources)
        ):
            checked[claim.id] = _carried(claim, engine, verdict, last)
    added = (
        one.model_copy(update={"line": place.line})
        for one in last.additional_claims
        if (place := locate(one.quote, evidence.document)) is not None
    )
    return CheckedClaims(checked, tuple(added))


def _carried(
    claim: Claim, engine: ClaimAssessment, last: ClaimVerdict, check: FactCheck
) -> CheckedClaim:
    own = [issue for issue in check.issues if issue.claim_id == claim.id]
    if last.decided_by != FACT_CHECKER:
        raised = (_finding(claim, issue) for issue in own if issue.origin == FACT_CHECKER)
        assessment = replace(engine, findings=(*engine.findings, *raised))
        return CheckedClaim(assessment, last.stated_verdict)
    assessment = replace(
        engine,
        verdict=last.verdict,
        reason=last.reason,
        decided=False,
        evidence=tuple(
            Evidence(one.url, one.sha256, one.quote, one.start, one.end, Stance(one.stance))
            for one in last.evidence
        ),
        findings=tuple(_finding(claim, issue) for issue in own),
    )
    return CheckedClaim(assessment, last.stated_verdict, "", FACT_CHECKER)


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


# --- the artefact ------------------------------------------------------------------------------


def summarise(merged: CheckedClaims, evidence: IterationEvidence) -> FactCheckSummary:
    """The counts of the fact check (fact-checker spec; decisions 23 and 24).

    Claims of failed batches are open slots.
    """
    ledger = build_ledger(
        evidence.claims,
        [one.assessment for one in merged.checked.values()],
        open_slots={claim.id for claim in evidence.claims} - merged.checked.keys(),
    )
    checkable = [e for e in ledger.entries if e.verdict is not Verdict.NOT_CHECKABLE]
    answered = [entry for entry in checkable if not (entry.open_slot or entry.unchecked)]
    states = count_states(answered)
    sourced = sum(entry.citation_state is not CitationState.NONE for entry in checkable)
    targets = evidence.document.cited_urls()
    found = [evidence.sources.source(target).state for target in targets]
    score, share = accuracy_score(ledger), coverage(ledger)
    return FactCheckSummary(
        total_claims=len(checkable),
        sourced_claims=sourced,
        unsourced_claims=len(checkable) - sourced,
        not_checkable_claims=len(ledger.entries) - len(checkable),
        unchecked_claims=len(checkable) - len(answered),
        verification_results=VerificationResults(
            verified_true=states[FactCheckState.VERIFIED_TRUE],
            verified_false=states[FactCheckState.VERIFIED_FALSE],
            unverifiable=states[FactCheckState.UNVERIFIABLE],
        ),
        accuracy_score=round(score, 1) if score is not None else None,
        coverage=round(100 * share, 1) if share is not None else None,
        citations_checked=sum(state is not SourceState.NOT_FETCHED for state in found),
        citations_working=sum(state.readable for state in found),
        severity_counts=count_severities(merged.findings),
    )


def claim_verdicts(merged: CheckedClaims, evidence: IterationEvidence) -> dict[str, ClaimVerdict]:
    """One entry for each claim, in document order."""
    verdicts: dict[str, ClaimVerdict] = {}
    for claim in evidence.claims:
        failed = ClaimAssessment(
            claim.id, Verdict.UNVERIFIABLE, claim.citation_state, _UNANSWERED, unchecked=True
        )
        answer = merged.checked.get(claim.id) or CheckedClaim(failed, decided_by="nobody")
        assessment = answer.assessment
        state = fact_check_state(assessment.verdict, claim.citation_state)
        reasons = (part.rstrip(". ") for part in (assessment.reason, answer.reason) if part)
        verdicts[claim.id] = ClaimVerdict(
            text=claim.text,
            location=str(claim.location),
            line=claim.location.line,
            kind=claim.kind.value,
            cited=describe_citations(claim, evidence.sources),
            citation_state=claim.citation_state.value,
            verdict=assessment.verdict,
            verification=state.value if state else assessment.verdict.value,
            stated_verdict=answer.stated,
            reason=". ".join(dict.fromkeys(reasons)),
            checked=not assessment.unchecked,
            decided_by=answer.decided_by,
            evidence=[evidence_record(one) for one in assessment.evidence],
        )
    return verdicts


def priorities(findings: Sequence[Finding]) -> list[str]:
    """The three most important things to settle (fact-checker spec)."""
    worst = [finding for finding in findings if finding.severity is not Severity.LOW]
    return [
        f"Priority {number}: {finding.problem}: {finding.recommendation or finding.claim} "
        f"({finding.severity.value.capitalize()})"[:_PRIORITY_CHARS]
        for number, finding in enumerate(worst[:_MOST_PRIORITIES], start=1)
    ]


def recommendation_reason(
    recommendation: Recommendation, findings: Sequence[Finding], summary: FactCheckSummary
) -> str:
    """The computed recommendation in two sentences."""
    sourced = counted(
        summary.sourced_claims,
        "sourced claim is supported by the source it cites",
        "sourced claims are supported by the source they cite",
    )
    unsourced = counted(summary.unsourced_claims, "claim has", "claims have")
    facts = f"{summary.verification_results.verified_true} of {sourced}, {unsourced} no source"
    if summary.unchecked_claims:
        facts += f", {counted(summary.unchecked_claims, 'was', 'were')} not checked"
    if not findings:
        return f"No issue was found. {facts}."
    counts = summary.severity_counts.model_dump()
    listed = ", ".join(f"{count} {severity}" for severity, count in counts.items() if count)
    verb = "rejects" if recommendation is Recommendation.REJECT else "does not reject"
    return f"Issues by severity: {listed}; that {verb}. {facts}."
