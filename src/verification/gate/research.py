"""The gate's profile `research`: evidence enough, from good sources, for most claims."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from ...base.counting import counted
from ...base.vocabulary import FailCode, GateDecision, ResearchMode
from ..model import GateLimit, GateMetrics
from .policy import AdaptiveFloor, ResearchProfile, VerifiedLimits
from .reads import ReadStatistics
from .rules import CLAIMS_ARE, Answer, failed, in_review


def research_answer(
    metrics: GateMetrics, reads: ReadStatistics, profile: ResearchProfile, mode: ResearchMode
) -> tuple[Answer, tuple[GateLimit, ...]]:
    """The decision of `mode` for a ledger with claims to check, and the limits in force.

    The rules in order: failed_reader_pipeline, failed_insufficient_evidence (findings, sources),
    failed_source_diversity, then how many claims are verified (decision 37).
    """
    case = _case(metrics, reads, profile, mode)
    for rule in (_pipeline, _findings, _sources, _diversity, _verified):
        answer = rule(case)
        if answer is not None:
            return answer, tuple(_limits(case))
    return _enough(case), tuple(_limits(case))


def findings_needed(most: int, adaptive: AdaptiveFloor, reads: ReadStatistics) -> int:
    """How many findings a run with these reads must have, at most `most`.

    Below the share of `adaptive` the floor holds. Above it one more read that succeeds raises the
    number by one at most: else a source that was read, and brought a finding, could fail a run.
    """

    def floor(successes: int) -> int:
        attempts = successes + reads.failures
        if not attempts or successes / attempts >= adaptive.below:
            return most
        share = math.ceil(adaptive.of_findings * successes / attempts)
        return min(most, max(adaptive.floor, share))

    spare = range(min(most, reads.successes) + 1)
    return min(floor(reads.successes - fewer) + fewer for fewer in spare)


@dataclass(frozen=True, slots=True)
class _Case:
    """The numbers of one document and the limits of a mode for it: none is above what there is.

    `sources` and `reliable` count an authoritative source as often as the mode does.
    """

    metrics: GateMetrics
    reads: ReadStatistics
    findings: int
    sources: int
    sources_seen: int
    reliable_seen: int | None
    reliable_ratio: float
    verified: VerifiedLimits | None

    @property
    def ratio(self) -> float | None:
        """The share of reliable sources; None over nothing, or where sources were not scored."""
        if self.reliable_seen is None or not self.sources_seen:
            return None
        return self.reliable_seen / self.sources_seen


def _case(
    metrics: GateMetrics, reads: ReadStatistics, profile: ResearchProfile, mode: ResearchMode
) -> _Case:
    limits = profile.modes[mode]
    extra = (reads.authoritative or 0) * (limits.authoritative_counts - 1)
    findings = findings_needed(limits.findings_min, profile.adaptive, reads)
    return _Case(
        metrics,
        reads,
        # A claim without evidence could have brought a finding.
        findings=min(findings, metrics.findings_count + metrics.bare),
        sources=min(limits.sources_min, reads.available + extra),
        sources_seen=reads.independent + extra,
        reliable_seen=None if reads.reliable is None else reads.reliable + extra,
        reliable_ratio=limits.reliable_ratio_min,
        verified=limits.verified,
    )


def _pipeline(case: _Case) -> Answer | None:
    if not case.reads.attempts or case.reads.successes or case.metrics.findings_count:
        return None
    reason = f"none of {counted(case.reads.attempts, 'source')} could be read"
    change = "a source that can be read"
    return failed("reader_pipeline", FailCode.READER_PIPELINE, reason, change)


def _findings(case: _Case) -> Answer | None:
    missing = case.findings - case.metrics.findings_count
    if missing <= 0:
        return None
    reason = f"{counted(case.metrics.findings_count, 'finding')}, and {_needed(case.findings)}"
    change = f"{counted(missing, 'more finding')}, each another quote from a source"
    return failed("findings", FailCode.INSUFFICIENT_EVIDENCE, reason, change)


def _sources(case: _Case) -> Answer | None:
    missing = case.sources - case.sources_seen
    if missing <= 0:
        return None
    seen = counted(case.sources_seen, "independent source")
    reason = f"{seen} could be read, and {_needed(case.sources)}"
    change = f"{counted(missing, 'more independent source')} that can be read"
    return failed("sources", FailCode.INSUFFICIENT_EVIDENCE, reason, change)


def _needed(number: int) -> str:
    return f"{number} {'is' if number == 1 else 'are'} needed"


def _diversity(case: _Case) -> Answer | None:
    if case.ratio is not None and case.ratio >= case.reliable_ratio:
        return None
    code, limit = FailCode.SOURCE_DIVERSITY, case.reliable_ratio
    if case.reliable_seen is None or case.ratio is None:
        reason, change = "no source that could be read is scored", "scored sources"
        return None if limit == 0 else failed("reliable_ratio", code, reason, change)
    reliable, seen = case.reliable_seen, case.sources_seen
    more = math.ceil((limit * seen - reliable) / (1 - limit) - 1e-9)
    reason = (
        f"{reliable} of {counted(seen, 'source is', 'sources are')} reliable ({case.ratio:.0%})"
    )
    change = f"{counted(more, 'more reliable source')} (to {limit:.0%})"
    return failed("reliable_ratio", code, reason, change)


def _verified(case: _Case) -> Answer | None:
    limits = case.verified
    if limits is None or not case.metrics.checkable:
        return None
    verified, of = case.metrics.verified_claim_count, case.metrics.checkable
    decision, rule = _rated(verified, of, limits)
    reason = f"{verified} of {counted(of, *CLAIMS_ARE)} verified"
    if decision is GateDecision.PASS:
        spare = _first_other(range(verified - 1, -1, -1), of, limits, decision)
        change = f"{counted(spare, 'fewer verified claim')}, an open slot or a contradiction"
        return Answer(decision, rule, reason, change)
    more = _first_other(range(verified + 1, of + 1), of, limits, decision)
    change = f"{counted(more, 'more verified claim')} (of {of})"
    if decision is GateDecision.PENDING_REVIEW:
        return in_review(rule, reason, change)
    return failed(rule, _cause(case.metrics, limits), reason, change)


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
    """After how many steps along `counts` of verified claims the decision is another one."""
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


def _enough(case: _Case) -> Answer:
    findings = case.metrics.findings_count - case.findings + 1
    sources = case.sources_seen - case.sources + 1
    found = counted(case.metrics.findings_count, "finding")
    reason = f"{found} from {counted(case.sources_seen, 'source')}"
    fewer = f"{counted(findings, 'fewer finding')}, {counted(sources, 'fewer source')}"
    change = f"{fewer}, an open slot or a contradiction"
    return Answer(GateDecision.PASS, "evidence", reason, change)


def _limits(case: _Case) -> Iterator[GateLimit]:
    yield GateLimit("findings_min", case.metrics.findings_count, case.findings)
    yield GateLimit("sources_min", case.sources_seen, case.sources)
    yield GateLimit("reliable_ratio_min", case.ratio, case.reliable_ratio)
    limits = case.verified
    if limits is None:
        return
    rate, verified, of = (
        case.metrics.claim_support_rate,
        case.metrics.verified_claim_count,
        case.metrics.checkable,
    )
    yield GateLimit("fail_rate", rate, limits.fail_rate)
    yield GateLimit("fail_below", verified, min(limits.fail_below, of))
    yield GateLimit("pass_count", verified, min(limits.pass_count, of))
    yield GateLimit("soft_count", verified, min(limits.soft_count, of))
    yield GateLimit("soft_rate", rate, limits.soft_rate)
    yield GateLimit("review_rate", rate, limits.review_rate)
