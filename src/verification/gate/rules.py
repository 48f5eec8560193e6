"""First and last rule of every gate profile."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...base.counting import counted
from ...base.vocabulary import FailCode, GateDecision
from ..model import GateMetrics
from ..source_index import reads_english

CLAIMS_ARE = ("claim is", "claims are")
"""For `counted`."""
NOTHING_TO_CHECK = "nothing_to_check"
"""The rule for a document that states nothing."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A decision with the rule that made it, and what would have changed it."""

    decision: GateDecision
    rule: str
    reason: str
    would_change: str
    fail_code: FailCode | None = None


def failed(rule: str, code: FailCode, reason: str, would_change: str) -> Answer:
    """A decision to fail."""
    return Answer(GateDecision.FAIL, rule, reason, would_change, code)


def in_review(rule: str, reason: str, would_change: str) -> Answer:
    """A decision to leave it to a person."""
    return Answer(GateDecision.PENDING_REVIEW, rule, reason, would_change)


def first_rule(metrics: GateMetrics) -> Answer | None:
    """First rule of every profile; None if it does not apply.

    Open slots and contradictions fail the gate. If nothing could be checked, a person decides.
    """
    if metrics.open_slots:
        reason = counted(metrics.open_slots, "claim has no answer", "claims have no answer")
        if metrics.misquoted:
            reason += f", {metrics.misquoted} for a quote that is not in its source"
        quotes_alone = metrics.misquoted == metrics.open_slots
        code = FailCode.QUOTE if quotes_alone else FailCode.OPEN_SLOT
        return failed("open_slot", code, reason, "an answer for every claim")
    if metrics.open_contradictions:
        number = metrics.open_contradictions
        reason = counted(number, "claim contradicts its source", "claims contradict their source")
        change = f"correcting or removing {'this claim' if number == 1 else 'these claims'}"
        return failed("open_contradiction", FailCode.CONTRADICTION, reason, change)
    if metrics.rate is not None:
        return None
    if metrics.unchecked:
        reason = f"{counted(metrics.unchecked, 'claim')} could not be compared"
        change = "sources that can be read in a language that is checked"
        return in_review("unchecked", reason, change)
    reason = "the document states nothing that can be checked"
    return in_review(NOTHING_TO_CHECK, reason, "a person's decision, or claims with sources")


def capped(answer: Answer, metrics: GateMetrics, language: str) -> Answer:
    """`answer`; a pass is a person's to give where something could not be compared.

    That is so for claims that nothing could be compared with (a source not fetched, a language),
    and for a document in a `language` that is not checked in full (decision 28).
    """
    if answer.decision is not GateDecision.PASS:
        return answer
    if metrics.unchecked:
        reason = f"{answer.reason}, but {metrics.unchecked} could not be compared"
        return in_review("unchecked", reason, "fetching the sources that are missing")
    if not reads_english(language):
        return replace(
            answer,
            decision=GateDecision.PENDING_REVIEW,
            rule="language",
            reason=f"{answer.reason}, by exact words alone",
            would_change="a person's decision",
        )
    return answer
