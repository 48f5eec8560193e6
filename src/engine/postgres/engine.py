"""The engine of many machines: `Engine` on a PostgreSQL database."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from ...base.call_limits import CallLimit, LimitName
from ...base.errors import InputError
from ...base.files import from_json, to_json
from ..job_folders import key_of
from ..model import Ended, Job, JobEnd, JobState, JobStatus, Programs, Serving
from ..worker import SharedLimiter, Worker
from .database import Database
from .limits import SET_LIMIT, RowCounts, locked_limit
from .queues import Queues, forget_ended, listening
from .store import HELD, RowJobs

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
            await store.begin()
            worker = Worker(store, SharedLimiter(counts), serving, programs, ended)
            told = listening(database.url, name, programs, serving.concurrency, worker.wake)
            try:
                async with told:
                    await database.run(forget_ended)
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
        await self._database.change(SET_LIMIT, name=name, call_limit=text)

    async def limits(self) -> Mapping[LimitName, CallLimit]:
        """As `Engine.limits`."""
        return await self._database.run(
            lambda connection: {name: locked_limit(connection, name) for name in LimitName}
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
