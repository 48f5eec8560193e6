"""Claims that a source may state in the part of it that was not read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...base.vocabulary import Finding, IssueType, Severity, Verdict
from ...claims.model import Claim
from ...sources.model import SourceSet
from ...sources.reading import BEYOND_LIMIT
from ..model import ClaimAssessment

PROBLEM = "the cited source was read in part, and the part that was read does not state this"


def with_partly_read(
    claims: Iterable[Claim], assessments: Iterable[ClaimAssessment], sources: SourceSet
) -> tuple[ClaimAssessment, ...]:
    """`assessments` of `claims`, those left open by a source read in part said to be unchecked.

    Nobody knows what stands in the rest: that is a low finding, and no fault of the author's.
    """
    return tuple(
        _marked(answer)
        if answer.verdict is Verdict.UNVERIFIABLE and _is_partly_read(claim, sources)
        else answer
        for claim, answer in zip(claims, assessments, strict=True)
    )


def _is_partly_read(claim: Claim, sources: SourceSet) -> bool:
    cited = (one.target for one in claim.cited if one.state is claim.citation_state)
    return any(BEYOND_LIMIT in sources.source(url).reason for url in cited if url)


def _marked(answer: ClaimAssessment) -> ClaimAssessment:
    findings = tuple(map(_softened, answer.findings))
    return replace(answer, reason=PROBLEM, unchecked=True, sure=False, findings=findings)


def _softened(finding: Finding) -> Finding:
    if finding.type is not IssueType.UNVERIFIABLE:
        return finding
    return replace(
        finding,
        problem=PROBLEM,
        severity=Severity.LOW,
        recommendation="cite a shorter source, or the part of it that matters",
    )
