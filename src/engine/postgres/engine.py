"""The engine of many machines: `Engine` on a PostgreSQL database."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import sqlalchemy as sa
from dbos import DBOS, DBOSClient, DBOSConfig, WorkflowSerializationFormat
from dbos import error as dbos_errors
from sqlalchemy.exc import DBAPIError

from ...base.call_limits import CallLimit, LimitName
from ...base.errors import InputError, StorageError
from ..model import Ended, Job, JobEnd, JobState, JobStatus, Programs, Serving, ended_as
from .database import Database
from .job_runner import JobRunner, write_kept
from .store import (
    BEAT_S,
    STALE_S,
    JobStore,
    PostgresLimiter,
    job_key,
    key_of,
    known_limits,
    set_limit,
)

_APPLICATION = "foureyes"
_WORKFLOW = "foureyes_job"
_VERSION = "1"
"""Of the workflow below: workers of another version leave its jobs alone."""
_POLL_S = 0.1
_ENDED = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"]
FORGOTTEN_AT_ONCE = 1000
"""A worker tells that it lives between two such removals."""

RunJob = Callable[[str], Awaitable[None]]
_at_work: list[RunJob] = []
"""The runner of jobs in this process; there is one DBOS a process, and one worker."""


# Attempts are counted by claims, which tell a death from an end.
@DBOS.workflow(
    name=_WORKFLOW,
    max_recovery_attempts=None,
    serialization_type=WorkflowSerializationFormat.PORTABLE,
)
async def foureyes_job(key: str) -> None:
    """Run a job. DBOS calls it again on another worker if this one dies."""
    await _at_work[-1](key)


def queue_name(program: str) -> str:
    """The queue of a program: a worker listens to those of the programs it has."""
    return f"foureyes-{program}"


class Queues:
    """Puts jobs into the queues of the database at `url`, whose tables are made if need be."""

    def __init__(self, url: str) -> None:
        logging.getLogger("dbos").setLevel(logging.CRITICAL)
        DBOS.migrate(url)
        self._client = DBOSClient(system_database_url=url, application_name=_APPLICATION)

    def enqueue(self, connection: sa.Connection, job: Job) -> None:
        """Enqueue a job when the transaction of `connection` is committed."""
        self._client.enqueue_in_transaction(
            connection,
            {
                "workflow_name": _WORKFLOW,
                "queue_name": queue_name(job.program),
                "workflow_id": job_key(job),
                "app_version": _VERSION,
                # JSON: a pickle would run whatever somebody had put into the database.
                "serialization_type": WorkflowSerializationFormat.PORTABLE,
            },
            job_key(job),
        )

    def resume_jobs_of(self, workers: Collection[str]) -> list[str]:
        """Have others run what dead workers were running; its keys."""
        found = self._client.list_workflows(
            status="PENDING", executor_id=list(workers), load_input=False, load_output=False
        )
        keys = [workflow.workflow_id for workflow in found if workflow.name == _WORKFLOW]
        if keys:
            self._client.resume_workflows(keys)
        return keys

    def forget_ended(self, before: datetime) -> int:
        """Remove DBOS's rows of jobs that ended before then; of how many.

        Those are `FORGOTTEN_AT_ONCE` at most. What is no job of foureyes stays.
        """
        found = self._client.list_workflows(
            name=_WORKFLOW,
            status=_ENDED,
            completed_before=before.isoformat(),
            limit=FORGOTTEN_AT_ONCE,
            load_input=False,
            load_output=False,
        )
        if found:
            self._client.delete_workflows([workflow.workflow_id for workflow in found])
        return len(found)

    def close(self) -> None:
        """Close the connections."""
        self._client.destroy()


@asynccontextmanager
async def hosted(
    url: str, worker: str, programs: Collection[str], concurrency: int, run: RunJob
) -> AsyncGenerator[None]:
    """Have DBOS call `run` for jobs of `programs` in this thread's event loop.

    A DBOS that is there already is used and left as it is.

    Raises:
        InputError: The DBOS that is there works with another database, or a worker of this process
            is at work already.
    """
    if _at_work:
        raise InputError("this process has a worker already", "start another process")
    mine = not await _is_there()
    if mine:
        DBOS(config=_config(url, worker))
        DBOS.listen_queues([queue_name(program) for program in programs])
    _at_work.append(run)
    try:
        if mine:
            DBOS.launch()
        for program in programs:
            await DBOS.register_queue_async(
                queue_name(program),
                worker_concurrency=concurrency,
                polling_interval_sec=_POLL_S,
                on_conflict="always_update",
            )
        yield
    finally:
        _at_work.clear()
        if mine:
            DBOS.destroy(workflow_completion_timeout_sec=0)
            # DBOS puts its threads in the place of the loop's own and has now ended them.
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())


async def _is_there() -> bool:
    """Whether the program that foureyes is part of has launched a DBOS."""
    try:
        await DBOS.list_queues_async()
    except dbos_errors.DBOSException:
        return False
    return True


def _config(url: str, worker: str) -> DBOSConfig:
    return {
        "name": _APPLICATION,
        "system_database_url": url,
        # Without it all workers are called the same, and each takes up the live jobs of the others.
        "executor_id": worker,
        "application_version": _VERSION,
        "log_level": "CRITICAL",
    }


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
