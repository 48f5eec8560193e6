"""A user's program that uses every public name; pyright checks it in strict mode, nothing runs it.

Where an error is expected it is waived, and pyright reports a waiver that is not needed. mypy reads
it beside the wheel (`make dist-check`) and has to report these errors alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import foureyes
from foureyes import (
    Adviser,
    Agent,
    AgentBackend,
    AgentCritic,
    AgentRules,
    AgentTask,
    Analysis,
    AnalystAgent,
    AnalystConfig,
    AnalystContext,
    ApprovalBasis,
    ArtefactFile,
    BackendUnavailable,
    BaseAgent,
    BaseAgentConfig,
    BaseContext,
    BudgetExceeded,
    CheckResult,
    Claim,
    ClaudeBackend,
    ClaudeSettings,
    Correction,
    Credential,
    CredentialKind,
    Critic,
    Direction,
    DocumentError,
    Drafter,
    DraftWork,
    EditPolicy,
    EditRefused,
    Error,
    Examination,
    ExitCode,
    Experiment,
    ExperimentResult,
    Export,
    ExportFormat,
    FactCheck,
    FactChecked,
    FactCheckerAgent,
    FactCheckerConfig,
    FactCheckerContext,
    FailureKind,
    Finding,
    FoureyesError,
    GateCase,
    GateDecision,
    GateObjection,
    GatePolicy,
    GateResult,
    InputError,
    Issue,
    IssueType,
    IterationResult,
    IterationWork,
    Judge,
    JudgeAgent,
    JudgeConfig,
    JudgeContext,
    Judgement,
    JudgeWork,
    Ledger,
    LedgerEntry,
    Location,
    OfflineBackend,
    PackReport,
    Pipeline,
    PipelineConfig,
    PipelineMode,
    PipelineResult,
    Progress,
    PromptError,
    PromptLibrary,
    Reads,
    Recommendation,
    RecordEnded,
    RegistryError,
    Repair,
    ReplayBackend,
    ReplayMismatch,
    ReplyError,
    Review,
    ReviewAnswer,
    ReviewChoice,
    ReviewCriterion,
    ReviewerAgent,
    ReviewerConfig,
    ReviewerContext,
    ReviewerFeedback,
    ReviewOptions,
    ReviewQueue,
    ReviewResult,
    ReviewStatus,
    Role,
    RunAnalytics,
    RunDirectoryError,
    RunOptions,
    RunStatus,
    RunStream,
    Scale,
    SearchAnswer,
    SearchHit,
    SearchProvider,
    SearchUnavailable,
    SemanticEvidence,
    SemanticValidator,
    SettingsError,
    SettingValues,
    SettlementAnswer,
    SettlementCase,
    SettlementPolicy,
    Severity,
    SnapshotError,
    SourceBinding,
    SourceError,
    Stance,
    StorageError,
    Success,
    TaskTools,
    TemplateError,
    TemplateLibrary,
    ToolFailure,
    ToolSpec,
    TransitionRefused,
    TrialItem,
    TrialMetric,
    TrialRecord,
    Turn,
    TurnLimits,
    TurnUsage,
    ValidationResult,
    Verdict,
    check,
    check_async,
    decide_claims,
    detect_factual_claims,
    export_record,
    finding_id,
    pack_run,
    replay_run,
    replay_run_async,
    resume_review,
    resume_review_sync,
    resume_run,
    resume_run_async,
    review_document,
    review_document_sync,
    review_queue,
    run_analysis,
    run_analysis_async,
    verify_pack,
    verify_pack_async,
)  # fmt: skip
from foureyes.testing import Breach, check_backend
from pydantic import BaseModel

VERSION: str = foureyes.__version__


def seen(*things: object) -> None:
    """Use them."""


# --- an agent declared, and one of a class of one's own ---------------------------------------


class Tone(BaseModel):
    """A form."""

    issues: list[Issue]


def by_rule(work: IterationWork) -> Tone:
    found = [Issue(quote="famous", problem="praise", severity=Severity.LOW)]
    return Tone(issues=found if "famous" in work.draft else [])


def chosen(form: Tone) -> Iterable[Issue | Finding]:
    if not form.issues:
        raise ReplyError("/issues: name one")
    return form.issues[:3]


AGENT: Agent[Tone] = Agent(
    "tone", "Find praise.", Tone, reads=[Reads.DRAFT], findings=chosen, offline=by_rule,
    config=BaseAgentConfig(model="haiku", max_cost_usd=Decimal(1)),
)  # fmt: skip


class DraftContext(BaseContext):
    """What the agent below is told."""

    work: IterationWork


class Length(BaseAgent[BaseAgentConfig, DraftContext, str]):
    """An agent of a class of one's own."""

    @property
    def agent_name(self) -> str:
        return "length"

    def build_task(self, context: DraftContext) -> AgentTask[object]:
        form = self.templates.json_template("agents/reviewer/feedback.json")
        return self.form_task(
            Role.OWN_AGENT, f"{context.iteration}/length", context.work,
            system_prompt="Measure.", user_prompt="Measure.", file_name="form.json",
            form=form, readable={"draft.md": context.work.draft}, tools=[LOOK_UP],
        )  # fmt: skip

    def read_reply(self, context: DraftContext, turn: Turn) -> str:
        return turn.text


async def look_up(arguments: Mapping[str, object]) -> str:
    if "word" not in arguments:
        raise ToolFailure("name a word")
    return str(arguments["word"])


LOOK_UP = ToolSpec("look_up", "Look up a word.", {"type": "object"}, True, look_up, allowance=3)


def to_context(work: IterationWork) -> DraftContext:
    return DraftContext(iteration=work.iteration, max_iterations=3, services=work.services)


def to_examination(output: str, usage: TurnUsage, work: IterationWork) -> Examination:
    kind = ReviewCriterion.READABILITY
    place = Location(1, 1, 0, min(5, len(work.draft)))
    finding = Finding(
        finding_id(kind, output), Severity.MEDIUM, kind, work.draft[:5], "too long",
        origin="length", location=place, correction=Correction(0, 5, ""),
    )  # fmt: skip
    file = ArtefactFile(f"length_iteration_{work.iteration}.md", output)
    return Examination(Recommendation.APPROVE, None, (finding,), 1.0, usage, file)


def own_critics(backend: AgentBackend) -> Sequence[Critic]:
    agent = Length(BaseAgentConfig(), backend, PromptLibrary(), TemplateLibrary())
    critic = AgentCritic(agent, to_context, to_examination)
    return [critic, Adviser(critic)]


# --- the built-in agents, with backends of ours and of one's own --------------------------------


def claude() -> ClaudeBackend:
    key = Credential(CredentialKind.API_KEY, "a key")
    return ClaudeBackend(ClaudeSettings(credential=key, models={Role.JUDGE: "opus"}))


class Echo:
    """A backend of one's own."""

    name, independent = "echo", True

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        tools, policy = TaskTools(task, folder), task.policy
        answer: str = await tools.call("fill_slots", {"values": {}})
        kept: EditPolicy = policy
        if kept.problems(task.template) and answer.startswith("error"):
            return Error(FailureKind.REFUSED, answer, TurnUsage(cost_usd=Decimal(0)))
        limits: TurnLimits = task.limits
        return tools.turn(TurnUsage(requests=min(1, limits.max_turns)), "echo-1")


async def kept_by(backend: AgentBackend) -> tuple[Breach, ...]:
    return await check_backend(backend, timeout_s=10)


BACKENDS: Sequence[AgentBackend] = [OfflineBackend(), Echo(), claude(), ReplayBackend("runs/1")]


def built_in(backend: AgentBackend) -> RunOptions:
    rules = AgentRules(Path("registry"))
    common = (backend, PromptLibrary(Path("prompts")), TemplateLibrary(Path("templates")))
    reviewer = ReviewerAgent(ReviewerConfig(retries=1), *common, rules=rules)
    checker = FactCheckerAgent(FactCheckerConfig(max_webfetches=3), *common)
    return {
        "analyst": AnalystAgent(AnalystConfig(max_chars=9_000), *common),
        "critics": [reviewer, checker, *own_critics(backend)],
        "judge": JudgeAgent(JudgeConfig(), *common),
        "agents": [AGENT, "own.py:AGENT"],
        "backend": backend,
        "mode": PipelineMode.FULL_EVALUATION,
    }


async def one_by_one(
    analyst: AnalystAgent,
    reviewer: ReviewerAgent,
    checker: FactCheckerAgent,
    judge: JudgeAgent,
    contexts: tuple[AnalystContext, ReviewerContext, FactCheckerContext, JudgeContext],
) -> tuple[Analysis | None, ReviewerFeedback | None, FactCheck | None, Judgement | None]:
    drafted = await analyst.process(contexts[0])
    reviewed: Success[Review] | Error = await reviewer.process(contexts[1])
    checked: Success[FactChecked] | Error = await checker.process(contexts[2])
    judged = await judge.process(contexts[3])
    return (
        drafted.output if isinstance(drafted, Success) else None,
        reviewed.output.feedback if isinstance(reviewed, Success) else None,
        checked.output.fact_check if isinstance(checked, Success) else None,
        judged.output if isinstance(judged, Success) else None,
    )


# --- own parts ----------------------------------------------------------------------------------


class Writer:
    async def write(self, work: DraftWork) -> Success[Analysis] | Error:
        return Success(Analysis(markdown=f"# {work.brief}\n"))


class Judging:
    async def judge(self, work: JudgeWork) -> Success[Judgement] | Error:
        return Error(FailureKind.REFUSED, work.inputs.brief)


class Shelf:
    name, local = "shelf", True

    async def search(self, query: str, limit: int) -> SearchAnswer:
        if limit < 1:
            raise SearchUnavailable(self.name, "closed")
        return SearchAnswer((SearchHit("about.md", query, ""),))


def gate(case: GateCase) -> GateObjection | None:
    thin: list[LedgerEntry] = [one for one in case.ledger.entries if len(one.evidence) < 2]
    return GateObjection(GateDecision.PENDING_REVIEW, "thin") if thin else None


def settle(case: SettlementCase) -> SettlementAnswer:
    return SettlementAnswer(case.approval_basis is ApprovalBasis.INDEPENDENT_REVIEW)


PARTS: tuple[Drafter, Judge, SearchProvider, GatePolicy, SettlementPolicy] = (
    Writer(), Judging(), Shelf(), gate, settle,
)  # fmt: skip

# --- runs ---------------------------------------------------------------------------------------


async def runs(brief: str, options: RunOptions) -> PipelineResult:
    async with Pipeline(**options) as pipeline:
        config: PipelineConfig = pipeline.config
        stream: RunStream = pipeline.stream(brief, sources=["sources"])
        async for event in stream:
            shown: Progress = event
            seen(shown.event, config.max_iterations)
    once = await run_analysis_async(brief, notify=seen, budget_tokens=1000, max_turns=3)
    again = await resume_run_async(stream.result.run_dir or "", with_fact_checker=True)
    told = await replay_run_async(again.run_dir or "", agents=[AGENT])
    analyst, judge, search, policy, settlement = PARTS
    blocking = run_analysis(
        draft="# A", analyst=analyst, judge=judge, search=search, gate_policy=policy,
        settlement=settlement, mode="full_evaluation", as_of=date(2026, 1, 1),
    )  # fmt: skip
    for one in (once, told, blocking, resume_run("runs/1"), replay_run("runs/1")):
        held(one)
    run_analysis(brief, max_iteratoins=3)  # pyright: ignore[reportCallIssue]
    run_analysis(brief, mode="fast")  # pyright: ignore[reportArgumentType]
    return once


def held(result: PipelineResult) -> Mapping[str, object]:
    code: ExitCode = result.exit_code
    ledger: Ledger | None = result.ledger
    analytics: RunAnalytics = result.analytics
    last: IterationResult | None = result.delivered
    claims: tuple[LedgerEntry, ...] = result.claims
    answer: GateResult | None = result.gate
    good = result.approved and result.status is RunStatus.APPROVED and code is ExitCode.OK
    supported = [one for one in claims if one.verdict is Verdict.SUPPORTED]
    seen(good, ledger, analytics.iteration_metrics, last, answer, len(supported))
    return result.to_dict()


# --- checks, reviews, packs, decisions, experiments ---------------------------------------------


async def texts(settings: SettingValues, review: ReviewOptions) -> None:
    checked: CheckResult = check("# A\n", **settings)
    later = await check_async("# A\n", sources=["sources"])
    repairs: tuple[Repair, ...] = later.report.repairs
    bound: tuple[SourceBinding, ...] = checked.bindings
    stances = [one.stance for entry in checked.claims for one in entry.evidence]
    validator = SemanticValidator(fail_on=Severity.HIGH, **settings)
    valid: ValidationResult = await validator("# A\n")
    evidence: SemanticEvidence = valid.evidence
    claims: tuple[Claim, ...] = detect_factual_claims("# A\n", as_of=date(2026, 1, 1))
    reviewed: ReviewResult = await review_document("a.md", yes=True, **review)
    await resume_review(reviewed.review_dir, stop=reviewed.status is ReviewStatus.STOPPED)
    review_document_sync("a.md")
    resume_review_sync("reviews/1")
    seen(repairs, bound, evidence, claims, Stance.SUPPORTS in stances, IssueType.UNSOURCED)


async def packs(run_dir: Path) -> None:
    exported: Export = export_record(run_dir, ExportFormat.SARIF)
    text: str = "".join(exported.pieces)
    seen(text)
    packed = pack_run(run_dir)
    report: PackReport = verify_pack(packed.path)
    await verify_pack_async(packed.path, digest=report.digest)
    queue: ReviewQueue = review_queue(run_dir)
    answers = [ReviewAnswer(one.subject, ReviewChoice.ACCEPT, "seen") for one in queue.items]
    decide_claims(run_dir, answers, by="me")


async def arm(item: TrialItem) -> TrialRecord:
    return TrialRecord(RunStatus.REVIEWED, item.id, (), 1, TurnUsage(), 0.0)


def length(trial: TrialRecord) -> float:
    return float(len(trial.text))


def experiment() -> ExperimentResult:
    measured = TrialMetric("length", length, Direction.LOWER, Scale.NUMERIC, failure=9.0)
    items = [TrialItem("one", brief="# One"), TrialItem("two", brief="# Two")]
    return Experiment({"mine": arm, "ours": {"max_iterations": 1}}, items, [measured]).run()


def told(error: FoureyesError) -> str:
    match error:
        case BackendUnavailable() | RegistryError() | TemplateError() | PromptError():
            return error.hint
        case DocumentError() | RunDirectoryError() | SettingsError() | InputError():
            return error.message
        case SnapshotError() | SourceError() | StorageError() | TransitionRefused():
            return "later"
        case EditRefused():
            return f"not so: {error.message}"
        case BudgetExceeded() | RecordEnded():
            return f"over at {datetime.now(UTC)}"
        case ReplayMismatch():
            return error.diff
        case _:
            return str(error)
