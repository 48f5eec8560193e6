"""The agents that take part in a run: the user's own in the place of ours."""

from __future__ import annotations

from dataclasses import dataclass

from ..agents.analyst import AgentDrafter, AnalystAgent
from ..agents.answerer import AnswererAgent
from ..agents.declared_agent import Agent, DeclaredAgent, own_agent_critic
from ..agents.fact_checker import FactCheckerAgent, fact_checker_critic
from ..agents.judge import AgentJudge, JudgeAgent
from ..agents.reviewer import ReviewerAgent, reviewer_critic
from ..agents.rules import agent_rules
from ..base.vocabulary import ChallengeStep
from ..core.config import PipelineConfig
from ..core.source_tools import SourceReader
from ..core.tasks import Role
from ..core.work import Critic, Drafter, Judge
from .backend import AgentDeps
from .model import Settings
from .plugins import LoadedPlugins
from .settings import agent_config


@dataclass(frozen=True, slots=True)
class RunAgents:
    """The agents that take part in a run: the user's own in the place of ours."""

    analyst: AnalystAgent | Drafter
    critics: tuple[Critic, ...]
    judge: Judge | None
    answerer: AnswererAgent | None

    def drafter(self, reader: SourceReader | None) -> Drafter:
        """The analyst, who reads and searches sources through `reader`, if there is one."""
        if isinstance(self.analyst, AnalystAgent):
            return AgentDrafter(self.analyst, reader)
        return self.analyst


def build_run_agents(
    deps: AgentDeps, config: PipelineConfig, plugins: LoadedPlugins, settings: Settings
) -> RunAgents:
    """The agents of the mode, and the user's own."""
    parts, rules = (deps.backend, deps.prompts, deps.templates), agent_rules(deps.rules)
    taken = {critic.name for critic in plugins.critics}
    critics: list[Critic] = []
    if config.mode.reviews and "reviewer" not in taken:
        critics.append(reviewer_critic(ReviewerAgent(config.reviewer, *parts, rules=rules)))
    if config.mode.fact_checks and "fact_checker" not in taken:
        checker = FactCheckerAgent(config.fact_checker, *parts, rules=rules)
        critics.append(fact_checker_critic(checker))
    critics += plugins.critics
    for agent in plugins.agents:
        if isinstance(agent, Agent):
            own = agent_config(agent.config, settings, Role.OWN_AGENT)
            critics.append(own_agent_critic(DeclaredAgent(agent, own, *parts, rules=rules)))
        else:
            # The record of a replay, which stands for an agent that is not at hand.
            critics.append(agent)
    judge = plugins.judge
    if judge is None and config.mode.judges:
        judge = AgentJudge(JudgeAgent(config.judge, *parts, rules=rules))
    asks = deps.registry.challenge.does(ChallengeStep.QUESTIONS)
    answerer = None
    if config.mode.fact_checks and asks and deps.backend.independent:
        answerer = AnswererAgent(config.fact_checker, *parts, rules=rules)
    analyst = plugins.analyst or AnalystAgent(config.analyst, *parts, rules=rules)
    return RunAgents(analyst, tuple(critics), judge, answerer)
