"""The rubric applied: every criterion of a review, graded by rules or left open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ...base.vocabulary import ReviewCriterion
from .consistency_checks import grade_consistency
from .graded import Grade, GradedText
from .structure_checks import grade_coverage, grade_structure
from .text_checks import grade_density, grade_hedging, grade_readability

Check: TypeAlias = Callable[[GradedText], Grade]


def _no_reasoning(text: GradedText) -> Grade:  # noqa: ARG001 - the signature of every check
    reason = "Rules cannot judge whether conclusions follow from the evidence; this needs a reader."
    return Grade(ReviewCriterion.REASONING, None, reason)


CHECKS: Sequence[Check] = (
    grade_structure,
    grade_coverage,
    grade_density,
    grade_hedging,
    grade_consistency,
    grade_readability,
    _no_reasoning,
)


def grade(text: GradedText) -> tuple[Grade, ...]:
    """Every criterion of the rubric."""
    return tuple(check(text) for check in CHECKS)
