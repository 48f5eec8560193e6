"""Jobs as rows, by the clock of the database, as one worker sees them."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa

from ...base.call_limits import CallLimiter
from ...base.errors import StorageError
from ...base.files import from_json, storage_errors, to_json
from .._worker import Claim
from ..model import Job, JobContext, JobEnd, Programs, Serving
from ._database import BEAT_S, LIVING, STALE_S, Database

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


@dataclass(slots=True)
class RowJobs:
    """The jobs of a database as one worker sees them: a `JobStore`.

    Args:
        database: The database.
        serving: The worker.
        programs: Those that it has.
        hold_name: Holds the worker's name; raises `InputError` where another has it.
    """

    poll_s = 0.5

    database: Database
    serving: Serving
    programs: Programs
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
        """As `JobStore.working`."""
        folder = _folder_of(claim)
        with storage_errors(folder, "copy to"):
            await asyncio.to_thread(_take_over, folder, Path(claim.job.folder), claim.number)
        yield JobContext(claim.job, folder, limiter)

    async def cancelled(self) -> Collection[str]:
        """As `JobStore.cancelled`."""
        rows = await self.database.rows(_CANCELLED, worker=self.serving.name)
        return {str(row.key) for row in rows}

    async def release(self, claim: Claim) -> None:
        """As `JobStore.release`."""
        await self.database.change(_RELEASE, key=claim.key, claim=claim.number)

    async def finish(self, claim: Claim, end: JobEnd) -> bool:
        """As `JobStore.finish`."""
        values = {"key": claim.key, "claim": claim.number, "finished": to_json(JobEnd, end)}

        def work(connection: sa.Connection) -> bool:
            mine = connection.execute(_FINISH, values).rowcount > 0
            if mine and (folder := _folder_of(claim)).is_dir():
                # What earlier workers left, one of them perhaps between its move and its commit.
                for other in {*folder.parent.glob("claim-*"), Path(claim.job.folder)} - {folder}:
                    shutil.rmtree(other, ignore_errors=True)
                folder.replace(claim.job.folder)
            return mine

        with storage_errors(Path(claim.job.folder), "move to"):
            return await self.database.run(work)


def _folder_of(claim: Claim) -> Path:
    """The folder in which a claim's worker has the program work, until it is the job's.

    A worker that is taken for dead and still lives writes into another one than its successor.
    """
    return Path(claim.job.folder).with_name(f"claim-{claim.number}")


def _take_over(folder: Path, moved: Path, number: int) -> None:
    """Make the folder of a claim, a copy of that of the last one before it.

    That is at `moved` if its worker died before it could say that the job has ended.
    """
    earlier = (folder.with_name(f"claim-{one}") for one in range(number - 1, 0, -1))
    left = next((one for one in (*earlier, moved) if one.is_dir()), None)
    if left is None:
        folder.mkdir(parents=True, exist_ok=True)
        return
    part = folder.with_name(f".{folder.name}")
    # What begins with a point is a lock, half-written, or the folder of a turn.
    shutil.copytree(left, part, ignore=shutil.ignore_patterns(".*"), symlinks=True)
    part.rename(folder)
