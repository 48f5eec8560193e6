"""The queues of DBOS in the same database: they tell workers of jobs, durably and at once.

Who has a job, and how it ended, is in our own rows: DBOS never notices that a worker died.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import sqlalchemy as sa
from dbos import DBOS, DBOSClient, DBOSConfig, WorkflowSerializationFormat
from dbos import error as dbos_errors

from ...base.errors import InputError
from ..model import Job, key_of

_APPLICATION = "foureyes"
_WORKFLOW = "foureyes_job"
_VERSION = "1"
"""Of the workflow below: workers of another version leave its jobs alone."""
_POLL_S = 0.1
_FORGETTING = 0x66666F72
"""Advisory lock: one worker at a time removes what DBOS keeps of ended jobs."""
_ALONE = sa.text("SELECT pg_try_advisory_xact_lock(:lock)")
_ENDED = sa.text(
    "SELECT key FROM foureyes.jobs JOIN dbos.workflow_status ON workflow_uuid = key "
    "WHERE finished IS NOT NULL LIMIT 1000"
)
_wakers: list[Callable[[], None]] = []
"""Wakes the worker of this process; there is one DBOS a process, and one worker."""


@DBOS.workflow(
    name=_WORKFLOW,
    max_recovery_attempts=None,
    serialization_type=WorkflowSerializationFormat.PORTABLE,
)
async def foureyes_job(_: str) -> None:
    """Tell the worker of this process that there is a job."""
    for wake in _wakers:
        wake()


class Queues:
    """Puts jobs into the queues of the database at `url`, whose tables are made if need be."""

    def __init__(self, url: str) -> None:
        logging.getLogger("dbos").setLevel(logging.CRITICAL)
        DBOS.migrate(url)
        self._client = DBOSClient(system_database_url=url, application_name=_APPLICATION)

    def enqueue(self, connection: sa.Connection, job: Job) -> None:
        """Enqueue a job when the transaction of `connection` is committed."""
        key = key_of(job.group, job.id)
        self._client.enqueue_in_transaction(
            connection,
            {
                "workflow_name": _WORKFLOW,
                "queue_name": _queue_name(job.program),
                "workflow_id": key,
                "app_version": _VERSION,
                # JSON: a pickle would run whatever somebody had put into the database.
                "serialization_type": WorkflowSerializationFormat.PORTABLE,
            },
            key,
        )

    def forget_ended(self, connection: sa.Connection) -> bool:
        """Remove what DBOS keeps of some jobs that have ended; whether there may be more.

        One worker at a time does. DBOS's own word on how a job ended does not count: what a worker
        had been told of as it left or died stays PENDING for ever.
        """
        if not connection.execute(_ALONE, {"lock": _FORGETTING}).scalar_one():
            return False
        found = [str(key) for key in connection.execute(_ENDED).scalars()]
        if found:
            self._client.delete_workflows(found)
        return bool(found)

    def close(self) -> None:
        """Close the connections."""
        self._client.destroy()


@asynccontextmanager
async def listening(
    url: str, worker: str, programs: Collection[str], concurrency: int, wake: Callable[[], None]
) -> AsyncGenerator[None]:
    """Have DBOS call `wake` for jobs of `programs` in this thread's event loop.

    A DBOS that is there already is used and left as it is.

    Raises:
        InputError: The DBOS that is there works with another database, or a worker of this process
            is at work already.
    """
    if _wakers:
        raise InputError("this process has a worker already", "start another process")
    mine = not await _is_there()
    if mine:
        config: DBOSConfig = {
            "name": _APPLICATION,
            "system_database_url": url,
            # Without it all workers are called the same.
            "executor_id": worker,
            "application_version": _VERSION,
            "log_level": "CRITICAL",
        }
        DBOS(config=config)
        DBOS.listen_queues([_queue_name(program) for program in programs])
    _wakers.append(wake)
    try:
        if mine:
            DBOS.launch()
        for program in programs:
            await DBOS.register_queue_async(
                _queue_name(program),
                worker_concurrency=concurrency,
                polling_interval_sec=_POLL_S,
                on_conflict="always_update",
            )
        yield
    finally:
        _wakers.clear()
        if mine:
            DBOS.destroy(workflow_completion_timeout_sec=0)
            # DBOS puts its threads in the place of the loop's own and has now ended them.
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())


def _queue_name(program: str) -> str:
    """The queue of a program: a worker listens to those of the programs it has."""
    return f"foureyes-{program}"


async def _is_there() -> bool:
    """Whether the program that foureyes is part of has launched a DBOS."""
    try:
        await DBOS.list_queues_async()
    except dbos_errors.DBOSException:
        return False
    return True
