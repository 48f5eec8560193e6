"""The loop over the agents of a run, and over its sources."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial

from ..agents.answerer import AnswererAgent, ModelAnswerer
from ..agents.rules import agent_rules
from ..base.vocabulary import ChallengeStep
from ..core.evidence import DocumentEvidence
from ..core.evidence_parts import EvidenceParts
from ..core.iteration import decisions_before
from ..core.pipeline import AnalysisPipeline
from ..core.result import RunFinisher
from ..core.run_store import RunStore
from ..engine.local import LocalRun
from ..sources.fetcher import Fetcher
from ..sources.scoring.rules import load_scoring
from .backend import build_agent_deps, price_is_known
from .model import LoadedSettings
from .plugins import NO_PARTS, LoadedPlugins, RunOptions, with_built_in
from .record_config import Notify, ignore
from .replay import Replay
from .search import build_provider, source_reader
from .settings import pipeline_config, searches
from .sources import VALIDATION_LOG, SourceAppraiser


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
        own: RunOptions = NO_PARTS,
    ) -> None:
        self._settings = loaded.settings
        self.limiter = loaded.limiter
        self._replay = replay
        self._config = pipeline_config(loaded.settings)
        self._deps = build_agent_deps(loaded, replay, own.get("backend"))
        checks, folder = self._config.mode.fact_checks, loaded.settings.registry_dir
        self._scoring = load_scoring(folder) if checks else None
        self._provider = None if replay else build_provider(loaded, own.get("search"))
        self._plugins = with_built_in(plugins, self._deps, self._config, self._settings)
        # Who answers the questions of the challenges; None where nobody is asked.
        self._answerer = None
        asks = self._deps.registry.challenge.does(ChallengeStep.QUESTIONS)
        if checks and asks and self._deps.backend.independent:
            rules, config = agent_rules(self._deps.rules), self._config.fact_checker
            self._answerer = AnswererAgent(config, *self._deps.parts, rules=rules)

    def pipeline(
        self,
        engine: LocalRun[RunStore],
        fetcher: Fetcher,
        finishers: Sequence[RunFinisher],
        notify: Notify | None,
        as_of: date,
    ) -> AnalysisPipeline:
        """The loop over these agents in the run that `engine` holds.

        Raises:
            SettingsError: There is a dollar limit and the price is not known.
        """
        settings, config, replay = self._settings, self._config, self._replay
        evidence, answerer, store = None, self._answerer, engine.store
        reader = source_reader(store, fetcher, self._provider, settings)
        if self._scoring is not None:
            topic, log = settings.topic or store.manifest.title, store.path / VALIDATION_LOG
            decided = replay.store if replay else store
            # A replay goes by what had been decided before the last session of its record.
            sessions = decided.manifest.resumed + (0 if replay else 1)
            parts = EvidenceParts(
                reader,
                self._deps.registry,
                as_of=as_of,
                max_fetches=config.max_fetches,
                max_webfetches=config.fact_checker.max_webfetches,
                recorded=replay,
                appraise=SourceAppraiser(self._scoring, as_of, topic, log),
                scoring=self._scoring,
                mode=config.research_mode,
                decisions=decisions_before(decided.path, sessions),
                assignment=self._deps.rules.reading.assignment(store.read("brief.md")),
                answerer=partial(ModelAnswerer, answerer) if answerer else None,
                gatekeeper=self._plugins.gate,
                iterations=config.max_iterations,
                works=store.inputs().works,
            )
            evidence = DocumentEvidence(parts)
        if replay:
            budget = replay.budget()
        else:
            priced = price_is_known(settings, agents=self._plugins.declared)
            budget = engine.budget(config.budgets, priced=priced)
        drafter = self._plugins.drafter(reader if searches(settings) else None)
        return AnalysisPipeline(
            drafter,
            self._plugins.critics,
            judge=self._plugins.judge,
            evidence=evidence,
            store=store,
            steps=engine.steps,
            analytics=engine.analytics,
            budget=budget,
            finishers=finishers,
            config=config,
            notify=replay.track_iterations(notify or ignore) if replay else notify or ignore,
            as_of=as_of,
            settlement=self._plugins.settlement,
        )
