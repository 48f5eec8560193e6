"""The settlement hook: a user's own policy decides last before a run is approved.

The policy is one more veto (decision 39): it can withhold an approval, never give one.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol, TypeAlias, assert_never

from pydantic import ValidationError

from ..base.files import adapter, to_json
from ..base.vocabulary import Finding, SettlementMode
from ..verification.model import GateResult, Ledger
from .approval import ApprovalBasis, RunEnding, RunStatus
from .artefacts import ArtefactFile, artefact_file
from .tasks import Error, FailureKind, digest
from .work import StepRunner

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


class ApprovalHook(Protocol):
    """The hook before an approval: a `SettlementHook`, or the record of a run."""

    async def settle(self, case: SettlementCase) -> Settlement:
        """Return the policy's settlement of `case`."""
        ...


@dataclass(frozen=True, slots=True)
class SettlementHook:
    """A policy with its name, its mode, and its time limit in seconds."""

    name: str
    policy: SettlementPolicy
    mode: SettlementMode
    timeout_s: float

    async def settle(self, case: SettlementCase) -> Settlement:
        """Ask the policy in a thread of its own, which is left alone when it takes too long."""
        deadline = asyncio.timeout(self.timeout_s)
        try:
            async with deadline:
                reply = await _in_thread(self.policy, case)
            answer = adapter(SettlementAnswer).validate_python(reply)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            reason = f"no settlement answer: {place + ': ' if place else ''}{first['msg']}"
            return self._settlement(case, SettlementOutcome.CRASHED, reason)
        # A policy is anyone's code: what it raises is its own failure.
        except Exception as error:  # noqa: BLE001 - see above
            if deadline.expired():
                reason = f"no answer within {self.timeout_s:g} s"
                return self._settlement(case, SettlementOutcome.TIMED_OUT, reason)
            reason = f"{type(error).__name__}: {error}"
            return self._settlement(case, SettlementOutcome.CRASHED, reason)
        return self._settlement(case, SettlementOutcome.ANSWERED, answer.reason, answer)

    def _settlement(
        self,
        case: SettlementCase,
        outcome: SettlementOutcome,
        reason: str,
        answer: SettlementAnswer | None = None,
    ) -> Settlement:
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
        case _:
            assert_never(mode)


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


def settlement_file(settlement: Settlement) -> ArtefactFile:
    """`settlement` as the file of `verify/`."""
    return artefact_file(SETTLEMENT_FILE, settlement)


async def call_hook_once(hook: ApprovalHook, case: SettlementCase, steps: StepRunner) -> Settlement:
    """Call the hook once; a resumed run repeats the call after a block or a failure."""
    answers: list[Settlement] = []

    async def ask() -> Settlement | Error:
        answers.append(await hook.settle(case))
        final = answers[0].outcome is SettlementOutcome.ANSWERED and not answers[0].blocked
        return answers[0] if final else Error(FailureKind.REFUSED, answers[0].reason)

    kept = await steps.step(f"{case.iteration}/settlement", _key(case), Settlement, ask)
    return answers[0] if isinstance(kept, Error) else kept


def _key(case: SettlementCase) -> str:
    ledger = to_json(Ledger, case.ledger) if case.ledger else ""
    gate = to_json(GateResult, case.gate) if case.gate else ""
    return digest([str(case.iteration), case.draft, ledger, gate])


async def _in_thread(policy: SettlementPolicy, case: SettlementCase) -> object:
    """Run `policy` in a daemon thread, which cannot keep the program from ending."""
    answered = Future[object]()

    def work() -> None:
        # Whoever waited may have gone.
        with suppress(InvalidStateError):
            try:
                reply = policy(case)
                if inspect.isawaitable(reply):
                    reply = asyncio.run(_awaited(reply))
                answered.set_result(reply)
            except Exception as error:  # noqa: BLE001 - handed on to whoever waits
                answered.set_exception(error)
            # `sys.exit` in a thread would end it without a word.
            except SystemExit as error:
                answered.set_exception(RuntimeError(f"the policy called sys.exit({error.code})"))

    threading.Thread(target=work, name="settlement", daemon=True).start()
    return await asyncio.wrap_future(answered)


async def _awaited(reply: Awaitable[object]) -> object:
    return await reply
