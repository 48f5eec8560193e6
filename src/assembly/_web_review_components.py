"""The part of a review that looks claims up on the web, built from its settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..agents.rules import agent_rules, load_rules
from ..agents.source_tools import WebResearchProtocol
from ..base.registry import load_registry_file
from ..core.tasks import AgentBackend
from ..core.templates import PromptLibrary, TemplateLibrary
from ..review.extraction import SmokeTest
from ..review.store import ReviewStore
from ..review.types import ReviewConfig
from ..review.web import WebPhase
from ..review.web_sources import WEB_REVIEW_FILE, WebReviewPolicy, WebRules
from ..review.web_verifier import WebVerifierAgent
from ..sources.fetcher import Fetcher
from ..sources.scoring.rules import load_scoring
from ..sources.search.model import SearchProvider
from ..verification.registry import Registry
from .model import LoadedSettings
from .search import build_provider, source_reader
from .settings import searches
from .sources import VALIDATION_LOG, SourceAppraiser


class WebComponents:
    """The agents and rules of phase 4, built and validated.

    Args:
        loaded: The settings of the review.
        config: The same as the review's configuration.
        parts: What its agents are built from.
        registry: The word lists and thresholds of verification.
        search: The user's own search provider, if the settings name it and it is at hand.

    Raises:
        InputError: The search provider lacks its key, or a prompt, template or registry file is
            broken.
    """

    def __init__(
        self,
        loaded: LoadedSettings,
        config: ReviewConfig,
        parts: tuple[AgentBackend, PromptLibrary, TemplateLibrary],
        registry: Registry,
        search: SearchProvider | str | None = None,
    ) -> None:
        settings = self._settings = loaded.settings
        self._config = config
        self._registry = registry
        self._scoring = load_scoring(settings.registry_dir)
        self._policy = load_registry_file(WebReviewPolicy, WEB_REVIEW_FILE, settings.registry_dir)
        self._provider = build_provider(loaded, search)
        protocol = WebResearchProtocol(parts[1], self._scoring) if searches(settings) else None
        rules = replace(load_rules(None, registry), protocol=protocol)
        self._verifier = WebVerifierAgent(config.web_verifier, *parts, rules=agent_rules(rules))

    def phase(
        self, store: ReviewStore, fetcher: Fetcher, given: Sequence[str], test: SmokeTest
    ) -> WebPhase:
        """Phase 4b of the review in `store`; `given` are the addresses of the user's sources."""
        topic = self._settings.topic or store.manifest.title
        log = store.path / VALIDATION_LOG
        appraise = SourceAppraiser(self._scoring, test.as_of, topic, log)
        rules = WebRules(self._registry, self._scoring, self._policy, appraise)
        return WebPhase(
            self._verifier,
            rules,
            self._config,
            source_reader(store, fetcher, self._provider, self._settings),
            tuple(given),
            self._settings.max_fetches,
        )
