"""`fact_check_iteration_N.json`: every count in it is computed from typed records."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.printable import counted
from ..base.vocabulary import (
    CitationState,
    Finding,
    Recommendation,
    Severity,
    SourceState,
    Verdict,
)
from ..claims.model import Claim
from ..core.artefacts import (
    ClaimVerdict,
    FactCheckSummary,
    VerificationDetails,
    VerificationResults,
    count_severities,
)
from ..core.tasks import TurnUsage
from ..core.work import IterationEvidence
from ..sources.model import SourceSet
from ..verification.ledger.building import (
    FactCheckState,
    accuracy_score,
    build_ledger,
    count_states,
    coverage,
    fact_check_state,
)
from ..verification.model import ClaimAssessment, Ledger
from .fact_check_batches import describe_citations
from .fact_check_reply import CheckedClaim, CheckedClaims, evidence_record

_MOST_PRIORITIES = 3
_PRIORITY_CHARS = 300


def ledger_of(merged: CheckedClaims, evidence: IterationEvidence) -> Ledger:
    """Every claim of the iteration with its verdict; those of failed batches are open slots."""
    return build_ledger(
        evidence.claims,
        [one.assessment for one in merged.checked.values()],
        open_slots={claim.id for claim in evidence.claims} - merged.checked.keys(),
    )


def summarise(
    merged: CheckedClaims, ledger: Ledger, evidence: IterationEvidence
) -> FactCheckSummary:
    """The counts of the fact check (fact-checker spec; decisions 23 and 24)."""
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
    return {
        claim.id: _verdict(claim, merged.checked.get(claim.id), evidence)
        for claim in evidence.claims
    }


def _verdict(
    claim: Claim, checked: CheckedClaim | None, evidence: IterationEvidence
) -> ClaimVerdict:
    assessment = checked.assessment if checked else _unanswered(claim)
    state = fact_check_state(assessment.verdict, claim.citation_state)
    reasons = (assessment.reason, checked.reason if checked else "")
    return ClaimVerdict(
        text=claim.text,
        location=str(claim.location),
        line=claim.location.line,
        kind=claim.kind.value,
        cited=describe_citations(claim, evidence.sources),
        citation_state=claim.citation_state.value,
        verdict=assessment.verdict,
        verification=state.value if state else assessment.verdict.value,
        stated_verdict=checked.stated if checked else None,
        reason=". ".join(dict.fromkeys(part.rstrip(". ") for part in reasons if part)),
        checked=checked is not None and not assessment.unchecked,
        decided_by=checked.decided_by if checked else "nobody",
        evidence=[evidence_record(one) for one in assessment.evidence],
    )


def _unanswered(claim: Claim) -> ClaimAssessment:
    reason = "the batch that should have checked this claim failed"
    return ClaimAssessment(claim.id, Verdict.UNVERIFIABLE, claim.citation_state, reason)


def details(batches: int, failed: int, usage: TurnUsage, sources: SourceSet) -> VerificationDetails:
    """Details of the fetches of code before the check and of the agent during it."""
    tried = [s for s in sources.sources.values() if s.state is not SourceState.NOT_FETCHED]
    return VerificationDetails(
        webfetch_attempts=len(tried) + usage.fetches,
        webfetch_successful=sum(source.state.readable for source in tried),
        websearch_fallbacks=0,
        processing_time_seconds=round(usage.wall_s, 3),
        batches=batches,
        failed_batches=failed,
    )


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
    results = summary.verification_results
    sourced = counted(
        summary.sourced_claims,
        "sourced claim is supported by the source it cites",
        "sourced claims are supported by the source they cite",
    )
    unsourced = counted(summary.unsourced_claims, "claim has", "claims have")
    facts = f"{results.verified_true} of {sourced}, {unsourced} no source"
    facts += (
        f", {counted(summary.unchecked_claims, 'was', 'were')} not checked."
        if summary.unchecked_claims
        else "."
    )
    if not findings:
        return f"No issue was found. {facts}"
    counts = summary.severity_counts.model_dump()
    listed = ", ".join(f"{count} {severity}" for severity, count in counts.items() if count)
    verb = "rejects" if recommendation is Recommendation.REJECT else "does not reject"
    return f"Issues by severity: {listed}; that {verb}. {facts}"
