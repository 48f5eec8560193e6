"""One worker's jobs: claims them, runs them, stores their files and ends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

import structlog

from ...base.errors import StorageError
from ...base.files import storage_errors, write_atomic
from ..model import (
    MAX_ATTEMPTS,
    WORKERS_DIED,
    ClaimLost,
    Ended,
    JobContext,
    JobEnd,
    JobState,
    Programs,
    Serving,
    ended_as,
    outcome,
)
from .store import BEAT_S, Claim, JobStore, PostgresLimiter, Refused

KEEP_S = 5.0
"""How often the folder of a job under way is kept: what is lost with a worker is not much older."""
_IDLE_S = 1.0
"""How long a worker has room before it looks itself for what DBOS does not bring."""


def write_kept(files: Mapping[str, bytes], key: str, folder: Path) -> None:
    """Write the files that were kept of the job `key` to `folder`.

    Raises:
        StorageError: A file could not be written, or would lie elsewhere.
    """
    for name, data in files.items():
        target = folder / name
        if not target.resolve().is_relative_to(folder.resolve()):
            raise StorageError(f"{name!r} of job {key!r} leads out of its folder")
        with storage_errors(target, "restore"):
            target.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(target, data, durable=False)


class KeptFolder:
    """The folder of a job, whose files are also kept as rows where workers share no disk."""

    def __init__(self, store: JobStore, key: str, claim: Claim, path: Path) -> None:
        self._store = store
        self._key = key
        self._claim = claim
        self.path = path
        self._seen: dict[str, tuple[int, int]] = {}
        self._keeping = asyncio.Lock()

    async def restore(self) -> None:
        """Bring back what an earlier worker kept."""
        write_kept(await self._store.files(self._key), self._key, self.path)
        self._seen = self._now()

    async def keep(self) -> None:
        """Keep the files that are new or have changed."""
        async with self._keeping:
            now = self._now()
            changed = [name for name, stamp in now.items() if self._seen.get(name) != stamp]
            files = {name: data for name in changed if (data := self._read(name)) is not None}
            if not files:
                return
            if not await self._store.keep_files(self._key, self._claim.number, files):
                raise ClaimLost(f"{self._key!r} was taken over by another worker")
            self._seen = now

    async def keep_on(self) -> None:
        """Keep the files every few seconds, until this is cancelled or they cannot be kept."""
        with suppress(StorageError, ClaimLost):
            while True:
                await asyncio.sleep(KEEP_S)
                await self.keep()

    def _read(self, name: str) -> bytes | None:
        """A file; None if the program has just removed it."""
        path = self.path / name
        with storage_errors(path, "read"):
            try:
                return path.read_bytes()
            except FileNotFoundError:
                return None

    def _now(self) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for path in self.path.rglob("*"):
            name = path.relative_to(self.path)
            # What begins with a point is a lock, half-written, or the folder of a turn.
            if any(part.startswith(".") for part in name.parts):
                continue
            with suppress(FileNotFoundError):
                stat = path.lstat()
                if S_ISREG(stat.st_mode):
                    found[name.as_posix()] = stat.st_mtime_ns, stat.st_size
        return found


class JobRunner:
    """Runs jobs, at most `serving.concurrency` at once; their folders lie below `folder`.

    DBOS brings them. Its bound on what it brings to one worker is the same for all workers and for
    each program apart, so what is too much waits here, and whoever has room takes it from there.
    """

    def __init__(
        self,
        store: JobStore,
        limiter: PostgresLimiter,
        serving: Serving,
        programs: Programs,
        folder: Path,
        ended: Ended | None,
    ) -> None:
        self._store = store
        self._limiter = limiter
        self._name = serving.name
        self._most = serving.concurrency
        self._room = asyncio.Semaphore(serving.concurrency)
        self._working = 0
        self._full_at = time.monotonic()
        self._programs = programs
        self._folder = folder
        self._ended = ended
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._cancelled: set[str] = set()

    async def run(self, key: str) -> None:
        """Return when the job `key` has ended, here or where another worker has it.

        Stopping this worker does not end the job.
        """
        task = self._tasks.get(key)
        if task is not None:
            await asyncio.wait({task})
        await self._start(key, self._seen_to(key))

    async def help_out(self) -> None:
        """Take jobs that wait with a busy worker, or that a dead one left."""
        now = time.monotonic()
        if self._working >= self._most:
            self._full_at = now
        elif now - self._full_at > _IDLE_S:
            for key in await self._store.waiting(list(self._programs), self._most - self._working):
                if key not in self._tasks:
                    self._start(key, self._helped(key))

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

    def _start(self, key: str, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = self._tasks[key] = asyncio.create_task(work)

        def forget(done: asyncio.Task[None]) -> None:
            if self._tasks.get(key) is done:
                del self._tasks[key]

        task.add_done_callback(forget)
        return task

    async def _seen_to(self, key: str) -> None:
        # Nobody tells when another process is done with a job, or dead.
        while await self._tried(key) is Refused.HELD:  # noqa: ASYNC110
            await asyncio.sleep(BEAT_S)

    async def _helped(self, key: str) -> None:
        try:
            await self._tried(key)
        except StorageError as error:
            structlog.get_logger().warning("job left", job=key, reason=str(error))

    async def _tried(self, key: str) -> Refused | None:
        """Run a job when there is room; why it was not run, None if it was."""
        async with self._room:
            self._working += 1
            try:
                return await self._run(key)
            finally:
                self._working -= 1

    async def _run(self, key: str) -> Refused | None:
        claim = await self._store.claim(key, self._name)
        if isinstance(claim, Refused):
            return claim
        try:
            end = await self._outcome(key, claim)
        except ClaimLost:
            return Refused.HELD
        except StorageError:
            with suppress(StorageError):
                await self._store.release(key, claim.number)
            raise
        except asyncio.CancelledError:
            if key not in self._cancelled:
                await self._store.release(key, claim.number)
                raise
            self._cancelled.discard(key)
            end = ended_as(claim.job, JobState.CANCELLED, worker=self._name)
        if await self._store.finish(key, claim.number, end) and self._ended is not None:
            self._ended(end)
        return None

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
        context = JobContext(job, path, self._limiter, folder.keep)
        keeping = asyncio.create_task(folder.keep_on())
        try:
            end = await outcome(self._programs[job.program], context, self._name)
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)
        await folder.keep()
        return end
