"""The gate: a pure function of the ledger and of what was read (decisions 36 and 37).

A profile is a list of rules in order; the first that says something decides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...base.counting import counted
from ...base.vocabulary import CitationState, FailCode, GateDecision, ResearchMode, Verdict
from ..model import GateLimit, GateMetrics, GateResult, Ledger, LedgerEntry
from .policy import DocumentProfile, GateProfiles
from .reads import NOTHING_READ, ReadStatistics
from .research import research_answer
from .rules import CLAIMS_ARE, Answer, capped, failed, first_rule, in_review

_DOCUMENT = "document"


def gate_metrics(ledger: Ledger, reads: ReadStatistics = NOTHING_READ) -> GateMetrics:
    """The numbers of a ledger and its reads that the gate looks at."""
    entries = ledger.entries
    checkable = [entry for entry in entries if entry.verdict is not Verdict.NOT_CHECKABLE]
    sourced = [e for e in checkable if e.citation_state is not CitationState.NONE]
    count = {verdict: sum(e.verdict is verdict for e in sourced) for verdict in Verdict}
    supported = count[Verdict.SUPPORTED]
    verified = sum(entry.corroborated for entry in checkable)
    ratio = None
    if reads.reliable is not None and reads.independent:
        ratio = reads.reliable / reads.independent
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
        findings_count=_findings(entries),
        unique_source_count=reads.independent,
        verified_claim_count=verified,
        claim_support_rate=verified / len(checkable) if checkable else None,
        high_reliability_source_ratio=ratio,
        read_attempts=reads.attempts,
        read_successes=reads.successes,
        read_failures=reads.failures,
        unread=sum(entry.unchecked for entry in checkable),
        bare=sum(all(item.sought for item in entry.evidence) for entry in checkable),
        circular=sum(entry.circular for entry in checkable),
        misquoted=sum(entry.open_slot and entry.misquoted for entry in entries),
        available_source_count=reads.available,
        reliable_source_count=reads.reliable,
        authoritative_source_count=reads.authoritative,
        unsure=sum(entry.unsure and not entry.open_slot for entry in checkable),
    )


def _findings(entries: Sequence[LedgerEntry]) -> int:
    """Distinct quotes; what a challenge found against a claim makes no document richer."""
    return len(
        {
            (item.sha256, item.quote)
            for entry in entries
            for item in entry.evidence
            if not item.sought
        }
    )


def decide_gate(
    ledger: Ledger,
    policy: GateProfiles,
    *,
    language: str = "en",
    reads: ReadStatistics = NOTHING_READ,
    mode: ResearchMode | None = None,
) -> GateResult:
    """The decision, the rule that made it, the numbers it saw, and what would have changed it.

    Without a `mode` the profile `document` decides, with one `research`. Both fail on an open slot
    or an open contradiction. Then `document` passes at a rate of at least `pass_rate`, leaves it to
    a person at `review_rate`, or where it is reached with the claims that the reader is not sure
    about (decision 44), else fails; for `research` see `research_answer`. Nothing checkable,
    or a claim that nothing could be compared with (a source not fetched, a language), allows at
    most pending_review; so does a document in a `language` that is not checked in full
    (decision 28).
    """
    metrics = gate_metrics(ledger, reads)
    answer = first_rule(metrics)
    if mode is None:
        profile, limits = _DOCUMENT, _document_limits(metrics, policy.document)
        answer = answer or _document_answer(metrics, policy.document)
    else:
        profile = f"research/{mode}"
        decided, limits = research_answer(metrics, reads, policy.research, mode)
        answer = answer or decided
    answer = capped(answer, metrics, language)
    return GateResult(
        answer.decision,
        profile,
        answer.rule,
        answer.reason,
        answer.would_change,
        metrics,
        answer.fail_code,
        limits,
    )


def _document_limits(metrics: GateMetrics, profile: DocumentProfile) -> tuple[GateLimit, ...]:
    return (
        GateLimit("pass_rate", metrics.rate, profile.pass_rate),
        GateLimit("review_rate", metrics.rate, profile.review_rate),
    )


def _document_answer(metrics: GateMetrics, profile: DocumentProfile) -> Answer:
    share = f"{metrics.supported} of {counted(metrics.checkable, *CLAIMS_ARE)} supported"
    rate = metrics.supported / metrics.checkable
    if rate < profile.review_rate:
        reachable = (metrics.supported + metrics.unread) / metrics.checkable
        code = FailCode.VERIFICATION_INCONCLUSIVE
        if reachable >= profile.review_rate:
            code = FailCode.COVERAGE
        needed = _needed(metrics, profile.review_rate)
        if (metrics.supported + metrics.unsure) / metrics.checkable >= profile.review_rate:
            unsure = counted(metrics.unsure, "could not be confirmed", "could not be confirmed")
            return in_review("not_sure", f"{share}, {unsure}", needed)
        return failed("rate_below_review", code, share, needed)
    if rate < profile.pass_rate:
        return in_review("rate_below_pass", share, _needed(metrics, profile.pass_rate))
    change = _spare(metrics, profile.pass_rate)
    return Answer(GateDecision.PASS, "rate", share, change)


def _needed(metrics: GateMetrics, rate: float) -> str:
    needed = math.ceil(rate * metrics.checkable - 1e-9) - metrics.supported
    more = counted(needed, "more supported claim")
    return f"{more} (of {metrics.checkable}, at {rate:.0%})"


def _spare(metrics: GateMetrics, rate: float) -> str:
    spare = metrics.supported - math.ceil(rate * metrics.checkable - 1e-9) + 1
    return f"{counted(spare, 'fewer supported claim')}, an open slot or a contradiction"
