"""Looking for what speaks against a claim: queries, sources found, and what the engine says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...base.vocabulary import ChallengeStep
from ...claims.model import Claim
from ...sources.model import Source
from ..assessing.elsewhere import compare_with, likely_sources
from ..judging.alignment import Aligner
from ..model import Evidence
from ..reading.form import ClaimForm, claim_form
from ..reading.index import SourceIndex
from ..reading.queries import claim_query
from ..reading.window import build_window
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

    A source that the claim cites is left out: it has been compared already. Any other need not be
    about its subject, so that one sentence or row must hold most of the claim's words, too.

    Raises:
        SnapshotError: A readable source has no text.
    """
    cited = {address.target for address in claim.cited}
    form = claim_form(claim, registry.lexicon)
    for url in sorted(set(urls) - cited):
        found = compare_with(form, url, sources, registry)
        if found.against is not None and _is_about(form, found.against, sources, registry):
            yield Contrary(claim.id, step, found.against, found.reason)


def _is_about(form: ClaimForm, item: Evidence, sources: SourceIndex, registry: Registry) -> bool:
    """Whether one sentence or row of a source holds the policy's share of a claim's words."""
    readable = sources.readable(item.url)
    if readable is None:
        return False
    index = readable[1]
    first, last = index.segment_at(item.start), index.segment_at(item.end - 1)
    aligner = Aligner(form, index, registry.lexicon, registry.verification)
    alignment = aligner.align(build_window(index, first, last))
    return first == last and alignment.coverage >= registry.challenge.contrary
