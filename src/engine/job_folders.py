"""The folder in which the jobs of one machine are kept.

    <root>/queue/<group>/<number>.jsonl   submitted jobs, a file each time
    <root>/jobs/<group>/<job>/            of a job: work/, attempts.jsonl, end.json
    <root>/workers/<name>.lock            held by a living worker
    <root>/limits/                        `FileCounts`

A job is claimed by the lock on its folder, which the kernel frees when its worker dies.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import filelock

from ..base.errors import RunDirectoryError
from ..base.files import (
    append_line,
    from_json,
    make_folder,
    read_lines,
    storage_errors,
    take_lock,
    to_json,
    write_atomic,
)
from ..core.record_folder import damaged, read_record
from .model import Job, JobEnd

T = TypeVar("T")

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


def key_of(group: str, job_id: str) -> str:
    """The key of the job `job_id` of `group` among those of all groups."""
    return f"{folder_name(group)}/{folder_name(job_id)}"


def folder_name(name: str) -> str:
    """`name` for the file system: readable, and different for each name."""
    readable = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:60]
    return f"{readable}.{hashlib.sha256(name.encode()).hexdigest()[:16]}"
