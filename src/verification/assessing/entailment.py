"""A second opinion by an entailment model: it may doubt and ask, never bear out or contradict.

Rules decide the verdict. A model may lower a supported claim, and hand an unverifiable one to a
person; a contradiction that code found stands (design, principle 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from pydantic import Field

from ...base.registry import RegistryModel
from ...base.vocabulary import CitationState, IssueType, Severity, Verdict
from ...claims.model import Claim
from ..assessing import issues
from ..model import ClaimAssessment
from ..severity import SeverityPolicy

ENTAILMENT_FILE = "entailment.yaml"


class EntailmentPolicy(RegistryModel):
    """`config/registry/entailment.yaml`; probabilities are 0–1."""

    contradicts: float = Field(gt=0.5, le=1)
    entails: float = Field(gt=0.5, le=1)
    passages: int = Field(ge=1)


@dataclass(frozen=True, slots=True)
class Leaning:
    """How likely a premise entails a hypothesis, says nothing of it, or contradicts it."""

    entails: float
    neutral: float
    contradicts: float


class EntailmentModel(Protocol):
    """Compares two texts."""

    def __call__(self, premise: str, hypothesis: str) -> Leaning:
        """What `premise` says about `hypothesis`."""
        ...


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """A model with the limits from which on it is heard."""

    model: EntailmentModel
    policy: EntailmentPolicy

    def on(
        self,
        claims: Iterable[Claim],
        assessments: Sequence[ClaimAssessment],
        severity: SeverityPolicy,
    ) -> tuple[ClaimAssessment, ...]:
        """`assessments`, which are those of `claims` in the same order, as the model leaves them.

        A supported claim becomes unverifiable if the model takes all its evidence for a
        contradiction. An unverifiable one counts as unchecked, which the gate leaves to a person,
        if the model takes a passage of its sources to state it.
        """
        return tuple(
            self._heard(claim, assessment, severity)
            for claim, assessment in zip(claims, assessments, strict=True)
        )

    def _heard(
        self, claim: Claim, assessment: ClaimAssessment, severity: SeverityPolicy
    ) -> ClaimAssessment:
        if assessment.verdict is Verdict.SUPPORTED:
            return self._doubted(claim, assessment, severity)
        cited = assessment.citation_state is not CitationState.NONE
        if assessment.verdict is Verdict.UNVERIFIABLE and cited:
            return self._left_open(claim, assessment)
        return assessment

    def _doubted(
        self, claim: Claim, assessment: ClaimAssessment, severity: SeverityPolicy
    ) -> ClaimAssessment:
        against = [self.model(item.quote, claim.text).contradicts for item in assessment.evidence]
        if min(against, default=0.0) < self.policy.contradicts:
            return assessment
        reason = f"an entailment model takes the source to contradict it ({min(against):.2f})"
        found = issues.unverifiable(claim, f"{reason}; rules found: {assessment.reason}", severity)
        return replace(
            assessment,
            verdict=Verdict.UNVERIFIABLE,
            reason=reason,
            decided=False,
            findings=(*assessment.findings, found),
        )

    def _left_open(self, claim: Claim, assessment: ClaimAssessment) -> ClaimAssessment:
        near = assessment.passages[: self.policy.passages]
        most = max((self.model(one.text, claim.text).entails for one in near), default=0.0)
        if most < self.policy.entails:
            return assessment
        note = f"an entailment model takes the source to state it ({most:.2f})"
        return replace(
            assessment,
            reason=f"{assessment.reason}; {note}",
            unchecked=True,
            findings=tuple(
                replace(found, severity=Severity.LOW, evidence=f"{found.evidence}; {note}")
                if found.type in (IssueType.UNVERIFIABLE, IssueType.MISATTRIBUTED)
                else found
                for found in assessment.findings
            ),
        )
