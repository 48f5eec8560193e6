"""Phases 1 to 3: findings against a document, their defence, and the test of their quotations."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from functools import cached_property, partial

from ..documents.model import Document
from ..redteam.model import Lens
from ..redteam.reading import Reading
from ..redteam.rules import RedTeamRules
from ..redteam.team import find_flaws
from ..verification.registry import Registry
from .agent_runner import ITERATION, AgentRunner, ReviewTeam, Testers, run_in_parallel
from .compiling import compile_findings
from .config import ReviewConfig
from .model import (
    CompiledFinding,
    CompiledReview,
    Defences,
    DroppedFinding,
    KilledFinding,
    RedFindings,
    ReviewPhase,
    SmokeTested,
)
from .smoke import SmokeTest
from .types import (
    Defence,
    DefenceContext,
    DefenceInput,
    DefenceOutcome,
    RedFinding,
    RedReviewContext,
    RedReviewInput,
    SmokeItem,
)


@dataclass(frozen=True, slots=True)
class ReviewRules:
    """The registry and the red team's rules."""

    registry: Registry
    red_team: RedTeamRules


@dataclass(frozen=True)
class FindingPhases:
    """The phases that use only the document's own text."""

    document: Document
    team: ReviewTeam
    rules: ReviewRules
    config: ReviewConfig
    test: SmokeTest

    @cached_property
    def _reading(self) -> Reading:
        registry = self.rules.registry
        return Reading(self.document, registry.lexicon, self.rules.red_team)

    async def attack(self, runner: AgentRunner) -> RedFindings:
        """Phase 1: the findings of rules through each lens, and those that its reviewer adds.

        Raises:
            FoureyesError: The review cannot go on.
        """
        lenses = tuple(Lens)
        found = await run_in_parallel(
            [partial(self._look_through, lens, runner) for lens in lenses], at_once=len(lenses)
        )
        return RedFindings(tuple(finding for findings in found for finding in findings))

    async def _look_through(self, lens: Lens, runner: AgentRunner) -> tuple[RedFinding, ...]:
        known = await asyncio.to_thread(self._by_rules, lens)
        context = RedReviewContext(
            iteration=ITERATION,
            max_iterations=ITERATION,
            services=runner.services,
            inputs=RedReviewInput(self.document.text, lens, known),
        )
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
        """Phase 1b: one defender for each finding.

        Raises:
            FoureyesError: The review cannot go on.
        """
        answers = await run_in_parallel(
            [partial(self._defend, finding, runner) for finding in found.findings],
            at_once=self.config.blue_defender.parallel,
        )
        return Defences(tuple(answer for answer in answers if answer is not None))

    async def _defend(self, finding: RedFinding, runner: AgentRunner) -> Defence | None:
        context = DefenceContext(
            iteration=ITERATION,
            max_iterations=ITERATION,
            services=runner.services,
            inputs=DefenceInput(self.document.text, finding),
        )
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

        Raises:
            FoureyesError: The review cannot go on.
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
