"""Engine operations of the commands: open one, count its running jobs, cancel the rest."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ..base.vocabulary import ExitCode
from ..engine.model import Engine, JobState
from ..engine.opening import open_engine
from ..engine.work_folder import WorkFolder, WorkState
from .options import option, switch
from .terminal import print_line, print_progress, safe

T = TypeVar("T")
ResultT = TypeVar("ResultT")

EngineUrl = Annotated[
    str | None,
    option(
        "--engine",
        "URL",
        "Where jobs are placed: file:///folder or postgresql://host/database. "
        "[default: a folder in its own directory]",
    ),
]
RequiredEngineUrl = Annotated[
    str, option("--engine", "URL", "file:///folder or postgresql://host/database.")
]

ExperimentTrust = Annotated[
    bool,
    switch(
        "--trust",
        "Let variants and batches set models, prompts, backends and budgets, and metrics be code "
        "of the file's author.",
    ),
]


async def with_engine(
    url: str, use: Callable[[Engine], Coroutine[object, object, T]], work: Path | None = None
) -> T:
    """Open the engine at `url`, call `use` with it, and close it.

    `work` is the folder of its jobs' folders where the engine is a database.
    """
    opened = await open_engine(url, work=work)
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


def cancel_jobs(folder: WorkFolder[ResultT], url: str | None, what: str) -> int:
    """Cancel the jobs of a piece of work that have not ended, and say how many of `what`."""

    async def stop(opened: Engine) -> int:
        return await opened.cancel(folder.group)

    count = asyncio.run(with_engine(url or folder.engine_url, stop))
    if count:
        folder.set(WorkState.CANCELLED)
    print_line(f"cancelled: {count} {what}")
    return ExitCode.OK


@contextmanager
def job_progress(
    describe: Callable[[ResultT], str], *, quiet: bool
) -> Generator[Callable[[ResultT, int, int], None]]:
    """Show the progress of jobs on standard error: a bar on a terminal, else a line for each.

    The yielded function takes a result, how many jobs have ended, and how many there are.
    """
    if quiet:
        yield lambda _result, _ended, _all: None
        return
    if not sys.stderr.isatty():
        yield lambda result, ended, all_: print_progress(f"{ended}/{all_} {describe(result)}")
        return
    last = TextColumn("{task.fields[last]}", markup=False)
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), last)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, last="")

        def show(result: ResultT, ended: int, all_: int) -> None:
            bar.update(task, total=all_, completed=ended, last=safe(describe(result)))

        yield show
