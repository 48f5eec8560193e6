"""People's decisions on claims that neither code nor a critic could settle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from ..base.errors import TransitionRefused
from ..base.vocabulary import (
    Checker,
    CitationState,
    Finding,
    IssueType,
    Severity,
    SupportTier,
    Verdict,
    finding_id,
)
from ..verification.claim_state import allowed
from ..verification.ledger.history import revised
from ..verification.model import ClaimAssessment, Ledger, LedgerEntry
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


def require_allowed(
    entry: LedgerEntry, choice: ReviewChoice, engine: ClaimAssessment | None
) -> None:
    """Refuse a decision that is not a person's to make.

    Args:
        entry: The claim, as the checkers left it.
        choice: The decision.
        engine: What code alone found.

    Raises:
        TransitionRefused: Code found the claim contradicted, there is no source to accept it by, or
            nothing to accept.
    """
    if choice is ReviewChoice.REJECT:
        return
    by_code = engine if engine and engine.verdict is Verdict.CONTRADICTED else None
    if by_code or not allowed(entry.history, Checker.HUMAN):
        reason = by_code.reason if by_code else entry.reason
        raise TransitionRefused(
            f"code found {entry.claim_id} contradicted: {reason}",
            "nobody can overrule that: correct the claim or take it out",
        )
    if choice is ReviewChoice.ACCEPT and entry.verdict is Verdict.SUPPORTED:
        raise TransitionRefused(f"{entry.claim_id} is supported already")
    if choice is ReviewChoice.ACCEPT and entry.citation_state is CitationState.NONE:
        raise TransitionRefused(
            f"{entry.claim_id} cites no source to accept it by",
            "exclude it if it needs none, or reject it",
        )


def counting(
    ledger: Ledger, decisions: Iterable[ReviewDecision], engine: Mapping[str, ClaimAssessment]
) -> dict[str, ReviewDecision]:
    """The decision that counts for each claim of `ledger` that has one, by claim id.

    That is the last one, unless it was made on another basis or is not a person's to make.

    Args:
        ledger: An iteration's ledger as the checkers left it.
        decisions: In the order in which they were made.
        engine: What code alone found, by claim id.
    """
    latest = {one.subject: one for one in decisions if one.iteration <= ledger.iteration}
    return {
        entry.claim_id: latest[entry.claim_id]
        for entry in ledger.entries
        if entry.claim_id in latest and _holds(entry, latest[entry.claim_id], engine)
    }


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
    entries = (
        _decided(entry, one, ledger.iteration, known.get(entry.claim_id))
        if (one := made.get(entry.claim_id))
        else entry
        for entry in ledger.entries
    )
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


def _holds(
    entry: LedgerEntry, decision: ReviewDecision, engine: Mapping[str, ClaimAssessment]
) -> bool:
    if decision.basis != basis_of(entry):
        return False
    try:
        require_allowed(entry, decision.choice, engine.get(entry.claim_id))
    except TransitionRefused:
        return False
    return True


def _decided(
    entry: LedgerEntry, decision: ReviewDecision, iteration: int, known: LedgerEntry | None
) -> LedgerEntry:
    if decision.choice is ReviewChoice.ACCEPT and entry.corroborated:
        # A person vouches for the claim, and makes no sources for it.
        entry = replace(entry, tier=_UNCORROBORATED.get(entry.tier))
    after = revised(
        entry,
        VERDICTS[decision.choice],
        iteration=iteration,
        by=Checker.HUMAN,
        reason=decision.reason,
    )
    if known and _last_change(known) == _last_change(after):
        # Checkers found again what the person has answered already.
        after = replace(after, history=known.history)
    return after


def _last_change(entry: LedgerEntry) -> list[tuple[object, ...]]:
    return [(change.by, change.after, change.reason) for change in entry.history[-1:]]
