"""Votes and gate to a status, statuses to exit codes, failures to both."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace

import pytest
from foureyes import (
    ApprovalBasis,
    Error,
    Examination,
    ExitCode,
    FailureKind,
    Finding,
    GateDecision,
    IssueType,
    IterationResult,
    RunStatus,
    Severity,
    Verdict,
)
from foureyes.core.approval import (
    RETRYABLE,
    approval_basis,
    best_draft,
    decide,
    drafter_failure_status,
    exit_code,
)
from foureyes.datatypes import Conclusion, FailCode
from support.loop_agents import (
    APPROVE,
    REJECT,
    conclusion,
    entry,
    finding,
    quality,
    reject,
    vote,
)

YES, NO = vote(APPROVE), reject("f1")
CRASH = Error(FailureKind.CRASHED, "it broke")
SUPPORTED = entry("c1", Verdict.SUPPORTED)
PASS = conclusion(GateDecision.PASS, SUPPORTED)
K, S, B = FailureKind, RunStatus, ApprovalBasis
SLOW, SPENT = Error(K.TIMEOUT, "too slow"), Error(K.BUDGET, "nothing left")


@dataclass(frozen=True)
class Case:
    name: str
    votes: dict[str, Examination]
    conclusion: Conclusion | None
    status: RunStatus | None
    failures: dict[str, Error] = field(default_factory=dict[str, Error])
    findings: tuple[Finding, ...] = ()


BOTH = {"reviewer": YES, "fact_checker": YES}
ONE_REJECTS = {"reviewer": YES, "fact_checker": NO}
CASES = [
    Case("two approve and the gate passes", BOTH, PASS, S.APPROVED),
    Case("a third veto counts", {**BOTH, "lawyer": NO}, PASS, None),
    Case("either rejects", ONE_REJECTS, PASS, None),
    Case("both reject", {"reviewer": NO, "fact_checker": NO}, PASS, None),
    Case("no gate", BOTH, None, S.REVIEWED),
    Case("one critic approves", {"reviewer": YES}, None, S.REVIEWED),
    Case("one critic approves before a gate", {"reviewer": YES}, PASS, S.REVIEWED),
    Case("one critic rejects", {"reviewer": NO}, None, None),
    Case("no critic", {}, None, S.NOT_REVIEWED),
    Case("the gate fails", BOTH, conclusion(GateDecision.FAIL), None),
    Case(
        "a finding that the next iteration may mend",
        {"reviewer": YES, "fact_checker": YES},
        PASS,
        None,
        findings=(replace(finding("f1", Severity.MEDIUM), type=IssueType.UNVERIFIABLE),),
    ),
    Case("a low finding", BOTH, PASS, S.APPROVED, findings=(finding("f1", Severity.LOW),)),
    Case(
        "too little could be read",
        BOTH,
        replace(
            conclusion(GateDecision.FAIL),
            gate=replace(conclusion(GateDecision.FAIL).gate, fail_code=FailCode.COVERAGE),
        ),
        S.INCONCLUSIVE,
    ),
    Case(
        "a search provider could not be asked",
        BOTH,
        replace(PASS, unsearched=("search with shelf: it is closed",)),
        S.INCONCLUSIVE,
    ),
    Case("the critique fails", BOTH, replace(PASS, quality=quality(0.6)), None),
    Case("the critique passes", BOTH, replace(PASS, quality=quality(0.7)), S.APPROVED),
    Case(
        "a person comes before a critique",
        BOTH,
        replace(conclusion(GateDecision.PENDING_REVIEW), quality=quality(0.0)),
        S.INCONCLUSIVE,
    ),
    Case("the gate waits", BOTH, conclusion(GateDecision.PENDING_REVIEW), S.INCONCLUSIVE),
    Case(
        "a critic saw half",
        {"reviewer": vote(APPROVE, coverage=0.5), "fact_checker": YES},
        PASS,
        S.INCONCLUSIVE,
    ),
    Case(
        "an open slot",
        BOTH,
        conclusion(GateDecision.PASS, entry("c1", Verdict.UNVERIFIABLE, slot=True)),
        None,
    ),
    Case(
        "a contradiction found by code",
        BOTH,
        conclusion(GateDecision.PASS, entry("c1", Verdict.CONTRADICTED, wrong=True)),
        None,
    ),
    Case(
        "a contradiction though the gate waits",
        BOTH,
        conclusion(GateDecision.PENDING_REVIEW, entry("c1", Verdict.CONTRADICTED, wrong=True)),
        None,
    ),
    Case(
        "a source was not fetched",
        BOTH,
        conclusion(GateDecision.PASS, SUPPORTED, not_fetched=("https://a.example/",)),
        S.INCONCLUSIVE,
    ),
    Case(
        "a part of an examination failed",
        {"reviewer": YES, "fact_checker": vote(APPROVE, unfinished=(SLOW,))},
        conclusion(GateDecision.FAIL),
        S.INCONCLUSIVE,
    ),
    Case(
        "a part of an examination had no budget",
        {"reviewer": YES, "fact_checker": vote(APPROVE, unfinished=(SLOW, SPENT))},
        PASS,
        S.BUDGET_EXCEEDED,
    ),
    Case(
        "a part failed, the rest rejects",
        {"reviewer": YES, "fact_checker": vote(REJECT, unfinished=(SLOW,))},
        PASS,
        None,
    ),
    Case("one crashed", {"reviewer": YES}, PASS, S.INCONCLUSIVE, {"fact_checker": CRASH}),
    Case("one crashed, one rejects", {"reviewer": NO}, PASS, S.INCONCLUSIVE, {"f": CRASH}),
    Case(
        "one had no budget",
        {"reviewer": YES},
        PASS,
        S.BUDGET_EXCEEDED,
        {"a": CRASH, "b": Error(FailureKind.BUDGET, "spent")},
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_votes_and_gate_decide(case: Case) -> None:
    result = IterationResult(
        1,
        "d",
        examinations=case.votes,
        failures=case.failures,
        conclusion=case.conclusion,
        findings=case.findings,
    )
    decision = decide(result)
    assert decision.status is case.status
    assert decision.reason


def test_the_reason_says_what_kept_a_critic_from_finishing() -> None:
    votes = {"reviewer": YES, "fact_checker": vote(APPROVE, unfinished=(SLOW, SLOW, SPENT))}
    reason = decide(IterationResult(1, "d", examinations=votes, conclusion=PASS)).reason
    assert reason == "a critic could not finish: fact_checker: too slow; nothing left"


def test_nothing_but_two_approvals_and_a_clean_gate_approves() -> None:
    gates = [None, *(conclusion(decision, SUPPORTED) for decision in GateDecision)]
    for first, second, gate in itertools.product((YES, NO, CRASH), (YES, NO, CRASH), gates):
        answers = {"a": first, "b": second}
        result = IterationResult(
            1,
            "d",
            examinations={n: a for n, a in answers.items() if isinstance(a, Examination)},
            failures={n: a for n, a in answers.items() if isinstance(a, Error)},
            conclusion=gate,
        )
        clean = first is YES and second is YES and gate is not None
        passes = clean and gate is not None and gate.gate.decision is GateDecision.PASS
        assert (decide(result).status is S.APPROVED) == passes


RETRIED = {K.TIMEOUT, K.RATE_LIMITED, K.UNAVAILABLE, K.CRASHED}


@pytest.mark.parametrize("kind", FailureKind)
def test_every_failure_has_a_retry_and_an_end(kind: FailureKind) -> None:
    broke = kind is K.BUDGET
    assert (kind in RETRYABLE) == (kind in RETRIED)
    assert drafter_failure_status(kind, 1) is (S.BUDGET_EXCEEDED if broke else S.FAILED)
    assert drafter_failure_status(kind, 2) is (S.BUDGET_EXCEEDED if broke else S.INCONCLUSIVE)


CODES = {
    S.APPROVED: 0,
    S.REVIEWED: 0,
    S.NOT_REVIEWED: 0,
    S.MAX_ITERATIONS: 1,
    S.STALLED: 1,
    S.INCONCLUSIVE: 2,
    S.BUDGET_EXCEEDED: 3,
    S.FAILED: 4,
    S.CANCELLED: 130,
}


@pytest.mark.parametrize("status", RunStatus)
def test_every_status_has_an_exit_code(status: RunStatus) -> None:
    code = CODES[status]
    basis = B.INDEPENDENT_REVIEW if status is S.APPROVED else None
    assert exit_code(status, basis=basis) == code
    unapproved = code == 0 and status is not S.APPROVED
    assert exit_code(status, basis=basis, require_approval=True) == (1 if unapproved else code)
    assert exit_code(status, basis=basis, require_independent=True) == code
    assert exit_code(status, basis=basis, judge_failed=True) == (2 if code in (0, 1) else code)


@pytest.mark.parametrize(
    ("basis", "required", "code"),
    [
        (B.DETERMINISTIC_CHECKS, False, ExitCode.OK),
        (B.DETERMINISTIC_CHECKS, True, ExitCode.INCONCLUSIVE),
        (None, True, ExitCode.INCONCLUSIVE),
        (B.INDEPENDENT_REVIEW, True, ExitCode.OK),
    ],
)
def test_an_approval_by_rules_is_not_independent(
    basis: ApprovalBasis | None, required: bool, code: ExitCode
) -> None:
    found = exit_code(S.APPROVED, basis=basis, require_approval=True, require_independent=required)
    assert found is code


@pytest.mark.parametrize(
    ("independent", "basis"),
    [
        ((True, True), B.INDEPENDENT_REVIEW),
        ((True, False), B.DETERMINISTIC_CHECKS),
        ((False, False), B.DETERMINISTIC_CHECKS),
        ((True, True, False), B.INDEPENDENT_REVIEW),
    ],
)
def test_independent_review_takes_two_critics_with_a_model(
    independent: tuple[bool, ...], basis: ApprovalBasis
) -> None:
    votes = {str(i): vote(APPROVE, independent=value) for i, value in enumerate(independent)}
    assert approval_basis(votes) is basis


def examined(
    iteration: int, severities: str, *, supported: int = 0, failed: bool = False
) -> IterationResult:
    names = {"c": Severity.CRITICAL, "h": Severity.HIGH, "m": Severity.MEDIUM, "l": Severity.LOW}
    findings: list[Finding] = [finding(f"f{i}", names[s]) for i, s in enumerate(severities)]
    entries = [entry(f"c{i}", Verdict.SUPPORTED) for i in range(supported)]
    return IterationResult(
        iteration,
        f"draft {iteration}",
        examinations={"reviewer": NO},
        failures={"fact_checker": CRASH} if failed else {},
        conclusion=conclusion(GateDecision.FAIL, *entries),
        findings=tuple(findings),
    )


@pytest.mark.parametrize(
    ("results", "best"),
    [
        ([], None),
        ([examined(1, "hh"), examined(2, "hmm")], 2),
        ([examined(1, "cm"), examined(2, "hh")], 1),
        ([examined(1, "hm"), examined(2, "hmm")], 1),
        ([examined(1, "hm", supported=3), examined(2, "hm", supported=2)], 1),
        ([examined(1, "hl"), examined(2, "hlll")], 2),
        ([examined(1, "hh"), examined(2, "", failed=True)], 1),
        ([examined(1, "h"), IterationResult(2, "never examined")], 1),
        ([IterationResult(1, "never examined")], 1),
    ],
)
def test_the_best_draft_has_the_fewest_and_mildest_findings(
    results: list[IterationResult], best: int | None
) -> None:
    chosen = best_draft(results)
    assert (chosen.iteration if chosen else None) == best
