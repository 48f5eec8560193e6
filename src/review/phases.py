"""Phases 1 to 4a-v: findings against a document and its claims, each tested against its words.

`AgentRunner` runs the agents, several at once; a failure of one loses no answer of the others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol, TypeVar

from ..base.off_loop import run_in_parallel
from ..core.agent_calls import ask
from ..core.run_analytics import RunAnalytics
from ..core.tasks import AgentResult, Error
from ..core.work import Progress, RunServices
from ..documents.model import Document
from ..redteam.model import Lens, RedTeamRules
from ..redteam.reading import Reading
from ..redteam.team import find_flaws
from .compiling import compile_findings
from .extraction import SmokeTest, extraction_inputs, merge_extraction
from .types import (
    ClaimsTested,
    CompiledFinding,
    CompiledReview,
    Defence,
    DefenceContext,
    DefenceInput,
    Defences,
    DroppedClaim,
    DroppedFinding,
    ExtractedClaim,
    Extraction,
    ExtractionContext,
    InputT,
    NotDone,
    RedFinding,
    RedFindings,
    RedReviewContext,
    RedReviewInput,
    ReviewConfig,
    ReviewContext,
    ReviewPhase,
    SmokeContext,
    SmokeInput,
    SmokeItem,
    SmokeTested,
)

ContextT = TypeVar("ContextT", bound=ReviewContext[Any], contravariant=True)
AnswerT = TypeVar("AnswerT")


class ReviewAgent(Protocol[ContextT, AnswerT]):
    """An agent of a review, as the phases know it."""

    @property
    def agent_name(self) -> str:
        """The agent's name in progress and analytics."""
        ...

    async def process(self, context: ContextT) -> AgentResult[AnswerT]:
        """The agent's answer. Cancellation is raised, never returned."""
        ...


@dataclass(frozen=True, slots=True)
class AgentRunner:
    """Runs agents for one session of a review, and records the parts that were not done."""

    services: RunServices
    analytics: RunAnalytics
    notify: Callable[[Progress], None]
    not_done: list[NotDone] = field(default_factory=list[NotDone])

    def contexts(self, parts: Iterable[tuple[str, InputT]]) -> list[ReviewContext[InputT]]:
        """A context for each part, given by its name and its input."""
        services = self.services
        return [ReviewContext(services=services, name=name, inputs=one) for name, one in parts]

    async def ask_each(
        self,
        phase: ReviewPhase,
        agent: ReviewAgent[ContextT, AnswerT],
        contexts: Sequence[ContextT],
        *,
        at_once: int | None = None,
    ) -> list[AnswerT | None]:
        """Run `agent` on each part, which has the name of its context; the answers in order.

        A part that fails has the answer None, and is recorded as not done.

        Raises:
            FoureyesError: The review itself cannot go on: the disk, a template, a prompt.
        """
        name = agent.agent_name

        async def ask_one(context: ContextT) -> AnswerT | None:
            part, process = context.name, partial(agent.process, context)
            self.notify(Progress("part_started", name, detail=part))
            answer = await ask(name, context.iteration, self.analytics, process)
            if isinstance(answer, Error):
                self.record_not_done(NotDone(phase, part, answer.message, answer.kind), name)
                return None
            self.notify(Progress("part_ended", name, detail=part))
            return answer.output

        works = [partial(ask_one, one) for one in contexts]
        return await run_in_parallel(works, at_once=at_once or len(works))

    def record_not_done(self, part: NotDone, agent: str = "") -> None:
        """Record that `part` was not done."""
        self.not_done.append(part)
        self.notify(Progress("part_failed", agent, detail=f"{part.part}: {part.reason}"))


FORM_CHARS = 12 * 1024
"""Of the items in one form, so that one Read gives the form back whole."""
_FIELDS = 300
"""Characters of an item's form besides its words."""


@dataclass(frozen=True, slots=True)
class ReviewTeam:
    """The agents of the phases that use only the document's own text."""

    red: ReviewAgent[RedReviewContext, tuple[RedFinding, ...]]
    blue: ReviewAgent[DefenceContext, Defence]
    smoke: ReviewAgent[SmokeContext, Mapping[str, str]]
    extractor: ReviewAgent[ExtractionContext, tuple[ExtractedClaim, ...]]


@dataclass(frozen=True)
class DocumentPhases:
    """The phases that use only the document's own text; none of them has the web."""

    team: ReviewTeam
    rules: RedTeamRules
    config: ReviewConfig
    test: SmokeTest

    @property
    def document(self) -> Document:
        """The document under review."""
        return self.test.document

    async def attack(self, runner: AgentRunner) -> RedFindings:
        """Phase 1: the findings of rules through each lens, and those that its reviewer adds."""
        reading = Reading(self.document, self.test.lexicon, self.rules)
        known = await asyncio.to_thread(lambda: [_find_by_rules(reading, lens) for lens in Lens])
        contexts = runner.contexts(
            (lens.value, RedReviewInput(self.document.text, lens, found))
            for lens, found in zip(Lens, known, strict=True)
        )
        added = await runner.ask_each(ReviewPhase.RED, self.team.red, contexts)
        lenses = zip(known, added, strict=True)
        return RedFindings(tuple(one for found, own in lenses for one in (*found, *(own or ()))))

    async def defend(self, found: RedFindings, runner: AgentRunner) -> Defences:
        """Phase 1b: one defender for each finding."""
        contexts = runner.contexts(
            (one.id, DefenceInput(self.document.text, one)) for one in found.findings
        )
        at_once = self.config.blue_defender.parallel
        answers = await runner.ask_each(
            ReviewPhase.DEFENCE, self.team.blue, contexts, at_once=at_once
        )
        return Defences(tuple(answer for answer in answers if answer is not None))

    def compile(self, found: RedFindings, defended: Defences) -> CompiledReview:
        """Phase 2: the findings that survived, numbered, and those that were killed."""
        defences = {defence.finding_id: defence for defence in defended.defences}
        return compile_findings(found.findings, defences, self.document)

    async def test_findings(self, compiled: CompiledReview, runner: AgentRunner) -> SmokeTested:
        """Phase 3: the findings whose quotation stands where they say.

        What rules found stands if its quotation does; a tester's word against it is kept beside it.
        """
        items = [
            SmokeItem(one.number, one.finding.quote, one.finding.line, one.finding.problem)
            for one in compiled.findings
        ]
        faults = {item.id: self.test.quote_fault(item.quote, item.line) for item in items}
        failed = await self._find_failed(ReviewPhase.SMOKE, "findings", items, faults, runner)
        kept, dropped = list[CompiledFinding](), list[DroppedFinding]()
        for one in compiled.findings:
            reason = failed.get(one.number, "")
            if reason and (faults[one.number] or not one.finding.by_rules):
                dropped.append(DroppedFinding(one, reason))
            else:
                kept.append(replace(one, doubt=reason))
        return SmokeTested(tuple(kept), tuple(dropped))

    async def extract(self, runner: AgentRunner) -> Extraction:
        """Phase 4a: the claims that rules find, classified, and those that extractors add."""
        detected = await asyncio.to_thread(lambda: self.test.detected)
        parts = extraction_inputs(detected, self.config.claim_extractor)
        contexts = runner.contexts(
            (f"part-{number:02}", part) for number, part in enumerate(parts, start=1)
        )
        answers = await runner.ask_each(ReviewPhase.CLAIMS, self.team.extractor, contexts)
        answered = [claim for claims in answers for claim in claims or ()]
        return await asyncio.to_thread(merge_extraction, detected, answered)

    async def test_claims(self, extraction: Extraction, runner: AgentRunner) -> ClaimsTested:
        """Phase 4a-v: the claims that say what the document says, where they say that it does."""

        def find_faults() -> tuple[list[ExtractedClaim], dict[str, str]]:
            # Detected ones get the polarity of their places: they are not dropped.
            claims = [
                replace(one, polarity=self.test.polarity(one)) if one.by_rules else one
                for one in extraction.claims
            ]
            return claims, {one.id: self.test.claim_fault(one) for one in claims}

        claims, faults = await asyncio.to_thread(find_faults)
        items = [
            SmokeItem(one.id, one.quote, one.line, one.statement, polarity=one.polarity)
            for one in claims
        ]
        failed = await self._find_failed(ReviewPhase.CLAIM_SMOKE, "claims", items, faults, runner)
        return ClaimsTested(
            tuple(one for one in claims if one.id not in failed),
            tuple(DroppedClaim(one, failed[one.id]) for one in claims if one.id in failed),
        )

    async def _find_failed(
        self,
        phase: ReviewPhase,
        name: str,
        items: Sequence[SmokeItem],
        faults: Mapping[str, str],
        runner: AgentRunner,
    ) -> dict[str, str]:
        """Share `items` among testers; the reasons of those that failed, by id.

        Items in which code found a fault have failed and are not handed out; a tester may fail
        more. `name` begins the shares' names.
        """
        left = [item for item in items if not faults[item.id]]
        size = sum(len(item.quote) + len(item.statement) + _FIELDS for item in left)
        count = min(max(self.config.smoke_tester.testers, -(-size // FORM_CHARS)), len(left))
        shares = runner.contexts(
            (f"{name}-{at + 1}", SmokeInput(self.document.text, tuple(left[at::count])))
            for at in range(count)
        )
        answers = await runner.ask_each(phase, self.team.smoke, shares)
        failed = {id_: fault for id_, fault in faults.items() if fault}
        for share in answers:
            failed |= share or {}
        return failed


def _find_by_rules(reading: Reading, lens: Lens) -> tuple[RedFinding, ...]:
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
        for number, flaw in enumerate(find_flaws(reading, lens), start=1)
    )
