"""The user's own gate policy: it may tighten, and nothing else."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from foureyes import GateCase, GateDecision, GateObjection, GateResult, Ledger
from foureyes.core.gate_policy import OwnGate, under_policy
from foureyes.datatypes import FailCode, GateMetrics, PolicyVerdict

PASS, REVIEW, FAIL = GateDecision.PASS, GateDecision.PENDING_REVIEW, GateDecision.FAIL
STRICTER = {PASS: 0, REVIEW: 1, FAIL: 2}
METRICS = GateMetrics(1, 1, 1, 0, 0, 0, 0, 0, 0, 1.0)


def gate(decision: GateDecision) -> GateResult:
    code = FailCode.COVERAGE if decision is FAIL else None
    return GateResult(decision, "document", "rate", "its reason", "its change", METRICS, code)


def case(decision: GateDecision = PASS) -> GateCase:
    return GateCase(2, "en", Ledger(2, ()), gate(decision))


@pytest.mark.parametrize(("by_limits", "wanted"), [*product(GateDecision, [None, REVIEW, FAIL])])
def test_the_stricter_of_both_answers_counts(
    by_limits: GateDecision, wanted: GateDecision | None
) -> None:
    objection = GateObjection(wanted, "a reason", "a change") if wanted else None
    word = OwnGate("mine:rule", lambda _: objection).word(case(by_limits))
    found = under_policy(gate(by_limits), word)
    assert found.decision is max(by_limits, wanted or PASS, key=lambda one: STRICTER[one])
    assert (
        found.policy
        == word
        == PolicyVerdict(
            "mine:rule", 2, wanted, *(("a reason", "a change") if wanted else ("", ""))
        )
    )


def test_an_objection_is_the_rule_with_both_reasons() -> None:
    word = PolicyVerdict("mine:rule", 2, FAIL, "too thin", "more sources")
    found = under_policy(gate(PASS), word)
    assert (found.rule, found.fail_code) == ("gate_policy", FailCode.GATE_POLICY)
    assert found.reason == "too thin (by its limits the gate says pass: its reason)"
    assert found.would_change == "more sources"


def test_a_gate_that_failed_keeps_its_own_rule_and_code() -> None:
    found = under_policy(gate(FAIL), PolicyVerdict("mine:rule", 2, FAIL, "too thin"))
    assert (found.rule, found.fail_code) == ("rate", FailCode.COVERAGE)


def test_two_that_leave_it_to_a_person_show_both_reasons() -> None:
    found = under_policy(gate(REVIEW), PolicyVerdict("mine:rule", 2, REVIEW, "too thin"))
    assert (found.rule, "its reason" in found.reason) == ("gate_policy", True)


def test_a_forged_word_lifts_nothing() -> None:
    forged = PolicyVerdict("mine:rule", 2, PASS)
    assert [under_policy(gate(one), forged).decision for one in GateDecision] == [*GateDecision]


def said(answer: Any) -> PolicyVerdict:
    """The word of a policy that returns `answer`, or raises it."""

    def policy(_case: GateCase) -> GateObjection | None:
        if isinstance(answer, BaseException):
            raise answer
        return answer

    return OwnGate("mine:rule", policy).word(case())


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (ValueError("no\nnumber"), "it failed: ValueError: no number"),
        (SystemExit(0), "it failed: SystemExit: 0"),
        (True, "it gave a bool, and no GateObjection or None"),
        (GateObjection(REVIEW, " "), "it gives no reason"),
    ],
)
def test_without_an_answer_a_person_has_to_decide(answer: object, reason: str) -> None:
    word = said(answer)
    assert (word.objection, word.reason) == (REVIEW, reason)
    assert under_policy(gate(PASS), word).decision is REVIEW


@pytest.mark.parametrize("decision", ["pass", "perhaps"])
def test_an_objection_cannot_let_pass(decision: Any) -> None:
    with pytest.raises(ValueError, match=r"pass|perhaps"):
        GateObjection(decision, "a reason")


def test_a_decision_may_be_given_as_plain_text() -> None:
    plain: Any = "fail"
    assert said(GateObjection(plain, "a reason")).objection is FAIL
