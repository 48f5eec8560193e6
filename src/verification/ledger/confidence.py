"""How much the sources behind a claim are worth: authority, age, independence, circularity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import date, datetime

from ...base.vocabulary import SupportTier
from ...claims.model import Claim
from ...claims.words import WordBook
from ...documents.model import Document
from ...sources.addresses import address_key
from ...sources.model import SourceSet
from ...sources.plain_text import words_of
from ...sources.scoring.confidence import (
    Backing,
    Publication,
    combined_confidence,
    independence_clusters,
    share_within,
    shingles,
)
from ...sources.scoring.model import Appraisal
from ...sources.scoring.rules import ConfidenceRules, IndependenceRules, ScoringRegistry

# From so much of its text standing in the document on, a younger source is taken from it.
DERIVED = 0.5
# So many independent sources make a claim verified (verify-phase spec, `verification_tier`).
_SOURCES_TO_VERIFY = 2
_OWN_ADDRESS = frozenset({"url", "canonical", "permalink", "canonical_url", "link"})


@dataclass(frozen=True, slots=True)
class SourceCredibility:
    """Credibility of a source, with its address, title and dates.

    `authority` names the class of its site. `weight` is the authority of that class (0–1), `rank`
    its place among the classes, 1 first (decision 32). Sources of one `cluster` count as one
    (decision 33). `reliability` is its score as a share (0–1). `circular` marks the document under
    check itself, and sources taken from it (decision 34).
    """

    url: str
    title: str
    authority: str
    weight: float
    rank: int
    cluster: int
    _: KW_ONLY
    reliable: bool = False
    authoritative: bool = False
    circular: bool = False
    dated: date | None = None
    accessed_at: datetime | None = None
    reliability: float = 0.0


@dataclass(frozen=True, slots=True)
class Support:
    """A source that bears a claim out, and how much of the claim its words hold (0–1)."""

    standing: SourceCredibility
    relevance: float


def source_credibility(
    sources: SourceSet, appraisal: Appraisal, scoring: ScoringRegistry, circular: frozenset[str]
) -> Mapping[str, SourceCredibility]:
    """The standing of every source that was scored, by its address.

    Clusters are those of all of `sources`, so that they are the same for each claim; `circular`
    are the addresses that `circular_sources` gives.

    Raises:
        SnapshotError: A readable source has no text.
    """
    texts = {url: found[1] for url in sources.sources if (found := sources.readable(url))}
    pages = [
        Publication(rated.source.url, rated.score.site.domain, texts.get(rated.source.url, ""))
        for rated in appraisal.rated
    ]
    clusters = independence_clusters(pages, scoring.rules.independence)
    standings: dict[str, SourceCredibility] = {}
    for rated in appraisal.rated:
        source, score = rated.source, rated.score
        standings[source.url] = SourceCredibility(
            source.url,
            rated.given.title or source.url,
            score.site.name,
            score.weight,
            scoring.classes[score.site.name].rank,
            clusters[source.url],
            reliable=score.reliable and not score.rejected,
            authoritative=score.authoritative and not score.rejected,
            circular=source.url in circular,
            dated=score.dated,
            accessed_at=source.snapshot.fetched_at if source.snapshot else None,
            reliability=score.reliability_score,
        )
    return standings


def circular_sources(
    document: Document, sources: SourceSet, rules: IndependenceRules, *, written: date
) -> frozenset[str]:
    """The addresses of the sources that are the document, or are taken from it (decision 34).

    That is its own address, text that is nearly the document's and not known to be older, and
    text half of which stands in the document though it is known to be younger. `written` is the
    document's day.

    Raises:
        SnapshotError: A readable source has no text.
    """
    front = {name.casefold(): value for name, value in document.front_matter}
    own = {address_key(front[name]) for name in _OWN_ADDRESS & front.keys() if front[name]}
    words = "\n".join(sentence.text for sentence in document.sentences)
    # A few words are the same by chance, or because the document quotes a short source in full.
    comparable = len(words_of(words[: rules.characters])) >= rules.fewest_words
    whole = shingles(words, rules) if comparable else frozenset[int]()
    found = {url: read for url in sources.sources if (read := sources.readable(url))}
    return frozenset(
        url
        for url, (snapshot, text) in found.items()
        if address_key(url) in own
        or (whole and _taken(whole, shingles(text, rules), snapshot.published, written, rules))
    )


def _taken(
    whole: frozenset[int],
    page: frozenset[int],
    dated: date | None,
    written: date,
    rules: IndependenceRules,
) -> bool:
    if dated is not None and dated < written:
        return False
    share = share_within(page, whole)
    if dated is not None and dated > written and share >= DERIVED:
        return True
    return share >= rules.similar and share_within(whole, page) >= rules.similar


def words_of_weight(claim: Claim, book: WordBook) -> frozenset[str]:
    """The stems of the claim's words without those that say nothing; numbers are words."""
    return frozenset(token.stem for token in book.tokens(claim.text)) - book.stop_words


def share_held(wanted: frozenset[str], excerpt: str, book: WordBook) -> float:
    """The share of the stems `wanted` that `excerpt` holds in some form, 0–1; 0 of none."""
    if not wanted:
        return 0.0
    held = {token.stem for token in book.tokens(excerpt)}
    return len(wanted & held) / len(wanted)


def claim_confidence(
    support: Iterable[Support], rules: ConfidenceRules, *, as_of: date, temporal: bool
) -> float:
    """The confidence that the sources together give a claim, 0–1 (decision 33).

    Args:
        support: The sources that bear the claim out, in any order.
        rules: How age weakens a source.
        as_of: The day at which ages are measured.
        temporal: Whether the claim may be true on one day and false on another.
    """
    backings = [
        Backing(s.relevance, s.standing.weight, dated=s.standing.dated, cluster=s.standing.cluster)
        for s in support
    ]
    total = combined_confidence(backings, rules, as_of=as_of, temporal=temporal)
    # The same sources in another order must not differ in the last digit.
    return round(total, 6)


def support_tier(support: Sequence[Support]) -> SupportTier:
    """One authoritative source, or two reliable ones that are independent; circular ones are none.

    Source: verify-phase spec, `verification_tier`; decisions 32 to 34.
    """
    outside = [one.standing for one in support if not one.standing.circular]
    if any(standing.authoritative for standing in outside):
        return SupportTier.AUTHORITATIVE
    independent = {standing.cluster for standing in outside if standing.reliable}
    if len(independent) >= _SOURCES_TO_VERIFY:
        return SupportTier.VERIFIED
    return SupportTier.UNVERIFIED
