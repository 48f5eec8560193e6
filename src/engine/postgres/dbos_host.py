"""DBOS in this process: our own, or that of a program that foureyes is part of."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import datetime

import sqlalchemy as sa
from dbos import DBOS, DBOSClient, DBOSConfig, WorkflowSerializationFormat
from dbos import error as dbos_errors

from ...base.errors import InputError
from ..model import Job
from .store import job_key

_APPLICATION = "foureyes"
_WORKFLOW = "foureyes_job"
_VERSION = "1"
"""Of the workflow below: workers of another version leave its jobs alone."""
_POLL_S = 0.1
_LOWEST = 2**31 - 1
_MIDDLE = 1_000_000
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
                "priority": min(max(_MIDDLE - job.priority, 1), _LOWEST),
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
