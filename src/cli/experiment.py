"""The commands `experiment …` and `worker`: variants compared on the same items."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..base.errors import InputError
from ..base.files import write_atomic
from ..base.records import to_json
from ..core.approval import ExitCode
from .engines import EngineUrl, RequiredEngineUrl, cancel_jobs, job_progress, with_engine
from .options import CommandGroup, Json, Quiet
from .signals import run_until_stopped
from .tables import Column, show_table
from .terminal import print_line, print_note, print_progress

if TYPE_CHECKING:
    from ..engine.model import Engine
    from ..experiments.analysis import Analysis
    from ..experiments.file import ExperimentFile
    from ..experiments.folder import ExperimentFolder
    from ..experiments.trials import TrialResult

EPILOG = (
    "Exit codes of run, resume, report, compare and import: 0 better, 10 equivalent, 1 worse, "
    "2 inconclusive, 3 a budget was reached, 4 bad input, 130 cancelled. Where there are several "
    "treatments: worse if any is, else better if any is."
)
EQUIVALENT = 10

Directory = Annotated[Path, typer.Argument(metavar="DIR", help="The experiment's directory.")]
Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="Let variants and batches set models, prompts, backends and budgets, and metrics be "
        "code of the file's author.",
    ),
]
Ratings = Annotated[
    Path | None,
    typer.Option(
        "--ratings",
        metavar="FILE",
        help="A CSV file of people's ratings: item, arm, trial, and a column a rating.",
    ),
]

app = CommandGroup(
    name="experiment", help="Compare variants on the same items.", rich_markup_mode=None
)


@app.command(short_help="Run an experiment.", epilog=EPILOG)
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The experiment, a YAML file.")],
    out: Annotated[
        Path, typer.Option("--out", metavar="PATH", help="The folder for directories.")
    ] = Path("experiments"),
    engine: EngineUrl = None,
    trust: Trust = False,
    json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Run every item in every variant, and say what that shows."""
    from ..experiments.file import read_experiment_file
    from ..experiments.folder import ExperimentFolder

    _require_trust_in_limits(read_experiment_file(file), engine, trust)
    folder = ExperimentFolder.create(file, out, trusted=trust)
    return _work(folder, engine, trust=trust, json=json, quiet=quiet)


@app.command(short_help="Go on with an experiment that was stopped.", epilog=EPILOG)
def resume(
    directory: Directory,
    engine: EngineUrl = None,
    trust: Trust = False,
    json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Go on with an experiment; no trial that has ended runs again."""
    from ..experiments.folder import ExperimentFolder

    folder = ExperimentFolder(directory)
    _require_trust_in_limits(folder.file, engine, trust)
    return _work(folder, engine, trust=trust, json=json, quiet=quiet)


@app.command(short_help="Show how far an experiment is.")
def status(
    directory: Directory,
    engine: EngineUrl = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on showing it until nothing is under way.")
    ] = False,
    json: Json = False,
) -> int:
    """Show how many trials have ended, and how."""
    from ..experiments.folder import ExperimentFolder
    from ..experiments.running import ExperimentStatus, experiment_status
    from .experiment_watch import show_status
    from .experiment_watch import watch as show_until_ended

    if watch and json:
        raise InputError("--watch shows a table, and --json prints a record", "give one of them")
    folder = ExperimentFolder(directory)
    url = engine or folder.engine_url
    if watch:
        with suppress(asyncio.CancelledError):
            run_until_stopped(with_engine(url, lambda opened: show_until_ended(folder, opened)))
        return ExitCode.OK
    planned = folder.plan()
    standing = asyncio.run(
        with_engine(url, lambda opened: experiment_status(folder, opened, planned))
    )
    if json:
        print_line(to_json(ExperimentStatus, standing, indent=None))
    else:
        show_status(standing)
    return ExitCode.OK


@app.command(short_help="Say what an experiment shows.", epilog=EPILOG)
def report(directory: Directory, ratings: Ratings = None, json: Json = False) -> int:
    """Compare the variants; writes analysis.json, report.md and report.html."""
    from ..experiments.folder import ExperimentFolder

    return report_on(ExperimentFolder(directory), ratings, json=json)


@app.command(short_help="Stop an experiment that runs elsewhere.")
def cancel(directory: Directory, engine: EngineUrl = None) -> int:
    """Cancel the trials that have not ended; `resume` takes them up again."""
    from ..experiments.folder import ExperimentFolder

    return cancel_jobs(ExperimentFolder(directory), engine, "trials")


@app.command(short_help="Compare an arm of one experiment with one of another.", epilog=EPILOG)
def compare(
    before: Annotated[Path, typer.Argument(metavar="DIR", help="The experiment to compare with.")],
    after: Annotated[Path, typer.Argument(metavar="DIR", help="The other experiment.")],
    arm: Annotated[
        str | None, typer.Option("--arm", metavar="NAME", help="The arm. [default: the baseline]")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write an HTML page there, too.")
    ] = None,
    json: Json = False,
) -> int:
    """Compare what both made of the items that they share, by the metrics of the first."""
    from ..experiments.folder import ExperimentFolder, compare_experiments
    from ..experiments.page import write_comparison_page

    folders = ExperimentFolder(before), ExperimentFolder(after)
    analysis = compare_experiments(*folders, arm)
    if out is not None:
        write_comparison_page(analysis, *folders, out)
    show(analysis, json=json)
    if out is not None and not json:
        print_line(f"report: {out}")
    return _exit_code(analysis)


Name = Annotated[
    str | None,
    typer.Option(
        "--name", metavar="NAME", help="Its name, unlike any other's. [default: host and pid]"
    ),
]
Concurrency = Annotated[
    int,
    typer.Option("--concurrency", metavar="N", min=1, max=64, help="Trials or documents at once."),
]
Work = Annotated[
    Path | None,
    typer.Option(
        "--work",
        metavar="PATH",
        help="With a database: the folder of its jobs' folders. [default: a temporary one]",
    ),
]
RetentionDays = Annotated[
    float,
    typer.Option(
        "--retention-days",
        metavar="DAYS",
        min=0,
        max=36_500,
        help="With a database: how long DBOS's own rows of jobs that have ended stay in it.",
    ),
]


def worker(
    engine: RequiredEngineUrl,
    name: Name = None,
    concurrency: Concurrency = 2,
    work: Work = None,
    retention_days: RetentionDays = 7,
    trust: Trust = False,
) -> int:
    """Work on the trials and documents of an engine until it is stopped."""
    import os
    import socket
    from datetime import timedelta

    from ..batch.documents import programs as documents
    from ..engine.model import JobEnd, Serving
    from ..experiments.trials import programs as trials

    able = {**trials(trusted=trust), **documents(trusted=trust)}
    mine = name or f"{socket.gethostname()}-{os.getpid()}"

    def ended(end: JobEnd) -> None:
        print_line(f"{end.job_id} {end.state.value}{f': {end.error}' if end.error else ''}")

    async def serve(opened: Engine) -> None:
        print_note(f"{mine} is at work (Ctrl-C ends it)")
        serving = Serving(mine, concurrency, retention=timedelta(days=retention_days))
        await opened.serve(serving, able, ended)

    with suppress(asyncio.CancelledError):
        run_until_stopped(with_engine(engine, serve, work))
    return ExitCode.OK


def _work(
    folder: ExperimentFolder, url: str | None, *, trust: bool, json: bool, quiet: bool
) -> int:
    """Work on an experiment to its end, and report."""
    from ..engine.work_folder import WorkState
    from ..experiments.running import run_experiment
    from ..experiments.trials import programs

    if folder.file.imported:
        raise InputError(
            f"{str(folder.given)!r} has imported results, and none to run",
            "see them by `foureyes experiment report`",
        )
    if not trust:
        for work in folder.plan().work:
            work.require_trust()
    if not json:
        print_progress(f"experiment: {folder.given}")

    async def go(opened: Engine) -> WorkState:
        with job_progress(_describe, quiet=quiet or json) as on_result:
            return await run_experiment(folder, opened, programs(trusted=trust), on_result)

    try:
        work = folder.path / "work"
        state = run_until_stopped(with_engine(url or folder.engine_url, go, work))
    except asyncio.CancelledError:
        print_note(f"stopped; go on with `foureyes experiment resume {folder.given}`")
        return ExitCode.CANCELLED
    code = report_on(folder, None, json=json)
    match state:
        case WorkState.BUDGET:
            return ExitCode.BUDGET
        case WorkState.CANCELLED:
            return ExitCode.CANCELLED
        case _:
            return code


def _require_trust_in_limits(file: ExperimentFile, url: str | None, trust: bool) -> None:
    if url is not None and not trust and file.limits.given():
        raise InputError(
            "the file sets limits, which all that use the engine share",
            "add --trust, or take them out and use `foureyes limits`",
        )


def _describe(result: TrialResult) -> str:
    trial = result.trial
    error = f" ({result.error})" if result.error else ""
    return f"{trial.item} {trial.arm} {trial.number}: {result.status or result.outcome}{error}"


def report_on(folder: ExperimentFolder, ratings: Path | None, *, json: bool) -> int:
    """Write what an experiment shows into its directory, and print it; the exit code."""
    from ..experiments.analysis import Analysis, analyse
    from ..experiments.importing.tables import add_ratings
    from ..experiments.markdown import markdown
    from ..experiments.page import write_experiment_page
    from ..experiments.running import recorded_looks

    results, items = folder.results(), folder.plan().items
    recorded_looks(folder.path, folder.file, items)
    if ratings is not None:
        results = add_ratings(results, ratings)
    analysis = analyse(folder.file, items, results)
    write_atomic(folder.path / "analysis.json", to_json(Analysis, analysis) + "\n")
    write_atomic(folder.path / "report.md", markdown(analysis))
    page = write_experiment_page(folder, analysis)
    show(analysis, json=json)
    if not json:
        print_line(f"report: {folder.given / page.name}")
    return _exit_code(analysis)


def show(analysis: Analysis, *, json: bool) -> None:
    """Print what an experiment shows."""
    from ..experiments.analysis import Analysis as Shape
    from ..experiments.markdown import (
        ARM_HEADINGS,
        HEADINGS,
        LOOK_HEADINGS,
        arm_rows,
        compared_rows,
        describe_looks,
        exceptions,
        look_rows,
        powers,
    )

    if json:
        print_line(to_json(Shape, analysis, indent=None))
        return
    show_table([Column(name) for name in ARM_HEADINGS], arm_rows(analysis))
    rows = compared_rows((*analysis.declared, *analysis.slices))
    show_table([Column("variant"), *(Column(name) for name in HEADINGS)], rows)
    if analysis.looks:
        show_table([Column(name) for name in LOOK_HEADINGS], look_rows(analysis))
        print_line(describe_looks(analysis))
    for said in (*exceptions(analysis.declared), *powers(analysis)):
        print_line(said)
    if analysis.note:
        print_line(f"not at its end: {analysis.note}")
    print_line(f"conclusion: {analysis.conclusion.value}")


def _exit_code(analysis: Analysis) -> int:
    from ..experiments.statistics.comparison import Conclusion

    match analysis.conclusion:
        case Conclusion.BETTER:
            return ExitCode.OK
        case Conclusion.EQUIVALENT:
            return EQUIVALENT
        case Conclusion.WORSE:
            return ExitCode.NOT_APPROVED
        case Conclusion.INCONCLUSIVE:
            return ExitCode.INCONCLUSIVE
