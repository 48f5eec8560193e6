"""Sources that a run has found beyond those cited: second reads, hits, and corroboration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from ..base.vocabulary import SourceState
from ..claims.model import Claim
from ..documents.language import reads_english
from ..documents.model import Document
from ..sources.addresses import address_key
from ..sources.copies import without_copies
from ..sources.model import Source, SourceSet
from ..sources.scoring.model import Appraisal
from ..sources.scoring.rules import ScoringRegistry
from ..verification.challenge.evidence import corroborate
from ..verification.ledger.confidence import circular_sources
from ..verification.passages.retrieval import SourceIndex
from ..verification.registry import Registry
from .iteration import (
    NO_CORROBORATION,
    Corroboration,
    FetchedSources,
    ReadFor,
    RecordedRun,
    Recovery,
    RecoveryRead,
    sources_step,
)
from .record_folder import journal_result
from .source_tools import SourceReader
from .tasks import Error, FailureKind
from .work import RunServices


@dataclass(frozen=True, slots=True)
class AvailableSources:
    """Sources that may be offered for a document, and those of them that are reliable."""

    sources: tuple[Source, ...] = ()
    reliable: tuple[Source, ...] = ()


class SourcePool:
    """Keeps the sources that the iterations of a run found, and selects the usable ones.

    Without `appraise` and `scoring` sources are unscored, and all usable. `recorded` is a run on
    record, which gives the sources in place of fetching. `max_fetches` bounds what code fetches in
    the whole run.
    """

    def __init__(
        self,
        reader: SourceReader,
        registry: Registry,
        appraise: Callable[[SourceSet], Appraisal] | None,
        scoring: ScoringRegistry | None,
        as_of: date,
        *,
        recorded: RecordedRun | None = None,
        max_fetches: int = 0,
    ) -> None:
        self._reader = reader
        self._registry = registry
        self._appraise = appraise
        self._scoring = scoring
        self._as_of = as_of
        self._recorded = recorded
        self._fetches_left = max_fetches
        self._unsettled: tuple[tuple[str, str], FetchedSources] | None = None
        self._found: dict[str, Source] = {}
        self._tried: set[str] = set()

    @property
    def fetches_left(self) -> int:
        """How many addresses may still be fetched in this run."""
        return max(0, self._fetches_left)

    def count_fetches(self, fetches: int) -> None:
        """Subtract fetches that went over the network."""
        self._fetches_left -= fetches

    async def gather(
        self, iteration: int, document: Document, services: RunServices
    ) -> FetchedSources:
        """Fetch the sources that the document cites, and take in what recovery read.

        They are journalled unless the network was wanting; then a resumed run tries again, until
        the loop goes on.

        Raises:
            StorageError: A snapshot could not be written.
            SnapshotError: A stored source is missing or was changed.
        """
        limit, made = self.fetches_left, list[FetchedSources]()

        async def fetch() -> FetchedSources | Error:
            found = await self._fetch(iteration, document, limit)
            made.append(found)
            missing = any(one.state is SourceState.NOT_FETCHED for one in found.sources)
            if missing and found.fetches < limit:
                return Error(FailureKind.UNAVAILABLE, "some sources were not fetched")
            return found

        step = sources_step(iteration, document)
        kept = await services.steps.step(*step, FetchedSources, fetch)
        last = made[-1] if made else FetchedSources((), 0)
        fetched = last if isinstance(kept, Error) else kept
        self._unsettled = (step, fetched) if isinstance(kept, Error) else None
        if not made:
            # Nothing else reads the bytes again, and a pack of damaged ones would not hold.
            self._reader.store.require_whole(fetched.sources)
        self.count_fetches(fetched.fetches)
        if fetched.recovery is not None:
            self.add(fetched.recovery)
        return fetched

    def cited(self, document: Document, fetched: FetchedSources) -> tuple[Source, ...]:
        """The sources that `document` cites, those refused that are copies of it.

        Raises:
            SnapshotError: A readable source has no text.
        """
        found = self._reader.store.source_set(fetched.sources)
        return without_copies(document, fetched.sources, found)

    async def settle(self, services: RunServices) -> None:
        """Journal the sources of the last iteration, fetched or not."""
        if self._unsettled is not None:
            step, fetched = self._unsettled
            await journal_result(services.steps, step, FetchedSources, fetched)

    async def _fetch(self, iteration: int, document: Document, limit: int) -> FetchedSources:
        if self._recorded is not None:
            return self._recorded.sources(iteration, document)
        fetcher, most = self._reader.fetcher, self._registry.deepening.recovered_sources
        before = fetcher.fetches
        cited = await fetcher.fetch_all(document.cited_urls(), limit=limit)
        if not most:
            return FetchedSources(cited, fetcher.fetches - before)
        left = limit - (fetcher.fetches - before)
        recovery = await self.recover(cited, limit=left)
        return FetchedSources(recovery.over(cited), fetcher.fetches - before, recovery)

    async def recover(self, cited: Sequence[Source], *, limit: int) -> Recovery:
        """Read sources that no recovery has tried: what is cited and failed, then hits of searches.

        What fails again waits for the next iteration, which fetches it as cited: waiting twice
        for a server that does not answer would take minutes. Sources over `limit`, which bounds the
        fetches over the network, and those that the fetcher's mode excludes are not recorded.

        Raises:
            StorageError: A snapshot could not be written.
            SnapshotError: The snapshot folder, or a kept answer, is damaged.
        """
        searching = self._reader.searching
        hits = searching.found() if searching is not None else ()
        known = {address_key(source.url) for source in cited}
        failed = (one for one in cited if one.state in PASSING and self.is_untried(one.url))
        before = {source.url: source.state for source in failed}
        found = [url for url in hits if self.is_untried(url) and address_key(url) not in known]
        most = self._registry.deepening.recovered_sources
        sources = await self._reader.fetcher.fetch_all([*before, *found][:most], limit=limit)
        reads = (
            RecoveryRead(
                ReadFor.CITED if source.url in before else ReadFor.FOUND,
                source,
                before=before.get(source.url),
            )
            for source in sources
            if source.state is not SourceState.NOT_FETCHED
        )
        return Recovery(most, tuple(reads))

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
