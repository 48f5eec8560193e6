"""Every claim has one line in the ledger."""

from __future__ import annotations

from foureyes import Claim, Stance, Verdict
from foureyes.datatypes import Checker, CitationState, ClaimAssessment, Evidence
from foureyes.verification.assessing import issues
from foureyes.verification.ledger.building import (
    build_ledger,
)
from hypothesis import given
from hypothesis import strategies as st
from support.claim_kit import claims_of, registry

CLAIMS = claims_of("It has 5 towers.\n\n# Detail\n\nIt has 7 gates. It has 9 walls.")
EVIDENCE = Evidence("https://a.example", "sha", "5 towers", 0, 8, Stance.SUPPORTS)


def assessment(claim: Claim, verdict: Verdict, *, unchecked: bool = False) -> ClaimAssessment:
    finding = issues.unsourced(claim, registry().severity)
    return ClaimAssessment(
        claim.id,
        verdict,
        CitationState.INHERITED,
        "so it is",
        unchecked=unchecked,
        evidence=(EVIDENCE,),
        findings=(finding,),
    )


def test_a_line_holds_the_claim_and_its_answer() -> None:
    answer = assessment(CLAIMS[0], Verdict.SUPPORTED, unchecked=True)
    (line,) = build_ledger(CLAIMS[:1], [answer], iteration=3).entries
    assert (line.claim_id, line.text, line.location) == (
        CLAIMS[0].id,
        "It has 5 towers.",
        CLAIMS[0].location,
    )
    assert (line.verdict, line.citation_state, line.reason) == (
        Verdict.SUPPORTED,
        CitationState.INHERITED,
        "so it is",
    )
    (item,) = line.evidence
    assert (item.url, item.sha256, item.quote) == ("https://a.example", "sha", "5 towers")
    assert (item.start, item.end, item.stance) == (0, 8, Stance.SUPPORTS)
    assert line.finding_ids == (answer.findings[0].id,)
    assert (line.load_bearing, line.unchecked, line.open_slot) == (True, True, False)
    assert line.checked_by == (Checker.ENGINE,)


def test_a_claim_without_an_answer_is_an_open_slot() -> None:
    (line,) = build_ledger(CLAIMS[:1], []).entries
    assert (line.open_slot, line.verdict) == (True, Verdict.UNVERIFIABLE)
    assert line.citation_state is CitationState.NONE
    assert (line.checked_by, line.load_bearing) == ((), True)


def test_a_slot_that_a_checker_left_open_stays_open() -> None:
    answers = [assessment(claim, Verdict.SUPPORTED) for claim in CLAIMS]
    lines = build_ledger(CLAIMS, answers, open_slots={CLAIMS[1].id}).entries
    assert [line.open_slot for line in lines] == [False, True, False]


def test_the_ledger_says_who_answered() -> None:
    answers = [assessment(claim, Verdict.SUPPORTED) for claim in CLAIMS[:2]]
    both = (Checker.ENGINE, Checker.FACT_CHECKER)
    lines = build_ledger(CLAIMS[:2], answers, checked_by={CLAIMS[1].id: both}).entries
    assert [line.checked_by for line in lines] == [(Checker.ENGINE,), both]


def test_only_a_contradiction_is_an_open_contradiction() -> None:
    for verdict in Verdict:
        (line,) = build_ledger(CLAIMS[:1], [assessment(CLAIMS[0], verdict)]).entries
        assert line.open_contradiction is (verdict is Verdict.CONTRADICTED)


@given(st.permutations(range(3)), st.sets(st.integers(0, 2)))
def test_the_lines_follow_the_document_whatever_the_order_of_answers(
    order: list[int], answered: set[int]
) -> None:
    answers = [assessment(CLAIMS[i], Verdict.SUPPORTED) for i in order if i in answered]
    ledger = build_ledger(CLAIMS, answers)
    assert ledger.iteration == 1
    assert [line.claim_id for line in ledger.entries] == [claim.id for claim in CLAIMS]
    assert [line.open_slot for line in ledger.entries] == [i not in answered for i in range(3)]


def test_an_answer_that_was_not_taken_for_its_quote_is_told() -> None:
    answers = [assessment(claim, Verdict.UNVERIFIABLE) for claim in CLAIMS]
    lines = build_ledger(CLAIMS, answers, misquoted={CLAIMS[1].id}).entries
    assert [line.misquoted for line in lines] == [False, True, False]
