"""Sources of a review's claims: found and rated, and the passages and tools of verifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from pydantic import Field

from ..base.off_loop import off_loop
from ..base.registry import RegistryModel
from ..base.vocabulary import CitationState
from ..claims.model import CitedAddress, Claim, Polarity
from ..core.source_tools import PASSAGES, SourceReader, SourceTools
from ..core.tasks import ToolFailure
from ..documents.model import Document
from ..sources.addresses import address_key
from ..sources.model import Source, SourceSet
from ..sources.plain_text import words_of
from ..sources.scoring.confidence import share_within, shingles
from ..sources.scoring.model import Appraisal, RatedSource, Tier
from ..sources.scoring.rules import IndependenceRules, ScoringRegistry
from ..verification.ledger.confidence import DERIVED, circular_sources
from ..verification.model import Passage
from ..verification.passages.retrieval import SourceIndex, find_passages
from ..verification.registry import Registry
from .types import ReviewContext, SourceNote, WebCheckInput, WebQuery, WebVerifierConfig

WEB_REVIEW_FILE = "web_review.yaml"


class WebReviewPolicy(RegistryModel):
    """The registry file `web_review.yaml`: the sources that phase 4b reads and trusts."""

    hits: int = Field(ge=1, le=20)
    tier: int = Field(ge=1, le=5)
    same_time_days: int = Field(ge=0)


@dataclass(frozen=True, slots=True)
class WebRules:
    """The registries and the policy of phase 4b, and what scores sources."""

    registry: Registry
    scoring: ScoringRegistry
    policy: WebReviewPolicy
    appraise: Callable[[SourceSet], Appraisal]


def source_notes(
    document: Document,
    sources: SourceSet,
    rated: Iterable[RatedSource],
    rules: WebRules,
    *,
    written: date,
) -> Mapping[str, SourceNote]:
    """The notes of `sources`, which were `rated`, by address; `written` is the document's day.

    A source is circular if `document` cites it, if it copies or quotes a cited source, or if it is
    or copies the document. It is authoritative if its site is of the policy's tier, unless its
    score is low or a person has rejected it.

    Raises:
        SnapshotError: A readable source has no text.
    """
    independence = rules.scoring.rules.independence
    own = circular_sources(document, sources, independence, written=written)
    labels: dict[str, str] = {}
    for cited in document.citations:
        # A shortened or moved address, and where it leads to, are one.
        for key in _keys(cited.target, sources) if cited.target else ():
            # A person finds a citation by the document's own number for it, else by its line.
            labels.setdefault(key, cited.label or f"in line {cited.line}")
    read = (_shingles(url, sources, independence) for url in document.cited_urls())
    texts = list(filter(None, read))
    similar = independence.similar
    notes: dict[str, SourceNote] = {}
    for one in rated:
        url = one.source.url
        label = next((labels[key] for key in _keys(url, sources) if key in labels), "")
        text = _shingles(url, sources, independence)
        # For the most part that of a cited source, or all of one.
        copied = any(
            share_within(text, other) >= DERIVED or share_within(other, text) >= similar
            for other in texts
        )
        score = one.score
        tier = score.tier if score.override is not None else score.expected_tier
        trusted = not (score.rejected or score.low_reliability)
        notes[url] = SourceNote(
            score.tier.name,
            trusted and tier is not None and tier <= Tier(rules.policy.tier),
            bool(label) or url in own or copied,
            label,
            score.dated,
        )
    return notes


def _shingles(url: str, sources: SourceSet, rules: IndependenceRules) -> frozenset[int]:
    """The text at `url` for comparison; nothing of a few words, which are the same by chance."""
    readable = sources.readable(url)
    text = readable[1] if readable else ""
    enough = len(words_of(text[: rules.characters])) >= rules.fewest_words
    return shingles(text, rules) if enough else frozenset()


def _keys(url: str, sources: SourceSet) -> frozenset[str]:
    """The addresses that a source is known by: as asked for, on the way, and by its own word."""
    snapshot = sources.source(url).snapshot
    others = (*snapshot.url_chain, snapshot.canonical) if snapshot is not None else ()
    return frozenset(address_key(each) for each in (url, *others) if each)


@dataclass(frozen=True, slots=True)
class Outside:
    """Everything that code searched and read for the claims of a review.

    `sources` are what the claims cite, what the user gave and what searches found.
    """

    queries: tuple[WebQuery, ...]
    sources: tuple[Source, ...]


def checks_citation(claim: Claim) -> bool:
    """Whether a claim is checked against its own citation only.

    That is a claim which the document attributes to somebody or argues against, with a citation of
    its own: only that source can show whether it says so.
    """
    reported = claim.polarity is not Polarity.ASSERTED
    own = (address for address in claim.cited if address.state is CitationState.DIRECT)
    return reported and any(address.target for address in own)


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
    return tuple(
        replace(one, id=f"{one.sha256[:_ID_DIGITS]}:{one.start}-{one.end}") for one in found
    )


class WebSourceTools(SourceTools):
    """`EvidenceTools` of all batches of phase 4b, which share its allowances.

    `sources` are what code has read for the claims and what the document cites, also unread. They
    are read from the disk at once. `searches` are all there are, 0 where there is nobody to ask.

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
        config: WebVerifierConfig,
        *,
        topic: str,
    ) -> None:
        index = SourceIndex(sources, registry.lexicon)
        super().__init__(claims, index, reader, registry, config.max_webfetches, topic=topic)
        self._registry = registry
        self.searches = config.max_searches if reader.searching else 0
        self._searches_left = self.searches
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
            raise ToolFailure(f"all {self.searches} searches of this review are used up")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class WebCheckContext(ReviewContext[WebCheckInput]):
    """One batch of claims to verify."""

    source_tools: WebSourceTools
