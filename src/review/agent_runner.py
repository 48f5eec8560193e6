"""Runs the agents of a review, several at once; a failure of one loses no answer of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, TypeVar

from ..base.off_loop import run_in_parallel
from ..core.agent_calls import ask
from ..core.run_analytics import RunAnalytics
from ..core.tasks import AgentResult, Error
from ..core.work import Progress, RunServices
from .types import InputT, NotDone, ReviewContext, ReviewPhase

ContextT = TypeVar("ContextT", bound=ReviewContext[Any], contravariant=True)
AnswerT = TypeVar("AnswerT")


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
class AgentRunner:
    """Runs agents for one session of a review, and records the parts that were not done."""

    services: RunServices
    analytics: RunAnalytics
    notify: Callable[[Progress], None]
    not_done: list[NotDone] = field(default_factory=list[NotDone])

    def contexts(self, parts: Iterable[tuple[str, InputT]]) -> list[ReviewContext[InputT]]:
        """A context for each part, given by its name and its input."""
        services = self.services
        return [ReviewContext(services=services, name=name, inputs=one) for name, one in parts]

    async def ask_each(
        self,
        phase: ReviewPhase,
        agent: ReviewAgent[ContextT, AnswerT],
        contexts: Sequence[ContextT],
        *,
        at_once: int | None = None,
    ) -> list[AnswerT | None]:
        """Run `agent` on each part, which has the name of its context; the answers in order.

        A part that fails has the answer None, and is recorded as not done.

        Raises:
            FoureyesError: The review itself cannot go on: the disk, a template, a prompt.
        """
        name = agent.agent_name

        async def ask_one(context: ContextT) -> AnswerT | None:
            part, process = context.name, partial(agent.process, context)
            self.notify(Progress("part_started", name, detail=part))
            answer = await ask(name, context.iteration, self.analytics, process)
            if isinstance(answer, Error):
                self.record_not_done(NotDone(phase, part, answer.message, answer.kind), name)
                return None
            self.notify(Progress("part_ended", name, detail=part))
            return answer.output

        works = [partial(ask_one, one) for one in contexts]
        return await run_in_parallel(works, at_once=at_once or len(works))

    def record_not_done(self, part: NotDone, agent: str = "") -> None:
        """Record that `part` was not done."""
        self.not_done.append(part)
        self.notify(Progress("part_failed", agent, detail=f"{part.part}: {part.reason}"))
