"""Asking an agent: journalled, its usage recorded, a crash turned into an `Error`."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, TypeVar

import structlog

from ..base.errors import BudgetExceeded, FoureyesError, ReplyError
from .types import (
    AgentResult,
    Analysis,
    Critic,
    Drafter,
    DraftWork,
    Error,
    Examination,
    FailureKind,
    IterationWork,
    Judge,
    Judgement,
    JudgeWork,
    RunServices,
    Success,
    TurnRecorder,
    TurnUsage,
)

DRAFTER = "analyst"
JUDGE = "judge"

T = TypeVar("T")


class Answered(Protocol):
    """An answer that says what it used."""

    @property
    def usage(self) -> TurnUsage:
        """The sum over the turns behind the answer."""
        ...


AnsweredT = TypeVar("AnsweredT", bound=Answered)


class WatchedRecorder:
    """Passes turns on, and knows whether the agent reported any itself."""

    def __init__(self, recorder: TurnRecorder) -> None:
        self._recorder = recorder
        self.used = False

    def record_turn(self, agent: str, iteration: int, usage: TurnUsage, outcome: str) -> None:
        """Add one turn of `agent`; `outcome` is ``ok`` or a failure kind."""
        self.used = True
        self._recorder.record_turn(agent, iteration, usage, outcome)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which agent is asked, in which iteration."""

    agent: str
    iteration: int


async def ask(
    asked: Asked,
    services: RunServices,
    question: Callable[[RunServices], Awaitable[AnsweredT | Error]],
) -> AnsweredT | Error:
    """The agent's answer; what it raises in place of an answer becomes an `Error`.

    Its usage is recorded from the answer if the agent recorded no turn of its own.

    Raises:
        FoureyesError: The run itself cannot go on: the disk, a template, a prompt.
    """
    recorder = WatchedRecorder(services.recorder)
    answer = await _guarded(asked, partial(question, replace(services, recorder=recorder)))
    if not recorder.used:
        outcome = answer.kind.value if isinstance(answer, Error) else "ok"
        services.recorder.record_turn(asked.agent, asked.iteration, answer.usage, outcome)
    return answer


async def _guarded(asked: Asked, question: Callable[[], Awaitable[T]]) -> T | Error:
    try:
        return await question()
    except BudgetExceeded as error:
        return Error(FailureKind.BUDGET, str(error))
    except ReplyError as error:
        return Error(FailureKind.MALFORMED, str(error))
    except FoureyesError:
        raise
    except Exception as error:
        log = structlog.get_logger()
        log.error("agent crashed", agent=asked.agent, iteration=asked.iteration, exc_info=True)
        return Error(FailureKind.CRASHED, f"{type(error).__name__}: {error}")


async def write_draft(drafter: Drafter, work: DraftWork) -> Analysis | Error:
    """The drafter's next version, asked for once."""

    async def question(services: RunServices) -> AgentResult[Analysis]:
        return await drafter.write(replace(work, services=services))

    async def run() -> Analysis | Error:
        answer = await ask(Asked(DRAFTER, work.iteration), work.services, question)
        return answer.output if isinstance(answer, Success) else answer

    name = f"{work.iteration}/{DRAFTER}"
    return await work.services.steps.step(name, draft_key(work), Analysis, run)


async def ask_critic(critic: Critic, work: IterationWork, key: str) -> Examination | Error:
    """The critic's answer, asked for once; `key` is the fingerprint of `work`."""

    async def question(services: RunServices) -> Examination | Error:
        return await critic.examine(replace(work, services=services))

    async def run() -> Examination | Error:
        return await ask(Asked(critic.name, work.iteration), work.services, question)

    name = f"{work.iteration}/{critic.name}"
    return await work.services.steps.step(name, key, Examination, run)


async def give_judgement(judge: Judge, work: JudgeWork) -> Judgement | Error:
    """The judge's judgement, asked for once."""

    async def question(services: RunServices) -> AgentResult[Judgement]:
        return await judge.judge(replace(work, services=services))

    async def run() -> Judgement | Error:
        answer = await ask(Asked(JUDGE, work.iteration), work.services, question)
        return answer.output if isinstance(answer, Success) else answer

    name = f"{work.iteration}/{JUDGE}"
    return await work.services.steps.step(name, judge_key(work), Judgement, run)


def draft_key(work: DraftWork) -> str:
    """sha256 over what the drafter is given."""
    parts = [str(work.iteration), work.brief, work.draft]
    for material in work.materials:
        parts += [material.url, material.title, material.sha256]
    for finding in work.findings:
        parts += [finding.id, finding.severity, finding.problem, finding.recommendation]
    return digest(parts)


def judge_key(work: JudgeWork) -> str:
    """sha256 over what the judge is given."""
    inputs = work.inputs
    parts = [str(work.iteration), inputs.brief, inputs.draft]
    for name, text in sorted(inputs.artefacts.items()):
        parts += [name, text]
    return digest(parts)


def digest(parts: list[str]) -> str:
    """sha256 over `parts` in order."""
    value = hashlib.sha256()
    for part in parts:
        value.update(part.encode("utf-8", "surrogatepass") + b"\x01")
    return value.hexdigest()
