"""Figures of a record: times, tables of cost, of the gate and of scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import datetime

from ...base.vocabulary import GateDecision
from ...core.artefacts import CriterionScore
from ...core.critique import DimensionScore
from ...core.run_analytics import AnalyticsFile, figures_table
from ...sources.scoring.model import Tier
from ...verification.model import GateResult
from ..summary import TABLE_LEGEND, used_table
from ..wording import spaced
from .model import Fact, Label, Table, Tone

_TIER_TONES = (Tone.GOOD, Tone.GOOD, Tone.MIXED, Tone.BAD, Tone.BAD)
UNSCORED = Label("not scored", "–", Tone.MUTED)
TIERS: Mapping[str, Label] = {
    tier.name: Label(tier.name, str(tier.value), tone)
    for tier, tone in zip(Tier, _TIER_TONES, strict=True)
}
GATE_DECISIONS: Mapping[GateDecision, Label] = {
    GateDecision.PASS: Label("pass", "✓", Tone.GOOD),
    GateDecision.PENDING_REVIEW: Label("pending review", "?", Tone.OPEN),
    GateDecision.FAIL: Label("fail", "✗", Tone.BAD),
}


def moment(at: datetime) -> str:
    """A moment in UTC."""
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def spent(analytics: AnalyticsFile | None) -> tuple[Fact, ...]:
    """Cost and time, as far as they are on record."""
    if analytics is None:
        return ()
    cost = analytics.total.cost_usd
    price = "unknown" if cost is None else f"${cost:.4f}" if cost else "none"
    return Fact("cost", price), Fact("time", f"{analytics.active_s:.1f} s")


def cost_table(analytics: AnalyticsFile | None) -> Table | None:
    """Return the table of each agent's work, cost and time."""
    if analytics is None:
        return None
    figures = figures_table(analytics.agents, analytics.total, analytics.turns)
    columns, rows = used_table(figures)
    texts = frozenset(columns.index(name) for name in ("agent", "vote") if name in columns)
    return Table(columns, rows, caption=f"What each agent did ({TABLE_LEGEND})", texts=texts)


def gate_tables(gate: GateResult) -> Iterable[Table]:
    """Yield the numbers that the gate saw, and the limits in force if there are any."""
    metrics = ((field.name, getattr(gate.metrics, field.name)) for field in fields(gate.metrics))
    numbers = tuple((spaced(name), _number(value)) for name, value in metrics)
    yield Table(("number", "value"), numbers, caption="What the gate saw")
    if gate.limits:
        rows = tuple(
            (spaced(one.name), _number(one.seen), _number(one.limit)) for one in gate.limits
        )
        yield Table(("limit", "seen", "needed"), rows, caption="Limits in force")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def score_table(title: str, scores: Iterable[tuple[str, CriterionScore | DimensionScore]]) -> Table:
    """Return the table of scores by criterion."""
    rows = tuple(
        (spaced(name), "–" if one.score is None else f"{one.score:.2f}", one.reason)
        for name, one in scores
    )
    columns, texts = ("criterion", "score", "why"), frozenset({0, 2})
    return Table(columns, rows, caption=f"{title}: scores", texts=texts)
