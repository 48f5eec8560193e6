"""The engine of one machine: jobs in a folder, limits in locked files, any number of workers.

    <root>/queue/<group>/<number>.jsonl   submitted jobs, a file each time
    <root>/jobs/<group>/<job>/            of a job: work/, attempts.jsonl, end.json
    <root>/workers/<name>.lock            held by a living worker
    <root>/limits/                        `FileCounts`

A job is claimed by the lock on its folder, which the kernel frees when its worker dies.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import AsyncGenerator, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

import filelock

from ..base.call_limits import SLACK_S, CallLimit, CallLimiter, LimitName
from ..base.errors import InputError, RunDirectoryError
from ..base.files import (
    append_line,
    from_json,
    make_folder,
    read_lines,
    storage_errors,
    take_lock,
    take_place,
    to_json,
    write_atomic,
)
from ..core.record_folder import damaged, read_record
from ._worker import Claim, SharedLimiter, Worker
from .model import (
    Ended,
    Engine,
    Job,
    JobContext,
    JobEnd,
    JobState,
    JobStatus,
    Programs,
    Serving,
    folder_name,
    key_of,
)

T = TypeVar("T")
_RETRY_S = 0.02
_END, _ATTEMPTS, _CANCELLED = "end.json", "attempts.jsonl", "cancelled"
_WORK = "piece of work"
_STARTING_S = 0.3
"""For how long a worker waits for its name: `lives` holds the lock for an instant."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A worker began a job, or left it unfinished (`left`) when it was ended itself."""

    worker: str
    at: datetime
    left: bool = False


@dataclass(slots=True)
class _Read:
    """The part of a group's queue that was read so far; queue files never change."""

    files: int = 0
    jobs: dict[str, Job] = field(default_factory=dict[str, Job])


class JobFolders:
    """Jobs, attempts and ends below `root`, which is made if it is not there.

    Raises:
        StorageError: The file system refused.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._groups: dict[str, _Read] = {}
        with storage_errors(root, "create"):
            for name in ("queue", "jobs", "workers", "limits"):
                (root / name).mkdir(parents=True, exist_ok=True)

    def add(self, group: str, jobs: Sequence[Job]) -> None:
        """Keep those of `jobs` that are new to `group`, all or none."""
        folder = self._queue(group)
        make_folder(folder)
        with _locked(folder / ".lock", 10, f"{str(folder)!r} is being added to"):
            known = self.jobs(group)
            new = {job.id: job for job in jobs if job.id not in known}
            if new:
                lines = "".join(to_json(Job, job, indent=None) + "\n" for job in new.values())
                write_atomic(folder / f"{self._groups[group].files:06}.jsonl", lines)

    def groups(self) -> list[str]:
        """The groups that jobs were added for."""
        found: list[str] = []
        for folder in sorted((self._root / "queue").iterdir()):
            for line in read_lines(folder / f"{0:06}.jsonl"):
                found.append(_record(Job, line, folder).group)
                break
        return found

    def jobs(self, group: str) -> dict[str, Job]:
        """The jobs of a group by id, in the order of submission.

        Raises:
            RunDirectoryError: A file of the queue is damaged.
        """
        read = self._groups.setdefault(group, _Read())
        folder = self._queue(group)
        while (path := folder / f"{read.files:06}.jsonl").exists():
            found = [_record(Job, line, path) for line in read_lines(path)]
            read.jobs |= {job.id: job for job in found}
            read.files += 1
        return read.jobs

    def work(self, job: Job) -> Path:
        """The folder of a job that its program works in; it is made if it is not there."""
        path = Path(job.folder) if job.folder else self.folder(job) / "work"
        make_folder(path)
        return path

    def folder(self, job: Job) -> Path:
        """The folder of what is kept about a job."""
        return self._root / "jobs" / key_of(job.group, job.id)

    def held(self, job: Job) -> filelock.BaseFileLock | None:
        """A job's lock, to be released; None if another worker has it."""
        make_folder(self.folder(job))
        return _acquired(self.folder(job) / ".lock", 0)

    def begin(self, job: Job, attempt: Attempt) -> None:
        """Keep that a worker began or left a job."""
        append_line(self.folder(job) / _ATTEMPTS, to_json(Attempt, attempt, indent=None))

    def attempts(self, job: Job) -> list[Attempt]:
        """The workers that began a job, in order."""
        path = self.folder(job) / _ATTEMPTS
        if not path.exists():
            return []
        return [_record(Attempt, line, path) for line in read_lines(path)]

    def finish(self, job: Job, end: JobEnd) -> None:
        """Keep how a job ended."""
        write_atomic(self.folder(job) / _END, to_json(JobEnd, end) + "\n")

    def has_ended(self, job: Job) -> bool:
        """Whether a job has ended."""
        return (self.folder(job) / _END).exists()

    def end(self, job: Job) -> JobEnd | None:
        """How a job ended; None if it has not."""
        return read_record(JobEnd, self.folder(job) / _END, _WORK)

    def ask_to_cancel(self, job: Job) -> None:
        """Leave word that a job is to be cancelled."""
        make_folder(self.folder(job))
        write_atomic(self.folder(job) / _CANCELLED, "")

    def cancel_asked(self, job: Job) -> bool:
        """Whether a job is to be cancelled."""
        return (self.folder(job) / _CANCELLED).exists()

    def named(self, worker: str) -> AbstractContextManager[None]:
        """Hold the name of a worker while the block runs.

        Raises:
            RunDirectoryError: A living worker has it.
        """
        refusal = f"a worker named {worker!r} is at work already"
        return _locked(self._name_lock(worker), _STARTING_S, refusal)

    def lives(self, worker: str) -> bool:
        """Whether a worker is at work."""
        lock = _acquired(self._name_lock(worker), 0)
        if lock is not None:
            lock.release()
        return lock is None

    def _name_lock(self, worker: str) -> Path:
        return self._root / "workers" / f"{folder_name(worker)}.lock"

    def _queue(self, group: str) -> Path:
        return self._root / "queue" / folder_name(group)


def _acquired(path: Path, timeout: float) -> filelock.BaseFileLock | None:
    """The lock on `path`; None if another process keeps it for `timeout` seconds."""
    with storage_errors(path, "lock"):
        return take_lock(path, timeout)


@contextmanager
def _locked(path: Path, timeout: float, otherwise: str) -> Generator[None]:
    lock = _acquired(path, timeout)
    if lock is None:
        raise RunDirectoryError(otherwise, "wait until it ends, or give another name")
    try:
        yield
    finally:
        lock.release()


def _record(kind: type[T], data: str, path: Path) -> T:
    with damaged(path, _WORK):
        return from_json(kind, data)


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
