"""The gate: a pure function of the ledger (decisions 36 and 37)."""

from __future__ import annotations

import math

from pydantic import Field

from ..base.registry import RegistryModel
from ..base.vocabulary import CitationState, GateDecision, Verdict
from .foreign import reads_english
from .model import GateMetrics, GateResult, Ledger

_PROFILE = "document"


class DocumentProfile(RegistryModel):
    """Limits of the profile `document`: shares of supported among checkable claims."""

    pass_rate: float = Field(gt=0, le=1)
    review_rate: float = Field(gt=0, le=1)


class GatePolicy(RegistryModel):
    """`config/registry/gate.yaml`."""

    document: DocumentProfile


def gate_metrics(ledger: Ledger) -> GateMetrics:
    """The numbers of a ledger that the gate looks at."""
    entries = ledger.entries
    checkable = [entry for entry in entries if entry.verdict is not Verdict.NOT_CHECKABLE]
    sourced = [e for e in checkable if e.citation_state is not CitationState.NONE]
    count = {verdict: sum(e.verdict is verdict for e in sourced) for verdict in Verdict}
    supported = count[Verdict.SUPPORTED]
    return GateMetrics(
        claims=len(entries),
        checkable=len(checkable),
        supported=supported,
        contradicted=count[Verdict.CONTRADICTED],
        unverifiable=count[Verdict.UNVERIFIABLE]
        + count[Verdict.PARTIALLY_SUPPORTED]
        + count[Verdict.DISPUTED],
        source_unavailable=count[Verdict.SOURCE_UNAVAILABLE],
        unsourced=len(checkable) - len(sourced),
        open_slots=sum(entry.open_slot for entry in entries),
        open_contradictions=sum(entry.open_contradiction for entry in entries),
        rate=supported / len(checkable) if checkable else None,
        unchecked=sum(entry.unchecked for entry in entries),
    )


def decide_gate(ledger: Ledger, policy: GatePolicy, *, language: str = "en") -> GateResult:
    """The decision of the profile `document`, the rule that made it, and what would change it.

    Fail on an open slot or an open contradiction. Else pass at a rate of at least `pass_rate`,
    pending_review at `review_rate`, else fail. Nothing checkable, or a claim that nothing could be
    compared with (a source not fetched, a language), allows at most pending_review; so does a
    document in a `language` that is not checked in full (decision 28).
    """
    metrics = gate_metrics(ledger)
    decision, rule, reason, change = _decide(metrics, policy.document)
    if decision is GateDecision.PASS and not reads_english(language):
        decision, rule = GateDecision.PENDING_REVIEW, "language"
        reason, change = f"{reason}, by exact words alone", "a person's decision"
    return GateResult(decision, _PROFILE, rule, reason, change, metrics)


def _decide(metrics: GateMetrics, profile: DocumentProfile) -> tuple[GateDecision, str, str, str]:
    fail, review = GateDecision.FAIL, GateDecision.PENDING_REVIEW
    if metrics.open_slots:
        reason = f"{metrics.open_slots} claims have no answer"
        return fail, "open_slot", reason, "an answer for every claim"
    if metrics.open_contradictions:
        reason = f"{metrics.open_contradictions} claims contradict their source"
        return fail, "open_contradiction", reason, "correcting or removing these claims"
    if metrics.rate is None and metrics.unchecked:
        reason = f"{metrics.unchecked} claims could not be compared"
        return review, "unchecked", reason, "sources that can be read in a language that is checked"
    if metrics.rate is None:
        reason = "the document states nothing that can be checked"
        return review, "nothing_to_check", reason, "a person's decision, or claims with sources"
    share = f"{metrics.supported} of {metrics.checkable} claims are supported"
    if metrics.rate < profile.review_rate:
        return fail, "rate_below_review", share, _needed(metrics, profile.review_rate)
    if metrics.rate < profile.pass_rate:
        return review, "rate_below_pass", share, _needed(metrics, profile.pass_rate)
    if metrics.unchecked:
        reason = f"{share}, but {metrics.unchecked} could not be compared"
        return review, "unchecked", reason, "fetching the sources that are missing"
    return GateDecision.PASS, "rate", share, _spare(metrics, profile.pass_rate)


def _needed(metrics: GateMetrics, rate: float) -> str:
    needed = math.ceil(rate * metrics.checkable - 1e-9) - metrics.supported
    return f"{needed} more supported claims (of {metrics.checkable}, at {rate:.0%})"


def _spare(metrics: GateMetrics, rate: float) -> str:
    spare = metrics.supported - math.ceil(rate * metrics.checkable - 1e-9) + 1
    return f"{spare} fewer supported claims, an open slot or a contradiction"
