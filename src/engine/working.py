"""Work done to its end on an engine, or gone on with: nothing that has ended is repeated."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from ..base.records import from_json
from ..core.record_folder import folder_lock
from .model import Engine, Job, JobEnd, JobState, Programs, Serving
from .spending import Limits, affordable
from .work_folder import WorkFolder, WorkState

ResultT = TypeVar("ResultT")
HeardT = TypeVar("HeardT", contravariant=True)

WATCH_S = 1.0
"""How often the limits of the whole are looked at, at most."""
_SHARE = 0.05
"""Of the time that looking at them may take."""
Heard = Callable[[ResultT, int, int], None]
"""Called with each result, how many there are now, and how many there will be."""


class Enough(Protocol[HeardT]):
    """Decides whether what has ended is enough, so that what is left need not be done."""

    def hear(self, result: HeardT) -> bool:
        """Take in a result, of an earlier sitting too; whether it is time to `decide`."""
        ...

    def decide(self) -> bool:
        """Whether all that was heard of is enough. It stays so."""
        ...


@dataclass(frozen=True, slots=True)
class Workload(Generic[ResultT]):
    """A list of jobs by their keys, in order.

    `jobs` makes the jobs of some keys for the round of `group`, as many at a time as may be in
    memory together; a job's id is `job_id`. `failed` is the result of a job that ended in an error,
    and of those `refused`, by key with the reason, for which there are no jobs. Without `enough`
    all of it is done.
    """

    name: str
    keys: Sequence[str]
    jobs: Callable[[Sequence[str]], Iterable[Sequence[Job]]]
    failed: Callable[[str, str], ResultT]
    concurrency: int
    limits: Limits
    refused: Mapping[str, str] = field(default_factory=dict[str, str])
    enough: Enough[ResultT] | None = None


def job_id(key: str, folder: WorkFolder[ResultT]) -> str:
    """The id of the job of `key` in this round."""
    return f"{key}-{folder.manifest.round}"


async def work_on(
    folder: WorkFolder[ResultT],
    workload: Workload[ResultT],
    engine: Engine,
    programs: Programs,
    heard: Heard[ResultT],
) -> WorkState:
    """Work until all jobs have ended, enough of them have, or a limit is reached.

    Whoever stops this by cancelling the task, or by killing the process, may call it again: what
    has ended is not repeated, and what was under way goes on in the folder of its job.

    Args:
        folder: Where results are kept.
        workload: What is to be done.
        engine: Where its jobs are placed; other workers of it help.
        programs: What this process can run.
        heard: Hears of each result.

    Raises:
        RunDirectoryError: Another process works on it.
    """
    with folder_lock(folder.path):
        return await _Sitting(folder, workload, engine, programs, heard).work()


class _Sitting(Generic[ResultT]):
    def __init__(
        self,
        folder: WorkFolder[ResultT],
        workload: Workload[ResultT],
        engine: Engine,
        programs: Programs,
        heard: Heard[ResultT],
    ) -> None:
        self._folder = folder
        self._workload = workload
        self._engine = engine
        self._programs = programs
        self._heard = heard
        folder.mend()
        results = folder.results()
        self._ended = set(results)
        self._cost = sum(map(folder.kind.cost, results.values()))
        self._started = time.monotonic()
        self._over_budget = False
        self._todo: list[str] = []
        self._submitted = set[str]()
        self._feeding = asyncio.Lock()
        self._due = asyncio.Event()
        for result in results.values():
            self._hear(result)

    async def work(self) -> WorkState:
        """Work to the end of the round, or until enough is done."""
        folder, engine = self._folder, self._engine
        again = folder.manifest.state in (WorkState.BUDGET, WorkState.CANCELLED)
        if again and not self._enough():
            folder.set(WorkState.RUNNING, new_round=True)
        for key, reason in self._workload.refused.items():
            if key not in self._ended:
                self._keep(key, self._workload.failed(key, reason))
        await self._collect()
        todo = [key for key in self._workload.keys if key not in self._ended]
        try:
            if todo and not self._enough():
                await self._do(todo)
            await self._collect()
            if self._enough():
                await engine.cancel(folder.group)
        finally:
            folder.set(folder.manifest.state, active_s=time.monotonic() - self._started)
        state = self._state()
        folder.set(state)
        return state

    async def _do(self, todo: Sequence[str]) -> None:
        """Work until all of `todo` has ended, was cancelled, or cannot be paid for."""
        self._todo = list(todo)
        while await self._feed():
            await self._serve()
            await self._collect()
            if self._enough() or self._submitted - self._ended:
                return
        self._over_budget = bool(self._todo)

    async def _feed(self) -> bool:
        """Submit what can be paid for beside what is under way; whether anything is."""
        workload = self._workload
        async with self._feeding:
            under_way = len(self._submitted - self._ended)
            count = affordable(
                workload.limits, self._cost, len(self._ended), under_way, workload.concurrency
            )
            some, self._todo = self._todo[:count], [] if count is None else self._todo[count:]
            for jobs in workload.jobs(some) if some else ():
                await self._engine.submit(jobs)
            self._submitted.update(some)
            return bool(self._submitted - self._ended)

    async def _serve(self) -> None:
        folder, workload = self._folder, self._workload
        serving = Serving(
            f"{workload.name}-{folder.manifest.id}", workload.concurrency, folder.group
        )
        watch = asyncio.create_task(self._watch(workload.limits))
        try:
            await self._engine.serve(serving, self._programs, self._take)
        finally:
            async with self._feeding:
                watch.cancel()
            with suppress(asyncio.CancelledError):
                await watch

    async def _watch(self, limits: Limits) -> None:
        """Cancel what is left when enough is done, or a limit of the whole is reached."""
        limited = limits.usd is not None or limits.minutes is not None
        if not limited and self._workload.enough is None:
            return
        while not (self._enough() or self._spent(limits)):
            began = time.monotonic()
            await self._collect()
            if not self._enough():
                await self._feed()
            took = time.monotonic() - began
            with suppress(TimeoutError):
                await asyncio.wait_for(self._due.wait(), max(WATCH_S, took / _SHARE))
        self._over_budget = not self._enough()
        await self._engine.cancel(self._folder.group)

    def _spent(self, limits: Limits) -> bool:
        minutes = (self._folder.manifest.active_s + time.monotonic() - self._started) / 60
        return (limits.usd is not None and self._cost >= limits.usd) or (
            limits.minutes is not None and minutes >= limits.minutes
        )

    async def _collect(self) -> None:
        """Take in what ended elsewhere, or was not heard of before this process died."""
        for end in await self._engine.ends(self._folder.group):
            self._take(end)

    def _take(self, end: JobEnd) -> None:
        key, kind = end.job_id.rpartition("-")[0], self._folder.kind
        if key in self._ended or end.state is JobState.CANCELLED:
            return
        if end.state is JobState.DONE:
            result = from_json(kind.result, end.result)
        else:
            result = self._workload.failed(key, end.error)
        self._keep(key, result)

    def _keep(self, key: str, result: ResultT) -> None:
        self._folder.add(result)
        self._ended.add(key)
        self._cost += self._folder.kind.cost(result)
        self._heard(result, len(self._ended), len(self._workload.keys))
        self._hear(result)

    def _hear(self, result: ResultT) -> None:
        enough = self._workload.enough
        if enough is not None and enough.hear(result):
            self._due.set()

    def _enough(self) -> bool:
        self._due.clear()
        enough = self._workload.enough
        return enough is not None and enough.decide()

    def _state(self) -> WorkState:
        if self._enough() or len(self._ended) >= len(self._workload.keys):
            return WorkState.FINISHED
        return WorkState.BUDGET if self._over_budget else WorkState.CANCELLED
