"""The agents of a run, built from its settings and the user's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
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
from ..core.config import PipelineConfig
from ..core.decisions import decisions_before
from ..core.evidence import DocumentEvidence, EvidenceLimits
from ..core.pipeline import AnalysisPipeline
from ..core.result import RunFinisher
from ..core.run_store import RunStore
from ..core.source_tools import SourceReader
from ..core.tasks import AgentBackend, Role
from ..core.templates import PromptLibrary, TemplateLibrary
from ..core.work import Critic, Drafter, Judge, Progress
from ..engine.local import LocalRun
from ..sources.fetcher import Fetcher
from ..sources.scoring.rules import load_scoring
from ..verification.ledger.decisions import ReviewDecision
from ..verification.registry import Registry
from .backend import build_backend, price_is_known
from .model import LoadedSettings, Settings
from .plugins import NO_PLUGINS, LoadedPlugins, Plugins
from .replay import Replay
from .rules import open_registry
from .search import build_provider, source_reader
from .settings import agent_config, pipeline_config, searches
from .sources import VALIDATION_LOG, SourceAppraiser

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


def build_agent_deps(
    loaded: LoadedSettings, replay: Replay | None = None, backend: AgentBackend | str | None = None
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


class RunComponents:
    """The agents that take part in a run, built and validated.

    Args:
        loaded: The settings of the run.
        plugins: The user's own critics and policies.
        replay: The run on record that answers in place of a backend.
        own: The user's own backend and search provider that the settings name, as objects.

    Raises:
        InputError: The backend cannot run, or a prompt, template or registry file is broken.
    """

    def __init__(
        self,
        loaded: LoadedSettings,
        plugins: LoadedPlugins,
        replay: Replay | None = None,
        *,
        own: Plugins = NO_PLUGINS,
    ) -> None:
        self._settings = loaded.settings
        self.limiter = loaded.limiter
        self._replay = replay
        self._plugins = plugins
        self._config = pipeline_config(loaded.settings)
        self._deps = build_agent_deps(loaded, replay, own.backend)
        self._scoring = None
        if self._config.mode.fact_checks:
            self._scoring = load_scoring(loaded.settings.registry_dir)
        self._provider = None if replay else build_provider(loaded, own.search)
        self._agents = build_run_agents(self._deps, self._config, plugins, self._settings)

    def pipeline(
        self,
        engine: LocalRun[RunStore],
        fetcher: Fetcher,
        *,
        finishers: Sequence[RunFinisher],
        notify: Callable[[Progress], None],
        as_of: date,
    ) -> AnalysisPipeline:
        """The loop over these agents in the run that `engine` holds.

        Raises:
            SettingsError: There is a dollar limit and the price is not known.
        """
        settings, config, replay = self._settings, self._config, self._replay
        evidence, answerer = None, self._agents.answerer
        reader = source_reader(engine.store, fetcher, self._provider, settings)
        if config.mode.fact_checks:
            limits = EvidenceLimits(config.max_fetches, config.fact_checker.max_webfetches)
            evidence = DocumentEvidence(
                reader,
                self._deps.registry,
                limits,
                as_of=as_of,
                recorded=replay,
                appraise=self._appraiser(engine, as_of),
                scoring=self._scoring,
                mode=config.research_mode,
                decisions=replay.decisions() if replay else decisions(engine.store),
                assignment=self._deps.rules.reading.assignment(engine.store.read("brief.md")),
                answerer=partial(ModelAnswerer, answerer) if answerer else None,
                gatekeeper=self._plugins.gate,
                iterations=config.max_iterations,
            )
        budget = (
            replay.budget()
            if replay
            else engine.budget(
                config.budgets, priced=price_is_known(settings, agents=self._plugins.declared)
            )
        )
        return AnalysisPipeline(
            self._agents.drafter(reader if searches(settings) else None),
            self._agents.critics,
            judge=self._agents.judge,
            evidence=evidence,
            store=engine.store,
            steps=engine.steps,
            analytics=engine.analytics,
            budget=budget,
            finishers=finishers,
            config=config,
            notify=replay.track_iterations(notify) if replay else notify,
            as_of=as_of,
            settlement=self._plugins.settlement,
        )

    def _appraiser(self, engine: LocalRun[RunStore], as_of: date) -> SourceAppraiser | None:
        if self._scoring is None:
            return None
        topic = self._settings.topic or engine.store.manifest.title
        log = engine.store.path / VALIDATION_LOG
        return SourceAppraiser(self._scoring, as_of, topic, log)


def decisions(store: RunStore) -> tuple[ReviewDecision, ...]:
    """People's decisions that count in the session of a run which is about to begin."""
    return decisions_before(store.path, store.manifest.resumed + 1)
