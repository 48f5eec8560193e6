"""An agent as a critic of the pipeline, and a critic without a vote."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic

import structlog

from ..base.vocabulary import Recommendation
from ..core.agent_base import BaseAgent, ConfigT, ContextT, OutputT
from ..core.agent_calls import call_agent
from ..core.artefacts import Judgement
from ..core.tasks import Error, FailureKind, TurnUsage
from ..core.work import Critic, Examination, IterationWork


@dataclass(frozen=True, slots=True)
class AgentCritic(Generic[ConfigT, ContextT, OutputT]):
    """`Critic` over an agent.

    `to_context` makes the agent's context of an iteration, None if there is nothing to examine.
    `to_examination` makes its vote from its output.
    """

    agent: BaseAgent[ConfigT, ContextT, OutputT]
    to_context: Callable[[IterationWork], ContextT | None]
    to_examination: Callable[[OutputT, TurnUsage, IterationWork], Examination]

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.agent.agent_name

    async def examine(self, work: IterationWork) -> Examination | Error:
        """Have the agent examine one iteration."""
        context = self.to_context(work)
        if context is None:
            return Error(FailureKind.CRASHED, f"{self.name} needs evidence, and the run has none")
        result = await self.agent.process(context)
        if isinstance(result, Error):
            return result
        examination = self.to_examination(result.output, result.usage, work)
        log_difference(self.name, work.iteration, examination)
        return examination


@dataclass(frozen=True, slots=True)
class Adviser:
    """`Critic` without a vote over another one: neither its answer nor its failure decides."""

    critic: Critic

    @property
    def name(self) -> str:
        """The critic's name."""
        return self.critic.name

    async def examine(self, work: IterationWork) -> Examination | Error:
        """The critic's findings; a failure stands in the answer as what is unfinished.

        Raises:
            FoureyesError: The run itself cannot go on.
        """
        ask = partial(self.critic.examine, work)
        answer, usage = await call_agent(self.name, work.iteration, ask)
        approval = Recommendation.APPROVE
        if isinstance(answer, Error):
            failed = (answer,)
            return Examination(approval, None, (), 0.0, usage, unfinished=failed, advisory=True)
        return replace(answer, recommendation=approval, independent=False, advisory=True)


def log_difference(agent: str, iteration: int, answer: Examination | Judgement) -> None:
    """Log that an agent said something else than follows from its issues (decision 1)."""
    stated, computed = answer.stated_recommendation, answer.recommendation
    if stated is None or stated is computed:
        return
    structlog.get_logger().info(
        "stated recommendation differs",
        agent=agent,
        iteration=iteration,
        stated=stated.value,
        computed=computed.value,
    )
