"""Phases 1 to 4a-v: findings against a document and its claims, each tested against its words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from ..documents.model import Document
from ..redteam.model import Lens
from ..redteam.reading import Reading
from ..redteam.rules import RedTeamRules
from ..redteam.team import find_flaws
from .agent_runner import AgentRunner, ReviewAgent, ReviewTeam, run_in_parallel
from .compiling import compile_findings
from .config import ReviewConfig
from .extraction import (
    DetectedClaims,
    Extraction,
    detect_document_claims,
    extraction_inputs,
    merge_extraction,
)
from .smoke import SmokeTest
from .types import (
    ClaimsTested,
    CompiledFinding,
    CompiledReview,
    Defence,
    DefenceContext,
    DefenceInput,
    DefenceOutcome,
    Defences,
    DroppedClaim,
    DroppedFinding,
    ExtractedClaim,
    ExtractionContext,
    ExtractionInput,
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
        shares = _shares([item for item in items if not item.fault], self.number)
        answers = await run_in_parallel(
            [
                partial(self._test, phase, f"{name}-{number}", share, runner)
                for number, share in enumerate(shares, start=1)
            ],
            at_once=self.number,
        )
        return failed | {
            answer.id: answer.reason
            for share in answers
            for answer in share or ()
            if answer.verdict is SmokeVerdict.FAILED
        }

    async def _test(
        self, phase: ReviewPhase, name: str, share: tuple[SmokeItem, ...], runner: AgentRunner
    ) -> tuple[SmokeAnswer, ...] | None:
        inputs = SmokeInput(self.document, share)
        context = SmokeContext(services=runner.services, name=name, inputs=inputs)
        return await runner.ask(phase, name, self.agent, context)


def _shares(items: Sequence[SmokeItem], number: int) -> list[tuple[SmokeItem, ...]]:
    """`items` in at most `number` shares of about equal size."""
    count = min(number, len(items))
    return [tuple(items[first::count]) for first in range(count)]


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
        lenses = tuple(Lens)
        found = await run_in_parallel(
            [partial(self._look_through, lens, runner) for lens in lenses], at_once=len(lenses)
        )
        return RedFindings(tuple(finding for findings in found for finding in findings))

    async def _look_through(self, lens: Lens, runner: AgentRunner) -> tuple[RedFinding, ...]:
        known = await asyncio.to_thread(self._by_rules, lens)
        inputs = RedReviewInput(self.document.text, lens, known)
        context = RedReviewContext(services=runner.services, inputs=inputs)
        own = await runner.ask(ReviewPhase.RED, lens.value, self.team.red, context)
        return (*known, *(own or ()))

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
        answers = await run_in_parallel(
            [partial(self._defend, finding, runner) for finding in found.findings],
            at_once=self.config.blue_defender.parallel,
        )
        return Defences(tuple(answer for answer in answers if answer is not None))

    async def _defend(self, finding: RedFinding, runner: AgentRunner) -> Defence | None:
        inputs = DefenceInput(self.document.text, finding)
        context = DefenceContext(services=runner.services, inputs=inputs)
        return await runner.ask(ReviewPhase.DEFENCE, finding.id, self.team.blue, context)

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
