"""The result of a check as a record, and the exit code that it stands for."""

from __future__ import annotations

from collections.abc import Collection

from ..claims.accounting import SentenceCounts, SentenceRole
from ..core.approval import ExitCode
from ..core.record_folder import program_version
from ..report.check_outcome import CheckOutcome, CheckRecord, CitedCopy, FixedCopy, told_findings
from ..sources.scoring.appraisal import rating
from .check import CheckResult


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
