"""The quality of a draft as a whole: its claim-evidence map and its critique, as artefacts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..base.vocabulary import Finding, ReviewCriterion, finding_id
from ..sources.scoring.model import Appraisal
from ..verification.ledger.building import build_ledger
from ..verification.model import ClaimAssessment, Ledger
from ..verification.quality.evidence_map import map_claims
from ..verification.quality.policy import Dimension
from ..verification.registry import Registry
from .brief import Assignment
from .critique import Critique, critique
from .iteration import Quality
from .work import IterationEvidence

CRITIQUE = "critique"
"""The origin of findings that a critique makes."""

# What an analyst knows how to settle by another name than quality.
_CRITERIA: Mapping[Dimension, ReviewCriterion] = {
    Dimension.COVERAGE: ReviewCriterion.COVERAGE,
    Dimension.COHERENCE: ReviewCriterion.CONSISTENCY,
    Dimension.CITATION_QUALITY: ReviewCriterion.CITATION_DENSITY,
}


@dataclass(frozen=True, slots=True)
class DraftScorer:
    """Scores the drafts of one run.

    `assignment` are the demands on the drafts.
    """

    registry: Registry
    assignment: Assignment

    def judge(
        self,
        evidence: IterationEvidence,
        ledger: Ledger,
        assessments: Iterable[ClaimAssessment],
        appraisal: Appraisal | None = None,
    ) -> Quality:
        """The map and the critique of a draft.

        `assessments` are those that `ledger` was built from; `appraisal` rates the sources.
        """
        document, claims = evidence.document, evidence.claims
        rated = appraisal.rated if appraisal else ()
        name = f"analysis_iteration_{ledger.iteration}.md"
        mapped = map_claims(name, document, claims, ledger, rated)
        found = critique(
            document,
            claims,
            mapped,
            self.registry.critique,
            self.registry.lexicon.words,
            assignment=self.assignment,
            findings=[finding for each in assessments for finding in each.findings],
        )
        return Quality(mapped, found)

    def before_critics(self, iteration: int, evidence: IterationEvidence) -> Critique:
        """The critique by code's own verdicts, for the critics."""
        assessments = evidence.assessments.values()
        ledger = build_ledger(evidence.claims, assessments, iteration=iteration)
        return self.judge(evidence, ledger, assessments).critique

    def findings(self, quality: Quality) -> tuple[Finding, ...]:
        """The findings of a failed critique: the remedy of each weak dimension (decision 39)."""
        found = quality.critique
        if found.passed:
            return ()
        return tuple(
            Finding(
                id=finding_id(ReviewCriterion.QUALITY, dimension),
                severity=self.registry.critique.severity,
                type=_CRITERIA.get(dimension, ReviewCriterion.QUALITY),
                claim="",
                problem=f"The quality gate failed ({dimension} {one.score:.2f}): {one.reason}",
                origin=CRITIQUE,
                recommendation=one.remediation_action,
            )
            for dimension, one in found.weak.items()
        )
