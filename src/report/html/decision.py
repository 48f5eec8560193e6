"""Decision of a run: the gate with its numbers, and the scores of the whole text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TypeVar

from ...base.vocabulary import GateDecision
from ...core.artefacts import Judgement
from ...verification.model import GateResult
from ...verification.quality.critique import Critique, critique_line
from ..summary import gate_line, gate_rule_line
from .model import Label, Table, Tone, spaced

NameT = TypeVar("NameT", bound=str)
_DECISIONS: Mapping[GateDecision, Label] = {
    GateDecision.PASS: Label("pass", "✓", Tone.GOOD),
    GateDecision.PENDING_REVIEW: Label("pending review", "?", Tone.OPEN),
    GateDecision.FAIL: Label("fail", "✗", Tone.BAD),
}


@dataclass(frozen=True, slots=True)
class GateView:
    """The gate's decision, the rule that made it, and the numbers that it saw."""

    label: Label
    line: str
    rule: str
    numbers: Table
    limits: Table | None


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of the whole text, in a sentence and by criterion."""

    title: str
    line: str
    table: Table


def gate_view(gate: GateResult) -> GateView:
    """The gate's answer in words and figures."""
    metrics = [(field.name, getattr(gate.metrics, field.name)) for field in fields(gate.metrics)]
    numbers = [(spaced(name), _number(value)) for name, value in metrics]
    limits = [(spaced(one.name), _number(one.seen), _number(one.limit)) for one in gate.limits]
    columns = ("limit", "seen", "needed")
    return GateView(
        _DECISIONS[gate.decision],
        gate_line(gate),
        gate_rule_line(gate),
        Table(("number", "value"), tuple(numbers), caption="What the gate saw"),
        Table(columns, tuple(limits), caption="Limits in force") if limits else None,
    )


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def critique_scores(critique: Critique) -> Scores:
    """Return the scores that code computed."""
    rows = {name: (one.score, one.reason) for name, one in critique.dimensions.items()}
    return _scores("Quality, by code", critique_line(critique), rows)


def judge_scores(judgement: Judgement) -> Scores:
    """Return the scores that the judge gave."""
    rows = {name: (one.score, one.reason) for name, one in judgement.criteria.items()}
    line = f"recommendation: {judgement.recommendation}. {judgement.summary}"
    return _scores("The judge", line, rows)


def _scores(title: str, line: str, by_name: Mapping[NameT, tuple[float | None, str]]) -> Scores:
    rows = tuple(
        (spaced(name), "–" if score is None else f"{score:.2f}", reason)
        for name, (score, reason) in by_name.items()
    )
    texts = frozenset({0, 2})
    table = Table(("criterion", "score", "why"), rows, caption=f"{title}: scores", texts=texts)
    return Scores(title, line, table)
