"""Calls of the agents: journalled, with usage on record, and a crash turned into an `Error`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar

import structlog

from ..base.errors import BudgetExceeded, FoureyesError, ReplyError
from ..base.records import to_json
from ..base.registry import first_line
from ..base.vocabulary import Recommendation, Verdict
from ..verification.model import ClaimAssessment
from . import tracing
from .approval import RunEnding, RunStatus
from .artefacts import Analysis, Judgement
from .evidence_records import CHALLENGE_RECORD, MAP_FILE
from .gaps import CRITIQUE_FILE, GAPS_FILE, QUERIES_FILE
from .iteration import IterationResult
from .journal import journal_result
from .run_analytics import NO_USAGE, RunAnalytics
from .tasks import Error, FailureKind, Success, TurnUsage, digest
from .work import (
    Critic,
    Drafter,
    DraftWork,
    Examination,
    Guidance,
    IterationWork,
    Judge,
    JudgeInput,
    JudgeWork,
)

DRAFTER = "analyst"
JUDGE = "judge"


AnsweredT = TypeVar("AnsweredT", bound="Success[Any] | Examination")


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
    with tracing.ask_agent(agent, iteration) as answered:
        answer, usage = await call_agent(agent, iteration, question)
        answered(answer)
    outcome = answer.kind.value if isinstance(answer, Error) else "ok"
    analytics.record_answer(agent, iteration, usage, outcome)
    return answer


async def call_agent(
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
        return _to_answer(error), NO_USAGE
    # An agent may be anyone's code: its bug is its own failure and loses no sibling's answer.
    except Exception as error:
        log = structlog.get_logger()
        log.error("agent crashed", agent=agent, iteration=iteration, exc_info=True)
        message = first_line(f"{type(error).__name__}: {error}")
        return Error(FailureKind.CRASHED, message), NO_USAGE


def _to_answer(error: FoureyesError) -> Error:
    """`error` as the agent's answer, or raised again if it is not the agent's alone."""
    match error:
        case BudgetExceeded():
            return Error(FailureKind.BUDGET, str(error))
        case ReplyError():
            return Error(FailureKind.MALFORMED, str(error))
        case _:
            raise error


async def write_draft(
    drafter: Drafter, work: DraftWork, analytics: RunAnalytics
) -> Analysis | Error:
    """The drafter's next version, journalled."""

    async def run() -> Analysis | Error:
        answer = await ask(DRAFTER, work.iteration, analytics, partial(drafter.write, work))
        return answer.output if isinstance(answer, Success) else answer

    name = f"{work.iteration}/{DRAFTER}"
    return await work.services.steps.step(name, draft_key(work), Analysis, run)


async def ask_critic(
    critic: Critic, work: IterationWork, key: str, analytics: RunAnalytics
) -> Examination | Error:
    """The critic's answer, journalled; `key` is the fingerprint of `work`.

    An unfinished answer that has a vote is not journalled here, so that a resumed run completes
    it.
    """
    unfinished: list[Examination] = []

    async def run() -> Examination | Error:
        answer = await ask(critic.name, work.iteration, analytics, partial(critic.examine, work))
        tracing.record_examination(critic.name, answer)
        if isinstance(answer, Error) or answer.advisory or not answer.unfinished:
            return answer
        unfinished.append(answer)
        return answer.unfinished[0]

    answer = await work.services.steps.step(critic_step(critic.name, work), key, Examination, run)
    return unfinished[0] if unfinished else answer


async def journal_unfinished(examinations: Mapping[str, Examination], work: IterationWork) -> None:
    """Journal the unfinished answers to `work`, by critic: the next iteration builds on them."""
    for critic, examination in examinations.items():
        if examination.unfinished and not examination.advisory:
            step = critic_step(critic, work), work.fingerprint()
            await journal_result(work.services.steps, step, Examination, examination)


def critic_step(critic: str, work: IterationWork) -> str:
    """The name under which a critic's answer to `work` is journalled."""
    return f"{work.iteration}/{critic}"


async def call_judge(judge: Judge, work: JudgeWork, analytics: RunAnalytics) -> Judgement | Error:
    """The judge's judgement, journalled."""

    async def run() -> Judgement | Error:
        answer = await ask(JUDGE, work.iteration, analytics, partial(judge.judge, work))
        judged = answer.output if isinstance(answer, Success) else answer
        tracing.record_judgement(judged)
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


Answer: TypeAlias = Examination | Error


async def examine(
    critics: Sequence[Critic],
    work: IterationWork,
    analytics: RunAnalytics,
    on_answer: Callable[[str, Answer], Awaitable[None]],
) -> dict[str, Answer]:
    """Every critic's answer, by name, in the order of `critics`.

    The critics work in parallel. Each answer is journalled, and `on_answer` called with it, when
    that critic is done, before the others are waited for.

    Raises:
        FoureyesError: A critic could not go on, after the others had finished.
    """
    answers: dict[str, Answer] = {}
    faults: list[FoureyesError] = []
    key = work.fingerprint()

    async def examine_one(critic: Critic) -> None:
        try:
            answer = await ask_critic(critic, work, key, analytics)
            answers[critic.name] = answer
            await on_answer(critic.name, answer)
        except FoureyesError as error:
            faults.append(error)

    # asyncio's own group: anyio's takes a third of what the loop may cost an iteration. The last
    # critic works in this task, which would only wait otherwise.
    async with asyncio.TaskGroup() as group:
        for critic in critics[:-1]:
            group.create_task(examine_one(critic))
        for critic in critics[-1:]:
            await examine_one(critic)
    if faults:
        raise faults[0]
    return {critic.name: answers[critic.name] for critic in critics}


def claim_answers(examinations: Iterable[Examination]) -> dict[str, ClaimAssessment]:
    """The critics' assessments by claim id. One that does not support outweighs one that does."""
    answers: dict[str, ClaimAssessment] = {}
    for examination in examinations:
        for assessment in examination.assessments or ():
            known = answers.get(assessment.claim_id)
            if known is None or known.verdict is Verdict.SUPPORTED:
                answers[assessment.claim_id] = assessment
    return answers


# These files repeat the ledger in another order, or address the analyst.
_OMITTED = frozenset({MAP_FILE, CRITIQUE_FILE, GAPS_FILE, QUERIES_FILE, CHALLENGE_RECORD})


def judge_input(brief: str, delivered: IterationResult) -> JudgeInput:
    """The delivered analysis, every critic's file, the ledger and the gate."""
    conclusion = delivered.conclusion
    quality = conclusion.quality if conclusion else None
    files = [e.artefact for e in delivered.examinations.values() if e.artefact is not None]
    files += (
        [file for file in conclusion.artefacts if file.name not in _OMITTED] if conclusion else ()
    )
    return JudgeInput(
        brief=brief,
        draft=delivered.draft,
        artefacts={file.name: file.text for file in files},
        open_findings=delivered.findings,
        ledger=conclusion.ledger if conclusion else None,
        gate=conclusion.gate if conclusion else None,
        critique=quality.critique if quality else None,
    )


def apply_judgement(end: RunEnding, judgement: Judgement | Error | None) -> RunEnding:
    """The end after the judge's answer: the judge can withhold an approval, never give one."""
    if not isinstance(judgement, Judgement) or not end.status.accepted:
        return end
    if judgement.recommendation is Recommendation.APPROVE:
        return end
    reason = f"{end.status}, but the judge rejects: {judgement.summary}"
    return RunEnding(RunStatus.INCONCLUSIVE, reason)
