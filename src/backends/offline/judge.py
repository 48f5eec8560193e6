"""The offline judge: scores what rules can judge and leaves the rest null with its reason."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from ...base.counting import counted
from ...base.vocabulary import GateDecision, Recommendation, ReviewCriterion, Severity
from ...core.work import JudgeInput
from ...verification.quality.critique import critique_line
from .graded import GradedText
from .grading import grade

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


def judge(inputs: JudgeInput, text: GradedText) -> Mapping[str, JsonValue]:
    """The slots of the judgement form, by JSON pointer."""
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
    values["/summary"] = _summary(inputs, severe)
    return values


def _summary(inputs: JudgeInput, severe: int) -> str:
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
