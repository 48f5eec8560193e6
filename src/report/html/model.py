"""Parts of a page, common to runs, checks, batches and reviews, with sources and their quotes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from datetime import datetime
from functools import lru_cache
from typing import TypeAlias

from ...base.errors import SnapshotError
from ...base.vocabulary import Finding, SourceState
from ...core.run_analytics import AnalyticsFile, AnalyticsTable, figures_table
from ...sources.model import Source
from ...sources.scoring.appraisal import SourceRating
from ...sources.scoring.model import Tier
from ...sources.snapshot_store import SnapshotStore
from ...verification.model import Evidence, GateMetrics
from ..wording import Label, Tone, spaced

NOT_APPLICABLE = -1
"""The value of a facet that does not concern a thing; no choice of that filter hides it."""


@dataclass(frozen=True, slots=True)
class Facet:
    """A way to filter and its choices."""

    title: str
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One thing in a list of the page, and its place `[start, end)` in the text.

    Both are 0 for one that has no place there.

    `number` counts from 1 over all lists of the page, `id` is what a link to it ends in; `noun` and
    `mark` are its name. `choices` are its values of its list's facets, None for those that do not
    concern it. `label` is that of its place; an `outside` one belongs to the external verification,
    which the text shows only on request. `record` is what is on record.
    """

    number: int
    id: str
    noun: str
    mark: str
    labels: tuple[Label, ...]
    text: str
    place: str
    choices: tuple[Label | None, ...]
    label: Label
    start: int
    end: int
    outside: bool = False
    record: object


@dataclass(frozen=True, slots=True)
class SourceCard:
    """A source by its number in the report. `rating` is None where it was not scored.

    `source` is None where nothing but its score is on record. `used_by` is how many claims
    have evidence of it.
    """

    number: int
    url: str
    rating: SourceRating | None
    source: Source | None
    used_by: int


@dataclass(frozen=True, slots=True)
class Table:
    """Headings and rows of text. `texts` are the columns of words, the others of figures."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    _: KW_ONLY
    caption: str
    texts: frozenset[int] = frozenset({0})


NOTHING = Label("none", "", Tone.MUTED)
"""The choice of what has no value of a kind."""


def plain_label(name: str) -> Label:
    """A label without a sign, in words."""
    return Label(spaced(name).lower(), "", Tone.MUTED)


Filters: TypeAlias = Sequence[tuple[Facet, Counter[int]]]
"""Filters with the number of things for each choice, by its index."""


def count_choices(facets: Sequence[Facet], codes: Iterable[Sequence[int]]) -> Filters:
    """Return the filters; `codes` are each thing's choices of `facets`."""
    columns = [*zip(*codes, strict=True)] or [()] * len(facets)
    return [*zip(facets, map(Counter, columns), strict=True)]


@dataclass(frozen=True, slots=True)
class Listing:
    """One list of a page: what each of its rows is called, and the facets to filter them by."""

    noun: str
    facets: Sequence[Facet]
    rows: list[Row]

    @property
    def things(self) -> str:
        """The noun in the plural."""
        return f"{self.noun.lower()}s"

    def codes(self, row: Row) -> list[int]:
        """The choices of a row by their indexes among the labels of each facet."""
        chosen = zip(self.facets, row.choices, strict=True)
        return [NOT_APPLICABLE if one is None else each.labels.index(one) for each, one in chosen]

    @property
    def filters(self) -> Filters:
        """The filters of the list."""
        return count_choices(self.facets, map(self.codes, self.rows))


def in_text_order(rows: Iterable[Row]) -> list[Row]:
    """Return those of `rows` that have a place in the text, by their places."""
    placed = (row for row in rows if row.end)
    return sorted(placed, key=lambda row: (row.start, row.end, row.number))


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


def costs(spent: AnalyticsFile) -> AnalyticsTable:
    """The work, time and cost of each agent."""
    return figures_table(spent.agents, spent.total, spent.turns).used()


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
