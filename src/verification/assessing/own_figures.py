"""Findings against a document's claims from its own figures."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import replace

from ...base.vocabulary import IssueType, Verdict
from ...claims.arithmetic.calculation import Calculation, figure
from ...claims.arithmetic.checks import check_arithmetic, read_figures
from ...claims.model import Claim
from ...documents.language import reads_english
from ...documents.model import Document
from ..assessing import issues
from ..model import ClaimAssessment
from ..registry import Registry
from ..severity import SeverityPolicy

_STANDS = (Verdict.SUPPORTED, Verdict.NOT_CHECKABLE)


def with_own_figures(
    document: Document,
    claims: Sequence[Claim],
    assessments: Sequence[ClaimAssessment],
    registry: Registry,
) -> tuple[ClaimAssessment, ...]:
    """The assessments, with a finding for each claim whose sum does not come out.

    `assessments` are those of `claims`, in the same order. Such a claim is contradicted unless its
    source supports it. Any of the figures may be the wrong one, so no correction is offered. Only
    English is read (decision 28).
    """
    found = list(assessments)
    if not reads_english(document.language):
        return tuple(found)
    figures = read_figures(document, registry.lexicon)
    for one in check_arithmetic(document, figures, registry.lexicon):
        at = None if one.calculation.agrees else _claim_at(claims, one.location.start)
        if at is not None:
            found[at] = _doubted(claims[at], found[at], one.calculation, registry.severity)
    return tuple(found)


def _claim_at(claims: Sequence[Claim], offset: int) -> int | None:
    """The last claim that covers `offset`; a relative clause stands inside another claim."""
    last = bisect.bisect_right(claims, offset, key=lambda claim: claim.location.start) - 1
    for at in range(last, -1, -1):
        if offset < claims[at].location.end:
            return at
        if claims[at].sentence != claims[last].sentence:
            break
    return None


def _doubted(
    claim: Claim, assessment: ClaimAssessment, wrong: Calculation, policy: SeverityPolicy
) -> ClaimAssessment:
    """`assessment` with a finding for a sum; the first finding of a claim's sums stands."""
    change = float((wrong.stated - wrong.computed) / wrong.computed) if wrong.computed else None
    finding = issues.finding(
        claim,
        IssueType.ARITHMETIC,
        policy.of_number(change, load_bearing=claim.load_bearing),
        "the text's own figures come to something else",
        evidence=f"{wrong.working}; the text says {figure(wrong.stated)}",
        recommendation="correct the result, or the figures that it rests on",
    )
    if all(finding.id != one.id for one in assessment.findings):
        assessment = replace(assessment, findings=(*assessment.findings, finding))
    if assessment.verdict in _STANDS:
        return assessment
    reason = f"the document contradicts itself: {finding.evidence}"
    return replace(assessment, verdict=Verdict.CONTRADICTED, reason=reason, decided=True)
