"""Claims bound to their sources."""

from __future__ import annotations

import pytest
from foureyes import SourceBinding, Stance, Verdict
from foureyes.datatypes import SourceState, SupportTier, VerificationStatus
from foureyes.sources.scoring.appraisal import appraise
from foureyes.sources.scoring.rules import load_scoring
from foureyes.verification.ledger.binding import Scales, bind_claims, verification_status
from foureyes.verification.ledger.confidence import source_credibility
from support.claim_kit import AS_OF, PAGE, check, registry, source, sources

SCORING = load_scoring()
SITE = "https://www.nist.gov/log"
TEXT = "The mean crossing took 45 minutes. The ferry made 200 calls at Norrvik in May."
DEAD = source("https://example.net/gone", SourceState.DEAD)


def bindings(draft: str, pages: dict[str, str]) -> tuple[SourceBinding, ...]:
    found = sources(pages, DEAD)
    report = check(draft, found)
    appraisal = appraise(found, SCORING, as_of=AS_OF)
    standings = source_credibility(found, appraisal, SCORING, frozenset())
    scales = Scales(standings, registry().lexicon.words, SCORING.rules.confidence, as_of=AS_OF)
    return bind_claims(report.claims, report.assessments, scales)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_every_verdict_has_its_state(verdict: Verdict) -> None:
    expected = {
        Verdict.SUPPORTED: VerificationStatus.VERIFIED,
        Verdict.PARTIALLY_SUPPORTED: VerificationStatus.PARTIALLY_VERIFIED,
        Verdict.NOT_CHECKABLE: None,
    }
    assert verification_status(verdict) is expected.get(verdict, VerificationStatus.UNVERIFIED)


def test_a_supported_claim_is_bound_to_every_source_best_authority_first() -> None:
    draft = f"The mean crossing took 45 minutes ({PAGE}) ({SITE}).\n"
    (binding,) = bindings(draft, {PAGE: TEXT, SITE: TEXT})
    assert binding.verification_status is VerificationStatus.VERIFIED
    assert [one.url for one in binding.sources] == [SITE, PAGE]
    for one in binding.sources:
        assert TEXT[one.start : one.end] == one.excerpt
        assert (one.stance, one.relevance_score) == (Stance.SUPPORTS, 1.0)
    assert binding.citation_text == f"{SITE}; {PAGE}"
    assert binding.supporting == binding.sources
    # The same words at two addresses are one source.
    assert binding.independent_sources == 1
    assert 0.9 < binding.aggregated_confidence <= 1


def test_a_contradicted_claim_shows_the_source_and_has_no_confidence() -> None:
    (binding,) = bindings(f"The mean crossing took 90 minutes ({PAGE}).\n", {PAGE: TEXT})
    assert binding.verification_status is VerificationStatus.UNVERIFIED
    assert [one.stance for one in binding.sources] == [Stance.CONTRADICTS]
    assert (binding.bound, binding.supporting, binding.citation_text) == (False, (), "")
    assert (binding.aggregated_confidence, binding.corroborated) == (0.0, False)
    assert binding.tier is SupportTier.UNVERIFIED


def test_what_nobody_can_check_is_not_bound_and_what_has_no_source_is_bound_to_none() -> None:
    draft = f"Buy two boats.\n\nThe crew numbers 34 people.\n\nIt has 9 masts ({DEAD.url}).\n"
    found = bindings(draft, {PAGE: TEXT})
    assert [binding.sources for binding in found] == [(), ()]
    assert not any(binding.bound for binding in found)
