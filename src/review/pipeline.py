"""The phases of a document review, one after the other, from a review directory to its end.

Progress events: ``run_started`` or ``run_resumed``; ``traced`` where there is a trace; for each
phase ``phase_started``, for each part of it ``part_started`` and ``part_ended`` or ``part_failed``,
then ``phase_ended``; ``run_ended``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from ..base.off_loop import off_loop
from ..core import tracing
from ..core.budget import Budget
from ..core.record_folder import TurnLog
from ..core.run_analytics import RunAnalytics
from ..core.run_store import SessionRecord
from ..core.tasks import FailureKind
from ..core.work import Progress, RunServices, StepRunner
from .phases import AgentRunner, DocumentPhases
from .store import ReviewStatus, ReviewStore, require_sealed, seal, valid_decision
from .types import (
    GateAnswer,
    GateChoice,
    GateDecision,
    ReviewPhase,
    SmokeTested,
)
from .web import WebPhase

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ReviewEnd:
    """How a session ended, and the reason in a sentence."""

    status: ReviewStatus
    reason: str


class ReviewPipeline:
    """Takes one review to its end, or to the gate where a person has to decide.

    Parts that earlier sessions have finished are not done again. Without `web` the review ends
    after phase 3.

    The caller holds the lock of `store`. `notify` is called with every `Progress`.
    """

    def __init__(
        self,
        store: ReviewStore,
        phases: DocumentPhases,
        web: WebPhase | None,
        *,
        steps: StepRunner,
        analytics: RunAnalytics,
        budget: Budget,
        notify: Callable[[Progress], None],
    ) -> None:
        self._store = store
        self._phases = phases
        self._web = web
        self._budget = budget
        self._record = SessionRecord(store, analytics, notify)
        services = RunServices(
            steps=steps,
            recorder=analytics,
            budget=budget,
            notify=self._record.progress,
            work_root=self._record.work_root,
            turn_log=TurnLog(store),
        )
        self._runner = AgentRunner(services, analytics, self._record.progress)

    async def run(self, answer: GateAnswer | None = None) -> ReviewEnd:
        """Run to the end. `answer` is a person's decision on the compiled review, given beforehand.

        On cancellation the review is recorded as cancelled, and the cancellation propagates.

        Raises:
            RunDirectoryError: A finding was changed after the findings were sealed.
            FoureyesError: The review cannot go on; it is recorded as failed.
        """
        with tracing.workflow(tracing.Workflow.REVIEW, run_id=self._store.manifest.id) as traced:
            tested = await off_loop(self._read_sealed)
            late = ReviewEnd(ReviewStatus.BUDGET_EXCEEDED, "the time limit was reached")
            async with self._record.recording_failure(self._left):
                await self._record.start()
                end = await self._budget.within_time(self._run_phases(tested, answer), late)
                await self._record.end(end.status, end.reason, **self._left())
            traced.end(end.status, {})
            return end

    def _left(self) -> dict[str, object]:
        return {"not_done": tuple(self._runner.not_done)}

    def _read_sealed(self) -> SmokeTested | None:
        """The findings if they are sealed: they are final.

        Raises:
            RunDirectoryError: They are not those that were sealed.
        """
        sealed = self._store.manifest.sealed
        tested = self._store.phase(ReviewPhase.SMOKE, SmokeTested)
        require_sealed(tested, sealed)
        return tested if sealed is not None else None

    async def _run_phases(self, tested: SmokeTested | None, answer: GateAnswer | None) -> ReviewEnd:
        found = await self._run_finding_phases(answer) if tested is None else tested
        if isinstance(found, ReviewEnd):
            return found
        await self._run_web_phases(found)
        return self._make_end()

    async def _run_finding_phases(self, answer: GateAnswer | None) -> SmokeTested | ReviewEnd:
        """Phases 1 to 3: the sealed findings, or how the session ends before."""
        findings, runner = self._phases, self._runner
        red = await self._run_phase(ReviewPhase.RED, findings.attack(runner))
        defended = await self._run_phase(ReviewPhase.DEFENCE, findings.defend(red, runner))
        compiled = findings.compile(red, defended)
        await off_loop(self._store.write_phase, ReviewPhase.COMPILED, compiled)
        decision = await off_loop(self._decide, answer)
        if decision is None:
            waits = "the compiled review waits for a decision"
            return ReviewEnd(ReviewStatus.AWAITING_DECISION, waits)
        if decision.choice is GateChoice.STOP:
            return ReviewEnd(ReviewStatus.STOPPED, f"stopped by {decision.by} at the gate")
        tested = await self._run_phase(ReviewPhase.SMOKE, findings.test_findings(compiled, runner))
        if runner.not_done:
            # What is still to be found must not be found in the light of what the web says.
            return self._make_end()
        await off_loop(self._store.update, sealed=seal(tested.findings), not_done=())
        return tested

    async def _run_web_phases(self, tested: SmokeTested) -> None:
        """Phase 4, which only adds to the findings of the review."""
        claims, web, runner = self._phases, self._web, self._runner
        if web is None:
            return
        extraction = await self._run_phase(ReviewPhase.CLAIMS, claims.extract(runner))
        passed = await self._run_phase(
            ReviewPhase.CLAIM_SMOKE, claims.test_claims(extraction, runner)
        )
        if runner.not_done:
            # A claim that nobody tested is not looked up (review spec, safety constraint 4).
            return
        checks = await asyncio.to_thread(web.checks, passed, claims.test.detected)
        checked = await self._run_phase(ReviewPhase.WEB, web.look_up(checks, runner))
        beside = await asyncio.to_thread(checks.cross_reference, checked, tested)
        await off_loop(self._store.write_phase, ReviewPhase.CROSS_REFERENCE, beside)

    async def _run_phase(self, phase: ReviewPhase, work: Awaitable[T]) -> T:
        """Have `work` done and store its result."""
        self._record.progress(Progress("phase_started", detail=phase))
        with tracing.step("phase", about=phase):
            result = await work
        await off_loop(self._store.write_phase, phase, result)
        self._record.progress(Progress("phase_ended", detail=phase))
        return result

    def _decide(self, answer: GateAnswer | None) -> GateDecision | None:
        """The decision on the review as it is compiled now."""
        kept = valid_decision(self._store)
        if answer is None or (kept is not None and kept.choice is answer.choice):
            return kept
        digest = self._store.phase_sha256(ReviewPhase.COMPILED)
        made = GateDecision(answer.choice, answer.by, datetime.now(UTC), digest)
        self._store.write_phase(ReviewPhase.GATE, made)
        return made

    def _make_end(self) -> ReviewEnd:
        if not (left := self._runner.not_done):
            return ReviewEnd(ReviewStatus.COMPLETED, "every part was done")
        spent = any(one.kind is FailureKind.BUDGET for one in left)
        status = ReviewStatus.BUDGET_EXCEEDED if spent else ReviewStatus.INCONCLUSIVE
        first = left[0]
        more = f" (and {len(left) - 1} more)" if len(left) > 1 else ""
        return ReviewEnd(status, f"not done: {first.phase} {first.part}: {first.reason}{more}")
