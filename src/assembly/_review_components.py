"""The agents and rules of a document review, and its pipeline made of them."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.tasks import AgentBackend
from ..core.templates import PromptLibrary, TemplateLibrary
from ..documents.parse import parse_document
from ..documents.words import packaged_words
from ..engine.local import LocalRun
from ..redteam.model import load_rules
from ..review.agents import (
    BlueDefenderAgent,
    ClaimExtractorAgent,
    RedReviewerAgent,
    SmokeTesterAgent,
)
from ..review.extraction import SmokeTest, load_limits
from ..review.phases import DocumentPhases, ReviewTeam
from ..review.pipeline import ReviewPipeline
from ..review.store import ReviewStore
from ..sources.fetcher import Fetcher
from ._web_review_components import WebComponents
from .backend import build_backend, price_is_known
from .model import REVIEW_ROLES, LoadedSettings
from .plugins import NO_PARTS, ReviewOptions
from .record_config import Notify, ignore
from .rules import open_registry
from .settings import review_config


class ReviewComponents:
    """The agents that take part in a review, built and validated.

    Args:
        loaded: The settings of the review.
        own: The user's own backend and search provider that the settings name, as objects.

    Raises:
        InputError: The backend cannot run, or a prompt, template or registry file is broken.
    """

    def __init__(self, loaded: LoadedSettings, own: ReviewOptions = NO_PARTS) -> None:
        settings = self._settings = loaded.settings
        self.limiter = loaded.limiter
        self.config = config = review_config(settings)
        registry = self._registry = open_registry(settings)
        self.backend: AgentBackend = build_backend(loaded, own.get("backend"))
        self._rules = load_rules(settings.registry_dir)
        prompts, templates = PromptLibrary(settings.prompts_dir), settings.templates_dir
        parts = (self.backend, prompts, TemplateLibrary(templates))
        self._team = ReviewTeam(
            RedReviewerAgent(config.red_reviewer, *parts),
            BlueDefenderAgent(config.blue_defender, *parts),
            SmokeTesterAgent(config.smoke_tester, *parts),
            ClaimExtractorAgent(config.claim_extractor, *parts),
        )
        self._web = None
        if config.web:
            self._web = WebComponents(loaded, config, parts, registry, own.get("search"))

    def pipeline(
        self,
        engine: LocalRun[ReviewStore],
        fetcher: Fetcher,
        given: Sequence[str],
        notify: Notify | None,
    ) -> ReviewPipeline:
        """The phases over these agents in the review that `engine` holds.

        `given` are the addresses of the user's own sources.

        Raises:
            SettingsError: There is a dollar limit and the price is not known.
            RunDirectoryError: The reading copy was changed.
        """
        store = engine.store
        words = self._registry.lexicon.document_words
        original = store.original()
        packaged = words == packaged_words()
        document = original.document if packaged else parse_document(original.text, words)
        limits = load_limits(self._settings.registry_dir)
        as_of = store.manifest.as_of
        test = SmokeTest(document, self._registry, as_of, limits)
        web = self._web.phase(store, fetcher, given, test) if self._web else None
        priced = price_is_known(self._settings, REVIEW_ROLES)
        return ReviewPipeline(
            store,
            DocumentPhases(self._team, self._rules, self.config, test),
            web,
            steps=engine.steps,
            analytics=engine.analytics,
            budget=engine.budget(self.config.budgets, priced=priced),
            notify=notify or ignore,
        )
