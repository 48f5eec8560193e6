"""Which sources a claim rests on, and what their words are worth (semantic spec, source binding).

`BoundSource` is the spec's `CitedSource`; that name belongs to a source as it is written out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from statistics import fmean

from ...base.vocabulary import ResearchMode, Stance, SupportTier, Verdict
from ...claims.model import Claim, Temporality
from ...claims.words import WordBook
from ...sources.scoring.confidence import recency_weight
from ...sources.scoring.rules import ConfidenceRules
from ..model import ClaimAssessment, Evidence, Ledger, LedgerEntry, WeighedEvidence
from .confidence import (
    SourceCredibility,
    Support,
    claim_confidence,
    share_held,
    support_tier,
    words_of_weight,
)


class VerificationStatus(StrEnum):
    """The semantic spec's states of a binding."""

    VERIFIED = "verified"
    PARTIALLY_VERIFIED = "partially_verified"
    UNVERIFIED = "unverified"


def verification_status(verdict: Verdict) -> VerificationStatus | None:
    """The spec's state for a verdict; None for a claim that is not checkable (decision 23)."""
    match verdict:
        case Verdict.NOT_CHECKABLE:
            return None
        case Verdict.SUPPORTED:
            return VerificationStatus.VERIFIED
        case Verdict.PARTIALLY_SUPPORTED:
            return VerificationStatus.PARTIALLY_VERIFIED
        case _:
            return VerificationStatus.UNVERIFIED


@dataclass(frozen=True, slots=True)
class ClaimCounts:
    """How many checkable claims there are, and how many are in each state.

    `total` counts all of them, `verified`, `partially_verified` and `unverified` those in that
    state.
    """

    total: int = 0
    verified: int = 0
    partially_verified: int = 0
    unverified: int = 0


def count_claims(statuses: Iterable[VerificationStatus]) -> ClaimCounts:
    """The counts of `statuses`, one for each checkable claim."""
    states = list(statuses)
    return ClaimCounts(
        len(states),
        states.count(VerificationStatus.VERIFIED),
        states.count(VerificationStatus.PARTIALLY_VERIFIED),
        states.count(VerificationStatus.UNVERIFIED),
    )


@dataclass(frozen=True, slots=True)
class BoundSource:
    """A source with the words in it that speak of the claim.

    `text[start:end] == excerpt` holds, in characters, for the extracted text of the snapshot `id`,
    its sha256. `authority` names the class of the site, `authority_rank` counts from 1, the best.
    Shares are 0–1: `weight` is the authority of that class, `relevance_score` is the part of the
    claim's words that the excerpt holds, `recency` falls with age whether or not the claim is about
    a time. Sources of one `cluster`, numbered from 0, are one.
    """

    id: str
    title: str
    url: str
    authority: str
    relevance_score: float
    excerpt: str
    start: int
    end: int
    stance: Stance
    _: KW_ONLY
    authority_rank: int
    weight: float
    recency: float
    cluster: int
    circular: bool = False
    publish_date: date | None = None
    accessed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SourceBinding:
    """A claim with its sources, the most authoritative first, then the youngest.

    `aggregated_confidence` (0–1, decision 33) counts the sources that bear the claim out; it is 0
    for an unverified claim. `tier` leaves circular sources out (decision 34). `citation_text` names
    the sources that bear it out, "" if none does. `independent_sources` counts those, each cluster
    once.
    """

    claim_id: str
    sources: tuple[BoundSource, ...]
    aggregated_confidence: float
    verification_status: VerificationStatus
    citation_text: str
    _: KW_ONLY
    tier: SupportTier = SupportTier.UNVERIFIED
    independent_sources: int = 0

    @property
    def bound(self) -> bool:
        """Whether a source bears the claim out, all of it or a part."""
        return self.verification_status is not VerificationStatus.UNVERIFIED and bool(self.sources)

    @property
    def supporting(self) -> tuple[BoundSource, ...]:
        """The sources that bear the claim out; none of an unverified claim."""
        if not self.bound:
            return ()
        return tuple(one for one in self.sources if one.stance is not Stance.CONTRADICTS)

    @property
    def corroborated(self) -> bool:
        """Whether the fact stands beyond its citation (decision 36)."""
        return self.tier is not SupportTier.UNVERIFIED


@dataclass(frozen=True, slots=True)
class Scales:
    """The standing of every scored source by its address, and the rules of confidence.

    `as_of` is the day at which ages are measured; `mode` discovery gives its own tiers.
    """

    standings: Mapping[str, SourceCredibility]
    book: WordBook
    rules: ConfidenceRules
    _: KW_ONLY
    as_of: date
    mode: ResearchMode | None = None

    def support(self, binding: SourceBinding) -> list[Support]:
        """The sources that bear a claim out, with their standing."""
        return [Support(self.standings[s.url], s.relevance_score) for s in binding.supporting]


def bind_claims(
    claims: Sequence[Claim], assessments: Iterable[ClaimAssessment], scales: Scales
) -> tuple[SourceBinding, ...]:
    """The binding of every checkable claim, in the order of `claims`.

    `assessments` are those of `claims`; evidence from an address without a standing is left out.
    """
    by_id = {assessment.claim_id: assessment for assessment in assessments}
    bindings: list[SourceBinding] = []
    for claim in claims:
        assessment = by_id.get(claim.id)
        status = verification_status(assessment.verdict) if assessment else None
        if assessment is not None and status is not None:
            sources = _sources(claim, assessment.evidence, scales)
            bindings.append(_binding(claim, status, sources, scales))
    return tuple(bindings)


def _binding(
    claim: Claim, status: VerificationStatus, sources: tuple[BoundSource, ...], scales: Scales
) -> SourceBinding:
    plain = SourceBinding(claim.id, sources, 0.0, status, "")
    support = scales.support(plain)
    temporal = claim.temporality is Temporality.TEMPORAL
    named = (cited_as(one.url, one.title, one.publish_date) for one in plain.supporting)
    verified = status is VerificationStatus.VERIFIED
    return replace(
        plain,
        aggregated_confidence=claim_confidence(
            support, scales.rules, as_of=scales.as_of, temporal=temporal
        ),
        citation_text="; ".join(named),
        tier=support_tier(support) if verified else SupportTier.UNVERIFIED,
        independent_sources=len({one.standing.cluster for one in support}),
    )


def cited_as(url: str, title: str = "", dated: date | None = None) -> str:
    """How a source is named in a binding: title and day where they are known, and address."""
    said = [title] if title and title != url else []
    if dated:
        said.append(dated.isoformat())
    return ", ".join([*said, url])


def _sources(claim: Claim, evidence: Iterable[Evidence], scales: Scales) -> tuple[BoundSource, ...]:
    found: dict[str, BoundSource] = {}
    wanted = words_of_weight(claim, scales.book)
    for item in evidence:
        standing = scales.standings.get(item.url)
        if standing is None:
            continue
        source = BoundSource(
            item.sha256,
            standing.title,
            item.url,
            standing.authority,
            round(share_held(wanted, item.quote, scales.book), 4),
            item.quote,
            item.start,
            item.end,
            item.stance,
            authority_rank=standing.rank,
            weight=standing.weight,
            recency=round(recency_weight(standing.dated, scales.rules, as_of=scales.as_of), 4),
            cluster=standing.cluster,
            circular=standing.circular,
            publish_date=standing.dated,
            accessed_at=standing.accessed_at,
        )
        found[item.url] = min(source, found.get(item.url, source), key=_weight)
    return tuple(sorted(found.values(), key=_order))


def _weight(source: BoundSource) -> tuple[bool, float, int, int]:
    """Of several quotes from a source one speaks for it: one against the claim, or the fullest."""
    against = source.stance is Stance.CONTRADICTS
    return not against, -source.relevance_score, source.start, source.end


def _order(source: BoundSource) -> tuple[int, int, float, str]:
    age = -source.publish_date.toordinal() if source.publish_date else 0
    return source.authority_rank, age, -source.relevance_score, source.url


def weigh_ledger(
    ledger: Ledger, claims: Sequence[Claim], assessments: Iterable[ClaimAssessment], scales: Scales
) -> Ledger:
    """`ledger` with tier, confidence and credibility weight of every checkable claim.

    `claims` and `assessments` are those that the ledger was built from. Evidence from an address
    without a standing keeps its strength and has no credibility.
    """
    bound = {binding.claim_id: binding for binding in bind_claims(claims, assessments, scales)}
    by_id = {claim.id: claim for claim in claims}
    entries = (
        _weighed(entry, by_id[entry.claim_id], bound[entry.claim_id], scales)
        if entry.claim_id in bound
        else entry
        for entry in ledger.entries
    )
    return replace(ledger, entries=tuple(entries))


def _weighed(
    entry: LedgerEntry, claim: Claim, binding: SourceBinding, scales: Scales
) -> LedgerEntry:
    support = scales.support(binding)
    credible = [one.standing.reliability for one in support]
    wanted = words_of_weight(claim, scales.book)

    def weighed(item: WeighedEvidence) -> WeighedEvidence:
        standing = scales.standings.get(item.url)
        return replace(
            item,
            strength=round(share_held(wanted, item.quote, scales.book), 4),
            credibility=standing.reliability if standing else None,
            circular=standing is not None and standing.circular,
        )

    unverified = entry.verdict is Verdict.SUPPORTED and binding.tier is SupportTier.UNVERIFIED
    counted = [replace(one, standing=replace(one.standing, circular=False)) for one in support]
    return replace(
        entry,
        evidence=tuple(map(weighed, entry.evidence)),
        tier=_tier(binding.tier, support, scales.mode),
        confidence=binding.aggregated_confidence,
        credibility_weight=round(fmean(credible), 4) if credible else None,
        # The tier would be better if the circular sources counted.
        circular=unverified and support_tier(counted) is not SupportTier.UNVERIFIED,
    )


def _tier(tier: SupportTier, support: Sequence[Support], mode: ResearchMode | None) -> SupportTier:
    """`tier` in the words of the mode: one reliable source makes a claim emerging."""
    if mode is not ResearchMode.DISCOVERY:
        return tier
    if tier is not SupportTier.UNVERIFIED:
        return SupportTier.ESTABLISHED
    if any(one.standing.reliable and not one.standing.circular for one in support):
        return SupportTier.EMERGING
    return SupportTier.SPECULATIVE
