"""The gate's profile `research` (decision 37): every limit on both sides, in every mode."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest
from foureyes import GateDecision, GateResult, Ledger, LedgerEntry, Location, Stance, Verdict
from foureyes.datatypes import CitationState, FailCode, ResearchMode, SupportTier, WeighedEvidence
from foureyes.verification.gate.decision import (
    ReadStatistics,
    decide_gate,
    findings_needed,
    gate_metrics,
)
from hypothesis import given
from hypothesis import strategies as st
from support.claim_kit import registry

POLICY = registry().gate
STANDARD, FRONTIER, DISCOVERY = ResearchMode
RANK = {GateDecision.FAIL: 0, GateDecision.PENDING_REVIEW: 1, GateDecision.PASS: 2}
PLACE = Location(1, 1, 0, 1)
LIMITS = {STANDARD: (8, 5, 0.3, 0.5, 0.4), FRONTIER: (5, 3, 0.2, 0.4, 0.3)}
"""Findings, sources, and the rates to fail below, to pass from and to leave to a person from."""


def quote(number: int) -> WeighedEvidence:
    text = f"quote {number}"
    return WeighedEvidence("https://a.example", "sha", text, 0, 1, Stance.SUPPORTS)


def entry(number: int, *, verified: bool = False, quotes: tuple[int, ...] = ()) -> LedgerEntry:
    return LedgerEntry(
        f"c-{number}",
        "",
        PLACE,
        Verdict.SUPPORTED if verified else Verdict.UNVERIFIABLE,
        CitationState.DIRECT,
        "",
        tier=SupportTier.VERIFIED if verified else SupportTier.UNVERIFIED,
        evidence=tuple(map(quote, quotes)),
    )


def ledger(verified: int, of: int, findings: int | None = None) -> Ledger:
    """`of` claims, `verified` of them verified, with so many findings (by default enough)."""
    quotes = tuple(range(8 if findings is None else findings))
    first = entry(0, verified=verified > 0, quotes=quotes)
    rest = (entry(number, verified=number < verified) for number in range(1, of))
    return Ledger(1, (first, *rest))


def reads(read: int, reliable: int, *, failed: int = 0, authoritative: int = 0) -> ReadStatistics:
    return ReadStatistics(read + failed, read, read + failed, read, reliable, authoritative)


GOOD = reads(10, 10)


def decide(
    lines: Ledger, mode: ResearchMode, found: ReadStatistics = GOOD, *, language: str = "en"
) -> GateResult:
    return decide_gate(lines, POLICY, reads=found, mode=mode, language=language)


def expected(verified: int, of: int, mode: ResearchMode) -> tuple[str, str]:
    """Decision 37, written down once more."""
    _, _, fail_rate, soft_rate, review_rate = LIMITS[mode]
    rate = verified / of
    if rate < fail_rate or verified < min(3, of):
        return "fail", "too_few_verified"
    if verified >= min(5, of):
        return "pass", "verified_count"
    if verified >= 3 and rate >= soft_rate:
        return "pass", "verified_rate"
    if rate >= review_rate:
        return "pending_review", "rate_below_pass"
    return "fail", "rate_below_review"


@pytest.mark.parametrize("mode", [STANDARD, FRONTIER])
@pytest.mark.parametrize("of", range(1, 31))
def test_every_count_of_verified_claims_is_decided_by_the_table(
    mode: ResearchMode, of: int
) -> None:
    for verified in range(of + 1):
        result = decide(ledger(verified, of), mode)
        assert (result.decision, result.rule) == expected(verified, of, mode), (verified, of)
        code = FailCode.VERIFICATION_INCONCLUSIVE if result.decision == "fail" else None
        assert (result.fail_code, result.profile) == (code, f"research/{mode}")
        step = -1 if result.decision == "pass" else 1
        changed = verified + step * int(result.would_change.split()[0])
        assert expected(changed, of, mode)[0] != result.decision
        assert expected(changed - step, of, mode)[0] == result.decision


BOUNDS = [
    (STANDARD, 8, 5),
    (FRONTIER, 5, 3),
    (DISCOVERY, 8, 5),
]


@pytest.mark.parametrize(("mode", "findings", "sources"), BOUNDS)
def test_findings_and_sources_are_counted_to_the_limit(
    mode: ResearchMode, findings: int, sources: int
) -> None:
    for few, read in product((-1, 0, 1), (-1, 0, 1)):
        lines = ledger(12, 20, findings + few)
        found = replace(reads(sources + read, sources + read), available=sources + 2)
        result = decide(lines, mode, found)
        if few < 0:
            assert (result.rule, result.fail_code) == ("findings", FailCode.INSUFFICIENT_EVIDENCE)
            assert result.would_change.startswith("1 more finding,")
        elif read < 0:
            assert (result.rule, result.fail_code) == ("sources", FailCode.INSUFFICIENT_EVIDENCE)
            assert result.would_change.startswith("1 more independent source ")
        else:
            assert result.decision is GateDecision.PASS


@pytest.mark.parametrize("mode", ResearchMode)
@pytest.mark.parametrize("read", range(5, 14))
def test_half_of_the_sources_must_be_reliable(mode: ResearchMode, read: int) -> None:
    for reliable in range(read + 1):
        result = decide(ledger(12, 20), mode, reads(read, reliable))
        if 2 * reliable >= read:
            assert result.decision is GateDecision.PASS
            continue
        assert (result.rule, result.fail_code) == ("reliable_ratio", FailCode.SOURCE_DIVERSITY)
        more = int(result.would_change.split()[0])
        for added, passes in ((more - 1, False), (more, True)):
            after = decide(ledger(12, 20), mode, reads(read + added, reliable + added))
            assert (after.decision is GateDecision.PASS) is passes


def test_an_authoritative_source_counts_twice_on_the_frontier_alone() -> None:
    two, ratio = reads(2, 1, failed=3, authoritative=1), reads(6, 2, authoritative=2)
    assert decide(ledger(5, 10), FRONTIER, two).decision is GateDecision.PASS
    assert decide(ledger(5, 10), FRONTIER, ratio).decision is GateDecision.PASS
    for mode in (STANDARD, DISCOVERY):
        assert decide(ledger(5, 10), mode, two).rule == "sources"
        assert decide(ledger(5, 10), mode, ratio).rule == "reliable_ratio"


def test_discovery_asks_for_no_verified_claim() -> None:
    result = decide(ledger(0, 20), DISCOVERY)
    assert (result.decision, result.rule) == (GateDecision.PASS, "evidence")
    assert result.would_change.startswith("1 fewer finding, 6 fewer sources")


def test_sources_that_all_fail_are_a_failure_of_reading() -> None:
    result = decide(ledger(0, 3, 0), STANDARD, reads(0, 0, failed=1))
    assert (result.rule, result.fail_code) == ("reader_pipeline", FailCode.READER_PIPELINE)
    assert decide(ledger(0, 3, 1), STANDARD, reads(0, 0, failed=1)).rule != "reader_pipeline"
    assert decide(ledger(0, 3, 0), STANDARD, ReadStatistics()).rule == "findings"


@pytest.mark.parametrize(
    ("lines", "found", "rule"),
    [
        (ledger(2, 2, 2), reads(1, 1), "verified_count"),
        (ledger(1, 1, 1), reads(1, 1), "verified_count"),
        (ledger(1, 2, 2), reads(1, 1), "findings"),
        (ledger(2, 2, 2), ReadStatistics(2, 2, 2, 2), "reliable_ratio"),
        (Ledger(1, ()), GOOD, "nothing_to_check"),
    ],
)
def test_a_document_needs_no_more_than_it_has(
    lines: Ledger, found: ReadStatistics, rule: str
) -> None:
    every = Ledger(1, tuple(replace(e, evidence=e.evidence or (quote(0),)) for e in lines.entries))
    given = lines if rule == "findings" else every
    assert decide(given, STANDARD, found).rule == rule


CAUSES = [
    (replace(entry(9), verdict=Verdict.SUPPORTED, circular=True), FailCode.CIRCULARITY),
    (replace(entry(9), verdict=Verdict.SOURCE_UNAVAILABLE, unchecked=True), FailCode.COVERAGE),
    (entry(9), FailCode.VERIFICATION_INCONCLUSIVE),
]


@pytest.mark.parametrize(("line", "code"), CAUSES)
def test_the_code_names_what_made_the_difference(line: LedgerEntry, code: FailCode) -> None:
    lines = ledger(2, 3)
    result = decide(replace(lines, entries=(*lines.entries[:2], line)), STANDARD)
    assert (result.rule, result.fail_code) == ("too_few_verified", code)


FIRST = [
    (replace(entry(9), open_slot=True), "open_slot", FailCode.OPEN_SLOT),
    (replace(entry(9), open_slot=True, misquoted=True), "open_slot", FailCode.QUOTE),
    (replace(entry(9), open_contradiction=True), "open_contradiction", FailCode.CONTRADICTION),
]


@pytest.mark.parametrize(("line", "rule", "code"), FIRST)
@pytest.mark.parametrize("mode", [None, *ResearchMode])
def test_nothing_may_be_open_in_any_profile(
    line: LedgerEntry, rule: str, code: FailCode, mode: ResearchMode | None
) -> None:
    lines = ledger(12, 12)
    lines = replace(lines, entries=(*lines.entries, line))
    result = decide_gate(lines, POLICY, reads=GOOD, mode=mode)
    assert (result.decision, result.rule, result.fail_code) == ("fail", rule, code)


@pytest.mark.parametrize("mode", ResearchMode)
def test_what_was_not_compared_in_full_is_for_a_person(mode: ResearchMode) -> None:
    assert decide(ledger(12, 12), mode, language="fi").rule == "language"
    unread = replace(entry(99), verdict=Verdict.SOURCE_UNAVAILABLE, unchecked=True)
    lines = ledger(12, 12)
    result = decide(replace(lines, entries=(*lines.entries, unread)), mode)
    assert (result.decision, result.rule) == (GateDecision.PENDING_REVIEW, "unchecked")


ADAPTIVE = [
    # Successes, failures, findings needed: below half max(3, ceil(8 x share)).
    (0, 1, 3), (0, 10, 3), (1, 2, 3), (2, 4, 3), (3, 7, 3), (3, 5, 3), (4, 6, 4), (4, 5, 4),
    (49, 51, 4), (49, 50, 4), (8, 0, 8), (0, 0, 8),
    # From half on one more for each further read, so that no success costs a pass.
    (1, 1, 4), (5, 5, 5), (6, 5, 6), (8, 5, 8), (9, 5, 8), (50, 50, 5), (5, 1, 8),
]  # fmt: skip


@pytest.mark.parametrize(("successes", "failures", "needed"), ADAPTIVE)
def test_few_reads_that_succeed_lower_what_is_needed(
    successes: int, failures: int, needed: int
) -> None:
    found = gate_metrics(Ledger(1, ()), reads(successes, 0, failed=failures))
    assert findings_needed(8, POLICY.research.adaptive, found) == needed
    assert findings_needed(5, POLICY.research.adaptive, found) == min(5, needed)


def test_the_result_names_the_limits_in_force_and_what_was_held_against_them() -> None:
    result = decide(ledger(5, 10), STANDARD, reads(4, 3))
    seen = {limit.name: (limit.seen, limit.limit) for limit in result.limits}
    assert seen["findings_min"] == (8, 8)
    assert seen["sources_min"] == (4, 4)
    assert seen["reliable_ratio_min"] == (0.75, 0.5)
    assert (seen["pass_count"], seen["soft_rate"]) == ((5, 5), (0.5, 0.5))
    metrics = result.metrics
    assert (metrics.findings_count, metrics.unique_source_count) == (8, 4)
    assert (metrics.verified_claim_count, metrics.claim_support_rate) == (5, 0.5)
    assert metrics.high_reliability_source_ratio == 0.75
    assert (metrics.read_attempts, metrics.read_successes, metrics.read_failures) == (4, 4, 0)


CLAIMS = st.lists(
    st.tuples(st.booleans(), st.lists(st.integers(0, 12), max_size=2)), min_size=1, max_size=12
)
MODES = st.sampled_from([None, *ResearchMode])


@st.composite
def read_runs(draw: st.DrawFn) -> ReadStatistics:
    read = draw(st.integers(0, 12))
    reliable = draw(st.integers(0, read))
    best = draw(st.integers(0, reliable))
    return reads(read, reliable, failed=draw(st.integers(0, 12)), authoritative=best)


def made(claims: list[tuple[bool, list[int]]]) -> Ledger:
    lines = (
        entry(i, verified=verified and bool(quotes), quotes=tuple(quotes))
        for i, (verified, quotes) in enumerate(claims)
    )
    return Ledger(1, tuple(lines))


@given(CLAIMS, read_runs(), MODES, st.integers(0, 20), st.booleans(), st.booleans())
def test_more_good_evidence_never_turns_a_pass_into_a_failure(
    claims: list[tuple[bool, list[int]]],
    found: ReadStatistics,
    mode: ResearchMode | None,
    new_quote: int,
    reads_more: bool,
    best: bool,
) -> None:
    before = decide_gate(made(claims), POLICY, reads=found, mode=mode)
    more = found
    if reads_more:
        more = replace(
            found,
            attempts=found.attempts + 1,
            successes=found.successes + 1,
            available=found.available + 1,
            independent=found.independent + 1,
            reliable=(found.reliable or 0) + 1,
            authoritative=(found.authoritative or 0) + best,
        )
        new_quote = 99
    after = decide_gate(made([*claims, (True, [new_quote])]), POLICY, reads=more, mode=mode)
    assert RANK[after.decision] >= RANK[before.decision]
    lifted = [(True, [*claims[0][1], new_quote]), *claims[1:]]
    after = decide_gate(made(lifted), POLICY, reads=more, mode=mode)
    assert RANK[after.decision] >= RANK[before.decision]


@given(CLAIMS, read_runs(), MODES, st.randoms())
def test_the_order_of_claims_changes_nothing(
    claims: list[tuple[bool, list[int]]],
    found: ReadStatistics,
    mode: ResearchMode | None,
    random: Random,
) -> None:
    lines = made(claims)
    mixed = list(lines.entries)
    random.shuffle(mixed)
    one = decide_gate(lines, POLICY, reads=found, mode=mode)
    assert one == decide_gate(Ledger(1, tuple(mixed)), POLICY, reads=found, mode=mode)
