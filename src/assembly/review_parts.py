"""The agents and rules of a document review, and its pipeline made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..agents.blue_defender import BlueDefenderAgent
from ..agents.red_reviewer import RedReviewerAgent
from ..agents.smoke_tester import SmokeTesterAgent
from ..core.prompts import PromptLibrary
from ..core.tasks import AgentBackend
from ..core.templates import TemplateLibrary
from ..core.work import Progress
from ..engine.local import LocalRun
from ..redteam.rules import load_rules
from ..review.agent_runner import ReviewTeam
from ..review.findings import FindingPhases, ReviewRules
from ..review.limits import load_limits
from ..review.pipeline import ReviewPhases, ReviewPipeline
from ..review.smoke import SmokeTest
from ..review.store import ReviewStore
from ..sources.fetcher import Fetcher
from .backend import build_backend, price_is_known
from .model import REVIEW_ROLES, LoadedSettings
from .own_parts import NOTHING_OWN, OwnParts
from .reader import open_registry
from .review_web import ReviewKit, WebParts
from .settings import review_config


class ReviewParts:
    """The agents that take part in a review, built and validated.

    Args:
        loaded: The settings of the review.
        own: The user's own backend and search provider that the settings name, as objects.

    Raises:
        InputError: The backend cannot run, or a prompt, template or registry file is broken.
    """

    def __init__(self, loaded: LoadedSettings, own: OwnParts = NOTHING_OWN) -> None:
        settings = self._settings = loaded.settings
        self.limiter = loaded.limiter
        self.config = config = review_config(settings)
        registry = open_registry(settings)
        self.backend: AgentBackend = build_backend(loaded, own.backend)
        self._rules = ReviewRules(registry, load_rules(settings.registry_dir))
        common = (
            self.backend,
            PromptLibrary(settings.prompts_dir),
            TemplateLibrary(settings.templates_dir),
        )
        self._team = ReviewTeam(
            RedReviewerAgent(config.red_reviewer, *common),
            BlueDefenderAgent(config.blue_defender, *common),
            SmokeTesterAgent(config.smoke_tester, *common),
        )
        self._web = None
        if config.web:
            self._web = WebParts(loaded, config, ReviewKit(*common, registry), own.search)

    def pipeline(
        self,
        engine: LocalRun[ReviewStore],
        fetcher: Fetcher,
        given: Sequence[str],
        *,
        notify: Callable[[Progress], None],
    ) -> ReviewPipeline:
        """The phases over these agents in the review that `engine` holds.

        `given` are the addresses of the user's own sources.

        Raises:
            SettingsError: There is a dollar limit and the price is not known.
            RunDirectoryError: The reading copy was changed.
        """
        store = engine.store
        document, registry = store.original().document, self._rules.registry
        limits = load_limits(self._settings.registry_dir)
        as_of = store.manifest.as_of
        test = SmokeTest(document, registry, as_of, limits)
        findings = FindingPhases(document, self._team, self._rules, self.config, test)
        claims, web = None, None
        if self._web is not None:
            claims, web = self._web.phases(store, fetcher, given, self._team, test)
        priced = price_is_known(self._settings, REVIEW_ROLES)
        return ReviewPipeline(
            store,
            ReviewPhases(findings, claims, web),
            steps=engine.steps,
            analytics=engine.analytics,
            budget=engine.budget(self.config.budgets, priced=priced),
            notify=notify,
        )
