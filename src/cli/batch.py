"""The commands `batch …`: many documents checked, run or reviewed, and one summary."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..assembly.layers import flag_name
from ..assembly.model import AGENT_KEYS, Settings
from ..assembly.settings import load_settings
from ..base.errors import InputError
from ..base.records import to_json
from ..base.vocabulary import Severity
from ..core.approval import ExitCode
from .document_review import REVIEW_OPTIONS
from .engines import EngineUrl, cancel_jobs, job_progress, running_jobs, with_engine
from .options import (
    CHECK_OPTIONS,
    OF_ONE_AGENT,
    RUN_OPTIONS,
    CommandGroup,
    Config,
    Json,
    Quiet,
    note_reader_off,
    require_choice,
    with_settings,
)
from .options import Sources as SourceOption
from .person import By, decider_name
from .signals import run_until_stopped
from .tables import Column, show_table
from .terminal import print_line, print_note, print_progress

if TYPE_CHECKING:
    from ..report.batch import BatchSummary, DocumentResult

if TYPE_CHECKING:
    from ..batch.folder import BatchFolder
    from ..engine.model import Engine
    from ..engine.work_folder import WorkState

EPILOG = (
    "A bare `foureyes batch [options] DIR` is `foureyes batch run`. Exit codes of run, resume and "
    "report, of those that apply the first: 130 cancelled, 3 a limit was reached, 4 bad input or "
    "no document could be examined, 1 a document has findings at or above --fail-on, a failed gate "
    "or no approval, 2 a document is inconclusive, failed or not examined, 0 every document passed."
)
COMMANDS = ("run", "resume", "status", "report", "cancel")
_BATCH_SETTINGS = frozenset({"out", "memory", "budget_usd", "max_minutes"})
"""Settings that a batch has for itself, or sets."""
_SETTINGS_BY_TASK = {
    "check": frozenset(CHECK_OPTIONS),
    "run": frozenset(RUN_OPTIONS) - _BATCH_SETTINGS,
    "review": frozenset(REVIEW_OPTIONS) - _BATCH_SETTINGS,
}
"""By task the settings that it heeds. The tasks are those of `BatchTask`, which the help does not
load."""
OPTIONS = (
    *(key for key in Settings.model_fields if key not in OF_ONE_AGENT | _BATCH_SETTINGS),
    *AGENT_KEYS,
)
Directory = Annotated[Path, typer.Argument(metavar="DIR", help="The batch's directory.")]
Sarif = Annotated[
    Path | None,
    typer.Option(
        "--sarif", metavar="FILE", help="Check: write the findings of all as SARIF 2.1.0."
    ),
]
Trust = Annotated[
    bool,
    typer.Option("--trust", help="Let the batch set models, prompts, backends and addresses."),
]

app = CommandGroup(
    name="batch", help="Check, run or review many documents.", rich_markup_mode=None, epilog=EPILOG
)


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


Documents = Annotated[
    Path,
    typer.Argument(metavar="DIR|JSONL", help="A folder, or a file with a document a line."),
]
Task = Annotated[
    str,
    typer.Option("--task", metavar="|".join(_SETTINGS_BY_TASK), help="What is done with each."),
]
Out = Annotated[Path, typer.Option("--out", metavar="PATH", help="The folder for directories.")]
FailOn = Annotated[
    str | None,
    typer.Option(
        "--fail-on",
        metavar="|".join(Severity),
        help="A document with findings of this severity or worse is flagged. [default: medium "
        "for checks, else never]",
    ),
]
Yes = Annotated[
    bool, typer.Option("--yes", help="Review: go on past each gate without being asked.")
]
Concurrency = Annotated[
    int,
    typer.Option(
        "--concurrency", metavar="N", min=1, max=64, help="Documents at once in one worker."
    ),
]
BudgetUsd = Annotated[
    str | None,
    typer.Option(
        "--budget-usd",
        metavar="USD",
        help="Dollars that the batch may cost; documents under way may overshoot it.",
    ),
]
MaxMinutes = Annotated[
    float | None,
    typer.Option("--max-minutes", metavar="MINUTES", help="Minutes the batch may take."),
]


@app.command(short_help="Begin a batch.", epilog=EPILOG)
@with_settings(OPTIONS)
def run(
    given: Documents,
    task: Task = "check",
    sources: SourceOption = None,
    out: Out = Path("batches"),
    fail_on: FailOn = None,
    yes: Yes = False,
    by: By = None,
    sarif: Sarif = None,
    engine: EngineUrl = None,
    concurrency: Concurrency = 2,
    budget_usd: BudgetUsd = None,
    max_minutes: MaxMinutes = None,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
    **flags: object,
) -> int:
    """Check, run or review every document of a folder or of a JSONL file.

    Of a folder: Markdown, text, HTML, PDF and Word files in it and below it, ordered by their
    paths; hidden files, run directories, the folders of --sources and what `check` wrote
    (NAME.fixed.md, NAME.cited.md) are left out.
    """
    from ..batch.entries import absolute_sources, read_entries
    from ..batch.folder import BatchFolder
    from ..batch.planning import BatchOptions, carried, require_known_price
    from ..report.batch import BatchTask

    require_choice("--task", task, tuple(BatchTask))
    if fail_on is not None:
        require_choice("--fail-on", fail_on, tuple(Severity))
    kind = BatchTask(task)
    _require_applicable(task, flags, yes=yes, sarif=sarif)
    loaded = load_settings(flags, config=config)
    default = Severity.MEDIUM if kind is BatchTask.CHECK else None
    for_all = absolute_sources(sources or ())
    wanted = BatchOptions(
        kind,
        Severity(fail_on) if fail_on else default,
        decider_name(by) if yes else "",
        for_all,
        _dollars(budget_usd),
        _positive(max_minutes),
        concurrency,
    )
    require_known_price(wanted, loaded)
    note_reader_off(loaded.settings)
    entries = read_entries(given, kind, [Path(one) for one in for_all if Path(one).is_dir()])
    name = given.resolve().name or str(given)
    settings = carried(loaded, with_config=config is not None)
    folder = BatchFolder.create(out, name, wanted, settings, entries)
    return _work(folder, engine, BatchOutput(json, quiet, sarif), trust=True)


@app.command(short_help="Go on with a batch that was stopped.", epilog=EPILOG)
def resume(
    directory: Directory,
    sarif: Sarif = None,
    engine: EngineUrl = None,
    trust: Trust = False,
    json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Go on with a batch; no document that has ended is done again."""
    from ..batch.folder import BatchFolder

    folder = BatchFolder(directory)
    beyond = folder.plan.settings.beyond
    if beyond and not trust:
        raise InputError(
            f"the batch sets {beyond!r}, which needs your trust",
            "look at its plan.json, and add --trust if you stand by it",
        )
    return _work(folder, engine, BatchOutput(json, quiet, sarif), trust=trust)


@app.command(short_help="Show how far a batch is.")
def status(directory: Directory, engine: EngineUrl = None, json: Json = False) -> int:
    """Show how many documents have ended, and how."""
    from ..batch.folder import BatchFolder
    from ..report.batch import DocumentOutcome

    folder = BatchFolder(directory)

    results = folder.results().values()
    outcomes = [one.outcome for one in results]
    standing = BatchStatus(
        str(directory),
        folder.manifest.state.value,
        len(folder.plan.documents),
        len(outcomes),
        running_jobs(folder, engine),
        outcomes.count(DocumentOutcome.FLAGGED),
        outcomes.count(DocumentOutcome.FAILED),
        outcomes.count(DocumentOutcome.INCONCLUSIVE),
        sum(one.cost_usd or 0.0 for one in results),
    )
    if json:
        print_line(to_json(BatchStatus, standing, indent=None))
        return ExitCode.OK
    columns = ("state", "documents", "ended", "running", "flagged", "failed", "inconclusive")
    counts = (
        standing.documents,
        standing.ended,
        standing.running,
        standing.flagged,
        standing.failed,
    )
    row = (
        standing.state,
        *map(str, (*counts, standing.inconclusive)),
        f"${standing.cost_usd:.2f}",
    )
    show_table([Column(name) for name in (*columns, "cost")], [row])
    return ExitCode.OK


@app.command(short_help="Write the summary of a batch anew.", epilog=EPILOG)
def report(directory: Directory, sarif: Sarif = None, json: Json = False) -> int:
    """Write summary.json, summary.md and report.html from the results so far."""
    from ..batch.folder import BatchFolder

    return _report(BatchFolder(directory), BatchOutput(json, quiet=True, sarif=sarif))


@app.command(short_help="Stop a batch that runs elsewhere.")
def cancel(directory: Directory, engine: EngineUrl = None) -> int:
    """Cancel the documents that have not ended; `resume` takes them up again."""
    from ..batch.folder import BatchFolder

    return cancel_jobs(BatchFolder(directory), engine, "documents")


def _require_applicable(
    task: str, flags: dict[str, object], *, yes: bool, sarif: Path | None
) -> None:
    """Refuse options that the task would not heed."""
    given = [
        flag_name(name)
        for name, value in flags.items()
        if value and name not in _SETTINGS_BY_TASK[task]
    ]
    if yes and task != "review":
        given.append("--yes")
    if sarif is not None and task != "check":
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


def _work(folder: BatchFolder, url: str | None, output: BatchOutput, *, trust: bool) -> int:
    """Work on a batch to its end, and report."""
    from ..batch.documents import programs
    from ..batch.running import run_batch

    place = url or folder.engine_url
    inline = not place.startswith("file:")
    if not output.json:
        print_progress(f"batch: {folder.given}")

    async def go(opened: Engine) -> WorkState:
        with job_progress(_describe, quiet=output.quiet or output.json) as on_result:
            able = programs(trusted=trust)
            return await run_batch(folder, opened, able, on_result, inline=inline)

    try:
        run_until_stopped(with_engine(place, go, folder.path / "work"))
    except asyncio.CancelledError:
        print_note(f"stopped; go on with `foureyes batch resume {folder.given}`")
        return ExitCode.CANCELLED
    return _report(folder, output)


def _report(folder: BatchFolder, output: BatchOutput) -> int:
    from ..batch.summary import summarise, write_sarif, write_summary
    from ..report.batch import BatchSummary as Shape

    summary = summarise(folder)
    write_summary(folder, summary)
    if output.sarif is not None:
        _require_applicable(summary.task, {}, yes=False, sarif=output.sarif)
        write_sarif(folder, output.sarif)
    if output.json:
        print_line(to_json(Shape, summary, indent=None))
    else:
        print_summary(folder.given, summary)
    return summary.exit_code


SHOWN = 20
"""Documents on the terminal; the summary has them all."""


@dataclass(frozen=True, slots=True)
class BatchOutput:
    """Output options of a batch command."""

    json: bool
    quiet: bool
    sarif: Path | None = None


def _describe(result: DocumentResult) -> str:
    reason = f" ({result.reason})" if result.outcome == "failed" else ""
    return f"{result.id}: {result.outcome}{reason}"


def print_summary(directory: Path, summary: BatchSummary) -> None:
    """Print the sums, and the documents that need attention."""
    from ..core.result import REPORT_FILE
    from ..report.batch import (
        SHORT_COLUMNS,
        SHORT_LEGEND,
        DocumentOutcome,
        short_cells,
        summary_lines,
    )

    asking = [one for one in summary.documents if one.outcome is not DocumentOutcome.PASSED]
    if asking:
        columns = [Column(name, right=name not in SHORT_COLUMNS[:3]) for name in SHORT_COLUMNS]
        show_table(columns, map(short_cells, asking[:SHOWN]))
        print_line(SHORT_LEGEND)
    if len(asking) > SHOWN:
        print_line(f"and {len(asking) - SHOWN} more, see summary.md")
    for one in asking[:SHOWN]:
        if one.outcome is DocumentOutcome.FAILED:
            print_line(f"failed: {one.id}: {one.reason}")
    for line in summary_lines(summary):
        print_line(line)
    print_line(f"report: {directory / REPORT_FILE}")
