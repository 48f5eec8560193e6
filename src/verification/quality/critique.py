"""The critique of a whole document: six scores with their reasons, and whether they suffice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...base.finding import Finding
from ...base.vocabulary import FailCode
from ...claims.model import Claim
from ...claims.words import WordBook
from ...documents.model import Document
from ..source_index import reads_english
from .critique_policy import CritiquePolicy, Dimension
from .dimensions import MEASURES, Commission, Measure, Measured, Subject
from .evidence_map import ClaimEvidenceMap

UNREAD = Measured(None, "the document's language is not read in full")
UNCOMPARED = Measured(None, "no claim was compared with a source")


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

    `score` is the mean of the dimensions that have a score by their weights, or the lowest of those
    below their floor if that is less; None if none has one, and then there is nothing to object to.
    `threshold` is what it has to reach. `weaknesses` and
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
        return _weak(self.dimensions, self.threshold)


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
    dimensions: dict[Dimension, DimensionScore] = {}
    for dimension, measure in MEASURES.items():
        found = _measured(subject, measure)
        score = None if found.score is None else round(found.score, 4)
        action = found.action if score is not None and score < 1 else ""
        weight = policy.weights[dimension]
        dimensions[dimension] = DimensionScore(score, weight, found.reason, action)
    score = _score(dimensions, policy)
    passed = score is None or score >= policy.pass_score
    weak = _weak(dimensions, policy.pass_score)
    return Critique(
        evidence.iteration,
        score,
        policy.pass_score,
        passed,
        None if passed else FailCode.QUALITY_GATE,
        dimensions,
        tuple(f"{dimension}: {one.reason}" for dimension, one in weak.items()),
        tuple(one.remediation_action for one in weak.values()),
    )


def critique_line(found: Critique) -> str:
    """The critique on one line: whether it passes, its score and those of its dimensions."""
    if found.score is None:
        return "quality: nothing could be scored"
    scored = (
        f"{dimension.replace('_', ' ')} {one.score:.2f}"
        for dimension, one in found.dimensions.items()
        if one.score is not None
    )
    decision = "pass" if found.passed else "fail"
    return f"quality {decision}: {found.score:.2f} ({', '.join(scored)})"


def _measured(subject: Subject, measure: Measure) -> Measured:
    if not reads_english(subject.document.language):
        return UNREAD
    return measure(subject) if subject.checked else UNCOMPARED


def _score(dimensions: Mapping[Dimension, DimensionScore], policy: CritiquePolicy) -> float | None:
    scored = {d: one.score for d, one in dimensions.items() if one.score is not None}
    total = sum(policy.weights[dimension] for dimension in scored)
    if not total:
        return None
    mean = sum(policy.weights[dimension] * score for dimension, score in scored.items()) / total
    low = (score for dimension, score in scored.items() if score < policy.floors.get(dimension, 0))
    return round(min(mean, *low, 1.0), 4)


def _weak(
    dimensions: Mapping[Dimension, DimensionScore], threshold: float
) -> dict[Dimension, DimensionScore]:
    return {
        dimension: one
        for dimension, one in dimensions.items()
        if one.score is not None and one.score < threshold
    }
