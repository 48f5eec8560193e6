"""Gap analysis: from the ledger, the gate and the reads to what is missing (verify-phase spec)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import assert_never

from ...base.counting import counted
from ...base.vocabulary import CitationState, FailCode, GateDecision, Verdict
from ...claims.lexicon import Lexicon
from ...claims.model import Claim
from ...sources.search.query import QueryParts, build_query
from ..model import GateLimit, GateResult, Ledger, LedgerEntry
from ..queries import claim_query, is_internal
from ..registry import Registry
from .model import CLAIM_GAPS, EvidenceGap, GapKind, GapPriority
from .policy import DeepeningPolicy

QUERY_CHARACTERS = 200
"""The most characters of a query (decision 19)."""

# From so many reads that fail on, reading is itself what is missing (the gate's adaptive floor).
_FAILING = 0.5
_SHOWN = 200
_WANTING = frozenset(
    {
        FailCode.VERIFICATION_INCONCLUSIVE,
        FailCode.INSUFFICIENT_EVIDENCE,
        FailCode.COVERAGE,
        FailCode.CIRCULARITY,
    }
)
_LIMITS: Mapping[str, tuple[GapKind, str]] = MappingProxyType(
    {
        "findings_min": (GapKind.FINDINGS, "distinct findings"),
        "sources_min": (GapKind.SOURCES, "independent sources that can be read"),
    }
)


@dataclass(frozen=True, slots=True)
class _Found:
    """A gap before it has a query: building one takes time, and only listed gaps need one."""

    kind: GapKind
    priority: GapPriority
    description: str
    entry: LedgerEntry | None = None


def find_gaps(
    ledger: Ledger,
    claims: Sequence[Claim],
    gate: GateResult,
    registry: Registry,
    *,
    topic: str = "",
) -> tuple[tuple[EvidenceGap, ...], int]:
    """Gaps in the evidence, highest priority first, and the number of gaps beyond the list.

    A contradicted claim makes no gap, because its evidence exists. An open slot makes no gap
    either: a checker has to fill it. Queries contain no words of an internal claim. If all claims
    are internal, the document as a whole gets no query.

    Args:
        ledger: The iteration's ledger.
        claims: The claims of the ledger.
        gate: The gate's decision on the ledger.
        registry: Priorities, number of gaps to list, and the words for queries.
        topic: The document's title.
    """
    policy, lexicon = registry.deepening, registry.lexicon
    found = sorted(
        (*_of_document(gate), *_of_claims(ledger, gate, policy)), key=lambda one: one.priority.rank
    )
    by_id = {claim.id: claim for claim in claims}
    public = any(not is_internal(claim) for claim in claims)
    whole = build_query(QueryParts(words=tuple(topic.split())), QUERY_CHARACTERS) if public else ""
    listed = found[: policy.listed_gaps]
    gaps = tuple(_gap(one, by_id, lexicon, topic, whole) for one in listed)
    return gaps, len(found) - len(listed)


def _gap(
    found: _Found, claims: Mapping[str, Claim], lexicon: Lexicon, topic: str, whole: str
) -> EvidenceGap:
    entry = found.entry
    if entry is None:
        return EvidenceGap(found.kind, found.priority, found.description, whole)
    claim = claims[entry.claim_id]
    query = "" if is_internal(claim) else claim_query(claim, lexicon, QUERY_CHARACTERS, topic)
    return EvidenceGap(
        found.kind,
        found.priority,
        found.description,
        query,
        claim_id=entry.claim_id,
        line=entry.location.line,
    )


def _of_claims(ledger: Ledger, gate: GateResult, policy: DeepeningPolicy) -> Iterator[_Found]:
    """Load-bearing claims first among equals."""
    wanting = _wanting(gate)
    for entry in sorted(ledger.entries, key=lambda entry: not entry.load_bearing):
        kind = gap_of(entry)
        if kind is None:
            continue
        rule = policy.priorities[kind]
        priority = rule.load_bearing if entry.load_bearing else rule.other
        if kind in wanting:
            priority = priority.raised
        yield _Found(kind, priority, f"{_WORDS[kind]}: {shortened(entry.text)}", entry)


def gap_of(entry: LedgerEntry) -> GapKind | None:
    """Gap in the evidence of one claim; None if a search cannot help.

    An open slot or an unchecked claim needs a check, which a search cannot replace.
    """
    if entry.open_slot or entry.unchecked:
        return None
    match entry.verdict:
        case Verdict.CONTRADICTED | Verdict.NOT_CHECKABLE:
            return None
        case Verdict.SUPPORTED:
            alone = entry.tier is not None and not entry.corroborated
            return GapKind.UNCORROBORATED if alone else None
        case Verdict.DISPUTED:
            return GapKind.DISPUTED
        case Verdict.SOURCE_UNAVAILABLE:
            return GapKind.UNAVAILABLE
        case Verdict.PARTIALLY_SUPPORTED | Verdict.UNVERIFIABLE:
            if entry.citation_state is CitationState.NONE:
                return GapKind.UNSOURCED
            return GapKind.UNSUPPORTED
        case _:
            assert_never(entry.verdict)


_WORDS: Mapping[GapKind, str] = MappingProxyType(
    {
        GapKind.UNSOURCED: "no source is cited",
        GapKind.UNSUPPORTED: "the cited source does not settle it",
        GapKind.UNAVAILABLE: "the cited source cannot be read",
        GapKind.DISPUTED: "the sources disagree",
        GapKind.UNCORROBORATED: "no second independent or authoritative source",
    }
)


def _wanting(gate: GateResult) -> frozenset[GapKind]:
    """The gaps for want of which the gate failed."""
    if gate.decision is not GateDecision.FAIL or gate.fail_code not in _WANTING:
        return frozenset()
    if gate.profile.startswith("research/"):
        return CLAIM_GAPS
    return CLAIM_GAPS - {GapKind.UNCORROBORATED}


def _of_document(gate: GateResult) -> Iterator[_Found]:
    """Gaps of the whole document: unmet limits of the gate, and reads that mostly fail."""
    seen = gate.metrics
    limits = {limit.name: limit for limit in gate.limits}
    if seen.read_attempts and seen.read_failures / seen.read_attempts > _FAILING:
        told = f"{seen.read_failures} of {counted(seen.read_attempts, 'source')} could not be read"
        yield _Found(GapKind.READS, _priority(gate, "reader_pipeline"), told)
    for name, (kind, what) in _LIMITS.items():
        if _short(limits.get(name)):
            limit = limits[name]
            told = f"{limit.seen or 0:g} {what}, and {limit.limit:g} are needed"
            yield _Found(kind, _priority(gate, kind.value), told)
    reliable = limits.get("reliable_ratio_min")
    if reliable is not None and _short(reliable):
        share = "none is scored" if reliable.seen is None else f"{reliable.seen:.0%} are reliable"
        told = f"of the sources {share}, and {reliable.limit:.0%} are needed"
        yield _Found(GapKind.RELIABLE_SOURCES, _priority(gate, "reliable_ratio"), told)


def _short(limit: GateLimit | None) -> bool:
    return limit is not None and (limit.seen or 0) < limit.limit


def _priority(gate: GateResult, rule: str) -> GapPriority:
    return GapPriority.HIGH if gate.rule == rule else GapPriority.MEDIUM


def shortened(text: str) -> str:
    """`text` on one line, at most 200 characters of it."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1].rstrip()}…"
