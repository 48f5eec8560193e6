"""A source to its score, tier and flags."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from .classify import classify
from .model import DomainTier, Part, ScoringInput, Site, SourceScore, Tier
from .parts import (
    authority_part,
    completeness_part,
    date_of,
    recency_part,
    relevance_part,
    topic_words,
)
from .rules import AuthorityClass, ScoringRegistry, ScoringRules, TierRules


def score_source(
    source: ScoringInput, registry: ScoringRegistry, *, as_of: date, topic: str = ""
) -> SourceScore:
    """The score of `source` at the day `as_of` for `topic`.

    The same arguments give the same score: nothing else is looked at. A score wins over what the
    domain lets expect, and the conflict is flagged.
    """
    rules = registry.rules
    site = classify(source, registry)
    parts = (
        authority_part(site, source, registry),
        recency_part(source, as_of, rules),
        completeness_part(source.features, rules),
        relevance_part(source, topic_words(topic, rules.relevance), rules),
    )
    dated = date_of(source, as_of, rules)
    return _conclude(source, site, parts, dated, registry)


def score_all(
    sources: Iterable[ScoringInput], registry: ScoringRegistry, *, as_of: date, topic: str = ""
) -> tuple[SourceScore, ...]:
    """The scores of `sources`, in their order."""
    return tuple(score_source(each, registry, as_of=as_of, topic=topic) for each in sources)


def tier_of(score: int, rules: TierRules) -> Tier:
    """The tier of a score from 0 to 100."""
    limits = ((rules.t1, Tier.T1), (rules.t2, Tier.T2), (rules.t3, Tier.T3), (rules.t4, Tier.T4))
    return next((tier for limit, tier in limits if score >= limit), Tier.T5)


def domain_tier_of(tier: Tier) -> DomainTier:
    """A tier in three steps."""
    if tier <= Tier.T2:
        return DomainTier.HIGH
    return DomainTier.MEDIUM if tier is Tier.T3 else DomainTier.LOW


def _conclude(
    source: ScoringInput,
    site: Site,
    parts: tuple[Part, Part, Part, Part],
    dated: date | None,
    registry: ScoringRegistry,
) -> SourceScore:
    rules, entry = registry.rules, registry.classes[site.name]
    points = sum(part.points for part in parts)
    cap = _cap(entry, unknown=site.unknown and dated is None, rules=rules)
    total = min(points, cap)
    tier = tier_of(total, rules.tiers)
    expected = None if site.name == "unknown" else Tier(entry.tier)
    # Of a page that was not read the score says too little to contradict the domain.
    conflict = _conflict(tier, expected, rules.conflict_distance) if source.features else ""
    return SourceScore(
        source.url,
        site,
        *parts,
        total,
        tier,
        entry.weight,
        read=source.features is not None,
        dated=dated,
        capped_from=points if points > cap else None,
        expected_tier=expected,
        conflict=conflict,
        notes=_notes(site, points, cap, conflict),
        review=_review(site, dated, conflict),
        domain_tier=DomainTier.UNKNOWN if site.unknown or dated is None else domain_tier_of(tier),
        reliable=total >= round(rules.reliable * 100),
        low_reliability=total < round(rules.low_reliability * 100),
        authoritative=_authoritative(entry, total, site, rules),
    )


def _cap(entry: AuthorityClass, *, unknown: bool, rules: ScoringRules) -> int:
    cap = 100 if entry.cap is None else entry.cap
    return min(cap, rules.unknown_undated_cap) if unknown else cap


def _authoritative(entry: AuthorityClass, total: int, site: Site, rules: ScoringRules) -> bool:
    needed = rules.authoritative
    given = site.name == "user_supplied"
    return not given and entry.weight >= needed.weight and total >= needed.score


def _conflict(tier: Tier, expected: Tier | None, distance: int) -> str:
    if expected is None or abs(tier - expected) < distance:
        return ""
    return f"the domain lets expect {expected.name}, the score says {tier.name}: the score holds"


def _notes(site: Site, points: int, cap: int, conflict: str) -> tuple[str, ...]:
    notes = [
        f"its content moved to {site.moved_to}: cite that" if site.moved_to else "",
        f"capped at {cap} from {points}" if points > cap else "",
        conflict,
    ]
    return tuple(note for note in notes if note)


def _review(site: Site, dated: date | None, conflict: str) -> tuple[str, ...]:
    reasons = [
        f"unknown domain: {site.why}" if site.unknown else "",
        "no date is known" if site.unknown and dated is None else "",
        f"it has the looks of {site.imitates}" if site.imitates else "",
        site.claim,
        conflict,
    ]
    return tuple(reason for reason in reasons if reason)
