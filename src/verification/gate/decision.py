"""The gate: a pure function of the ledger and of what was read (decisions 36 and 37).

A profile is a list of rules in order; the first that says something decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from ...base.printable import counted
from ...base.vocabulary import (
    CitationState,
    FailCode,
    GateDecision,
    ResearchMode,
    SourceState,
    Verdict,
)
from ...documents.language import reads_english
from ...sources.model import Source
from ..ledger.confidence import SourceCredibility
from ..model import GateLimit, GateMetrics, GateResult, Ledger
from ..policy import (
    AdaptiveFloor,
    DocumentProfile,
    GateProfiles,
    ModeLimits,
    ResearchProfile,
    VerifiedLimits,
)

NOTHING_TO_CHECK = "nothing_to_check"
"""The rule for a document that states nothing."""
_CLAIMS_ARE = ("claim is", "claims are")
_OR_WORSE = "an open slot or a contradiction"
_NOT_ASKED = frozenset({SourceState.NOT_FETCHED, SourceState.REFUSED_BY_POLICY})


@dataclass(frozen=True, slots=True)
class ReadStatistics:
    """Reads and sources of a run.

    `attempts` are the sources that were asked for. Independent sources count once, however many
    addresses they have (decision 33): `available` counts them all, `independent` those that could
    be read, `reliable` and `authoritative` those of these with such a score; both are None where
    sources were not scored.
    """

    attempts: int = 0
    successes: int = 0
    available: int = 0
    independent: int = 0
    reliable: int | None = None
    authoritative: int | None = None


NOTHING_READ = ReadStatistics()


def read_statistics(
    sources: Iterable[Source], standings: Mapping[str, SourceCredibility] | None = None
) -> ReadStatistics:
    """The statistics of `sources`, in any order.

    `standings` by address say which sources are one and which are reliable; without them every
    address is a source of its own. A source without a standing stands alone and is not reliable.
    """
    known, every = standings or {}, list(sources)
    names = {one.url: known[one.url].cluster if one.url in known else one.url for one in every}
    read = [one.url for one in every if one.state.readable]
    found = [(names[url], known[url]) for url in read if url in known]
    return ReadStatistics(
        attempts=sum(one.state not in _NOT_ASKED for one in every),
        successes=len(read),
        available=len(set(names.values())),
        independent=len({names[url] for url in read}),
        reliable=None if standings is None else len({n for n, s in found if s.reliable}),
        authoritative=None if standings is None else len({n for n, s in found if s.authoritative}),
    )


def gate_metrics(ledger: Ledger, reads: ReadStatistics = NOTHING_READ) -> GateMetrics:
    """The numbers of a ledger and its reads that the gate looks at."""
    entries = ledger.entries
    checkable = [entry for entry in entries if entry.verdict is not Verdict.NOT_CHECKABLE]
    sourced = [e for e in checkable if e.citation_state is not CitationState.NONE]
    count = {verdict: sum(e.verdict is verdict for e in sourced) for verdict in Verdict}
    supported = count[Verdict.SUPPORTED]
    verified = sum(entry.corroborated for entry in checkable)
    # What a challenge found against a claim makes no document richer.
    found = (item for entry in entries for item in entry.evidence if not item.sought)
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
        findings_count=len({(item.sha256, item.quote) for item in found}),
        unique_source_count=reads.independent,
        verified_claim_count=verified,
        claim_support_rate=verified / len(checkable) if checkable else None,
        high_reliability_source_ratio=ratio,
        read_attempts=reads.attempts,
        read_successes=reads.successes,
        read_failures=reads.attempts - reads.successes,
        unread=sum(entry.unchecked for entry in checkable),
        bare=sum(all(item.sought for item in entry.evidence) for entry in checkable),
        circular=sum(entry.circular for entry in checkable),
        misquoted=sum(entry.open_slot and entry.misquoted for entry in entries),
        available_source_count=reads.available,
        reliable_source_count=reads.reliable,
        authoritative_source_count=reads.authoritative,
        unsure=sum(entry.unsure and not entry.open_slot for entry in checkable),
    )


@dataclass(frozen=True, slots=True)
class _Answer:
    """A decision with the rule that made it, and what would have changed it."""

    rule: str
    reason: str
    would_change: str
    fail_code: FailCode | None = None
    decision: GateDecision = GateDecision.FAIL


_passed = partial(_Answer, decision=GateDecision.PASS)
_in_review = partial(_Answer, decision=GateDecision.PENDING_REVIEW)


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
    about (decision 44), else fails. The rules of `research` in order: failed_reader_pipeline,
    failed_insufficient_evidence (findings, sources), failed_source_diversity, then how many claims
    are verified (decision 37). Nothing checkable, or a claim that nothing could be compared with (a
    source not fetched, a language), allows at most pending_review; so does a document in a
    `language` that is not checked in full (decision 28).
    """
    metrics = gate_metrics(ledger, reads)
    answer = _first_rule(metrics)
    if mode is None:
        profile = "document"
        rates = policy.document
        limits = (
            GateLimit("pass_rate", metrics.rate, rates.pass_rate),
            GateLimit("review_rate", metrics.rate, rates.review_rate),
        )
        answer = answer or _document_answer(metrics, policy.document)
    else:
        profile = f"research/{mode}"
        case = _Research.of(metrics, policy.research, mode)
        limits = tuple(case.gate_limits())
        answer = answer or case.answer()
    answer = _capped(answer, metrics, language)
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


def _first_rule(metrics: GateMetrics) -> _Answer | None:
    """First rule of every profile; None if it does not apply.

    Open slots and contradictions fail the gate. If nothing could be checked, a person decides.
    """
    if metrics.open_slots:
        reason = counted(metrics.open_slots, "claim has no answer", "claims have no answer")
        if metrics.misquoted:
            reason += f", {metrics.misquoted} for a quote that is not in its source"
        quotes_alone = metrics.misquoted == metrics.open_slots
        code = FailCode.QUOTE if quotes_alone else FailCode.OPEN_SLOT
        return _Answer("open_slot", reason, "an answer for every claim", code)
    if metrics.open_contradictions:
        number = metrics.open_contradictions
        reason = counted(number, "claim is contradicted", "claims are contradicted")
        change = f"correcting or removing {'this claim' if number == 1 else 'these claims'}"
        return _Answer("open_contradiction", reason, change, FailCode.CONTRADICTION)
    if metrics.rate is not None:
        return None
    if metrics.unchecked:
        reason = f"{counted(metrics.unchecked, 'claim')} could not be compared"
        change = "sources that can be read in a language that is checked"
        return _in_review("unchecked", reason, change)
    reason = "the document states nothing that can be checked"
    return _in_review(NOTHING_TO_CHECK, reason, "a person's decision, or claims with sources")


def _capped(answer: _Answer, metrics: GateMetrics, language: str) -> _Answer:
    """`answer`; a pass is a person's to give where something could not be compared.

    That is so for claims that nothing could be compared with (a source not fetched, a language),
    and for a document in a `language` that is not checked in full (decision 28).
    """
    if answer.decision is not GateDecision.PASS:
        return answer
    if metrics.unchecked:
        reason = f"{answer.reason}, but {metrics.unchecked} could not be compared"
        return _in_review("unchecked", reason, "fetching the sources that are missing")
    if not reads_english(language):
        reason = f"{answer.reason}, by exact words alone"
        return _in_review("language", reason, "a person's decision")
    return answer


def _document_answer(metrics: GateMetrics, profile: DocumentProfile) -> _Answer:
    supported, of = metrics.supported, metrics.checkable
    share = f"{supported} of {counted(of, *_CLAIMS_ARE)} supported"
    passing, reviewed = (math.ceil(r * of - 1e-9) for r in (profile.pass_rate, profile.review_rate))
    if supported / of >= profile.pass_rate:
        fewer = counted(supported - passing + 1, "fewer supported claim")
        return _passed("rate", share, f"{fewer}, {_OR_WORSE}")
    if supported / of >= profile.review_rate:
        more = counted(passing - supported, "more supported claim")
        change = f"{more} (of {of}, at {profile.pass_rate:.0%})"
        return _in_review("rate_below_pass", share, change)
    more = counted(reviewed - supported, "more supported claim")
    change = f"{more} (of {of}, at {profile.review_rate:.0%})"
    if (supported + metrics.unsure) / of >= profile.review_rate:
        return _in_review("not_sure", f"{share}, {metrics.unsure:,} could not be confirmed", change)
    reachable = (supported + metrics.unread) / of >= profile.review_rate
    code = FailCode.COVERAGE if reachable else FailCode.VERIFICATION_INCONCLUSIVE
    return _Answer("rate_below_review", share, change, code)


def findings_needed(most: int, adaptive: AdaptiveFloor, seen: GateMetrics) -> int:
    """How many findings a run with the reads of `seen` must have, at most `most`.

    Below the share of `adaptive` the floor holds. Above it one more read that succeeds raises the
    number by one at most: else a source that was read, and brought a finding, could fail a run.
    """

    def floor(successes: int) -> int:
        attempts = successes + seen.read_failures
        if not attempts or successes / attempts >= adaptive.below:
            return most
        share = math.ceil(adaptive.of_findings * successes / attempts)
        return min(most, max(adaptive.floor, share))

    spare = range(min(most, seen.read_successes) + 1)
    return min(floor(seen.read_successes - fewer) + fewer for fewer in spare)


@dataclass(frozen=True, slots=True)
class _Research:
    """The numbers of one document and the limits of a mode for it: none is above what there is.

    `sources` and `reliable` count an authoritative source as often as the mode does.
    """

    metrics: GateMetrics
    limits: ModeLimits
    findings: int
    sources: int
    sources_seen: int
    reliable_seen: int | None

    @classmethod
    def of(cls, seen: GateMetrics, profile: ResearchProfile, mode: ResearchMode) -> _Research:
        limits, reliable = profile.modes[mode], seen.reliable_source_count
        extra = (seen.authoritative_source_count or 0) * (limits.authoritative_counts - 1)
        findings = findings_needed(limits.findings_min, profile.adaptive, seen)
        return cls(
            seen,
            limits,
            # A claim without evidence could have brought a finding.
            findings=min(findings, seen.findings_count + seen.bare),
            sources=min(limits.sources_min, seen.available_source_count + extra),
            sources_seen=seen.unique_source_count + extra,
            reliable_seen=None if reliable is None else reliable + extra,
        )

    @property
    def ratio(self) -> float | None:
        """The share of reliable sources; None over nothing, or where sources were not scored."""
        if self.reliable_seen is None or not self.sources_seen:
            return None
        return self.reliable_seen / self.sources_seen

    def answer(self) -> _Answer:
        """The decision for a ledger with claims to check."""
        return self._evidence() or self._diversity() or self._verified() or self._enough()

    def _evidence(self) -> _Answer | None:
        attempts, found = self.metrics.read_attempts, self.metrics.findings_count
        if attempts and not self.metrics.read_successes and not found:
            reason = f"none of {counted(attempts, 'source')} could be read"
            change = "a source that can be read"
            return _Answer("reader_pipeline", reason, change, FailCode.READER_PIPELINE)
        if missing := max(0, self.findings - found):
            reason = f"{counted(found, 'finding')}, and {_needed(self.findings)}"
            change = f"{counted(missing, 'more finding')}, each another quote from a source"
            return _Answer("findings", reason, change, FailCode.INSUFFICIENT_EVIDENCE)
        if missing := max(0, self.sources - self.sources_seen):
            seen = counted(self.sources_seen, "independent source")
            reason = f"{seen} could be read, and {_needed(self.sources)}"
            change = f"{counted(missing, 'more independent source')} that can be read"
            return _Answer("sources", reason, change, FailCode.INSUFFICIENT_EVIDENCE)
        return None

    def _diversity(self) -> _Answer | None:
        limit, ratio = self.limits.reliable_ratio_min, self.ratio
        if limit == 0 or (ratio is not None and ratio >= limit):
            return None
        reason, change = "no source that could be read is scored", "scored sources"
        if self.reliable_seen is not None and ratio is not None:
            reliable, seen = self.reliable_seen, self.sources_seen
            more = math.ceil((limit * seen - reliable) / (1 - limit) - 1e-9)
            of = counted(seen, "source is", "sources are")
            reason = f"{reliable} of {of} reliable ({ratio:.0%})"
            change = f"{counted(more, 'more reliable source')} (to {limit:.0%})"
        return _Answer("reliable_ratio", reason, change, FailCode.SOURCE_DIVERSITY)

    def _verified(self) -> _Answer | None:
        limits, of = self.limits.verified, self.metrics.checkable
        if limits is None or not of:
            return None
        verified = self.metrics.verified_claim_count
        decision, rule = _rated(verified, of, limits)
        reason = f"{verified} of {counted(of, *_CLAIMS_ARE)} verified"
        if decision is GateDecision.PASS:
            spare = _first_other(range(verified - 1, -1, -1), of, limits, decision)
            change = f"{counted(spare, 'fewer verified claim')}, {_OR_WORSE}"
            return _passed(rule, reason, change)
        more = _first_other(range(verified + 1, of + 1), of, limits, decision)
        change = f"{counted(more, 'more verified claim')} (of {of})"
        if decision is GateDecision.PENDING_REVIEW:
            return _in_review(rule, reason, change)
        return _Answer(rule, reason, change, _cause(self.metrics, limits))

    def _enough(self) -> _Answer:
        found = self.metrics.findings_count
        reason = f"{counted(found, 'finding')} from {counted(self.sources_seen, 'source')}"
        findings = counted(found - self.findings + 1, "fewer finding")
        sources = counted(self.sources_seen - self.sources + 1, "fewer source")
        change = f"{findings}, {sources}, {_OR_WORSE}"
        return _passed("evidence", reason, change)

    def gate_limits(self) -> Iterator[GateLimit]:
        """The limits in force, with what was seen of each."""
        yield GateLimit("findings_min", self.metrics.findings_count, self.findings)
        yield GateLimit("sources_min", self.sources_seen, self.sources)
        yield GateLimit("reliable_ratio_min", self.ratio, self.limits.reliable_ratio_min)
        limits, of = self.limits.verified, self.metrics.checkable
        if limits is not None:
            rate, verified = self.metrics.claim_support_rate, self.metrics.verified_claim_count
            yield GateLimit("fail_rate", rate, limits.fail_rate)
            yield GateLimit("fail_below", verified, min(limits.fail_below, of))
            yield GateLimit("pass_count", verified, min(limits.pass_count, of))
            yield GateLimit("soft_count", verified, min(limits.soft_count, of))
            yield GateLimit("soft_rate", rate, limits.soft_rate)
            yield GateLimit("review_rate", rate, limits.review_rate)


def _needed(number: int) -> str:
    return f"{number} {'is' if number == 1 else 'are'} needed"


def _rated(verified: int, of: int, limits: VerifiedLimits) -> tuple[GateDecision, str]:
    rate = verified / of
    if rate < limits.fail_rate or verified < min(limits.fail_below, of):
        return GateDecision.FAIL, "too_few_verified"
    if verified >= min(limits.pass_count, of):
        return GateDecision.PASS, "verified_count"
    if rate >= limits.soft_rate and verified >= min(limits.soft_count, of):
        return GateDecision.PASS, "verified_rate"
    if rate >= limits.review_rate:
        return GateDecision.PENDING_REVIEW, "rate_below_pass"
    return GateDecision.FAIL, "rate_below_review"


def _first_other(counts: range, of: int, limits: VerifiedLimits, decision: GateDecision) -> int:
    rated = (_rated(count, of, limits)[0] for count in counts)
    return next(step for step, other in enumerate(rated, 1) if other is not decision)


def _cause(metrics: GateMetrics, limits: VerifiedLimits) -> FailCode:
    """Fail code for too few verified claims: the first cause that alone explains the failure."""
    verified, of = metrics.verified_claim_count, metrics.checkable
    for more, code in (
        (metrics.circular, FailCode.CIRCULARITY),
        (metrics.unread, FailCode.COVERAGE),
    ):
        if _rated(min(of, verified + more), of, limits)[0] is not GateDecision.FAIL:
            return code
    return FailCode.VERIFICATION_INCONCLUSIVE
