"""Asking the agents of a review: several at once, none losing another's answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol, TypeVar

from ..base.errors import FoureyesError
from ..core.asking import ask
from ..core.run_analytics import RunAnalytics
from ..core.tasks import AgentResult, Error
from ..core.work import Progress, RunServices
from .model import NotDone, ReviewPhase
from .types import Defence, DefenceContext, RedFinding, RedReviewContext, SmokeAnswer, SmokeContext

T = TypeVar("T")
ContextT = TypeVar("ContextT", contravariant=True)
AnswerT = TypeVar("AnswerT")

ITERATION = 1
"""A review goes over its document once."""


class ReviewAgent(Protocol[ContextT, AnswerT]):
    """An agent of a review, as the phases know it."""

    @property
    def agent_name(self) -> str:
        """The agent's name in progress and analytics."""
        ...

    async def process(self, context: ContextT) -> AgentResult[AnswerT]:
        """The agent's answer. Cancellation is raised, never returned."""
        ...


@dataclass(frozen=True, slots=True)
class ReviewTeam:
    """The agents of phases 1 to 3."""

    red: ReviewAgent[RedReviewContext, tuple[RedFinding, ...]]
    blue: ReviewAgent[DefenceContext, Defence]
    smoke: ReviewAgent[SmokeContext, tuple[SmokeAnswer, ...]]


@dataclass(frozen=True, slots=True)
class Panel:
    """Asks agents for one sitting of a review, and keeps what was not done."""

    services: RunServices
    analytics: RunAnalytics
    notify: Callable[[Progress], None]
    not_done: list[NotDone] = field(default_factory=list[NotDone])

    async def ask(
        self,
        phase: ReviewPhase,
        part: str,
        agent: ReviewAgent[ContextT, AnswerT],
        context: ContextT,
    ) -> AnswerT | None:
        """The answer of `agent` to its part; None, which is kept as not done, if it has none.

        Raises:
            FoureyesError: The review itself cannot go on: the disk, a template, a prompt.
        """
        name = agent.agent_name
        self.notify(Progress("part_started", name, detail=part))
        answer = await ask(name, ITERATION, self.analytics, partial(agent.process, context))
        if isinstance(answer, Error):
            self.leave_out(NotDone(phase, part, answer.message, answer.kind), name)
            return None
        self.notify(Progress("part_ended", name, detail=part))
        return answer.output

    def leave_out(self, part: NotDone, agent: str = "") -> None:
        """Keep that `part` was not done."""
        self.not_done.append(part)
        self.notify(Progress("part_failed", agent, detail=f"{part.part}: {part.reason}"))


async def in_parallel(works: Sequence[Callable[[], Awaitable[T]]], *, at_once: int) -> list[T]:
    """The result of each of `works`, in their order; at most `at_once` are under way.

    After one has raised a `FoureyesError`, none is begun any more, and those under way are let
    finish, so that what they have paid for is kept.

    Raises:
        FoureyesError: The first that was raised.
    """
    results: dict[int, T] = {}
    faults: list[FoureyesError] = []
    waiting = iter(enumerate(works))

    async def work_on() -> None:
        for number, work in waiting:
            if faults:
                return
            try:
                results[number] = await work()
            except FoureyesError as error:
                faults.append(error)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(at_once, len(works))):
            group.create_task(work_on())
    if faults:
        raise faults[0]
    return [results[number] for number in range(len(works))]
