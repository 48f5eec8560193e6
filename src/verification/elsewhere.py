"""Claims against sources that they do not cite: what could be cited, and what proves them wrong."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from ..base.vocabulary import CitationState
from ..claims.model import Claim
from ..documents.language import reads_english
from ._signals import context_of, pairs_to_glance, pairs_to_read
from .judge import NOTHING, Elsewhere, compare_with
from .model import Evidence
from .passages.retrieval import SourceIndex, SourceText, render
from .passages.units import terms
from .reader.model import NoReader, TextPair
from .registry import Registry

_PairsOf = Callable[[Claim, SourceText], Sequence[TextPair]]


class OtherSources:
    """Looks for each claim through the sources that know most of its words.

    Only English sources are read, and none at an address that is `not_citable` or that the claim
    cites; nothing is found for a document in another `language`. The best sentences of a source are
    read first, and the page round them only where they may support the claim
    (`search.worth_reading`).
    """

    def __init__(
        self,
        sources: SourceIndex,
        registry: Registry,
        *,
        not_citable: Collection[str] = (),
        language: str = "en",
    ) -> None:
        self.sources = sources
        self.registry = registry
        self._readable = reads_english(language)
        self._exact = registry.with_reader(NoReader())
        self._not_citable = frozenset(not_citable)
        self._likely: dict[str, list[str]] = {}
        self._having_words: dict[str, list[str]] = {}
        self._comparisons: dict[tuple[str, str], Elsewhere] = {}
        self._found: dict[str, Elsewhere] = {}

    def read_ahead(self, claims: Iterable[Claim]) -> None:
        """Let the reader read what `look` will ask for, in large batches.

        Raises:
            SnapshotError: A readable source has no text.
            InputError: The reader's files are missing or broken.
        """
        reader, left = self.registry.reader, list(claims)
        if not (reader.available and self._readable):
            return
        some = [(claim, url) for claim in left for url in self._worded(claim)]
        reader.read([pair for one in some for pair in self._pairs(pairs_to_glance, *one)])
        at = 0
        while left:
            # What one source supports is not read in the next.
            some = [(claim, url) for claim in left for url in self._promising(claim)[at : at + 1]]
            reader.read([pair for one in some for pair in self._pairs(pairs_to_read, *one)])
            left = [one for one, url in some if self._compared(one, url).support is None]
            at += 1

    def look(self, claim: Claim) -> Elsewhere:
        """Evidence on `claim`: a source that proves it wrong, else the first that supports it.

        Raises:
            SnapshotError: A readable source has no text.
            InputError: The reader's files are missing or broken.
        """
        if claim.id not in self._found:
            self._found[claim.id] = self._looked(claim)
        return self._found[claim.id]

    def _looked(self, claim: Claim) -> Elsewhere:
        if not self._readable:
            return NOTHING
        support, promising = None, self._promising(claim)
        for url in self._urls(claim):
            if support is None and url in promising:
                found = self._compared(claim, url)
                support = found.support
            else:
                # Only what is proved counts, for which nothing has to be read.
                found = compare_with(claim, url, self.sources, self._exact)
            if found.against is not None:
                return found
        return Elsewhere(support)

    def _urls(self, claim: Claim) -> list[str]:
        if claim.id not in self._likely:
            cited = {address.target for address in claim.cited if address.target}
            besides = self._not_citable | cited
            self._likely[claim.id] = self.sources.likely(claim.text, besides=besides)
        return self._likely[claim.id]

    def _worded(self, claim: Claim) -> list[str]:
        """Those sources whose best sentences have most words of the claim.

        The decision is fitted on what authors cite, which mostly states the claim. Of the other
        files of a folder it took many for support that speak of something else.
        """
        if claim.id not in self._having_words:
            policy = self.registry.verification.search
            exact = claim.quantities or claim.dates or claim.quotes
            least = policy.words if exact else policy.words_alone
            self._having_words[claim.id] = [
                url for url in self._urls(claim) if self._words_there(claim, url) >= least
            ]
        return self._having_words[claim.id]

    def _words_there(self, claim: Claim, url: str) -> float:
        """The share of the claim's words that the best sentences of a source have, 0 to 1."""
        found, most = self.sources.readable(url), self.registry.verification.search.units
        wanted = set(terms(claim.text))
        if found is None or not wanted:
            return 0.0
        units = found[1].best_units(claim.text, most, context=context_of(claim))
        return len(wanted & set(terms(render(units)))) / len(wanted)

    def _promising(self, claim: Claim) -> list[str]:
        """Those sources against whose support a glance does not speak."""
        reader, urls = self.registry.reader, self._worded(claim)
        if not reader.available:
            return urls
        least = self.registry.verification.search.worth_reading
        scores = ((url, reader.read(self._pairs(pairs_to_glance, claim, url))) for url in urls)
        return [url for url, read in scores if max((s.supports for s in read), default=1) >= least]

    def _pairs(self, pairs_of: _PairsOf, claim: Claim, url: str) -> Sequence[TextPair]:
        found = self.sources.readable(url)
        return pairs_of(claim, found[1]) if found else ()

    def _compared(self, claim: Claim, url: str) -> Elsewhere:
        key = claim.id, url
        if key not in self._comparisons:
            self._comparisons[key] = compare_with(claim, url, self.sources, self.registry)
        return self._comparisons[key]


def corroborate(
    claims: Iterable[Claim], found: SourceIndex, registry: Registry, *, cited: Collection[str] = ()
) -> Mapping[str, tuple[Evidence, ...]]:
    """By claim id, the words of sources of `found` that bear a cited claim out or deny it.

    Sources `cited` elsewhere in the document count, too (decision 34), where they bear it out: what
    denies it there is for the challenges to find. Claims beyond the policy's number of comparisons
    are left out, the document's argument last. An uncited claim is left out: a source that
    states it is the citation to add (decision 24).

    Raises:
        SnapshotError: A readable source has no text.
    """
    asked = [
        claim
        for claim in claims
        if not claim.exclusion and claim.citation_state is not CitationState.NONE
    ]
    asked.sort(key=lambda claim: not claim.load_bearing)
    most = registry.deepening.compared // max(1, len(found.sources.sources))
    shown = {claim.id: tuple(_shown(claim, found, registry, cited)) for claim in asked[:most]}
    return {claim_id: evidence for claim_id, evidence in shown.items() if evidence}


def _shown(
    claim: Claim, found: SourceIndex, registry: Registry, cited: Collection[str]
) -> Iterator[Evidence]:
    own = {address.target for address in claim.cited if address.target}
    for url in found.likely(claim.text, besides=own):
        elsewhere = compare_with(claim, url, found, registry)
        evidence = elsewhere.support if url in cited else elsewhere.against or elsewhere.support
        if evidence is not None:
            yield evidence
