"""Inputs and contexts of the agents, and the protocols of critics, drafter and judge."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from ..base.vocabulary import Finding, Recommendation
from ..claims.model import Claim
from ..documents.model import Document
from ..sources.model import Source, SourceSet
from ..sources.search.model import SearchHit
from ..verification.model import ClaimAssessment, GateResult, Ledger, Passage
from ..verification.policy import GapPriority
from .artefacts import Analysis, ArtefactFile, Judgement
from .budget import Budget
from .record_folder import TurnLog
from .tasks import AgentResult, Error, TurnUsage, digest

if TYPE_CHECKING:
    # Its home loads the whole engine.
    from .critique import Critique


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """A deepening query as it was `asked`, with its hits, or the `problem` why there is no answer.

    No hits and no problem: the provider says that there are none.
    """

    query: DeepeningQuery
    asked: str
    _: KW_ONLY
    hits: tuple[SearchHit, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class GapSearchRecord:
    """The results of the search for an iteration's gaps; also `deepening_iteration_N.json`.

    `sources` are the hits that code read or tried to; `fetches` counts those over the network.
    """

    iteration: int
    answers: tuple[QueryAnswer, ...]
    sources: tuple[Source, ...]
    fetches: int


@dataclass(frozen=True, slots=True)
class Guidance:
    """How the evidence of the last draft stands, and the answers to its deepening queries."""

    critique: EvidenceCritique
    answers: tuple[QueryAnswer, ...] = ()


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

    `guidance` describes the state of that draft's evidence; None without a fact check.
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
class JudgeInput:
    """Input of the judge: the delivered iteration (decision 9); `artefacts` maps name to text."""

    brief: str
    draft: str
    artefacts: Mapping[str, str]
    open_findings: tuple[Finding, ...]
    ledger: Ledger | None = None
    gate: GateResult | None = None
    critique: Critique | None = None


@dataclass(frozen=True, slots=True)
class IterationEvidence:
    """Code's evidence on a draft before the critics see it."""

    document: Document
    claims: tuple[Claim, ...]
    assessments: Mapping[str, ClaimAssessment]
    sources: SourceSet


class EvidenceTools(Protocol):
    """The source tools of a checker during a turn."""

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


class ResearchTools(Protocol):
    """Searches and fetches of the analyst in a run with a search provider."""

    async def search(self, query: str) -> str:
        """Return the numbered hits for `query`.

        Raises:
            ToolFailure: No provider, no answer, or a query that may not be sent out.
        """
        ...

    async def fetch(self, url: str, offset: int) -> str:
        """Return at most 8,000 characters from `offset` of a page that was found (decision 19).

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
    """The recorder of usage: `core.run_analytics.RunAnalytics`."""

    def record_turn(
        self, agent: str, iteration: int, usage: TurnUsage, outcome: str, *, task: str = ""
    ) -> None:
        """Add one turn of `agent` for `task`; `outcome` is ``ok`` or a failure kind."""
        ...

    def knows_turn(self, task: str) -> bool:
        """Whether a turn for `task` that ended well is on record."""
        ...


@dataclass(frozen=True, slots=True)
class Progress:
    """An event for the live display, the log and `events.jsonl`.

    `iteration` counts from 1; it is 0 and `agent` "" for an event of the whole run.
    """

    event: str
    agent: str = ""
    iteration: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class RunServices:
    """The services of a run for its agents. `work_root` holds private turn folders."""

    steps: StepRunner
    recorder: TurnRecorder
    budget: Budget
    notify: Callable[[Progress], None]
    work_root: Path
    _: KW_ONLY
    turn_log: TurnLog | None = None


@dataclass(frozen=True, slots=True)
class IterationWork:
    """The input of the critics of one iteration.

    `evidence` and `critique`, code's own of the draft, are None in runs without a fact check.
    `draft_path` is the run-relative path of the draft, for reports. `previous_examinations` are the
    answers to the last iteration by critic, of which a critic may carry over what did not change.
    `iteration` counts from 1 to at most `max_iterations`.
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
    source_tools: EvidenceTools | None = None
    critique: Critique | None = None
    previous_findings: tuple[Finding, ...] = ()
    previous_examinations: Mapping[str, Examination] = field(
        default_factory=lambda: dict[str, Examination]()
    )

    def fingerprint(self) -> str:
        """sha256 over what the critics are given: the journal's key of an examination."""
        parts = [str(self.iteration), self.brief, self.draft, self.as_of.isoformat()]
        parts += [finding.id for finding in self.previous_findings]
        if self.evidence is not None:
            for url, source in sorted(self.evidence.sources.sources.items()):
                sha256 = source.snapshot.sha256 if source.snapshot else ""
                parts.append(f"{url}\x00{source.state}\x00{sha256}")
        return digest([*parts, ""])


@dataclass(frozen=True, slots=True)
class Examination:
    """A critic's answer. `coverage` is the share (0–1) of the work that it looked at.

    `assessments` are the verdicts of a critic that checks claims, for the ledger; a claim of the
    iteration that is missing there is an open slot. `independent` is true if it judged with a
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
    """The input of the drafter.

    `draft` and `findings` are empty and `guidance` None in the first iteration. `iteration` counts
    from 1 to at most `max_iterations`.
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
    """The writer of the analysis, who also revises it."""

    async def write(self, work: DraftWork) -> AgentResult[Analysis]:
        """The next version of the analysis."""
        ...


@dataclass(frozen=True, slots=True)
class JudgeWork:
    """The input of the judge: the delivered iteration.

    `iteration` counts from 1.
    """

    iteration: int
    inputs: JudgeInput
    services: RunServices


@runtime_checkable
class Judge(Protocol):
    """The judge, who scores the delivered analysis."""

    async def judge(self, work: JudgeWork) -> AgentResult[Judgement]:
        """The judgement; code has computed its recommendation."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseContext:
    """The context of every agent. `iteration` counts from 1 to at most `max_iterations`."""

    iteration: int
    max_iterations: int
    services: RunServices


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalystContext(BaseContext):
    """The analyst's turn: where the analysis goes, and what it is made from."""

    analysis_output_path: Path
    inputs: AnalystInput
    research: ResearchTools | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerContext(BaseContext):
    """The reviewer's turn."""

    analysis_input_path: Path
    feedback_output_path: Path
    inputs: ReviewerInput


@dataclass(frozen=True, slots=True, kw_only=True)
class FactCheckerContext(BaseContext):
    """The fact checker's turns: the claims of one iteration with what code found for them.

    `max_webfetches` and `max_searches` are how many further pages and queries it may ask for.
    `previous_fact_check` is the text of the last iteration's artefact, "" if there is none.
    """

    analysis_input_path: Path
    fact_check_output_path: Path
    evidence: IterationEvidence
    source_tools: EvidenceTools | None
    as_of: date
    max_webfetches: int = 20
    max_searches: int = 0
    previous_fact_check_path: Path | None = None
    previous_fact_check: str = ""
    previous_findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeContext(BaseContext):
    """The judge's turn over the delivered iteration."""

    analysis_input_path: Path
    judgement_output_path: Path
    inputs: JudgeInput


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticContext(BaseContext):
    """The turn of a declared agent: the iteration that it examines."""

    work: IterationWork


@dataclass(frozen=True, slots=True)
class DeepeningQuery:
    """Search query, with its reason and priority."""

    query: str
    reason: str
    priority: GapPriority
    _: KW_ONLY
    claim_id: str | None = None


@dataclass(frozen=True, slots=True)
class UnderSourcedClaim:
    """A claim that its evidence does not carry.

    `line` is the line of the document in which the claim starts, from 1.
    """

    claim_id: str
    line: int
    claim: str
    priority: GapPriority
    reason: str


@dataclass(frozen=True, slots=True)
class OpposedClaim:
    """A claim with something against it: a source's words at `url`, or another claim (url "").

    `line` is the line of the document in which the claim starts, from 1.
    """

    claim_id: str
    line: int
    claim: str
    against: str
    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class EvidenceCritique:
    """`evidence_critique.json`: how an iteration's evidence stands, for whoever revises it.

    `iteration` counts from 1. `unlisted` counts under-sourced and opposed claims beyond the lists.
    """

    iteration: int
    under_sourced_claims: tuple[UnderSourcedClaim, ...]
    contradictions: tuple[OpposedClaim, ...]
    suggested_queries: tuple[DeepeningQuery, ...]
    unlisted: int = 0

    @property
    def empty(self) -> bool:
        """Whether there is nothing to say."""
        return not (self.under_sourced_claims or self.contradictions or self.suggested_queries)
