"""The sources of a page: those that are cited, those that were scored, those that are quoted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ...base.errors import SnapshotError
from ...base.vocabulary import SourceState
from ...sources.model import Snapshot, Source
from ...sources.scoring.appraisal import SourceRating
from ...sources.scoring.model import Tier
from ...sources.snapshot_store import SnapshotStore
from ...verification.model import Evidence
from .charts import UNSCORED
from .model import NOTHING, Label, SourceCard, Tone

_TIERS = tuple(tier.name for tier in Tier)
BEST_TIERS = (*(Label(name, "", Tone.MUTED) for name in _TIERS), UNSCORED, NOTHING)
"""Labels that `best_tier` indexes."""


def best_tier(evidence: Iterable[Evidence], ratings: Mapping[str, SourceRating]) -> int:
    """The best tier among the sources of `evidence`, as an index of `BEST_TIERS`."""
    found = (ratings.get(item.url) for item in evidence)
    tiers = (_TIERS.index(one.tier) if one is not None else len(_TIERS) for one in found)
    return min(tiers, default=len(_TIERS) + 1)


@dataclass(frozen=True, slots=True)
class QuotedSources:
    """By address: how many claims have evidence of a source, and the snapshot that was quoted."""

    claims: Counter[str] = field(default_factory=Counter[str])
    sha256: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, evidence: Iterable[Evidence]) -> None:
        """Count the evidence of one claim."""
        found = {item.url: item.sha256 for item in evidence}
        self.claims.update(found.keys())
        self.sha256.update(found)


def source_cards(
    known: Mapping[str, Source],
    ratings: Mapping[str, SourceRating],
    quoted: QuotedSources,
    quotes: Quotes,
) -> Iterator[SourceCard]:
    """A card for each source by its address: first the `known` ones, in their order."""
    for number, url in enumerate(dict.fromkeys([*known, *ratings, *quoted.claims]), start=1):
        rating = ratings.get(url)
        source = known.get(url) or _found(url, rating, quoted, quotes)
        yield SourceCard(number, url, rating, source, quoted.claims[url])


def _found(
    url: str, rating: SourceRating | None, quoted: QuotedSources, quotes: Quotes
) -> Source | None:
    """Build a source from its quoted snapshot and its score; None without a snapshot."""
    sha256 = quoted.sha256.get(url)
    snapshot = quotes.snapshot(sha256) if sha256 else None
    if snapshot is None:
        return None
    state, reason = (rating.state, rating.reason) if rating else (SourceState.OK, "")
    return Source(url, state, reason, snapshot)


_KEPT_CHARS = 16_000_000
CONTEXT_CHARS = 240
"""Characters of a source shown before and after a quote."""


@dataclass(frozen=True, slots=True)
class Context:
    """Text around a quote in its snapshot. `fault` is why it could not be shown."""

    before: str = ""
    after: str = ""
    cut_before: bool = False
    cut_after: bool = False
    fault: str = ""


class Quotes:
    """The snapshots of a run or a review, of whose texts some stay in memory."""

    def __init__(self, snapshots: SnapshotStore) -> None:
        self._snapshots = snapshots
        self._kept: dict[str, str] = {}
        self._chars = 0

    def snapshot(self, sha256: str) -> Snapshot | None:
        """Return the record of a snapshot; None if there is none."""
        try:
            return self._snapshots.snapshot(sha256)
        except SnapshotError:
            return None

    def context(self, sha256: str, start: int, end: int, quote: str) -> Context:
        """Return the text around the quote `[start, end)` of a snapshot, if the quote is there."""
        try:
            text = self._text(sha256)
        except SnapshotError as error:
            return Context(fault=error.message)
        if text[start:end] != quote:
            return Context(fault="the quote does not stand at this place of the snapshot")
        first, last = max(0, start - CONTEXT_CHARS), end + CONTEXT_CHARS
        return Context(text[first:start], text[end:last], first > 0, last < len(text))

    def _text(self, sha256: str) -> str:
        """The text of a snapshot.

        Raises:
            SnapshotError: It is missing or was changed.
        """
        if sha256 not in self._kept:
            text = self._snapshots.text(sha256)
            if self._chars + len(text) > _KEPT_CHARS:
                self._kept, self._chars = {}, 0
            self._kept[sha256] = text
            self._chars += len(text)
        return self._kept[sha256]
