"""From evidence to the gate, through the functions of a run: what may never matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeVar

from foureyes import Claim, GateDecision, GateResult, Ledger, Stance, Verdict
from foureyes.datatypes import (
    CitationState,
    ClaimAssessment,
    Evidence,
    ResearchMode,
    SourceState,
    SupportTier,
)
from foureyes.sources.scoring.rules import load_scoring
from foureyes.verification.gate.decision import decide_gate, read_statistics
from foureyes.verification.ledger.binding import Scales, weigh_ledger
from foureyes.verification.ledger.building import build_ledger
from foureyes.verification.ledger.confidence import SourceCredibility
from hypothesis import given
from hypothesis import strategies as st
from support.claim_kit import AS_OF, claims_of, registry, source

CLAIMS = claims_of(
    "The bridge has 5 towers. The port handled 812 ships in 2024. Ida Marek built the pier of "
    "Norrvik. The ferry has been faster than the train since 2019. The tunnel is 4 km long."
)
RULES = load_scoring().rules.confidence
BOOK = registry().lexicon.words
RANK = {GateDecision.FAIL: 0, GateDecision.PENDING_REVIEW: 1, GateDecision.PASS: 2}
TIERS = (SupportTier.UNVERIFIED, SupportTier.VERIFIED, SupportTier.AUTHORITATIVE)
STANCES = tuple(Stance)
VERDICTS = (Verdict.SUPPORTED, Verdict.UNVERIFIABLE, Verdict.PARTIALLY_SUPPORTED)

T = TypeVar("T")
Quoted = tuple[int, int, Stance]
"""The number of a source, of a quote in it, and what the quote does to the claim."""


@dataclass(frozen=True)
class World:
    """Sources as they stand, what each claim was given, and which of them could be read."""

    standings: tuple[SourceCredibility, ...]
    read: tuple[bool, ...]
    verdicts: tuple[Verdict, ...]
    evidence: tuple[tuple[Quoted, ...], ...]

    def weighed(self, random: Random | None = None) -> Ledger:
        """The ledger, with everything in another order if `random` is given."""
        assessments = [
            ClaimAssessment(
                claim.id,
                verdict,
                CitationState.DIRECT,
                "so",
                evidence=tuple(_quoted(claim, one) for one in mixed(quotes, random)),
            )
            for claim, verdict, quotes in zip(CLAIMS, self.verdicts, self.evidence, strict=True)
        ]
        known = {one.url: one for one in mixed(self.standings, random)}
        claims = mixed(CLAIMS, random)
        scales = Scales(known, BOOK, RULES, as_of=AS_OF)
        ledger = build_ledger(claims, mixed(assessments, random))
        return weigh_ledger(ledger, claims, assessments, scales)

    def decided(self, mode: ResearchMode | None, random: Random | None = None) -> GateResult:
        """What the gate makes of it."""
        states = (SourceState.OK if read else SourceState.DEAD for read in self.read)
        sources = [source(one.url, s) for one, s in zip(self.standings, states, strict=True)]
        known = {one.url: one for one in self.standings}
        reads = read_statistics(mixed(sources, random), known)
        return decide_gate(self.weighed(random), registry().gate, reads=reads, mode=mode)


def mixed(items: Sequence[T], random: Random | None) -> list[T]:
    return list(items) if random is None else random.sample(list(items), len(items))


def _quoted(claim: Claim, quoted: Quoted) -> Evidence:
    number, part, stance = quoted
    words = claim.text.split()
    quote = " ".join(words[: len(words) - 2 * part])
    return Evidence(f"https://s{number}.example", f"sha {number}", quote, 0, len(quote), stance)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    count = draw(st.integers(1, 6))
    standings: list[SourceCredibility] = []
    for number in range(count):
        best = draw(st.booleans())
        standings.append(
            SourceCredibility(
                f"https://s{number}.example",
                "A page",
                "news",
                draw(st.sampled_from((0.3, 0.5, 0.95))),
                4,
                draw(st.integers(0, 3)),
                reliable=best or draw(st.booleans()),
                authoritative=best,
                circular=draw(st.booleans()),
                reliability=draw(st.sampled_from((0.2, 0.7))),
            )
        )
    # A source that could not be read has no quote.
    read = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    readable = [number for number, was_read in enumerate(read) if was_read]
    some = st.tuples(st.sampled_from(readable or [0]), st.integers(0, 2), st.sampled_from(STANCES))
    quotes = st.lists(some, max_size=4 if readable else 0)
    return World(
        tuple(standings),
        tuple(read),
        tuple(draw(st.sampled_from(VERDICTS)) for _ in CLAIMS),
        tuple(tuple(draw(quotes)) for _ in CLAIMS),
    )


MODES = st.sampled_from([None, *ResearchMode])


@given(worlds(), MODES, st.integers(0, 99))
def test_the_order_of_claims_quotes_and_sources_never_matters(
    world: World, mode: ResearchMode | None, seed: int
) -> None:
    plain = {one.claim_id: one for one in world.weighed().entries}
    for one in world.weighed(Random(seed)).entries:
        other = plain[one.claim_id]
        assert (one.tier, one.confidence) == (other.tier, other.confidence)
        assert (one.credibility_weight, one.circular) == (other.credibility_weight, other.circular)
    assert world.decided(mode, Random(seed)) == world.decided(mode)


@given(worlds(), st.integers(0, 5))
def test_a_source_less_never_raises_the_confidence_or_the_tier_of_a_claim(
    world: World, gone: int
) -> None:
    left = tuple(tuple(q for q in quotes if q[0] != gone) for quotes in world.evidence)
    fewer = replace(world, evidence=left).weighed()
    for one, other in zip(world.weighed().entries, fewer.entries, strict=True):
        assert (other.confidence or 0) <= (one.confidence or 0)
        assert TIERS.index(other.tier or TIERS[0]) <= TIERS.index(one.tier or TIERS[0])


@given(worlds(), MODES, st.integers(0, len(CLAIMS) - 1), st.booleans())
def test_another_good_source_for_a_claim_never_lowers_the_decision(
    world: World, mode: ResearchMode | None, claim: int, best: bool
) -> None:
    number = len(world.standings)
    url = f"https://s{number}.example"
    fresh = SourceCredibility(
        url, "A page", "news", 0.95, 1, 9, reliable=True, authoritative=best, reliability=0.9
    )
    quotes, verdicts = list(world.evidence), list(world.verdicts)
    quotes[claim] = (*quotes[claim], (number, 0, Stance.SUPPORTS))
    verdicts[claim] = Verdict.SUPPORTED
    more = World((*world.standings, fresh), (*world.read, True), tuple(verdicts), tuple(quotes))
    before, after = world.decided(mode), more.decided(mode)
    assert RANK[after.decision] >= RANK[before.decision]
