"""The gate's decision (decisions 36 and 37)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes import GateDecision, Ledger, LedgerEntry, Location, RegistryError, Verdict
from foureyes.base.registry import validate
from foureyes.datatypes import CitationState, RegistryModel
from foureyes.verification.gate.decision import decide_gate, gate_metrics
from foureyes.verification.policy import DocumentProfile, ResearchProfile, VerifiedLimits
from hypothesis import given
from hypothesis import strategies as st
from support.claim_kit import registry

POLICY = registry().gate
ADAPTIVE = {"below": 0.5, "of_findings": 8, "floor": 3}
DIRECT, NONE = CitationState.DIRECT, CitationState.NONE


def entry(verdict: Verdict, citation: CitationState = DIRECT) -> LedgerEntry:
    contradicted = verdict is Verdict.CONTRADICTED
    place = Location(1, 1, 0, 1)
    return LedgerEntry("c", "", place, verdict, citation, "", open_contradiction=contradicted)


KEYS = {
    "+": entry(Verdict.SUPPORTED),
    "-": entry(Verdict.CONTRADICTED),
    "?": entry(Verdict.UNVERIFIABLE),
    "~": entry(Verdict.PARTIALLY_SUPPORTED),
    "!": entry(Verdict.DISPUTED),
    "0": entry(Verdict.SOURCE_UNAVAILABLE),
    "u": entry(Verdict.UNVERIFIABLE, NONE),
    "f": entry(Verdict.SUPPORTED, NONE),
    "n": entry(Verdict.NOT_CHECKABLE),
    "o": replace(entry(Verdict.UNVERIFIABLE), open_slot=True),
    "w": replace(entry(Verdict.SOURCE_UNAVAILABLE), unchecked=True),
    "l": replace(entry(Verdict.NOT_CHECKABLE), unchecked=True),
}
"""One sign for each sort of entry: f is an uncited claim found true, w one not fetched, l one in
a language that is not checked."""


def ledger(signs: str) -> Ledger:
    return Ledger(1, tuple(KEYS[sign] for sign in signs))


CASES = [
    ("", "pending_review", "nothing_to_check"),
    ("n", "pending_review", "nothing_to_check"),
    ("+", "pass", "rate"),
    ("+n", "pass", "rate"),
    ("++++?", "pass", "rate"),
    ("++++u", "pass", "rate"),
    ("+++?", "pending_review", "rate_below_pass"),
    ("+++f", "pending_review", "rate_below_pass"),
    ("+?", "pending_review", "rate_below_pass"),
    ("+??", "fail", "rate_below_review"),
    ("u", "fail", "rate_below_review"),
    ("0", "fail", "rate_below_review"),
    ("~!", "fail", "rate_below_review"),
    ("+++++++++-", "fail", "open_contradiction"),
    ("+++++++++o", "fail", "open_slot"),
    ("-o", "fail", "open_slot"),
    ("l", "pending_review", "unchecked"),
    ("ln", "pending_review", "unchecked"),
    ("+l", "pending_review", "unchecked"),
    ("++++w", "pending_review", "unchecked"),
    ("+w", "pending_review", "rate_below_pass"),
    ("w", "fail", "rate_below_review"),
]


@pytest.mark.parametrize(("signs", "decision", "rule"), CASES)
def test_the_first_rule_that_applies_decides(signs: str, decision: str, rule: str) -> None:
    result = decide_gate(ledger(signs), POLICY)
    assert (result.decision, result.rule) == (decision, rule)
    assert result.profile == "document"
    assert result.reason
    assert result.would_change


@pytest.mark.parametrize(
    ("signs", "reason", "change"),
    [
        ("+-", "1 claim is contradicted", "correcting or removing this claim"),
        ("--", "2 claims are contradicted", "correcting or removing these claims"),
        ("o", "1 claim has no answer", "an answer for every claim"),
        (
            "+",
            "1 of 1 claim is supported",
            "1 fewer supported claim, an open slot or a contradiction",
        ),
    ],
)
def test_one_claim_is_told_of_in_the_singular(signs: str, reason: str, change: str) -> None:
    decided = decide_gate(ledger(signs), POLICY)
    assert (decided.reason, decided.would_change) == (reason, change)


@pytest.mark.parametrize(
    ("signs", "needed"),
    [
        ("+??", "1 more supported claim (of 3, at 50%)"),
        ("+++?", "1 more supported claim (of 4, at 80%)"),
        ("+" * 10 + "?" * 5, "2 more supported claims (of 15, at 80%)"),
        ("++++?", "1 fewer supported claim, an open slot or a contradiction"),
        ("+++++", "2 fewer supported claims, an open slot or a contradiction"),
    ],
)
def test_the_result_says_what_would_change_it(signs: str, needed: str) -> None:
    assert decide_gate(ledger(signs), POLICY).would_change == needed


@pytest.mark.parametrize(
    ("signs", "code"),
    [
        ("o", "failed_open_slot"),
        ("-", "failed_contradiction"),
        ("+ww", "failed_coverage"),
        ("w", "failed_coverage"),
        ("+??", "failed_verification_inconclusive"),
        ("+?", None),
        ("+", None),
    ],
)
def test_a_failure_has_a_code_that_names_its_cause(signs: str, code: str | None) -> None:
    result = decide_gate(ledger(signs), POLICY)
    assert result.fail_code == code
    seen = {limit.name: (limit.seen, limit.limit) for limit in result.limits}
    rate = result.metrics.rate
    assert seen == {"pass_rate": (rate, 0.8), "review_rate": (rate, 0.5)}


VERIFIED = {
    "fail_rate": 0.3,
    "fail_below": 3,
    "pass_count": 5,
    "soft_count": 3,
    "soft_rate": 0.5,
    "review_rate": 0.4,
}


@pytest.mark.parametrize(
    ("model", "data", "said"),
    [
        (DocumentProfile, {"pass_rate": 0.5, "review_rate": 0.8}, "review_rate must not be above"),
        (VerifiedLimits, VERIFIED | {"fail_rate": 0.45}, "fail_rate, review_rate and soft_rate"),
        (VerifiedLimits, VERIFIED | {"review_rate": 0.6}, "fail_rate, review_rate and soft_rate"),
        (VerifiedLimits, VERIFIED | {"fail_below": 4}, "fail_below, soft_count and pass_count"),
        (VerifiedLimits, VERIFIED | {"pass_count": 2}, "fail_below, soft_count and pass_count"),
        (ResearchProfile, {"adaptive": ADAPTIVE, "modes": {}}, "lacks standard, frontier"),
        (ResearchProfile, {"adaptive": ADAPTIVE | {"floor": -1}, "modes": {}}, "floor"),
    ],
)
def test_limits_that_make_no_sense_are_refused(
    model: type[RegistryModel], data: dict[str, object], said: str
) -> None:
    with pytest.raises(RegistryError, match=said):
        validate(model, data, "gate.yaml")


def test_the_metrics_count_every_sort_of_entry() -> None:
    metrics = gate_metrics(ledger("+-?~!0ufnowl"))
    assert (metrics.claims, metrics.checkable, metrics.unsourced) == (12, 10, 2)
    assert (metrics.supported, metrics.contradicted, metrics.unverifiable) == (1, 1, 4)
    assert (metrics.source_unavailable, metrics.unchecked) == (2, 2)
    assert (metrics.open_slots, metrics.open_contradictions, metrics.rate) == (1, 1, 0.1)


SIGNS = st.text("".join(KEYS), max_size=12)
RANK = {GateDecision.FAIL: 0, GateDecision.PENDING_REVIEW: 1, GateDecision.PASS: 2}


@given(SIGNS, st.integers(0, 12))
def test_a_contradiction_or_an_open_slot_always_fails(signs: str, place: int) -> None:
    for bad in "-o":
        result = decide_gate(ledger(signs[:place] + bad + signs[place:]), POLICY)
        assert result.decision is GateDecision.FAIL


@given(SIGNS, st.sampled_from(["?", "~", "!", "0", "u", "f", "-", "o", "w"]))
def test_a_worse_answer_never_raises_the_decision(signs: str, worse: str) -> None:
    before = decide_gate(ledger(signs + "+"), POLICY)
    after = decide_gate(ledger(signs + worse), POLICY)
    assert RANK[after.decision] <= RANK[before.decision]


@given(SIGNS)
def test_the_order_of_the_claims_changes_nothing(signs: str) -> None:
    assert decide_gate(ledger(signs), POLICY) == decide_gate(ledger(signs[::-1]), POLICY)


@given(SIGNS, st.integers(1, 12))
def test_a_gate_that_passes_knows_how_many_answers_it_can_lose(signs: str, extra: int) -> None:
    start = signs.replace("-", "").replace("o", "").replace("w", "").replace("l", "") + "+" * extra
    result = decide_gate(ledger(start), POLICY)
    if result.decision is GateDecision.PASS:
        spare = int(result.would_change.split()[0])
        for lost, passes in ((spare - 1, True), (spare, False)):
            after = decide_gate(ledger(start.replace("+", "?", lost)), POLICY)
            assert (after.decision is GateDecision.PASS) is passes


def test_claims_that_may_well_be_stated_are_left_to_a_person() -> None:
    unsure = replace(entry(Verdict.UNVERIFIABLE), unsure=True)
    entries = (entry(Verdict.SUPPORTED), unsure, unsure, unsure)
    gate = decide_gate(Ledger(1, entries), POLICY)
    assert (gate.decision, gate.rule) == ("pending_review", "not_sure")
    surely = (entry(Verdict.SUPPORTED), *(entry(Verdict.UNVERIFIABLE),) * 3)
    assert decide_gate(Ledger(1, surely), POLICY).decision == "fail"
