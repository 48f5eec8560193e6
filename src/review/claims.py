"""Phases 4a and 4a-v: the document's claims, and whether each says what the document says."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from functools import cached_property, partial

from ..documents.model import Document
from .agent_runner import AgentRunner, ReviewAgent, Testers, run_in_parallel
from .config import ReviewConfig
from .extraction import (
    DetectedClaims,
    Extraction,
    detect_document_claims,
    extraction_inputs,
    merge_extraction,
)
from .model import ClaimsTested, DroppedClaim, ReviewPhase
from .smoke import SmokeTest
from .types import (
    ExtractedClaim,
    ExtractionContext,
    ExtractionInput,
    SmokeAnswer,
    SmokeContext,
    SmokeItem,
)


@dataclass(frozen=True)
class ClaimPhases:
    """The phases that gather the document's claims; none of them has the web."""

    document: Document
    extractor: ReviewAgent[ExtractionContext, tuple[ExtractedClaim, ...]]
    smoke: ReviewAgent[SmokeContext, tuple[SmokeAnswer, ...]]
    config: ReviewConfig
    test: SmokeTest

    @cached_property
    def detected(self) -> DetectedClaims:
        """The claims that rules find."""
        return detect_document_claims(self.document, self.test.lexicon, as_of=self.test.as_of)

    async def extract(self, runner: AgentRunner) -> Extraction:
        """Phase 4a: the claims that rules find, classified, and those that extractors add."""
        detected = await asyncio.to_thread(lambda: self.detected)
        parts = extraction_inputs(self.document, detected, self.config.claim_extractor)
        answers = await run_in_parallel(
            [
                partial(self._extract, f"part-{number:02}", part, runner)
                for number, part in enumerate(parts, start=1)
            ],
            at_once=max(1, len(parts)),
        )
        answered = [claim for claims in answers for claim in claims or ()]
        test = self.test
        return await asyncio.to_thread(
            merge_extraction, self.document, detected, answered, test.lexicon, as_of=test.as_of
        )

    async def _extract(
        self, name: str, part: ExtractionInput, runner: AgentRunner
    ) -> tuple[ExtractedClaim, ...] | None:
        context = ExtractionContext(services=runner.services, name=name, inputs=part)
        return await runner.ask(ReviewPhase.CLAIMS, name, self.extractor, context)

    async def smoke_test(self, extraction: Extraction, runner: AgentRunner) -> ClaimsTested:
        """Phase 4a-v: the claims that say what the document says, where they say that it does."""
        claims = await asyncio.to_thread(lambda: tuple(map(self._set_polarity, extraction.claims)))
        items = await asyncio.to_thread(lambda: [self._item(one) for one in claims])
        testers = Testers(self.smoke, self.config.smoke_tester.testers, self.document.text)
        failed = await testers.failures(ReviewPhase.CLAIM_SMOKE, "claims", items, runner)
        return ClaimsTested(
            tuple(one for one in claims if one.id not in failed),
            tuple(DroppedClaim(one, failed[one.id]) for one in claims if one.id in failed),
        )

    def _set_polarity(self, claim: ExtractedClaim) -> ExtractedClaim:
        """A detected claim takes the polarity of its place: no extractor may have it dropped."""
        return replace(claim, polarity=self.test.polarity(claim)) if claim.by_rules else claim

    def _item(self, claim: ExtractedClaim) -> SmokeItem:
        return SmokeItem(
            id=claim.id,
            quote=claim.quote,
            line=claim.line,
            statement=claim.statement,
            polarity=claim.polarity,
            fault=self.test.claim_fault(claim),
        )
