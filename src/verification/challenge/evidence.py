"""Evidence from sources that a claim does not cite, and claims that cannot both be true."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

from ...base.likeness import jaccard, masked_tokens, near_pairs
from ...base.vocabulary import ChallengeStep, CitationState, Stance, Verdict
from ...claims.classify import bare_claim
from ...claims.model import Claim
from ..judge import compare_with, judge
from ..model import Evidence, Ledger
from ..passages.retrieval import SourceIndex, SourceText
from ..queries import claim_query
from ..reader.model import NoReader
from ..registry import Registry
from .model import ClaimLink, Contrary, Probe

_BORNE_OUT = (Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED)
_DISPUTED = (Verdict.DISPUTED, Verdict.CONTRADICTED)


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


def counter_queries(
    claim: Claim, probes: Sequence[Probe], registry: Registry, topic: str
) -> tuple[str, ...]:
    """Queries for counter-evidence: one for another value of each probe, and one for criticism.

    `topic` is the document's title, for a claim without names. Queries contain only names, words,
    figures and dates of a claim (decision 19). The policy limits their length in characters.
    """
    longest, lexicon = registry.challenge.query_characters, registry.lexicon
    asked = [bare_claim(probe.question.bare, lexicon) for probe in probes]
    queries = [claim_query(one, lexicon, longest, topic) for one in asked]
    added = " ".join(registry.challenge.words)
    own = claim_query(claim, lexicon, longest - len(added) - 1, topic)
    queries.append(f"{own} {added}".strip() if own else "")
    return tuple(dict.fromkeys(query for query in queries if query))


def contrary_of(
    claim: Claim, urls: Iterable[str], sources: SourceIndex, registry: Registry, step: ChallengeStep
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


def source_conflicts(case: ChallengeCase, registry: Registry) -> Iterator[Contrary]:
    """What contradicts a claim that one source supports in another one, cited or not.

    Claims beyond the policy's number are left out, the document's argument last.

    Raises:
        SnapshotError: A readable source has no text.
    """
    if not registry.challenge.does(ChallengeStep.SOURCES):
        return
    entries = {entry.claim_id: entry for entry in case.ledger.entries}
    claims = [one for one in case.claims if entries[one.id].verdict in _BORNE_OUT]
    for claim in sorted(claims, key=_first)[: registry.challenge.compared]:
        entry, step = entries[claim.id], ChallengeStep.SOURCES
        if not entry.of_stance(Stance.SUPPORTS):
            continue
        for one in entry.of_stance(Stance.CONTRADICTS):
            denial = Evidence(one.url, one.sha256, one.quote, one.start, one.end, one.stance)
            yield Contrary(claim.id, step, denial, "it says otherwise")
        urls = case.sources.likely(claim.text)
        yield from contrary_of(claim, urls, case.sources, registry, step)


def _first(claim: Claim) -> tuple[bool, str]:
    """The order in which claims are taken where there are too many: the argument's first."""
    return not claim.load_bearing, claim.id


def applied_disputes(case: ChallengeCase, registry: Registry) -> Iterator[Contrary]:
    """Evidence that disputes one claim of the ledger and contradicts another on the same fact.

    Common words propose the pair. The pair counts if the engine finds that the source of the
    dispute also contradicts the other claim (decision 25).

    Raises:
        SnapshotError: A readable source has no text.
    """
    if not registry.challenge.does(ChallengeStep.DISPUTES):
        return
    claims = {claim.id: claim for claim in case.claims}
    disputed = [
        (masked_tokens(entry.text), {item.url for item in entry.of_stance(Stance.CONTRADICTS)})
        for entry in case.ledger.entries
        if entry.verdict in _DISPUTED
    ]
    for entry in case.ledger.entries if disputed else ():
        if entry.verdict not in (*_BORNE_OUT, Verdict.UNVERIFIABLE):
            continue
        own, least = masked_tokens(entry.text), registry.challenge.same_fact
        urls = {url for words, urls in disputed if jaccard(own, words) >= least for url in urls}
        claim, step = claims[entry.claim_id], ChallengeStep.DISPUTES
        yield from contrary_of(claim, urls, case.sources, registry, step)


def link_claims(claims: Iterable[Claim], registry: Registry) -> tuple[ClaimLink, ...]:
    """The pairs of claims that state two values of one thing.

    Common words propose a pair (decision 25); it is one if the engine finds that each contradicts
    the other in a number or date. Claims beyond the policy's number are left out, the document's
    argument last.
    """
    policy = registry.challenge
    if not policy.does(ChallengeStep.LINKS):
        return ()
    checkable = sorted((c for c in claims if not c.exclusion), key=_first)[: policy.linked]
    words = [masked_tokens(claim.text) for claim in checkable]
    near = near_pairs(words, policy.same_claim)
    # A value of new capacity and one of new wind capacity are those of a whole and of a part.
    pairs = sorted((a, b) for a, b in near if not (words[a] < words[b] or words[b] < words[a]))
    links: list[ClaimLink] = []
    for pair in pairs[: policy.pairs]:
        left, right = sorted((checkable[place] for place in pair), key=lambda claim: claim.id)
        reason = _denial(left, right, registry)
        if reason and _denial(right, left, registry):
            links.append(ClaimLink(left.id, right.id, reason))
    return tuple(sorted(links, key=lambda link: (link.claim_id, link.other_id)))


def _denial(claim: Claim, other: Claim, registry: Registry) -> str:
    """Why `claim` would be wrong with `other` as its source; "" unless a value contradicts it."""
    read = SourceText(other.text, registry.lexicon)
    judgement = judge(claim, read, registry.with_reader(NoReader()))
    by_value = judgement.verdict is Verdict.CONTRADICTED and judgement.figure is not None
    return judgement.reason if by_value else ""


@dataclass(frozen=True, slots=True)
class ChallengeCase:
    """One iteration's ledger with what it rests on.

    `settled` are the claims that code decided on every part. `language` is the document's, `topic`
    its title. `asked` are the claims that earlier iterations of the run challenged.
    """

    ledger: Ledger
    claims: Sequence[Claim]
    sources: SourceIndex
    settled: Collection[str]
    _: KW_ONLY
    language: str = "en"
    topic: str = ""
    asked: Collection[str] = ()
