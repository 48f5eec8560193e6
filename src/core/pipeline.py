"""The loop: draft, gather evidence, examine in parallel, decide, revise.

The pipeline gets all that it uses and knows no agent, backend or engine. Each kind of end has its
own `RunStatus`, always with the best draft so far.

Progress events, in order: ``run_started`` or ``run_resumed``; ``traced`` where there is a trace;
in each iteration ``drafting``,
``drafted`` or ``draft_failed``, ``gathering_evidence``, ``evidence_gathered``, then per critic
``examining`` and ``examined`` or ``critic_failed``, then ``iteration_ended``, and ``deepened``
where the gaps were searched for; before an approval ``settling`` and ``settled`` where there is a
policy; ``judging`` and ``judged`` or ``judge_failed``; ``run_ended``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from ..base.vocabulary import Finding, IssueType
from . import agent_calls, approval, tracing
from .agent_calls import DRAFTER, JUDGE, Answer
from .approval import ApprovalHook, Decision, RunEnding, RunStatus, Settlement, SettlementCase
from .artefacts import ArtefactFile, Judgement, artefact_file
from .budget import Budget
from .config import PipelineConfig
from .iteration import (
    FindingHistory,
    IterationResult,
    PreparedEvidence,
    apply_decisions,
    merge_findings,
)
from .record_folder import TurnLog
from .result import PipelineResult, RunFinisher
from .run_analytics import RunAnalytics
from .run_store import RunRecord, RunStore
from .tasks import Error, FailureKind
from .work import (
    Critic,
    Drafter,
    DraftWork,
    Examination,
    Guidance,
    IterationWork,
    Judge,
    JudgeWork,
    Material,
    Progress,
    RunServices,
    StepRunner,
)

if TYPE_CHECKING:
    from .evidence import DocumentEvidence


UNCONFIRMED = (IssueType.UNSOURCED, IssueType.UNVERIFIABLE, IssueType.MISATTRIBUTED)
"""Types of findings that a search may settle."""


@dataclass(frozen=True, slots=True)
class AnalysisPipeline:
    """Runs the loop over one brief.

    Critics have one veto each and work in parallel. The caller holds the lock of `store`.
    `finishers` are called in order once the end is on record. `settlement` is the hook of the
    user's own policy before an approval. Ages are measured at `as_of`.

    Raises:
        ValueError: Two critics have the same name, so that one vote would hide the other.
    """

    drafter: Drafter
    critics: Sequence[Critic]
    _: KW_ONLY
    judge: Judge | None
    evidence: DocumentEvidence | None
    store: RunStore
    steps: StepRunner
    analytics: RunAnalytics
    budget: Budget
    finishers: Sequence[RunFinisher]
    config: PipelineConfig
    notify: Callable[[Progress], None]
    as_of: date
    settlement: ApprovalHook | None = None

    def __post_init__(self) -> None:
        if len({critic.name for critic in self.critics}) < len(self.critics):
            raise ValueError("two critics have the same name")

    async def run(
        self, brief: str, materials: tuple[Material, ...], *, draft: str | None = None
    ) -> PipelineResult:
        """Run the loop to an end; `draft` takes the place of the first turn of the analyst.

        On cancellation the run is recorded as cancelled, and the cancellation goes on.

        Raises:
            FoureyesError: The run cannot go on (the disk, a template); it is recorded as failed.
        """
        record = RunRecord(self.store, self.analytics, self.notify)
        services = RunServices(
            steps=self.steps,
            recorder=self.analytics,
            budget=self.budget,
            notify=record.progress,
            work_root=record.work_root,
            turn_log=TurnLog(self.store),
        )
        run_id = self.store.manifest.id
        with tracing.workflow(tracing.Workflow.RUN, run_id=run_id, mode=self.config.mode) as traced:
            result = await _Run(self, brief, materials, draft, services, record).run()
            verdicts = Counter(entry.verdict for entry in result.claims)
            traced.end(result.status, verdicts, len(result.iterations))
            return result


@dataclass(slots=True)
class _Run:
    """One run of a pipeline: its state while it goes, and its steps."""

    parts: AnalysisPipeline
    brief: str
    materials: tuple[Material, ...]
    given_draft: str | None
    services: RunServices
    record: RunRecord
    results: list[IterationResult] = field(default_factory=list[IterationResult])
    history: FindingHistory = field(default_factory=FindingHistory)
    iteration: int = 0
    draft: str = ""
    findings: tuple[Finding, ...] = ()
    guidance: Guidance | None = None

    def report(self, event: str, agent: str, iteration: int, detail: str = "") -> None:
        """Show an event, and keep it."""
        self.record.progress(Progress(event, agent, iteration, detail))

    def findings_to_fix(self) -> tuple[Finding, ...]:
        """The findings that the analyst is to fix.

        While the search provider fails, a claim is not criticised only because nothing confirms
        it.
        """
        conclusion = self.results[-1].conclusion if self.results else None
        if conclusion is None or not conclusion.unsearched:
            return self.findings
        return tuple(one for one in self.findings if one.correction or one.type not in UNCONFIRMED)

    def best(self) -> IterationResult | None:
        """The best draft so far; one whose examination was broken off counts too."""
        broken_off = len(self.results) < self.iteration
        last = [IterationResult(self.iteration, self.draft)] if broken_off else []
        return approval.best_draft([*self.results, *last])

    def delivered(self, status: RunStatus) -> IterationResult | None:
        """The delivered draft of a run with this end: the approved one, else the best."""
        if status in (RunStatus.APPROVED, RunStatus.REVIEWED):
            return self.results[-1]
        return self.best()

    async def run(self) -> PipelineResult:
        """Run to the end, with its record."""

        def ending() -> dict[str, object]:
            best = self.best()
            return {"best_iteration": best.iteration if best else None}

        async with self.record.recording_failure(ending):
            await self.record.start()
            result = await self._run_to_end()
        return await self._finish(result)

    async def _run_to_end(self) -> PipelineResult:
        late = RunEnding(RunStatus.BUDGET_EXCEEDED, "the time limit of the run was reached")
        end = await self.parts.budget.within_time(self._iterate(), late)
        delivered = self.delivered(end.status)
        basis = settlement = judged = None
        if delivered is not None:
            if self.parts.settlement is not None and end.status is RunStatus.APPROVED:
                settlement = await self._settle(self.parts.settlement, delivered)
                end = approval.apply_settlement(end, settlement)
            if self.parts.judge is not None and end.status.judged:
                judged = await self._ask_judge(self.parts.judge, delivered)
                end = agent_calls.apply_judgement(end, judged)
            if end.status is RunStatus.APPROVED:
                basis = approval.approval_basis(delivered.examinations)
        result = PipelineResult(
            status=end.status,
            reason=end.reason,
            analysis=delivered.draft if delivered else "",
            delivered=delivered,
            iterations=tuple(self.results),
            analytics=self.parts.analytics,
            approval_basis=basis,
            judgement=judged if isinstance(judged, Judgement) else None,
            judge_failed=isinstance(judged, Error),
            run_dir=self.parts.store.path,
            settlement=settlement,
        )
        await self.record.end(
            result.status,
            result.reason,
            best_iteration=result.best_iteration,
            approval_basis=result.approval_basis,
            judge_failed=result.judge_failed,
            settlement_blocked=settlement is not None and settlement.blocked,
        )
        return result

    async def _settle(self, hook: ApprovalHook, delivered: IterationResult) -> Settlement:
        self.report("settling", "", delivered.iteration)
        conclusion = delivered.conclusion
        case = SettlementCase(
            run_dir=self.parts.store.path,
            iteration=delivered.iteration,
            draft=delivered.draft,
            approval_basis=approval.approval_basis(delivered.examinations),
            findings=delivered.findings,
            ledger=conclusion.ledger if conclusion else None,
            gate=conclusion.gate if conclusion else None,
        )
        with tracing.step("settle", iteration=delivered.iteration):
            settlement = await approval.call_hook_once(hook, case, self.parts.steps)
        file = artefact_file(approval.SETTLEMENT_FILE, settlement)
        await self.record.keep(file, folder="verify/")
        detail = "blocked" if settlement.blocked else settlement.outcome.value
        self.report("settled", "", delivered.iteration, detail)
        return settlement

    async def _iterate(self) -> RunEnding:
        """Iterations until one of them, or their number, ends the run."""
        reason = ""
        for iteration in range(1, self.parts.config.max_iterations + 1):
            with tracing.step("iteration", iteration=iteration):
                ended = await self._one_iteration(iteration)
            if ended.status is not None:
                return RunEnding(ended.status, ended.reason)
            reason = ended.reason
        unread = approval.could_not_check(self.results[-1])
        status = RunStatus.INCONCLUSIVE if unread else RunStatus.MAX_ITERATIONS
        reason = f"{unread}; {reason}" if unread else reason
        return RunEnding(status, f"no approval in {self.parts.config.max_iterations}; {reason}")

    async def _one_iteration(self, iteration: int) -> Decision:
        """Run one iteration; if the decision has no status, the next one follows."""
        drafted = await self._draft(iteration)
        if isinstance(drafted, Error):
            status = approval.drafter_failure_status(drafted.kind, iteration)
            return Decision(status, f"the analyst gave no draft: {drafted.message}")
        work, result = await self._examine(iteration, drafted)
        decision = approval.decide(result)
        await self.record.iteration_done(result)
        for reason in result.conclusion.unsearched if result.conclusion else ():
            self.report("search_unavailable", "", iteration, reason)
        self.report("iteration_ended", "", iteration, decision.reason)
        if decision.status is not None:
            return decision
        if self.history.stalled:
            unread = approval.could_not_check(result)
            status = RunStatus.INCONCLUSIVE if unread else RunStatus.STALLED
            reason = unread or "the findings no longer change"
            return Decision(status, f"{reason}; {decision.reason}")
        if self.parts.evidence is not None:
            await self.parts.evidence.settle(self.services)
        if iteration < self.parts.config.max_iterations:
            await agent_calls.journal_unfinished(result.examinations, work)
            await self._deepen(work, result)
        return decision

    async def _draft(self, iteration: int) -> str | Error:
        if iteration == 1 and self.given_draft is not None:
            return self.given_draft
        self.report("drafting", DRAFTER, iteration)
        work = DraftWork(
            iteration=iteration,
            max_iterations=self.parts.config.max_iterations,
            brief=self.brief,
            materials=self.materials,
            services=self.services,
            draft=self.draft,
            findings=self.findings_to_fix(),
            guidance=self.guidance,
        )
        answer = await agent_calls.write_draft(self.parts.drafter, work, self.parts.analytics)
        if isinstance(answer, Error):
            self.report("draft_failed", DRAFTER, iteration, str(answer))
            return answer
        self.report("drafted", DRAFTER, iteration)
        return answer.markdown

    async def _examine(self, iteration: int, draft: str) -> tuple[IterationWork, IterationResult]:
        name = f"analysis_iteration_{iteration}.md"
        await self.record.keep(ArtefactFile(name, draft))
        self.iteration, self.draft = iteration, draft
        prepared = await self._prepare(iteration, draft)
        work = IterationWork(
            iteration=iteration,
            max_iterations=self.parts.config.max_iterations,
            brief=self.brief,
            draft=draft,
            draft_path=f"iterations/{name}",
            as_of=self.parts.as_of,
            services=self.services,
            evidence=prepared.evidence if prepared else None,
            source_tools=prepared.source_tools if prepared else None,
            critique=prepared.critique if prepared else None,
            previous_findings=self.findings,
            previous_examinations=self.results[-1].examinations if self.results else {},
        )
        for critic in self.parts.critics:
            self.report("examining", critic.name, iteration)
        answers = await agent_calls.examine(
            self.parts.critics, work, self.parts.analytics, partial(self._on_answer, work)
        )
        result = await self._conclude(work, prepared, answers)
        self.results.append(result)
        self.findings = result.findings
        return work, result

    async def _prepare(self, iteration: int, draft: str) -> PreparedEvidence | None:
        if self.parts.evidence is None:
            return None
        self.report("gathering_evidence", "", iteration)
        with tracing.step("gather_evidence", iteration=iteration):
            prepared = await self.parts.evidence.prepare(iteration, draft, self.services)
        await self.record.keep(*prepared.artefacts)
        detail = f"{len(prepared.evidence.claims)} claims"
        self.report("evidence_gathered", "", iteration, detail)
        return prepared

    async def _on_answer(self, work: IterationWork, critic: str, answer: Answer) -> None:
        if isinstance(answer, Examination) and answer.advisory and answer.unfinished:
            answer = answer.unfinished[0]
        if isinstance(answer, Error):
            self.report("critic_failed", critic, work.iteration, str(answer))
            return
        claims = len(work.evidence.claims) if work.evidence else 0
        self.parts.analytics.record_examination(critic, work.iteration, answer, claims)
        if answer.artefact is not None:
            await self.record.keep(answer.artefact)
        detail = answer.recommendation.value
        self.report("examined", critic, work.iteration, detail)

    async def _conclude(
        self, work: IterationWork, prepared: PreparedEvidence | None, answers: Mapping[str, Answer]
    ) -> IterationResult:
        given = {name: a for name, a in answers.items() if isinstance(a, Examination)}
        conclusion = None
        evidence = self.parts.evidence
        if evidence is not None and prepared is not None:
            assessments = agent_calls.claim_answers(given.values())
            with tracing.step("conclude", iteration=work.iteration):
                conclusion = await evidence.conclude(prepared, assessments, self.services)
            tracing.record_conclusion(conclusion.gate, conclusion.quality.critique)
            await self.record.verify_files(work.iteration, conclusion.artefacts)
            self.parts.analytics.record_conclusion(work.iteration, conclusion)
            given = {name: apply_decisions(one, conclusion.settled) for name, one in given.items()}
            # A replay of a pack gives the same examinations, so these are counted.
            claims = len(prepared.evidence.claims)
            for name, one in given.items():
                self.parts.analytics.record_examination(name, work.iteration, one, claims)
        groups = [examination.findings for examination in given.values()]
        findings = merge_findings([*groups, conclusion.findings if conclusion else ()])
        return IterationResult(
            work.iteration,
            work.draft,
            examinations=given,
            failures={name: a for name, a in answers.items() if isinstance(a, Error)},
            conclusion=conclusion,
            findings=findings,
            changes=self.history.add(findings),
        )

    async def _deepen(self, work: IterationWork, result: IterationResult) -> None:
        evidence = self.parts.evidence
        if evidence is None or work.evidence is None or result.conclusion is None:
            return
        with tracing.step("deepen", iteration=work.iteration):
            deepening = await evidence.deepen(work.evidence, result.conclusion, self.services)
        await self.record.keep(*deepening.artefacts)
        known = {material.url for material in self.materials}
        self.materials += tuple(one for one in deepening.materials if one.url not in known)
        self.findings = deepening.over(self.findings)
        guidance = self.guidance = deepening.guidance
        if guidance is not None and guidance.answers:
            detail = f"{len(guidance.answers)} queries, {len(deepening.materials)} sources read"
            self.report("deepened", "", work.iteration, detail)

    async def _ask_judge(self, judge: Judge, delivered: IterationResult) -> Judgement | Error:
        self.report("judging", JUDGE, delivered.iteration)
        work = JudgeWork(
            delivered.iteration, agent_calls.judge_input(self.brief, delivered), self.services
        )
        late = Error(FailureKind.BUDGET, "the time limit of the run was reached")
        asked = agent_calls.call_judge(judge, work, self.parts.analytics)
        answer = await self.parts.budget.within_time(asked, late)
        if isinstance(answer, Error):
            self.report("judge_failed", JUDGE, delivered.iteration, str(answer))
            return answer
        await self.record.keep(artefact_file("judgement.json", answer), folder="")
        detail = answer.recommendation.value
        self.report("judged", JUDGE, delivered.iteration, detail)
        return answer

    async def _finish(self, result: PipelineResult) -> PipelineResult:
        """Make all that is made from an ended run; without any of it the run has not ended."""
        for number, finisher in enumerate(self.parts.finishers):
            problem = await finisher.finish(result)
            if problem is not None and finisher.is_proof:
                reason = f"the {finisher.name} could not be written: {problem}"
                result = replace(
                    result,
                    status=RunStatus.INCONCLUSIVE,
                    unwritten=finisher.name,
                    reason=f"{reason}; without it the run would be {result.status}",
                )
                self.record.unfinish(result.status, result.reason)
                for earlier in self.parts.finishers[:number]:
                    # What they have written says that the run has ended otherwise.
                    await earlier.finish(result)
                return result
        return result
