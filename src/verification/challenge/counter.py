"""Looking for what speaks against a claim: queries, sources found, and what the engine says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...base.vocabulary import ChallengeStep
from ...claims.model import Claim
from ..assessing.elsewhere import compare_with
from ..queries import claim_query
from ..reader.model import NoReader
from ..registry import Registry
from ..source_index import SourceIndex
from .model import Contrary, Probe
from .policy import ChallengePolicy
from .statements import statement


def counter_queries(
    claim: Claim, probes: Sequence[Probe], registry: Registry, policy: ChallengePolicy, topic: str
) -> tuple[str, ...]:
    """Queries for counter-evidence: one for another value of each probe, and one for criticism.

    `topic` is the document's title, for a claim without names. Queries contain only names, words,
    figures and dates of a claim (decision 19). The policy limits their length in characters.
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
    """The places of the sources at `urls` that prove `claim` wrong.

    A source that the claim cites is left out: it has been compared already.

    Raises:
        SnapshotError: A readable source has no text.
    """
    cited = {address.target for address in claim.cited}
    # Only what is proved counts, for which nothing has to be read.
    exact = registry.with_reader(NoReader())
    for url in sorted(set(urls) - cited):
        found = compare_with(claim, url, sources, exact)
        if found.against is not None:
            yield Contrary(claim.id, step, found.against, found.reason)
