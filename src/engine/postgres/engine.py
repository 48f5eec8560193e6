"""The engine of many machines: `Engine` on a PostgreSQL database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from ...base.call_limits import CallLimit, LimitName
from ...base.errors import InputError, StorageError
from ..model import Ended, Job, JobEnd, JobState, JobStatus, Programs, Serving, ended_as
from .database import Database
from .dbos_host import FORGOTTEN_AT_ONCE, Queues, hosted
from .job_runner import JobRunner, write_kept
from .limits import PostgresLimiter, known_limits, set_limit
from .store import BEAT_S, STALE_S, JobStore, key_of

_LOOK_S = 0.5
_REAP_S = 5.0
_REAPING = 0x66727065
"""Advisory lock: one worker at a time takes up what the dead have left."""
_FORGET_S = 600.0
_FORGETTING = 0x66666F72
"""Advisory lock: one worker at a time removes what is kept no longer."""


class PostgresEngine:
    """Jobs in the database at `url`; their folders lie below `folder` on each worker's disk.

    `PostgresEngine.open` gives one.
    """

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder
        self._store = JobStore(database)
        self._queues: Queues | None = None

    @classmethod
    async def open(cls, url: str, folder: Path) -> PostgresEngine:
        """Connect, and make the tables if they are not there.

        Raises:
            InputError: The address cannot be read, or the database is of a newer version.
            StorageError: The database cannot be reached.
        """
        database = Database(url)
        await database.open()
        return cls(database, folder)

    def _queue(self) -> Queues:
        if self._queues is None:
            self._queues = Queues(self._database.url)
        return self._queues

    async def submit(self, jobs: Sequence[Job]) -> None:
        """As `Engine.submit`."""
        queues = await asyncio.to_thread(self._queue)
        await self._store.add(jobs, queues.enqueue)

    async def serve(self, serving: Serving, programs: Programs, ended: Ended | None = None) -> None:
        """As `Engine.serve`."""
        name = serving.name
        with _Name(self._database, name) as held:
            limiter = PostgresLimiter(self._database, name)
            await limiter.forget()
            await self._store.begin_anew(name)
            await self._store.beat(name)
            runner = JobRunner(self._store, limiter, serving, programs, self._folder, ended)
            url, concurrency = self._database.url, serving.concurrency
            async with hosted(url, name, programs, concurrency, runner.run):
                try:
                    await self._attend(serving, programs, runner, held)
                finally:
                    await runner.stop()
                    with suppress(StorageError):
                        await self._store.leave(name)

    async def _attend(
        self, serving: Serving, programs: Programs, runner: JobRunner, held: _Name
    ) -> None:
        """Send heartbeats and take over jobs of dead workers, until the group has ended."""
        beaten = reaped = time.monotonic()
        forgotten = -_FORGET_S
        while True:
            now = time.monotonic()
            if now - beaten > STALE_S - BEAT_S:
                # The others take this worker for dead by now: what it does is theirs.
                await runner.stop()
            if now - beaten >= BEAT_S:
                await asyncio.to_thread(held.hold)
                await self._store.beat(serving.name)
                beaten = time.monotonic()
            if now - reaped >= _REAP_S:
                await self.reap()
                reaped = now
            if now - forgotten >= _FORGET_S and not await self._forget(serving.retention):
                forgotten = now
            await runner.cancel_asked()
            await runner.help_out()
            group = serving.group
            if group is not None and not await self._store.open_jobs(group, list(programs)):
                return
            await asyncio.sleep(_LOOK_S)

    async def ends(self, group: str) -> Sequence[JobEnd]:
        """As `Engine.ends`."""
        return await self._store.ends(group)

    async def status(self, group: str) -> Sequence[JobStatus]:
        """As `Engine.status`."""
        return await self._store.status(group)

    async def bring(self, group: str, job_id: str, target: Path) -> Path:
        """As `Engine.bring`."""
        key = key_of(group, job_id)
        write_kept(await self._store.files(key), key, target)
        return target

    async def cancel(self, group: str) -> int:
        """As `Engine.cancel`."""
        return await self._store.cancel(group, partial(ended_as, state=JobState.CANCELLED))

    async def reap(self) -> Sequence[str]:
        """As `Engine.reap`."""
        queues = await asyncio.to_thread(self._queue)

        def work(connection: sa.Connection) -> list[str]:
            lock = {"lock": _REAPING}
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), lock)
            dead = self._store.dead(connection)
            return queues.resume_jobs_of(dead) if dead else []

        return await self._database.run(work)

    async def _forget(self, retention: timedelta | None) -> bool:
        """Remove some of DBOS's rows of jobs that ended longer ago; whether there may be more."""
        if retention is None:
            return False
        queues = await asyncio.to_thread(self._queue)
        before = datetime.now(UTC) - retention

        def work(connection: sa.Connection) -> int:
            lock = sa.text("SELECT pg_try_advisory_xact_lock(:lock)")
            free = connection.execute(lock, {"lock": _FORGETTING}).scalar_one()
            return queues.forget_ended(before) if free else 0

        return await self._database.run(work) == FORGOTTEN_AT_ONCE

    async def limit(self, name: LimitName, limit: CallLimit) -> None:
        """As `Engine.limit`."""
        await set_limit(self._database, name, limit)

    async def limits(self) -> Mapping[LimitName, CallLimit]:
        """As `Engine.limits`."""
        return await known_limits(self._database)

    async def close(self) -> None:
        """As `Engine.close`."""
        if self._queues is not None:
            self._queues.close()
        self._database.close()


class _Name:
    """The name of a worker, held by a connection of its own: it is free when the worker dies."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name
        self._connection: sa.Connection | None = None

    def __enter__(self) -> _Name:
        self.hold()
        return self

    def __exit__(self, *_: object) -> None:
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()

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
                self._connection.invalidate()
                self._connection.close()
                self._connection = None
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
