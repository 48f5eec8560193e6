"""Sources that a run has found beyond those cited: second reads, hits, and corroboration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import date
from enum import StrEnum
from typing import Protocol

from ..base.vocabulary import SourceState
from ..claims.model import Claim
from ..documents.model import Document
from ..sources.addresses import address_key
from ..sources.fetcher import Fetcher
from ..sources.model import Source, SourceSet
from ..sources.scoring.appraisal import Appraisal
from ..sources.scoring.rules import ScoringRegistry
from ..verification.challenge.evidence import corroborate
from ..verification.challenge.gaps import DeepeningPlan
from ..verification.challenge.model import Told
from ..verification.ledger.confidence import circular_sources
from ..verification.model import Evidence
from ..verification.registry import Registry
from ..verification.source_index import SourceIndex, reads_english
from .source_tools import SourceReader
from .work import GapSearchRecord


@dataclass(frozen=True, slots=True)
class AvailableSources:
    """Sources that may be offered for a document, and those of them that are reliable."""

    sources: tuple[Source, ...] = ()
    reliable: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Corroboration:
    """Evidence about claims from sources other than those that each claim cites.

    `shown` has their words by claim id; `sources` are those that the document does not cite.
    """

    shown: Mapping[str, tuple[Evidence, ...]] = field(
        default_factory=dict[str, tuple[Evidence, ...]]
    )
    sources: tuple[Source, ...] = ()


NO_CORROBORATION = Corroboration()


@dataclass(frozen=True, slots=True)
class FetchedSources:
    """The journal's record of an iteration's fetches; `fetches` went over the network.

    `sources` are those cited, as they are after the `recovery`; None in runs without one.
    """

    sources: tuple[Source, ...]
    fetches: int
    recovery: Recovery | None = None


class RecordedRun(Protocol):
    """A recorded run, which supplies its sources and replies again in a replay."""

    def sources(self, iteration: int, document: Document) -> FetchedSources:
        """Return the sources that an iteration's document cites, with its second reads."""
        ...

    def gap_search(self, plan: DeepeningPlan) -> GapSearchRecord | None:
        """Return the results of the searches of `plan`; None if none was made."""
        ...

    def replies(self, name: str, key: str) -> Told | None:
        """Return the outside replies to a challenge step; None if there are none."""
        ...

    def unsearched(self, iteration: int) -> tuple[str, ...]:
        """Return the failures of the search provider up to an iteration."""
        ...


class SourcePool:
    """Keeps the sources that the iterations of a run found, and selects the usable ones.

    Args:
        reader: The run's sources and searches.
        registry: The policies of verification.
        appraise: Scores sources; None leaves them unscored, and all usable.
        scoring: The rules that sources are scored by.
        as_of: The day that ages are measured at.
    """

    def __init__(
        self,
        reader: SourceReader,
        registry: Registry,
        appraise: Callable[[SourceSet], Appraisal] | None,
        scoring: ScoringRegistry | None,
        as_of: date,
    ) -> None:
        self._reader = reader
        self._registry = registry
        self._appraise = appraise
        self._scoring = scoring
        self._as_of = as_of
        self._found: dict[str, Source] = {}
        self._tried: set[str] = set()

    async def recover(self, cited: Sequence[Source], *, limit: int) -> Recovery:
        """Read sources that no recovery has tried: what is cited and failed, then hits of searches.

        What fails again waits for the next iteration, which fetches it as cited: waiting twice
        for a server that does not answer would take minutes. `limit` bounds the fetches over
        the network.

        Raises:
            StorageError: A snapshot could not be written.
            SnapshotError: The snapshot folder, or a kept answer, is damaged.
        """
        searching = self._reader.searching
        hits = searching.found() if searching is not None else ()
        known = {address_key(source.url) for source in cited}
        return await recover(
            [one for one in cited if one.state in PASSING and self.is_untried(one.url)],
            [url for url in hits if self.is_untried(url) and address_key(url) not in known],
            self._reader.fetcher,
            most=self._registry.deepening.recovered_sources,
            limit=limit,
        )

    def is_untried(self, url: str) -> bool:
        """Whether no recovery has tried to read `url`."""
        return address_key(url) not in self._tried

    def add(self, recovery: Recovery) -> None:
        """Take in the reads of an iteration."""
        self._tried.update(address_key(read.source.url) for read in recovery.reads)
        self._found |= {source.url: source for source in recovery.found}

    def keep_readable(self, sources: Sequence[Source]) -> tuple[Source, ...]:
        """Those of `sources` that could be read; no recovery tries the others again."""
        failed = (one.url for one in sources if not one.state.readable)
        self._tried.update(map(address_key, failed))
        return tuple(one for one in sources if one.state.readable)

    def available(self, document: Document) -> AvailableSources:
        """Return the sources found that `document` does not cite and that may be offered for it.

        Raises:
            SnapshotError: A readable source has no text.
        """
        cited = {address_key(url) for url in document.cited_urls()}
        others = [one for url, one in self._found.items() if address_key(url) not in cited]
        return self.fit(others, document)

    def fit(self, sources: Sequence[Source], document: Document) -> AvailableSources:
        """Those of `sources`, which could be read, that may be offered for `document`.

        Sources of low reliability are not, nor is the document itself, or what is taken from it.

        Raises:
            SnapshotError: A readable source has no text.
        """
        if not sources or self._appraise is None or self._scoring is None:
            return AvailableSources(tuple(sources))
        found = self._reader.store.source_set(sources)
        rules = self._scoring.rules.independence
        circular = circular_sources(document, found, rules, as_of=self._as_of)
        rated = [
            one
            for one in self._appraise(found).rated
            if one.source.url not in circular
            and not (one.score.low_reliability or one.score.rejected)
        ]
        return AvailableSources(
            tuple(one.source for one in rated),
            tuple(one.source for one in rated if one.score.reliable),
        )

    def corroboration(
        self,
        claims: Sequence[Claim],
        available: AvailableSources,
        language: str,
        *,
        cited: Sequence[Source] = (),
    ) -> Corroboration:
        """Find evidence on the cited `claims` in reliable available sources and in those `cited`.

        An unreliable source would have no weight and lower the share of reliable ones.
        Unscored sources bear nothing out. `language` is the document's, of which only English is
        compared.

        Raises:
            SnapshotError: A readable source has no text.
        """
        scored = self._appraise is not None and self._scoring is not None
        own = [one for one in cited if one.state.readable] if scored else []
        several = available.reliable or len(own) > 1
        if not several or not reads_english(language):
            return NO_CORROBORATION
        found = self._reader.store.source_set([*own, *available.reliable])
        index = SourceIndex(found, self._registry.lexicon)
        shown = corroborate(claims, index, self._registry, cited={one.url for one in own})
        return Corroboration(shown, available.reliable)


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
        limit: How many of them may be fetched over the network. Others, and those that
            the fetcher's mode excludes, are not recorded as reads.

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
