"""Results of the gaps: queries for the next iteration, and the critique of the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...base.vocabulary import GateDecision, Stance, Verdict
from ...claims.model import Claim
from ..model import GateResult, Ledger, LedgerEntry
from ..registry import Registry
from .gaps import find_gaps, shortened
from .model import (
    DeepeningPlan,
    DeepeningQuery,
    EvidenceCritique,
    EvidenceGap,
    GapPriority,
    GapReport,
    OpposedClaim,
    UnderSourcedClaim,
)
from .policy import DeepeningPolicy


@dataclass(frozen=True, slots=True)
class GapAnalysis:
    """Gaps in one iteration's evidence, the plan to fill them, and the critique."""

    report: GapReport
    plan: DeepeningPlan | None
    critique: EvidenceCritique


def analyse_gaps(
    ledger: Ledger,
    claims: Sequence[Claim],
    gate: GateResult,
    registry: Registry,
    *,
    topic: str = "",
    carried: int = 0,
    last: bool = False,
) -> GapAnalysis:
    """The gaps of an iteration, what the next one is to look for, and the critique.

    After a failed gate the high gaps make a plan, unless `carried` iterations have had one and that
    is all the policy allows (decision 38), or this is the `last` one. Where there is no plan, the
    queries are offered as ways to improve the document.
    """
    policy = registry.deepening
    gaps, unlisted = find_gaps(ledger, claims, gate, registry, topic=topic)
    failed = gate.decision is GateDecision.FAIL
    plan = None
    if failed and not last and carried < policy.deepening_iterations:
        high = (gap for gap in gaps if gap.priority is GapPriority.HIGH)
        if queries := to_queries(high, policy.queries):
            plan = DeepeningPlan(ledger.iteration, queries)
    improving = to_queries(gaps, policy.queries) if plan is None else ()
    report = GapReport(ledger.iteration, gate.decision, gaps, unlisted, improving)
    return GapAnalysis(report, plan, criticise(ledger, gaps, policy))


def to_queries(gaps: Iterable[EvidenceGap], most: int) -> tuple[DeepeningQuery, ...]:
    """The first `most` queries of `gaps`, each once."""
    queries: dict[str, DeepeningQuery] = {}
    for gap in gaps:
        if len(queries) == most:
            break
        query = gap.suggested_search
        if query and query not in queries:
            queries[query] = DeepeningQuery(
                query, gap.description, gap.priority, claim_id=gap.claim_id
            )
    return tuple(queries.values())


def criticise(
    ledger: Ledger, gaps: Iterable[EvidenceGap], policy: DeepeningPolicy
) -> EvidenceCritique:
    """How the evidence stands: claims it does not carry, claims it opposes, what to look for.

    Low gaps are left out: nothing is to be done about them.
    """
    entries = {entry.claim_id: entry for entry in ledger.entries}
    matter = [gap for gap in gaps if gap.priority is not GapPriority.LOW]
    weak = list(_under_sourced(matter, entries))
    opposed = list(_opposed(entries))
    most = policy.listed_claims
    return EvidenceCritique(
        ledger.iteration,
        tuple(weak[:most]),
        tuple(opposed[:most]),
        to_queries(matter, policy.queries),
        max(0, len(weak) - most) + max(0, len(opposed) - most),
    )


def _under_sourced(
    gaps: Iterable[EvidenceGap], entries: Mapping[str, LedgerEntry]
) -> Iterator[UnderSourcedClaim]:
    for gap in gaps:
        if gap.claim_id is None:
            continue
        entry = entries[gap.claim_id]
        reason = f"{gap.kind}: {entry.reason}"
        yield UnderSourcedClaim(
            entry.claim_id, entry.location.line, shortened(entry.text), gap.priority, reason
        )


def _opposed(entries: Mapping[str, LedgerEntry]) -> Iterator[OpposedClaim]:
    told_of: set[str] = set()
    for entry in entries.values():
        told_of.add(entry.claim_id)
        against = entry.of_stance(Stance.CONTRADICTS)
        for item in against:
            told = entry.reason if entry.verdict is not Verdict.SUPPORTED else _OTHERWISE
            yield _against(entry, item.quote, item.url, told)
        if entry.verdict is Verdict.CONTRADICTED and not against:
            yield _against(entry, "", "", entry.reason)
        for other in entry.contradicts:
            if other in entries and other not in told_of:
                yield _against(entry, entries[other].text, "", "both cannot be true")


_OTHERWISE = "a source that the claim does not cite says otherwise"


def _against(entry: LedgerEntry, against: str, url: str, reason: str) -> OpposedClaim:
    return OpposedClaim(
        entry.claim_id,
        entry.location.line,
        shortened(entry.text),
        shortened(against),
        url,
        reason,
    )
