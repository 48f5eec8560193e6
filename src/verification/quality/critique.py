"""The critique of a whole document: six scores with their reasons, and whether they suffice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...base.finding import Finding
from ...base.vocabulary import FailCode
from ...claims.model import Claim
from ...claims.words import WordBook
from ...documents.model import Document
from ..judging.foreign import reads_english
from .critique_policy import CritiquePolicy, Dimension
from .dimensions import MEASURES, Commission, Measured, Subject
from .evidence_map import ClaimEvidenceMap

UNREAD = Measured(None, "the document's language is not read in full")


@dataclass(frozen=True, slots=True)
class DimensionScore:
    """One dimension: its score from 0 to 1, None with the reason why there is none.

    `weight` is its part in the whole. `remediation_action` is what would raise the score, "" where
    nothing would.
    """

    score: float | None
    weight: float
    reason: str
    remediation_action: str


@dataclass(frozen=True, slots=True)
class Critique:
    """`critique.json` (verify-phase spec; decision 39).

    `score` is the mean of the dimensions that have a score by their weights, None if none has one;
    then there is nothing to object to. `threshold` is what it has to reach. `weaknesses` and
    `suggestions` are the reasons and remedies of the dimensions below `threshold`.
    """

    iteration: int
    score: float | None
    threshold: float
    passed: bool
    fail_code: FailCode | None
    dimensions: Mapping[Dimension, DimensionScore]
    weaknesses: tuple[str, ...]
    suggestions: tuple[str, ...]

    @property
    def weak(self) -> Mapping[Dimension, DimensionScore]:
        """The dimensions below the threshold."""
        return {
            dimension: one
            for dimension, one in self.dimensions.items()
            if one.score is not None and one.score < self.threshold
        }


def critique(
    document: Document,
    claims: Sequence[Claim],
    evidence: ClaimEvidenceMap,
    policy: CritiquePolicy,
    book: WordBook,
    *,
    commission: Commission,
    findings: Iterable[Finding] = (),
) -> Critique:
    """Score `document` by all dimensions; pass at `policy.pass_score` and above.

    Args:
        document: The document.
        claims: Its claims.
        evidence: The map of these claims.
        policy: Weights and thresholds.
        book: The words of the language that is read.
        commission: What the document was ordered to be.
        findings: What code holds against single claims.
    """
    subject = Subject(document, claims, evidence, commission, tuple(findings), policy, book)
    readable = reads_english(document.language)
    dimensions: dict[Dimension, DimensionScore] = {}
    for dimension, measure in MEASURES.items():
        found = measure(subject) if readable else UNREAD
        score = None if found.score is None else round(found.score, 4)
        action = found.action if score is not None and score < 1 else ""
        weight = policy.weights[dimension]
        dimensions[dimension] = DimensionScore(score, weight, found.reason, action)
    return _concluded(evidence.iteration, dimensions, policy.pass_score)


def _concluded(
    iteration: int, dimensions: Mapping[Dimension, DimensionScore], threshold: float
) -> Critique:
    scored = [(one.score, one.weight) for one in dimensions.values() if one.score is not None]
    total = sum(weight for _, weight in scored)
    score = round(sum(s * weight for s, weight in scored) / total, 4) if total else None
    passed = score is None or score >= threshold
    fail_code = None if passed else FailCode.QUALITY_GATE
    plain = Critique(iteration, score, threshold, passed, fail_code, dimensions, (), ())
    return Critique(
        iteration,
        score,
        threshold,
        passed,
        fail_code,
        dimensions,
        tuple(f"{dimension}: {one.reason}" for dimension, one in plain.weak.items()),
        tuple(one.remediation_action for one in plain.weak.values()),
    )
