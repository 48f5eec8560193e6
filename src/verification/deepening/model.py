"""Gaps in the evidence of a draft, queries that may close them, and the critique of both."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from ...base.vocabulary import GateDecision

GAPS_FILE = "gaps_verify.json"
QUERIES_FILE = "deepening_queries.json"
CRITIQUE_FILE = "evidence_critique.json"


class GapPriority(StrEnum):
    """How much a gap matters (verify-phase spec), most first."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """0 for high to 2 for low."""
        return tuple(GapPriority).index(self)

    @property
    def raised(self) -> GapPriority:
        """One step more, or high."""
        return tuple(GapPriority)[max(0, self.rank - 1)]


class GapKind(StrEnum):
    """Kind of gap: in one claim, or from `reads` on in the whole document."""

    UNSOURCED = "unsourced"
    UNSUPPORTED = "unsupported"
    UNAVAILABLE = "unavailable"
    DISPUTED = "disputed"
    UNCORROBORATED = "uncorroborated"
    READS = "reads"
    FINDINGS = "findings"
    SOURCES = "sources"
    RELIABLE_SOURCES = "reliable_sources"


CLAIM_GAPS = frozenset(
    {
        GapKind.UNSOURCED,
        GapKind.UNSUPPORTED,
        GapKind.UNAVAILABLE,
        GapKind.DISPUTED,
        GapKind.UNCORROBORATED,
    }
)
"""The gaps that belong to one claim."""


@dataclass(frozen=True, slots=True)
class EvidenceGap:
    """Something that the evidence lacks.

    `suggested_search` is the query that may close it, of at most 200 characters; "" where nothing
    may be asked (decision 19). `claim_id` and `line` are None for a gap of the whole document.
    """

    kind: GapKind
    priority: GapPriority
    description: str
    suggested_search: str
    _: KW_ONLY
    claim_id: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class DeepeningQuery:
    """Search query, with its reason and priority."""

    query: str
    reason: str
    priority: GapPriority
    _: KW_ONLY
    claim_id: str | None = None


@dataclass(frozen=True, slots=True)
class GapReport:
    """`gaps_verify.json`: the gaps of an iteration, those that matter most first.

    `unlisted` counts gaps beyond the list. `improvement_queries` are what could be looked for where
    nothing is carried to a next iteration: after a pass, above all.
    """

    iteration: int
    decision: GateDecision
    gaps: tuple[EvidenceGap, ...]
    unlisted: int
    improvement_queries: tuple[DeepeningQuery, ...]


@dataclass(frozen=True, slots=True)
class DeepeningPlan:
    """`deepening_queries.json`: what the next iteration is to look for after a failed gate."""

    iteration: int
    queries: tuple[DeepeningQuery, ...]


@dataclass(frozen=True, slots=True)
class UnderSourcedClaim:
    """A claim that its evidence does not carry."""

    claim_id: str
    line: int
    claim: str
    priority: GapPriority
    reason: str


@dataclass(frozen=True, slots=True)
class OpposedClaim:
    """A claim with something against it: a source's words at `url`, or another claim (url "")."""

    claim_id: str
    line: int
    claim: str
    against: str
    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class EvidenceCritique:
    """`evidence_critique.json`: how an iteration's evidence stands, for whoever revises it.

    `unlisted` counts under-sourced and opposed claims beyond the lists.
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
