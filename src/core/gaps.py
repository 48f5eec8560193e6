"""Gaps in the evidence of a draft: what is missing, what to look for, and the critique of both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace

from ..base.printable import counted
from ..base.vocabulary import CitationState, FailCode, GateDecision, Stance, Verdict
from ..claims.model import Claim
from ..sources.search.model import QueryParts, build_query
from ..verification.model import GateResult, Ledger, LedgerEntry
from ..verification.policy import CLAIM_GAPS, DeepeningPolicy, GapKind, GapPriority
from ..verification.queries import claim_query, is_internal
from ..verification.registry import Registry
from .artefacts import ArtefactFile, artefact_file
from .work import DeepeningQuery, EvidenceCritique, OpposedClaim, UnderSourcedClaim

GAPS_FILE = "gaps_verify.json"
QUERIES_FILE = "deepening_queries.json"
EVIDENCE_CRITIQUE_FILE = "evidence_critique.json"
QUERY_CHARACTERS = 200
"""The most characters of a query (decision 19)."""

# From so many reads that fail on, reading is itself what is missing (the gate's adaptive floor).
_FAILING = 0.5
_SHOWN = 200
_OTHERWISE = "a source that the claim does not cite says otherwise"
# What a gate fails for that evidence could mend.
_WANTING = (
    FailCode.VERIFICATION_INCONCLUSIVE,
    FailCode.INSUFFICIENT_EVIDENCE,
    FailCode.COVERAGE,
    FailCode.CIRCULARITY,
)
_KINDS: Mapping[Verdict, GapKind] = {
    Verdict.DISPUTED: GapKind.DISPUTED,
    Verdict.SOURCE_UNAVAILABLE: GapKind.UNAVAILABLE,
    Verdict.PARTIALLY_SUPPORTED: GapKind.UNSUPPORTED,
    Verdict.UNVERIFIABLE: GapKind.UNSUPPORTED,
}
_WORDS: Mapping[GapKind, str] = {
    GapKind.UNSOURCED: "no source is cited",
    GapKind.UNSUPPORTED: "the cited source does not settle it",
    GapKind.UNAVAILABLE: "the cited source cannot be read",
    GapKind.DISPUTED: "the sources disagree",
    GapKind.UNCORROBORATED: "no second independent or authoritative source",
}


@dataclass(frozen=True, slots=True)
class EvidenceGap:
    """Something that the evidence lacks.

    `suggested_search` is the query that may close it, of at most 200 characters; "" where nothing
    may be asked (decision 19). `line` is where the claim starts, from 1; it and `claim_id` are None
    for a gap of the whole document.
    """

    kind: GapKind
    priority: GapPriority
    description: str
    suggested_search: str
    _: KW_ONLY
    claim_id: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class GapReport:
    """`gaps_verify.json`: the gaps of an iteration, those that matter most first.

    `iteration` counts from 1. `unlisted` counts gaps beyond the list. `improvement_queries` are
    what could be looked for where nothing is carried to a next iteration: after a pass, above all.
    """

    iteration: int
    decision: GateDecision
    gaps: tuple[EvidenceGap, ...]
    unlisted: int
    improvement_queries: tuple[DeepeningQuery, ...]


@dataclass(frozen=True, slots=True)
class DeepeningPlan:
    """`deepening_queries.json`: what the next iteration is to look for after a failed gate.

    `iteration` is the one whose gate failed, from 1.
    """

    iteration: int
    queries: tuple[DeepeningQuery, ...]


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

    A contradicted claim makes no gap, because its evidence exists. An open slot makes no gap
    either: a checker has to fill it. `topic` is the document's title.

    After a failed gate the high gaps make a plan, unless `carried` iterations have had one and that
    is all the policy allows (decision 38), or this is the `last` one. Where there is no plan, the
    queries are offered as ways to improve the document.
    """
    policy = registry.deepening
    found = [*_document_gaps(gate), *_claim_gaps(ledger, gate, policy)]
    found.sort(key=lambda gap: gap.priority.rank)
    # A query takes time to build, so that only listed gaps get one.
    gaps = tuple(_with_queries(found[: policy.listed_gaps], claims, registry, topic))
    plan = None
    if (
        gate.decision is GateDecision.FAIL
        and not last
        and carried < policy.deepening_iterations
        and (queries := to_queries((g for g in gaps if g.priority is GapPriority.HIGH), policy))
    ):
        plan = DeepeningPlan(ledger.iteration, queries)
    improving = to_queries(gaps, policy) if plan is None else ()
    unlisted = len(found) - len(gaps)
    report = GapReport(ledger.iteration, gate.decision, gaps, unlisted, improving)
    return GapAnalysis(report, plan, _criticise(ledger, gaps, policy))


def _with_queries(
    gaps: Iterable[EvidenceGap], claims: Sequence[Claim], registry: Registry, topic: str
) -> Iterator[EvidenceGap]:
    """`gaps` with what may be asked: no word of an internal claim, nothing if all claims are so."""
    by_id = {claim.id: claim for claim in claims}
    public = any(not is_internal(claim) for claim in claims)
    whole = build_query(QueryParts(words=tuple(topic.split())), QUERY_CHARACTERS) if public else ""
    for gap in gaps:
        query = whole
        if gap.claim_id:
            claim, query = by_id[gap.claim_id], ""
            if not is_internal(claim):
                query = claim_query(claim, registry.lexicon, QUERY_CHARACTERS, topic)
        yield replace(gap, suggested_search=query)


def _claim_gaps(ledger: Ledger, gate: GateResult, policy: DeepeningPolicy) -> Iterator[EvidenceGap]:
    """Load-bearing claims first among equals."""
    wanting = frozenset[GapKind]()
    if gate.decision is GateDecision.FAIL and gate.fail_code in _WANTING:
        wanting = CLAIM_GAPS
        if not gate.profile.startswith("research/"):
            wanting -= {GapKind.UNCORROBORATED}
    for entry in sorted(ledger.entries, key=lambda entry: not entry.load_bearing):
        kind = gap_of(entry)
        if kind is None:
            continue
        rule = policy.priorities[kind]
        priority = rule.load_bearing if entry.load_bearing else rule.other
        if kind in wanting:
            priority = priority.raised
        told = f"{_WORDS[kind]}: {_shortened(entry.text)}"
        line = entry.location.line
        yield EvidenceGap(kind, priority, told, "", claim_id=entry.claim_id, line=line)


def gap_of(entry: LedgerEntry) -> GapKind | None:
    """Gap in the evidence of one claim; None if a search cannot help.

    An open slot or an unchecked claim needs a check, which a search cannot replace.
    """
    if entry.open_slot or entry.unchecked:
        return None
    if entry.verdict is Verdict.SUPPORTED:
        alone = entry.tier is not None and not entry.corroborated
        return GapKind.UNCORROBORATED if alone else None
    kind = _KINDS.get(entry.verdict)
    uncited = entry.citation_state is CitationState.NONE
    return GapKind.UNSOURCED if kind is GapKind.UNSUPPORTED and uncited else kind


def _document_gaps(gate: GateResult) -> Iterator[EvidenceGap]:
    """Gaps of the whole document: unmet limits of the gate, and reads that mostly fail."""

    def gap(kind: GapKind, rule: str, told: str) -> EvidenceGap:
        priority = GapPriority.HIGH if gate.rule == rule else GapPriority.MEDIUM
        return EvidenceGap(kind, priority, told, "")

    tried, failed = gate.metrics.read_attempts, gate.metrics.read_failures
    if tried and failed / tried > _FAILING:
        told = f"{failed} of {counted(tried, 'source')} could not be read"
        yield gap(GapKind.READS, "reader_pipeline", told)
    unmet = {one.name: one for one in gate.limits if (one.seen or 0) < one.limit}
    if limit := unmet.get("findings_min"):
        told = f"{limit.seen or 0:g} distinct findings, and {limit.limit:g} are needed"
        yield gap(GapKind.FINDINGS, "findings", told)
    if limit := unmet.get("sources_min"):
        sources = "independent sources that can be read"
        told = f"{limit.seen or 0:g} {sources}, and {limit.limit:g} are needed"
        yield gap(GapKind.SOURCES, "sources", told)
    if limit := unmet.get("reliable_ratio_min"):
        share = "none is scored" if limit.seen is None else f"{limit.seen:.0%} are reliable"
        told = f"of the sources {share}, and {limit.limit:.0%} are needed"
        yield gap(GapKind.RELIABLE_SOURCES, "reliable_ratio", told)


def to_queries(gaps: Iterable[EvidenceGap], policy: DeepeningPolicy) -> tuple[DeepeningQuery, ...]:
    """The first queries of `gaps`, as many as the policy allows, each once."""
    queries: dict[str, DeepeningQuery] = {}
    for gap in gaps:
        query = gap.suggested_search
        if query and query not in queries:
            reason, id_ = gap.description, gap.claim_id
            queries[query] = DeepeningQuery(query, reason, gap.priority, claim_id=id_)
    return tuple(queries.values())[: policy.queries]


def _criticise(
    ledger: Ledger, gaps: Iterable[EvidenceGap], policy: DeepeningPolicy
) -> EvidenceCritique:
    """How the evidence stands: claims it does not carry, claims it opposes, what to look for.

    Low gaps are left out: nothing is to be done about them.
    """
    entries = {entry.claim_id: entry for entry in ledger.entries}
    matter = [gap for gap in gaps if gap.priority is not GapPriority.LOW]
    weak: list[UnderSourcedClaim] = []
    for gap in matter:
        if gap.claim_id:
            entry = entries[gap.claim_id]
            reason = f"{gap.kind}: {entry.reason}"
            weak.append(UnderSourcedClaim(*_place(entry), gap.priority, reason))
    opposed = list(_opposed(entries))
    most = policy.listed_claims
    return EvidenceCritique(
        ledger.iteration,
        tuple(weak[:most]),
        tuple(opposed[:most]),
        to_queries(matter, policy),
        max(0, len(weak) - most) + max(0, len(opposed) - most),
    )


def _opposed(entries: Mapping[str, LedgerEntry]) -> Iterator[OpposedClaim]:
    seen: set[str] = set()
    for entry in entries.values():
        seen.add(entry.claim_id)
        place, against = _place(entry), entry.of_stance(Stance.CONTRADICTS)
        reason = _OTHERWISE if entry.verdict is Verdict.SUPPORTED else entry.reason
        for item in against:
            yield OpposedClaim(*place, _shortened(item.quote), item.url, reason)
        if entry.verdict is Verdict.CONTRADICTED and not against:
            yield OpposedClaim(*place, "", "", reason)
        for other in entry.contradicts:
            if other in entries and other not in seen:
                text = _shortened(entries[other].text)
                yield OpposedClaim(*place, text, "", "both cannot be true")


def _place(entry: LedgerEntry) -> tuple[str, int, str]:
    return entry.claim_id, entry.location.line, _shortened(entry.text)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1].rstrip()}…"


def gap_files(analysis: GapAnalysis) -> Iterator[ArtefactFile]:
    """The artefacts of an iteration's gap analysis; queries only where they are carried on."""
    yield artefact_file(GAPS_FILE, analysis.report)
    yield artefact_file(EVIDENCE_CRITIQUE_FILE, analysis.critique)
    if analysis.plan is not None:
        yield artefact_file(QUERIES_FILE, analysis.plan)
