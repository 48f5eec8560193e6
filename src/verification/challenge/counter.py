"""Looking for what speaks against a claim: queries, sources found, and what the engine says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...base.vocabulary import ChallengeStep
from ...claims.model import Claim
from ...sources.model import Source
from ..assessing.elsewhere import compare_with, likely_sources
from ..reading.form import claim_form
from ..reading.index import SourceIndex
from ..reading.queries import claim_query
from ..registry import Registry
from .model import Contrary, Probe
from .policy import ChallengePolicy
from .statements import statement


class SnapshotSearch:
    """`SearchProvider` over the snapshots at hand."""

    name = "snapshots"
    local = True

    def __init__(self, sources: SourceIndex, registry: Registry) -> None:
        self._sources = sources
        self._registry = registry

    async def search(self, query: str) -> tuple[Source, ...]:
        """As `find`."""
        return self.find(query)

    def find(self, query: str) -> tuple[Source, ...]:
        """The few snapshots that have most of the words of `query`, best first.

        Raises:
            SnapshotError: A readable source has no text.
        """
        form = claim_form(statement(query, self._registry.lexicon), self._registry.lexicon)
        urls = likely_sources(form, self._sources, self._registry)
        return tuple(self._sources.sources.source(url) for url in urls)


def counter_queries(
    claim: Claim, probes: Sequence[Probe], registry: Registry, policy: ChallengePolicy, topic: str
) -> tuple[str, ...]:
    """What is searched for: another value in the place of each that was asked for, and criticism.

    `topic` is the document's title, for a claim that names nothing. Queries hold no more of a claim
    than names, words, figures and dates (decision 19), and at most the policy's characters.
    """
    longest = policy.query_characters
    lexicon = registry.lexicon
    queries = [
        claim_query(statement(probe.question.bare, lexicon), lexicon, longest, topic)
        for probe in probes
    ]
    added = " ".join(policy.words)
    own = claim_query(claim, lexicon, longest - len(added) - 1, topic)
    queries.append(f"{own} {added}".strip() if own else "")
    return tuple(dict.fromkeys(query for query in queries if query))


def contrary_of(
    claim: Claim,
    urls: Iterable[str],
    sources: SourceIndex,
    registry: Registry,
    *,
    step: ChallengeStep,
) -> Iterator[Contrary]:
    """The places of the sources at `urls` that contradict `claim` by the engine's rules.

    A source that the claim cites is left out: it has been compared already.

    Raises:
        SnapshotError: A readable source has no text.
    """
    cited = {address.target for address in claim.cited}
    form = claim_form(claim, registry.lexicon)
    for url in sorted(set(urls) - cited):
        found = compare_with(form, url, sources, registry)
        if found.against is not None:
            yield Contrary(claim.id, step, found.against, found.reason)
