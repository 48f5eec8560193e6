"""Questions of a gate that needs a person, and the gate after the answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..base.vocabulary import CitationState, FailCode, GateDecision, ResearchMode, Stance, Verdict
from ..verification.gate.decision import ReadStatistics, decide_gate
from ..verification.model import (
    ClaimAssessment,
    GateMetrics,
    GateResult,
    Ledger,
    LedgerEntry,
    WeighedEvidence,
)
from ..verification.policy import GateProfiles
from .claim_decisions import (
    GATE,
    VERDICTS,
    ReviewChoice,
    ReviewDecision,
    basis_of,
    counting,
    with_decisions,
)
from .gate_policy import under_policy

PERSON_RULE = "person"
SHOWN_EVIDENCE = 3

_UNSETTLED = frozenset(
    {
        Verdict.UNVERIFIABLE,
        Verdict.PARTIALLY_SUPPORTED,
        Verdict.DISPUTED,
        Verdict.SOURCE_UNAVAILABLE,
    }
)


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One thing for a person to decide.

    `subject` is a claim's id, or `GATE`; `evidence` the best of what there is, at most
    `SHOWN_EVIDENCE`, for a claim without any the nearest passages. `basis` is what a decision on it
    is made on, `decision` what a person has decided already. `line` is the line of the document in
    which the claim starts, from 1; None for the gate.
    """

    subject: str
    text: str
    line: int | None
    verdict: str
    reason: str
    load_bearing: bool
    evidence: tuple[WeighedEvidence, ...]
    options: tuple[ReviewChoice, ...]
    basis: str
    decision: ReviewDecision | None = None


@dataclass(frozen=True, slots=True)
class ReviewCase:
    """An iteration that was concluded, as its checkers left it: before any person's decision.

    `engine` is what code alone found, by claim id. `gate` is any answer of the gate to the
    iteration; its profile, its reads and the word of the user's own policy count.
    """

    ledger: Ledger
    gate: GateResult
    policy: GateProfiles
    language: str
    engine: Mapping[str, ClaimAssessment]


@dataclass(frozen=True, slots=True)
class ReviewQueue:
    """Queue of items of an iteration for people to decide.

    `iteration` counts from 1. `before` is the gate without people's decisions; `gate` includes the
    decisions so far. `items` are those that the gate leaves to a person, and those that a person
    has decided.
    """

    iteration: int
    before: GateResult
    gate: GateResult
    items: tuple[ReviewItem, ...]

    @property
    def is_open(self) -> bool:
        """Whether the iteration is a person's to decide on."""
        return self.before.decision is GateDecision.PENDING_REVIEW

    @property
    def waiting(self) -> tuple[ReviewItem, ...]:
        """Undecided items; empty unless the gate is pending review."""
        if self.gate.decision is not GateDecision.PENDING_REVIEW:
            return ()
        return tuple(item for item in self.items if item.decision is None)


def review_queue(case: ReviewCase, decisions: Sequence[ReviewDecision]) -> ReviewQueue:
    """Items of `case` for a person to decide: load-bearing claims first, then in document order.

    The gate itself is an item if it would still need a person with every claim settled.
    """
    ledger, number = case.ledger, case.ledger.iteration
    before = _gate_of(case, ledger)
    made = counting(ledger, decisions, case.engine)
    decided = with_decisions(ledger, made)
    items: list[ReviewItem] = []
    if before.decision is GateDecision.PENDING_REVIEW:
        items = [
            _item(entry, case.engine.get(entry.claim_id), made.get(entry.claim_id))
            for entry in ledger.entries
            if _asks(entry) or entry.claim_id in made
        ]
        items.sort(key=lambda item: not item.load_bearing)
        if left := _left_over(case, decided):
            items.append(_gate_item(left, _gate_decision(left, decisions, number)))
    gate = decided_gate(_gate_of(case, decided), decisions, number)
    return ReviewQueue(number, before, gate, tuple(items))


def decided_gate(
    gate: GateResult, decisions: Iterable[ReviewDecision], iteration: int
) -> GateResult:
    """`gate`; one that leaves it to a person, as the person has decided.

    A decision counts for the iteration and the rule that it was made on.
    """
    if gate.decision is not GateDecision.PENDING_REVIEW:
        return gate
    last = _gate_decision(gate, decisions, iteration)
    if last is None:
        return gate
    accepted = last.choice is ReviewChoice.ACCEPT
    return replace(
        gate,
        decision=GateDecision.PASS if accepted else GateDecision.FAIL,
        rule=PERSON_RULE,
        reason=f"{last.reason} (left to a person: {gate.reason})",
        would_change="another decision of the person",
        fail_code=None if accepted else FailCode.VERIFICATION_INCONCLUSIVE,
    )


def _gate_decision(
    gate: GateResult, decisions: Iterable[ReviewDecision], iteration: int
) -> ReviewDecision | None:
    asked = GATE, iteration, gate.rule
    own = [one for one in decisions if (one.subject, one.iteration, one.basis) == asked]
    return own[-1] if own else None


def _asks(entry: LedgerEntry) -> bool:
    return not entry.open_slot and (entry.verdict in _UNSETTLED or entry.unchecked)


def _item(
    entry: LedgerEntry, engine: ClaimAssessment | None, decision: ReviewDecision | None
) -> ReviewItem:
    sourced = entry.citation_state is not CitationState.NONE
    evidence = sorted(entry.evidence, key=_worth) or _nearest(engine)
    return ReviewItem(
        entry.claim_id,
        entry.text,
        entry.location.line,
        entry.verdict.value,
        entry.reason,
        entry.load_bearing,
        tuple(evidence[:SHOWN_EVIDENCE]),
        tuple(choice for choice in ReviewChoice if sourced or choice is not ReviewChoice.ACCEPT),
        basis_of(entry),
        decision,
    )


def _nearest(engine: ClaimAssessment | None) -> list[WeighedEvidence]:
    """The passages that code found nearest to the claim: they say neither yes nor no."""
    return [
        WeighedEvidence(one.url, one.sha256, one.text, one.start, one.end, Stance.NEUTRAL)
        for one in (engine.passages if engine else ())
    ]


def _worth(item: WeighedEvidence) -> float:
    return -(item.strength or 0.0) * (1.0 if item.credibility is None else item.credibility)


def _gate_item(gate: GateResult, decision: ReviewDecision | None) -> ReviewItem:
    options = (ReviewChoice.ACCEPT, ReviewChoice.REJECT)
    return ReviewItem(
        GATE,
        f"the whole document, by the gate's rule {gate.rule}",
        None,
        gate.decision.value,
        gate.reason,
        True,
        (),
        options,
        gate.rule,
        decision,
    )


def _left_over(case: ReviewCase, decided: Ledger) -> GateResult | None:
    settled: list[LedgerEntry] = []
    for entry in decided.entries:
        uncited = entry.citation_state is CitationState.NONE
        best = VERDICTS[ReviewChoice.EXCLUDE if uncited else ReviewChoice.ACCEPT]
        after = replace(entry, verdict=best, unchecked=False)
        settled.append(after if _asks(entry) else entry)
    gate = _gate_of(case, replace(decided, entries=tuple(settled)))
    return gate if gate.decision is GateDecision.PENDING_REVIEW else None


def _gate_of(case: ReviewCase, ledger: Ledger) -> GateResult:
    mode = case.gate.profile.partition("/")[2]
    decided = decide_gate(
        ledger,
        case.policy,
        language=case.language,
        reads=reads_of(case.gate.metrics),
        mode=ResearchMode(mode) if mode else None,
    )
    return under_policy(decided, case.gate.policy)


def reads_of(metrics: GateMetrics) -> ReadStatistics:
    """The reads that a gate saw."""
    return ReadStatistics(
        attempts=metrics.read_attempts,
        successes=metrics.read_successes,
        available=metrics.available_source_count,
        independent=metrics.unique_source_count,
        reliable=metrics.reliable_source_count,
        authoritative=metrics.authoritative_source_count,
    )
