"""Gap analysis: which claim or number of the gate is a gap, how much it matters, what follows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes import GateDecision, GateResult, Ledger, LedgerEntry, Location, Stance, Verdict
from foureyes.core.gaps import analyse_gaps, gap_of, to_queries
from foureyes.datatypes import (
    CitationState,
    EvidenceGap,
    FailCode,
    GapKind,
    GapPriority,
    GateLimit,
    GateMetrics,
    SupportTier,
    WeighedEvidence,
)
from foureyes.verification.policy import DeepeningPolicy
from pydantic import ValidationError
from support.claim_kit import claims_of, registry

HIGH, MEDIUM, LOW = GapPriority
METRICS = GateMetrics(0, 0, 0, 0, 0, 0, 0, 0, 0, None)
PASSED = GateResult(GateDecision.PASS, "document", "rate", "", "", METRICS)
TOO_FEW = replace(
    PASSED,
    decision=GateDecision.FAIL,
    rule="rate_below_review",
    fail_code=FailCode.VERIFICATION_INCONCLUSIVE,
)
RESEARCH = replace(TOO_FEW, profile="research/standard")
WRONG = replace(TOO_FEW, rule="open_contradiction", fail_code=FailCode.CONTRADICTION)
TEXT = "The Arnsund tidal power station cost 212 million euros.\n"


def entry(
    verdict: Verdict,
    *,
    cited: bool = True,
    main: bool = False,
    tier: SupportTier | None = None,
    claim_id: str = "",
) -> LedgerEntry:
    (claim,) = claims_of(TEXT)
    return LedgerEntry(
        claim_id or claim.id,
        claim.text,
        Location(3, 1, 0, 1),
        verdict,
        CitationState.DIRECT if cited else CitationState.NONE,
        "a reason",
        load_bearing=main,
        tier=tier,
    )


def gaps(gate: GateResult, *entries: LedgerEntry, text: str = TEXT) -> tuple[EvidenceGap, ...]:
    ledger = Ledger(1, entries)
    return analyse_gaps(ledger, claims_of(text), gate, registry(), topic="Arnsund").report.gaps


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (entry(Verdict.SUPPORTED), None),
        (entry(Verdict.SUPPORTED, tier=SupportTier.VERIFIED), None),
        (entry(Verdict.SUPPORTED, tier=SupportTier.UNVERIFIED), GapKind.UNCORROBORATED),
        (entry(Verdict.CONTRADICTED), None),
        (entry(Verdict.NOT_CHECKABLE), None),
        (entry(Verdict.DISPUTED), GapKind.DISPUTED),
        (entry(Verdict.SOURCE_UNAVAILABLE), GapKind.UNAVAILABLE),
        (entry(Verdict.UNVERIFIABLE), GapKind.UNSUPPORTED),
        (entry(Verdict.PARTIALLY_SUPPORTED), GapKind.UNSUPPORTED),
        (entry(Verdict.UNVERIFIABLE, cited=False), GapKind.UNSOURCED),
        (replace(entry(Verdict.UNVERIFIABLE), open_slot=True), None),
        (replace(entry(Verdict.SOURCE_UNAVAILABLE), unchecked=True), None),
    ],
)
def test_a_claim_is_a_gap_if_evidence_could_settle_it(
    line: LedgerEntry, kind: GapKind | None
) -> None:
    assert gap_of(line) is kind


UNSOURCED = entry(Verdict.UNVERIFIABLE, cited=False)
ALONE = entry(Verdict.SUPPORTED, tier=SupportTier.UNVERIFIED)


@pytest.mark.parametrize(
    ("gate", "line", "priority"),
    [
        (PASSED, UNSOURCED, MEDIUM),
        (PASSED, replace(UNSOURCED, load_bearing=True), HIGH),
        (TOO_FEW, UNSOURCED, HIGH),
        (TOO_FEW, replace(UNSOURCED, load_bearing=True), HIGH),
        (WRONG, UNSOURCED, MEDIUM),
        (PASSED, ALONE, LOW),
        (PASSED, replace(ALONE, load_bearing=True), MEDIUM),
        (TOO_FEW, replace(ALONE, load_bearing=True), MEDIUM),
        (RESEARCH, ALONE, MEDIUM),
        (RESEARCH, replace(ALONE, load_bearing=True), HIGH),
    ],
)
def test_a_gap_matters_by_the_claim_and_by_what_the_gate_failed_for(
    gate: GateResult, line: LedgerEntry, priority: GapPriority
) -> None:
    (gap,) = gaps(gate, line)
    assert (gap.priority, gap.line, gap.claim_id) == (priority, 3, line.claim_id)
    assert "Arnsund" in gap.suggested_search


@pytest.mark.parametrize(
    ("gate", "kinds"),
    [
        (replace(PASSED, metrics=replace(METRICS, read_attempts=4, read_failures=2)), []),
        (
            replace(PASSED, metrics=replace(METRICS, read_attempts=4, read_failures=3)),
            [(GapKind.READS, MEDIUM)],
        ),
        (
            replace(
                RESEARCH,
                rule="reader_pipeline",
                metrics=replace(METRICS, read_attempts=4, read_failures=4),
            ),
            [(GapKind.READS, HIGH)],
        ),
        (
            replace(RESEARCH, rule="sources", limits=(GateLimit("sources_min", 4, 5),)),
            [(GapKind.SOURCES, HIGH)],
        ),
        (replace(RESEARCH, limits=(GateLimit("sources_min", 5, 5),)), []),
        (
            replace(RESEARCH, rule="findings", limits=(GateLimit("findings_min", 3, 8),)),
            [(GapKind.FINDINGS, HIGH)],
        ),
        (
            replace(RESEARCH, limits=(GateLimit("reliable_ratio_min", None, 0.5),)),
            [(GapKind.RELIABLE_SOURCES, MEDIUM)],
        ),
        (replace(RESEARCH, limits=(GateLimit("reliable_ratio_min", 0.5, 0.5),)), []),
    ],
)
def test_the_gate_s_limits_and_the_reads_are_gaps_of_the_document(
    gate: GateResult, kinds: list[tuple[GapKind, GapPriority]]
) -> None:
    found = gaps(gate)
    assert [(gap.kind, gap.priority) for gap in found] == kinds
    assert all(gap.suggested_search == "Arnsund" and gap.claim_id is None for gap in found)


@pytest.mark.parametrize(
    "text",
    [
        "Our own survey found that 40 percent of visitors came by train.\n",
        "The station cost 212 million euros ([notes](notes.md)).\n",
        "The station cost 212 million euros ([notes](file:///home/notes.md)).\n",
    ],
)
def test_what_is_nobody_else_s_business_makes_no_query(text: str) -> None:
    (claim,) = claims_of(text)
    line = entry(Verdict.UNVERIFIABLE, claim_id=claim.id, main=True)
    short = replace(TOO_FEW, limits=(GateLimit("sources_min", 1, 5),))
    found = gaps(short, line, text=text)
    assert len(found) == 2
    assert all(gap.suggested_search == "" for gap in found)


def test_queries_keep_to_200_characters() -> None:
    names = ", ".join(f"Port {name * 6} Harbour" for name in ("Aba", "Bebe", "Coco", "Didi", "Eke"))
    text = f"{names} and others handled 4.1 million containers in 2024, 8 percent more.\n"
    (claim,) = claims_of(text)
    (gap,) = gaps(PASSED, entry(Verdict.UNVERIFIABLE, claim_id=claim.id), text=text)
    assert 0 < len(gap.suggested_search) <= 200


def test_the_gaps_that_matter_most_are_listed_and_the_rest_is_counted() -> None:
    policy = registry().deepening.model_copy(update={"listed_gaps": 2})
    rules = replace(registry(), deepening=policy)
    lines = (UNSOURCED, ALONE, replace(UNSOURCED, load_bearing=True))
    report = analyse_gaps(Ledger(1, lines), claims_of(TEXT), PASSED, rules).report
    assert ([gap.priority for gap in report.gaps], report.unlisted) == ([HIGH, MEDIUM], 1)


CLAIMS = claims_of(
    "The station cost 212 million euros.\n\nIts owner, Arnsund Energy, employs 40 people.\n"
)
FAILED = GateResult(
    GateDecision.FAIL,
    "document",
    "rate_below_review",
    "",
    "",
    GateMetrics(2, 2, 0, 0, 0, 0, 2, 0, 0, 0.0),
    FailCode.VERIFICATION_INCONCLUSIVE,
)
AGAINST = WeighedEvidence("https://a.example", "sha", "it cost 300", 0, 11, Stance.CONTRADICTS)


def line_of(number: int, verdict: Verdict = Verdict.UNVERIFIABLE) -> LedgerEntry:
    claim = CLAIMS[number]
    return LedgerEntry(
        claim.id, claim.text, Location(number + 1, 1, 0, 1), verdict, CitationState.NONE, "why"
    )


TWO_UNSOURCED = Ledger(3, (line_of(0), line_of(1)))


@pytest.mark.parametrize(
    ("decision", "carried", "last", "planned"),
    [
        (GateDecision.FAIL, 0, False, True),
        (GateDecision.FAIL, 1, False, True),
        (GateDecision.FAIL, 2, False, False),
        (GateDecision.FAIL, 0, True, False),
        (GateDecision.PENDING_REVIEW, 0, False, False),
        (GateDecision.PASS, 0, False, False),
    ],
)
def test_two_failed_iterations_carry_queries_and_all_others_offer_them(
    decision: GateDecision, carried: int, last: bool, planned: bool
) -> None:
    gate = replace(FAILED, decision=decision)
    found = analyse_gaps(TWO_UNSOURCED, CLAIMS, gate, registry(), carried=carried, last=last)
    queries = found.critique.suggested_queries
    assert len(queries) == 2
    if planned:
        assert found.plan is not None
        assert (found.plan.queries, found.report.improvement_queries) == (queries, ())
        assert {query.priority for query in queries} == {GapPriority.HIGH}
    else:
        assert (found.plan, found.report.improvement_queries) == (None, queries)
    assert (found.report.iteration, found.report.decision) == (3, decision)


def test_only_high_gaps_make_a_plan() -> None:
    gate = replace(FAILED, rule="open_contradiction", fail_code=FailCode.CONTRADICTION)
    found = analyse_gaps(TWO_UNSOURCED, CLAIMS, gate, registry())
    assert found.plan is None
    assert {gap.priority for gap in found.report.gaps} == {GapPriority.MEDIUM}


def test_queries_are_asked_once_and_are_not_too_many() -> None:
    def gap(query: str) -> EvidenceGap:
        return EvidenceGap(GapKind.SOURCES, GapPriority.HIGH, "why", query)

    two = registry().deepening.model_copy(update={"queries": 2})
    queries = to_queries(map(gap, ("a", "", "b", "a", "c")), two)
    assert [(query.query, query.reason) for query in queries] == [("a", "why"), ("b", "why")]
    none = two.model_copy(update={"queries": 0})
    assert to_queries([gap("a")], none) == ()


def test_the_critique_names_weak_claims_and_what_speaks_against_claims() -> None:
    first = replace(line_of(0, Verdict.SUPPORTED), evidence=(AGAINST,), contradicts=(CLAIMS[1].id,))
    lines = (first, replace(line_of(1), contradicts=(CLAIMS[0].id,)))
    critique = analyse_gaps(Ledger(1, lines), CLAIMS, FAILED, registry()).critique
    (weak,) = critique.under_sourced_claims
    assert (weak.claim_id, weak.line, weak.reason) == (CLAIMS[1].id, 2, "unsourced: why")
    told = [(one.against, one.url, one.reason) for one in critique.contradictions]
    found = {("it cost 300", "https://a.example"), (CLAIMS[1].text, "")}
    assert {(against, url) for against, url, _ in told} == found
    # Two claims against each other are told of once.
    assert len(told) == 2


def test_the_critique_keeps_to_its_length_and_says_what_it_left_out() -> None:
    policy = registry().deepening.model_copy(update={"listed_claims": 1})
    rules = replace(registry(), deepening=policy)
    wrong = replace(line_of(0, Verdict.CONTRADICTED), evidence=(AGAINST, AGAINST))
    found = analyse_gaps(TWO_UNSOURCED, CLAIMS, FAILED, rules).critique
    assert (len(found.under_sourced_claims), found.unlisted) == (1, 1)
    found = analyse_gaps(Ledger(1, (wrong,)), CLAIMS, FAILED, rules).critique
    assert (len(found.contradictions), found.unlisted) == (1, 1)


def test_a_sound_document_has_nothing_to_criticise() -> None:
    sound = Ledger(1, (line_of(0, Verdict.SUPPORTED),))
    assert analyse_gaps(sound, CLAIMS, FAILED, registry()).critique.empty


def test_every_kind_of_claim_gap_has_a_priority() -> None:
    values = registry().deepening.model_dump()
    del values["priorities"][GapKind.DISPUTED]
    with pytest.raises(ValidationError, match="priorities must have exactly disputed"):
        DeepeningPolicy.model_validate(values)
