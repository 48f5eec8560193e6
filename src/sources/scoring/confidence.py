"""The confidence that several sources give a claim."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from datetime import date
from itertools import accumulate

from .rules import ConfidenceRules


@dataclass(frozen=True, slots=True)
class Backing:
    """One source behind a claim.

    `relevance` and `weight` (its authority) are from 0 to 1. Sources of one `cluster` count once;
    None stands alone.
    """

    relevance: float
    weight: float
    _: KW_ONLY
    dated: date | None = None
    cluster: int | None = None


def combined_confidence(
    backings: Iterable[Backing],
    rules: ConfidenceRules,
    *,
    as_of: date,
    temporal: bool,
) -> float:
    """The confidence in a claim, from 0 (no source) to 1.

    Each source counts relevance x weight x recency; of a cluster the best one counts. The total is
    the highest (sum of the k best) / sqrt(k), so that a weak extra source never lowers it.

    Args:
        backings: The sources that support the claim.
        rules: Half-life, and the recency of an undated source.
        as_of: The day at which ages are measured.
        temporal: Whether the claim is about a time; a static claim's sources do not age.
    """
    values = _independent(
        (each.cluster, _strength(each, as_of, rules, ages=temporal)) for each in backings
    )
    sums = accumulate(sorted(values, reverse=True))
    best = max((total / math.sqrt(k) for k, total in enumerate(sums, 1)), default=0.0)
    return min(1.0, best)


def _strength(backing: Backing, as_of: date, rules: ConfidenceRules, *, ages: bool) -> float:
    recency = recency_weight(backing.dated, rules, as_of=as_of) if ages else 1.0
    return backing.relevance * backing.weight * recency


def recency_weight(dated: date | None, rules: ConfidenceRules, *, as_of: date) -> float:
    """How much a source of the day `dated` counts at `as_of`: 1 if fresh, 0.5 a half-life later."""
    if dated is None:
        return rules.undated
    return 0.5 ** (max(0, (as_of - dated).days) / rules.half_life_days)


def _independent(values: Iterable[tuple[int | None, float]]) -> list[float]:
    alone: list[float] = []
    best: dict[int, float] = {}
    for cluster, value in values:
        if cluster is None:
            alone.append(value)
        else:
            best[cluster] = max(best.get(cluster, 0.0), value)
    return [*alone, *best.values()]
