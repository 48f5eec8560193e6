"""Findings against a document's claims from its own figures."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from ...base.vocabulary import Finding, IssueType, Location, Verdict
from ...claims.arithmetic.calculation import Calculation, figure
from ...claims.arithmetic.checks import CheckedSum, check_arithmetic
from ...claims.arithmetic.figures import Place, read_figures
from ...claims.model import Claim
from ...documents.model import Document
from ..assessing import issues
from ..model import ClaimAssessment
from ..registry import Registry
from ..source_index import reads_english

_STANDS = (Verdict.SUPPORTED, Verdict.NOT_CHECKABLE)


def with_own_figures(
    document: Document,
    claims: Sequence[Claim],
    assessments: Sequence[ClaimAssessment],
    registry: Registry,
) -> tuple[ClaimAssessment, ...]:
    """The assessments, with a finding for each claim whose sum does not come out.

    `assessments` are those of `claims`, in the same order. Such a claim is contradicted unless its
    source supports it. A result that follows from figures before it needs no source of its own.
    Any of the figures may be the wrong one, so no correction is offered. Only English is read
    (decision 28).
    """
    if not reads_english(document.language):
        return tuple(assessments)
    figures = read_figures(document, registry.lexicon)
    own = _OwnFigures(claims, assessments, registry)
    for one in check_arithmetic(document, figures, registry.lexicon):
        own.weigh_sum(one)
    return tuple(own.assessments)


class _OwnFigures:
    """Adds findings to the claims at whose place they are; the first one of a type stands."""

    def __init__(
        self,
        claims: Sequence[Claim],
        assessments: Sequence[ClaimAssessment],
        registry: Registry,
    ) -> None:
        self._claims = claims
        self._starts = [claim.location.start for claim in claims]
        self._policy = registry.severity
        self.assessments = list(assessments)

    def weigh_sum(self, one: CheckedSum) -> None:
        """A result, worked again."""
        at = self._claim_at(one.location.start)
        if at is None:
            return
        calculation = one.calculation
        if one.operands:
            self._needs_no_source(at, calculation)
        if not calculation.agrees:
            claim = self._claims[at]
            severity = self._policy.of_number(_change(calculation), load_bearing=claim.load_bearing)
            found = issues.finding(
                claim,
                IssueType.ARITHMETIC,
                severity,
                "the text's own figures come to something else",
                evidence=_working(calculation) + _lines(one.operands, one.location),
                recommendation="correct the result, or the figures that it rests on",
            )
            self._raise(at, found, [place.location for place in one.operands])
            self._contradict(at, found)

    def _raise(self, at: int, finding: Finding, related: Iterable[Location]) -> None:
        assessment = self.assessments[at]
        if any(finding.id == found.id for found in assessment.findings):
            return
        finding = replace(finding, related=tuple(related))
        self.assessments[at] = replace(assessment, findings=(*assessment.findings, finding))

    def _contradict(self, at: int, finding: Finding) -> None:
        """The claim is contradicted, unless a source bears it out."""
        if self.assessments[at].verdict not in _STANDS:
            reason = f"the document contradicts itself: {finding.evidence}"
            self.assessments[at] = replace(
                self.assessments[at], verdict=Verdict.CONTRADICTED, reason=reason, decided=True
            )

    def _needs_no_source(self, at: int, calculation: Calculation) -> None:
        """A result that is reckoned from the text is no statement without a source."""
        assessment = self.assessments[at]
        kept = tuple(one for one in assessment.findings if one.type is not IssueType.UNSOURCED)
        if len(kept) < len(assessment.findings) and len(self._claims[at].quantities) == 1:
            reason = f"it follows from the document's own figures: {calculation.working}"
            self.assessments[at] = replace(assessment, findings=kept, reason=reason)

    def _claim_at(self, offset: int) -> int | None:
        """The last claim that covers `offset`; a relative clause stands inside another claim."""
        last = bisect.bisect_right(self._starts, offset) - 1
        for at in range(last, -1, -1):
            if offset < self._claims[at].location.end:
                return at
            if self._claims[at].sentence != self._claims[last].sentence:
                break
        return None


def _working(calculation: Calculation) -> str:
    return f"{calculation.working}; the text says {figure(calculation.stated)}"


def _lines(operands: Sequence[Place], location: Location) -> str:
    """Where the figures of a sum stand, if not in its own line."""
    lines = sorted({place.location.line for place in operands} - {location.line})
    told = ", ".join(map(str, lines))
    return f" (figures of line{'s' if len(lines) > 1 else ''} {told})" if lines else ""


def _change(calculation: Calculation) -> float | None:
    """How far the stated result is off, relative to the computed one."""
    if not calculation.computed:
        return None
    return float(Fraction(calculation.stated - calculation.computed) / calculation.computed)
