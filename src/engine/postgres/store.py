"""Jobs, their files, workers and limits over all of them as rows, by the clock of the database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import sqlalchemy as sa

from ...base.call_limits import SLACK_S, CallLimit, LimitName
from ...base.files import from_json, to_json
from ..job_folders import folder_name
from ..model import Job, JobEnd, JobState, JobStatus
from .database import Database

BEAT_S = 2.0
"""How often a worker tells that it lives."""
STALE_S = 15.0
"""After how long a silent worker counts as dead."""
LIVING = f"seen > clock_timestamp() - interval '{STALE_S} seconds'"
"""Of a row of workers."""

_HELD = f"EXISTS (SELECT 1 FROM foureyes.workers WHERE name = worker AND {LIVING})"

_ADD = sa.text(
    "INSERT INTO foureyes.jobs (key, job_group, job, program) "
    "VALUES (:key, :group, :job, :program) ON CONFLICT DO NOTHING"
)
_CLAIM = sa.text(
    "UPDATE foureyes.jobs SET claim = claim + 1, worker = :worker "
    f"WHERE key = :key AND finished IS NULL AND (worker = :worker OR NOT {_HELD}) "
    "RETURNING job, claim, releases, cancelled"
)
_IS_OPEN = sa.text("SELECT 1 FROM foureyes.jobs WHERE key = :key AND finished IS NULL")
_WAITING = sa.text(
    f"SELECT key FROM foureyes.jobs WHERE finished IS NULL AND NOT {_HELD} "
    "AND program = ANY(:programs) ORDER BY number LIMIT :count"
)
_RELEASE = sa.text(
    "UPDATE foureyes.jobs SET releases = releases + 1, worker = '' "
    "WHERE key = :key AND claim = :claim AND worker <> '' AND finished IS NULL"
)
_BEGIN_ANEW = sa.text(
    "UPDATE foureyes.jobs SET worker = '' WHERE worker = :worker AND finished IS NULL"
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
_ENDS = sa.text(
    "SELECT finished FROM foureyes.jobs "
    "WHERE job_group = :group AND finished IS NOT NULL ORDER BY number"
)
_STATUS = sa.text(
    f"SELECT job, claim, finished, worker, {_HELD} AS living FROM foureyes.jobs "
    "WHERE job_group = :group ORDER BY number"
)
_OPEN = sa.text(
    "SELECT count(*) AS number FROM foureyes.jobs "
    "WHERE job_group = :group AND finished IS NULL AND program = ANY(:programs)"
)
_CANCEL = sa.text(
    "UPDATE foureyes.jobs SET cancelled = true "
    "WHERE job_group = :group AND finished IS NULL RETURNING key, job"
)
_FINISH_FREE = sa.text(
    "UPDATE foureyes.jobs SET finished = :finished "
    f"WHERE key = :key AND finished IS NULL AND NOT {_HELD}"
)
_CANCELLED = sa.text(
    "SELECT key FROM foureyes.jobs WHERE worker = :worker AND cancelled AND finished IS NULL"
)
_BEAT = sa.text(
    "INSERT INTO foureyes.workers (name, seen) VALUES (:worker, clock_timestamp()) "
    "ON CONFLICT (name) DO UPDATE SET seen = EXCLUDED.seen"
)
_LEAVE = sa.text("DELETE FROM foureyes.workers WHERE name = :worker")
_DEAD = sa.text(
    "SELECT DISTINCT worker FROM foureyes.jobs "
    f"WHERE finished IS NULL AND worker <> '' AND NOT {_HELD}"
)


_RETRY_S = 0.1


@dataclass(frozen=True, slots=True)
class Claim:
    """A job that a worker claimed. Writes about it carry `number`, which fences off others."""

    job: Job
    number: int
    deaths: int
    cancelled: bool


class Refused(Enum):
    """Why a job cannot be claimed."""

    ENDED = auto()
    HELD = auto()
    """By another worker, which lives."""


def job_key(job: Job) -> str:
    """The key of a job in the database and in DBOS."""
    return key_of(job.group, job.id)


def key_of(group: str, job_id: str) -> str:
    """The same for the job `job_id` of `group`."""
    return f"{folder_name(group)}/{folder_name(job_id)}"


class JobStore:
    """The rows of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, jobs: Sequence[Job], enqueue: Callable[[sa.Connection, Job], None]) -> None:
        """Keep the jobs that are new and enqueue them, all or none."""

        def work(connection: sa.Connection) -> None:
            for job in jobs:
                row = {
                    "key": job_key(job),
                    "group": job.group,
                    "job": to_json(Job, job, indent=None),
                    "program": job.program,
                }
                if connection.execute(_ADD, row).rowcount:
                    enqueue(connection, job)

        await self._database.run(work)

    async def claim(self, key: str, worker: str) -> Claim | Refused:
        """Take a job."""

        def work(connection: sa.Connection) -> Claim | Refused:
            row = connection.execute(_CLAIM, {"key": key, "worker": worker}).one_or_none()
            if row is None:
                open_ = connection.execute(_IS_OPEN, {"key": key}).scalar_one_or_none()
                return Refused.ENDED if open_ is None else Refused.HELD
            deaths = int(row.claim) - 1 - int(row.releases)
            return Claim(from_json(Job, row.job), int(row.claim), deaths, row.cancelled)

        return await self._database.run(work)

    async def waiting(self, programs: Collection[str], count: int) -> list[str]:
        """The first `count` jobs that no living worker has, of those with one of `programs`."""
        rows = await self._rows(_WAITING, programs=list(programs), count=count)
        return [str(row.key) for row in rows]

    async def release(self, key: str, claim: int) -> None:
        """Leave a job to others."""
        await self._change(_RELEASE, key=key, claim=claim)

    async def begin_anew(self, worker: str) -> None:
        """Free what an earlier process of this worker was killed with."""
        await self._change(_BEGIN_ANEW, worker=worker)

    async def finish(self, key: str, claim: int, end: JobEnd) -> bool:
        """Keep how a job ended; False if another worker has it, or it has ended."""
        text = to_json(JobEnd, end, indent=None)
        return await self._change(_FINISH, key=key, claim=claim, finished=text) > 0

    async def keep_files(self, key: str, claim: int, files: Mapping[str, bytes]) -> bool:
        """Keep files of a job's folder; False if another worker has the job."""

        def work(connection: sa.Connection) -> bool:
            mine = connection.execute(_MINE, {"key": key, "claim": claim}).one_or_none()
            if mine is not None:
                rows = [{"key": key, "path": path, "data": data} for path, data in files.items()]
                connection.execute(_FILE, rows)
            return mine is not None

        return await self._database.run(work)

    async def files(self, key: str) -> Mapping[str, bytes]:
        """The files of a job's folder."""
        rows = await self._rows(_FILES, key=key)
        return {str(row.path): bytes(row.data) for row in rows}

    async def ends(self, group: str) -> list[JobEnd]:
        """The ends of a group's jobs, in the order of submission."""
        rows = await self._rows(_ENDS, group=group)
        return [from_json(JobEnd, row.finished) for row in rows]

    async def status(self, group: str) -> list[JobStatus]:
        """Every job of a group, in the order of submission."""
        rows = await self._rows(_STATUS, group=group)
        return [_status(row) for row in rows]

    async def open_jobs(self, group: str, programs: Collection[str]) -> int:
        """How many jobs of a group have not ended, of those with one of `programs`."""
        rows = await self._rows(_OPEN, group=group, programs=list(programs))
        return int(rows[0].number)

    async def cancel(self, group: str, end: Callable[[Job], JobEnd]) -> int:
        """Cancel the jobs that have not ended, at once where no living worker has them."""

        def work(connection: sa.Connection) -> int:
            rows = connection.execute(_CANCEL, {"group": group}).all()
            for row in rows:
                text = to_json(JobEnd, end(from_json(Job, row.job)), indent=None)
                connection.execute(_FINISH_FREE, {"key": row.key, "finished": text})
            return len(rows)

        return await self._database.run(work)

    async def cancelled(self, worker: str) -> set[str]:
        """The jobs that a worker has and that are to be cancelled."""
        return {str(row.key) for row in await self._rows(_CANCELLED, worker=worker)}

    async def beat(self, worker: str) -> None:
        """Tell that a worker lives."""
        await self._change(_BEAT, worker=worker)

    async def leave(self, worker: str) -> None:
        """Tell that a worker has gone."""
        await self._change(_LEAVE, worker=worker)

    def dead(self, connection: sa.Connection) -> list[str]:
        """The workers that have jobs and are silent or gone."""
        return [str(row.worker) for row in connection.execute(_DEAD).all()]

    async def _change(self, statement: sa.TextClause, **values: object) -> int:
        def work(connection: sa.Connection) -> int:
            return connection.execute(statement, values).rowcount

        return await self._database.run(work)

    async def _rows(self, statement: sa.TextClause, **values: object) -> Sequence[sa.Row[Any]]:
        def work(connection: sa.Connection) -> Sequence[sa.Row[Any]]:
            return connection.execute(statement, values).all()

        return await self._database.run(work)


def _status(row: sa.Row[Any]) -> JobStatus:
    job = from_json(Job, row.job)
    begun = int(row.claim)
    if row.finished is not None:
        end = from_json(JobEnd, row.finished)
        return JobStatus(job.id, end.state, end.worker, begun, end.error)
    state = JobState.RUNNING if row.living else JobState.QUEUED
    return JobStatus(job.id, state, row.worker, begun)


class PostgresLimiter:
    """Counts the calls of the worker `worker` among those of all."""

    def __init__(self, database: Database, worker: str) -> None:
        self._database = database
        self._worker = worker

    @asynccontextmanager
    async def place(self, name: LimitName) -> AsyncGenerator[None]:
        """As `CallLimiter.place`."""
        while (place := await self._asked(name)) is None:  # noqa: ASYNC110 - held by processes
            await asyncio.sleep(_RETRY_S)
        try:
            yield
        finally:
            await self._give_back(place)

    async def begin(self, name: LimitName) -> None:
        """As `CallLimiter.begin`."""
        # Nobody tells a waiting process that another one's window has moved on.
        while (wait := await self._begin(name)) > 0:  # noqa: ASYNC110
            await asyncio.sleep(wait)

    async def _asked(self, name: LimitName) -> int | None:
        """`_take`; a place that comes too late for a cancelled call is given back."""
        asking = asyncio.ensure_future(self._take(name))
        try:
            return await asyncio.shield(asking)
        except asyncio.CancelledError:
            place = await asking
            if place is not None:
                await self._give_back(place)
            raise

    async def forget(self) -> None:
        """Give back the places that an earlier process of this name was killed with."""
        mine = {"worker": self._worker}
        await self._database.run(lambda connection: connection.execute(_GIVE_ALL_BACK, mine))

    async def _take(self, name: LimitName) -> int | None:
        """A place, 0 where there is no limit; None if all are taken."""

        def work(connection: sa.Connection) -> int | None:
            at_once = _locked_limit(connection, name).at_once
            if at_once is None:
                return 0
            connection.execute(_FREE, {"name": name})
            if connection.execute(_TAKEN, {"name": name}).scalar_one() >= at_once:
                return None
            mine = {"name": name, "worker": self._worker}
            return int(connection.execute(_TAKE, mine).scalar_one())

        return await self._database.run(work)

    async def _begin(self, name: LimitName) -> float:
        """0 if a call may begin now, which is then counted; else the seconds until one may."""

        def work(connection: sa.Connection) -> float:
            limit = _locked_limit(connection, name)
            if limit.calls is None:
                return 0
            window = {"name": name, "seconds": limit.seconds + SLACK_S[name]}
            connection.execute(_FORGET, window)
            row = connection.execute(_BEGUN, window | {"last": limit.calls - 1}).one_or_none()
            if row is not None:
                return max(float(row.wait), 0) + _RETRY_S
            connection.execute(_START, {"name": name})
            return 0

        return await self._database.run(work)

    async def _give_back(self, place: int) -> None:
        if place:
            row = {"id": place}
            await self._database.run(lambda connection: connection.execute(_GIVE_BACK, row))


def _locked_limit(connection: sa.Connection, name: LimitName) -> CallLimit:
    """The limit; its row is held until the call is counted, so that no other is meanwhile."""
    kept = connection.execute(_LIMIT, {"name": name}).scalar_one_or_none()
    return from_json(CallLimit, kept) if kept is not None else CallLimit()


async def known_limits(database: Database) -> Mapping[LimitName, CallLimit]:
    """The limits in force."""

    def work(connection: sa.Connection) -> Mapping[LimitName, CallLimit]:
        return {name: _locked_limit(connection, name) for name in LimitName}

    return await database.run(work)


async def set_limit(database: Database, name: LimitName, limit: CallLimit) -> None:
    """Keep `limit` for all workers."""
    row = {"name": name, "call_limit": to_json(CallLimit, limit, indent=None)}
    await database.run(lambda connection: connection.execute(_SET, row))


_SET = sa.text(
    "INSERT INTO foureyes.limits (name, call_limit) VALUES (:name, :call_limit) "
    "ON CONFLICT (name) DO UPDATE SET call_limit = EXCLUDED.call_limit"
)
_LIMIT = sa.text("SELECT call_limit FROM foureyes.limits WHERE name = :name FOR UPDATE")
_FREE = sa.text(
    "DELETE FROM foureyes.places WHERE name = :name AND NOT EXISTS "
    f"(SELECT 1 FROM foureyes.workers WHERE workers.name = worker AND {LIVING})"
)
_TAKEN = sa.text("SELECT count(*) FROM foureyes.places WHERE name = :name")
_TAKE = sa.text("INSERT INTO foureyes.places (name, worker) VALUES (:name, :worker) RETURNING id")
_GIVE_BACK = sa.text("DELETE FROM foureyes.places WHERE id = :id")
_FORGET = sa.text(
    "DELETE FROM foureyes.starts "
    "WHERE name = :name AND at <= clock_timestamp() - make_interval(secs => :seconds)"
)
_BEGUN = sa.text(
    "SELECT extract(epoch FROM at - clock_timestamp()) + :seconds AS wait FROM foureyes.starts "
    "WHERE name = :name ORDER BY at DESC OFFSET :last LIMIT 1"
)
_START = sa.text("INSERT INTO foureyes.starts (name, at) VALUES (:name, clock_timestamp())")
_GIVE_ALL_BACK = sa.text("DELETE FROM foureyes.places WHERE worker = :worker")
