"""One worker: it takes jobs from wherever they are kept, runs them, and keeps how they ended."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import structlog

from ..base.call_limits import CallLimiter, LimitName
from ..base.errors import FoureyesError, StorageError
from ..base.files import write_atomic
from .model import (
    MAX_ATTEMPTS,
    Ended,
    Job,
    JobContext,
    JobEnd,
    JobState,
    Program,
    Programs,
    Serving,
)

T = TypeVar("T")
WORKERS_DIED = f"{MAX_ATTEMPTS} workers died while they were at it"
TRACEBACK = "traceback.txt"
"""In the folder of a job whose program has a fault."""
_RETRY_S = 0.05


@dataclass(frozen=True, slots=True)
class Claim:
    """A job that this worker has taken.

    `deaths` counts the workers that died with it. `cancelled`: somebody has asked to cancel it.
    Where workers share no disk, `number` fences off what an earlier worker writes about it.
    """

    key: str
    job: Job
    deaths: int
    cancelled: bool
    number: int = 0


class JobStore(Protocol):
    """Where jobs are kept, as one worker sees it: a folder or a database.

    Methods raise `StorageError` where the disk or the database refuses.
    """

    @property
    def poll_s(self) -> float:
        """How often a worker looks for what is new."""
        ...

    async def attend(self) -> bool:
        """Tell that the worker lives; False if others take it for dead, and its jobs are theirs."""
        ...

    async def waiting(self, besides: Collection[str], count: int) -> Iterable[str]:
        """Jobs that may be free, in the order of submission; of those that are, `count` suffice."""
        ...

    async def open(self, besides: Collection[str]) -> bool:
        """Whether a job of the worker's group has not ended, be it with another worker."""
        ...

    async def claim(self, key: str) -> Claim | None:
        """Take a job; None if another worker has it, or it has ended."""
        ...

    def working(
        self, claim: Claim, limiter: CallLimiter
    ) -> AbstractAsyncContextManager[JobContext]:
        """The context of a job's program, with its folder as an earlier worker left it."""
        ...

    async def cancelled(self) -> Collection[str]:
        """Those of this worker's jobs that are to be cancelled."""
        ...

    async def release(self, claim: Claim) -> None:
        """Leave a job to others."""
        ...

    async def finish(self, claim: Claim, end: JobEnd) -> bool:
        """Keep how a job ended; False if another worker has it, or it has ended."""
        ...


@dataclass(frozen=True, slots=True)
class Worker:
    """Runs the jobs of a store, at most `serving.concurrency` at once."""

    store: JobStore
    limiter: CallLimiter
    serving: Serving
    programs: Programs
    ended: Ended | None
    _tasks: dict[str, asyncio.Task[None]] = field(
        init=False, default_factory=dict[str, asyncio.Task[None]]
    )
    _cancelled: set[str] = field(init=False, default_factory=set[str])
    _ending: set[str] = field(init=False, default_factory=set[str])
    _left: set[str] = field(init=False, default_factory=set[str])
    _due: asyncio.Event = field(init=False, default_factory=asyncio.Event)

    def wake(self) -> None:
        """Look for jobs at once."""
        self._due.set()

    async def work(self) -> None:
        """Work until the group has ended, or for ever without one. Stopping it ends no job."""
        try:
            while True:
                if not await self.store.attend():
                    await self._stop()
                await self._stop_cancelled()
                await self._take()
                stays = self._tasks or self.serving.group is None
                if not stays and not await self.store.open(self._left):
                    return
                # Up to Python 3.11 `wait_for` loses a cancellation that comes with its result.
                with suppress(TimeoutError):
                    async with asyncio.timeout(self.store.poll_s):
                        await self._due.wait()
                self._due.clear()
        finally:
            await self._stop()

    async def _take(self) -> None:
        free = self.serving.concurrency - len(self._tasks)
        if free <= 0:
            return
        for key in await self.store.waiting({*self._tasks, *self._left}, free):
            claim = await undone_if_late(self.store.claim(key), self.store.release)
            if claim is not None:
                self._start(claim)
            if len(self._tasks) >= self.serving.concurrency:
                return

    def _start(self, claim: Claim) -> None:
        def forget(_: asyncio.Task[None]) -> None:
            del self._tasks[claim.key]
            self._ending.discard(claim.key)
            self._due.set()

        task = self._tasks[claim.key] = asyncio.create_task(self._run(claim))
        task.add_done_callback(forget)

    async def _stop_cancelled(self) -> None:
        for key in await self.store.cancelled() if self._tasks else ():
            # Whoever stops the keeping of an end leaves a job that is nobody's.
            if key in self._tasks and key not in self._ending:
                self._cancelled.add(key)
                self._tasks[key].cancel()

    async def _stop(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, claim: Claim) -> None:
        try:
            end = await self._outcome(claim)
            self._ending.add(claim.key)
            if await self.store.finish(claim, end) and self.ended is not None:
                self.ended(end)
        except StorageError as error:
            structlog.get_logger().warning("job left", job=claim.key, reason=str(error))
            self._left.add(claim.key)
            with suppress(StorageError):
                await self.store.release(claim)

    async def _outcome(self, claim: Claim) -> JobEnd:
        name = self.serving.name
        if claim.cancelled:
            return JobEnd(claim.job.id, JobState.CANCELLED, worker=name)
        if claim.deaths >= MAX_ATTEMPTS:
            return JobEnd(claim.job.id, JobState.FAILED, error=WORKERS_DIED, worker=name)
        try:
            async with self.store.working(claim, self.limiter) as context:
                return await outcome(self.programs[claim.job.program], context, name)
        except asyncio.CancelledError:
            if claim.key not in self._cancelled:
                await self.store.release(claim)
                raise
            self._cancelled.discard(claim.key)
            return JobEnd(claim.job.id, JobState.CANCELLED, worker=name)


async def outcome(program: Program, context: JobContext, worker: str) -> JobEnd:
    """Run a program to its end: whatever it raises ends its own job and no other.

    Raises:
        StorageError: The disk or the database refused: the job has not ended.
    """
    job = context.job
    try:
        result = await program(job.payload, context)
    except StorageError:
        raise
    except FoureyesError as error:
        return JobEnd(job.id, JobState.FAILED, error=str(error), worker=worker)
    # A fault of one program must not take along the jobs beside it.
    except Exception as error:  # noqa: BLE001
        write_atomic(context.folder / TRACEBACK, "".join(traceback.format_exception(error)))
        line = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return JobEnd(job.id, JobState.FAILED, error=line, worker=worker)
    return JobEnd(job.id, JobState.DONE, result, worker=worker)


async def undone_if_late(
    asked: Awaitable[T | None], undo: Callable[[T], Awaitable[None]]
) -> T | None:
    """The answer of `asked`; one that comes too late for a cancelled caller is undone."""
    asking = asyncio.ensure_future(asked)
    try:
        return await asyncio.shield(asking)
    except asyncio.CancelledError:
        answer = await asking
        if answer is not None:
            await undo(answer)
        raise


class CallCounts(Protocol[T]):
    """Counts calls where all workers see it."""

    async def take(self, name: LimitName) -> T | None:
        """A place for a call, None if all are taken."""
        ...

    async def give_back(self, place: T) -> None:
        """Free a place."""
        ...

    async def count(self, name: LimitName) -> float:
        """0 if a call may begin now, which is then counted; else the seconds until one may."""
        ...


class SharedLimiter(Generic[T]):
    """Holds calls back until the limits over all workers allow them: a `CallLimiter`."""

    def __init__(self, counts: CallCounts[T]) -> None:
        self._counts = counts

    @asynccontextmanager
    async def place(self, name: LimitName) -> AsyncGenerator[None]:
        """As `CallLimiter.place`."""
        counts = self._counts
        # Nobody tells a waiting process that another one has given a place back.
        while (place := await undone_if_late(counts.take(name), counts.give_back)) is None:  # noqa: ASYNC110
            await asyncio.sleep(_RETRY_S)
        try:
            yield
        finally:
            await counts.give_back(place)

    async def begin(self, name: LimitName) -> None:
        """As `CallLimiter.begin`."""
        # Nobody tells a waiting process that another one's window has moved on.
        while (wait := await self._counts.count(name)) > 0:  # noqa: ASYNC110
            await asyncio.sleep(wait)
