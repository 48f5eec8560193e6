"""Searches by code for sources of a review's claims, and the pages read (phase 4b)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

from ..base.vocabulary import CitationState
from ..claims.lexicon import Lexicon
from ..claims.model import Claim, Polarity
from ..core.journal import digest
from ..core.source_tools import SourceReader
from ..core.tasks import Error, FailureKind
from ..core.work import RunServices
from ..documents.model import Document
from ..sources.model import Source
from ..sources.search.model import SearchAnswer, SearchUnavailable
from ..sources.search.searching import Searching, interleaved
from ..verification.queries import claim_query, is_internal

STEP = "1/web/sources"


@dataclass(frozen=True, slots=True)
class WebQuery:
    """The search query for a claim: the addresses of its hits, or why there was no answer.

    `query` is empty if no search was made for the claim.
    """

    claim_id: str
    query: str
    hits: tuple[str, ...] = ()
    _: KW_ONLY
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Outside:
    """Everything that code searched and read for the claims of a review.

    `sources` are what the claims cite, what the user gave and what searches found; `fetches` of
    them went over the network.
    """

    queries: tuple[WebQuery, ...]
    sources: tuple[Source, ...]
    fetches: int


async def search_outside(
    claims: Mapping[str, Claim],
    document: Document,
    reader: SourceReader,
    lexicon: Lexicon,
    services: RunServices,
    *,
    given: Sequence[str],
    hits: int,
    limit: int,
) -> Outside:
    """Search for sources of each claim and read them; journalled as one step.

    It is not journalled as long as a search had no answer: a resumed review searches again.

    No search is made for a claim that is checked against its own citation, nor for an internal
    one, of which nothing is sent out. `hits` pages are read for each claim, and at most
    `limit` in all over the network: first what is cited and `given`, then the best hit of each
    claim, then the second.

    Raises:
        StorageError: An answer or a snapshot could not be written.
        SnapshotError: A stored answer or snapshot is missing or was changed.
    """
    searching = reader.searching
    cited = dict.fromkeys(
        address.target for claim in claims.values() for address in claim.cited if address.target
    )

    unanswered: list[Outside] = []

    async def look() -> Outside | Error:
        searched = [
            await _search_claim(claim, searching, lexicon, document.title)
            for claim in claims.values()
        ]
        found = interleaved(SearchAnswer(answer.hits[:hits]) for _, answer in searched)
        before = reader.fetcher.fetches
        sources = await reader.fetcher.fetch_all([*cited, *given, *found], limit=limit)
        queries = tuple(query for query, _ in searched)
        found_there = Outside(queries, sources, reader.fetcher.fetches - before)
        if any(query.query and query.problem for query in queries):
            unanswered.append(found_there)
            return Error(FailureKind.UNAVAILABLE, "a search had no answer")
        return found_there

    provider = searching.provider.name if searching is not None else ""
    parts = [document.sha256, provider, *claims, *given]
    kept = await services.steps.step(STEP, digest(parts), Outside, look)
    outside = unanswered[0] if isinstance(kept, Error) else kept
    reader.store.require_whole(outside.sources)
    return outside


async def _search_claim(
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
        return WebQuery(claim.id, "", problem="it has no word that could be searched for"), nothing
    try:
        answer = await searching.search(query)
    except SearchUnavailable as error:
        return WebQuery(claim.id, query, problem=f"no answer was got: {error}"), nothing
    return WebQuery(claim.id, query, tuple(hit.url for hit in answer.hits)), answer


def checks_citation(claim: Claim) -> bool:
    """Whether a claim is checked against its own citation only.

    That is a claim which the document attributes to somebody or argues against, with a citation of
    its own: only that source can show whether it says so.
    """
    reported = claim.polarity is not Polarity.ASSERTED
    own = (address for address in claim.cited if address.state is CitationState.DIRECT)
    return reported and any(address.target for address in own)
