"""Records of the gaps in a draft's evidence, and the files that hold them."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from ...base.vocabulary import GateDecision
from .policy import GapKind, GapPriority

GAPS_FILE = "gaps_verify.json"
QUERIES_FILE = "deepening_queries.json"
CRITIQUE_FILE = "evidence_critique.json"


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


@dataclass(frozen=True, slots=True)
class GapAnalysis:
    """Gaps in one iteration's evidence, the plan to fill them, and the critique."""

    report: GapReport
    plan: DeepeningPlan | None
    critique: EvidenceCritique
