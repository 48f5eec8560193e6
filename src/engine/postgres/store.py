"""Jobs and their files as rows, by the clock of the database, as one worker sees them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG

import sqlalchemy as sa

from ...base.call_limits import CallLimiter
from ...base.errors import StorageError
from ...base.files import from_json, make_folder, storage_errors, to_json, write_atomic
from ..model import Job, JobContext, JobEnd, Programs, Serving
from ..worker import Claim, ClaimLost
from .database import BEAT_S, LIVING, STALE_S, Database

KEEP_S = 5.0
"""How often the folder of a job under way is kept: what is lost with a worker is not much older."""

HELD = f"EXISTS (SELECT 1 FROM foureyes.workers WHERE name = worker AND {LIVING})"
_BEAT = sa.text(
    "INSERT INTO foureyes.workers (name, seen) VALUES (:worker, clock_timestamp()) "
    "ON CONFLICT (name) DO UPDATE SET seen = EXCLUDED.seen"
)
_LEAVE = sa.text("DELETE FROM foureyes.workers WHERE name = :worker")
_BEGIN_ANEW = sa.text(
    "UPDATE foureyes.jobs SET worker = '' WHERE worker = :worker AND finished IS NULL"
)
_WAITING = sa.text(
    f"SELECT key FROM foureyes.jobs WHERE finished IS NULL AND NOT {HELD} "
    "AND program = ANY(:programs) AND key <> ALL(:besides) ORDER BY number LIMIT :count"
)
_OPEN = sa.text(
    "SELECT 1 FROM foureyes.jobs WHERE job_group = :group AND finished IS NULL "
    "AND program = ANY(:programs) AND key <> ALL(:besides) LIMIT 1"
)
_CLAIM = sa.text(
    "UPDATE foureyes.jobs SET claim = claim + 1, worker = :worker "
    f"WHERE key = :key AND finished IS NULL AND NOT {HELD} "
    "RETURNING job, claim, releases, cancelled"
)
_RELEASE = sa.text(
    "UPDATE foureyes.jobs SET releases = releases + 1, worker = '' "
    "WHERE key = :key AND claim = :claim AND worker <> '' AND finished IS NULL"
)
_CANCELLED = sa.text(
    "SELECT key FROM foureyes.jobs WHERE worker = :worker AND cancelled AND finished IS NULL"
)
_FINISH = sa.text(
    "UPDATE foureyes.jobs SET finished = :finished, worker = '' "
    "WHERE key = :key AND claim = :claim AND finished IS NULL"
)
_MINE = sa.text(
    "SELECT 1 FROM foureyes.jobs "
    "WHERE key = :key AND claim = :claim AND finished IS NULL FOR NO KEY UPDATE"
)
_FILE = sa.text(
    "INSERT INTO foureyes.files (key, path, data) VALUES (:key, :path, :data) "
    "ON CONFLICT (key, path) DO UPDATE SET data = EXCLUDED.data"
)
_FILES = sa.text("SELECT path, data FROM foureyes.files WHERE key = :key")


@dataclass(slots=True)
class RowJobs:
    """The jobs of a database as one worker sees them: a `JobStore`.

    Args:
        database: The database.
        serving: The worker.
        programs: Those that it has.
        folder: Its jobs' folders lie below it.
        hold_name: Holds the worker's name; raises `InputError` where another has it.
    """

    poll_s = 0.5

    database: Database
    serving: Serving
    programs: Programs
    folder: Path
    hold_name: Callable[[], None]
    _beaten: float = field(init=False, default_factory=time.monotonic)

    async def begin(self) -> None:
        """Free what an earlier process of this worker was killed with, and tell that it lives."""
        await self.database.change(_BEGIN_ANEW, worker=self.serving.name)
        await self.database.change(_BEAT, worker=self.serving.name)
        self._beaten = time.monotonic()

    async def leave(self) -> None:
        """Tell that the worker has gone."""
        with suppress(StorageError):
            await self.database.change(_LEAVE, worker=self.serving.name)

    async def attend(self) -> bool:
        """As `JobStore.attend`."""
        silent = time.monotonic() - self._beaten
        if silent >= BEAT_S:
            await asyncio.to_thread(self.hold_name)
            await self.database.change(_BEAT, worker=self.serving.name)
            self._beaten = time.monotonic()
        return silent <= STALE_S - BEAT_S

    async def waiting(self, besides: Collection[str], count: int) -> list[str]:
        """As `JobStore.waiting`."""
        values = {"programs": list(self.programs), "besides": list(besides), "count": count}
        return [str(row.key) for row in await self.database.rows(_WAITING, **values)]

    async def open(self, besides: Collection[str]) -> bool:
        """As `JobStore.open`."""
        values = {"programs": list(self.programs), "besides": list(besides)}
        return bool(await self.database.rows(_OPEN, group=self.serving.group, **values))

    async def claim(self, key: str) -> Claim | None:
        """As `JobStore.claim`."""
        for row in await self.database.rows(_CLAIM, key=key, worker=self.serving.name):
            deaths = int(row.claim) - 1 - int(row.releases)
            return Claim(key, from_json(Job, row.job), deaths, row.cancelled, int(row.claim))
        return None

    @asynccontextmanager
    async def working(self, claim: Claim, limiter: CallLimiter) -> AsyncGenerator[JobContext]:
        """As `JobStore.working`; the files are kept every few seconds, and at the end."""
        folder = _KeptFolder(self.database, claim, self.folder / claim.key)
        await folder.restore()
        keeping = asyncio.create_task(folder.keep_on())
        try:
            yield JobContext(claim.job, folder.path, limiter, folder.keep)
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)
        await folder.keep()

    async def cancelled(self) -> Collection[str]:
        """As `JobStore.cancelled`."""
        rows = await self.database.rows(_CANCELLED, worker=self.serving.name)
        return {str(row.key) for row in rows}

    async def release(self, claim: Claim) -> None:
        """As `JobStore.release`."""
        await self.database.change(_RELEASE, key=claim.key, claim=claim.number)

    async def finish(self, claim: Claim, end: JobEnd) -> bool:
        """As `JobStore.finish`."""
        values = {"key": claim.key, "claim": claim.number}
        text = to_json(JobEnd, end, indent=None)
        return await self.database.change(_FINISH, finished=text, **values) > 0


async def write_kept(database: Database, key: str, folder: Path) -> None:
    """Write the files that were kept of the job `key` to `folder`.

    Raises:
        StorageError: A file could not be written, or would lie elsewhere.
    """
    rows = await database.rows(_FILES, key=key)
    _write_files(folder, key, {str(row.path): bytes(row.data) for row in rows})


def _write_files(folder: Path, key: str, files: Mapping[str, bytes]) -> None:
    make_folder(folder)
    for name, data in files.items():
        target = folder / name
        if not target.resolve().is_relative_to(folder.resolve()):
            raise StorageError(f"{name!r} of job {key!r} leads out of its folder")
        make_folder(target.parent)
        write_atomic(target, data, durable=False)


class _KeptFolder:
    """The folder of a job, whose files are also kept as rows where workers share no disk."""

    def __init__(self, database: Database, claim: Claim, path: Path) -> None:
        self._database = database
        self._claim = claim
        self.path = path
        self._seen: Mapping[str, tuple[int, int]] = {}
        self._keeping = asyncio.Lock()

    async def restore(self) -> None:
        """Bring back what an earlier worker kept."""
        await write_kept(self._database, self._claim.key, self.path)
        self._seen = self._now()

    async def keep(self) -> None:
        """Keep the files that are new or have changed."""
        async with self._keeping:
            now = self._now()
            changed = [name for name, stamp in now.items() if self._seen.get(name) != stamp]
            files = {name: data for name in changed if (data := self._read(name)) is not None}
            if files:
                await self._database.run(lambda connection: self._store(connection, files))
                self._seen = now

    def _store(self, connection: sa.Connection, files: Mapping[str, bytes]) -> None:
        key = self._claim.key
        mine = connection.execute(_MINE, {"key": key, "claim": self._claim.number}).one_or_none()
        if mine is None:
            raise ClaimLost(f"{key!r} was taken over by another worker")
        connection.execute(_FILE, [{"key": key, "path": p, "data": d} for p, d in files.items()])

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

    def _now(self) -> Mapping[str, tuple[int, int]]:
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
