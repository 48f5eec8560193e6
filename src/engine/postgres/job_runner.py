"""A job in the hands of a worker: claimed, run, its steps and files kept, its end told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from ...base.errors import StorageError
from ...base.files import storage_errors, write_atomic
from ...base.records import from_json, to_json
from ...core.types import Error
from ..model import (
    MAX_ATTEMPTS,
    WORKERS_DIED,
    ClaimLost,
    Ended,
    JobContext,
    JobEnd,
    JobState,
    Programs,
    ended_as,
    outcome,
)
from .limits import PostgresLimiter
from .store import Claim, JobStore

T = TypeVar("T")


class PostgresSteps:
    """Runs a step once for each (name, key): its result is a row.

    Raises:
        ClaimLost: Another worker has the job; what was done is not kept.
    """

    def __init__(self, store: JobStore, key: str, claim: Claim) -> None:
        self._store = store
        self._key = key
        self._claim = claim
        self._kept = dict(claim.steps)

    async def step(
        self, name: str, key: str, result: type[T], work: Callable[[], Awaitable[T | Error]]
    ) -> T | Error:
        """The kept result of `name` with `key`, else that of `work`, which is then kept."""
        kept = self._kept.get((name, key))
        if kept is not None:
            return from_json(result, kept)
        answer = await work()
        if isinstance(answer, Error):
            return answer
        told = to_json(result, answer, indent=None)
        number = self._claim.number
        # What is done is kept even if the job is cancelled at this moment.
        keeping = asyncio.ensure_future(self._store.keep_step(self._key, number, name, key, told))
        try:
            mine = await asyncio.shield(keeping)
        except asyncio.CancelledError:
            await keeping
            raise
        if not mine:
            raise ClaimLost(f"{self._key!r} was taken over by another worker")
        self._kept[name, key] = told
        return answer


class KeptFolder:
    """The folder of a job, whose files are also kept as rows where workers share no disk."""

    def __init__(self, store: JobStore, key: str, claim: Claim, path: Path) -> None:
        self._store = store
        self._key = key
        self._claim = claim
        self.path = path
        self._seen: dict[str, tuple[int, int]] = {}

    async def restore(self) -> None:
        """Bring back what an earlier worker kept."""
        for name, data in (await self._store.files(self._key)).items():
            target = self.path / name
            if not target.resolve().is_relative_to(self.path.resolve()):
                raise StorageError(f"{name!r} of job {self._key!r} leads out of its folder")
            with storage_errors(target, "restore"):
                target.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(target, data, durable=False)
        self._seen = self._now()

    async def keep(self) -> None:
        """Keep the files that are new or have changed."""
        now = self._now()
        changed = [name for name, stamp in now.items() if self._seen.get(name) != stamp]
        if not changed:
            return
        with storage_errors(self.path, "read"):
            files = {name: (self.path / name).read_bytes() for name in changed}
        if not await self._store.keep_files(self._key, self._claim.number, files):
            raise ClaimLost(f"{self._key!r} was taken over by another worker")
        self._seen = now

    def _now(self) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for path in self.path.rglob("*"):
            # What begins with a point is a lock or half-written.
            if path.is_file() and not path.is_symlink() and not path.name.startswith("."):
                stat = path.stat()
                found[path.relative_to(self.path).as_posix()] = stat.st_mtime_ns, stat.st_size
        return found


class JobRunner:
    """Runs the jobs that come to the worker `name`; their folders lie below `folder`."""

    def __init__(
        self,
        store: JobStore,
        limiter: PostgresLimiter,
        name: str,
        programs: Programs,
        folder: Path,
        ended: Ended | None,
    ) -> None:
        self._store = store
        self._limiter = limiter
        self._name = name
        self._programs = programs
        self._folder = folder
        self._ended = ended
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._cancelled: set[str] = set()

    async def run(self, key: str) -> None:
        """Run the job `key` if it has not ended; that the worker is ended is no end of a job."""
        task = asyncio.create_task(self._run(key))
        self._tasks[key] = task
        try:
            await task
        finally:
            self._tasks.pop(key, None)

    async def cancel_asked(self) -> None:
        """Stop the jobs that were cancelled since."""
        if not self._tasks:
            return
        for key in await self._store.cancelled(self._name):
            task = self._tasks.get(key)
            if task is not None:
                self._cancelled.add(key)
                task.cancel()

    async def stop(self) -> None:
        """Stop all jobs and leave them to others."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, key: str) -> None:
        claim = await self._store.claim(key, self._name)
        if claim is None:
            return
        try:
            end = await self._outcome(key, claim)
        except ClaimLost:
            return
        except asyncio.CancelledError:
            if key not in self._cancelled:
                await self._store.release(key, claim.number)
                raise
            self._cancelled.discard(key)
            end = ended_as(claim.job, JobState.CANCELLED, worker=self._name)
        if await self._store.finish(key, claim.number, end) and self._ended is not None:
            self._ended(end)

    async def _outcome(self, key: str, claim: Claim) -> JobEnd:
        job = claim.job
        if claim.cancelled:
            return ended_as(job, JobState.CANCELLED, worker=self._name)
        if claim.deaths >= MAX_ATTEMPTS:
            return ended_as(job, JobState.FAILED, error=WORKERS_DIED, worker=self._name)
        path = self._folder / key
        with storage_errors(path, "create"):
            path.mkdir(parents=True, exist_ok=True)
        folder = KeptFolder(self._store, key, claim, path)
        await folder.restore()
        steps = PostgresSteps(self._store, key, claim)
        context = JobContext(job, path, steps, self._limiter, folder.keep)
        end = await outcome(self._programs[job.program], context, self._name)
        await folder.keep()
        return end
