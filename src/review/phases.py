"""Phases 1 to 4a-v: findings against a document and its claims, each tested against its words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..documents.model import Document
from ..redteam.model import Lens, RedTeamRules
from ..redteam.reading import Reading
from ..redteam.team import find_flaws
from .agent_runner import AgentRunner, ReviewAgent, ReviewTeam
from .compiling import compile_findings
from .config import ReviewConfig
from .extraction import detect_document_claims, extraction_inputs, merge_extraction
from .smoke import SmokeTest
from .types import (
    ClaimsTested,
    CompiledFinding,
    CompiledReview,
    DefenceContext,
    DefenceInput,
    DefenceOutcome,
    Defences,
    DetectedClaims,
    DroppedClaim,
    DroppedFinding,
    ExtractedClaim,
    Extraction,
    ExtractionContext,
    KilledFinding,
    RedFinding,
    RedFindings,
    RedReviewContext,
    RedReviewInput,
    ReviewPhase,
    SmokeAnswer,
    SmokeContext,
    SmokeInput,
    SmokeItem,
    SmokeTested,
    SmokeVerdict,
)


@dataclass(frozen=True, slots=True)
class Testers:
    """A number of smoke testers that share the items of one document."""

    agent: ReviewAgent[SmokeContext, tuple[SmokeAnswer, ...]]
    number: int
    document: str

    async def failures(
        self, phase: ReviewPhase, name: str, items: Sequence[SmokeItem], runner: AgentRunner
    ) -> dict[str, str]:
        """Test `items`; the reasons of those that failed, by id. `name` begins the shares' names.

        Items in which code found a fault have failed and are not handed out; a tester may fail
        more.
        """
        failed = {item.id: item.fault for item in items if item.fault}
        left = [item for item in items if not item.fault]
        count = min(self.number, len(left))
        shares = [
            SmokeContext(
                services=runner.services,
                name=f"{name}-{number + 1}",
                inputs=SmokeInput(self.document, tuple(left[number::count])),
            )
            for number in range(count)
        ]
        answers = await runner.ask_each(phase, self.agent, shares)
        return failed | {
            answer.id: answer.reason
            for share in answers
            for answer in share or ()
            if answer.verdict is SmokeVerdict.FAILED
        }


@dataclass(frozen=True)
class FindingPhases:
    """The phases that use only the document's own text."""

    document: Document
    team: ReviewTeam
    rules: RedTeamRules
    config: ReviewConfig
    test: SmokeTest

    @cached_property
    def _reading(self) -> Reading:
        return Reading(self.document, self.test.lexicon, self.rules)

    async def attack(self, runner: AgentRunner) -> RedFindings:
        """Phase 1: the findings of rules through each lens, and those that its reviewer adds."""
        known = await asyncio.to_thread(lambda: [self._by_rules(lens) for lens in Lens])
        contexts = [
            RedReviewContext(
                services=runner.services,
                name=lens.value,
                inputs=RedReviewInput(self.document.text, lens, found),
            )
            for lens, found in zip(Lens, known, strict=True)
        ]
        added = await runner.ask_each(ReviewPhase.RED, self.team.red, contexts)
        lenses = zip(known, added, strict=True)
        return RedFindings(tuple(one for found, own in lenses for one in (*found, *(own or ()))))

    def _by_rules(self, lens: Lens) -> tuple[RedFinding, ...]:
        return tuple(
            RedFinding(
                id=f"{lens}-{number:02}",
                lens=lens,
                quote=flaw.quote,
                line=flaw.location.line,
                issue=flaw.kind.value,
                problem=flaw.problem,
                severity=flaw.severity,
                by_rules=True,
            )
            for number, flaw in enumerate(find_flaws(self._reading, lens), start=1)
        )

    async def defend(self, found: RedFindings, runner: AgentRunner) -> Defences:
        """Phase 1b: one defender for each finding."""
        contexts = [
            DefenceContext(
                services=runner.services,
                name=finding.id,
                inputs=DefenceInput(self.document.text, finding),
            )
            for finding in found.findings
        ]
        answers = await runner.ask_each(
            ReviewPhase.DEFENCE,
            self.team.blue,
            contexts,
            at_once=self.config.blue_defender.parallel,
        )
        return Defences(tuple(answer for answer in answers if answer is not None))

    def compile(self, found: RedFindings, defended: Defences) -> CompiledReview:
        """Phase 2: the findings that survived, numbered, and those that were killed."""
        defences = {defence.finding_id: defence for defence in defended.defences}
        killed = [
            KilledFinding(finding, defence)
            for finding in found.findings
            if (defence := defences.get(finding.id)) is not None
            and defence.outcome is DefenceOutcome.KILLED
        ]
        compiled = compile_findings(found.findings, defences, self.document)
        return CompiledReview(self.document.sha256, compiled, tuple(killed))

    async def smoke_test(self, compiled: CompiledReview, runner: AgentRunner) -> SmokeTested:
        """Phase 3: the findings whose quotation stands where they say.

        What rules found stands if its quotation does; a tester's word against it is kept beside it.
        """
        items = [
            SmokeItem(
                id=one.number,
                quote=one.finding.quote,
                line=one.finding.line,
                statement=one.finding.problem,
                fault=self.test.quote_fault(one.finding.quote, one.finding.line),
            )
            for one in compiled.findings
        ]
        testers = Testers(self.team.smoke, self.config.smoke_tester.testers, self.document.text)
        failed = await testers.failures(ReviewPhase.SMOKE, "findings", items, runner)
        kept, dropped = list[CompiledFinding](), list[DroppedFinding]()
        for one, item in zip(compiled.findings, items, strict=True):
            reason = failed.get(one.number, "")
            if reason and (item.fault or not one.finding.by_rules):
                dropped.append(DroppedFinding(one, reason))
            else:
                kept.append(replace(one, doubt=reason))
        return SmokeTested(tuple(kept), tuple(dropped))


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
        contexts = [
            ExtractionContext(services=runner.services, name=f"part-{number:02}", inputs=part)
            for number, part in enumerate(parts, start=1)
        ]
        answers = await runner.ask_each(ReviewPhase.CLAIMS, self.extractor, contexts)
        answered = [claim for claims in answers for claim in claims or ()]
        test = self.test
        return await asyncio.to_thread(
            merge_extraction, self.document, detected, answered, test.lexicon, as_of=test.as_of
        )

    async def smoke_test(self, extraction: Extraction, runner: AgentRunner) -> ClaimsTested:
        """Phase 4a-v: the claims that say what the document says, where they say that it does."""
        tested = await asyncio.to_thread(lambda: [self._item(one) for one in extraction.claims])
        claims, items = [one for one, _ in tested], [item for _, item in tested]
        testers = Testers(self.smoke, self.config.smoke_tester.testers, self.document.text)
        failed = await testers.failures(ReviewPhase.CLAIM_SMOKE, "claims", items, runner)
        return ClaimsTested(
            tuple(one for one in claims if one.id not in failed),
            tuple(DroppedClaim(one, failed[one.id]) for one in claims if one.id in failed),
        )

    def _item(self, claim: ExtractedClaim) -> tuple[ExtractedClaim, SmokeItem]:
        """The claim, and what is tested of it.

        A detected claim takes the polarity of its place: no extractor may have it dropped.
        """
        if claim.by_rules:
            claim = replace(claim, polarity=self.test.polarity(claim))
        return claim, SmokeItem(
            id=claim.id,
            quote=claim.quote,
            line=claim.line,
            statement=claim.statement,
            polarity=claim.polarity,
            fault=self.test.claim_fault(claim),
        )
