"""A review's settings and records: input and answers of its agents, and results of its phases.

The results of the phases are also the files of the review directory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Generic, TypeAlias, TypeVar

from pydantic import Field

from ..base.vocabulary import Drift, Severity, Verdict
from ..claims.lexicon import Lexicon
from ..claims.model import Claim, ClaimTopic, Materiality, Polarity, Temporality
from ..core.config import BaseAgentConfig, BudgetConfig, Config
from ..core.tasks import FailureKind
from ..core.work import BaseContext, ClaimWork
from ..documents.model import Document
from ..redteam.model import Lens
from ..sources.model import Source
from ..sources.scoring.appraisal import SourceRating
from ..verification.model import Evidence


class RedReviewerConfig(BaseAgentConfig):
    """The three red reviewers."""

    model: str | None = "opus"


class BlueDefenderConfig(BaseAgentConfig):
    """The defenders, one for each finding; at most `parallel` at once."""

    model: str | None = "sonnet"
    parallel: int = Field(default=4, ge=1, le=32)


class SmokeTesterConfig(BaseAgentConfig):
    """The smoke testers of findings and of claims, who share what there is to test."""

    model: str | None = "sonnet"
    testers: int = Field(default=3, ge=1, le=8)


class ClaimExtractorConfig(BaseAgentConfig):
    """The claim extractor; it never has the web (document review spec, safety constraint 1).

    A long document is extracted in parts of at most `part_chars` characters with `part_claims`
    claims that code found.
    """

    model: str | None = "opus"
    part_chars: int = Field(default=30_000, ge=1_000)
    part_claims: int = Field(default=60, ge=1, le=100)


class WebVerifierConfig(BaseAgentConfig):
    """The web verifiers, each with a batch of claims (5 to 10, review spec, open questions)."""

    model: str | None = "sonnet"
    allowed_tools: tuple[str, ...] = ("WebSearch", "WebFetch", "Read", "Edit")
    batch_claims: int = Field(default=8, ge=5, le=10)
    max_webfetches: int = Field(default=20, ge=0)
    max_searches: int = Field(default=10, ge=0)


class ReviewConfig(Config):
    """One document review. `web` false leaves phase 4 out (decision 41)."""

    web: bool = True
    verify_background: bool = False
    red_reviewer: RedReviewerConfig = RedReviewerConfig()
    blue_defender: BlueDefenderConfig = BlueDefenderConfig()
    smoke_tester: SmokeTesterConfig = SmokeTesterConfig()
    claim_extractor: ClaimExtractorConfig = ClaimExtractorConfig()
    web_verifier: WebVerifierConfig = WebVerifierConfig()
    budgets: BudgetConfig = BudgetConfig()


InputT = TypeVar("InputT")


@dataclass(frozen=True, slots=True)
class RedFinding:
    """A red reviewer's finding about the document.

    `quote` are the document's own words, at `line` of the reading copy (from 1). `issue` names what
    is wrong in a word or two; two findings with the same issue at one place are one. `by_rules` is
    true for what rules found without a model.
    """

    id: str
    lens: Lens
    quote: str
    line: int
    issue: str
    problem: str
    severity: Severity
    _: KW_ONLY
    by_rules: bool = False


class DefenceOutcome(StrEnum):
    """The outcome of a blue defender's answer to a finding."""

    KILLED = "killed"
    WEAKENED = "weakened"
    SURVIVED = "survived"


@dataclass(frozen=True, slots=True)
class Defence:
    """A blue defender's answer to one finding; it rests on `quote`, words of the document."""

    finding_id: str
    outcome: DefenceOutcome
    argument: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class ExtractedClaim:
    """A factual claim that the document makes, as an extractor wrote it down.

    `statement` is the claim in the extractor's words, `quote` the document's words at `line` of the
    reading copy, from 1. `by_rules` is true for what the claim detector found.
    """

    id: str
    statement: str
    quote: str
    line: int
    topic: ClaimTopic
    materiality: Materiality
    temporality: Temporality
    polarity: Polarity
    _: KW_ONLY
    by_rules: bool = False


class SmokeVerdict(StrEnum):
    """Whether a quotation or a claim is what the document says."""

    VERIFIED = "VERIFIED"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class SmokeItem:
    """One thing to hold against the document.

    `statement` is what is said of `quote`: a finding's problem, a claim's wording. `polarity` is
    set for claims.
    """

    id: str
    quote: str
    line: int
    statement: str
    _: KW_ONLY
    polarity: Polarity | None = None


class WebVerdict(StrEnum):
    """The verdict of outside sources on a claim (document review spec, phase 4b)."""

    CONFIRMED = "CONFIRMED"
    CONTRADICTED = "CONTRADICTED"
    DISPUTED = "DISPUTED"
    UNVERIFIABLE = "UNVERIFIABLE"


WEB_VERDICTS: Mapping[Verdict, WebVerdict] = {
    **dict.fromkeys(Verdict, WebVerdict.UNVERIFIABLE),
    Verdict.SUPPORTED: WebVerdict.CONFIRMED,
    Verdict.CONTRADICTED: WebVerdict.CONTRADICTED,
    Verdict.DISPUTED: WebVerdict.DISPUTED,
}
"""The review's word for each verdict (decision 23); `not_checkable` claims are not sent out."""
ENGINE_VERDICTS: Mapping[WebVerdict, Verdict] = {
    **{web: engine for engine, web in WEB_VERDICTS.items()},
    WebVerdict.UNVERIFIABLE: Verdict.UNVERIFIABLE,
}
"""The engine's word for each of the review's verdicts."""


@dataclass(frozen=True, slots=True)
class WebSource:
    """A source beside a claim: its address, its tier (``T1`` to ``T5``, "" unknown) and its words.

    A `circular` source is one that the document cites, or is taken from one (decision 34);
    `citation` is the label of the citation that it is, or its place, "" if it is none. `dated` is
    the day of its last change as far as it is known.
    """

    tier: str
    evidence: Evidence
    circular: bool
    _: KW_ONLY
    citation: str = ""
    dated: date | None = None


@dataclass(frozen=True, slots=True)
class WebResult:
    """The outside evidence on one claim. It is annotation: it changes no finding.

    `circular` is true if only sources that the document itself cites confirm it. `temporal_note`
    tells since when a claim is outdated, or that it never was so. `found` is what a source has in
    the place of the claim's value, "" where none says otherwise.
    """

    claim_id: str
    verdict: WebVerdict
    reason: str
    sources: tuple[WebSource, ...] = ()
    _: KW_ONLY
    drift: Drift = Drift.UNKNOWN
    temporal_note: str = ""
    circular: bool = False
    found: str = ""


@dataclass(frozen=True, slots=True)
class WebQuery:
    """The search query for a claim: the addresses of its hits, or why there was no answer.

    `query` is empty if no search was made for the claim.
    """

    claim_id: str
    query: str
    hits: tuple[str, ...] = ()
    _: KW_ONLY
    problem: str = ""


# --- what the agents are given ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RedReviewInput:
    """The document through one lens, and what rules have found through it already."""

    document: str
    lens: Lens
    known: tuple[RedFinding, ...] = ()


@dataclass(frozen=True, slots=True)
class DefenceInput:
    """One finding, and the document to defend."""

    document: str
    finding: RedFinding


@dataclass(frozen=True, slots=True)
class SmokeInput:
    """A share of the findings or claims, and the document to hold them against."""

    document: str
    items: tuple[SmokeItem, ...]


@dataclass(frozen=True, slots=True)
class ExtractionInput:
    """A part of the document, and the claims that code found in it: the floor of what is extracted.

    The part is `document.text[start:end]`.
    """

    document: Document
    claims: tuple[Claim, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SourceNote:
    """Facts about a source beside its text.

    `tier` is ``T1`` to ``T5``. A verdict may rest on an `authoritative` source alone. `circular`,
    `citation` and `dated` are as in `WebSource`.
    """

    tier: str
    authoritative: bool
    circular: bool
    citation: str
    dated: date | None


@dataclass(frozen=True, slots=True)
class WebCheckInput:
    """One batch of claims, each with what code found outside for it.

    `extracted` are the claims as the document has them, by id; `notes` are those of the sources at
    hand, by address. `written` is the document's day, `assumed` if it does not state it.
    """

    claims: tuple[ClaimWork, ...]
    extracted: Mapping[str, ExtractedClaim]
    notes: Mapping[str, SourceNote]
    written: date
    assumed: bool


# No slots: an alias of a generic class writes to the objects that it makes.
@dataclass(frozen=True, kw_only=True)
class ReviewContext(BaseContext, Generic[InputT]):
    """The context of an agent of a review, which goes over its document once.

    `name` tells parts of one kind of work apart (``findings-1``, ``part-01``).
    """

    iteration: int = 1
    max_iterations: int = 1
    name: str = ""
    inputs: InputT


RedReviewContext: TypeAlias = ReviewContext[RedReviewInput]
DefenceContext: TypeAlias = ReviewContext[DefenceInput]
SmokeContext: TypeAlias = ReviewContext[SmokeInput]
ExtractionContext: TypeAlias = ReviewContext[ExtractionInput]


class ReviewPhase(StrEnum):
    """The phases of a review, in order (document review spec, pipeline architecture)."""

    RED = "red"
    DEFENCE = "defence"
    COMPILED = "compiled"
    GATE = "gate"
    SMOKE = "smoke"
    CLAIMS = "claims"
    CLAIM_SMOKE = "claim_smoke"
    WEB = "web"
    CROSS_REFERENCE = "cross_reference"


@dataclass(frozen=True, slots=True)
class NotDone:
    """A part of a phase that nobody did, and why; `kind` is None where no agent was asked."""

    phase: ReviewPhase
    part: str
    reason: str
    kind: FailureKind | None = None


@dataclass(frozen=True, slots=True)
class RedFindings:
    """``red_findings.json``: what the three lenses found, each lens in document order."""

    findings: tuple[RedFinding, ...]


@dataclass(frozen=True, slots=True)
class Defences:
    """``defences.json``: what was said for the document, at most one for each finding."""

    defences: tuple[Defence, ...]


@dataclass(frozen=True, slots=True)
class CompiledFinding:
    """A finding that survived, as the review prints it, with its number: T-1, A-1, S-1.

    `merged` are the ids of findings that said the same of the same place. `doubt` is what a smoke
    tester holds against a finding of rules, which no tester drops.
    """

    number: str
    finding: RedFinding
    defence: Defence | None
    merged: tuple[str, ...] = ()
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class KilledFinding:
    """A finding that its defence refuted."""

    finding: RedFinding
    defence: Defence


@dataclass(frozen=True, slots=True)
class CompiledReview:
    """``compiled.json``: what a person sees at the gate, of the document with this hash."""

    document_sha256: str
    findings: tuple[CompiledFinding, ...]
    killed: tuple[KilledFinding, ...]


class GateChoice(StrEnum):
    """The decisions that a person may take on a compiled review."""

    GO_ON = "go_on"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class GateDecision:
    """``gate_decision.json``: who let a review go on, or stopped it, and when.

    `compiled_sha256` is that of `compiled.json`: a decision counts for no other.
    """

    choice: GateChoice
    by: str
    at: datetime
    compiled_sha256: str


@dataclass(frozen=True, slots=True)
class DroppedFinding:
    """A finding that failed its smoke test."""

    finding: CompiledFinding
    reason: str


@dataclass(frozen=True, slots=True)
class SmokeTested:
    """``smoke.json``: the findings of the review, and those that failed their smoke test."""

    findings: tuple[CompiledFinding, ...]
    dropped: tuple[DroppedFinding, ...]


@dataclass(frozen=True, slots=True)
class DroppedClaim:
    """A claim that failed its smoke test; nothing is looked up for it."""

    claim: ExtractedClaim
    reason: str


@dataclass(frozen=True, slots=True)
class ClaimsTested:
    """``claim_smoke.json``: the claims that say what the document says, and the others."""

    claims: tuple[ExtractedClaim, ...]
    dropped: tuple[DroppedClaim, ...]


@dataclass(frozen=True, slots=True)
class WebChecked:
    """``web.json``: what was found for each claim that was looked up, and how it was looked for.

    `queries` and `sources` are all that code asked and read. `ratings` are the scores of those
    sources, and of what verifiers read besides.
    """

    results: tuple[WebResult, ...]
    queries: tuple[WebQuery, ...]
    sources: tuple[Source, ...]
    ratings: tuple[SourceRating, ...] = ()


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A claim with its result from the web and the numbers of the findings about it.

    `red_caught` is None where there was nothing to catch: the web neither contradicts nor disputes
    the claim. `line` is the line of the document in which the claim starts, from 1.
    """

    claim_id: str
    claim: str
    document_says: str
    line: int
    web_says: str
    verdict: WebVerdict
    red_caught: bool | None
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CrossMetrics:
    """Observations about the review, for which there is no threshold (review spec, phase 4c).

    `claims` counts the rows, `contradicted` the claims that the web contradicts, `caught` those of
    them that the review had flagged. `red_catch_rate` (0–1) is the share of the contradicted claims
    that the review had flagged, None of none. `web_only_discoveries` counts those that it had not.
    `temporal_drift` counts claims that were once right and are no longer, `circular_confirmations`
    those that nothing confirms but what the document itself cites.
    """

    claims: int
    contradicted: int
    caught: int
    red_catch_rate: float | None
    web_only_discoveries: int
    temporal_drift: int
    circular_confirmations: int


@dataclass(frozen=True, slots=True)
class CrossReference:
    """The table, in the order of the results, and its metrics."""

    rows: Sequence[CrossRow]
    metrics: CrossMetrics


@dataclass(frozen=True, slots=True)
class DetectedClaims:
    """The claims that code detects in a document, and the sentences that a rule excludes.

    `as_of` is the day at which relative dates are read.
    """

    document: Document
    lexicon: Lexicon
    as_of: date
    claims: tuple[Claim, ...]
    excluded: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class ExcludedClaim:
    """A statement that `rule` excludes as no claim of fact; it is listed and not checked.

    `line` is the line of the document in which the quote starts, from 1.
    """

    statement: str
    quote: str
    line: int
    rule: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """The claims of the whole document in its order, and those left out.

    `excluded` are the sentences that a rule excludes, also where an extractor added them.
    `duplicates` counts added claims that repeat another one at the same place.
    """

    claims: tuple[ExtractedClaim, ...]
    excluded: tuple[ExcludedClaim, ...]
    duplicates: int = 0


@dataclass(frozen=True, slots=True)
class GateAnswer:
    """A person's decision on the compiled review, and their name."""

    choice: GateChoice
    by: str
