"""Verdicts with their evidence, the claim ledger and the gate's answer."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from ..base.finding import Finding, Location
from ..base.vocabulary import Checker, CitationState, GateDecision, Stance, Verdict
from ..claims.model import Lineage


@dataclass(frozen=True, slots=True)
class Passage:
    """A located piece of a snapshot's text; `score` in 0–1 ranks, and never accepts."""

    id: str
    url: str
    sha256: str
    start: int
    end: int
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """An exact quote at an offset in a stored snapshot (design, principle 3).

    `text[start:end] == quote` holds for the extracted text of snapshot `sha256`.
    """

    url: str
    sha256: str
    quote: str
    start: int
    end: int
    stance: Stance


class SlotKind(StrEnum):
    """The parts of a claim that are compared one by one."""

    QUOTE = "quote"
    NUMBER = "number"
    DATE = "date"
    WORDS = "words"
    POLARITY = "polarity"


class SlotOutcome(StrEnum):
    """What the comparison of one slot gave."""

    MATCH = "match"
    ROUNDED = "rounded"
    MISMATCH = "mismatch"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class SlotCheck:
    """One compared part. `deviation` is |claimed - found| / |found|, for numbers only."""

    kind: SlotKind
    outcome: SlotOutcome
    claimed: str
    found: str = ""
    deviation: float | None = None


@dataclass(frozen=True, slots=True)
class ClaimAssessment:
    """What code found for one claim.

    `decided` is true when every slot was compared and settled, so that no model may raise the
    verdict; an undecided claim is left to the fact checker. `unchecked` is true when nothing could
    be compared through no fault of the author's (decisions 17, 18 and 28). `passages` are the best
    places found, for its reading.
    """

    claim_id: str
    verdict: Verdict
    citation_state: CitationState
    reason: str
    _: KW_ONLY
    decided: bool = False
    unchecked: bool = False
    slots: tuple[SlotCheck, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    findings: tuple[Finding, ...] = ()
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One claim's line in the ledger.

    `lineage` tells of a claim split off or put together since the last iteration (decision 25).
    `open_slot` is true when no checker answered for it, `unchecked` when the answer is that nothing
    could be compared (see `ClaimAssessment`).
    """

    claim_id: str
    text: str
    location: Location
    verdict: Verdict
    citation_state: CitationState
    reason: str
    _: KW_ONLY
    load_bearing: bool = False
    open_slot: bool = False
    open_contradiction: bool = False
    unchecked: bool = False
    checked_by: tuple[Checker, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    finding_ids: tuple[str, ...] = ()
    lineage: Lineage | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """Every claim of one iteration, in document order."""

    iteration: int
    entries: tuple[LedgerEntry, ...]


@dataclass(frozen=True, slots=True)
class GateMetrics:
    """The numbers that the gate saw. `rate` is supported / checkable, None when nothing is."""

    claims: int
    checkable: int
    supported: int
    contradicted: int
    unverifiable: int
    source_unavailable: int
    unsourced: int
    open_slots: int
    open_contradictions: int
    rate: float | None
    unchecked: int = 0


@dataclass(frozen=True, slots=True)
class GateResult:
    """The gate's decision, the rule that made it, and what would have changed it."""

    decision: GateDecision
    profile: str
    rule: str
    reason: str
    would_change: str
    metrics: GateMetrics
