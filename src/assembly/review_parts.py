"""The agents and rules of a document review, and its pipeline made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..agents.blue_defender import BlueDefenderAgent
from ..agents.red_reviewer import RedReviewerAgent
from ..agents.smoke_tester import SmokeTesterAgent
from ..base.registry import load_registry_file
from ..core.desk import SourceReader
from ..core.prompts import PromptLibrary
from ..core.templates import TemplateLibrary
from ..core.types import Progress
from ..engine.local import LocalRun
from ..redteam.rules import load_rules
from ..review.asking import ReviewTeam
from ..review.claims import ClaimPhases
from ..review.findings import FindingPhases, ReviewRules
from ..review.originals import Original
from ..review.pipeline import ReviewPhases, ReviewPipeline
from ..review.smoke import SmokeTest
from ..review.store import ReviewStore
from ..review.web_phase import WebPhase, WebRules
from ..review.web_policy import WEB_REVIEW_FILE, WebReviewPolicy
from ..sources.fetcher import Fetcher
from ..sources.scoring.rules import load_scoring
from ..sources.snapshot_store import SnapshotStore
from ..verification.registry import load_registry
from .appraising import VALIDATION_LOG, SourceAppraiser
from .backend import build_backend, price_is_known
from .model import REVIEW_ROLES, LoadedSettings
from .parts import SEARCHES_FOLDER
from .search import build_provider, open_searching
from .settings import review_config, searches


class ReviewParts:
    """The agents that take part in a review, built and validated.

    Args:
        loaded: The settings of the review.

    Raises:
        InputError: The backend cannot run, or a prompt, template or registry file is broken.
    """

    def __init__(self, loaded: LoadedSettings) -> None:
        settings = loaded.settings
        self._settings = settings
        self.config = config = review_config(settings)
        self.backend = build_backend(loaded)
        prompts = PromptLibrary(settings.prompts_dir)
        templates = TemplateLibrary(settings.templates_dir)
        kit = (self.backend, prompts, templates)
        registry = load_registry(settings.registry_dir)
        self._rules = ReviewRules(registry, load_rules(settings.registry_dir))
        self._team = ReviewTeam(
            RedReviewerAgent(config.red_reviewer, *kit),
            BlueDefenderAgent(config.blue_defender, *kit),
            SmokeTesterAgent(config.smoke_tester, *kit),
        )
        self._extractor = ClaimExtractorAgent(
            config.claim_extractor, *kit, lexicon=registry.lexicon
        )
        protocol = None
        self._scoring = load_scoring(settings.registry_dir)
        if searches(settings):
            protocol = WebResearchProtocol(prompts, self._scoring)
        self._verifier = WebVerifierAgent(
            config.web_verifier, *kit, registry=registry, protocol=protocol
        )
        self._policy = load_registry_file(WebReviewPolicy, WEB_REVIEW_FILE, settings.registry_dir)
        self._provider = build_provider(loaded)

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
        original, as_of = engine.store.original(), engine.store.manifest.as_of
        registry = self._rules.registry
        test = SmokeTest(original.document, registry.lexicon, registry.verification, as_of)
        phases = ReviewPhases(
            FindingPhases(original.document, self._team, self._rules, self.config, test),
            *self._web_phases(engine, fetcher, given, original, test),
        )
        priced = price_is_known(self._settings, REVIEW_ROLES)
        return ReviewPipeline(
            engine.store,
            phases,
            steps=engine.steps,
            analytics=engine.analytics,
            budget=engine.budget(self.config.budgets, priced=priced),
            notify=notify,
        )

    def _web_phases(
        self,
        engine: LocalRun[ReviewStore],
        fetcher: Fetcher,
        given: Sequence[str],
        original: Original,
        test: SmokeTest,
    ) -> tuple[ClaimPhases | None, WebPhase | None]:
        """Phase 4, where it is wanted."""
        if not self.config.web:
            return None, None
        appraise = SourceAppraiser(
            self._scoring,
            as_of=test.as_of,
            topic=self._settings.topic or engine.store.manifest.title,
            log=engine.store.path / VALIDATION_LOG,
        )
        rules = WebRules(
            self._scoring, self._policy, appraise, tuple(given), self._settings.max_fetches
        )
        claims = ClaimPhases(
            original.document, self._extractor, self._team.smoke, self.config, test
        )
        reader = self._reader(engine, fetcher)
        return claims, WebPhase(
            original.document, self._verifier, self._rules, rules, self.config, reader, test
        )

    def _reader(self, engine: LocalRun[ReviewStore], fetcher: Fetcher) -> SourceReader:
        searching = None
        if self._provider is not None:
            folder = engine.store.path / SEARCHES_FOLDER
            searching = open_searching(self._provider, self._settings, folder)
        store = SnapshotStore(engine.store.sources)
        return SourceReader(fetcher, store, self._settings.allowed_hosts, searching)
