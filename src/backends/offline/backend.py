"""The backend that needs no key, no model and no network: rules fill the templates and forms."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import anyio.to_thread
from pydantic import JsonValue

from ...base.errors import ReplyError
from ...base.files import write_atomic
from ...base.printable import counted
from ...base.vocabulary import GateDecision, Recommendation, ReviewCriterion, Severity
from ...core.critique import Critique, critique_line
from ...core.edit_policy import JsonSlots, child, fill_slots
from ...core.tasks import AgentTask, Error, Turn, TurnUsage
from ...core.work import AnalystInput, FactCheckInput, JudgeInput, ReviewerInput
from ...review.types import (
    WEB_VERDICTS,
    DefenceInput,
    DefenceOutcome,
    ExtractionInput,
    RedReviewInput,
    SmokeInput,
    SmokeVerdict,
    WebCheckInput,
)
from ._drafting import write_draft
from ._grading import Grade, GradedText, Issue, grade
from ._revision import revise
from ._rules import load_offline_rules

Slots = Mapping[str, JsonValue]
"""Values for the slots of a form, by JSON pointer."""


class OfflineBackend:
    """Fills every agent's template by rules. The same inputs always give the same text.

    Args:
        registry_dir: A folder whose files replace packaged rules, as for the setting of that name.

    Raises:
        RegistryError: A file is broken or does not validate.
    """

    def __init__(self, registry_dir: Path | None = None) -> None:
        self._rules = load_offline_rules(registry_dir)

    @property
    def name(self) -> str:
        """``offline``."""
        return "offline"

    @property
    def independent(self) -> bool:
        """False: its critics judge by rules."""
        return False

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        """Fill `folder/task.file_name` and return its text. It never fails.

        Raises:
            ReplyError: Rules cannot do the task.
            EditRefused: The template lacks a slot.
        """
        started, cpu = time.perf_counter(), time.thread_time()

        def work() -> tuple[str, float]:
            begun = time.thread_time()
            text = self._fill(task)
            write_atomic(folder / task.file_name, text, durable=False)
            return text, time.thread_time() - begun

        text, used = await anyio.to_thread.run_sync(work)
        cpu_s = used + time.thread_time() - cpu
        return Turn(text, TurnUsage(wall_s=time.perf_counter() - started, cpu_s=cpu_s))

    def _fill(self, task: AgentTask[object]) -> str:
        if task.offline:
            values = task.offline()
        elif isinstance(task.inputs, AnalystInput):
            write = revise if task.inputs.draft else write_draft
            return write(task.inputs, self._rules)
        else:
            values = self._values(task.inputs)
        if not isinstance(task.policy, JsonSlots):
            raise ReplyError(f"{task.name} is no form with slots")
        return fill_slots(task.template, task.policy, values)

    def _values(self, inputs: object) -> Slots:
        match inputs:
            case ReviewerInput() | JudgeInput():
                text = GradedText(inputs.brief, inputs.draft, self._rules)
                judges = isinstance(inputs, JudgeInput)
                return judge(inputs, text) if judges else review(text, inputs.critique)
            case FactCheckInput():
                return check_facts(inputs)
            case RedReviewInput():
                return review_lens(inputs)
            case DefenceInput():
                return defend(inputs)
            case SmokeInput():
                return test_items(inputs)
            case ExtractionInput():
                # What code detected stays as it is, and nothing is added.
                return {"/added_claims": []}
            case WebCheckInput():
                return verify_claims(inputs)
            case _:
                raise ReplyError(f"there are no offline rules for {type(inputs).__name__}")


# Limits of the forms.
_LONGEST_REASON = 800
# As strictness "normal" has it; code computes the recommendation that counts.
_MEDIUM_THAT_REJECT = 3
_MOST_PRIORITIES = 5
_NOT_JUDGED = {
    "accuracy": "Rules compared claims with their sources one by one; see the claim ledger. "
    "Whether the whole is accurate needs a reader.",
    "depth": "Rules cannot judge whether an analysis explains and weighs enough.",
    "novelty": "Rules cannot judge whether an analysis says more than its sources.",
}


def review(text: GradedText, critique: Critique | None = None) -> Slots:
    """Fill the slots of the feedback form; the summary ends with the `critique`."""
    grades = grade(text)
    found = sorted(
        ((g.criterion, issue) for g in grades for issue in g.issues),
        key=lambda pair: pair[1].severity.rank,
    )
    issues = [issue for _, issue in found]
    high = any(issue.severity.at_least(Severity.HIGH) for issue in issues)
    medium = sum(issue.severity is Severity.MEDIUM for issue in issues)
    rejects = high or medium >= _MEDIUM_THAT_REJECT
    count = counted(len(issues), "issue") if issues else "no issues"
    reason = f"The rules of the rubric found {count}, none that rejects."
    values: dict[str, JsonValue] = {
        "/recommendation": _recommendation(rejects),
        "/recommendation_reason": f"{count}, the worst: {issues[0].problem}" if rejects else reason,
        "/summary": _summary(grades, critique),
        "/issues": [_issue(criterion, issue) for criterion, issue in found],
        "/strengths": [g.strength for g in grades if g.strength],
        "/top_priorities": [issue.recommendation[:300] for issue in issues[:_MOST_PRIORITIES]],
    }
    for g in grades:
        values |= _graded(g.criterion, g.score, g.reason)
    return values


def _graded(criterion: str, score: float | None, reason: str) -> Slots:
    return {f"/criteria/{criterion}/score": score, f"/criteria/{criterion}/reason": reason}


def _recommendation(rejects: bool) -> str:
    return (Recommendation.REJECT if rejects else Recommendation.APPROVE).value


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


def judge(inputs: JudgeInput, text: GradedText) -> Slots:
    """Fill the slots of the judgement form."""
    values: dict[str, JsonValue] = {}
    for name, why in _NOT_JUDGED.items():
        values |= _graded(name, None, why)
    for graded in grade(text):
        if graded.score is not None:
            values |= _graded(graded.criterion, graded.score, graded.reason)
    severe = sum(finding.severity.at_least(Severity.HIGH) for finding in inputs.open_findings)
    gate_passed = inputs.gate is None or inputs.gate.decision is GateDecision.PASS
    critique_passed = inputs.critique is None or inputs.critique.passed
    values["/recommendation"] = _recommendation(
        severe > 0 or not gate_passed or not critique_passed
    )
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
    values["/summary"] = " ".join(parts)
    return values


def check_facts(inputs: FactCheckInput) -> Slots:
    """Give every claim of the batch the verdict and reason that code found."""
    values: dict[str, JsonValue] = {"/additional_claims": [], "/issues": []}
    for work in inputs.claims:
        place, assessment = child("/claims", work.claim.id), work.assessment
        values[f"{place}/verdict"] = assessment.verdict.value
        values[f"{place}/passage"] = ""
        values[f"{place}/reason"] = assessment.reason or "Compared by code."
    counts = Counter(work.assessment.verdict for work in inputs.claims)
    findings = [finding for work in inputs.claims for finding in work.assessment.findings]
    severe = any(finding.severity.at_least(Severity.HIGH) for finding in findings)
    values["/recommendation"] = _recommendation(severe)
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    values["/recommendation_reason"] = f"Compared by code, without a language model: {verdicts}."
    return values


def review_lens(inputs: RedReviewInput) -> Slots:
    """Leave the list of findings empty: code reports those of the rules itself."""
    found = len(inputs.known)
    return {
        "/summary": f"Checked through the {inputs.lens} lens by rules, which found "
        f"{found or 'nothing'}{'' if found else ' to report'}; no language model was used, so "
        "nothing was looked for beyond them.",
        "/findings": [],
    }


def defend(inputs: DefenceInput) -> Slots:
    """Let the finding survive: only a reader can tell whether the document answers it."""
    place = child("/defences", inputs.finding.id)
    return {
        f"{place}/outcome": DefenceOutcome.SURVIVED.value,
        f"{place}/words": "",
        f"{place}/argument": "Rules defend nothing; no language model was used.",
    }


def test_items(inputs: SmokeInput) -> Slots:
    """Verify every item: those in which code found a fault are not handed out."""
    values: dict[str, JsonValue] = {}
    for item in inputs.items:
        place = child("/items", item.id)
        values[f"{place}/verdict"] = SmokeVerdict.VERIFIED.value
        values[f"{place}/reason"] = ""
    return values


def verify_claims(inputs: WebCheckInput) -> Slots:
    """Repeat code's verdict for every claim of the batch that the form does not hold already."""
    values: dict[str, JsonValue] = {}
    for work in inputs.claims:
        assessment = work.assessment
        if assessment.decided:
            continue
        place = child("/claims", work.claim.id)
        values[f"{place}/verdict"] = WEB_VERDICTS[assessment.verdict].value
        values[f"{place}/passage"] = ""
        values[f"{place}/other_passage"] = ""
        values[f"{place}/reason"] = assessment.reason[:_LONGEST_REASON] or "Compared by code."
    return values
