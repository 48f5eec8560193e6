"""Evaluations of a draft by critics, gate, critique and judge, as log events."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ...base.vocabulary import Recommendation
from ...verification.model import GateResult
from ..artefacts import Judgement
from ..tasks import Error
from ..work import Examination
from .api import Value, record_event

if TYPE_CHECKING:
    from ...verification.quality.critique import Critique

EVALUATION = "gen_ai.evaluation.result"


def examined(critic: str, answer: Examination | Error) -> None:
    """A critic's vote on the draft of the current iteration, or why it gave none."""
    if isinstance(answer, Error):
        _evaluated(critic, failure=answer.kind)
        return
    counts = Counter(finding.severity.value for finding in answer.findings)
    listed = ", ".join(f"{count} {severity}" for severity, count in counts.items())
    why = f"findings: {listed or 'none'}"
    _evaluated(critic, _score(answer.recommendation), answer.recommendation, why)


def judged(answer: Judgement | Error) -> None:
    """The judge's vote, and the score of each criterion that has one."""
    if isinstance(answer, Error):
        _evaluated("judge", failure=answer.kind)
        return
    _evaluated("judge", _score(answer.recommendation), answer.recommendation)
    for name, criterion in answer.criteria.items():
        if criterion.score is not None:
            _evaluated(f"judge.{name}", criterion.score)


def concluded(gate: GateResult, critique: Critique | None = None) -> None:
    """Record code's evaluation: the gate's decision and its rule, and the critique."""
    why = f"{gate.profile}: {gate.fail_code or gate.rule}"
    _evaluated("evidence_gate", gate.metrics.rate, gate.decision, why)
    if critique is not None:
        label = "pass" if critique.passed else "fail"
        _evaluated("critique", critique.score, label, critique.fail_code or "")


def _score(recommendation: Recommendation) -> float:
    return 1.0 if recommendation is Recommendation.APPROVE else 0.0


def _evaluated(
    name: str, score: float | None = None, label: str = "", why: str = "", *, failure: str = ""
) -> None:
    attributes: dict[str, Value] = {
        "gen_ai.evaluation.name": name,
        "gen_ai.evaluation.score.label": label,
        "gen_ai.evaluation.explanation": why,
        "error.type": failure,
    }
    if score is not None:
        attributes["gen_ai.evaluation.score.value"] = score
    record_event(EVALUATION, attributes)
