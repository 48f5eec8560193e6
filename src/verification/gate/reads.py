"""Statistics of a run's reads: the number of sources, and the number of usable sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...base.vocabulary import SourceState
from ...sources.model import Source
from ..ledger.confidence import Standing


@dataclass(frozen=True, slots=True)
class ReadStatistics:
    """Reads and sources of a run.

    `attempts` are the sources that were asked for. Independent sources count once, however many
    addresses they have (decision 33): `available` counts them all, `independent` those that could
    be read, `reliable` and `authoritative` those of these with such a score; both are None where
    sources were not scored.
    """

    attempts: int = 0
    successes: int = 0
    available: int = 0
    independent: int = 0
    reliable: int | None = None
    authoritative: int | None = None

    @property
    def failures(self) -> int:
        """Sources that were asked for and could not be read."""
        return self.attempts - self.successes


NOTHING_READ = ReadStatistics()
_NOT_ASKED = frozenset({SourceState.NOT_FETCHED, SourceState.REFUSED_BY_POLICY})


def read_statistics(
    sources: Iterable[Source], standings: Mapping[str, Standing] | None = None
) -> ReadStatistics:
    """The statistics of `sources`, in any order.

    `standings` by address say which sources are one and which are reliable; without them every
    address is a source of its own. A source without a standing stands alone and is not reliable.
    """
    known = standings or {}
    every = list(sources)
    names = {one.url: _name(one.url, known) for one in every}
    read = [one.url for one in every if one.state.readable]
    found = [(names[url], known[url]) for url in read if url in known]
    return ReadStatistics(
        attempts=sum(one.state not in _NOT_ASKED for one in every),
        successes=len(read),
        available=len(set(names.values())),
        independent=len({names[url] for url in read}),
        reliable=None if standings is None else len({n for n, s in found if s.reliable}),
        authoritative=None if standings is None else len({n for n, s in found if s.authoritative}),
    )


def _name(url: str, standings: Mapping[str, Standing]) -> int | str:
    """One name for all addresses of a source."""
    standing = standings.get(url)
    return url if standing is None else standing.cluster
