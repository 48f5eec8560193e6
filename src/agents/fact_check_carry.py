"""Verdicts carried over: claims whose words and sources did not change are not checked again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pydantic import ValidationError

from ..base.errors import RunDirectoryError
from ..base.finding import Finding
from ..base.records import from_json
from ..base.registry import first_line
from ..base.vocabulary import IssueType, Stance
from ..claims.model import Claim
from ..core.types import (
    AdditionalClaim,
    ClaimVerdict,
    EvidenceRecord,
    FactCheck,
    IssueRecord,
    IterationEvidence,
)
from ..verification.assessing.issues import FACT_CHECKER
from ..verification.model import ClaimAssessment, Evidence, Passage
from .fact_check_files import describe_citations
from .fact_check_merge import Carried, Checked
from .fact_check_reply import AddedClaim, Answer


def carry_over(previous: str, evidence: IterationEvidence) -> Carried:
    """What the fact check `previous`, the text of the last iteration's artefact, still says.

    A claim's verdict is kept if it was checked, and if the words, the citations, the state and the
    snapshot of every source are the same. An additional claim is kept if its words still stand in
    the document.

    Raises:
        RunDirectoryError: `previous` is no fact check.
    """
    if not previous:
        return Carried()
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
    return Carried(tuple(checked), tuple(added))


def _unchanged(claim: Claim, last: ClaimVerdict, evidence: IterationEvidence) -> bool:
    return (
        not claim.exclusion
        and last.checked
        and last.text == claim.text
        and last.cited == describe_citations(claim, evidence.sources)
    )


def _carried(
    claim: Claim, engine: ClaimAssessment, last: ClaimVerdict, issues: Sequence[IssueRecord]
) -> Checked:
    own = [issue for issue in issues if issue.claim_id == claim.id]
    if last.decided_by != FACT_CHECKER:
        raised = _findings(claim, (issue for issue in own if issue.origin == FACT_CHECKER))
        assessment = replace(engine, findings=(*engine.findings, *raised))
        return Checked(claim, assessment, last.stated_verdict, carried=True)
    assessment = replace(
        engine,
        verdict=last.verdict,
        reason=last.reason,
        decided=False,
        evidence=tuple(_evidence(record) for record in last.evidence),
        findings=_findings(claim, own),
    )
    return Checked(claim, assessment, last.stated_verdict, "", FACT_CHECKER, carried=True)


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
