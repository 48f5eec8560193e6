"""The source tools of a web verifier: all that the review has read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..base.vocabulary import CitationState
from ..claims.model import CitedAddress, Claim
from ..core.source_tools import PASSAGES, SourceReader, SourceTools
from ..core.tasks import ToolFailure
from ..sources.addresses import address_key
from ..sources.model import SourceSet
from ..verification.assessing.elsewhere import likely_sources
from ..verification.assessing.lookup import find_passages
from ..verification.model import Passage
from ..verification.registry import Registry
from ..verification.source_index import SourceIndex

_ID_DIGITS = 12


def outside_passages(claim: Claim, sources: SourceIndex, registry: Registry) -> tuple[Passage, ...]:
    """The best five passages for `claim` of those sources that are likely to speak of it.

    Those that it cites are among them. An id names snapshot and place, so that it stays the same
    whatever is read later: ``3f1c09ab12cd:120-480``.

    Raises:
        SnapshotError: A readable source has no text.
    """
    likely = likely_sources(claim.text, sources)
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


class WebSourceTools:
    """`EvidenceTools` of all batches of phase 4b, which share its allowances.

    Args:
        claims: The claims to verify.
        sources: What code has read for them; with what the document cites, also unread.
        reader: The review's reader.
        registry: The policies of verification.
        fetches: The allowance of fetches.
        searches: The allowance of searches.
        topic: The document's title.
    """

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
        known = tuple(claims)
        self._claims = {claim.id: claim for claim in known}
        self._given = sources
        self._reader = reader
        self._registry = registry
        self._searches = searches
        self._left = searches
        index = SourceIndex(sources, registry.lexicon)
        self._source_tools = SourceTools(known, index, reader, registry, fetches, topic=topic)
        self._index: SourceIndex | None = None

    def readable_sources(self) -> SourceSet:
        """Every source that the review can read, those fetched in turns too.

        Raises:
            SnapshotError: A stored snapshot is missing or was changed.
        """
        return self._sources().sources

    def find_passages(self, claim_id: str) -> tuple[Passage, ...]:
        """The best five passages for a claim in all that was read.

        Raises:
            ToolFailure: No such claim.
        """
        if claim_id not in self._claims:
            raise ToolFailure(f"there is no claim {claim_id!r} in this review")
        return outside_passages(self._claims[claim_id], self._sources(), self._registry)

    def read_source(self, sha256: str, offset: int) -> str:
        """As `SourceTools.read_source`."""
        return self._source_tools.read_source(sha256, offset)

    async def fetch_source(self, url: str) -> str:
        """As `SourceTools.fetch_source`; what was fetched is at hand from then on."""
        described = await self._source_tools.fetch_source(url)
        self._index = None
        return described

    async def search_sources(self, claim_id: str) -> str:
        """As `SourceTools.search_sources`, within the allowance of all batches.

        What is refused uses none of it.
        """
        self._source_tools.searchable(claim_id)
        if self._left == 0:
            raise ToolFailure(f"all {self._searches} searches of this review are used up")
        self._left -= 1
        return await self._source_tools.search_sources(claim_id)

    def _sources(self) -> SourceIndex:
        if self._index is None:
            sources = {url: one for url, one in self._given.sources.items() if one.state.readable}
            known = {address_key(url) for url in sources}
            for one in self._reader.store.sources():
                if one.state.readable and address_key(one.url) not in known:
                    sources[one.url] = one
            found = self._reader.store.source_set(sources.values())
            self._index = SourceIndex(found, self._registry.lexicon)
        return self._index
