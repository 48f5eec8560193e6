"""Compares stored sources with their live pages, and looks for the quotes used of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..base.vocabulary import SourceState
from .fetcher import Fetcher
from .model import Snapshot, Source, evidence_of
from .snapshot_store import SnapshotStore

_SHOWN_LINES = 5
_SHOWN_CHARACTERS = 200
_MARKS = str.maketrans("\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb", "'''" + 5 * '"')


class Change(StrEnum):
    """The result of comparing one source with its live page."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    MOVED = "moved"
    GONE = "gone"
    NOT_COMPARED = "not_compared"


@dataclass(frozen=True, slots=True)
class QuoteNow:
    """A quote that served as evidence, and whether it still stands."""

    quote: str
    stands: bool


@dataclass(frozen=True, slots=True)
class SourceDrift:
    """One stored source against its live page.

    `removed` and `added` are the first lines that only the stored, or only the live text has.
    `now` is None where nothing was fetched.
    """

    url: str
    change: Change
    reason: str
    before: Snapshot
    now: Snapshot | None = None
    quotes: tuple[QuoteNow, ...] = ()
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    @property
    def lost(self) -> tuple[QuoteNow, ...]:
        """The quotes that no longer stand."""
        return tuple(quote for quote in self.quotes if not quote.stands)


async def diff_sources(
    stored: SnapshotStore,
    live: SnapshotStore,
    fetcher: Fetcher,
    quotes: Mapping[str, Sequence[str]],
) -> tuple[SourceDrift, ...]:
    """Compare what a run has read on the web with what is there now.

    Args:
        stored: The run's snapshots; nothing is written to them.
        live: Where `fetcher` keeps what it loads.
        fetcher: Open, in live mode and without a shared store.
        quotes: The quotes used as evidence, by the sha256 of their snapshot.

    Returns:
        One record for each web address that could be read then, by address.

    Raises:
        SnapshotError: A stored snapshot is missing or was changed.
        StorageError: A live copy could not be written.
    """
    then = {
        source.url: read
        for source in stored.sources()
        if (read := evidence_of(source)) and read.status is not None
    }
    found = await fetcher.fetch_all(then, limit=len(then))
    return tuple(
        _drift(then[source.url], source, stored, live, quotes)
        for source in sorted(found, key=lambda source: source.url)
    )


def _drift(
    before: Snapshot,
    now: Source,
    stored: SnapshotStore,
    live: SnapshotStore,
    quotes: Mapping[str, Sequence[str]],
) -> SourceDrift:
    if (found := evidence_of(now)) is None:
        gone = now.state in (SourceState.DEAD, SourceState.SOFT_404)
        change = Change.GONE if gone else Change.NOT_COMPARED
        lost = tuple(QuoteNow(quote, False) for quote in quotes.get(before.sha256, ()))
        return SourceDrift(now.url, change, now.reason, before, quotes=lost if gone else ())
    old, new = stored.text(before.sha256), live.text(found.sha256)
    removed, added = _only(old, new), _only(new, old)
    change, reason = Change.UNCHANGED, "its text is the same"
    if removed or added:
        change, reason = Change.CHANGED, "its text has changed"
    place = found.url_chain[-1]
    if before.url_chain[-1] != place:
        change, reason = Change.MOVED, f"now at {place}; {reason}"
    text, used = _fold(new), quotes.get(before.sha256, ())
    standing = tuple(QuoteNow(quote, _fold(quote) in text) for quote in used)
    shown = tuple(_shown(removed)), tuple(_shown(added))
    return SourceDrift(now.url, change, reason, before, found, standing, *shown)


def _only(text: str, other: str) -> list[str]:
    """The lines of `text` that `other` does not have, compared without space and quote marks."""
    there = {"", *(_fold(line) for line in other.split("\n"))}
    return [line for line in text.split("\n") if _fold(line) not in there]


def _fold(text: str) -> str:
    return " ".join(text.translate(_MARKS).split())


def _shown(lines: Iterable[str]) -> Iterator[str]:
    kept = [line.strip() for line in lines if line.strip()]
    for line in kept[:_SHOWN_LINES]:
        yield line[:_SHOWN_CHARACTERS] + ("…" if len(line) > _SHOWN_CHARACTERS else "")
