"""Agents as the pipeline's drafter, critics and judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

import structlog

from ..base.vocabulary import Recommendation
from ..core.agent_base import BaseAgent
from ..core.agent_calls import call_agent
from ..core.artefacts import Analysis, Judgement, artefact_file
from ..core.config import BaseAgentConfig, FactCheckerConfig, ReviewerConfig
from ..core.source_tools import BriefResearch, SourceReader
from ..core.tasks import AgentResult, Error, FailureKind, Success, TurnUsage
from ..core.work import (
    AnalystContext,
    AnalystInput,
    BaseContext,
    Critic,
    CriticContext,
    DraftWork,
    Examination,
    FactCheckerContext,
    IterationWork,
    JudgeContext,
    JudgeWork,
    ReviewerContext,
    ReviewerInput,
)
from .analyst import AnalystAgent
from .declared_agent import DeclaredAgent, DeclaredAnswer, FormT
from .fact_checker import FactChecked, FactCheckerAgent
from .judge import JudgeAgent
from .reviewer import Review, ReviewerAgent

ConfigT = TypeVar("ConfigT", bound=BaseAgentConfig)
ContextT = TypeVar("ContextT", bound=BaseContext)
OutputT = TypeVar("OutputT")


@dataclass(frozen=True, slots=True)
class AgentDrafter:
    """`Drafter` over the analyst, which searches by `reader` where there is a provider."""

    agent: AnalystAgent
    reader: SourceReader | None = None

    async def write(self, work: DraftWork) -> AgentResult[Analysis]:
        """The next version of the analysis."""
        return await self.agent.process(
            AnalystContext(
                iteration=work.iteration,
                max_iterations=work.max_iterations,
                services=work.services,
                analysis_output_path=Path(f"iterations/analysis_iteration_{work.iteration}.md"),
                inputs=AnalystInput(
                    work.brief, work.materials, work.draft, work.findings, work.guidance
                ),
                research=BriefResearch(self.reader, work.brief) if self.reader else None,
            )
        )


@dataclass(frozen=True, slots=True)
class AgentJudge:
    """`Judge` over the judge agent."""

    agent: JudgeAgent

    async def judge(self, work: JudgeWork) -> AgentResult[Judgement]:
        """The judgement; a difference between what it stated and what counts is logged."""
        path = Path(f"iterations/analysis_iteration_{work.iteration}.md")
        result = await self.agent.process(
            JudgeContext(
                iteration=work.iteration,
                max_iterations=work.iteration,
                services=work.services,
                analysis_input_path=path,
                judgement_output_path=Path("judgement.json"),
                inputs=work.inputs,
            )
        )
        if isinstance(result, Success):
            output = result.output
            log_difference(
                self.agent.agent_name,
                work.iteration,
                output.stated_recommendation,
                output.recommendation,
            )
        return result


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
        log_difference(
            self.name,
            work.iteration,
            examination.stated_recommendation,
            examination.recommendation,
        )
        return examination


def reviewer_critic(agent: ReviewerAgent) -> AgentCritic[ReviewerConfig, ReviewerContext, Review]:
    """The reviewer as a critic."""

    def to_examination(review: Review, usage: TurnUsage, work: IterationWork) -> Examination:
        feedback = review.feedback
        return Examination(
            recommendation=feedback.recommendation,
            stated_recommendation=feedback.stated_recommendation,
            findings=review.findings,
            coverage=feedback.read_coverage,
            usage=usage,
            artefact=artefact_file(f"reviewer_feedback_iteration_{work.iteration}.json", feedback),
            independent=agent.backend.independent,
        )

    return AgentCritic(agent, _reviewer_context, to_examination)


def fact_checker_critic(
    agent: FactCheckerAgent,
) -> AgentCritic[FactCheckerConfig, FactCheckerContext, FactChecked]:
    """The fact checker as a critic; runs without evidence give it nothing to check."""

    def to_context(work: IterationWork) -> FactCheckerContext | None:
        return _fact_checker_context(work, agent)

    def to_examination(checked: FactChecked, usage: TurnUsage, work: IterationWork) -> Examination:
        fact_check = checked.fact_check
        share = fact_check.summary.coverage
        return Examination(
            recommendation=fact_check.recommendation,
            stated_recommendation=fact_check.stated_recommendation,
            findings=checked.findings,
            coverage=1.0 if share is None else share / 100,
            usage=usage,
            artefact=artefact_file(f"fact_check_iteration_{work.iteration}.json", fact_check),
            assessments=checked.assessments,
            independent=agent.backend.independent,
            unfinished=checked.failures,
        )

    return AgentCritic(agent, to_context, to_examination)


def own_agent_critic(agent: DeclaredAgent[FormT]) -> Critic:
    """A declared agent as a critic, without a vote if it is to have no veto."""

    def to_context(work: IterationWork) -> CriticContext:
        return CriticContext(
            iteration=work.iteration,
            max_iterations=work.max_iterations,
            services=work.services,
            work=work,
        )

    def to_examination(
        answer: DeclaredAnswer, usage: TurnUsage, work: IterationWork
    ) -> Examination:
        name = f"{agent.agent_name}_iteration_{work.iteration}.json"
        return Examination(
            recommendation=answer.report.recommendation,
            stated_recommendation=None,
            findings=answer.findings,
            coverage=answer.report.read_coverage,
            usage=usage,
            artefact=artefact_file(name, answer.report),
            independent=agent.backend.independent,
        )

    critic = AgentCritic(agent, to_context, to_examination)
    return critic if agent.agent.veto else Adviser(critic)


@dataclass(frozen=True, slots=True)
class Adviser:
    """`Critic` without a vote over another one: neither its answer nor its failure decides."""

    critic: Critic

    @property
    def name(self) -> str:
        """The critic's name."""
        return self.critic.name

    async def examine(self, work: IterationWork) -> Examination | Error:
        """The critic's findings; a failure stands in the answer as what is unfinished."""
        ask = partial(self.critic.examine, work)
        answer, usage = await call_agent(self.name, work.iteration, ask)
        approval = Recommendation.APPROVE
        match answer:
            case Examination():
                return replace(answer, recommendation=approval, independent=False, advisory=True)
            case Error():
                return Examination(
                    approval, None, (), 0.0, usage, unfinished=(answer,), advisory=True
                )


def log_difference(
    agent: str, iteration: int, stated: Recommendation | None, computed: Recommendation
) -> None:
    """Log that an agent said something else than follows from its issues (decision 1)."""
    if stated is None or stated is computed:
        return
    structlog.get_logger().info(
        "stated recommendation differs",
        agent=agent,
        iteration=iteration,
        stated=stated.value,
        computed=computed.value,
    )


def _reviewer_context(work: IterationWork) -> ReviewerContext:
    return ReviewerContext(
        iteration=work.iteration,
        max_iterations=work.max_iterations,
        services=work.services,
        analysis_input_path=Path(work.draft_path),
        feedback_output_path=Path(f"iterations/reviewer_feedback_iteration_{work.iteration}.json"),
        inputs=ReviewerInput(work.brief, work.draft, work.previous_findings, work.critique),
    )


def _fact_checker_context(
    work: IterationWork, agent: FactCheckerAgent
) -> FactCheckerContext | None:
    if work.evidence is None:
        return None
    previous = work.previous_examinations.get(agent.agent_name)
    last = previous.artefact if previous else None
    return FactCheckerContext(
        iteration=work.iteration,
        max_iterations=work.max_iterations,
        services=work.services,
        analysis_input_path=Path(work.draft_path),
        fact_check_output_path=Path(f"iterations/fact_check_iteration_{work.iteration}.json"),
        evidence=work.evidence,
        source_tools=work.source_tools,
        as_of=work.as_of,
        max_webfetches=agent.config.max_webfetches,
        max_searches=agent.config.max_searches,
        previous_fact_check_path=Path(f"iterations/{last.name}") if last else None,
        previous_fact_check=last.text if last else "",
        previous_findings=work.previous_findings,
    )
