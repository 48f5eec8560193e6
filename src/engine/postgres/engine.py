"""The engine of many machines: `Engine` on a PostgreSQL database."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from ...base.call_limits import SLACK_S, CallLimit, LimitName
from ...base.errors import InputError
from ...base.files import from_json, to_json
from .._worker import SharedLimiter, Worker
from ..model import Ended, Job, JobEnd, JobState, JobStatus, Programs, Serving, key_of
from ._database import LIVING, Database
from ._queues import Queues, listening
from ._store import HELD, RowJobs

_ADD = sa.text(
    "INSERT INTO foureyes.jobs (key, job_group, job, program) "
    "VALUES (:key, :group, :job, :program) ON CONFLICT DO NOTHING"
)
_ENDS = sa.text(
    "SELECT finished FROM foureyes.jobs "
    "WHERE job_group = :group AND finished IS NOT NULL ORDER BY number"
)
_STATUS = sa.text(
    f"SELECT job, claim, finished, worker, {HELD} AS living FROM foureyes.jobs "
    "WHERE job_group = :group ORDER BY number"
)
_CANCEL = sa.text(
    "UPDATE foureyes.jobs SET cancelled = true "
    "WHERE job_group = :group AND finished IS NULL RETURNING key, job"
)
_FINISH_FREE = sa.text(
    "UPDATE foureyes.jobs SET finished = :finished "
    f"WHERE key = :key AND finished IS NULL AND NOT {HELD}"
)
_RETRY_S = 0.1
_SET_LIMIT = sa.text(
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
_GIVE_ALL_BACK = sa.text("DELETE FROM foureyes.places WHERE worker = :worker")
_FORGET = sa.text(
    "DELETE FROM foureyes.starts "
    "WHERE name = :name AND at <= clock_timestamp() - make_interval(secs => :seconds)"
)
_BEGUN = sa.text(
    "SELECT extract(epoch FROM at - clock_timestamp()) + :seconds AS wait FROM foureyes.starts "
    "WHERE name = :name ORDER BY at DESC OFFSET :last LIMIT 1"
)
_START = sa.text("INSERT INTO foureyes.starts (name, at) VALUES (:name, clock_timestamp())")


class PostgresEngine:
    """Jobs in a database; their folders lie on a disk that all workers share.

    `PostgresEngine.open` gives one.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queues: Queues | None = None

    @classmethod
    async def open(cls, url: str) -> PostgresEngine:
        """Connect, and make the tables if they are not there.

        Raises:
            InputError: The address cannot be read, or the database is of a newer version.
            StorageError: The database cannot be reached.
        """
        database = Database(url)
        await database.open()
        return cls(database)

    def _queue(self) -> Queues:
        if self._queues is None:
            self._queues = Queues(self._database.url)
        return self._queues

    async def submit(self, jobs: Sequence[Job]) -> None:
        """As `Engine.submit`."""
        queues = await asyncio.to_thread(self._queue)

        def work(connection: sa.Connection) -> None:
            for job in jobs:
                row = {
                    "key": key_of(job.group, job.id),
                    "group": job.group,
                    "job": to_json(Job, job, indent=None),
                    "program": job.program,
                }
                if connection.execute(_ADD, row).rowcount:
                    queues.enqueue(connection, job)

        await self._database.run(work)

    async def serve(self, serving: Serving, programs: Programs, ended: Ended | None = None) -> None:
        """As `Engine.serve`."""
        database, name = self._database, serving.name
        with closing(_Name(database, name)) as held:
            held.hold()
            counts = RowCounts(database, name)
            store = RowJobs(database, serving, programs, held.hold)
            await counts.forget()
            queues = await asyncio.to_thread(self._queue)
            # Before it has jobs, since it tells nobody meanwhile that it lives.
            while await database.run(queues.forget_ended):
                pass
            await store.begin()
            worker = Worker(store, SharedLimiter(counts), serving, programs, ended)
            told = listening(database.url, name, programs, serving.concurrency, worker.wake)
            try:
                async with told:
                    await worker.work()
            finally:
                await store.leave()

    async def ends(self, group: str) -> Sequence[JobEnd]:
        """As `Engine.ends`."""
        rows = await self._database.rows(_ENDS, group=group)
        return [from_json(JobEnd, row.finished) for row in rows]

    async def status(self, group: str) -> Sequence[JobStatus]:
        """As `Engine.status`."""
        return [_status(row) for row in await self._database.rows(_STATUS, group=group)]

    async def cancel(self, group: str) -> int:
        """As `Engine.cancel`."""

        def work(connection: sa.Connection) -> int:
            rows = connection.execute(_CANCEL, {"group": group}).all()
            for row in rows:
                end = JobEnd(from_json(Job, row.job).id, JobState.CANCELLED)
                text = to_json(JobEnd, end, indent=None)
                connection.execute(_FINISH_FREE, {"key": row.key, "finished": text})
            return len(rows)

        return await self._database.run(work)

    async def limit(self, name: LimitName, limit: CallLimit) -> None:
        """As `Engine.limit`."""
        text = to_json(CallLimit, limit, indent=None)
        await self._database.change(_SET_LIMIT, name=name, call_limit=text)

    async def limits(self) -> Mapping[LimitName, CallLimit]:
        """As `Engine.limits`."""
        return await self._database.run(
            lambda connection: {name: _locked_limit(connection, name) for name in LimitName}
        )

    async def close(self) -> None:
        """As `Engine.close`."""
        if self._queues is not None:
            self._queues.close()
        self._database.close()


def _status(row: sa.Row[Any]) -> JobStatus:
    job, begun = from_json(Job, row.job), int(row.claim)
    if row.finished is not None:
        end = from_json(JobEnd, row.finished)
        return JobStatus(job.id, end.state, end.worker, begun, end.error)
    state = JobState.RUNNING if row.living else JobState.QUEUED
    return JobStatus(job.id, state, row.worker, begun)


class _Name:
    """The name of a worker, held by a connection of its own: it is free when the worker dies."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name
        self._connection: sa.Connection | None = None

    def close(self) -> None:
        """Let go of the name."""
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None

    def hold(self) -> None:
        """Hold the name, again if the connection was lost.

        Raises:
            InputError: A living worker has it.
        """
        if self._connection is not None:
            try:
                self._connection.execute(sa.text("SELECT 1"))
                self._connection.commit()
            except DBAPIError:
                self.close()
        if self._connection is None:
            self._connection = self._taken()

    def _taken(self) -> sa.Connection:
        self._database.run_here(lambda connection: connection.execute(sa.text("SELECT 1")))
        connection = self._database.engine.connect()
        lock = sa.text("SELECT pg_try_advisory_lock(hashtextextended(:name, 0))")
        taken = connection.execute(lock, {"name": f"foureyes worker {self._name}"}).scalar_one()
        connection.commit()
        if not taken:
            connection.close()
            raise InputError(
                f"a worker named {self._name!r} is at work already", "give another name"
            )
        return connection


class RowCounts:
    """Counts the calls of the worker `worker` among those of all."""

    def __init__(self, database: Database, worker: str) -> None:
        self._database = database
        self._worker = worker

    async def forget(self) -> None:
        """Give back the places that an earlier process of this name was killed with."""
        await self._database.change(_GIVE_ALL_BACK, worker=self._worker)

    async def take(self, name: LimitName) -> int | None:
        """As `CallCounts.take`: the number of a place, 0 where there is no limit."""

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

    async def give_back(self, place: int) -> None:
        """As `CallCounts.give_back`."""
        if place:
            await self._database.change(_GIVE_BACK, id=place)

    async def count(self, name: LimitName) -> float:
        """As `CallCounts.count`."""

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


def _locked_limit(connection: sa.Connection, name: LimitName) -> CallLimit:
    """The limit; its row is held until the call is counted, so that no other is meanwhile."""
    kept = connection.execute(_LIMIT, {"name": name}).scalar_one_or_none()
    return from_json(CallLimit, kept) if kept is not None else CallLimit()
