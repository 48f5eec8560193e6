"""Phases 4a and 4a-v: what a document states as fact, and whether that is what it says."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from functools import cached_property, partial

from ..documents.model import Document
from .asking import ITERATION, Panel, ReviewAgent, in_parallel
from .config import ReviewConfig
from .extraction import (
    Extraction,
    Floor,
    claim_floor,
    extraction_inputs,
    merge_extraction,
)
from .model import ClaimsTested, DroppedClaim, ReviewPhase
from .smoke import SmokeTest
from .testing import Testers
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
    def floor(self) -> Floor:
        """The claims that rules find."""
        return claim_floor(self.document, self.test.lexicon, as_of=self.test.as_of)

    async def extract(self, panel: Panel) -> Extraction:
        """Phase 4a: the claims that rules find, classified, and those that extractors add.

        Raises:
            FoureyesError: The review cannot go on.
        """
        floor = await asyncio.to_thread(lambda: self.floor)
        parts = extraction_inputs(self.document, floor, self.config.claim_extractor)
        answers = await in_parallel(
            [
                partial(self._extract, f"part-{number:02}", part, panel)
                for number, part in enumerate(parts, start=1)
            ],
            at_once=max(1, len(parts)),
        )
        answered = [claim for claims in answers for claim in claims or ()]
        return await asyncio.to_thread(
            partial(
                merge_extraction,
                self.document,
                floor,
                answered,
                self.test.lexicon,
                as_of=self.test.as_of,
            )
        )

    async def _extract(
        self, name: str, part: ExtractionInput, panel: Panel
    ) -> tuple[ExtractedClaim, ...] | None:
        context = ExtractionContext(
            iteration=ITERATION,
            max_iterations=ITERATION,
            services=panel.services,
            name=name,
            inputs=part,
        )
        return await panel.ask(ReviewPhase.CLAIMS, name, self.extractor, context)

    async def smoke_test(self, extraction: Extraction, panel: Panel) -> ClaimsTested:
        """Phase 4a-v: the claims that say what the document says, where they say that it does.

        Raises:
            FoureyesError: The review cannot go on.
        """
        claims = await asyncio.to_thread(lambda: tuple(map(self._placed, extraction.claims)))
        items = await asyncio.to_thread(lambda: [self._item(one) for one in claims])
        testers = Testers(self.smoke, self.config.smoke_tester.testers, self.document.text)
        failed = await testers.failures(ReviewPhase.CLAIM_SMOKE, "claims", items, panel)
        return ClaimsTested(
            tuple(one for one in claims if one.id not in failed),
            tuple(DroppedClaim(one, failed[one.id]) for one in claims if one.id in failed),
        )

    def _placed(self, claim: ExtractedClaim) -> ExtractedClaim:
        """A claim of the floor with the polarity of its place: no extractor may have it dropped."""
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
