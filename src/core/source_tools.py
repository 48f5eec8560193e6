"""The tools of agents over a run's sources: passages, texts, allowed addresses and searches."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urljoin

from ..base.errors import SnapshotError
from ..base.off_loop import off_loop
from ..claims.lexicon import Lexicon
from ..claims.model import Claim
from ..sources.addresses import AddressError, WebAddress, address_key, parse_web_address
from ..sources.fetcher import Fetcher
from ..sources.model import Source
from ..sources.search.model import SearchAnswer, SearchUnavailable, plain_query
from ..sources.search.searching import Searching
from ..sources.snapshot_store import SnapshotStore
from ..verification.model import Passage
from ..verification.passages.retrieval import SourceIndex, find_passages
from ..verification.queries import claim_query, is_internal
from ..verification.registry import Registry
from .tasks import ToolFailure

PASSAGES = 5
READ_CHARS = 8_000
OPENING_CHARS = 2_000

# Bounded, because the bytes are anyone's.
_LINK = re.compile(
    r"""href\s{0,20}=\s{0,20}(?:"([^"]{1,4000})"|'([^']{1,4000})'|([^\s"'<>]{1,4000}))"""
    r"""|\]\(<?([^\s()<>]{1,4000})>?\)|(https?://[^\s"'<>()\[\]]{1,4000})""",
    re.IGNORECASE,
)


class SourceReader:
    """Finds addresses and texts of one run for a checker.

    An address may be fetched if the document cites it, if a snapshot of a cited page links to it
    unchanged on the same host, if a search of the run returned it, or if the user allows its host;
    what the run has stored already may be read in any case (decision 19).

    Args:
        fetcher: Fetches, in the run's mode and behind its guard.
        store: The run's snapshots.
        allowed_hosts: Hosts that the user allows, as ``host`` or ``host:port``.
        searching: The run's searches, None where there is no provider.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        store: SnapshotStore,
        allowed_hosts: Iterable[str] = (),
        searching: Searching | None = None,
    ) -> None:
        self.fetcher = fetcher
        self.store = store
        self.searching = searching
        self._allowed_hosts = frozenset(re.sub(r"[\[\]]", "", h.casefold()) for h in allowed_hosts)

    def provider(self) -> Searching:
        """The run's searches.

        Raises:
            ToolFailure: There is no provider.
        """
        if self.searching is None:
            raise ToolFailure("there is no search provider in this run")
        return self.searching

    def stored(self, url: str) -> Source | None:
        """The readable source that the run has for `url` already."""
        source = self.store.lookup(url)
        return source if source is not None and source.state.readable else None

    def index(self, sources: Iterable[Source], lexicon: Lexicon) -> SourceIndex:
        """The index of those of `sources` that the run has a text of.

        Raises:
            SnapshotError: A stored snapshot is missing or was changed.
        """
        return SourceIndex(self.store.source_set(sources), lexicon)

    def allowed(self, url: str, cited: Mapping[str, Source]) -> bool:
        """Whether `url` may be fetched; `cited` are the document's sources by address."""
        key = address_key(url)
        if any(address_key(other) == key for other in cited):
            return True
        if self.searching is not None and self.searching.returned(url):
            return True
        address = _address(url)
        if address is None:
            return False
        if not self._allowed_hosts.isdisjoint({address.host, f"{address.host}:{address.port}"}):
            return True
        return key in set(self._linked(address.host, cited.values()))

    def _linked(self, host: str, cited: Iterable[Source]) -> Iterator[str]:
        """The keys of the addresses on `host` that cited pages of that host link to."""
        for source in cited:
            snapshot = source.snapshot
            page = _address(snapshot.url_chain[-1]) if snapshot else None
            if snapshot and page and page.host == host:
                yield from links(page.url, self.store.get(snapshot.sha256))


class _Opener:
    """Opens pages for an agent, at most `fetches` of them over the network."""

    scope = "iteration"
    openable = (
        "addresses that the document cites, links on their own pages to the same host, and hits "
        "of a search"
    )

    def __init__(self, reader: SourceReader, fetches: int) -> None:
        self._reader = reader
        self._allowance = fetches
        self._left = fetches

    async def _open(self, url: str, known: Mapping[str, Source]) -> Source:
        """The source at `url`; what the run has stored is free."""
        source = self._reader.stored(url)
        if source is not None:
            return source
        if not self._reader.allowed(url, known):
            raise ToolFailure(f"refused_by_policy: only {self.openable} may be fetched")
        if self._left == 0:
            raise ToolFailure(f"all {self._allowance} fetches of this {self.scope} are used up")
        self._left -= 1
        return await self._reader.fetcher.fetch(url)


class SourceTools(_Opener):
    """`EvidenceTools` of one iteration.

    `fetches` is the allowance of fetches for this iteration, `topic` the document's title.
    """

    def __init__(
        self,
        claims: Iterable[Claim],
        sources: SourceIndex,
        reader: SourceReader,
        registry: Registry,
        fetches: int,
        *,
        topic: str = "",
    ) -> None:
        super().__init__(reader, fetches)
        self._topic = topic
        self._claims = {claim.id: claim for claim in claims}
        self._sources = sources
        self._policy = registry.verification
        self._lexicon = registry.lexicon

    def find_passages(self, claim_id: str) -> tuple[Passage, ...]:
        """As `EvidenceTools.find_passages`."""
        return find_passages(self._claim(claim_id), self._sources, self._policy, k=PASSAGES)

    def read_source(self, sha256: str, offset: int) -> str:
        """As `EvidenceTools.read_source`."""
        try:
            text = self._reader.store.text(sha256)
        except SnapshotError as error:
            raise ToolFailure(f"no such snapshot in this run: {error.message}") from error
        return slice_text(text, offset, READ_CHARS)

    async def fetch_source(self, url: str) -> str:
        """As `EvidenceTools.fetch_source`; what the run has stored is free."""
        source = await self._open(url, self._sources.sources.sources)
        return await off_loop(describe_source, self._reader.store, source, 0, OPENING_CHARS)

    async def search_sources(self, claim_id: str) -> str:
        """As `EvidenceTools.search_sources`."""
        claim, searching = self.searchable(claim_id)
        query = claim_query(claim, self._lexicon, searching.query_characters, self._topic)
        return (await _search(searching, query))[1]

    def searchable(self, claim_id: str) -> tuple[Claim, Searching]:
        """The claim, if it may be sent out, and the search provider.

        Raises:
            ToolFailure: No such claim, an internal one, or no provider.
        """
        claim, searching = self._claim(claim_id), self._reader.provider()
        if not searching.provider.local and is_internal(claim):
            raise ToolFailure("refused_by_policy: the claim is internal; nothing of it is sent out")
        return claim, searching

    def _claim(self, claim_id: str) -> Claim:
        claim = self._claims.get(claim_id)
        if claim is None:
            raise ToolFailure(f"there is no claim {claim_id!r} in this {self.scope}")
        return claim


def describe_source(store: SnapshotStore, source: Source, offset: int, characters: int) -> str:
    """State of a source, and where it was read its hash, title and a part of its text.

    Raises:
        ToolFailure: `offset` is outside the text.
    """
    lines = [f"state: {source.state}", f"reason: {source.reason}"]
    if source.state.readable and source.snapshot is not None:
        text = store.text(source.snapshot.sha256)
        lines += [
            f"sha256: {source.snapshot.sha256}",
            f"title: {source.snapshot.title}",
            f"characters: {len(text)}",
            f"from {offset}:" if offset else "opening:",
            slice_text(text, offset, characters),
        ]
    return "\n".join(lines)


def slice_text(text: str, offset: int, characters: int) -> str:
    """At most `characters` of `text` from `offset`.

    Raises:
        ToolFailure: `offset` is outside the text.
    """
    if not 0 <= offset < max(len(text), 1):
        raise ToolFailure(f"offset {offset} is outside the text of {len(text)} characters")
    return text[offset : offset + characters]


def format_hits(answer: SearchAnswer) -> Iterator[str]:
    """The hits of a search, numbered, as an agent reads them."""
    if not answer.hits:
        yield "no hits"
    for number, hit in enumerate(answer.hits, start=1):
        day = f"\npublished: {hit.published.isoformat()}" if hit.published else ""
        yield f"{number}. {hit.title}\naddress: {hit.url}{day}\n{hit.excerpt}"


async def _search(searching: Searching, query: str) -> tuple[SearchAnswer, str]:
    try:
        answer = await searching.search(query)
    except SearchUnavailable as error:
        raise ToolFailure(f"no answer, which says nothing about the claim: {error}") from error
    return answer, "\n\n".join([f"query: {query}", *format_hits(answer)])


def cut_query(query: str, most: int) -> str:
    """`query`, cut at a word to `most` characters."""
    return query if len(query) <= most else query[: most + 1].rpartition(" ")[0]


def links(page: str, body: bytes) -> Iterator[str]:
    """The keys of the addresses that the page at `page` links to, as its own links name them."""
    for match in _LINK.finditer(body.decode("utf-8", "replace")):
        target = html.unescape(next(group for group in match.groups() if group is not None))
        try:
            yield address_key(parse_web_address(urljoin(page, target.strip())).url)
        except (AddressError, ValueError):
            continue


def _address(url: str) -> WebAddress | None:
    try:
        return parse_web_address(url)
    except AddressError:
        return None


FETCHES = 60
"""Pages that the analyst may open over the network in one turn."""

_WORD = re.compile(r"\w+")


class BriefResearch(_Opener):
    """`ResearchTools` of one turn over a brief.

    A query that leaves this machine may hold only words of the brief and of the titles found so
    far, so that nothing of the user's own sources is sent out (decision 19).
    """

    scope = "turn"
    openable = "hits of a search, and links on such pages to the same host,"

    def __init__(self, reader: SourceReader, brief: str) -> None:
        super().__init__(reader, FETCHES)
        self._public = _words(brief)
        self._opened: dict[str, Source] = {}

    async def search(self, query: str) -> str:
        """As `ResearchTools.search`; `query` is taken without its search operators."""
        searching = self._reader.provider()
        asked = plain_query(query)
        unknown = sorted(_words(asked) - self._public)
        if unknown and not searching.provider.local:
            raise ToolFailure(
                "refused_by_policy: a query may hold only words of the brief and of titles found "
                f"so far; not among them: {', '.join(unknown)[:200]}"
            )
        answer, shown = await _search(searching, asked)
        self._public |= _words(" ".join(hit.title for hit in answer.hits))
        return shown

    async def fetch(self, url: str, offset: int) -> str:
        """As `ResearchTools.fetch`: a page that a search led to, or such a page."""
        source = await self._open(url, self._opened)
        self._opened[url] = source
        return await off_loop(describe_source, self._reader.store, source, offset, READ_CHARS)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))
