"""The review stage: every critic in parallel, none losing another's answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeAlias

from ..base.errors import FoureyesError
from ..base.vocabulary import Verdict
from ..verification.model import ClaimAssessment
from .asking import ask_critic
from .run_analytics import RunAnalytics
from .types import Critic, Error, Examination, IterationWork

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
