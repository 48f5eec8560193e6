"""Recovery: sources that code reads beyond its first attempt at those cited (decision 38)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from ..base.vocabulary import SourceState
from ..sources.fetcher import Fetcher
from ..sources.model import Source

PASSING = frozenset(
    {
        SourceState.RATE_LIMITED,
        SourceState.TIMEOUT,
        SourceState.SERVER_ERROR,
        SourceState.NOT_FETCHED,
    }
)
"""The states of cited sources that another attempt may better."""


class ReadFor(StrEnum):
    """Why a source was read."""

    CITED = "cited"
    FOUND = "found"


@dataclass(frozen=True, slots=True)
class RecoveryRead:
    """One read: what became of it, and the state before of a source that is cited."""

    why: ReadFor
    source: Source
    _: KW_ONLY
    before: SourceState | None = None


@dataclass(frozen=True, slots=True)
class Recovery:
    """The reads of an iteration's recovery, at most `most`; also `recovery_iteration_N.json`."""

    most: int
    reads: tuple[RecoveryRead, ...] = ()

    @property
    def found(self) -> tuple[Source, ...]:
        """The sources that a search had found and that could be read."""
        return tuple(
            read.source
            for read in self.reads
            if read.why is ReadFor.FOUND and read.source.state.readable
        )

    def over(self, cited: Sequence[Source]) -> tuple[Source, ...]:
        """`cited` as it is after the recovery."""
        again = {read.source.url: read.source for read in self.reads if read.why is ReadFor.CITED}
        return tuple(again.get(source.url, source) for source in cited)


async def recover(
    again: Iterable[Source], found: Iterable[str], fetcher: Fetcher, *, most: int, limit: int
) -> Recovery:
    """Read once more what is cited and failed, then what searches found.

    Args:
        again: Cited sources as they are after their first attempt.
        found: Addresses of hits that are not cited, the best first.
        fetcher: The run's.
        most: How many sources may be read.
        limit: How many of them may be asked for over the network. What is beyond that, or what
            the fetcher's mode does not reach, is not on record as a read.

    Raises:
        StorageError: A snapshot could not be written.
        SnapshotError: The snapshot folder is damaged.
    """
    before = {source.url: source.state for source in again}
    sources = await fetcher.fetch_all([*before, *found][:most], limit=limit)
    reads = (_read(source, before) for source in sources)
    return Recovery(
        most, tuple(read for read in reads if read.source.state is not SourceState.NOT_FETCHED)
    )


def _read(source: Source, before: Mapping[str, SourceState]) -> RecoveryRead:
    state = before.get(source.url)
    why = ReadFor.FOUND if state is None else ReadFor.CITED
    return RecoveryRead(why, source, before=state)
