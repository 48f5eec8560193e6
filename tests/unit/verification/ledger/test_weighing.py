"""Tier, confidence and credibility of the claims of a ledger."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes import LedgerEntry, Stance, Verdict
from foureyes.datatypes import (
    CitationState,
    ClaimAssessment,
    Evidence,
    ResearchMode,
    SourceState,
    SupportTier,
)
from foureyes.sources.scoring.rules import load_scoring
from foureyes.verification.gate.decision import ReadStatistics, read_statistics
from foureyes.verification.ledger.binding import Scales, weigh_ledger
from foureyes.verification.ledger.building import build_ledger
from foureyes.verification.ledger.confidence import SourceCredibility
from support.claim_kit import AS_OF, claims_of, registry, source

(CLAIM,) = claims_of("The bridge has 5 towers.")
RULES = load_scoring().rules.confidence
BOOK = registry().lexicon.words
DISCOVERY = ResearchMode.DISCOVERY
T = SupportTier


def standing(
    url: str, cluster: int, *, reliable: bool = True, best: bool = False, circular: bool = False
) -> SourceCredibility:
    return SourceCredibility(
        url,
        url,
        "news",
        0.8,
        4,
        cluster,
        reliable=reliable,
        authoritative=best,
        circular=circular,
        reliability=0.7 if reliable else 0.2,
    )


def weighed(
    *standings: SourceCredibility,
    mode: ResearchMode | None = None,
    verdict: Verdict = Verdict.SUPPORTED,
) -> LedgerEntry:
    """The line of a claim with a quote from each source."""
    quote = "The bridge has 5 towers"
    evidence = tuple(
        Evidence(one.url, "sha", quote, 0, len(quote), Stance.SUPPORTS) for one in standings
    )
    answer = ClaimAssessment(CLAIM.id, verdict, CitationState.DIRECT, "so", evidence=evidence)
    known = {one.url: one for one in standings}
    scales = Scales(known, BOOK, RULES, as_of=AS_OF, mode=mode)
    (line,) = weigh_ledger(build_ledger([CLAIM], [answer]), [CLAIM], [answer], scales).entries
    return line


GOOD, OTHER = standing("https://a.example", 0), standing("https://b.example", 1)
WEAK = standing("https://c.example", 2, reliable=False)
BEST = standing("https://d.example", 3, best=True)
TIERS = [
    ((), T.UNVERIFIED, T.SPECULATIVE),
    ((WEAK,), T.UNVERIFIED, T.SPECULATIVE),
    ((GOOD,), T.UNVERIFIED, T.EMERGING),
    ((GOOD, OTHER), T.VERIFIED, T.ESTABLISHED),
    ((BEST,), T.AUTHORITATIVE, T.ESTABLISHED),
    ((replace(GOOD, circular=True),), T.UNVERIFIED, T.SPECULATIVE),
]


@pytest.mark.parametrize(("standings", "tier", "in_discovery"), TIERS)
def test_the_tier_is_in_the_words_of_the_mode(
    standings: tuple[SourceCredibility, ...], tier: SupportTier, in_discovery: SupportTier
) -> None:
    line, other = weighed(*standings), weighed(*standings, mode=DISCOVERY)
    assert (line.tier, other.tier) == (tier, in_discovery)
    corroborated = tier is not T.UNVERIFIED
    assert (line.corroborated, other.corroborated) == (corroborated, corroborated)


def test_each_piece_of_evidence_says_what_it_is_worth() -> None:
    line = weighed(GOOD, WEAK)
    assert [(item.strength, item.credibility) for item in line.evidence] == [(1, 0.7), (1, 0.2)]
    assert line.credibility_weight == 0.45
    assert line.confidence is not None
    assert 0 < line.confidence <= 1
    assert line.of_stance(Stance.SUPPORTS) == line.evidence
    assert line.of_stance(Stance.CONTRADICTS) == line.of_stance(Stance.NEUTRAL) == ()


def test_a_claim_without_support_has_no_credibility() -> None:
    line = weighed(GOOD, OTHER, verdict=Verdict.CONTRADICTED)
    assert (line.tier, line.confidence, line.credibility_weight) == (T.UNVERIFIED, 0.0, None)
    assert weighed(GOOD, verdict=Verdict.NOT_CHECKABLE).tier is None


def test_a_claim_that_only_circular_sources_keep_back_says_so() -> None:
    own = replace(OTHER, circular=True)
    assert weighed(GOOD, own).circular
    assert [item.circular for item in weighed(GOOD, own).evidence] == [False, True]
    assert not weighed(GOOD, WEAK).circular
    assert not weighed(GOOD, own, BEST).circular


def test_reads_count_addresses_and_independent_sources() -> None:
    states = {"a": SourceState.OK, "b": SourceState.MOVED, "c": SourceState.DEAD}
    states |= {"d": SourceState.NOT_FETCHED, "e": SourceState.REFUSED_BY_POLICY}
    found = [source(url, state) for url, state in states.items()]
    plain = ReadStatistics(3, 2, 5, 2, None, None)
    assert read_statistics(found) == plain
    known = {"a": standing("a", 0, best=True), "b": standing("b", 0), "c": standing("c", 1)}
    scored = ReadStatistics(3, 2, 4, 1, 1, 1)
    assert read_statistics(found, known) == read_statistics(found[::-1], known) == scored
