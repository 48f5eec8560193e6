"""The parts of phase 4 of a document review: its agents, its rules, and whom it asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..agents.claim_extractor import ClaimExtractorAgent
from ..agents.web_research import WebResearchProtocol
from ..agents.web_verifier import WebVerifierAgent
from ..base.registry import load_registry_file
from ..core.prompts import PromptLibrary
from ..core.source_tools import SourceReader
from ..core.tasks import AgentBackend
from ..core.templates import TemplateLibrary
from ..review.agent_runner import ReviewTeam
from ..review.claims import ClaimPhases
from ..review.config import ReviewConfig
from ..review.smoke import SmokeTest
from ..review.source_notes import WEB_REVIEW_FILE, WebReviewPolicy, WebRules
from ..review.store import ReviewStore
from ..review.web_phase import WebPhase
from ..sources.fetcher import Fetcher
from ..sources.scoring.rules import load_scoring
from ..sources.search.model import SearchProvider
from ..sources.snapshot_store import SnapshotStore
from ..verification.registry import Registry
from .appraising import VALIDATION_LOG, SourceAppraiser
from .model import LoadedSettings
from .parts import SEARCHES_FOLDER
from .search import build_provider, open_searching
from .settings import searches


@dataclass(frozen=True, slots=True)
class ReviewKit:
    """What the agents of a review are built from."""

    backend: AgentBackend
    prompts: PromptLibrary
    templates: TemplateLibrary
    registry: Registry


class WebParts:
    """The agents and rules of phase 4, built and validated.

    Args:
        loaded: The settings of the review.
        config: The same as the review's configuration.
        kit: What its agents are built from.
        search: The user's own search provider, if the settings name it and it is at hand.

    Raises:
        InputError: The search provider lacks its key, or a prompt, template or registry file is
            broken.
    """

    def __init__(
        self,
        loaded: LoadedSettings,
        config: ReviewConfig,
        kit: ReviewKit,
        search: SearchProvider | str | None = None,
    ) -> None:
        settings = self._settings = loaded.settings
        self._config = config
        self._registry = kit.registry
        self._scoring = load_scoring(settings.registry_dir)
        self._policy = load_registry_file(WebReviewPolicy, WEB_REVIEW_FILE, settings.registry_dir)
        self._provider = build_provider(loaded, search)
        common = (kit.backend, kit.prompts, kit.templates)
        self._extractor = ClaimExtractorAgent(config.claim_extractor, *common)
        protocol = None
        if searches(settings):
            protocol = WebResearchProtocol(kit.prompts, self._scoring)
        self._verifier = WebVerifierAgent(
            config.web_verifier, *common, registry=kit.registry, protocol=protocol
        )

    def phases(
        self,
        store: ReviewStore,
        fetcher: Fetcher,
        given: Sequence[str],
        team: ReviewTeam,
        test: SmokeTest,
    ) -> tuple[ClaimPhases, WebPhase]:
        """Phase 4 of the review in `store`; `given` are the addresses of the user's own sources."""
        claims = ClaimPhases(test.document, self._extractor, team.smoke, self._config, test)
        appraise = SourceAppraiser(
            self._scoring,
            as_of=test.as_of,
            topic=self._settings.topic or store.manifest.title,
            log=store.path / VALIDATION_LOG,
        )
        rules = WebRules(self._registry, self._scoring, self._policy, appraise)
        return claims, WebPhase(
            test.document,
            self._verifier,
            rules,
            self._config,
            self._reader(store, fetcher),
            test.as_of,
            tuple(given),
            self._settings.max_fetches,
        )

    def _reader(self, store: ReviewStore, fetcher: Fetcher) -> SourceReader:
        searching = None
        if self._provider is not None:
            folder = store.path / SEARCHES_FOLDER
            searching = open_searching(self._provider, self._settings, folder)
        snapshots = SnapshotStore(store.sources)
        return SourceReader(fetcher, snapshots, self._settings.allowed_hosts, searching)
