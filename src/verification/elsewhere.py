"""Claims against sources that they do not cite: what could be cited, and what proves them wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ..claims.model import Claim
from .judge import Elsewhere, compare_with
from .passages.retrieval import SourceIndex
from .reader.model import NoReader
from .registry import Registry
from .signals import pair_to_glance, pairs_to_read


class OtherSources:
    """Looks for each claim through the sources that know most of its words.

    Only English sources are read, and none at an address that is `not_citable` or that the claim
    cites. The best sentences of a source are read first, and the page round them only where they
    may support the claim (`search.worth_reading`).
    """

    def __init__(
        self, sources: SourceIndex, registry: Registry, *, not_citable: Collection[str] = ()
    ) -> None:
        self._sources = sources
        self._registry = registry
        self._exact = registry.with_reader(NoReader())
        self._not_citable = frozenset(not_citable)
        self._likely: dict[str, list[str]] = {}
        self._comparisons: dict[tuple[str, str], Elsewhere] = {}
        self._found: dict[str, Elsewhere] = {}

    def read_ahead(self, claims: Iterable[Claim]) -> None:
        """Let the reader read what `look` will ask for, in large batches.

        Raises:
            SnapshotError: A readable source has no text.
            InputError: The reader's files are missing or broken.
        """
        reader, left = self._registry.reader, list(claims)
        if not reader.available:
            return
        glances = (self._glance(claim, url) for claim in left for url in self._urls(claim))
        reader.read([pair for pair in glances if pair is not None])
        at = 0
        while left:
            # What one source supports is not read in the next.
            some = [(claim, url) for claim in left for url in self._promising(claim)[at : at + 1]]
            reader.read([pair for one in some for pair in self._pairs(*one)])
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
        support, promising = None, self._promising(claim)
        for url in self._urls(claim):
            if support is None and url in promising:
                found = self._compared(claim, url)
                support = found.support
            else:
                # Only what is proved counts, for which nothing has to be read.
                found = compare_with(claim, url, self._sources, self._exact)
            if found.against is not None:
                return found
        return Elsewhere(support)

    def _urls(self, claim: Claim) -> list[str]:
        if claim.id not in self._likely:
            cited = {address.target for address in claim.cited if address.target}
            besides = self._not_citable | cited
            self._likely[claim.id] = self._sources.likely(claim.text, besides=besides)
        return self._likely[claim.id]

    def _promising(self, claim: Claim) -> list[str]:
        """Those sources against whose support a glance does not speak."""
        reader, least = self._registry.reader, self._registry.verification.search.worth_reading
        pairs = ((url, self._glance(claim, url)) for url in self._urls(claim))
        return [
            url
            for url, pair in pairs
            if pair is None or not reader.available or reader.read([pair])[0].supports >= least
        ]

    def _glance(self, claim: Claim, url: str) -> tuple[str, str] | None:
        found = self._sources.readable(url)
        return pair_to_glance(claim, found[1]) if found else None

    def _pairs(self, claim: Claim, url: str) -> Sequence[tuple[str, str]]:
        found = self._sources.readable(url)
        return pairs_to_read(claim, found[1]) if found else ()

    def _compared(self, claim: Claim, url: str) -> Elsewhere:
        key = claim.id, url
        if key not in self._comparisons:
            self._comparisons[key] = compare_with(claim, url, self._sources, self._registry)
        return self._comparisons[key]
