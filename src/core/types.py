"""The words of the loop: tasks and turns, contexts, inputs and outputs, critics and runs."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from ..base.errors import BudgetExceeded
from ..base.finding import Finding
from ..base.records import to_json
from ..base.vocabulary import Recommendation, Severity, Verdict
from ..claims.model import Claim
from ..documents.model import Document
from ..sources.model import SourceSet
from ..verification.model import ClaimAssessment, GateResult, Ledger, Passage
from .config import Effort
from .guidance import Guidance

if TYPE_CHECKING:
    # Its home loads the whole engine.
    from ..verification.quality.critique import Critique

T = TypeVar("T")
InputT = TypeVar("InputT", covariant=True)
OutputT = TypeVar("OutputT")


# --- turns -----------------------------------------------------------------------------------


class Role(StrEnum):
    """Who fills a template; the offline backend maps it to a function of the inputs."""

    ANALYST = "analyst"
    REVIEWER = "reviewer"
    FACT_CHECKER = "fact_checker"
    JUDGE = "judge"
    OWN_AGENT = "own_agent"
    RED_REVIEWER = "red_reviewer"
    BLUE_DEFENDER = "blue_defender"
    SMOKE_TESTER = "smoke_tester"
    CLAIM_EXTRACTOR = "claim_extractor"
    WEB_VERIFIER = "web_verifier"


class FailureKind(StrEnum):
    """Why a turn gave no answer. `core.approval` maps each kind to retry and run status."""

    TIMEOUT = "timeout"
    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"
    AUTH = "auth"
    REFUSED = "refused"
    MAX_TURNS = "max_turns"
    BUDGET = "budget"
    MALFORMED = "malformed"
    CRASHED = "crashed"
    NOT_ARMED = "not_armed"


@dataclass(frozen=True, slots=True)
class TurnUsage:
    """What turns used; `+` adds two. `cost_usd` is None when the price is unknown."""

    messages: int = 0
    tool_calls: int = 0
    tool_failures: int = 0
    fetches: int = 0
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: Decimal | None = Decimal(0)
    wall_s: float = 0.0
    cpu_s: float = 0.0

    def __add__(self, other: TurnUsage) -> TurnUsage:
        cost = (
            None
            if self.cost_usd is None or other.cost_usd is None
            else self.cost_usd + other.cost_usd
        )
        return TurnUsage(
            messages=self.messages + other.messages,
            tool_calls=self.tool_calls + other.tool_calls,
            tool_failures=self.tool_failures + other.tool_failures,
            fetches=self.fetches + other.fetches,
            requests=self.requests + other.requests,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cache_read_tokens=self.cache_read_tokens + other.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
            cost_usd=cost,
            wall_s=self.wall_s + other.wall_s,
            cpu_s=self.cpu_s + other.cpu_s,
        )


@dataclass(frozen=True, slots=True)
class Success(Generic[T]):
    """A turn's validated output and what it used."""

    output: T
    usage: TurnUsage = field(default_factory=TurnUsage)


@dataclass(frozen=True, slots=True)
class Error:
    """A turn that gave no answer. `partial` is the text of the file as it was left, "" if none.

    An Error is never an approval and never a rejection (design, principle 2). `refused` is as in
    `Turn`. `retry_after_s` is how long to wait before another attempt, if the backend knows.
    """

    kind: FailureKind
    message: str
    usage: TurnUsage = field(default_factory=TurnUsage)
    partial: str = ""
    _: KW_ONLY
    refused: tuple[str, ...] = ()
    retry_after_s: float | None = None


AgentResult: TypeAlias = Success[OutputT] | Error


class ToolFailure(Exception):
    """A tool call that cannot be answered; the message goes to the agent as an error result."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool of ours, offered to an agent. `schema` is JSON Schema of an object.

    `handler` gets the validated arguments and returns the text for the agent; it raises
    `ToolFailure` with a reason the agent can act on. `allowance` bounds the calls of one turn.
    """

    name: str
    description: str
    schema: Mapping[str, object]
    read_only: bool
    handler: Callable[[Mapping[str, object]], Awaitable[str]]
    allowance: int | None = None


@dataclass(frozen=True, slots=True)
class TurnLimits:
    """Bounds of one turn. `max_cost_usd` None means no bound of its own."""

    max_turns: int = 60
    timeout_s: float = 900.0
    max_cost_usd: Decimal | None = None


class EditPolicy(Protocol):
    """What may change in the file that an agent fills. See `core.edit_policy`."""

    def check(self, before: str, after: str) -> None:
        """Accept the step from `before` to `after`, or raise `EditRefused` with the reason."""
        ...

    def problems(self, text: str) -> tuple[str, ...]:
        """What keeps `text` from being a finished answer, one line each; empty when finished."""
        ...


OfflineForm: TypeAlias = Callable[[], Mapping[str, JsonValue]]
"""Values for the slots and growing lists of a form, by JSON pointer, computed without a model."""


@dataclass(frozen=True, slots=True)
class AgentTask(Generic[InputT]):
    """One template to fill.

    `name` is unique within a run (``1/reviewer``, ``2/fact_checker/batch-03``). `file_name` is the
    file to edit, created with `template` in the turn's private folder; `readable` are further files
    placed beside it (name -> text). Prompts name files by these relative names, so that the
    fingerprint does not depend on where the run lies. `to_do_list` says whether the agent may keep
    one, where the backend has it. `offline` fills the form under a backend of rules, which has none
    for a user's own agent; like the handlers of `tools` it is not part of the fingerprint.
    `on_cancelled` is told what a turn has used that is
    cancelled and so returns nothing.
    """

    role: Role
    name: str
    inputs: InputT
    system_prompt: str
    user_prompt: str
    file_name: str
    template: str
    policy: EditPolicy
    _: KW_ONLY
    readable: Mapping[str, str] = field(default_factory=dict[str, str])
    tools: Sequence[ToolSpec] = ()
    limits: TurnLimits = field(default_factory=TurnLimits)
    model: str | None = None
    effort: Effort | None = None
    to_do_list: bool = False
    offline: OfflineForm | None = None
    on_cancelled: Callable[[TurnUsage], None] | None = None

    def fingerprint(self) -> str:
        """sha256 over everything that determines the answer: the journal's key."""
        digest = hashlib.sha256()
        parts = [self.role, self.name, self.system_prompt, self.user_prompt, self.template]
        parts += [f"{name}\x00{text}" for name, text in sorted(self.readable.items())]
        parts += [tool.name for tool in self.tools]
        parts.append(self.model or "")
        # As a part of its own only where there is one, so that a run begun without goes on.
        parts += [self.effort] if self.effort else []
        parts += ["to-do list"] if self.to_do_list else []
        for part in parts:
            digest.update(part.encode("utf-8", "surrogatepass") + b"\x01")
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Turn:
    """A finished turn: the text of the edited file as it stands on disk, and what it used.

    `read_coverage` is the share (0–1) of the `readable` text that the agent was given by
    successful reads; 1.0 where the backend hands over the inputs itself. `model` is the name of the
    model that answered, as its server gave it. `refused` has one line for each tool call that was
    refused or failed, with the reason.
    """

    text: str
    usage: TurnUsage
    read_coverage: float = 1.0
    model: str = ""
    refused: tuple[str, ...] = ()


@runtime_checkable
class AgentBackend(Protocol):
    """Who fills a template (design, principle 7)."""

    @property
    def name(self) -> str:
        """Short name for manifests: ``offline``, ``claude``, ``replay``."""
        ...

    @property
    def independent(self) -> bool:
        """Whether its critics judge with a language model (decision 10)."""
        ...

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        """Fill `folder/task.file_name`, which exists, and return its text.

        It keeps `task.limits`; their time counts from when the turn leaves the backend's queue.
        Expected failures are returned; cancellation is raised, after the session was ended.
        """
        ...


@runtime_checkable
class ReplayedBackend(Protocol):
    """A backend that gives the answers of another one again."""

    @property
    def recorded_name(self) -> str:
        """The name of the backend that answered."""
        ...


def answering(backend: AgentBackend) -> str:
    """The name of the backend whose answers `backend` gives: its own, unless it is a replay."""
    return backend.recorded_name if isinstance(backend, ReplayedBackend) else backend.name


# --- inputs of the agents --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Material:
    """A source handed to the analyst: where it is cited as, and its extracted text."""

    url: str
    title: str
    sha256: str
    text: str


@dataclass(frozen=True, slots=True)
class AnalystInput:
    """First turn: brief and materials. Revision: the last draft and the numbered findings too.

    `guidance` tells how the evidence of that draft stands; None without a fact check.
    """

    brief: str
    materials: tuple[Material, ...]
    draft: str = ""
    findings: tuple[Finding, ...] = ()
    guidance: Guidance | None = None


@dataclass(frozen=True, slots=True)
class ReviewerInput:
    """The draft and what it was asked to be; the last iteration's findings on revisions.

    `critique` is code's own of the draft, before anybody checked it; None without a fact check.
    """

    brief: str
    draft: str
    previous_findings: tuple[Finding, ...] = ()
    critique: Critique | None = None


@dataclass(frozen=True, slots=True)
class ClaimWork:
    """One claim with what code found for it: a slot of the fact checker's template."""

    claim: Claim
    assessment: ClaimAssessment


@dataclass(frozen=True, slots=True)
class FactCheckInput:
    """One batch of claims that cite the same sources (at most 10)."""

    draft: str
    claims: tuple[ClaimWork, ...]
    previous_findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswererInput:
    """The questions of one sitting, without the claims that they are about."""

    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgeInput:
    """Everything about the delivered iteration (decision 9); `artefacts` maps name to text."""

    brief: str
    draft: str
    artefacts: Mapping[str, str]
    open_findings: tuple[Finding, ...]
    ledger: Ledger | None = None
    gate: GateResult | None = None
    critique: Critique | None = None


# --- outputs of the agents (what is written to the run directory) ----------------------------


class Artefact(BaseModel):
    """Base of every artefact: frozen, and unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class IssueRecord(Artefact):
    """One issue of a critic, as the fact-checker spec lays it out."""

    id: str
    severity: Severity
    type: str
    claim: str
    location: str
    line: int | None = None
    problem: str
    evidence: str
    recommendation: str
    claim_id: str | None = None
    origin: str


class SeverityCounts(Artefact):
    """How many issues there are of each severity; each issue is counted once."""

    critical: int = 0
    high: int = 0
    medium: int = 0
    low: int = 0


class Analysis(Artefact):
    """The analyst's document."""

    markdown: str


class CriterionScore(Artefact):
    """A score in 0–1, or None with the reason why it cannot be judged."""

    score: float | None = Field(ge=0, le=1)
    reason: str


class ReviewerFeedback(Artefact):
    """`reviewer_feedback_iteration_N.json`. Counts and recommendation are computed by code."""

    recommendation: Recommendation
    stated_recommendation: Recommendation | None
    recommendation_reason: str
    timestamp: str
    analysis_path: str
    summary: str
    criteria: dict[str, CriterionScore]
    strengths: list[str]
    issues: list[IssueRecord]
    severity_counts: SeverityCounts
    read_coverage: float
    top_priorities: list[str]
    basis: str


class OwnAgentReport(Artefact):
    """`NAME_iteration_N.json` of a declared agent: its filled form and what code made of it."""

    recommendation: Recommendation
    veto: bool
    issues: list[IssueRecord]
    severity_counts: SeverityCounts
    form: JsonValue
    read_coverage: float
    basis: str


class VerificationResults(Artefact):
    """Sourced claims by verification state (fact-checker spec)."""

    verified_true: int
    verified_false: int
    unverifiable: int


class FactCheckSummary(Artefact):
    """The counts of a fact check, computed by code. Scores are percentages, None when undefined."""

    total_claims: int
    sourced_claims: int
    unsourced_claims: int
    not_checkable_claims: int
    unchecked_claims: int
    verification_results: VerificationResults
    accuracy_score: float | None
    coverage: float | None
    citations_checked: int
    citations_working: int
    severity_counts: SeverityCounts


class EvidenceRecord(Artefact):
    """An exact quote in a snapshot; code copied it from the passage that the agent named."""

    url: str
    sha256: str
    quote: str
    start: int
    end: int
    stance: str


class ClaimVerdict(Artefact):
    """One claim's slot, filled. `verification` is the spec's word for verdict and citation."""

    text: str
    location: str
    line: int
    kind: str
    cited: list[str]
    citation_state: str
    verdict: Verdict
    verification: str
    stated_verdict: Verdict | None
    reason: str
    checked: bool
    decided_by: str
    evidence: list[EvidenceRecord]


class AdditionalClaim(Artefact):
    """A claim the detector missed, quoted exactly from the document by the fact checker."""

    quote: str
    line: int
    verdict: Verdict
    reason: str
    evidence: EvidenceRecord | None = None


class VerificationDetails(Artefact):
    """What the fact check did, counted by code."""

    webfetch_attempts: int
    webfetch_successful: int
    websearch_fallbacks: int
    processing_time_seconds: float
    batches: int
    failed_batches: int


class StatedSummary(Artefact):
    """What the agent itself said where code computes; kept for comparison."""

    recommendation: Recommendation | None = None
    recommendation_reason: str = ""


class FactCheck(Artefact):
    """`fact_check_iteration_N.json`: every field of the spec, plus one entry a claim."""

    recommendation: Recommendation
    stated_recommendation: Recommendation | None
    recommendation_reason: str
    timestamp: str
    analysis_path: str
    summary: FactCheckSummary
    issues: list[IssueRecord]
    claims: dict[str, ClaimVerdict]
    additional_claims: list[AdditionalClaim]
    verification_details: VerificationDetails
    top_priorities: list[str]
    stated: list[StatedSummary]
    basis: str


class Judgement(Artefact):
    """`judgement.json` (decision 9)."""

    recommendation: Recommendation
    stated_recommendation: Recommendation | None
    summary: str
    criteria: dict[str, CriterionScore]
    open_findings: list[IssueRecord]
    timestamp: str
    basis: str


# --- one iteration ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IterationEvidence:
    """What code found in a draft before the critics see it."""

    document: Document
    claims: tuple[Claim, ...]
    assessments: Mapping[str, ClaimAssessment]
    sources: SourceSet


class EvidenceDesk(Protocol):
    """What a checker may ask of the sources during a turn (design, section 4)."""

    def find_passages(self, claim_id: str) -> tuple[Passage, ...]:
        """The best five passages for a claim of this iteration.

        Raises:
            ToolFailure: No such claim.
        """
        ...

    def read_source(self, sha256: str, offset: int) -> str:
        """At most 8,000 characters of a snapshot's text from `offset`.

        Raises:
            ToolFailure: No such snapshot in this run, or an offset outside it.
        """
        ...

    async def fetch_source(self, url: str) -> str:
        """Fetch an allowed address (decision 19); returns its state, snapshot hash and opening.

        Raises:
            ToolFailure: The address may not be fetched, or the allowance is used up.
        """
        ...

    async def search_sources(self, claim_id: str) -> str:
        """The numbered hits of a search for a claim, by a query that code builds (decision 19).

        Raises:
            ToolFailure: No such claim, no provider, no answer, or a claim that may not be sent out.
        """
        ...


class ResearchDesk(Protocol):
    """What the analyst may look up during a turn where there is a search provider."""

    async def search(self, query: str) -> str:
        """The numbered hits for `query`.

        Raises:
            ToolFailure: No provider, no answer, or a query that may not be sent out.
        """
        ...

    async def fetch(self, url: str, offset: int) -> str:
        """At most 8,000 characters from `offset` of a page that was found (decision 19).

        Raises:
            ToolFailure: The address may not be fetched, the allowance is used up, or the offset is
                outside the text.
        """
        ...


class StepRunner(Protocol):
    """Runs a step once: a journalled result is returned without running it again."""

    async def step(
        self, name: str, key: str, result: type[T], work: Callable[[], Awaitable[T | Error]]
    ) -> T | Error:
        """The result of `work`, of the record type `result`; an Error is never journalled."""
        ...


class TurnRecorder(Protocol):
    """Where turns report what they used: `core.run_analytics.RunAnalytics`."""

    def record_turn(
        self, agent: str, iteration: int, usage: TurnUsage, outcome: str, *, task: str = ""
    ) -> None:
        """Add one turn of `agent` for `task`; `outcome` is ``ok`` or a failure kind."""
        ...

    def knows_turn(self, task: str) -> bool:
        """Whether a turn for `task` that ended well is on record."""
        ...


class TurnKeeper(Protocol):
    """Where every call of a backend is kept for a replay: `core.turn_log.TurnLog`."""

    def keep(
        self,
        task: AgentTask[object],
        backend: AgentBackend,
        outcome: Turn | Error,
        refusal: BudgetExceeded | None = None,
    ) -> None:
        """Keep one call; `refusal` is the limit that kept it from being made."""
        ...


class BudgetLedger(Protocol):
    """Reserves a turn's estimate and settles what it used: `core.budget.Budget`."""

    def reserve(self, name: str, limits: TurnLimits) -> None:
        """Reserve for the turn `name`, or raise `BudgetExceeded` with limit and need."""
        ...

    def narrow(self, limits: TurnLimits) -> TurnLimits:
        """`limits` with the turn's cost held to what is left of the run's dollars."""
        ...

    def settle(self, name: str, usage: TurnUsage) -> None:
        """Replace the reservation of `name` by what was used."""
        ...


@dataclass(frozen=True, slots=True)
class Progress:
    """Something happened: for the live display, the log and `events.jsonl`."""

    event: str
    agent: str = ""
    iteration: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class RunServices:
    """What an agent needs of the run it works for. `work_root` holds private turn folders."""

    steps: StepRunner
    recorder: TurnRecorder
    budget: BudgetLedger
    notify: Callable[[Progress], None]
    work_root: Path
    _: KW_ONLY
    turn_log: TurnKeeper | None = None


@dataclass(frozen=True, slots=True)
class IterationWork:
    """What the critics of one iteration examine.

    `evidence` and `critique`, code's own of the draft, are None in runs without a fact check.
    `draft_path` is the run-relative path of the draft, for reports. `previous_examinations` are the
    answers to the last iteration by critic, of which a critic may carry over what did not change.
    """

    iteration: int
    max_iterations: int
    brief: str
    draft: str
    draft_path: str
    as_of: date
    services: RunServices
    _: KW_ONLY
    evidence: IterationEvidence | None = None
    desk: EvidenceDesk | None = None
    critique: Critique | None = None
    previous_findings: tuple[Finding, ...] = ()
    previous_examinations: Mapping[str, Examination] = field(
        default_factory=lambda: dict[str, Examination]()
    )

    def fingerprint(self) -> str:
        """sha256 over what the critics are given: the journal's key of an examination."""
        digest = hashlib.sha256()
        for part in (str(self.iteration), self.brief, self.draft, self.as_of.isoformat()):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\x01")
        for finding in self.previous_findings:
            digest.update(finding.id.encode() + b"\x01")
        if self.evidence is not None:
            for url, source in sorted(self.evidence.sources.sources.items()):
                sha256 = source.snapshot.sha256 if source.snapshot else ""
                digest.update(f"{url}\x00{source.state}\x00{sha256}\x01".encode())
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class ArtefactFile:
    """A file for the run directory's `iterations/` folder."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Examination:
    """A critic's answer. `coverage` is the share (0–1) of the work that it looked at.

    `assessments` are the verdicts of a critic that checks claims, for the ledger; a claim of the
    iteration that is missing there is an open slot. `independent` tells that it judged with a
    language model (decision 10). `unfinished` says how parts of the examination failed; such an
    answer is not final as long as the loop has not gone on from it. An `advisory` examination has
    no veto and is no approval: its findings go to the analyst, and nothing else follows from it.
    """

    recommendation: Recommendation
    stated_recommendation: Recommendation | None
    findings: tuple[Finding, ...]
    coverage: float
    usage: TurnUsage
    artefact: ArtefactFile | None = None
    _: KW_ONLY
    assessments: tuple[ClaimAssessment, ...] | None = None
    independent: bool = False
    unfinished: tuple[Error, ...] = ()
    advisory: bool = False


@runtime_checkable
class Critic(Protocol):
    """An independent checker with a veto."""

    @property
    def name(self) -> str:
        """Unique among the run's critics; names its artefacts and its vote."""
        ...

    async def examine(self, work: IterationWork) -> Examination | Error:
        """Examine one iteration. Cancellation is raised, never returned."""
        ...


@dataclass(frozen=True, slots=True)
class DraftWork:
    """What the analyst is asked for.

    `draft` and `findings` are empty and `guidance` None in the first iteration.
    """

    iteration: int
    max_iterations: int
    brief: str
    materials: tuple[Material, ...]
    services: RunServices
    draft: str = ""
    findings: tuple[Finding, ...] = ()
    guidance: Guidance | None = None


@runtime_checkable
class Drafter(Protocol):
    """Who writes and revises the analysis."""

    async def write(self, work: DraftWork) -> AgentResult[Analysis]:
        """The next version of the analysis."""
        ...


@dataclass(frozen=True, slots=True)
class JudgeWork:
    """What the judge scores: the delivered iteration."""

    iteration: int
    inputs: JudgeInput
    services: RunServices


@runtime_checkable
class Judge(Protocol):
    """Who scores the delivered analysis."""

    async def judge(self, work: JudgeWork) -> AgentResult[Judgement]:
        """The judgement; code has computed its recommendation."""
        ...


def issue_record(finding: Finding) -> IssueRecord:
    """A finding as it stands in an artefact."""
    return IssueRecord(
        id=finding.id,
        severity=finding.severity,
        type=finding.type.value,
        claim=finding.claim,
        location=str(finding.location) if finding.location else "whole document",
        line=finding.location.line if finding.location else None,
        problem=finding.problem,
        evidence=finding.evidence,
        recommendation=finding.recommendation,
        claim_id=finding.claim_id,
        origin=finding.origin,
    )


def artefact_file(name: str, artefact: Artefact) -> ArtefactFile:
    """`artefact` as the JSON file `name`."""
    return ArtefactFile(name, to_json(type(artefact), artefact) + "\n")
