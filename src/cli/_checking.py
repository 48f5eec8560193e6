"""The command `check`: findings as a linter prints them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from ..assembly.check import check_text
from ..assembly.check_result import CheckResult
from ..assembly.check_text import check_lines, closing_lines
from ..assembly.model import LoadedSettings
from ..base.errors import DocumentError, InputError
from ..base.files import document_name, write_atomic
from ..base.logs import quiet_logs
from ..base.printable import counted
from ..base.vocabulary import ExitCode, FetchMode, Severity
from ..report.check_outcome import (
    Baseline,
    CheckOutcome,
    CheckRecord,
    CitedCopy,
    FixedCopy,
    WrittenCopy,
    baseline_of,
    read_baseline,
)
from ..report.citing import MarkStyle
from ..report.exports.sarif_log import sarif_log
from ..report.wording import SOURCE_COLUMNS, gap_line, hidden_count, source_rows, sources_line
from ..review.originals import OriginalKind, read_text_or_page
from ..sources.scoring.model import Appraisal
from . import terminal
from ._options import CHECK_OPTIONS, CommandGroup, OutputOptions, Sources, argument, option
from ._progress import report_check_progress

WORST_FIRST = (ExitCode.FAILED, ExitCode.NOT_APPROVED, ExitCode.INCONCLUSIVE)
"""Precedence of the exit codes when several documents are checked."""

EPILOG = (
    "Exit codes: 0 the gate passes and no finding is as bad as --fail-on, 1 there are such "
    "findings or the gate fails, 2 something could not be checked (a source that was not read or "
    "is refused, a language, claims that wait for a person), 4 bad input, 130 cancelled."
)

app = CommandGroup()


class CheckOptions(OutputOptions):
    """Options of a check beside its settings."""

    documents: Annotated[list[Path], argument("DOC", allow_dash=True)]
    """A Markdown, text or HTML file; - reads standard input."""
    sources: Sources = None
    fail_on: Severity = Severity.MEDIUM
    """Exit 1 on findings of this severity or worse."""
    fix: bool = False
    """Write a copy (NAME.fixed.md) with the repairs that are certain, and say what is left to you.
    """
    cite: MarkStyle | None = None
    """Write a copy (NAME.cited.md) with a mark behind each claim that a source bears out."""
    sarif: Annotated[Path | None, option("FILE")] = None
    """Write the findings as SARIF 2.1.0."""
    baseline: Annotated[Path | None, option("FILE")] = None
    """Findings listed there are accepted and do not count."""
    write_baseline: Annotated[Path | None, option("FILE")] = None
    """Accept what is found now: list it there for --baseline."""
    every: Annotated[bool, option(None, "--all")] = False
    """Show all findings, those of low severity and all of a kind, and the sources."""


@app.command(epilog=EPILOG, settings=CHECK_OPTIONS, traced=True)
def check(options: CheckOptions, loaded: LoadedSettings) -> int:
    """Check the facts of documents against what they cite: no language model, no run."""
    # The code of a file is that of the original, whatever is written into copies.
    baseline = read_baseline(options.baseline) if options.baseline else Baseline()
    codes: list[ExitCode] = []
    checked: list[tuple[str, CheckRecord]] = []
    failures: list[str] = []
    for document in dict.fromkeys(options.documents):
        try:
            result = check_file(document, loaded, options)
        except asyncio.CancelledError:
            terminal.error(f"cancelled; {document_name(document)} was not checked")
            return ExitCode.CANCELLED
        except InputError as error:
            if len(options.documents) == 1 and not options.sarif:
                raise
            terminal.error(error)
            failures.append(f"{document.as_posix()}: {error}")
            codes.append(ExitCode.FAILED)
            continue
        accepted = baseline.accepted(document.as_posix(), result.findings)
        code = result.exit_code_for(options.fail_on, accepted)
        codes.append(code)
        checked.append((document.as_posix(), result.record(code)))
        if len(options.documents) > 1 and not options.as_json:
            terminal.line(f"{document.as_posix()}:")
        print_result(result, code, options, document, accepted)
    options.note_reader_off(loaded.settings)
    if options.sarif is not None:
        write_sarif(options.sarif, checked, baseline, failures)
    if options.write_baseline is not None:
        entries = ((path, record.outcome.findings) for path, record in checked)
        write_atomic(options.write_baseline, baseline_of(entries).model_dump_json(indent=2) + "\n")
    return next((code for code in WORST_FIRST if code in codes), ExitCode.OK)


def check_file(document: Path, loaded: LoadedSettings, options: CheckOptions) -> CheckResult:
    """Check one file, and show how far the check is.

    Raises:
        InputError: The file or a source cannot be used.
        asyncio.CancelledError: It was stopped.
    """
    text, settings = _text(document, options), loaded.settings
    quiet_logs()
    limit = settings.fetch_timeout_total if settings.fetch is FetchMode.LIVE else 0
    with report_check_progress(document_name(document), limit, quiet=options.quiet) as progress:
        task = check_text(text, str(document), options.sources or (), loaded, progress)
        return terminal.run_until_stopped(task, terminal.STOPPING)


def _text(document: Path, options: CheckOptions) -> str:
    """The text to check; of HTML and of pipes no copy can be written."""
    original = read_text_or_page(document)
    page = original.kind is OriginalKind.HTML
    copies = [flag for flag, wish in (("--fix", options.fix), ("--cite", options.cite)) if wish]
    if copies and (page or not document.is_file()):
        raise DocumentError(
            f"{document_name(document)!r} is {'HTML' if page else 'no file'}, and {copies[0]} "
            "writes copies of text files alone",
            "leave it out, or save the text as a file",
        )
    if page:
        terminal.note(f"{document} is HTML: lines are those of its text as Markdown")
    return original.text


def print_result(
    result: CheckResult,
    code: ExitCode,
    options: CheckOptions,
    document: Path,
    accepted: Collection[str],
) -> None:
    """Write the copies that are wanted, and print what was found."""
    fixed, cited = None, None
    if options.fix:
        repaired = result.fixed()
        path = _write_copy(WrittenCopy.FIXED, document, repaired.text if repaired.made else None)
        fixed = FixedCopy(path, repaired.made, repaired.left)
    if options.cite:
        marked = result.cited(options.cite)
        path = _write_copy(WrittenCopy.CITED, document, marked.text if marked.marks else None)
        cited = CitedCopy(path, marked.marks)
    if options.as_json:
        options.print_json(CheckOutcome, result.outcome(code, fixed, cited, accepted))
        return
    terminal.lines(check_lines(result, accepted, every=options.every))
    print_sources(result.appraisal, every=options.every)
    terminal.lines(closing_lines(result, fixed, cited))


def write_sarif(
    path: Path,
    checked: Iterable[tuple[str, CheckRecord]],
    baseline: Baseline,
    failures: Sequence[str],
) -> None:
    """Write one SARIF log of all documents."""
    documents = [replace(record.examined(), path=name) for name, record in checked]
    accepted = {one.path: baseline.accepted(one.path, one.findings) for one in documents}
    write_atomic(path, "".join(sarif_log(documents, accepted, failures=failures)))


def _write_copy(kind: WrittenCopy, document: Path, text: str | None) -> str | None:
    """Write a copy beside `document`; the path, None if nothing had to be changed in it."""
    if text is None:
        return None
    path = kind.path(document)
    write_atomic(path, text)
    return str(path)


def print_sources(found: Appraisal, *, every: bool) -> None:
    """The worst sources as a table, how many more there are, and the gaps; or a line of counts."""
    if not found.rated:
        return
    if not every:
        terminal.line(f"{sources_line(found)} (--all shows them)")
        return
    terminal.table(SOURCE_COLUMNS, source_rows(found))
    if more := hidden_count(found):
        terminal.line(f"and {counted(more, 'better source')}, see --json")
    for gap in found.gaps:
        terminal.line(f"gap {gap_line(gap)}")
