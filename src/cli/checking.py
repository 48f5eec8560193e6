"""The command `check`: findings as a linter prints them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..assembly.check import CheckResult, check_text
from ..assembly.model import LoadedSettings
from ..base.files import read_document
from ..base.finding import Finding
from ..base.records import to_json
from ..base.vocabulary import Severity
from ..core.approval import ExitCode
from ..core.run_store import program_version
from ..report.sources import SOURCE_COLUMNS, gap_line, hidden, source_rows
from ..report.summary import gate_line, message
from ..sources.scoring.appraisal import Appraisal, SourceRating, rating
from ..sources.scoring.gaps import Gap
from ..verification.model import GateResult
from .signals import run_until_stopped
from .tables import Column, show_table
from .terminal import say


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """What `check --json` prints."""

    foureyes: str
    document: str
    exit_code: int
    gate: GateResult
    accuracy: float | None
    coverage: float | None
    findings: tuple[Finding, ...]
    not_fetched: tuple[str, ...]
    sources: tuple[SourceRating, ...]
    gaps: tuple[Gap, ...]


def check_file(
    document: Path,
    sources: tuple[str, ...],
    fail_on: Severity,
    loaded: LoadedSettings,
    *,
    as_json: bool,
) -> int:
    """Check a file and print what was found; returns the exit code."""
    text = read_document(document)
    try:
        result = run_until_stopped(check_text(text, str(document), sources, loaded))
    except asyncio.CancelledError:
        return ExitCode.CANCELLED
    code = exit_code(result, fail_on)
    if as_json:
        say(outcome_json(result, code))
    else:
        for line in lines(result):
            say(line)
        show_sources(result.appraisal)
        say(gate_line(result.gate))
    return code


def exit_code(result: CheckResult, fail_on: Severity) -> ExitCode:
    """1 on a finding of `fail_on` or worse, else 2 if a source was not fetched, else 0."""
    if any(finding.severity.at_least(fail_on) for finding in result.findings):
        return ExitCode.NOT_APPROVED
    return ExitCode.INCONCLUSIVE if result.not_fetched else ExitCode.OK


def lines(result: CheckResult) -> Iterator[str]:
    """A line for each finding (``path:line:column severity type message``) and unfetched source."""
    for finding in result.findings:
        yield f"{place(result.path, finding)} {finding.severity} {finding.type} {message(finding)}"
    for source in result.not_fetched:
        yield f"not fetched: {source.url}: {source.reason}"


def show_sources(found: Appraisal) -> None:
    """The worst sources as a table, how many more there are, and the gaps."""
    if found.rated:
        show_table([Column(name) for name in SOURCE_COLUMNS], source_rows(found))
    if more := hidden(found):
        say(f"and {more} better sources, see --json")
    for gap in found.gaps if found.rated else ():
        say(f"gap {gap_line(gap)}")


def place(path: str, finding: Finding) -> str:
    """Where a finding is, as editors read it."""
    if finding.location is None:
        return f"{path}:1:1"
    return f"{path}:{finding.location.line}:{finding.location.column}"


def outcome_json(result: CheckResult, code: ExitCode) -> str:
    """The result for `--json`."""
    outcome = CheckOutcome(
        foureyes=program_version(),
        document=result.path,
        exit_code=int(code),
        gate=result.gate,
        accuracy=result.report.accuracy,
        coverage=result.report.coverage,
        findings=result.findings,
        not_fetched=tuple(source.url for source in result.not_fetched),
        sources=tuple(map(rating, result.appraisal.rated)),
        gaps=result.appraisal.gaps,
    )
    return to_json(CheckOutcome, outcome, indent=None)
