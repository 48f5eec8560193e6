"""The claims of a draft, and what code makes of each before the critics see it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from ..claims.accounting import AccountedSentence, account
from ..claims.detect import detect
from ..claims.model import Claim, Detection
from ..documents.model import Document
from ..documents.parse import parse_document
from ..verification.assessing.assess import assess_claim
from ..verification.check import refine_assessments
from ..verification.ledger.confidence import written_on
from ..verification.model import ClaimAssessment
from ..verification.passages.retrieval import SourceIndex
from ..verification.registry import Registry
from ..verification.repair.planning import unsourced
from .claim_matching import match_claims


@dataclass(frozen=True, slots=True)
class DraftClaims:
    """Finds and assesses the claims of one run's drafts by rules."""

    registry: Registry
    as_of: date
    _last: list[Claim] = field(init=False, default_factory=list[Claim])

    def detect(self, draft: str) -> tuple[Document, Detection]:
        """The parsed draft, and the claims in it; one of the last draft keeps its id."""
        document = parse_document(draft)
        lexicon = self.registry.lexicon
        found = detect(document, lexicon, as_of=self.as_of, statements=True)
        claims = match_claims(self._last, found.claims)
        self._last[:] = claims
        return document, replace(found, claims=claims)

    def account(
        self,
        document: Document,
        detection: Detection,
        assessments: Mapping[str, ClaimAssessment],
    ) -> tuple[AccountedSentence, ...]:
        """All sentences of the draft's body, with what becomes of each."""
        return account(document, detection, unsourced(assessments.values()))

    async def assess(
        self, document: Document, claims: Sequence[Claim], index: SourceIndex
    ) -> dict[str, ClaimAssessment]:
        """Assess each of `claims` against the sources of `index`; the assessments by claim id."""
        registry, written = self.registry, written_on(document)
        assessments: list[ClaimAssessment] = []
        for claim in claims:
            assessments.append(
                assess_claim(
                    claim,
                    index,
                    registry,
                    as_of=self.as_of,
                    written=written,
                    language=document.language,
                )
            )
            # Long documents take seconds; others of this process, and a Ctrl-C, get their turn.
            await asyncio.sleep(0)
        # Takes seconds for a draft with many uncited claims.
        refined, _ = await asyncio.to_thread(
            refine_assessments, document, claims, assessments, index, registry
        )
        return {one.claim_id: one for one in refined}
