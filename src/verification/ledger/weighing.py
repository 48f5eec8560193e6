"""Weight of the evidence in a ledger: strength, credibility, confidence and tier of each claim.

`Scales` contains the criteria, the same for all claims of an iteration.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import date
from statistics import fmean

from ...base.vocabulary import ResearchMode, SupportTier, Verdict
from ...claims.model import Claim
from ...claims.words import WordBook
from ...sources.scoring.rules import ConfidenceRules
from ..model import ClaimAssessment, Ledger, LedgerEntry, WeighedEvidence
from .binding import SourceBinding, bind_claims
from .confidence import Standing, Support, relevance, support_tier


@dataclass(frozen=True, slots=True)
class Scales:
    """The standing of every scored source by its address, and the rules of confidence.

    `as_of` is the day at which ages are measured; `mode` discovery gives its own tiers.
    """

    standings: Mapping[str, Standing]
    book: WordBook
    rules: ConfidenceRules
    _: KW_ONLY
    as_of: date
    mode: ResearchMode | None = None


def weigh_ledger(
    ledger: Ledger,
    claims: Sequence[Claim],
    assessments: Iterable[ClaimAssessment],
    scales: Scales,
) -> Ledger:
    """`ledger` with tier, confidence and credibility weight of every checkable claim.

    `claims` and `assessments` are those that the ledger was built from. Evidence from an address
    without a standing keeps its strength and has no credibility.
    """
    bindings = bind_claims(
        claims,
        assessments,
        scales.standings,
        scales.book,
        scales.rules,
        as_of=scales.as_of,
    )
    bound = {binding.claim_id: binding for binding in bindings}
    by_id = {claim.id: claim for claim in claims}
    return replace(
        ledger,
        entries=tuple(
            _weighed(entry, by_id[entry.claim_id], bound.get(entry.claim_id), scales)
            for entry in ledger.entries
        ),
    )


def _weighed(
    entry: LedgerEntry, claim: Claim, binding: SourceBinding | None, scales: Scales
) -> LedgerEntry:
    if binding is None:
        return entry
    standings = scales.standings
    support = [Support(standings[one.url], one.relevance_score) for one in binding.supporting]
    credible = [one.standing.reliability for one in support]
    # Comparing words is what takes time; one quote of each source has been compared already.
    strengths = {(one.url, one.start, one.end): one.relevance_score for one in binding.sources}
    return replace(
        entry,
        evidence=tuple(_item(item, claim, scales, strengths) for item in entry.evidence),
        tier=_tier(binding.tier, support, scales.mode),
        confidence=binding.aggregated_confidence,
        credibility_weight=round(fmean(credible), 4) if credible else None,
        circular=entry.verdict is Verdict.SUPPORTED and _only_circular(binding.tier, support),
    )


def _item(
    item: WeighedEvidence,
    claim: Claim,
    scales: Scales,
    strengths: Mapping[tuple[str, int, int], float],
) -> WeighedEvidence:
    standing = scales.standings.get(item.url)
    strength = strengths.get((item.url, item.start, item.end))
    if strength is None:
        strength = round(relevance(claim, item.quote, scales.book), 4)
    return replace(
        item,
        strength=strength,
        credibility=standing.reliability if standing else None,
        circular=standing is not None and standing.circular,
    )


def _only_circular(tier: SupportTier, support: Sequence[Support]) -> bool:
    """Whether the tier would be better if the circular sources counted."""
    if tier is not SupportTier.UNVERIFIED:
        return False
    counted = [replace(one, standing=replace(one.standing, circular=False)) for one in support]
    return support_tier(counted) is not SupportTier.UNVERIFIED


def _tier(tier: SupportTier, support: Sequence[Support], mode: ResearchMode | None) -> SupportTier:
    """`tier` in the words of the mode: one reliable source makes a claim emerging."""
    if mode is not ResearchMode.DISCOVERY:
        return tier
    if tier is not SupportTier.UNVERIFIED:
        return SupportTier.ESTABLISHED
    if any(one.standing.reliable and not one.standing.circular for one in support):
        return SupportTier.EMERGING
    return SupportTier.SPECULATIVE
