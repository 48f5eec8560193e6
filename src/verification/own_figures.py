"""What a document's own figures hold against its claims."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from ..base.finding import Finding
from ..base.vocabulary import IssueType
from ..claims.arithmetic import CheckedSum, check_arithmetic
from ..claims.calculation import Calculation, figure
from ..claims.figures import read_figures
from ..claims.model import Claim
from ..documents.model import Document
from . import issues
from .model import ClaimAssessment
from .registry import Registry
from .severity import SeverityPolicy


def with_own_figures(
    document: Document,
    claims: Sequence[Claim],
    assessments: Sequence[ClaimAssessment],
    registry: Registry,
) -> tuple[ClaimAssessment, ...]:
    """The assessments, with a finding for each claim whose arithmetic does not come out.

    `assessments` are those of `claims`, in the same order. The verdict stays: it says what the
    cited source says. No correction is offered, because any of the figures may be the wrong one.
    """
    doubted: dict[int, CheckedSum] = {}
    starts = [claim.location.start for claim in claims]
    figures = read_figures(document, registry.lexicon)
    for one in check_arithmetic(document, figures, registry.lexicon):
        at = _claim_at(claims, starts, one.location.start)
        if not one.calculation.agrees and at is not None:
            doubted.setdefault(at, one)
    return tuple(
        replace(
            assessment,
            findings=(*assessment.findings, _finding(claims[at], doubted[at], registry.severity)),
        )
        if at in doubted
        else assessment
        for at, assessment in enumerate(assessments)
    )


def _claim_at(claims: Sequence[Claim], starts: Sequence[int], offset: int) -> int | None:
    """The last claim that covers `offset`; a relative clause stands inside another claim."""
    last = bisect.bisect_right(starts, offset) - 1
    for at in range(last, -1, -1):
        if offset < claims[at].location.end:
            return at
        if claims[at].sentence != claims[last].sentence:
            break
    return None


def _finding(claim: Claim, doubted: CheckedSum, policy: SeverityPolicy) -> Finding:
    calculation = doubted.calculation
    return issues.finding(
        claim,
        IssueType.ARITHMETIC,
        policy.of_number(_change(calculation), load_bearing=claim.load_bearing),
        "the text's own figures come to something else",
        evidence=f"{calculation.working}; the text says {figure(calculation.stated)}",
        recommendation="correct the result, or the figures that it rests on",
    )


def _change(calculation: Calculation) -> float | None:
    """How far the stated result is off, relative to the computed one."""
    if not calculation.computed:
        return None
    return float(Fraction(calculation.stated - calculation.computed) / calculation.computed)
