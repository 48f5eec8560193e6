"""Sources that a run has found beyond those cited: second reads, hits, and corroboration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..base.vocabulary import SourceState
from ..claims.model import Claim
from ..documents.language import reads_english
from ..documents.model import Document
from ..sources.addresses import address_key
from ..sources.copies import without_copies
from ..sources.model import Source
from ..sources.search.model import SearchAnswer, SearchHit, SearchUnavailable
from ..sources.search.searching import interleaved
from ..verification.elsewhere import corroborate
from ..verification.ledger.confidence import circular_sources
from ..verification.passages.retrieval import SourceIndex
from .evidence_parts import EvidenceParts
from .iteration import (
    NO_CORROBORATION,
    Corroboration,
    FetchedSources,
    Recovery,
    sources_step,
)
from .record_folder import journal_result
from .source_tools import cut_query
from .tasks import Error, FailureKind
from .work import RunServices


@dataclass(frozen=True, slots=True)
class AvailableSources:
    """Sources that may be offered for a document, and those of them that are reliable."""

    sources: tuple[Source, ...] = ()
    reliable: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class WebAnswer:
    """A query as it was put, with its hits or the problem why there is no answer."""

    query: str
    hits: tuple[SearchHit, ...] = ()
    problem: str = ""


def best_first(answers: Iterable[WebAnswer]) -> tuple[str, ...]:
    """The addresses of all hits, each once: the best of each answer, then the second of each."""
    return interleaved(SearchAnswer(answer.hits) for answer in answers)


class SourcePool:
    """Keeps the sources that the iterations of a run found, and selects the usable ones.

    Without scores all sources are usable. A run on record gives them in place of fetching.
    """

    def __init__(self, parts: EvidenceParts) -> None:
        self._parts = parts
        self._reader = parts.reader
        self.fetches_left = parts.max_fetches
        """How many addresses may still be fetched in this run."""
        self._unsettled: tuple[tuple[str, str], FetchedSources] | None = None
        self._found: dict[str, Source] = {}
        self._tried: set[str] = set()

    def count_fetches(self, fetches: int) -> None:
        """Subtract fetches that went over the network."""
        self.fetches_left = max(0, self.fetches_left - fetches)

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
            found = await self._gathered(iteration, document)
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

    async def _gathered(self, iteration: int, document: Document) -> FetchedSources:
        if self._parts.recorded is not None:
            return self._parts.recorded.sources(iteration, document)
        cited, fetches = await self.fetch(document.cited_urls())
        recovery, more = await self._recover(cited, limit=self.fetches_left - fetches)
        return FetchedSources(recovery.over(cited), fetches + more, recovery)

    async def _recover(self, cited: Sequence[Source], *, limit: int) -> tuple[Recovery, int]:
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
        again = [one.url for one in cited if one.state in PASSING and self.is_untried(one.url)]
        found = [url for url in hits if self.is_untried(url) and address_key(url) not in known]
        most = self._parts.registry.deepening.recovered_sources
        sources, fetches = await self.fetch([*again, *found][:most], limit)
        read = [source for source in sources if source.state is not SourceState.NOT_FETCHED]
        return Recovery(
            tuple(source for source in read if source.url in again),
            tuple(source for source in read if source.url not in again),
        ), fetches

    async def search(self, queries: Iterable[str]) -> list[WebAnswer]:
        """Put each query, cut to what the provider takes.

        Raises:
            StorageError: An answer could not be kept.
            SnapshotError: A kept answer is damaged.
        """
        searching, answers = self._reader.provider(), list[WebAnswer]()
        for query in queries:
            asked = cut_query(query, searching.query_characters)
            try:
                answers.append(WebAnswer(asked, (await searching.search(asked)).hits))
            except SearchUnavailable as error:
                answers.append(WebAnswer(asked, problem=str(error)))
        return answers

    async def fetch(
        self, urls: Sequence[str], most: int | None = None
    ) -> tuple[tuple[Source, ...], int]:
        """The sources at `urls`, and how many were fetched over the network, `most` at most.

        What is stored is free; what was not fetched says so.
        """
        fetcher, left = self._reader.fetcher, self.fetches_left
        before = fetcher.fetches
        sources = await fetcher.fetch_all(urls, limit=left if most is None else min(most, left))
        return sources, fetcher.fetches - before

    def is_untried(self, url: str) -> bool:
        """Whether no recovery has tried to read `url`."""
        return address_key(url) not in self._tried

    def add(self, recovery: Recovery) -> None:
        """Take in the reads of an iteration."""
        self._tried.update(address_key(one.url) for one in (*recovery.again, *recovery.found))
        self._found |= {one.url: one for one in recovery.found if one.state.readable}

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
        appraise, scoring = self._parts.appraise, self._parts.scoring
        if not sources or appraise is None or scoring is None:
            return AvailableSources(tuple(sources))
        found = self._reader.store.source_set(sources)
        rules = scoring.rules.independence
        circular = circular_sources(document, found, rules, written=self._parts.day_of(document))
        scored = (one for one in appraise(found).rated if one.source.url not in circular)
        rated = [one for one in scored if not (one.score.low_reliability or one.score.rejected)]
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
        scored = self._parts.appraise is not None and self._parts.scoring is not None
        own = [one for one in cited if one.state.readable] if scored else []
        several = available.reliable or len(own) > 1
        if not several or not reads_english(language):
            return NO_CORROBORATION
        found = self._reader.store.source_set([*own, *available.reliable])
        index = SourceIndex(found, self._parts.registry.lexicon)
        shown = corroborate(claims, index, self._parts.registry, cited={one.url for one in own})
        return Corroboration(shown, available.reliable)


PASSING = (
    SourceState.RATE_LIMITED,
    SourceState.TIMEOUT,
    SourceState.SERVER_ERROR,
    SourceState.NOT_FETCHED,
)
"""The states of cited sources that another attempt may better."""
