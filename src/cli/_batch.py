"""The commands `batch …`: many documents checked, run or reviewed, and one summary."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated

from ..assembly.materials import absolute_sources
from ..assembly.model import Settings
from ..assembly.settings import flag_name, load_settings
from ..base.errors import InputError
from ..base.vocabulary import Severity
from ..batch.documents import programs
from ..batch.planning import BatchFolder, BatchOptions, carried, find_entries, require_known_price
from ..batch.running import run_batch, summarise, write_sarif, write_summary
from ..core.result import REPORT_FILE
from ..engine.model import Engine
from ..engine.work_folder import WorkState
from ..engine.working import OnResult
from ..report.batch import (
    COLUMNS,
    LEGEND,
    BatchSummary,
    BatchTask,
    DocumentOutcome,
    DocumentResult,
    cells,
    summary_lines,
)
from . import terminal
from ._engines import EngineUrl, cancel_jobs, running_jobs, work_to_end
from ._options import (
    CHECK_OPTIONS,
    REVIEW_OPTIONS,
    RUN_OPTIONS,
    By,
    CommandGroup,
    JsonOptions,
    OutputOptions,
    argument,
    option,
)
from ._options import Sources as SourceOption
from .terminal import Column

EPILOG = (
    "Exit codes, of those that apply the first: 130 cancelled, 3 a limit was reached, 4 bad input "
    "or no document could be examined, 1 a document has findings at or above --fail-on, a failed "
    "gate or no approval, 2 a document is inconclusive, failed or not examined, 0 every document "
    "passed."
)
_BATCH_SETTINGS = frozenset({"out", "memory", "budget_usd", "max_minutes"})
"""Settings that a batch has for itself, or sets."""
_SETTINGS_BY_TASK = {
    BatchTask.CHECK: frozenset(CHECK_OPTIONS),
    BatchTask.RUN: frozenset(RUN_OPTIONS) - _BATCH_SETTINGS,
    BatchTask.REVIEW: frozenset(REVIEW_OPTIONS) - _BATCH_SETTINGS,
}
"""The settings that apply to each task."""
OPTIONS = tuple(key for key in Settings.model_fields if key not in _BATCH_SETTINGS)
STATUS_COLUMNS = (
    *("state", "documents", "ended", "running", "flagged", "failed", "inconclusive"),
    "cost",
)
SHOWN = 20
"""Documents on the terminal; the summary has them all."""

Directory = Annotated[Path, argument("DIR", help="The batch's directory.")]
Sarif = Annotated[
    Path | None, option("FILE", help="Check: write the findings of all as SARIF 2.1.0.")
]

app = CommandGroup()


@dataclass(frozen=True, slots=True)
class BatchStatus:
    """Output of `batch status --json`: counts of documents by outcome."""

    directory: str
    state: str
    documents: int
    ended: int
    running: int
    flagged: int
    failed: int
    inconclusive: int
    cost_usd: float


class BatchRunOptions(OutputOptions):
    """Options of `batch run` beside the settings of its documents."""

    given: Annotated[Path, argument("DIR|JSONL")]
    """A folder, or a file with a document a line."""
    task: BatchTask = BatchTask.CHECK
    """What is done with each."""
    sources: SourceOption = None
    out: Annotated[Path, option("PATH")] = Path("batches")
    """The folder for directories."""
    fail_on: Severity | None = None
    """A document with findings of this severity or worse is flagged. [default: medium for checks,
    else never]
    """
    yes: bool = False
    """Review: go on past each gate without being asked."""
    by: By = None
    sarif: Sarif = None
    engine: EngineUrl = None
    concurrency: Annotated[int, option("N", min=1, max=64)] = 2
    """Documents at once in one worker."""
    budget_usd: Annotated[str | None, option("USD")] = None
    """Dollars that the batch may cost; documents under way may overshoot it."""
    max_minutes: Annotated[float | None, option("MINUTES")] = None
    """Minutes the batch may take."""


@app.command(epilog=EPILOG, settings=OPTIONS)
def run(options: BatchRunOptions, config: Path | None, flags: dict[str, object]) -> int:
    """Check, run or review every document of a folder or of a JSONL file.

    Of a folder: Markdown, text, HTML, PDF and Word files in it and below it, ordered by their
    paths; hidden files, run directories, the folders of --sources and what `check` wrote
    (NAME.fixed.md, NAME.cited.md) are left out.
    """
    task, yes = options.task, options.yes
    _require_applicable(task, flags, yes=yes, sarif=options.sarif)
    loaded = load_settings(flags, config=config)
    default = Severity.MEDIUM if task is BatchTask.CHECK else None
    for_all = absolute_sources(options.sources or ())
    wanted = BatchOptions(
        task,
        options.fail_on or default,
        terminal.decider_name(options.by) if yes else "",
        for_all,
        _dollars(options.budget_usd),
        _positive(options.max_minutes),
        options.concurrency,
    )
    require_known_price(wanted, loaded)
    options.note_reader_off(loaded.settings)
    given = options.given
    entries = find_entries(given, task, [Path(one) for one in for_all if Path(one).is_dir()])
    name = given.resolve().name or str(given)
    settings = carried(loaded, with_config=config is not None)
    folder = BatchFolder.create(options.out, name, wanted, settings, entries)
    return _work(folder, options, trust=True)


class BatchResumeOptions(OutputOptions):
    """Options of `batch resume`."""

    directory: Directory
    sarif: Sarif = None
    engine: EngineUrl = None
    trust: bool = False
    """Let the batch set models, prompts, backends and addresses."""


@app.command(epilog=EPILOG)
def resume(options: BatchResumeOptions) -> int:
    """Go on with a batch; no document that has ended is done again."""
    folder = BatchFolder(options.directory)
    beyond = folder.plan.settings.beyond
    if beyond and not options.trust:
        raise InputError(
            f"the batch sets {beyond!r}, which needs your trust",
            "look at its plan.json, and add --trust if you stand by it",
        )
    return _work(folder, options, trust=options.trust)


class BatchStatusOptions(JsonOptions):
    """Options of `batch status`."""

    directory: Directory
    engine: EngineUrl = None


@app.command()
def status(options: BatchStatusOptions) -> None:
    """Show how many documents have ended, and how."""
    folder = BatchFolder(options.directory)
    results = folder.results().values()
    outcomes = [one.outcome for one in results]
    standing = BatchStatus(
        str(options.directory),
        folder.manifest.state.value,
        len(folder.plan.documents),
        len(outcomes),
        running_jobs(folder, options.engine),
        outcomes.count(DocumentOutcome.FLAGGED),
        outcomes.count(DocumentOutcome.FAILED),
        outcomes.count(DocumentOutcome.INCONCLUSIVE),
        sum(one.cost_usd or 0.0 for one in results),
    )
    if options.as_json:
        options.print_json(BatchStatus, standing)
        return
    _, *counts, cost = astuple(standing)
    terminal.table(STATUS_COLUMNS, [(*map(str, counts), f"${cost:.2f}")])


class BatchReportOptions(JsonOptions):
    """Options of `batch report`."""

    directory: Directory
    sarif: Sarif = None


@app.command(epilog=EPILOG)
def report(options: BatchReportOptions) -> int:
    """Write summary.json, summary.md and report.html from the results so far."""
    return _report(BatchFolder(options.directory), options)


@app.command()
def cancel(directory: Directory, engine: EngineUrl = None) -> None:
    """Cancel the documents that have not ended; `resume` takes them up again."""
    cancel_jobs(BatchFolder(directory), engine, "documents")


def _require_applicable(
    task: BatchTask, flags: dict[str, object], *, yes: bool, sarif: Path | None
) -> None:
    """Refuse options that the task would not heed."""
    given = [
        flag_name(name)
        for name, value in flags.items()
        if value and name not in _SETTINGS_BY_TASK[task]
    ]
    if yes and task is not BatchTask.REVIEW:
        given.append("--yes")
    if sarif is not None and task is not BatchTask.CHECK:
        given.append("--sarif")
    if given:
        raise InputError(f"{given[0]} changes nothing in a {task}", "leave it out")


def _dollars(text: str | None) -> Decimal | None:
    try:
        amount = Decimal(text) if text else None
    except InvalidOperation:
        amount = Decimal(0)
    if amount is not None and not (amount.is_finite() and amount > 0):
        raise InputError(f"--budget-usd: {text!r} is no amount above 0", "give dollars, as 2.50")
    return amount


def _positive(minutes: float | None) -> float | None:
    if minutes is not None and not minutes > 0:
        raise InputError(f"--max-minutes: {minutes:g} is not above 0", "give minutes")
    return minutes


def _work(
    folder: BatchFolder, options: BatchRunOptions | BatchResumeOptions, *, trust: bool
) -> int:
    """Work on a batch to its end, and report."""
    place = options.engine or folder.engine_url
    able = programs(trusted=trust)

    async def work(opened: Engine, on_result: OnResult[DocumentResult]) -> WorkState:
        return await run_batch(folder, opened, able, on_result)

    work_to_end(folder, place, _describe, work, options, "batch")
    return _report(folder, options)


def _report(
    folder: BatchFolder, options: BatchRunOptions | BatchResumeOptions | BatchReportOptions
) -> int:
    summary = summarise(folder)
    write_summary(folder, summary)
    if options.sarif is not None:
        _require_applicable(summary.task, {}, yes=False, sarif=options.sarif)
        write_sarif(folder, options.sarif)
    if options.as_json:
        options.print_json(BatchSummary, summary)
    else:
        print_summary(folder.given, summary)
    return summary.exit_code


def _describe(result: DocumentResult) -> str:
    reason = f" ({result.reason})" if result.outcome == "failed" else ""
    return f"{result.id}: {result.outcome}{reason}"


def print_summary(directory: Path, summary: BatchSummary) -> None:
    """Print the sums, and the documents that need attention."""
    asking = [one for one in summary.documents if one.outcome is not DocumentOutcome.PASSED]
    if asking:
        # The sums have the cost.
        columns = [Column(name, right=name not in COLUMNS[:3]) for name in COLUMNS[:-1]]
        terminal.table(columns, (cells(one)[:-1] for one in asking[:SHOWN]))
        terminal.line(LEGEND)
    if len(asking) > SHOWN:
        terminal.line(f"and {len(asking) - SHOWN} more, see summary.md")
    for one in asking[:SHOWN]:
        if one.outcome is DocumentOutcome.FAILED:
            terminal.line(f"failed: {one.id}: {one.reason}")
    terminal.lines(summary_lines(summary))
    terminal.line(f"report: {directory / REPORT_FILE}")
