"""How a run ends: votes and gate to a status, statuses to exit codes, failures to both.

Every rule here is a pure function of typed records; no model's word decides. A user's own policy is
asked last before an approval. It is one more veto: it can withhold an approval, never give one
(decision 39).
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from pydantic import ValidationError

from ..base.errors import first_mistake
from ..base.files import adapter, to_json
from ..base.off_loop import in_daemon
from ..base.printable import counted
from ..base.vocabulary import (
    ExitCode,
    FailCode,
    Finding,
    GateDecision,
    IssueType,
    Recommendation,
    SettlementMode,
    Severity,
)
from ..verification.model import GateResult, Ledger
from ..verification.severity import is_closed
from .tasks import Error, FailureKind, digest
from .work import Examination, StepRunner

if TYPE_CHECKING:
    # Their homes load the whole engine, and exit codes are asked for without it.
    from .iteration import Conclusion, IterationResult


VETOES_FOR_APPROVAL = 2
"""The four eyes: how many critics must have approved (decision 5)."""


class RunStatus(StrEnum):
    """The end of a run. Stopped is not approved."""

    APPROVED = "approved"
    REVIEWED = "reviewed"
    NOT_REVIEWED = "not_reviewed"
    MAX_ITERATIONS = "max_iterations"
    STALLED = "stalled"
    BUDGET_EXCEEDED = "budget_exceeded"
    INCONCLUSIVE = "inconclusive"
    CANCELLED = "cancelled"
    FAILED = "failed"

    @property
    def judged(self) -> bool:
        """Whether the judge runs on this end (decision 9).

        With one critic nobody's objection ends a run as `reviewed`; that is what a mode with one
        critic and a judge is for.
        """
        return self.accepted or self in (RunStatus.MAX_ITERATIONS, RunStatus.STALLED)

    @property
    def accepted(self) -> bool:
        """Whether critics took part and none of them objects."""
        return self in (RunStatus.APPROVED, RunStatus.REVIEWED)


class ApprovalBasis(StrEnum):
    """The basis of an approval (decision 10)."""

    DETERMINISTIC_CHECKS = "deterministic_checks"
    INDEPENDENT_REVIEW = "independent_review"


RETRYABLE = frozenset(
    (FailureKind.TIMEOUT, FailureKind.RATE_LIMITED, FailureKind.UNAVAILABLE, FailureKind.CRASHED)
)
"""A turn that failed in one of these ways may pass when tried again."""


def drafter_failure_status(kind: FailureKind, iteration: int) -> RunStatus:
    """The end of a run whose analyst failed in `iteration`, after its retries (decision 6).

    Without a first draft there is nothing to deliver, so that the run has failed.
    """
    if kind is FailureKind.BUDGET:
        return RunStatus.BUDGET_EXCEEDED
    return RunStatus.FAILED if iteration == 1 else RunStatus.INCONCLUSIVE


@dataclass(frozen=True, slots=True)
class Decision:
    """The result of an iteration. `status` is None when the findings go back to the analyst."""

    status: RunStatus | None
    reason: str


@dataclass(frozen=True, slots=True)
class RunEnding:
    """The end of a run, and the reason in a sentence."""

    status: RunStatus
    reason: str


def decide(result: IterationResult) -> Decision:
    """Decide one iteration by its votes and its gate (decisions 5, 6, 17 and 38)."""
    if result.failures:
        errors = {name: (error,) for name, error in result.failures.items()}
        return _unanswered("a critic gave no answer", errors)
    votes = {name: one for name, one in result.examinations.items() if not one.advisory}
    if not votes:
        return Decision(RunStatus.NOT_REVIEWED, "no critic took part")
    rejecting = [name for name, one in votes.items() if one.recommendation is Recommendation.REJECT]
    if rejecting:
        return Decision(None, f"rejected by {', '.join(rejecting)}")
    # What a critic of claims left out is counted claim by claim: as open slots of the ledger.
    whole = {name: one for name, one in votes.items() if one.assessments is None}
    partial = [name for name, one in whole.items() if one.coverage < 1.0]
    if partial:
        reason = f"{', '.join(partial)} approved without having seen the whole draft"
        return Decision(RunStatus.INCONCLUSIVE, reason)
    unfinished = {name: one.unfinished for name, one in votes.items() if one.unfinished}
    if unfinished:
        return _unanswered("a critic could not finish", unfinished)
    return _decide_by_code(result, len(votes))


def _unanswered(what: str, errors: Mapping[str, Sequence[Error]]) -> Decision:
    kinds = [error.kind for own in errors.values() for error in own]
    said = ((name, dict.fromkeys(one.message for one in own)) for name, own in errors.items())
    named = "; ".join(f"{name}: {'; '.join(messages)}" for name, messages in said)
    broke = FailureKind.BUDGET in kinds
    status = RunStatus.BUDGET_EXCEEDED if broke else RunStatus.INCONCLUSIVE
    return Decision(status, f"{what}: {named}")


def _decide_by_code(result: IterationResult, approvals: int) -> Decision:
    """Every critic approved: what code's own results say."""
    conclusion = result.conclusion
    if conclusion is not None and (objection := _objection(conclusion) or _unmended(result)):
        return objection
    if approvals < VETOES_FOR_APPROVAL:
        return Decision(RunStatus.REVIEWED, "one critic approved; approval needs two")
    if conclusion is None:
        return Decision(RunStatus.REVIEWED, "the critics approved; there was no evidence gate")
    reason = f"{approvals} critics approved and the evidence gate passed"
    if conclusion.settled:
        reason += f"; a person settled {counted(len(conclusion.settled), 'claim')}"
    return Decision(RunStatus.APPROVED, reason)


def could_not_check(result: IterationResult) -> str:
    """Why too little of an iteration could be checked, "" if that is not so."""
    conclusion = result.conclusion
    if conclusion is None:
        return ""
    if conclusion.unsearched or conclusion.gate.fail_code is not FailCode.COVERAGE:
        return _unsearched(conclusion)
    unread = conclusion.gate.metrics.unread
    return counted(unread, "claim could not be checked", "claims could not be checked")


def _unmended(result: IterationResult) -> Decision | None:
    """Findings against claims that another iteration may mend, whatever the gate's rate is."""
    settled = result.conclusion.settled if result.conclusion else frozenset[str]()
    open_ = sum(
        one.severity.at_least(Severity.MEDIUM)
        and isinstance(one.type, IssueType)
        and one.claim_id not in settled
        and not is_closed(one)
        for one in result.findings
    )
    if not open_:
        return None
    found, are = counted(open_, "finding"), "is" if open_ == 1 else "are"
    return Decision(None, f"{found} of medium severity or worse {are} open")


def _objection(conclusion: Conclusion) -> Decision | None:
    gate = conclusion.gate
    if gate.decision is GateDecision.FAIL:
        if gate.fail_code is FailCode.COVERAGE:
            reason = f"too little could be checked: {gate.reason}"
            return Decision(RunStatus.INCONCLUSIVE, reason)
        return Decision(None, f"the evidence gate failed: {gate.reason}")
    if open_ := conclusion.open_contradictions:
        what = counted(open_, "contradicted claim is", "contradicted claims are")
        return Decision(None, f"{what} open")
    if slots := conclusion.open_slots:
        what = counted(slots, "claim was", "claims were")
        return Decision(None, f"{what} not answered for")
    unsure = _unsure(conclusion)
    if unsure:
        return Decision(RunStatus.INCONCLUSIVE, unsure)
    # The objection of a failed critique counts only if nothing else objects (decision 39).
    found = conclusion.quality.critique
    if found.passed:
        return None
    reason = f"the quality gate failed ({found.fail_code}): {found.score} of {found.threshold}"
    return Decision(None, f"{reason}; {found.weaknesses[0]}")


def _unsure(conclusion: Conclusion) -> str:
    if conclusion.gate.decision is GateDecision.PENDING_REVIEW:
        return f"the evidence gate leaves it to a person: {conclusion.gate.reason}"
    missing = conclusion.not_fetched
    if missing and not conclusion.unsearched:
        return f"{len(missing)} cited sources were not fetched, first {missing[0]}"
    return _unsearched(conclusion)


def _unsearched(conclusion: Conclusion) -> str:
    failures = conclusion.unsearched
    return f"a search provider could not be asked: {failures[0]}" if failures else ""


def approval_basis(examinations: Mapping[str, Examination]) -> ApprovalBasis:
    """The basis of an approval: an independent review needs two critics that used a model."""
    independent = sum(examination.independent for examination in examinations.values())
    if independent >= VETOES_FOR_APPROVAL:
        return ApprovalBasis.INDEPENDENT_REVIEW
    return ApprovalBasis.DETERMINISTIC_CHECKS


def best_draft(results: Sequence[IterationResult]) -> IterationResult | None:
    """The draft to deliver when none was approved (decision 7); None when there is none.

    Drafts that every critic answered for come before others, whose findings are incomplete.
    """
    return min(results, key=_rank, default=None)


def _rank(result: IterationResult) -> tuple[bool, int, int, int, int]:
    supported = result.conclusion.supported if result.conclusion else 0
    return (
        not result.examined,
        result.count(Severity.CRITICAL, Severity.HIGH),
        result.count(Severity.MEDIUM),
        -supported,
        -result.iteration,
    )


def exit_code(
    status: RunStatus,
    *,
    judge_failed: bool = False,
    basis: ApprovalBasis | None = None,
    require_approval: bool = False,
    require_independent: bool = False,
) -> ExitCode:
    """The exit code of a run that ended so (decisions 5, 9 and 10)."""
    code = _EXIT_CODES[status]
    if code in (ExitCode.OK, ExitCode.NOT_APPROVED) and judge_failed:
        return ExitCode.INCONCLUSIVE
    if status is RunStatus.APPROVED:
        by_rules = basis is not ApprovalBasis.INDEPENDENT_REVIEW
        return ExitCode.INCONCLUSIVE if require_independent and by_rules else code
    if code is ExitCode.OK and require_approval:
        return ExitCode.NOT_APPROVED
    return code


_EXIT_CODES: Mapping[RunStatus, ExitCode] = {
    RunStatus.APPROVED: ExitCode.OK,
    RunStatus.REVIEWED: ExitCode.OK,
    RunStatus.NOT_REVIEWED: ExitCode.OK,
    RunStatus.MAX_ITERATIONS: ExitCode.NOT_APPROVED,
    RunStatus.STALLED: ExitCode.NOT_APPROVED,
    RunStatus.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
    RunStatus.BUDGET_EXCEEDED: ExitCode.BUDGET,
    RunStatus.FAILED: ExitCode.FAILED,
    RunStatus.CANCELLED: ExitCode.CANCELLED,
}


SETTLEMENT_FILE = "settlement.json"
SETTLEMENT_BLOCKED = "settlement_blocked"


class SettlementOutcome(StrEnum):
    """The outcome of asking a policy."""

    ANSWERED = "answered"
    CRASHED = "crashed"
    TIMED_OUT = "timed_out"


@dataclass(frozen=True, slots=True)
class SettlementCase:
    """The run that is about to be approved, with its findings, ledger and gate.

    `iteration` counts from 1. `run_dir` is None for a run without a directory; `ledger` and `gate`
    are None without a fact check.
    """

    run_dir: Path | None
    iteration: int
    draft: str
    approval_basis: ApprovalBasis
    findings: tuple[Finding, ...]
    ledger: Ledger | None
    gate: GateResult | None


@dataclass(frozen=True, slots=True)
class SettlementAnswer:
    """A policy's reply: not `ok`, or `block_synthesize`, withholds the approval."""

    ok: bool
    block_synthesize: bool = False
    reason: str = ""


PolicyReply: TypeAlias = SettlementAnswer | Mapping[str, object]


class SettlementPolicy(Protocol):
    """A user's policy; a coroutine function will do, and a mapping with the answer's fields."""

    def __call__(self, case: SettlementCase, /) -> PolicyReply | Awaitable[PolicyReply]:
        """Whether the approval may stand."""
        ...


@dataclass(frozen=True, slots=True)
class Settlement:
    """`verify/settlement.json`: the policy, its reply, and whether it blocks.

    `ok` is None where there was no answer. `iteration` is the delivered one, from 1.
    """

    policy: str
    mode: SettlementMode
    iteration: int
    outcome: SettlementOutcome
    ok: bool | None
    block_synthesize: bool
    reason: str
    blocked: bool


ApprovalHook: TypeAlias = Callable[[SettlementCase], Awaitable[Settlement]]
"""Gives the policy's settlement before an approval: a `SettlementHook`, or the record of a run."""


@dataclass(frozen=True, slots=True)
class SettlementHook:
    """A policy with its name, its mode, and its time limit in seconds."""

    name: str
    policy: SettlementPolicy
    mode: SettlementMode
    timeout_s: float

    async def __call__(self, case: SettlementCase) -> Settlement:
        """Ask the policy in a thread of its own, which is left alone when it takes too long."""
        deadline = asyncio.timeout(self.timeout_s)
        answer: SettlementAnswer | None = None
        outcome = SettlementOutcome.CRASHED
        try:
            async with deadline:
                reply = await _in_thread(self.policy, case)
            given = adapter(SettlementAnswer).validate_python(reply)
            outcome, reason, answer = SettlementOutcome.ANSWERED, given.reason, given
        except ValidationError as error:
            reason = f"no settlement answer: {first_mistake(error)}"
        # A policy is anyone's code: what it raises is its own failure.
        except Exception as error:  # noqa: BLE001 - see above
            reason = f"{type(error).__name__}: {error}"
            if deadline.expired():
                outcome = SettlementOutcome.TIMED_OUT
                reason = f"no answer within {self.timeout_s:g} s"
        return Settlement(
            policy=self.name,
            mode=self.mode,
            iteration=case.iteration,
            outcome=outcome,
            ok=answer.ok if answer else None,
            block_synthesize=answer.block_synthesize if answer else False,
            reason=" ".join(reason.split())[:500],
            blocked=blocks(self.mode, answer),
        )


def blocks(mode: SettlementMode, answer: SettlementAnswer | None) -> bool:
    """Whether an approval is withheld (decision 39); `answer` is None where there is none."""
    match mode:
        case SettlementMode.OBSERVE:
            return False
        case SettlementMode.ENFORCE:
            return answer is not None and (not answer.ok or answer.block_synthesize)
        case SettlementMode.STRICT:
            return answer is None or not answer.ok or answer.block_synthesize


def recompute_blocked(settlement: Settlement) -> bool:
    """Whether `settlement` blocks by its own record of the answer."""
    answer = None
    if settlement.ok is not None and settlement.outcome is SettlementOutcome.ANSWERED:
        answer = SettlementAnswer(settlement.ok, settlement.block_synthesize)
    return blocks(settlement.mode, answer)


def apply_settlement(end: RunEnding, settlement: Settlement | None) -> RunEnding:
    """The end after the policy's answer."""
    if settlement is None or not settlement.blocked:
        return end
    why = settlement.reason or "it gives no reason"
    reason = f"{SETTLEMENT_BLOCKED}: {end.reason}, but {settlement.policy} withholds it: {why}"
    return RunEnding(RunStatus.INCONCLUSIVE, reason)


async def call_hook_once(hook: ApprovalHook, case: SettlementCase, steps: StepRunner) -> Settlement:
    """Call the hook once; a resumed run repeats the call after a block or a failure."""
    answers: list[Settlement] = []

    async def ask() -> Settlement | Error:
        answers.append(await hook(case))
        final = answers[0].outcome is SettlementOutcome.ANSWERED and not answers[0].blocked
        return answers[0] if final else Error(FailureKind.REFUSED, answers[0].reason)

    ledger = to_json(Ledger, case.ledger) if case.ledger else ""
    gate = to_json(GateResult, case.gate) if case.gate else ""
    key = digest([str(case.iteration), case.draft, ledger, gate])
    kept = await steps.step(f"{case.iteration}/settlement", key, Settlement, ask)
    return answers[0] if isinstance(kept, Error) else kept


async def _in_thread(policy: SettlementPolicy, case: SettlementCase) -> object:
    """Run `policy` in a daemon thread, which cannot keep the program from ending."""

    def work() -> object:
        try:
            reply = policy(case)
            return asyncio.run(_awaited(reply)) if inspect.isawaitable(reply) else reply
        # `sys.exit` in a thread would end it without a word.
        except SystemExit as error:
            raise RuntimeError(f"the policy called sys.exit({error.code})") from error

    return await in_daemon(work, "settlement")


async def _awaited(reply: Awaitable[object]) -> object:
    return await reply
