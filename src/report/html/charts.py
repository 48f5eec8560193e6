"""Figures as bars: what was counted, and where each part of a bar lies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal

from ...base.vocabulary import Verdict
from ...core.run_analytics import AgentFigures, AnalyticsFile, IterationFigures, figures_table
from ...sources.scoring.model import Tier
from ..summary import TABLE_LEGEND, used_columns
from .model import VERDICTS, Bar, Chart, Fact, Label, Segment, SourceCard, Table, Tone, spaced

_TIER_TONES = (Tone.GOOD, Tone.GOOD, Tone.MIXED, Tone.BAD, Tone.BAD)
_SHORT_S = 10
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
    name: str, title: str, bars: Sequence[tuple[str, Sequence[tuple[Label, int]]]]
) -> Chart | None:
    """Bars of several sorts, each counted and none of them twice; None without anything."""
    most = max((sum(count for _, count in parts) for _, parts in bars), default=0)
    if not most:
        return None
    shown = [(title, [part for part in parts if part[1]]) for title, parts in bars]
    legend = dict.fromkeys(label for _, parts in bars for label, _ in parts)
    seen = {label for _, parts in shown for label, _ in parts}
    return Chart(
        name,
        title,
        tuple(_bar(title, parts, most) for title, parts in shown),
        tuple(label for label in legend if label in seen),
    )


def tier_chart(cards: Iterable[SourceCard]) -> Chart | None:
    """Chart the number of sources of each tier; None without sources."""
    labels = {**TIERS, UNSCORED.text: UNSCORED}
    counts = dict.fromkeys(labels, 0)
    for card in cards:
        counts[card.rating.tier if card.rating else UNSCORED.text] += 1
    most = max(counts.values())
    if not most:
        return None
    bars = tuple(
        _bar(name, [(labels[name], count)] if count else [], most, str)
        for name, count in counts.items()
        if count or name != UNSCORED.text
    )
    return Chart("tiers", "Sources by tier, T1 the best", bars)


def cost_chart(agents: Iterable[AgentFigures]) -> Chart | None:
    """Chart the cost of each agent over all iterations, or its time if nothing was paid."""
    costs: dict[str, Decimal | None] = {}
    seconds: dict[str, float] = {}
    for one in agents:
        before, cost = costs.get(one.agent, Decimal(0)), one.usage.cost_usd
        costs[one.agent] = None if before is None or cost is None else before + cost
        seconds[one.agent] = seconds.get(one.agent, 0.0) + one.usage.wall_s
    known = {agent: float(cost) for agent, cost in costs.items() if cost is not None}
    if any(known.values()) and len(known) == len(costs):
        return _by_agent("Cost by agent, in US dollars", known, "${:.4f}".format)
    unpaid = not any(known.values()) and len(known) == len(costs)
    why = "nothing was paid" if unpaid else "the price of a model is not known"
    short = max(seconds.values(), default=0.0) < _SHORT_S
    worded = "{:.2f} s" if short else "{:.1f} s"
    return _by_agent(f"Time by agent, in seconds ({why})", seconds, worded.format)


def _by_agent(
    title: str, amounts: Mapping[str, float], worded: Callable[[float], str]
) -> Chart | None:
    most = max(amounts.values(), default=0.0)
    if most <= 0:
        return None
    label = Label("", "", Tone.OPEN)
    bars = tuple(
        _bar(spaced(agent), [(label, amount)], most, worded) for agent, amount in amounts.items()
    )
    return Chart("cost", title, bars)


def _bar(
    title: str,
    parts: Sequence[tuple[Label, float]],
    most: float,
    worded: Callable[[float], str] | None = None,
) -> Bar:
    """A bar as long as its parts are of `most`; `worded` where there is only one sort of part."""
    segments: list[Segment] = []
    start = 0.0
    for label, amount in parts:
        share = 100 * amount / most
        text = worded(amount) if worded else f"{label.sign} {amount:g}"
        segments.append(Segment(label, text, start, share))
        start += share
    if worded is not None:
        return Bar(title, worded(sum(amount for _, amount in parts)), tuple(segments))
    told = ", ".join(f"{amount:g} {label.text}" for label, amount in parts)
    return Bar(title, told or "none", tuple(segments))


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
    found = figures_table(analytics.agents, analytics.total, analytics.turns)
    used = used_columns(found)
    columns = tuple(found.columns[index] for index in used)
    rows = tuple(tuple(row[index] for index in used) for row in found.rows)
    texts = frozenset(columns.index(name) for name in ("agent", "vote") if name in columns)
    return Table(columns, rows, caption=f"What each agent did ({TABLE_LEGEND})", texts=texts)
