"""Words shared by all layers: closed vocabularies, and findings that use them.

Every match over a vocabulary is exhaustive, which the type checker sees to.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import KW_ONLY, dataclass
from enum import IntEnum, StrEnum


class ExitCode(IntEnum):
    """Exit codes of the command line."""

    OK = 0
    NOT_APPROVED = 1
    INCONCLUSIVE = 2
    BUDGET = 3
    FAILED = 4
    CANCELLED = 130


class Severity(StrEnum):
    """How bad a finding is (decision 3), worst first."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """0 for critical to 3 for low."""
        return tuple(Severity).index(self)

    def at_least(self, other: Severity) -> bool:
        """Whether this severity is as bad as `other`, or worse."""
        return self.rank <= other.rank


class IssueType(StrEnum):
    """Subject of a fact-check issue (decision 3)."""

    UNSOURCED = "unsourced"
    FABRICATED = "fabricated"
    VERIFIED_FALSE = "verified_false"
    NUMERIC_ERROR = "numeric_error"
    UNVERIFIABLE = "unverifiable"
    DEAD_CITATION = "dead_citation"
    ALTERED_QUOTE = "altered_quote"
    MISATTRIBUTED = "misattributed"
    OUTDATED = "outdated"
    MISSING_CONTEXT = "missing_context"
    INCOMPLETE_CITATION = "incomplete_citation"
    INTERNAL_CONTRADICTION = "internal_contradiction"
    ARITHMETIC = "arithmetic"
    ERROR = "error"


class ReviewCriterion(StrEnum):
    """Subject of a finding about the whole document: from the reviewer's rubric or from code."""

    STRUCTURE = "structure"
    COVERAGE = "coverage"
    CITATION_DENSITY = "citation_density"
    HEDGING = "hedging"
    CONSISTENCY = "consistency"
    READABILITY = "readability"
    REASONING = "reasoning"
    GATE = "gate"
    QUALITY = "quality"

    @property
    def is_reviewed(self) -> bool:
        """Whether it is one of the reviewer's rubric."""
        return self not in (ReviewCriterion.GATE, ReviewCriterion.QUALITY)


class Recommendation(StrEnum):
    """A checker's vote (decision 1)."""

    APPROVE = "approve"
    REJECT = "reject"


class Strictness(StrEnum):
    """Which issues reject (decision 2)."""

    LENIENT = "lenient"
    NORMAL = "normal"
    STRICT = "strict"


class CitationState(StrEnum):
    """How a claim is cited (decisions 22, 23 and 43), the strongest first.

    `CARRIED`: the claim stands after a citation of its paragraph, list, table or section.
    """

    DIRECT = "direct"
    INHERITED = "inherited"
    CARRIED = "carried"
    NONE = "none"


class Basis(StrEnum):
    """Basis of the verdict on a claim.

    Only the author or a person can lift a proved contradiction. An exact quote that passes the
    exact checks can also lift a read one.
    """

    PROVED = "proved"
    EXACT = "exact"
    READ_AND_EXACT = "read_and_exact"
    READ = "read"
    NONE = "none"


class Verdict(StrEnum):
    """Verdict of the evidence on a claim (decision 23)."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    PARTIALLY_SUPPORTED = "partially_supported"
    DISPUTED = "disputed"
    UNVERIFIABLE = "unverifiable"
    SOURCE_UNAVAILABLE = "source_unavailable"
    NOT_CHECKABLE = "not_checkable"


class Drift(StrEnum):
    """Whether a claim that was right when it was written still is (decisions 23 and 27)."""

    CURRENT = "current"
    OUTDATED = "outdated"
    NEVER_TRUE = "never_true"
    UNKNOWN = "unknown"


class SupportTier(StrEnum):
    """How well a claim is supported (decision 23); the last three only in discovery mode."""

    AUTHORITATIVE = "AUTHORITATIVE"
    VERIFIED = "VERIFIED"
    UNVERIFIED = "UNVERIFIED"
    ESTABLISHED = "ESTABLISHED"
    EMERGING = "EMERGING"
    SPECULATIVE = "SPECULATIVE"


class SourceState(StrEnum):
    """Outcome of a fetch (decision 18)."""

    OK = "ok"
    MOVED = "moved"
    SOFT_404 = "soft_404"
    DEAD = "dead"
    BLOCKED = "blocked"
    RATE_LIMITED = "rate_limited"
    PAYWALLED = "paywalled"
    TIMEOUT = "timeout"
    SERVER_ERROR = "server_error"
    TLS_ERROR = "tls_error"
    REDIRECT_LOOP = "redirect_loop"
    REFUSED_BY_POLICY = "refused_by_policy"
    TOO_LARGE = "too_large"
    UNSUPPORTED_TYPE = "unsupported_type"
    NO_TEXT = "no_text"
    NOT_FETCHED = "not_fetched"

    @property
    def readable(self) -> bool:
        """Whether a source in this state has text to compare with."""
        return self in (SourceState.OK, SourceState.MOVED)


class ClaimKind(StrEnum):
    """Kind of statement that a claim makes (decision 26)."""

    NAMED_ENTITY = "named_entity"
    TEMPORAL = "temporal"
    QUANTITATIVE = "quantitative"
    REGULATORY = "regulatory"
    HISTORICAL = "historical"
    COMPARATIVE = "comparative"
    CAUSAL = "causal"
    DEFINITIONAL = "definitional"
    QUOTATION = "quotation"
    ATTRIBUTED = "attributed"


class Stance(StrEnum):
    """Stance of a piece of evidence towards a claim."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    NEUTRAL = "neutral"


class Checker(StrEnum):
    """Who gave a verdict in the ledger."""

    ENGINE = "engine"
    FACT_CHECKER = "fact_checker"
    HUMAN = "human"


class GateDecision(StrEnum):
    """The gate's answer (decision 37)."""

    PASS = "pass"
    PENDING_REVIEW = "pending_review"
    FAIL = "fail"


class FailCode(StrEnum):
    """Why the gate failed, for machines: the verify-phase spec's codes, then our own."""

    READER_PIPELINE = "failed_reader_pipeline"
    INSUFFICIENT_EVIDENCE = "failed_insufficient_evidence"
    SOURCE_DIVERSITY = "failed_source_diversity"
    VERIFICATION_INCONCLUSIVE = "failed_verification_inconclusive"
    OPEN_SLOT = "failed_open_slot"
    CONTRADICTION = "failed_contradiction"
    COVERAGE = "failed_coverage"
    QUOTE = "failed_quote"
    CIRCULARITY = "failed_circularity"
    QUALITY_GATE = "failed_quality_gate"
    GATE_POLICY = "failed_gate_policy"


class ResearchMode(StrEnum):
    """How strict the gate's profile `research` is (decision 37)."""

    STANDARD = "standard"
    FRONTIER = "frontier"
    DISCOVERY = "discovery"


class SettlementMode(StrEnum):
    """Effect of a user policy's verdict on an approval (decision 39).

    `observe` records the verdict. `enforce` blocks the approval if the policy says no. `strict`
    also blocks it if the policy fails or takes too long.
    """

    OBSERVE = "observe"
    ENFORCE = "enforce"
    STRICT = "strict"


class FetchMode(StrEnum):
    """Whether cited sources are fetched (decision 17)."""

    LIVE = "live"
    FROZEN = "frozen"
    NONE = "none"


class SearchName(StrEnum):
    """Who is asked for sources (decision 20)."""

    NONE = "none"
    KNOWLEDGE_BASE = "knowledge_base"
    SEARXNG = "searxng"
    TAVILY = "tavily"
    BRAVE = "brave"
    ANTHROPIC = "anthropic"


class ChallengeStep(StrEnum):
    """A way to challenge a claim that has its verdict (decision 40); none can raise it."""

    QUESTIONS = "questions"
    COUNTER_EVIDENCE = "counter_evidence"
    FALSIFICATION = "falsification"
    LINKS = "links"
    SOURCES = "sources"
    DISPUTES = "disputes"


_CLAIM_ID = re.compile(r"c-[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class Location:
    """A place in the document's source text.

    `line` and `column` count from 1 in characters; `start` and `end` are half-open character
    offsets into the text as read (line ends kept); `section` is the heading path, ` > ` between.
    """

    line: int
    column: int
    start: int
    end: int
    section: str = ""

    def __str__(self) -> str:
        where = f"line {self.line}, column {self.column}"
        return f"{self.section}, {where}" if self.section else where


@dataclass(frozen=True, slots=True)
class Correction:
    """A replacement of `[start, end)` of the document that would settle the finding.

    `start` and `end` are in characters. Given only when everything else in the claim agrees with
    the source (decision 29). An empty `replacement` deletes the range.
    """

    start: int
    end: int
    replacement: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One issue. `id` is the same in each iteration in which the issue is found.

    `claim` is the document's own words; `problem`, `evidence` and `recommendation` are sentences
    for the analyst; `origin` names the checker that raised it. `related` are other places of the
    document that it is about: the figures that a sum rests on, the statement that it contradicts.
    `also` says what else is wrong with the same sentence, a line each.
    """

    id: str
    severity: Severity
    type: IssueType | ReviewCriterion
    claim: str
    problem: str
    _: KW_ONLY
    origin: str
    location: Location | None = None
    evidence: str = ""
    recommendation: str = ""
    claim_id: str | None = None
    correction: Correction | None = None
    related: tuple[Location, ...] = ()
    also: tuple[str, ...] = ()


def by_place(finding: Finding) -> tuple[int, int, str]:
    """Sort key: by place in the document, the worse first at one place."""
    start = finding.location.start if finding.location else -1
    return start, finding.severity.rank, finding.id


def finding_id(type_: IssueType | ReviewCriterion, anchor: str) -> str:
    """The stable id of a finding of `type_` at `anchor`: a claim id, or the words of the place.

    White space, case and digits of the anchor are folded, so that a moved or renumbered place
    keeps its id. A claim id is taken as it is: its digits tell claims apart.
    """
    place = " ".join(anchor.casefold().split())
    if not _CLAIM_ID.fullmatch(place):
        place = re.sub(r"\d+", "#", place)
    return "f-" + hashlib.sha256(f"{type_}|{place}".encode()).hexdigest()[:10]
