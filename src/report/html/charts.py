"""Figures of a record: bars, tables of cost, the decision of the gate, scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import TypeVar

from ...base.vocabulary import GateDecision, Verdict
from ...core.artefacts import Judgement
from ...core.run_analytics import AnalyticsFile, IterationFigures, figures_table
from ...sources.scoring.model import Tier
from ...verification.model import GateResult
from ...verification.quality.critique import Critique, critique_line
from ..summary import TABLE_LEGEND, gate_line, gate_rule_line, used_table
from .model import VERDICTS, Bar, Chart, Fact, Label, Segment, SourceCard, Table, Tone, spaced

_TIER_TONES = (Tone.GOOD, Tone.GOOD, Tone.MIXED, Tone.BAD, Tone.BAD)
UNSCORED = Label("not scored", "–", Tone.MUTED)
TIERS: Mapping[str, Label] = {
    tier.name: Label(tier.name, str(tier.value), tone)
    for tier, tone in zip(Tier, _TIER_TONES, strict=True)
}


def verdict_chart(iterations: Sequence[IterationFigures]) -> Chart | None:
    """The claims of each iteration by verdict; None where none was concluded."""
    counted = [(one.iteration, one.claims.verdicts) for one in iterations if one.claims]
    bars = [
        (f"Iteration {number}", [(VERDICTS[one], verdicts.get(one, 0)) for one in Verdict])
        for number, verdicts in counted
    ]
    return segments_chart("verdicts", "Claims by verdict over the iterations", bars)


def segments_chart(
    name: str,
    title: str,
    bars: Sequence[tuple[str, Sequence[tuple[Label, int]]]],
    *,
    legend: bool = True,
) -> Chart | None:
    """Bars of several sorts, each counted and none of them twice; None without anything."""
    most = max((sum(count for _, count in parts) for _, parts in bars), default=0)
    if not most:
        return None
    shown = [(title, [part for part in parts if part[1]]) for title, parts in bars]
    every = dict.fromkeys(label for _, parts in bars for label, _ in parts)
    seen = {label for _, parts in shown for label, _ in parts}
    return Chart(
        name,
        title,
        tuple(_bar(title, parts, most) for title, parts in shown),
        tuple(label for label in every if label in seen) if legend else (),
    )


def tier_chart(cards: Iterable[SourceCard]) -> Chart | None:
    """Chart the number of sources of each tier; None without sources."""
    counts = Counter(card.rating.tier if card.rating else UNSCORED.text for card in cards)
    tones = {**{name: label.tone for name, label in TIERS.items()}, UNSCORED.text: UNSCORED.tone}
    bars = [
        (name, [(Label("sources", "", tone), counts[name])])
        for name, tone in tones.items()
        if counts[name] or name != UNSCORED.text
    ]
    return segments_chart("tiers", "Sources by tier, T1 the best", bars, legend=False)


def _bar(title: str, parts: Sequence[tuple[Label, int]], most: int) -> Bar:
    """A bar as long as its parts are of `most`."""
    segments: list[Segment] = []
    start = 0.0
    for label, count in parts:
        share = 100 * count / most
        segments.append(Segment(label, start, share))
        start += share
    told = ", ".join(f"{count} {label.text}" for label, count in parts)
    return Bar(title, told or "none", tuple(segments))


def charts_there(*charts: Chart | None) -> tuple[Chart, ...]:
    """The `charts` that have something to show."""
    return tuple(chart for chart in charts if chart is not None)


def moment(at: datetime) -> str:
    """A moment in UTC."""
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def spent(analytics: AnalyticsFile | None) -> tuple[Fact, ...]:
    """Cost and time, as far as they are on record."""
    if analytics is None:
        return ()
    cost = analytics.total.cost_usd
    told = "unknown" if cost is None else f"${cost:.4f}" if cost else "none"
    return (
        Fact("cost", told),
        Fact("time", f"{analytics.active_s:.1f} s"),
    )


def cost_table(analytics: AnalyticsFile) -> Table:
    """Return the table of each agent's work, cost and time."""
    figures = figures_table(analytics.agents, analytics.total, analytics.turns)
    columns, rows = used_table(figures)
    texts = frozenset(columns.index(name) for name in ("agent", "vote") if name in columns)
    return Table(columns, rows, caption=f"What each agent did ({TABLE_LEGEND})", texts=texts)


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
