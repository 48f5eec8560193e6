"""Phases 4b and 4c: what is found outside for the claims, laid beside the findings."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial

from ..claims.model import Claim
from ..core.source_tools import SourceReader
from ..documents.model import Document
from ..verification.model import ClaimAssessment
from .agent_runner import AgentRunner, ReviewAgent, run_in_parallel
from .config import ReviewConfig
from .cross_reference import CrossReference, cross_reference
from .extraction import DetectedClaims, claims_to_check
from .model import ClaimsTested, NotDone, ReviewPhase, SmokeTested, WebChecked
from .outside import Outside
from .source_notes import WebRules
from .types import ExtractedClaim, WebCheckContext
from .web import WebChecks, select_claims


@dataclass(frozen=True, slots=True)
class Chosen:
    """The claims to look up: as the document has them, and by id as the engine knows them."""

    extracted: tuple[ExtractedClaim, ...]
    claims: Mapping[str, Claim]


@dataclass(frozen=True, slots=True)
class WebPhase:
    """The phase that looks outside. It is annotation: it changes no finding."""

    document: Document
    verifier: ReviewAgent[WebCheckContext, tuple[ClaimAssessment, ...]]
    rules: WebRules
    config: ReviewConfig
    reader: SourceReader
    as_of: date
    given: tuple[str, ...]
    max_fetches: int

    def chosen(self, passed: ClaimsTested, detected: DetectedClaims) -> Chosen:
        """The claims that are to be looked up."""
        extracted = select_claims(passed.claims, background=self.config.verify_background)
        lexicon = self.rules.registry.lexicon
        claims = claims_to_check(self.document, extracted, detected, lexicon, as_of=self.as_of)
        return Chosen(extracted, claims)

    async def look_up(self, chosen: Chosen, runner: AgentRunner) -> WebChecked:
        """Phase 4b: what is found for each of the claims.

        Raises:
            FoureyesError: The review cannot go on.
        """
        checks = WebChecks(
            self.document,
            chosen.extracted,
            chosen.claims,
            self.reader,
            self.rules,
            as_of=self.as_of,
        )
        outside = await checks.search_outside(
            runner.services, given=self.given, limit=self.max_fetches
        )
        _leave_out(outside, runner)
        assessments = await asyncio.to_thread(checks.assess, outside)
        contexts = checks.contexts(assessments, outside, self.config.web_verifier, runner.services)
        batches = await run_in_parallel(
            [partial(self._ask, context, runner) for context in contexts],
            at_once=max(1, len(contexts)),
        )
        answers = {one.claim_id: one for batch in batches for one in batch or ()}
        return await asyncio.to_thread(checks.build_result, {**assessments, **answers}, outside)

    async def _ask(
        self, context: WebCheckContext, runner: AgentRunner
    ) -> tuple[ClaimAssessment, ...] | None:
        return await runner.ask(ReviewPhase.WEB, context.name, self.verifier, context)

    def cross_reference(
        self, chosen: Chosen, checked: WebChecked, tested: SmokeTested
    ) -> CrossReference:
        """Phase 4c: the table and its metrics."""
        return cross_reference(
            chosen.extracted,
            checked.results,
            tested.findings,
            self.document,
            chosen.claims,
            self.rules.registry.lexicon,
        )


def _leave_out(outside: Outside, runner: AgentRunner) -> None:
    """Keep which searches had no answer: that tells nothing of their claims."""
    for query in outside.queries:
        if query.query and query.problem:
            part = f"search for {query.claim_id}"
            runner.record_not_done(NotDone(ReviewPhase.WEB, part, query.problem))
