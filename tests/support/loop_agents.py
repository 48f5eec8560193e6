"""Agents and evidence of the loop that do what a list says: the real protocols, without a model."""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

from foureyes.base.vocabulary import (
    CitationState,
    ClaimKind,
    FailCode,
    Finding,
    GateDecision,
    Location,
    Recommendation,
    ReviewCriterion,
    Severity,
    Verdict,
)
from foureyes.claims.model import Claim, ClaimCategory
from foureyes.core._gap_search import Deepening
from foureyes.core.approval import ApprovalHook
from foureyes.core.artefacts import Analysis, ArtefactFile, Judgement
from foureyes.core.budget import Budget
from foureyes.core.config import BudgetConfig, PipelineConfig, PipelineMode
from foureyes.core.critique import Critique, DimensionScore, Quality
from foureyes.core.evidence import DocumentEvidence
from foureyes.core.evidence_map import ClaimEvidenceMap
from foureyes.core.gaps import GapAnalysis, GapReport
from foureyes.core.iteration import Conclusion, PreparedEvidence, gate_findings
from foureyes.core.pipeline import AnalysisPipeline
from foureyes.core.record_folder import JournalSteps
from foureyes.core.result import RunFinisher
from foureyes.core.run_analytics import RunAnalytics
from foureyes.core.run_store import RunInputs, RunStore
from foureyes.core.tasks import AgentResult, Error, Success, TurnUsage
from foureyes.core.work import (
    Critic,
    Drafter,
    DraftWork,
    EvidenceCritique,
    Examination,
    IterationEvidence,
    IterationWork,
    Judge,
    JudgeWork,
    Progress,
    RunServices,
)
from foureyes.documents.model import Document
from foureyes.documents.parse import parse_document
from foureyes.sources.model import SourceSet
from foureyes.verification.model import (
    ClaimAssessment,
    GateMetrics,
    GateResult,
    Ledger,
    LedgerEntry,
)
from foureyes.verification.policy import Dimension

AS_OF = date(2025, 3, 1)
BRIEF = "# Bicycle lanes\n\nWhat do they cost?\n"
USAGE = TurnUsage(messages=2, output_tokens=10, cost_usd=Decimal("0.25"))
APPROVE, REJECT = Recommendation.APPROVE, Recommendation.REJECT


def finding(name: str, severity: Severity = Severity.HIGH, *, at: int | None = None) -> Finding:
    """A finding with the id `name`, located at character `at`."""
    place = None if at is None else Location(1, at + 1, at, at + 1)
    return Finding(
        name,
        severity,
        ReviewCriterion.STRUCTURE,
        f"claim of {name}",
        f"problem of {name}",
        origin="reviewer",
        location=place,
    )


def vote(
    recommendation: Recommendation,
    *findings: Finding,
    independent: bool = True,
    coverage: float = 1.0,
    unfinished: tuple[Error, ...] = (),
) -> Examination:
    """A critic's answer."""
    return Examination(
        recommendation,
        recommendation,
        findings,
        coverage,
        USAGE,
        independent=independent,
        unfinished=unfinished,
    )


def reject(*names: str) -> Examination:
    """A rejection with a finding of high severity for each name."""
    return vote(REJECT, *(finding(name) for name in names))


class ListedDrafter:
    """Writes ``Draft N``, or returns or raises what stands in its list for the iteration."""

    def __init__(self, *answers: Error | Exception | None) -> None:
        self._answers = answers
        self.asked: list[DraftWork] = []

    async def write(self, work: DraftWork) -> AgentResult[Analysis]:
        """The draft of this iteration."""
        self.asked.append(work)
        answer = self._answers[work.iteration - 1] if work.iteration <= len(self._answers) else None
        if isinstance(answer, Exception):
            raise answer
        return answer or Success(Analysis(markdown=f"Draft {work.iteration}"), USAGE)


class ListedCritic:
    """Answers with the n-th of its list in iteration n, and with the last from then on."""

    def __init__(self, name: str, *answers: Examination | Error | Exception) -> None:
        self.name = name
        self._answers = answers
        self.asked: list[IterationWork] = []

    async def examine(self, work: IterationWork) -> Examination | Error:
        """The answer of this iteration."""
        self.asked.append(work)
        answer = self._answers[min(work.iteration, len(self._answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Error):
            return answer
        file = ArtefactFile(f"{self.name}_iteration_{work.iteration}.json", "{}")
        return replace(answer, artefact=file)


class ListedJudge:
    """Gives one answer."""

    def __init__(self, answer: Recommendation | Error) -> None:
        self._answer = answer
        self.asked: list[JudgeWork] = []

    async def judge(self, work: JudgeWork) -> AgentResult[Judgement]:
        """The judgement."""
        self.asked.append(work)
        if isinstance(self._answer, Error):
            return self._answer
        judgement = Judgement(
            recommendation=self._answer,
            stated_recommendation=self._answer,
            summary="a summary",
            criteria={},
            open_findings=[],
            timestamp="2025-03-01T00:00:00Z",
            basis="a test",
        )
        return Success(judgement, USAGE)


def document(text: str = "") -> Document:
    """A document of which only the text matters."""
    return replace(parse_document(""), text=text, language="en")


def claim(name: str) -> Claim:
    """A claim with the id `name`."""
    place = Location(1, 1, 0, 1)
    return Claim(name, name, place, 0, ClaimKind.QUANTITATIVE, ClaimCategory.GENERAL)


def gate(decision: GateDecision) -> GateResult:
    """A gate's answer with empty figures."""
    metrics = GateMetrics(0, 0, 0, 0, 0, 0, 0, 0, 0, None)
    return GateResult(decision, "document", "a_rule", "a reason", "a change", metrics)


def entry(name: str, verdict: Verdict, *, slot: bool = False, wrong: bool = False) -> LedgerEntry:
    """A ledger's line; `slot` marks it unanswered, `wrong` contradicted by code."""
    return LedgerEntry(
        name,
        name,
        Location(1, 1, 0, 1),
        verdict,
        CitationState.DIRECT,
        "a reason",
        open_slot=slot,
        open_contradiction=wrong,
    )


def conclusion(
    decision: GateDecision = GateDecision.PASS,
    *entries: LedgerEntry,
    iteration: int = 1,
    not_fetched: tuple[str, ...] = (),
) -> Conclusion:
    """A conclusion with the gate's own findings."""
    answer = gate(decision)
    return Conclusion(
        Ledger(iteration, entries),
        answer,
        quality=quality(1.0),
        gaps=NO_GAPS,
        findings=gate_findings(answer),
        not_fetched=not_fetched,
        artefacts=(ArtefactFile("claim_ledger.json", f"{iteration}\n"),),
    )


def quality(score: float) -> Quality:
    """The quality of a draft with this score for coverage, and for the whole."""
    one = DimensionScore(score, 1.0, "a reason", "a remedy")
    passed = score >= 0.7
    found = Critique(
        1,
        score,
        0.7,
        passed,
        None if passed else FailCode.QUALITY_GATE,
        {Dimension.COVERAGE: one},
        () if passed else ("coverage: a reason",),
        () if passed else ("a remedy",),
    )
    return Quality(ClaimEvidenceMap("draft.md", 1, "", (), (), (), ()), found)


NO_GAPS = GapAnalysis(
    GapReport(1, GateDecision.PASS, (), 0, ()), None, EvidenceCritique(1, (), (), ())
)


class ListedEvidence(DocumentEvidence):
    """Concludes with the n-th of its list in iteration n; each draft has one claim."""

    def __init__(self, *conclusions: Conclusion) -> None:
        self._conclusions = conclusions
        self.answers: list[Mapping[str, ClaimAssessment]] = []

    async def prepare(self, iteration: int, draft: str, services: RunServices) -> PreparedEvidence:
        """One claim."""
        evidence = IterationEvidence(document(draft), (claim("c1"),), {}, SourceSet())
        file = ArtefactFile(f"claims_iteration_{iteration}.json", "{}\n")
        return PreparedEvidence(iteration, evidence, None, artefacts=(file,))

    async def conclude(
        self,
        prepared: PreparedEvidence,
        assessments: Mapping[str, ClaimAssessment],
        services: RunServices,
    ) -> Conclusion:
        """The conclusion of this iteration."""
        self.answers.append(assessments)
        number = prepared.iteration
        chosen = self._conclusions[min(number, len(self._conclusions)) - 1]
        file = ArtefactFile("claim_ledger.json", f"{number}\n")
        return replace(chosen, artefacts=(file,))

    async def settle(self, services: RunServices) -> None:
        """Nothing is open."""

    async def deepen(
        self, evidence: IterationEvidence, conclusion: Conclusion, services: RunServices
    ) -> Deepening:
        """Nothing is looked for."""
        return Deepening()


SCRATCH = tempfile.TemporaryDirectory()
"""Has the run directories of loops without one of their own."""
atexit.register(SCRATCH.cleanup)


@dataclass(slots=True)
class Loop:
    """A loop under test and what it reported."""

    drafter: Drafter
    critics: Sequence[Critic]
    judge: Judge | None = None
    evidence: DocumentEvidence | None = None
    store: RunStore | None = None
    max_iterations: int = 3
    budgets: BudgetConfig = field(default_factory=BudgetConfig)
    finishers: Sequence[RunFinisher] = ()
    budget: Budget | None = None
    analytics: RunAnalytics | None = None
    settlement: ApprovalHook | None = None
    events: list[Progress] = field(default_factory=list[Progress])
    on_progress: Callable[[Progress], None] | None = None

    def pipeline(self) -> AnalysisPipeline:
        """The pipeline of real parts around the agents."""
        store = self.store or new_store(Path(tempfile.mkdtemp(dir=SCRATCH.name)))
        return AnalysisPipeline(
            self.drafter,
            self.critics,
            judge=self.judge,
            evidence=self.evidence,
            store=store,
            steps=JournalSteps(store.journal),
            analytics=self.analytics or RunAnalytics(tuple(store.events()), store.append),
            budget=self.budget or Budget(self.budgets),
            finishers=self.finishers,
            config=PipelineConfig(max_iterations=self.max_iterations),
            notify=self._notify,
            as_of=AS_OF,
            settlement=self.settlement,
        )

    def _notify(self, progress: Progress) -> None:
        self.events.append(progress)
        if self.on_progress is not None:
            self.on_progress(progress)


def new_store(root: Path, *, brief: str = BRIEF) -> RunStore:
    """A fresh run directory below `root`."""
    return RunStore.create(
        root,
        RunInputs(brief, AS_OF),
        PipelineConfig(),
        mode=PipelineMode.ANALYZE_AND_REVIEW,
        now=datetime(2025, 3, 1, 12, tzinfo=UTC),
    )
