"""The agents and rules of a run, and the pipeline made of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
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
from ..core.pipeline import AnalysisPipeline, RunFinisher
from ..core.prompts import PromptLibrary
from ..core.record_folder import ManifestT, RecordFolder
from ..core.run_store import RunStore
from ..core.source_tools import SourceReader
from ..core.tasks import AgentBackend, Role
from ..core.templates import TemplateLibrary
from ..core.work import Critic, Progress
from ..engine.local import LocalRun
from ..sources.fetcher import Fetcher
from ..sources.scoring.rules import load_scoring
from ..sources.search.model import SearchProvider
from ..sources.snapshot_store import SnapshotStore
from ..verification.ledger.decisions import ReviewDecision
from ..verification.registry import Registry
from .appraising import VALIDATION_LOG, SourceAppraiser
from .backend import build_backend, price_is_known
from .model import LoadedSettings, Settings
from .plugins import NO_PLUGINS, LoadedPlugins, Plugins
from .replay import Replay
from .rules import open_registry
from .search import build_provider, open_searching
from .settings import agent_config, pipeline_config, searches

SEARCHES_FOLDER = "searches"
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
        self._analyst = plugins.analyst or build_analyst(self._deps, self._config)
        taken = {critic.name for critic in plugins.critics}
        ours = build_critics(self._deps, self._config, without=taken)
        declared = build_agents(self._deps, plugins, self._settings)
        self._critics = (*ours, *plugins.critics, *declared)
        self._answerer = build_answerer(self._deps, self._config)
        self._judge = plugins.judge
        if self._judge is None and self._config.mode.judges:
            self._judge = AgentJudge(build_judge(self._deps, self._config))

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
        evidence = None
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
                commission=self._deps.rules.reading.commission(engine.store.read("brief.md")),
                answerer=partial(ModelAnswerer, self._answerer) if self._answerer else None,
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
        analyst = self._analyst
        if isinstance(analyst, AnalystAgent):
            analyst = AgentDrafter(analyst, reader if searches(settings) else None)
        return AnalysisPipeline(
            analyst,
            self._critics,
            judge=self._judge,
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
        return SourceAppraiser(self._scoring, as_of=as_of, topic=topic, log=log)


def source_reader(
    folder: RecordFolder[ManifestT],
    fetcher: Fetcher,
    provider: SearchProvider | None,
    settings: Settings,
) -> SourceReader:
    """The reader through which agents get sources; answers of `provider` are kept in `folder`."""
    searching = None
    if provider is not None:
        searching = open_searching(provider, settings, folder.path / SEARCHES_FOLDER)
    return SourceReader(fetcher, SnapshotStore(folder.sources), settings.allowed_hosts, searching)


def decisions(store: RunStore) -> tuple[ReviewDecision, ...]:
    """People's decisions that count in the session of a run which is about to begin."""
    return decisions_before(store.path, store.manifest.resumed + 1)


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
    return AnswererAgent(
        config.fact_checker, deps.backend, deps.prompts, deps.templates, registry=deps.registry
    )


def build_judge(deps: AgentDeps, config: PipelineConfig) -> JudgeAgent:
    """The judge."""
    rules = agent_rules(deps.rules)
    return JudgeAgent(config.judge, deps.backend, deps.prompts, deps.templates, rules=rules)
