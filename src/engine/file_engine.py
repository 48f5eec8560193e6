"""The engine of one machine: jobs in a folder, limits in locked files, any number of workers."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import AsyncGenerator, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from urllib.parse import unquote, urlsplit

import filelock

from ..base.call_limits import SLACK_S, CallLimit, CallLimiter, LimitName
from ..base.errors import InputError
from ..base.files import from_json, storage_errors, take_place, to_json, write_atomic
from ..core.record_folder import read_record
from .job_folders import Attempt, JobFolders, key_of
from .model import Ended, Engine, Job, JobContext, JobEnd, JobState, JobStatus, Programs, Serving
from .worker import Claim, SharedLimiter, Worker

_RETRY_S = 0.02


class FileCounts:
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
        return read_record(CallLimit, self._file(name), "limit") or CallLimit()

    async def take(self, name: LimitName) -> ExitStack | None:
        """As `CallCounts.take`."""
        place, at_once = ExitStack(), self.limit(name).at_once
        if at_once is not None:
            held = take_place(self._folder, name, at_once)
            if held is None:
                return None
            place.callback(held.release)
        return place

    async def give_back(self, place: ExitStack) -> None:
        """As `CallCounts.give_back`."""
        place.close()

    async def count(self, name: LimitName) -> float:
        """As `CallCounts.count`."""
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


class FileEngine:
    """Jobs in the folder `root`, which is made if it is not there.

    Raises:
        StorageError: The file system refused.
    """

    def __init__(self, root: Path) -> None:
        self._folders = JobFolders(root)
        self._counts = FileCounts(root / "limits")

    async def submit(self, jobs: Sequence[Job]) -> None:
        """As `Engine.submit`."""
        for group in dict.fromkeys(job.group for job in jobs):
            self._folders.add(group, [job for job in jobs if job.group == group])

    async def serve(self, serving: Serving, programs: Programs, ended: Ended | None = None) -> None:
        """As `Engine.serve`."""
        store = _FileJobs(self._folders, serving, programs)
        with self._folders.named(serving.name):
            await Worker(store, SharedLimiter(self._counts), serving, programs, ended).work()

    async def ends(self, group: str) -> Sequence[JobEnd]:
        """As `Engine.ends`."""
        found = (self._folders.end(job) for job in self._folders.jobs(group).values())
        return [end for end in found if end is not None]

    async def status(self, group: str) -> Sequence[JobStatus]:
        """As `Engine.status`."""
        folders = self._folders
        jobs = folders.jobs(group).values()
        begun = {job.id: folders.attempts(job) for job in jobs}
        workers = {tries[-1].worker for tries in begun.values() if tries}
        living = {name for name in workers if folders.lives(name)}
        return [_status(job, folders.end(job), begun[job.id], living) for job in jobs]

    async def cancel(self, group: str) -> int:
        """As `Engine.cancel`."""
        folders = self._folders
        open_jobs = [job for job in folders.jobs(group).values() if not folders.has_ended(job)]
        for job in open_jobs:
            folders.ask_to_cancel(job)
            if (lock := folders.held(job)) is not None:
                try:
                    if not folders.has_ended(job):
                        folders.finish(job, JobEnd(job.id, JobState.CANCELLED))
                finally:
                    lock.release()
        return len(open_jobs)

    async def limit(self, name: LimitName, limit: CallLimit) -> None:
        """As `Engine.limit`."""
        self._counts.set(name, limit)

    async def limits(self) -> Mapping[LimitName, CallLimit]:
        """As `Engine.limits`."""
        return {name: self._counts.limit(name) for name in LimitName}

    async def close(self) -> None:
        """As `Engine.close`: there is nothing to let go of."""


class _FileJobs:
    """The jobs of a folder, as one worker sees them: a `JobStore`."""

    poll_s = 0.2

    def __init__(self, folders: JobFolders, serving: Serving, programs: Programs) -> None:
        self._folders = folders
        self._serving = serving
        self._programs = programs
        self._open: dict[str, Job] = {}
        self._seen: dict[str, int] = {}
        self._claimed: dict[str, filelock.BaseFileLock] = {}

    async def attend(self) -> bool:
        """As `JobStore.attend`: the lock on its name tells."""
        return True

    async def waiting(self, besides: Collection[str], count: int) -> Iterator[str]:  # noqa: ARG002
        """As `JobStore.waiting`; who has a job shows when it is claimed."""
        group = self._serving.group
        for name in self._folders.groups() if group is None else [group]:
            jobs = self._folders.jobs(name)
            new = islice(jobs.values(), self._seen.get(name, 0), None)
            mine = (job for job in new if job.program in self._programs)
            self._open |= {key_of(job.group, job.id): job for job in mine}
            self._seen[name] = len(jobs)
        return (key for key in list(self._open) if key not in besides)

    async def open(self, besides: Collection[str]) -> bool:
        """As `JobStore.open`."""
        return any(key not in besides for key in self._open)

    async def claim(self, key: str) -> Claim | None:
        """As `JobStore.claim`."""
        job, folders = self._open[key], self._folders
        lock = folders.held(job)
        if lock is None:
            return None
        if folders.has_ended(job):
            lock.release()
            del self._open[key]
            return None
        deaths = sum(-1 if one.left else 1 for one in folders.attempts(job))
        folders.begin(job, Attempt(self._serving.name, datetime.now(UTC)))
        self._claimed[key] = lock
        return Claim(key, job, deaths, folders.cancel_asked(job))

    @asynccontextmanager
    async def working(self, claim: Claim, limiter: CallLimiter) -> AsyncGenerator[JobContext]:
        """As `JobStore.working`."""
        yield JobContext(claim.job, self._folders.work(claim.job), limiter)

    async def cancelled(self) -> Collection[str]:
        """As `JobStore.cancelled`."""
        return [key for key in self._claimed if self._folders.cancel_asked(self._open[key])]

    async def release(self, claim: Claim) -> None:
        """As `JobStore.release`."""
        attempt = Attempt(self._serving.name, datetime.now(UTC), left=True)
        try:
            self._folders.begin(claim.job, attempt)
        finally:
            self._claimed.pop(claim.key).release()

    async def finish(self, claim: Claim, end: JobEnd) -> bool:
        """As `JobStore.finish`."""
        self._folders.finish(claim.job, end)
        del self._open[claim.key]
        self._claimed.pop(claim.key).release()
        return True


def _status(
    job: Job, end: JobEnd | None, attempts: Sequence[Attempt], living: Collection[str]
) -> JobStatus:
    begun = [one for one in attempts if not one.left]
    worker = begun[-1].worker if begun else ""
    if end is not None:
        return JobStatus(job.id, end.state, end.worker, len(begun), end.error)
    at_work = bool(begun) and not attempts[-1].left and worker in living
    return JobStatus(job.id, JobState.RUNNING if at_work else JobState.QUEUED, worker, len(begun))


async def open_engine(url: str) -> Engine:
    """The engine at `url`: ``file:///folder`` for this machine, ``postgresql://…`` for many.

    Raises:
        InputError: The address is of no engine, or the extra for it is not installed.
        StorageError: The folder cannot be made, or the database cannot be reached.
    """
    parts = urlsplit(url)
    match parts.scheme:
        case "file":
            if parts.netloc not in ("", "localhost") or not parts.path.startswith("/"):
                raise InputError(f"{url!r} names no folder", "write file:///path/to/folder")
            return FileEngine(Path(unquote(parts.path)))
        case "postgresql" | "postgres":
            if importlib.util.find_spec("dbos") is None:
                raise InputError(
                    "an engine on PostgreSQL needs DBOS", "pip install 'foureyes[dbos]'"
                )
            from .postgres.engine import PostgresEngine

            return await PostgresEngine.open(url.replace("postgres://", "postgresql://", 1))
        case _:
            hint = "use file:///path/to/folder or postgresql://host/database"
            raise InputError(f"{parts.scheme or url!r} is no engine", hint)
