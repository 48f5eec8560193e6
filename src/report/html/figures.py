"""What pages of runs and of reviews tell alike: moments, cost and time."""

from __future__ import annotations

from datetime import datetime

from ...core.run_analytics import AnalyticsFile, figures_table
from ..summary import TABLE_LEGEND, used_columns
from .model import Fact, Table


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
    """What each agent did, cost and took."""
    found = figures_table(analytics.agents, analytics.total, analytics.turns)
    used = used_columns(found)
    columns = tuple(found.columns[index] for index in used)
    rows = tuple(tuple(row[index] for index in used) for row in found.rows)
    texts = frozenset(columns.index(name) for name in ("agent", "vote") if name in columns)
    return Table(columns, rows, caption=f"What each agent did ({TABLE_LEGEND})", texts=texts)
