"""The user's own gate policy: what it sees, and how its word counts.

It can only tighten. It is asked after the gate's limits and before any person, so that what it
leaves to a person is theirs to decide.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias, cast

from ..base.vocabulary import FailCode, GateDecision
from ..verification.model import GateResult, Ledger, PolicyVerdict

POLICY_RULE = "gate_policy"
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class GateCase:
    """An iteration as the evidence gate saw it: its ledger, and what the limits decided.

    `language` is the document's, as an ISO 639-1 code. `iteration` counts from 1.
    """

    iteration: int
    language: str
    ledger: Ledger
    gate: GateResult


@dataclass(frozen=True, slots=True)
class GateObjection:
    """Objection of a gate policy to the gate's decision.

    `decision` is the best decision that the policy allows: ``pending_review`` or ``fail``.
    `reason` and `would_change` are for the analyst and for people.

    Raises:
        ValueError: `decision` has another value.
    """

    decision: GateDecision
    reason: str
    would_change: str = "another answer of the gate policy"

    def __post_init__(self) -> None:
        """Take a decision as plain text, too: type checkers are not everyone's."""
        decision = GateDecision(self.decision)
        if decision is GateDecision.PASS:
            raise ValueError("an objection is pending_review or fail; to let it pass, return None")
        object.__setattr__(self, "decision", decision)


class GatePolicy(Protocol):
    """A user's own rule over the gate: a pure function, asked again when a run goes on.

    What takes time or asks others is a settlement policy.
    """

    def __call__(self, case: GateCase, /) -> GateObjection | None:
        """Return an objection, or None to accept the gate's decision."""
        ...


GatePolicyRunner: TypeAlias = Callable[[GateCase], PolicyVerdict]
"""Gives the verdict of the policy on a case: `OwnGate.word`, or the record of a run."""


@dataclass(frozen=True, slots=True)
class OwnGate:
    """A gate policy with the name of its code. Without an answer a person has to decide."""

    name: str
    policy: GatePolicy

    def word(self, case: GateCase) -> PolicyVerdict:
        """Run the policy on `case`. A failure or an invalid answer counts as an objection."""
        said: object
        try:
            said = cast("object", self.policy(case))
        # A policy is anyone's code, and `sys.exit` in it must not pass for the end of a run.
        except (Exception, SystemExit) as error:  # noqa: BLE001 - see above
            said = _unanswered(f"it failed: {type(error).__name__}: {error}")
        if said is None:
            return PolicyVerdict(self.name, case.iteration, None)
        if not isinstance(said, GateObjection):
            said = _unanswered(f"it gave a {type(said).__name__}, and no GateObjection or None")
        reason, change = _line(said.reason) or "it gives no reason", _line(said.would_change)
        return PolicyVerdict(self.name, case.iteration, said.decision, reason, change)


def _unanswered(reason: str) -> GateObjection:
    return GateObjection(GateDecision.PENDING_REVIEW, reason, "an answer of the gate policy")


def under_policy(gate: GateResult, word: PolicyVerdict | None) -> GateResult:
    """`gate`, the answer by the limits, with the policy's word: never above it."""
    if word is None:
        return gate
    gate = replace(gate, policy=word)
    if word.objection in (None, GateDecision.PASS) or gate.decision is GateDecision.FAIL:
        return gate
    # Of two that leave it to a person the policy's is shown: who accepts it has read both reasons.
    failed = word.objection is GateDecision.FAIL
    return replace(
        gate,
        decision=word.objection,
        rule=POLICY_RULE,
        reason=f"{word.reason} (by its limits the gate says {gate.decision}: {gate.reason})",
        would_change=word.would_change,
        fail_code=FailCode.GATE_POLICY if failed else None,
    )


def _line(text: str) -> str:
    return " ".join(str(text).split())[:_LONGEST]
