"""The engine of one machine: jobs in a folder, limits in locked files, any number of workers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import filelock

from ..base.call_limits import SLACK_S, CallLimit, LimitName
from ..base.files import FilePlaces, from_json, storage_errors, to_json, write_atomic
from .job_folders import Attempt, JobFolders
from .model import (
    MAX_ATTEMPTS,
    WORKERS_DIED,
    Ended,
    Job,
    JobContext,
    JobEnd,
    JobState,
    JobStatus,
    Programs,
    Serving,
    ended_as,
    outcome,
)

_RETRY_S = 0.02


class FileLimiter:
    """Counts calls in `folder`, which all workers of a machine share.

    A place in `at_once` is a locked file, which the kernel frees when its worker dies. The window
    is the list of the latest starts by the machine's clock that only goes forward.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def set(self, name: LimitName, limit: CallLimit) -> None:
        """Keep `limit` for all workers.

        Raises:
            StorageError: The file system refused.
        """
        write_atomic(self._file(name), to_json(CallLimit, limit) + "\n")

    def limit(self, name: LimitName) -> CallLimit:
        """The limit in force; none unless one was set."""
        try:
            return from_json(CallLimit, self._file(name).read_bytes())
        except FileNotFoundError:
            return CallLimit()

    @asynccontextmanager
    async def place(self, name: LimitName) -> AsyncGenerator[None]:
        """As `CallLimiter.place`."""
        held: filelock.BaseFileLock | None = None
        places = FilePlaces(self._folder, name)
        while (at_once := self.limit(name).at_once) is not None:
            held = places.take(at_once)
            if held is not None:
                break
            await asyncio.sleep(_RETRY_S)
        try:
            yield
        finally:
            if held is not None:
                held.release()

    async def begin(self, name: LimitName) -> None:
        """As `CallLimiter.begin`."""
        # Nobody tells a waiting process that another one's window has moved on.
        while (wait := self._begin(name)) > 0:  # noqa: ASYNC110
            await asyncio.sleep(wait)

    def _begin(self, name: LimitName) -> float:
        """0 if a call may begin now, which is then counted; else the seconds until one may."""
        limit = self.limit(name)
        if limit.calls is None:
            return 0
        path = self._folder / f"{name}.starts.json"
        lock = filelock.FileLock(self._folder / f"{name}.window", timeout=10, thread_local=False)
        with lock, storage_errors(path, "count calls in"):
            now = time.monotonic()
            kept = from_json(tuple[float, ...], path.read_bytes()) if path.exists() else ()
            # A start after now is of before the machine was started again.
            window = limit.seconds + SLACK_S[name]
            starts = [start for start in kept if now - window < start <= now]
            if len(starts) >= limit.calls:
                return starts[-limit.calls] + window - now + _RETRY_S
            write_atomic(path, to_json(tuple[float, ...], (*starts, now)), durable=False)
            return 0

    def _file(self, name: LimitName) -> Path:
        return self._folder / f"{name}.json"


_POLL_S = 0.2


class FileEngine:
    """Jobs in the folder `root`, which is made if it is not there.

    Raises:
        StorageError: The file system refused.
    """

    def __init__(self, root: Path) -> None:
        self._folders = JobFolders(root)
        self._limiter = FileLimiter(self._folders.limits)

    async def submit(self, jobs: Sequence[Job]) -> None:
        """As `Engine.submit`."""
        for group in dict.fromkeys(job.group for job in jobs):
            self._folders.add(group, [job for job in jobs if job.group == group])

    async def serve(self, serving: Serving, programs: Programs, ended: Ended | None = None) -> None:
        """As `Engine.serve`."""
        with self._folders.named(serving.name):
            await _Worker(self._folders, self._limiter, serving, programs, ended).work()

    async def ends(self, group: str) -> Sequence[JobEnd]:
        """As `Engine.ends`."""
        found = (self._folders.end(job) for job in self._folders.jobs(group).values())
        return [end for end in found if end is not None]

    async def status(self, group: str) -> Sequence[JobStatus]:
        """As `Engine.status`."""
        folders = self._folders
        jobs = folders.jobs(group).values()
        begun = {job.id: folders.attempts(job) for job in jobs}
        living = folders.living(tries[-1].worker for tries in begun.values() if tries)
        return [_status(job, folders.end(job), begun[job.id], living) for job in jobs]

    async def bring(self, group: str, job_id: str, target: Path) -> Path:  # noqa: ARG002
        """As `Engine.bring`: it is on this machine."""
        return self._folders.work(self._folders.jobs(group)[job_id])

    async def cancel(self, group: str) -> int:
        """As `Engine.cancel`."""
        count = 0
        for job in self._folders.jobs(group).values():
            if not self._folders.has_ended(job):
                self._folders.ask_to_cancel(job)
                count += 1
                with self._folders.claimed(job) as mine:
                    if mine and not self._folders.has_ended(job):
                        self._folders.finish(job, ended_as(job, JobState.CANCELLED))
        return count

    async def reap(self) -> Sequence[str]:
        """As `Engine.reap`; the kernel has freed them already."""
        stale: list[str] = []
        for group in self._folders.groups():
            statuses = await self.status(group)
            stale += [one.id for one in statuses if one.attempts and one.state is JobState.QUEUED]
        return stale

    async def limit(self, name: LimitName, limit: CallLimit) -> None:
        """As `Engine.limit`."""
        self._limiter.set(name, limit)

    async def limits(self) -> Mapping[LimitName, CallLimit]:
        """As `Engine.limits`."""
        return {name: self._limiter.limit(name) for name in LimitName}

    async def close(self) -> None:
        """As `Engine.close`: there is nothing to let go of."""


class _Worker:
    """One process at work on the jobs of a folder."""

    def __init__(
        self,
        folders: JobFolders,
        limiter: FileLimiter,
        serving: Serving,
        programs: Programs,
        ended: Ended | None,
    ) -> None:
        self._folders = folders
        self._limiter = limiter
        self._serving = serving
        self._programs = programs
        self._ended = ended
        self._waiting: dict[str, Job] = {}
        self._seen: dict[str, int] = {}
        self._running: dict[asyncio.Task[None], Job] = {}

    async def work(self) -> None:
        """Work until the group has ended, or for ever without one."""
        try:
            while self._look() or self._running or self._serving.group is None:
                self._start()
                await self._pause()
        finally:
            for task in self._running:
                task.cancel()
            await asyncio.gather(*self._running, return_exceptions=True)

    def _look(self) -> bool:
        """Read what was submitted since; whether a job waits that this worker can run."""
        group = self._serving.group
        for name in self._folders.groups() if group is None else [group]:
            jobs = self._folders.jobs(name)
            known = self._seen.get(name, 0)
            if len(jobs) == known:
                continue
            self._seen[name] = len(jobs)
            new = islice(jobs.values(), known, None)
            self._waiting |= {job.id: job for job in new if job.program in self._programs}
        return bool(self._waiting)

    def _start(self) -> None:
        """Start waiting jobs until as many run as may run at once."""
        for job in list(self._waiting.values()):
            if len(self._running) >= self._serving.concurrency:
                return
            if self._folders.has_ended(job):
                del self._waiting[job.id]
                continue
            claim = ExitStack()
            if claim.enter_context(self._folders.claimed(job)):
                del self._waiting[job.id]
                task = asyncio.create_task(self._run(job, claim))
                self._running[task] = job
                task.add_done_callback(self._running.pop)

    async def _pause(self) -> None:
        """Wait until a job ends or the next poll is due; cancel jobs on request."""
        for task, job in self._running.items():
            if self._folders.cancel_asked(job):
                task.cancel()
        if self._running:
            await asyncio.wait(self._running, timeout=_POLL_S, return_when=asyncio.FIRST_COMPLETED)
        else:
            await asyncio.sleep(_POLL_S)

    async def _run(self, job: Job, claim: ExitStack) -> None:
        with claim:
            if self._folders.has_ended(job):
                return
            end = await self._outcome(job)
            self._folders.finish(job, end)
        if self._ended is not None:
            self._ended(end)

    async def _outcome(self, job: Job) -> JobEnd:
        """Run a job to its end. Stopping the worker does not end the job."""
        folders, name = self._folders, self._serving.name
        if folders.cancel_asked(job):
            return ended_as(job, JobState.CANCELLED, worker=name)
        if folders.deaths(job) >= MAX_ATTEMPTS:
            return ended_as(job, JobState.FAILED, error=WORKERS_DIED, worker=name)
        attempt = Attempt(name, datetime.now(UTC))
        folders.begin(job, attempt)
        context = JobContext(job, folders.work(job), self._limiter, _kept_already)
        try:
            return await outcome(self._programs[job.program], context, name)
        except asyncio.CancelledError:
            if folders.cancel_asked(job):
                return ended_as(job, JobState.CANCELLED, worker=name)
            folders.begin(job, replace(attempt, left=True))
            raise


async def _kept_already() -> None:
    """Do nothing: a folder on this machine outlives the worker."""


def _status(
    job: Job, end: JobEnd | None, attempts: Sequence[Attempt], living: frozenset[str]
) -> JobStatus:
    begun = [one for one in attempts if not one.left]
    worker = begun[-1].worker if begun else ""
    if end is not None:
        return JobStatus(job.id, end.state, end.worker, len(begun), end.error)
    at_work = bool(begun) and not attempts[-1].left and worker in living
    return JobStatus(job.id, JobState.RUNNING if at_work else JobState.QUEUED, worker, len(begun))
