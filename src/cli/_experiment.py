"""The commands `experiment …`: variants compared on the same items."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from ..assembly.jobs import read_yaml
from ..base.errors import InputError
from ..base.vocabulary import ExitCode
from ..engine.model import Engine
from ..engine.work_folder import WorkState
from ..experiments import imported
from ..experiments.analysis import Analysis
from ..experiments.file import ExperimentFile, ImportFile
from ..experiments.folder import ExperimentFolder, compare_experiments
from ..experiments.markdown import ShownAnalysis, compared_table
from ..experiments.page import write_comparison_page
from ..experiments.planning import TrialResult
from ..experiments.running import ExperimentStatus, conclude, experiment_status, run_experiment
from ..experiments.statistics.comparison import Conclusion
from ..experiments.statistics.samples import Direction, Scale
from ..experiments.trials import programs
from . import terminal
from ._engines import EngineUrl, ExperimentTrust, OnResult, cancel_jobs, with_engine, work_to_end
from ._options import CommandGroup, JsonOptions, OutputOptions, argument, option

STATUS_HEADINGS = (
    *("state", "trials", "ended", "running", "waiting", "errors", "inconclusive", "workers"),
    "cost",
)
REFRESH_S = 1.0


async def show_until_ended(folder: ExperimentFolder, engine: Engine) -> None:
    """Print how far the experiment is, at each change, until nothing is under way."""
    planned, before = folder.plan(), ""
    while True:
        status = await experiment_status(folder, engine, planned)
        said = zip(STATUS_HEADINGS, cells(status), strict=True)
        now = ", ".join(f"{name} {cell}" for name, cell in said)
        if now != before:
            terminal.line(now)
            sys.stdout.flush()
        if status.state != WorkState.RUNNING and not status.running:
            return
        before = now
        await asyncio.sleep(REFRESH_S)
        folder = ExperimentFolder(folder.path)


def cells(status: ExperimentStatus) -> tuple[str, ...]:
    """The status as the cells of a table."""
    jobs = (status.trials, status.ended, status.running, status.queued)
    counts = (*jobs, status.errors, status.inconclusive, status.workers)
    state = status.state
    if status.stopped_at is not None:
        state += f" at look {status.stopped_at}"
    return (state, *map(str, counts), f"${status.cost_usd:.2f}")


EPILOG = (
    "Exit codes of run, resume, report, compare and import: 0 better, 10 equivalent, 1 worse, "
    "2 inconclusive, 3 a budget was reached, 4 bad input, 130 cancelled. Where there are several "
    "treatments: worse if any is, else better if any is."
)
EQUIVALENT = 10


def report_on(folder: ExperimentFolder, options: JsonOptions, ratings: Path | None = None) -> int:
    """Write what an experiment shows into its directory, and print it; the exit code."""
    analysis, page = conclude(folder, ratings)
    show(analysis, options)
    if not options.as_json:
        terminal.line(f"report: {folder.given / page.name}")
    return exit_code_of(analysis)


def show(analysis: Analysis, options: JsonOptions) -> None:
    """Print what an experiment shows."""
    if options.as_json:
        options.print_json(Analysis, analysis)
        return
    shown = ShownAnalysis(analysis)
    compared = compared_table((*analysis.declared, *analysis.slices), "")
    for table in filter(None, (shown.arms, compared, shown.looks)):
        terminal.table(table.columns, table.rows)
    if shown.looks:
        terminal.line(shown.looks_line)
    terminal.lines((*shown.exceptions, *shown.powers))
    if analysis.note:
        terminal.line(f"not at its end: {analysis.note}")
    terminal.line(f"conclusion: {analysis.conclusion.value}")


def exit_code_of(analysis: Analysis) -> int:
    """The exit code of a conclusion."""
    codes = {
        Conclusion.BETTER: ExitCode.OK,
        Conclusion.WORSE: ExitCode.NOT_APPROVED,
        Conclusion.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
    }
    return codes.get(analysis.conclusion, EQUIVALENT)


Directory = Annotated[Path, argument("DIR", help="The experiment's directory.")]
Out = Annotated[Path, option("PATH", help="The folder for directories.")]

app = CommandGroup()


class RunOptions(OutputOptions):
    """Options of `experiment run`."""

    file: Annotated[Path, argument("FILE")]
    """The experiment, a YAML file."""
    out: Out = Path("experiments")
    engine: EngineUrl = None
    trust: ExperimentTrust = False


@app.command(epilog=EPILOG)
def run(options: RunOptions) -> int:
    """Run every item in every variant, and say what that shows."""
    _require_trust_in_limits(read_yaml(ExperimentFile, options.file), options)
    folder = ExperimentFolder.create(options.file, options.out, trusted=options.trust)
    return _work(folder, options)


class ResumeOptions(OutputOptions):
    """Options of `experiment resume`."""

    directory: Directory
    engine: EngineUrl = None
    trust: ExperimentTrust = False


@app.command(epilog=EPILOG)
def resume(options: ResumeOptions) -> int:
    """Go on with an experiment; no trial that has ended runs again."""
    folder = ExperimentFolder(options.directory)
    _require_trust_in_limits(folder.file, options)
    return _work(folder, options)


class StatusOptions(JsonOptions):
    """Options of `experiment status`."""

    directory: Directory
    engine: EngineUrl = None
    watch: bool = False
    """Go on showing it until nothing is under way."""


@app.command()
def status(options: StatusOptions) -> None:
    """Show how many trials have ended, and how."""
    if options.watch and options.as_json:
        raise InputError("--watch shows lines, and --json prints a record", "give one of them")
    folder = ExperimentFolder(options.directory)
    url = options.engine or folder.engine_url
    if options.watch:
        with suppress(asyncio.CancelledError):
            terminal.run_until_stopped(
                with_engine(url, lambda opened: show_until_ended(folder, opened))
            )
        return
    planned = folder.plan()
    standing = asyncio.run(
        with_engine(url, lambda opened: experiment_status(folder, opened, planned))
    )
    if options.as_json:
        options.print_json(ExperimentStatus, standing)
    else:
        terminal.table(STATUS_HEADINGS, [cells(standing)])


class ReportOptions(JsonOptions):
    """Options of `experiment report`."""

    directory: Directory
    ratings: Annotated[Path | None, option("FILE")] = None
    """A CSV file of people's ratings: item, arm, trial, and a column a rating."""


@app.command(epilog=EPILOG)
def report(options: ReportOptions) -> int:
    """Compare the variants; writes analysis.json, report.md and report.html."""
    return report_on(ExperimentFolder(options.directory), options, options.ratings)


@app.command()
def cancel(directory: Directory, engine: EngineUrl = None) -> None:
    """Cancel the trials that have not ended; `resume` takes them up again."""
    cancel_jobs(ExperimentFolder(directory), engine, "trials")


class CompareOptions(JsonOptions):
    """Options of `experiment compare`."""

    before: Annotated[Path, argument("DIR")]
    """The experiment to compare with."""
    after: Annotated[Path, argument("DIR")]
    """The other experiment."""
    arm: Annotated[str | None, option("NAME")] = None
    """The arm. [default: the baseline]"""
    out: Annotated[Path | None, option("FILE")] = None
    """Write an HTML page there, too."""


@app.command(epilog=EPILOG)
def compare(options: CompareOptions) -> int:
    """Compare what both made of the items that they share, by the metrics of the first."""
    folders = ExperimentFolder(options.before), ExperimentFolder(options.after)
    analysis = compare_experiments(*folders, options.arm)
    if options.out is not None:
        write_comparison_page(analysis, *folders, options.out)
    show(analysis, options)
    if options.out is not None and not options.as_json:
        terminal.line(f"report: {options.out}")
    return exit_code_of(analysis)


class ImportOptions(JsonOptions):
    """Options of `experiment import`."""

    files: Annotated[list[str], argument("[ARM=]FILE")]
    """Logs of Inspect (.json), or a trial a line (.csv, .jsonl)."""
    declared: Annotated[Path | None, option("FILE")] = None
    """A YAML file with name, baseline, metrics, slices, alpha, power and seed, instead of the
    options below.
    """
    primary: Annotated[str | None, option("NAME")] = None
    """The metric that decides."""
    direction: Direction | None = None
    """Which of its values are good."""
    scale: Scale | None = None
    """Its values. [default: numeric]"""
    margin: Annotated[float | None, option("NUMBER")] = None
    """Its smallest difference that matters."""
    failure: Annotated[float | None, option("NUMBER")] = None
    """What a trial that failed or is missing counts as. [default: the worse value of a binary
    metric]
    """
    baseline: Annotated[str | None, option("ARM")] = None
    """The arm that others are compared with. [default: the first]"""
    slices: Annotated[list[str] | None, option("NAME", "--slice")] = None
    """A column, or a key of a sample's metadata. Repeatable."""
    name: Annotated[str | None, option("TEXT")] = None
    """What the experiment is called."""
    out: Out = Path("experiments")

    def declaration(self) -> ImportFile:
        """What is declared of the results: in the file, or by the options.

        Raises:
            InputError: It is declared in both, or in neither.
        """
        metric = self.model_dump(include={"primary", "direction", "scale", "margin", "failure"})
        given = (*metric.values(), self.baseline, self.slices, self.name)
        if self.declared is not None:
            if any(one is not None for one in given):
                message = "--declared says all that is declared"
                raise InputError(message, "leave out the other options")
            return read_yaml(ImportFile, self.declared)
        if self.primary is None:
            raise InputError("it is not said which metric decides", "add --primary or --declared")
        return imported.declare(self.name, self.baseline, tuple(self.slices or ()), **metric)


@app.command("import", epilog=EPILOG)
def import_results(options: ImportOptions) -> int:
    """Make an experiment's directory of results that are there, and say what they show.

    Trials that failed, and those that one arm has and another lacks, count as failures.
    """
    named = [imported.import_name(one) for one in options.files]
    for _, path in named:
        if not path.exists():
            raise InputError(f"{str(path)!r} does not exist", "check the path")
    folder = imported.import_results(named, options.declaration(), options.out)
    return report_on(folder, options)


def _work(folder: ExperimentFolder, options: RunOptions | ResumeOptions) -> int:
    """Work on an experiment to its end, and report."""
    if folder.file.imported:
        raise InputError(
            f"{str(folder.given)!r} has imported results, and none to run",
            "see them by `foureyes experiment report`",
        )
    if not options.trust:
        for work in folder.plan().work:
            work.require_trust()

    async def trials(opened: Engine, on_result: OnResult[TrialResult]) -> WorkState:
        return await run_experiment(folder, opened, programs(trusted=options.trust), on_result)

    place = options.engine or folder.engine_url
    state = work_to_end(folder, place, _describe, trials, options, "experiment")
    code = report_on(folder, options)
    stopped = {WorkState.BUDGET: ExitCode.BUDGET, WorkState.CANCELLED: ExitCode.CANCELLED}
    return stopped.get(state, code)


def _require_trust_in_limits(file: ExperimentFile, options: RunOptions | ResumeOptions) -> None:
    if options.engine is not None and not options.trust and file.limits:
        raise InputError(
            "the file sets limits, which all that use the engine share",
            "add --trust, or take them out and use `foureyes serve limits`",
        )


def _describe(result: TrialResult) -> str:
    trial = result.trial
    error = f" ({result.error})" if result.error else ""
    return f"{trial.item} {trial.arm} {trial.number}: {result.status or result.outcome}{error}"
