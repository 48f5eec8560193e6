"""Engines: opened, worked with and watched by commands."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ..base.vocabulary import ExitCode
from ..engine.file_engine import open_engine
from ..engine.model import Engine, JobState
from ..engine.work_folder import WorkFolder, WorkState
from ..engine.working import OnResult
from . import terminal
from ._options import OutputOptions, option

T = TypeVar("T")
ResultT = TypeVar("ResultT")

EngineUrl = Annotated[
    str | None,
    option(
        "URL",
        help="Where jobs are placed: file:///folder or postgresql://host/database. "
        "[default: a folder in its own directory]",
    ),
]
RequiredEngineUrl = Annotated[
    str, option("URL", help="file:///folder or postgresql://host/database.")
]

ExperimentTrust = Annotated[
    bool,
    option(
        help="Let variants and batches set models, prompts, backends and budgets, and metrics be "
        "code of the file's author.",
    ),
]


async def with_engine(url: str, use: Callable[[Engine], Coroutine[object, object, T]]) -> T:
    """Open the engine at `url`, call `use` with it, and close it."""
    opened = await open_engine(url)
    try:
        return await use(opened)
    finally:
        await opened.close()


def running_jobs(folder: WorkFolder[ResultT], url: str | None) -> int:
    """Count the running jobs of `folder`."""

    async def running(opened: Engine) -> int:
        found = await opened.status(folder.group)
        return sum(one.state is JobState.RUNNING for one in found)

    return asyncio.run(with_engine(url or folder.engine_url, running))


def cancel_jobs(folder: WorkFolder[ResultT], url: str | None, what: str) -> None:
    """Cancel the jobs of a piece of work that have not ended, and say how many of `what`."""

    async def stop(opened: Engine) -> int:
        return await opened.cancel(folder.group)

    count = asyncio.run(with_engine(url or folder.engine_url, stop))
    if count:
        folder.set(WorkState.CANCELLED)
    terminal.line(f"cancelled: {count} {what}")


def work_to_end(
    folder: WorkFolder[ResultT],
    url: str,
    describe: Callable[[ResultT], str],
    work: Callable[[Engine, OnResult[ResultT]], Coroutine[object, object, WorkState]],
    output: OutputOptions,
    command: str,
) -> WorkState:
    """Do the jobs of `folder` with the engine at `url`, and show how far they are.

    `describe` makes a line of a result. If it is stopped, this says how to go on with `command`
    and ends the command.
    """
    if not output.as_json:
        terminal.progress(f"{command}: {folder.given}")

    async def go(opened: Engine) -> WorkState:
        with job_progress(describe, quiet=output.quiet or output.as_json) as on_result:
            return await work(opened, on_result)

    try:
        return terminal.run_until_stopped(with_engine(url, go))
    except asyncio.CancelledError:
        terminal.note(f"stopped; go on with `foureyes {command} resume {folder.given}`")
        raise typer.Exit(ExitCode.CANCELLED) from None


@contextmanager
def job_progress(
    describe: Callable[[ResultT], str], *, quiet: bool
) -> Generator[OnResult[ResultT]]:
    """Show the progress of jobs on standard error: a bar on a terminal, else a line for each.

    The yielded function takes a result, how many jobs have ended, and how many there are.
    """
    if quiet:
        yield lambda _result, _ended, _all: None
        return
    if not sys.stderr.isatty():
        yield lambda result, ended, all_: terminal.progress(f"{ended}/{all_} {describe(result)}")
        return
    last = TextColumn("{task.fields[last]}", markup=False)
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), last)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, last="")

        def show(result: ResultT, ended: int, all_: int) -> None:
            bar.update(task, total=all_, completed=ended, last=terminal.safe(describe(result)))

        yield show
