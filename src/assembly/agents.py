"""The agents of a run, built from its settings and the user's own."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial

from ..agents.analyst import AnalystAgent
from ..agents.answerer import AnswererAgent, ModelAnswerer
from ..agents.critics import (
    AgentDrafter,
    AgentJudge,
    fact_checker_critic,
    own_agent_critic,
    reviewer_critic,
)
from ..agents.declared_agent import Agent, DeclaredAgent
from ..agents.fact_checker import FactCheckerAgent
from ..agents.judge import JudgeAgent
from ..agents.reviewer import ReviewerAgent
from ..agents.rules import Rules, agent_rules, load_rules, present
from ..agents.web_research import WebResearchProtocol
from ..base.vocabulary import ChallengeStep
from ..core.claim_challenger import AnswererMaker
from ..core.config import PipelineConfig
from ..core.prompts import PromptLibrary
from ..core.source_tools import SourceReader
from ..core.tasks import AgentBackend, Role
from ..core.templates import TemplateLibrary
from ..core.work import Critic, Drafter, Judge
from ..sources.scoring.rules import load_scoring
from ..verification.registry import Registry
from .backend import build_backend
from .model import LoadedSettings, Settings
from .plugins import LoadedPlugins
from .replay import Replay
from .rules import open_registry
from .settings import agent_config, searches

ANALYST_PROMPT = "agents/analyst/system.md"


@dataclass(frozen=True, slots=True)
class AgentDeps:
    """Dependencies that every agent of a run is built from."""

    backend: AgentBackend
    prompts: PromptLibrary
    templates: TemplateLibrary
    rules: Rules

    @property
    def registry(self) -> Registry:
        """The word lists and thresholds of verification."""
        return self.rules.registry


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

    @property
    def answer(self) -> AnswererMaker | None:
        """Makes the answerer of the challenges' questions; None for code alone."""
        return partial(ModelAnswerer, self.answerer) if self.answerer else None


def build_run_agents(
    deps: AgentDeps, config: PipelineConfig, plugins: LoadedPlugins, settings: Settings
) -> RunAgents:
    """The agents of the mode, and the user's own."""
    taken = {critic.name for critic in plugins.critics}
    ours = build_critics(deps, config, without=taken)
    judge = plugins.judge
    if judge is None and config.mode.judges:
        judge = AgentJudge(build_judge(deps, config))
    return RunAgents(
        plugins.analyst or build_analyst(deps, config),
        (*ours, *plugins.critics, *build_agents(deps, plugins, settings)),
        judge,
        build_answerer(deps, config),
    )


def build_agent_deps(
    loaded: LoadedSettings,
    replay: Replay | None = None,
    backend: AgentBackend | str | None = None,
) -> AgentDeps:
    """Everything that several agents share; `backend` is the user's own, if it is an object."""
    settings = loaded.settings
    prompts = PromptLibrary(settings.prompts_dir)
    if settings.analyst_prompt is not None:
        prompts = prompts.with_override(ANALYST_PROMPT, settings.analyst_prompt)
    registry = open_registry(settings).without(settings.skip_challenges)
    return AgentDeps(
        backend=replay.backend if replay else build_backend(loaded, backend),
        prompts=prompts,
        templates=TemplateLibrary(settings.templates_dir),
        rules=replace(
            load_rules(settings.registry_dir, registry),
            protocol=_protocol(settings, prompts),
            clock=replay.clock if replay else present,
        ),
    )


def _protocol(settings: Settings, prompts: PromptLibrary) -> WebResearchProtocol | None:
    if not searches(settings):
        return None
    return WebResearchProtocol(prompts, load_scoring(settings.registry_dir))


def build_analyst(deps: AgentDeps, config: PipelineConfig) -> AnalystAgent:
    """The analyst."""
    rules = agent_rules(deps.rules)
    return AnalystAgent(config.analyst, deps.backend, deps.prompts, deps.templates, rules=rules)


def build_critics(
    deps: AgentDeps, config: PipelineConfig, *, without: Collection[str] = ()
) -> list[Critic]:
    """The critics of the mode: none, the reviewer, or the reviewer and the fact checker.

    Those whose names are in `without` the user replaces.
    """
    critics: list[Critic] = []
    common, rules = (deps.backend, deps.prompts, deps.templates), agent_rules(deps.rules)
    if config.mode.reviews and "reviewer" not in without:
        critics.append(reviewer_critic(ReviewerAgent(config.reviewer, *common, rules=rules)))
    if config.mode.fact_checks and "fact_checker" not in without:
        checker = FactCheckerAgent(config.fact_checker, *common, rules=rules)
        critics.append(fact_checker_critic(checker))
    return critics


def build_agents(deps: AgentDeps, plugins: LoadedPlugins, settings: Settings) -> Iterator[Critic]:
    """The user's own agents as critics; what stands for one that is not at hand, as it is."""
    for agent in plugins.agents:
        if not isinstance(agent, Agent):
            yield agent
            continue
        runs = DeclaredAgent(
            agent,
            agent_config(agent.config, settings, Role.OWN_AGENT),
            deps.backend,
            deps.prompts,
            deps.templates,
            rules=agent_rules(deps.rules),
        )
        yield own_agent_critic(runs)


def build_answerer(deps: AgentDeps, config: PipelineConfig) -> AnswererAgent | None:
    """The answerer of the challenges' questions; None where nobody but code could answer."""
    asks = deps.registry.challenge.does(ChallengeStep.QUESTIONS)
    if not (config.mode.fact_checks and asks and deps.backend.independent):
        return None
    common, rules = (deps.backend, deps.prompts, deps.templates), agent_rules(deps.rules)
    return AnswererAgent(config.fact_checker, *common, rules=rules)


def build_judge(deps: AgentDeps, config: PipelineConfig) -> JudgeAgent:
    """The judge."""
    rules = agent_rules(deps.rules)
    return JudgeAgent(config.judge, deps.backend, deps.prompts, deps.templates, rules=rules)
