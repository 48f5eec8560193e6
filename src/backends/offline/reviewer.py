"""The offline reviewer and judge: the rubric's grades written into their forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from ...base.counting import counted
from ...base.vocabulary import GateDecision, Recommendation, ReviewCriterion, Severity
from ...core.work import JudgeInput
from ...verification.quality.critique import Critique, critique_line
from .grading import Grade, GradedText, Issue, grade

# As strictness "normal" has it; code computes the recommendation that counts.
_MEDIUM_THAT_REJECT = 3
_MOST_PRIORITIES = 5
_JUDGED = (
    ReviewCriterion.STRUCTURE,
    ReviewCriterion.COVERAGE,
    ReviewCriterion.CITATION_DENSITY,
    ReviewCriterion.CONSISTENCY,
    ReviewCriterion.READABILITY,
)
_NOT_JUDGED = {
    "accuracy": "Rules compared claims with their sources one by one; see the claim ledger. "
    "Whether the whole is accurate needs a reader.",
    "depth": "Rules cannot judge whether an analysis explains and weighs enough.",
    "novelty": "Rules cannot judge whether an analysis says more than its sources.",
}


def review(text: GradedText, critique: Critique | None = None) -> Mapping[str, JsonValue]:
    """Fill the slots of the feedback form; the summary ends with the `critique`."""
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


def judge(inputs: JudgeInput, text: GradedText) -> Mapping[str, JsonValue]:
    """Fill the slots of the judgement form."""
    values: dict[str, JsonValue] = {}
    for name, reason in _NOT_JUDGED.items():
        values[f"/criteria/{name}/score"] = None
        values[f"/criteria/{name}/reason"] = reason
    for graded in grade(text):
        if graded.criterion in _JUDGED:
            values[f"/criteria/{graded.criterion}/score"] = graded.score
            values[f"/criteria/{graded.criterion}/reason"] = graded.reason
    severe = sum(finding.severity.at_least(Severity.HIGH) for finding in inputs.open_findings)
    gate_passed = inputs.gate is None or inputs.gate.decision is GateDecision.PASS
    critique_passed = inputs.critique is None or inputs.critique.passed
    approves = severe == 0 and gate_passed and critique_passed
    recommendation = Recommendation.APPROVE if approves else Recommendation.REJECT
    values["/recommendation"] = recommendation.value
    values["/summary"] = _judge_summary(inputs, severe)
    return values


def _judge_summary(inputs: JudgeInput, severe: int) -> str:
    open_ = len(inputs.open_findings)
    parts = [
        "Judged by rules; no language model was used, so depth, novelty and overall accuracy are "
        "left open.",
        f"{counted(open_, 'finding') if open_ else 'No findings'} open"
        + (f", {severe} of high severity or above." if severe else "."),
    ]
    if inputs.gate is not None:
        metrics = inputs.gate.metrics
        parts.append(
            f"Evidence gate: {inputs.gate.decision.value}, {metrics.supported} of "
            f"{counted(metrics.checkable, 'checkable claim')} supported by the source they cite."
        )
    if inputs.critique is not None:
        parts.append(f"By count, {critique_line(inputs.critique)}.")
    return " ".join(parts)
