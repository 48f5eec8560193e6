"""The offline reviewer: the rubric's grades written into the feedback form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from ...base.counting import counted
from ...base.vocabulary import Recommendation, ReviewCriterion, Severity
from ...verification.quality.critique import Critique, critique_line
from .graded import Grade, GradedText, Issue
from .grading import grade

_MEDIUM_THAT_REJECT = 3  # decision 2, strictness "normal"; code computes the one that counts
_MOST_PRIORITIES = 5


def review(text: GradedText, critique: Critique | None = None) -> Mapping[str, JsonValue]:
    """The slots of the feedback form, by JSON pointer; `critique` is told in the summary."""
    grades = grade(text)
    issues = sorted(
        ((g.criterion, issue) for g in grades for issue in g.issues),
        key=lambda pair: pair[1].severity.rank,
    )
    recommendation = _recommendation([issue for _, issue in issues])
    values: dict[str, JsonValue] = {
        "/recommendation": recommendation.value,
        "/recommendation_reason": _reason(recommendation, [issue for _, issue in issues]),
        "/summary": _summary(grades, critique),
        "/issues": [_issue(criterion, issue) for criterion, issue in issues],
    }
    strengths: list[JsonValue] = [g.strength for g in grades if g.strength]
    priorities: list[JsonValue] = [issue.recommendation[:300] for _, issue in issues]
    values["/strengths"] = strengths
    values["/top_priorities"] = priorities[:_MOST_PRIORITIES]
    for g in grades:
        values[f"/criteria/{g.criterion}/score"] = g.score
        values[f"/criteria/{g.criterion}/reason"] = g.reason
    return values


def _recommendation(issues: Sequence[Issue]) -> Recommendation:
    high = any(issue.severity.at_least(Severity.HIGH) for issue in issues)
    medium = sum(issue.severity is Severity.MEDIUM for issue in issues)
    rejects = high or medium >= _MEDIUM_THAT_REJECT
    return Recommendation.REJECT if rejects else Recommendation.APPROVE


def _reason(recommendation: Recommendation, issues: Sequence[Issue]) -> str:
    if recommendation is Recommendation.APPROVE:
        return f"The rules of the rubric found {_issues(issues)}, none that rejects."
    return f"{_issues(issues)}, the worst: {issues[0].problem}"


def _issues(issues: Sequence[Issue]) -> str:
    return counted(len(issues), "issue") if issues else "no issues"


def _summary(grades: Sequence[Grade], critique: Critique | None) -> str:
    lines = [
        f"{g.criterion.value.replace('_', ' ').capitalize()}: {g.reason}"
        for g in grades
        if g.score is not None
    ]
    if critique is not None:
        lines.append(f"By count, before the fact check: {critique_line(critique)}.")
    return " ".join(["Checked by rules; no language model was used.", *lines])


def _issue(criterion: ReviewCriterion, issue: Issue) -> JsonValue:
    return {
        "severity": issue.severity.value,
        "criterion": criterion.value,
        "quote": issue.quote[:500],
        "problem": issue.problem,
        "evidence": issue.evidence,
        "recommendation": issue.recommendation,
    }
