"""People's decisions on what neither code nor a critic could settle, and what waits for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from ..base.errors import TransitionRefused
from ..base.vocabulary import (
    Checker,
    CitationState,
    FailCode,
    Finding,
    GateDecision,
    IssueType,
    ResearchMode,
    Severity,
    Stance,
    SupportTier,
    Verdict,
    finding_id,
)
from ..verification.claim_state import moved
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
from .gate_policy import under_policy
from .tasks import digest

GATE = "gate"
"""The subject of a decision on what the gate asks beyond single claims."""


class ReviewChoice(StrEnum):
    """Choice of a person in review.

    `accept`: the claim holds. `reject`: the claim is false and goes back to the author. `exclude`:
    the claim states nothing that needs a check.
    """

    ACCEPT = "accept"
    REJECT = "reject"
    EXCLUDE = "exclude"


@dataclass(frozen=True, slots=True)
class ReviewDecision:
    """A person's decision on a claim, or on the gate's own question.

    `subject` is the claim's id, or `GATE`. `basis` is what it was made on: it holds as long as that
    is what code and critics find, from `iteration` (from 1) on; for the gate, whose basis is its
    rule, in that iteration alone. `sitting` is the sitting of the run (from 0) after which it was
    made; it counts in later ones.
    """

    subject: str
    choice: ReviewChoice
    by: str
    at: datetime
    why: str
    iteration: int
    basis: str
    sitting: int

    @property
    def reason(self) -> str:
        """The decision in words: what, who, when, why."""
        return f"{_DONE[self.choice]} by {self.by} on {self.at.date()}: {self.why}"


_DONE = {
    ReviewChoice.ACCEPT: "accepted",
    ReviewChoice.REJECT: "rejected",
    ReviewChoice.EXCLUDE: "excluded",
}

VERDICTS: Mapping[ReviewChoice, Verdict] = {
    ReviewChoice.ACCEPT: Verdict.SUPPORTED,
    ReviewChoice.REJECT: Verdict.CONTRADICTED,
    ReviewChoice.EXCLUDE: Verdict.NOT_CHECKABLE,
}
"""The verdict that a decision gives a claim."""

_UNCORROBORATED: Mapping[SupportTier | None, SupportTier] = {
    SupportTier.AUTHORITATIVE: SupportTier.UNVERIFIED,
    SupportTier.VERIFIED: SupportTier.UNVERIFIED,
    SupportTier.ESTABLISHED: SupportTier.EMERGING,
}


def basis_of(entry: LedgerEntry) -> str:
    """sha256 over what a person decides on: the claim's words, its verdict and its evidence."""
    parts = [entry.text, entry.verdict, str(entry.unchecked)]
    for item in sorted(entry.evidence, key=lambda item: (item.sha256, item.start, item.end)):
        parts += [item.stance, item.sha256, item.quote]
    return digest(parts)


def require_allowed(entry: LedgerEntry, choice: ReviewChoice) -> None:
    """Refuse a decision that is not a person's to make on `entry`, as the checkers left it.

    A contradiction is: a wrong alarm is never final (design of verification, principle 2).

    Raises:
        TransitionRefused: There is no source to accept the claim by, or nothing to accept.
    """
    if choice is not ReviewChoice.ACCEPT:
        return
    if entry.verdict is Verdict.SUPPORTED:
        raise TransitionRefused(f"{entry.claim_id} is supported already")
    if entry.citation_state is CitationState.NONE:
        raise TransitionRefused(
            f"{entry.claim_id} cites no source to accept it by",
            "exclude it if it needs none, or reject it",
        )


def counting(ledger: Ledger, decisions: Iterable[ReviewDecision]) -> dict[str, ReviewDecision]:
    """The decision that counts for each claim of `ledger` that has one, by claim id.

    That is the last one, unless it was made on another basis or is not a person's to make.

    Args:
        ledger: An iteration's ledger as the checkers left it.
        decisions: In the order in which they were made.
    """
    latest = {one.subject: one for one in decisions if one.iteration <= ledger.iteration}
    known = {entry.claim_id: entry for entry in ledger.entries if entry.claim_id in latest}
    return {id_: latest[id_] for id_, entry in known.items() if _holds(entry, latest[id_])}


def with_decisions(
    ledger: Ledger, made: Mapping[str, ReviewDecision], *, previous: Ledger | None = None
) -> Ledger:
    """`ledger` with people's decisions on its claims.

    Args:
        ledger: An iteration's ledger with histories, as the checkers left it.
        made: The decisions that count, by claim id.
        previous: The ledger of the iteration before, with decisions.

    Raises:
        TransitionRefused: The claim state machine does not allow a move.
    """
    if not made:
        return ledger
    known = {entry.claim_id: entry for entry in previous.entries} if previous else {}
    entries = list(ledger.entries)
    for place, entry in enumerate(entries):
        if one := made.get(entry.claim_id):
            entries[place] = _decided(entry, one, ledger.iteration, known.get(entry.claim_id))
    return replace(ledger, entries=tuple(entries))


def rejections(ledger: Ledger, made: Mapping[str, ReviewDecision]) -> tuple[Finding, ...]:
    """Findings for the author from people's rejections; `made` are the decisions that count."""
    return tuple(
        Finding(
            id=finding_id(IssueType.VERIFIED_FALSE, entry.claim_id),
            severity=Severity.HIGH,
            type=IssueType.VERIFIED_FALSE,
            claim=entry.text,
            problem=f"A person does not accept this claim: {one.reason}",
            origin="person",
            location=entry.location,
            recommendation="Correct the claim or take it out.",
            claim_id=entry.claim_id,
        )
        for entry in ledger.entries
        if (one := made.get(entry.claim_id)) and one.choice is ReviewChoice.REJECT
    )


def _holds(entry: LedgerEntry, decision: ReviewDecision) -> bool:
    if decision.basis != basis_of(entry):
        return False
    try:
        require_allowed(entry, decision.choice)
    except TransitionRefused:
        return False
    return True


def _decided(
    entry: LedgerEntry, decision: ReviewDecision, iteration: int, known: LedgerEntry | None
) -> LedgerEntry:
    if decision.choice is ReviewChoice.ACCEPT and entry.corroborated:
        # A person vouches for the claim, and makes no sources for it.
        entry = replace(entry, tier=_UNCORROBORATED.get(entry.tier))
    verdict, why = VERDICTS[decision.choice], decision.reason
    after = revised(entry, verdict, iteration=iteration, by=Checker.HUMAN, reason=why)
    if known and _last_change(known) == _last_change(after):
        # Checkers found again what the person has answered already.
        after = replace(after, history=known.history)
    return after


def revised(
    entry: LedgerEntry, verdict: Verdict, *, iteration: int, by: Checker, reason: str
) -> LedgerEntry:
    """`entry` with another verdict, given by a later check or by a person, and why.

    The answer closes an open slot. The tier of a claim that is no longer supported goes.

    Raises:
        TransitionRefused: `by` may not move the claim there.
    """
    after = replace(
        entry,
        verdict=verdict,
        reason=reason,
        open_slot=False,
        unchecked=False,
        misquoted=False,
        open_contradiction=verdict is Verdict.CONTRADICTED,
        checked_by=tuple(dict.fromkeys((*entry.checked_by, by))),
    )
    if verdict is not Verdict.SUPPORTED:
        after = replace(after, tier=None, confidence=0.0, credibility_weight=None, circular=False)
    return replace(
        after, history=moved(entry.history, after.state, iteration=iteration, by=by, reason=reason)
    )


def _last_change(entry: LedgerEntry) -> list[tuple[object, ...]]:
    return [(change.by, change.after, change.reason) for change in entry.history[-1:]]


PERSON_RULE = "person"
SHOWN_EVIDENCE = 3

_SETTLED = (Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_CHECKABLE)


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
    decisions so far. `items` are those that the gate leaves to a person, the contradicted claims
    for which it fails, and those that a person has decided.
    """

    iteration: int
    before: GateResult
    gate: GateResult
    items: tuple[ReviewItem, ...]

    @property
    def is_open(self) -> bool:
        """Whether the iteration is a person's to decide on."""
        return _asks_a_person(self.before)

    @property
    def waiting(self) -> tuple[ReviewItem, ...]:
        """Undecided items; empty where the gate passes or a rejected claim goes to the author."""
        made = [item.decision for item in self.items if item.decision is not None]
        rejected = any(one.choice is ReviewChoice.REJECT for one in made)
        if rejected or not _asks_a_person(self.gate):
            return ()
        return tuple(item for item in self.items if item.decision is None)


def _asks_a_person(gate: GateResult) -> bool:
    """Whether a person may change what the gate says: where it asks, and a contradiction."""
    asks = gate.decision is GateDecision.PENDING_REVIEW
    return asks or gate.fail_code is FailCode.CONTRADICTION


def review_queue(case: ReviewCase, decisions: Sequence[ReviewDecision]) -> ReviewQueue:
    """Items of `case` for a person to decide: load-bearing claims first, then in document order.

    The gate itself is an item if it would still need a person with every claim settled.
    """
    ledger, number = case.ledger, case.ledger.iteration
    before = _gate_of(case, ledger)
    made = counting(ledger, decisions)
    decided = with_decisions(ledger, made)
    after = _gate_of(case, decided)
    pending = GateDecision.PENDING_REVIEW in (before.decision, after.decision)
    items: list[ReviewItem] = []
    if _asks_a_person(before):
        items = [
            _item(entry, case.engine.get(entry.claim_id), made.get(entry.claim_id))
            for entry in ledger.entries
            if entry.open_contradiction or entry.claim_id in made or (pending and _asks(entry))
        ]
        items.sort(key=lambda item: not item.load_bearing)
    if pending and (left := _left_over(case, decided)):
        items.append(_gate_item(left, _gate_decision(left, decisions, number)))
    return ReviewQueue(number, before, decided_gate(after, decisions, number), tuple(items))


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
    return not entry.open_slot and (entry.verdict not in _SETTLED or entry.unchecked)


def _item(
    entry: LedgerEntry, engine: ClaimAssessment | None, decision: ReviewDecision | None
) -> ReviewItem:
    sourced = entry.citation_state is not CitationState.NONE
    evidence = sorted(entry.evidence, key=_worth) or [
        WeighedEvidence(one.url, one.sha256, one.text, one.start, one.end, Stance.NEUTRAL)
        for one in (engine.passages if engine else ())
    ]
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
    name, reads = case.gate.profile.partition("/")[2], reads_of(case.gate.metrics)
    mode = ResearchMode(name) if name else None
    decided = decide_gate(ledger, case.policy, language=case.language, reads=reads, mode=mode)
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
