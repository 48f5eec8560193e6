"""Progress of an experiment, printed once or until it has ended."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.box import SIMPLE
from rich.console import Console
from rich.live import Live
from rich.table import Table

from ..engine.model import Engine
from ..engine.work_folder import WorkState
from ..experiments.folder import ExperimentFolder
from ..experiments.running import ExperimentStatus, experiment_status
from .tables import Column, show_table
from .terminal import print_line

HEADINGS = ("state", "trials", "ended", "running", "waiting", "errors", "inconclusive", "workers",
            "cost", "time left")  # fmt: skip
REFRESH_S = 1.0
Show = Callable[[ExperimentStatus], None]


async def watch(folder: ExperimentFolder, engine: Engine) -> None:
    """Show the progress of the experiment repeatedly until nothing of it is running."""
    planned = folder.plan()
    with _shown() as show:
        while True:
            status = await experiment_status(folder, engine, planned)
            show(status)
            if status.state != WorkState.RUNNING and not status.running:
                return
            await asyncio.sleep(REFRESH_S)
            folder = ExperimentFolder(folder.path)


def show_status(status: ExperimentStatus) -> None:
    """One table."""
    show_table([Column(name) for name in HEADINGS], [cells(status)])


def cells(status: ExperimentStatus) -> tuple[str, ...]:
    """The status as the cells of a table."""
    jobs = (status.trials, status.ended, status.running, status.queued)
    counts = (*jobs, status.errors, status.inconclusive, status.workers)
    state = status.state
    if status.stopped_at is not None:
        state += f" at look {status.stopped_at}"
    return (state, *map(str, counts), f"${status.cost_usd:.2f}", left(status.seconds_left))


def left(seconds: float | None) -> str:
    """Hours, minutes and seconds, about."""
    if seconds is None:
        return "-"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


@contextmanager
def _shown() -> Generator[Show]:
    """A table that changes in place on a terminal, else a line for each change."""
    if not sys.stdout.isatty():
        yield _lines()
        return
    with Live(console=Console(), auto_refresh=False) as live:
        yield lambda status: live.update(_table(status), refresh=True)


def _lines() -> Show:
    before: list[tuple[str, ...]] = []

    def show(status: ExperimentStatus) -> None:
        now = cells(status)
        if now[:-1] not in before:
            before[:] = [now[:-1]]
            said = ", ".join(f"{name} {cell}" for name, cell in zip(HEADINGS, now, strict=True))
            print_line(said)
            sys.stdout.flush()

    return show


def _table(status: ExperimentStatus) -> Table:
    table = Table(*HEADINGS, box=SIMPLE, pad_edge=False, show_edge=False)
    table.add_row(*cells(status))
    return table
