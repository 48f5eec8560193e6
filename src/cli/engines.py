"""Engine operations of the commands: open one, count its running jobs, cancel the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from ..core.approval import ExitCode
from .terminal import print_line

if TYPE_CHECKING:
    from ..engine.model import Engine
    from ..engine.work_folder import WorkFolder

T = TypeVar("T")
ResultT = TypeVar("ResultT")

EngineUrl = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="URL",
        help="Where jobs are placed: file:///folder or postgresql://host/database. "
        "[default: a folder in its own directory]",
    ),
]
RequiredEngineUrl = Annotated[
    str,
    typer.Option("--engine", metavar="URL", help="file:///folder or postgresql://host/database."),
]


async def with_engine(
    url: str, use: Callable[[Engine], Coroutine[object, object, T]], work: Path | None = None
) -> T:
    """Open the engine at `url`, call `use` with it, and close it.

    `work` is the folder of its jobs' folders where the engine is a database.
    """
    from ..engine.opening import open_engine

    opened = await open_engine(url, work=work)
    try:
        return await use(opened)
    finally:
        await opened.close()


def running_jobs(folder: WorkFolder[ResultT], url: str | None) -> int:
    """Count the running jobs of `folder`."""
    from ..engine.model import JobState

    async def running(opened: Engine) -> int:
        found = await opened.status(folder.group)
        return sum(one.state is JobState.RUNNING for one in found)

    return asyncio.run(with_engine(url or folder.engine_url, running))


def cancel_jobs(folder: WorkFolder[ResultT], url: str | None, what: str) -> int:
    """Cancel the jobs of a piece of work that have not ended, and say how many of `what`."""
    from ..engine.work_folder import WorkState

    async def stop(opened: Engine) -> int:
        return await opened.cancel(folder.group)

    count = asyncio.run(with_engine(url or folder.engine_url, stop))
    if count:
        folder.set(WorkState.CANCELLED)
    print_line(f"cancelled: {count} {what}")
    return ExitCode.OK
