"""Phases 4b and 4c: what is found outside for the claims, laid beside the findings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from ..claims.model import Claim
from ..core.desk import SourceReader
from ..core.review_config import ReviewConfig
from ..core.review_contexts import WebCheckContext
from ..documents.model import Document
from ..sources.model import SourceSet
from ..sources.scoring.appraisal import Appraisal
from ..sources.scoring.rules import ScoringRegistry
from ..verification.model import ClaimAssessment
from .asking import Panel, ReviewAgent, in_parallel
from .cross_reference import CrossReference, cross_reference
from .extraction import Floor, claims_to_check
from .findings import ReviewRules
from .model import ClaimsTested, NotDone, ReviewPhase, SmokeTested, WebChecked
from .outside import Outside
from .smoke import SmokeTest
from .web import WebChecks, to_verify
from .web_policy import WebReviewPolicy


@dataclass(frozen=True, slots=True)
class WebRules:
    """What phase 4b reads and believes; `given` are the addresses of the user's own sources."""

    scoring: ScoringRegistry
    policy: WebReviewPolicy
    appraise: Callable[[SourceSet], Appraisal]
    given: tuple[str, ...]
    max_fetches: int


@dataclass(frozen=True, slots=True)
class WebPhase:
    """The phase that looks outside. It is annotation: it changes no finding."""

    document: Document
    verifier: ReviewAgent[WebCheckContext, tuple[ClaimAssessment, ...]]
    rules: ReviewRules
    web_rules: WebRules
    config: ReviewConfig
    reader: SourceReader
    test: SmokeTest

    def chosen(self, passed: ClaimsTested, floor: Floor) -> Mapping[str, Claim]:
        """The claims that are looked up, as the engine knows them, by id."""
        return claims_to_check(
            self.document,
            to_verify(passed.claims, self.config.verify_background),
            floor,
            self.rules.registry.lexicon,
            as_of=self.test.as_of,
        )

    async def look_up(self, claims: Mapping[str, Claim], panel: Panel) -> WebChecked:
        """Phase 4b: what is found for each of `claims`.

        Raises:
            FoureyesError: The review cannot go on.
        """
        checks = WebChecks(
            self.document,
            claims,
            self.reader,
            self.rules.registry,
            self.web_rules.scoring,
            self.web_rules.policy,
            self.web_rules.appraise,
            as_of=self.test.as_of,
        )
        outside = await checks.look_outside(
            panel.services, self.web_rules.given, limit=self.web_rules.max_fetches
        )
        _leave_out(outside, panel)
        assessments = await asyncio.to_thread(checks.assess, outside)
        contexts = checks.contexts(assessments, outside, self.config.web_verifier, panel.services)
        batches = await in_parallel(
            [partial(self._ask, context, panel) for context in contexts],
            at_once=max(1, len(contexts)),
        )
        answers = {one.claim_id: one for batch in batches for one in batch or ()}
        results = await asyncio.to_thread(checks.results, {**assessments, **answers}, outside)
        return WebChecked(results, outside.queries, outside.sources)

    async def _ask(
        self, context: WebCheckContext, panel: Panel
    ) -> tuple[ClaimAssessment, ...] | None:
        return await panel.ask(ReviewPhase.WEB, context.name, self.verifier, context)

    def cross_reference(
        self,
        passed: ClaimsTested,
        checked: WebChecked,
        tested: SmokeTested,
        claims: Mapping[str, Claim],
    ) -> CrossReference:
        """Phase 4c: the table and its metrics."""
        return cross_reference(
            passed.claims,
            checked.results,
            tested.findings,
            self.document,
            claims,
            self.rules.registry.lexicon,
        )


def _leave_out(outside: Outside, panel: Panel) -> None:
    """Keep which searches had no answer: that tells nothing of their claims (decision 20)."""
    for query in outside.queries:
        if query.query and query.problem:
            part = f"search for {query.claim_id}"
            panel.leave_out(NotDone(ReviewPhase.WEB, part, query.problem))
