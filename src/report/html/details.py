"""Sources of a page, quotes in their snapshots, and charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from functools import lru_cache

from ...base.errors import SnapshotError
from ...base.vocabulary import Finding, SourceState
from ...core.run_analytics import AnalyticsFile, figures_table
from ...sources.model import Source
from ...sources.scoring.appraisal import SourceRating
from ...sources.scoring.model import Tier
from ...sources.snapshot_store import SnapshotStore
from ...verification.model import Evidence, GateMetrics
from ..labels import Label, Tone
from ..summary import used_table
from .model import NOTHING, SourceCard


@dataclass(frozen=True, slots=True)
class ListedRecord:
    """A record of a folder. `href` leads to its report, "" where it cannot be read."""

    title: str
    kind: str
    end: Label
    started: str
    href: str = ""


UNSCORED = Label("not scored", "–", Tone.MUTED)


def named(record: GateMetrics) -> Iterator[tuple[str, float | None]]:
    """The numbers of a record with their names."""
    return ((field.name, getattr(record, field.name)) for field in fields(record))


def costs(spent: AnalyticsFile) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """What each agent did, took and cost: columns and rows."""
    return used_table(figures_table(spent.agents, spent.total, spent.turns))


def ids(findings: Iterable[Finding]) -> frozenset[str]:
    """The ids of `findings`."""
    return frozenset(one.id for one in findings)


def moment(at: datetime) -> str:
    """A moment in UTC."""
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


_TIERS = tuple(tier.name for tier in Tier)
BEST_TIERS = (*(Label(one, "", NOTHING.tone) for one in _TIERS), UNSCORED, NOTHING)
"""The choices of a filter by `best_tier`, the best first."""
CONTEXT_CHARS = 240
"""Characters of a source shown before and after a quote."""
_KEPT_TEXTS = 64


def best_tier(evidence: Iterable[Evidence], ratings: Mapping[str, SourceRating]) -> Label:
    """The best tier among the sources of `evidence`, one of `BEST_TIERS`."""
    found = (ratings.get(item.url) for item in evidence)
    tiers = (_TIERS.index(one.tier) if one is not None else len(_TIERS) for one in found)
    return BEST_TIERS[min(tiers, default=len(_TIERS) + 1)]


def source_cards(
    known: Mapping[str, Source],
    ratings: Mapping[str, SourceRating],
    quoted: Iterable[Iterable[Evidence]],
    snapshots: SnapshotStore | None = None,
) -> Iterator[SourceCard]:
    """A card for each source by its address: first the `known` ones, in their order.

    `quoted` is the evidence of each claim; `snapshots` has what is known of its other sources.
    """
    uses, sha256 = Counter[str](), dict[str, str]()
    for evidence in quoted:
        found = {item.url: item.sha256 for item in evidence}
        uses.update(found.keys())
        sha256.update(found)
    for number, url in enumerate(dict.fromkeys([*known, *ratings, *uses]), start=1):
        rating, source = ratings.get(url), known.get(url)
        if source is None and snapshots is not None and url in sha256:
            source = _quoted_source(url, sha256[url], rating, snapshots)
        yield SourceCard(number, url, rating, source, uses[url])


def _quoted_source(
    url: str, sha256: str, rating: SourceRating | None, snapshots: SnapshotStore
) -> Source | None:
    """Build a source from its quoted snapshot and its score; None without a snapshot."""
    try:
        snapshot = snapshots.snapshot(sha256)
    except SnapshotError:
        return None
    state, reason = (rating.state, rating.reason) if rating else (SourceState.OK, "")
    return Source(url, state, reason, snapshot)


class Quotes:
    """Quotes in their contexts, and the numbers of their sources.

    Args:
        snapshots: The snapshots of a run or a review.
        cards: The source cards of the page.
    """

    def __init__(self, snapshots: SnapshotStore, cards: Iterable[SourceCard]) -> None:
        self._text = lru_cache(_KEPT_TEXTS)(snapshots.text)
        self.numbers: Mapping[str, int] = {card.url: card.number for card in cards}

    def around(self, item: Evidence) -> tuple[str, str, str]:
        """The text before and after a quote, and why that cannot be shown."""
        try:
            text = self._text(item.sha256)
        except SnapshotError as error:
            return "", "", error.message
        if text[item.start : item.end] != item.quote:
            return "", "", "the quote does not stand at this place of the snapshot"
        first, last = max(0, item.start - CONTEXT_CHARS), item.end + CONTEXT_CHARS
        before, after = text[first : item.start], text[item.end : last]
        return ("…" if first else "") + before, after + ("…" if last < len(text) else ""), ""
