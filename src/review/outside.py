"""Sources of a review's claims: found and read, the passages in them, and verifiers' tools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..base.off_loop import off_loop
from ..base.vocabulary import CitationState
from ..claims.lexicon import Lexicon
from ..claims.model import CitedAddress, Claim, Polarity
from ..core.source_tools import PASSAGES, SourceReader, SourceTools
from ..core.tasks import ToolFailure
from ..sources.addresses import address_key
from ..sources.model import Source, SourceSet
from ..sources.search.model import SearchAnswer, SearchUnavailable
from ..sources.search.searching import Searching, interleaved
from ..verification.model import Passage
from ..verification.passages.retrieval import SourceIndex, find_passages
from ..verification.queries import claim_query, is_internal
from ..verification.registry import Registry
from .types import WebQuery

STEP = "1/web/sources"
"""The step by which it is kept what was found outside."""


@dataclass(frozen=True, slots=True)
class Outside:
    """Everything that code searched and read for the claims of a review.

    `sources` are what the claims cite, what the user gave and what searches found; `fetches` of
    them went over the network.
    """

    queries: tuple[WebQuery, ...]
    sources: tuple[Source, ...]
    fetches: int


def checks_citation(claim: Claim) -> bool:
    """Whether a claim is checked against its own citation only.

    That is a claim which the document attributes to somebody or argues against, with a citation of
    its own: only that source can show whether it says so.
    """
    reported = claim.polarity is not Polarity.ASSERTED
    own = (address for address in claim.cited if address.state is CitationState.DIRECT)
    return reported and any(address.target for address in own)


async def look_outside(
    claims: Sequence[Claim],
    reader: SourceReader,
    lexicon: Lexicon,
    *,
    topic: str,
    hits: int,
    given: Sequence[str],
    limit: int,
) -> Outside:
    """Search for sources of each of `claims` and read them.

    At most `limit` pages are read over the network: first what is cited and `given`, then the best
    of the `hits` of each claim, then the second. `topic` is the document's title.
    """
    searched = [await _search(claim, reader.searching, lexicon, topic) for claim in claims]
    found = interleaved(SearchAnswer(answer.hits[:hits]) for _, answer in searched)
    cited = [one.target for claim in claims for one in claim.cited if one.target]
    before = reader.fetcher.fetches
    addresses = [*dict.fromkeys(cited), *given, *found]
    sources = await reader.fetcher.fetch_all(addresses, limit=limit)
    return Outside(tuple(query for query, _ in searched), sources, reader.fetcher.fetches - before)


async def _search(
    claim: Claim, searching: Searching | None, lexicon: Lexicon, topic: str
) -> tuple[WebQuery, SearchAnswer]:
    """Search for sources of a claim."""
    nothing = SearchAnswer(())
    if searching is None or checks_citation(claim):
        return WebQuery(claim.id, ""), nothing
    if not searching.provider.local and is_internal(claim):
        problem = "it is about the author's own affairs, of which nothing is sent out"
        return WebQuery(claim.id, "", problem=problem), nothing
    query = claim_query(claim, lexicon, searching.query_characters, topic)
    if not query:
        problem = "it has no word that could be searched for"
        return WebQuery(claim.id, "", problem=problem), nothing
    try:
        answer = await searching.search(query)
    except SearchUnavailable as error:
        return WebQuery(claim.id, query, problem=f"no answer was got: {error}"), nothing
    return WebQuery(claim.id, query, tuple(hit.url for hit in answer.hits)), answer


_ID_DIGITS = 12


def outside_passages(claim: Claim, sources: SourceIndex, registry: Registry) -> tuple[Passage, ...]:
    """The best five passages for `claim` of those sources that are likely to speak of it.

    Those that it cites are among them. An id names snapshot and place, so that it stays the same
    whatever is read later: ``3f1c09ab12cd:120-480``.

    Raises:
        SnapshotError: A readable source has no text.
    """
    likely = sources.likely(claim.text)
    cited = [address.target for address in claim.cited if address.target]
    addresses = (
        CitedAddress(url, CitationState.DIRECT, "") for url in dict.fromkeys(likely + cited)
    )
    about = replace(claim, cited=tuple(addresses))
    found = find_passages(about, sources, registry.verification, k=PASSAGES)
    return tuple(replace(one, id=passage_id(one)) for one in found)


def passage_id(passage: Passage) -> str:
    """The name of a passage by its place."""
    return f"{passage.sha256[:_ID_DIGITS]}:{passage.start}-{passage.end}"


class WebSourceTools(SourceTools):
    """`EvidenceTools` of all batches of phase 4b, which share its allowances.

    `sources` are what code has read for the claims and what the document cites, also unread. They
    are read from the disk at once.

    Raises:
        SnapshotError: A stored snapshot is missing or was changed.
    """

    scope = "review"

    def __init__(
        self,
        claims: Iterable[Claim],
        sources: SourceSet,
        reader: SourceReader,
        registry: Registry,
        *,
        fetches: int,
        searches: int,
        topic: str = "",
    ) -> None:
        index = SourceIndex(sources, registry.lexicon)
        super().__init__(claims, index, reader, registry, fetches, topic=topic)
        self._registry = registry
        self._searches = searches
        self._searches_left = searches
        self._readable = self._read_index()

    def readable_sources(self) -> SourceSet:
        """Every source that the review can read, those fetched in turns too."""
        return self._readable.sources

    def find_passages(self, claim_id: str) -> tuple[Passage, ...]:
        """The best five passages for a claim in all that was read."""
        return outside_passages(self._claim(claim_id), self._readable, self._registry)

    async def fetch_source(self, url: str) -> str:
        """As `SourceTools.fetch_source`; what was fetched is at hand from then on."""
        described = await super().fetch_source(url)
        self._readable = await off_loop(self._read_index)
        return described

    async def search_sources(self, claim_id: str) -> str:
        """As `SourceTools.search_sources`, within the allowance of all batches.

        What is refused uses none of it.
        """
        self.searchable(claim_id)
        if self._searches_left == 0:
            raise ToolFailure(f"all {self._searches} searches of this review are used up")
        self._searches_left -= 1
        return await super().search_sources(claim_id)

    def _read_index(self) -> SourceIndex:
        """Read all that is at hand from the disk."""
        given = self._sources.sources.sources
        sources = {url: one for url, one in given.items() if one.state.readable}
        known = {address_key(url) for url in sources}
        for one in self._reader.store.sources():
            if one.state.readable and address_key(one.url) not in known:
                sources[one.url] = one
        return self._reader.index(sources.values(), self._lexicon)
