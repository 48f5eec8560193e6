"""Asking an agent: journalled, its usage recorded, a crash turned into an `Error`."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Protocol, TypeVar

from ..base.errors import BudgetExceeded, FoureyesError, ReplyError
from ..base.records import to_json
from ..base.registry import first_line
from . import tracing
from .guidance import Guidance
from .run_analytics import NO_USAGE, RunAnalytics
from .types import (
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
    Success,
    TurnUsage,
)

DRAFTER = "analyst"
JUDGE = "judge"


class Answered(Protocol):
    """An answer that says what it used."""

    @property
    def usage(self) -> TurnUsage:
        """The sum over the turns behind the answer."""
        ...


AnsweredT = TypeVar("AnsweredT", bound=Answered)


async def ask(
    agent: str,
    iteration: int,
    analytics: RunAnalytics,
    question: Callable[[], Awaitable[AnsweredT | Error]],
) -> AnsweredT | Error:
    """The answer of `agent`; what it raises in place of an answer becomes an `Error`.

    An agent that reports no turns under its name is taken to have used what its answer says.

    Raises:
        FoureyesError: The run itself cannot go on: the disk, a template, a prompt.
    """
    with tracing.asking(agent, iteration) as answered:
        answer, usage = await answer_of(agent, iteration, question)
        answered(answer)
    outcome = answer.kind.value if isinstance(answer, Error) else "ok"
    analytics.record_answer(agent, iteration, usage, outcome)
    return answer


async def answer_of(
    agent: str, iteration: int, question: Callable[[], Awaitable[AnsweredT | Error]]
) -> tuple[AnsweredT | Error, TurnUsage]:
    """The answer and what it used; a crash is an answer.

    Raises:
        FoureyesError: The run itself cannot go on.
    """
    try:
        answer = await question()
        return answer, answer.usage
    except FoureyesError as error:
        return _refused(error), NO_USAGE
    # An agent may be anyone's code: its bug is its own failure and loses no sibling's answer.
    except Exception as error:  # noqa: BLE001 - see above
        _log_crash(agent, iteration)
        message = first_line(f"{type(error).__name__}: {error}")
        return Error(FailureKind.CRASHED, message), NO_USAGE


def _refused(error: FoureyesError) -> Error:
    """`error` as the agent's answer, or raised again if it is not the agent's alone."""
    match error:
        case BudgetExceeded():
            return Error(FailureKind.BUDGET, str(error))
        case ReplyError():
            return Error(FailureKind.MALFORMED, str(error))
        case _:
            raise error


def _log_crash(agent: str, iteration: int) -> None:
    # Takes 90 ms to import, which a run without such a failure need not pay.
    import structlog

    log = structlog.get_logger()
    log.error("agent crashed", agent=agent, iteration=iteration, exc_info=True)


async def write_draft(
    drafter: Drafter, work: DraftWork, analytics: RunAnalytics
) -> Analysis | Error:
    """The drafter's next version, asked for once."""

    async def run() -> Analysis | Error:
        answer = await ask(DRAFTER, work.iteration, analytics, partial(drafter.write, work))
        return answer.output if isinstance(answer, Success) else answer

    name = f"{work.iteration}/{DRAFTER}"
    return await work.services.steps.step(name, draft_key(work), Analysis, run)


async def ask_critic(
    critic: Critic, work: IterationWork, key: str, analytics: RunAnalytics
) -> Examination | Error:
    """The critic's answer, asked for once; `key` is the fingerprint of `work`.

    An unfinished answer that has a vote is not journalled here, so that a resumed run asks for the
    rest.
    """
    unfinished: list[Examination] = []

    async def run() -> Examination | Error:
        answer = await ask(critic.name, work.iteration, analytics, partial(critic.examine, work))
        tracing.examined(critic.name, answer)
        if isinstance(answer, Error) or answer.advisory or not answer.unfinished:
            return answer
        unfinished.append(answer)
        return answer.unfinished[0]

    answer = await work.services.steps.step(critic_step(critic.name, work), key, Examination, run)
    return unfinished[0] if unfinished else answer


async def settle_unfinished(examinations: Mapping[str, Examination], work: IterationWork) -> None:
    """Journal the unfinished answers to `work`, by critic: the next iteration builds on them."""
    for critic, examination in examinations.items():
        if examination.advisory or not examination.unfinished:
            continue

        async def as_it_is(answer: Examination = examination) -> Examination | Error:
            return answer

        name = critic_step(critic, work)
        await work.services.steps.step(name, work.fingerprint(), Examination, as_it_is)


def critic_step(critic: str, work: IterationWork) -> str:
    """The name under which a critic's answer to `work` is journalled."""
    return f"{work.iteration}/{critic}"


async def give_judgement(
    judge: Judge, work: JudgeWork, analytics: RunAnalytics
) -> Judgement | Error:
    """The judge's judgement, asked for once."""

    async def run() -> Judgement | Error:
        answer = await ask(JUDGE, work.iteration, analytics, partial(judge.judge, work))
        judged = answer.output if isinstance(answer, Success) else answer
        tracing.judged(judged)
        return judged

    name = f"{work.iteration}/{JUDGE}"
    return await work.services.steps.step(name, judge_key(work), Judgement, run)


def draft_key(work: DraftWork) -> str:
    """sha256 over what the drafter is given."""
    parts = [str(work.iteration), work.brief, work.draft]
    for material in work.materials:
        parts += [material.url, material.title, material.sha256]
    for finding in work.findings:
        parts += [finding.id, finding.severity, finding.problem, finding.recommendation]
    if work.guidance is not None:
        parts.append(to_json(Guidance, work.guidance))
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
    return hashlib.sha256("\x01".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
