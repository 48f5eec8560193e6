"""Jobs, programs, limits and status: the interface of an engine."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Protocol

from ..base.call_limits import CallLimit, CallLimiter, LimitName

MAX_ATTEMPTS = 10
"""How often a job may take its worker down with it before it counts as failed."""


@dataclass(frozen=True, slots=True)
class Job:
    """A program to be run once. The same `id` submitted again is the same job.

    `payload` is JSON text for the program. Of two jobs that wait, the one submitted first goes
    first. `group` names what they belong to, for status and cancel. `folder` is where the program
    works, on a disk that all workers share; "" leaves it to an engine of one machine.
    """

    id: str
    program: str
    payload: str
    group: str
    folder: str = ""


class JobState(StrEnum):
    """State of a job. The last three are ends."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class JobEnd:
    """How a job ended. `result` is the program's JSON text, "" unless done; `error` one line."""

    job_id: str
    state: JobState
    result: str = ""
    error: str = ""
    worker: str = ""
    ended: datetime | None = field(default_factory=partial(datetime.now, UTC))


@dataclass(frozen=True, slots=True)
class JobStatus:
    """A job as `Engine.status` reports it. `attempts` counts the workers that began it."""

    id: str
    state: JobState
    worker: str = ""
    attempts: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True)
class JobContext:
    """Context of one call of a program.

    `folder` is its own. When the program is resumed, on whatever machine, the folder is there as it
    was left, perhaps as a copy. It may be copied while a worker that was taken for dead still works
    in it, and the copy must be enough to resume from: write files whole, and let logs only grow.
    Names that begin with a point are not copied.
    """

    job: Job
    folder: Path
    limiter: CallLimiter


Program = Callable[[str, JobContext], Awaitable[str]]
"""Payload and context to the result, both JSON text.

A program that is resumed is called again from its beginning: what must not be repeated is recorded
in `JobContext.folder`. What it raises ends its own job alone.
"""
Programs = Mapping[str, Program]


@dataclass(frozen=True, slots=True)
class Serving:
    """How a worker works.

    `name` is unique among living workers and stays the same when the worker is started anew.
    `concurrency` is how many jobs it runs at once. With `group` it leaves when all jobs of that
    group have ended, whoever ran them; without one it stays until it is cancelled.
    """

    name: str
    concurrency: int = 4
    group: str | None = None


Ended = Callable[[JobEnd], None]


class Engine(Protocol):
    """Places jobs and wakes them until each has ended: `open_engine` gives one.

    The truth about a run stays in its directory; an engine holds only what places and wakes it.
    """

    async def submit(self, jobs: Sequence[Job]) -> None:
        """Add jobs; those already there are left as they are.

        Raises:
            StorageError: They could not be kept; none counts as added.
        """
        ...

    async def serve(self, serving: Serving, programs: Programs, ended: Ended | None = None) -> None:
        """Work on jobs whose program is among `programs`; `ended` is called with each end here.

        Raises:
            InputError: Another living worker has this name.
        """
        ...

    async def ends(self, group: str) -> Sequence[JobEnd]:
        """The ends of a group's jobs so far, in the order of submission."""
        ...

    async def status(self, group: str) -> Sequence[JobStatus]:
        """Every job of a group, in the order of submission."""
        ...

    async def cancel(self, group: str) -> int:
        """Cancel the jobs of a group that have not ended; how many those were."""
        ...

    async def limit(self, name: LimitName, limit: CallLimit) -> None:
        """Set a limit for all workers, from the next call on."""
        ...

    async def limits(self) -> Mapping[LimitName, CallLimit]:
        """The limits in force, of every name."""
        ...

    async def close(self) -> None:
        """Let go of what the engine holds."""
        ...


def key_of(group: str, job_id: str) -> str:
    """The key of the job `job_id` of `group` among those of all groups."""
    return f"{folder_name(group)}/{folder_name(job_id)}"


def folder_name(name: str) -> str:
    """`name` for the file system: readable, and different for each name."""
    readable = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:60]
    return f"{readable}.{hashlib.sha256(name.encode()).hexdigest()[:16]}"
