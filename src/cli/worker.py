"""The command `worker`: trials and documents of an engine, done until it is stopped."""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Annotated

from ..base.vocabulary import ExitCode
from ..batch.documents import programs as documents
from ..engine.model import Engine, JobEnd, Serving
from ..experiments.trials import programs as trials
from .commands import CommandGroup
from .engines import ExperimentTrust, RequiredEngineUrl, with_engine
from .options import option
from .signals import run_until_stopped
from .terminal import print_line, print_note

Name = Annotated[
    str | None, option("--name", "NAME", "Its name, unlike any other's. [default: host and pid]")
]
Concurrency = Annotated[
    int, option("--concurrency", "N", "Trials or documents at once.", min=1, max=64)
]
Work = Annotated[
    Path | None,
    option(
        "--work",
        "PATH",
        "With a database: the folder of its jobs' folders. [default: a temporary one]",
    ),
]
RetentionDays = Annotated[
    float,
    option(
        "--retention-days",
        "DAYS",
        "With a database: how long DBOS's own rows of jobs that have ended stay in it.",
        min=0,
        max=36_500,
    ),
]

app = CommandGroup()


@app.command()
def worker(
    engine: RequiredEngineUrl,
    name: Name = None,
    concurrency: Concurrency = 2,
    work: Work = None,
    retention_days: RetentionDays = 7,
    trust: ExperimentTrust = False,
) -> int:
    """Work on the trials and documents of an engine until it is stopped."""
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
