"""Verdicts with their evidence, the claim ledger and the gate's answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from types import MappingProxyType

from ..base.vocabulary import (
    Basis,
    ChallengeStep,
    Checker,
    CitationState,
    FailCode,
    Finding,
    GateDecision,
    Location,
    Stance,
    SupportTier,
    Verdict,
)
from ..claims.model import Lineage
from .claim_state import ClaimState, StateChange


@dataclass(frozen=True, slots=True)
class Passage:
    """A located piece of a snapshot's text; `score` in 0–1 ranks, and never accepts.

    `[start, end)` is the place of `text` in the snapshot's extracted text, in characters.
    """

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

    `text[start:end] == quote` holds for the extracted text of snapshot `sha256`, in characters.
    """

    url: str
    sha256: str
    quote: str
    start: int
    end: int
    stance: Stance


@dataclass(frozen=True, slots=True)
class WeighedEvidence(Evidence):
    """A piece of evidence with what it is worth; None where its source was not scored.

    `strength` (0–1) is the share of the claim's words that the quote holds, `credibility` (0–1)
    the reliability score of its source. A `circular` source is, or is taken from, the document
    under check (decision 34). `sought` evidence was found by a challenge and
    given by no checker.
    """

    _: KW_ONLY
    strength: float | None = None
    credibility: float | None = None
    circular: bool = False
    sought: bool = False


class ChallengeOutcome(StrEnum):
    """Outcome of a challenge for a claim: it stood, stays open, was linked, or was lowered."""

    STOOD = "stood"
    OPEN = "open"
    LINKED = "linked"
    LOWERED = "lowered"


@dataclass(frozen=True, slots=True)
class ChallengeNote:
    """One challenge that a claim was put to, what came of it, and why in one line."""

    step: ChallengeStep
    outcome: ChallengeOutcome
    detail: str


class SlotKind(StrEnum):
    """The parts of a claim that are compared one by one."""

    QUOTE = "quote"
    NUMBER = "number"
    DATE = "date"
    WORDS = "words"


class SlotOutcome(StrEnum):
    """Outcome of the comparison of one slot."""

    MATCH = "match"
    ROUNDED = "rounded"
    MISMATCH = "mismatch"
    ABSENT = "absent"

    @property
    def is_found(self) -> bool:
        """Whether the other side has the slot, exactly or rounded."""
        return self in (SlotOutcome.MATCH, SlotOutcome.ROUNDED)


@dataclass(frozen=True, slots=True)
class SlotCheck:
    """One compared part. `deviation` is |claimed - found| / |found|, a share, for numbers only."""

    kind: SlotKind
    outcome: SlotOutcome
    claimed: str
    found: str = ""
    deviation: float | None = None


@dataclass(frozen=True, slots=True)
class ClaimAssessment:
    """Assessment of one claim by code.

    `decided` is true if every slot was compared and settled; then no model may raise the verdict.
    The fact checker judges an undecided claim. `unchecked` is true if nothing could be compared and
    the author is not at fault (decisions 17, 18 and 28). `passages` are the best places found, for
    the fact checker to read. `basis` names the ground of the verdict. `sure` marks an unverifiable
    claim that its sources surely do not state. `supported` and `contradicted` are the probabilities
    (0–1) of the fitted decision, None if a rule decided without them.
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
    basis: Basis = Basis.NONE
    sure: bool = False
    supported: float | None = None
    contradicted: float | None = None

    @property
    def needs_no_answer(self) -> bool:
        """Whether code has decided that the claim is not checkable, so that no checker is asked."""
        return self.decided and self.verdict is Verdict.NOT_CHECKABLE


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One claim's line in the ledger.

    `lineage` tells of a claim split off or put together since the last iteration (decision 25).
    `open_slot` is true when no checker answered for it, `unchecked` when the answer is that nothing
    could be compared (see `ClaimAssessment`). `misquoted` is true when a checker's answer was not
    taken because a quote of it is not in its snapshot.

    `tier`, `confidence` (0–1, decision 33) and `credibility_weight` (0–1, the mean reliability of
    the sources that bear the claim out) are None where sources were not scored. `circular` is true
    when only circular sources keep the claim from a better tier. `contradicts` are the ids of the
    claims that cannot be true beside this one. `history` is how the claim came to be what it is,
    over all iterations, oldest first. `challenges` are those that it was put to in this iteration.
    `unsure` is true of an unverifiable claim that its sources may well state.
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
    evidence: tuple[WeighedEvidence, ...] = ()
    finding_ids: tuple[str, ...] = ()
    lineage: Lineage | None = None
    misquoted: bool = False
    tier: SupportTier | None = None
    confidence: float | None = None
    credibility_weight: float | None = None
    circular: bool = False
    contradicts: tuple[str, ...] = ()
    history: tuple[StateChange, ...] = ()
    challenges: tuple[ChallengeNote, ...] = ()
    unsure: bool = False

    @property
    def corroborated(self) -> bool:
        """Whether the fact stands beyond its citation (decision 36)."""
        return self.tier in (
            SupportTier.AUTHORITATIVE,
            SupportTier.VERIFIED,
            SupportTier.ESTABLISHED,
        )

    @property
    def state(self) -> ClaimState:
        """Where the claim stands now."""
        if self.open_slot:
            return ClaimState.OPEN
        if self.verdict is Verdict.SUPPORTED and self.corroborated:
            return ClaimState.CORROBORATED
        return STATES[self.verdict]

    def of_stance(self, stance: Stance) -> tuple[WeighedEvidence, ...]:
        """The evidence that supports the claim, contradicts it, or does neither."""
        return tuple(item for item in self.evidence if item.stance is stance)


STATES: Mapping[Verdict, ClaimState] = MappingProxyType(
    {
        Verdict.SUPPORTED: ClaimState.SUPPORTED,
        Verdict.CONTRADICTED: ClaimState.CONTRADICTED,
        Verdict.PARTIALLY_SUPPORTED: ClaimState.PARTIAL,
        Verdict.DISPUTED: ClaimState.DISPUTED,
        Verdict.UNVERIFIABLE: ClaimState.UNSETTLED,
        Verdict.SOURCE_UNAVAILABLE: ClaimState.UNSETTLED,
        Verdict.NOT_CHECKABLE: ClaimState.EXCLUDED,
    }
)
"""The state of an answered claim by its verdict."""


WORST_FIRST = (
    Verdict.CONTRADICTED,
    Verdict.DISPUTED,
    Verdict.UNVERIFIABLE,
    Verdict.PARTIALLY_SUPPORTED,
    Verdict.SUPPORTED,
)
"""Verdicts about what sources say. The other two say that nothing was compared, and stay."""


@dataclass(frozen=True, slots=True)
class WithdrawnClaim:
    """A claim of an earlier iteration that is no longer in the document."""

    claim_id: str
    text: str
    history: tuple[StateChange, ...]


@dataclass(frozen=True, slots=True)
class Ledger:
    """Every claim of one iteration, in document order, and those that earlier ones had.

    `iteration` counts from 1.
    """

    iteration: int
    entries: tuple[LedgerEntry, ...]
    withdrawn: tuple[WithdrawnClaim, ...] = ()


@dataclass(frozen=True, slots=True)
class GateMetrics:
    """The numbers that the gate saw. `rate` (0–1) is supported / checkable, None when nothing is.

    `claims` counts all claims, `checkable` those that a check could answer, `unsourced` those of
    these without a citation. Of the others `supported` and `contradicted` count those with that
    verdict, `source_unavailable` those whose source could not be read, `unverifiable` the rest: the
    unverifiable, the partly supported and the disputed. `open_slots` counts claims that nobody
    answered for, `open_contradictions` all that are contradicted, those without a citation too.

    The fields from `findings_count` on have the verify-phase spec's names (decision 36):
    `findings_count` counts distinct quotes in snapshots, `unique_source_count` independent sources
    that could be read, `verified_claim_count` corroborated claims, `claim_support_rate` (0–1) is
    their share of the checkable ones, `high_reliability_source_ratio` (0–1) that of the reliable
    sources. Ratios are None over nothing, or where sources were not scored.

    `read_attempts` counts the addresses that were asked for, `read_successes` those that could be
    read, `read_failures` those that could not.

    `unsure` counts the unverifiable claims that their sources may well state. `unread` counts the
    checkable claims among the `unchecked`, `bare` the checkable claims without evidence, `circular`
    those that only circular sources keep from being verified, `misquoted` the open slots left by
    quotes that are not in their sources. Of the independent sources `available_source_count` counts
    the unread too; `reliable_source_count` and `authoritative_source_count` count those that could
    be read, and are None where sources were not scored.
    """

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
    _: KW_ONLY
    findings_count: int = 0
    unique_source_count: int = 0
    verified_claim_count: int = 0
    claim_support_rate: float | None = None
    high_reliability_source_ratio: float | None = None
    read_attempts: int = 0
    read_successes: int = 0
    read_failures: int = 0
    unread: int = 0
    bare: int = 0
    circular: int = 0
    misquoted: int = 0
    available_source_count: int = 0
    reliable_source_count: int | None = None
    authoritative_source_count: int | None = None
    unsure: int = 0


@dataclass(frozen=True, slots=True)
class GateLimit:
    """A limit in force and what was held against it; `seen` is None where there is no number.

    `limit` and `seen` are shares from 0 to 1 where `name` speaks of a rate or a ratio, else counts.
    """

    name: str
    seen: float | None
    limit: float


@dataclass(frozen=True, slots=True)
class PolicyVerdict:
    """Verdict of the user's own gate policy on the gate's decision for an iteration.

    `policy` names its code. `objection` is the best decision that the policy allows, None if it
    accepts the gate's decision; then `reason` and `would_change` are "". `iteration` counts from 1.
    """

    policy: str
    iteration: int
    objection: GateDecision | None
    reason: str = ""
    would_change: str = ""


@dataclass(frozen=True, slots=True)
class GateResult:
    """The gate's decision, the rule that made it, and what would have changed it.

    `profile` is ``document`` or ``research/`` with the mode. `fail_code` is None unless the gate
    failed. `limits` are the profile's, with what minima came to for this document. `policy` is what
    the user's own gate policy said, None in runs without one.
    """

    decision: GateDecision
    profile: str
    rule: str
    reason: str
    would_change: str
    metrics: GateMetrics
    fail_code: FailCode | None = None
    limits: tuple[GateLimit, ...] = ()
    policy: PolicyVerdict | None = None
