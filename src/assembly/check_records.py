"""The result of a check as a record, and the exit code that it stands for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ..base.vocabulary import FailCode, GateDecision, Severity
from ..claims.accounting import SentenceCounts, SentenceRole
from ..core.approval import ExitCode
from ..core.record_folder import program_version
from ..report.check_outcome import CheckOutcome, CheckRecord, CitedCopy, FixedCopy, told_findings
from ..sources.scoring.appraisal import rating
from ..verification.gate.rules import NOTHING_TO_CHECK
from ..verification.model import Ledger
from .check import CheckResult


def check_exit_code(
    result: CheckResult, fail_on: Severity | None, accepted: Collection[str] = ()
) -> ExitCode:
    """1 on a finding of `fail_on` or worse or a failed gate, else 2 if something is unchecked.

    Unchecked is a document with sources that were not fetched or are refused, and one that the gate
    leaves to a person. Findings whose ids are `accepted` and their claims do not count, and no
    finding does if `fail_on` is None.
    """
    counted = (finding for finding in result.findings if finding.id not in accepted)
    if fail_on and any(finding.severity.at_least(fail_on) for finding in counted):
        return ExitCode.NOT_APPROVED
    gate = result.regate(_without(result.report.ledger, accepted)) if accepted else result.gate
    match gate.decision:
        case GateDecision.FAIL if gate.fail_code is not FailCode.COVERAGE:
            return ExitCode.NOT_APPROVED
        case GateDecision.PASS:
            whole = True
        case _:
            whole = gate.rule == NOTHING_TO_CHECK
    unread = result.not_fetched or result.refused
    return ExitCode.OK if whole and not unread else ExitCode.INCONCLUSIVE


def _without(ledger: Ledger, accepted: Collection[str]) -> Ledger:
    """`ledger` without the claims whose findings are accepted."""
    kept = (one for one in ledger.entries if not set(one.finding_ids) & set(accepted))
    return replace(ledger, entries=tuple(kept))


def check_outcome(
    result: CheckResult,
    code: ExitCode,
    fixed: FixedCopy | None = None,
    cited: CitedCopy | None = None,
    accepted: Collection[str] = (),
) -> CheckOutcome:
    """The result for `--json`, with the copies that were written."""
    return CheckOutcome(
        foureyes=program_version(),
        document=result.path,
        exit_code=int(code),
        gate=result.gate,
        accuracy=result.report.accuracy,
        coverage=result.report.coverage,
        findings=tuple(told_findings(result.report)),
        not_fetched=tuple(source.url for source in result.not_fetched),
        refused=tuple(source.url for source in result.refused),
        sentences=SentenceCounts.of(result.report.sentences),
        unchecked=tuple(
            one for one in result.report.sentences if one.role is not SentenceRole.CHECKED
        ),
        sources=tuple(map(rating, result.appraisal.rated)),
        gaps=result.appraisal.gaps,
        bindings=result.bindings,
        fixed=fixed,
        cited=cited,
        accepted=tuple(sorted(accepted)),
    )


def check_record(result: CheckResult, code: ExitCode) -> CheckRecord:
    """The result with all that it was concluded from."""
    return CheckRecord(
        check_outcome(result, code),
        result.document.text,
        result.report.ledger.entries,
        result.sources,
    )
