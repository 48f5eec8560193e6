"""Work of many jobs on an engine, with limits: run or resumed, nothing that ended is repeated."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Generic, Protocol, TypeVar

from ..base.files import from_json
from ..core.record_folder import folder_lock
from .model import Engine, Job, JobEnd, JobState, Programs, Serving
from .work_folder import WorkFolder, WorkState

ResultT = TypeVar("ResultT")
AddedT = TypeVar("AddedT", contravariant=True)

WATCH_S = 1.0
"""How often the limits of the whole are looked at, at most."""
_SHARE = 0.05
"""Of the time that looking at them may take."""
_TOGETHER = 50
"""Jobs that are submitted together, and whose payloads may be in memory together."""
OnResult = Callable[[ResultT, int, int], None]
"""Called with each result, the number of results so far, and the number of all."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the whole, and what one job may cost. None means no limit."""

    usd: Decimal | None = None
    minutes: float | None = None
    each_usd: Decimal | None = None


class StopRule(Protocol[AddedT]):
    """Decides whether the results so far suffice, so that the other jobs need not run."""

    def add(self, result: AddedT) -> bool:
        """Add a result, also one of an earlier session. Returns whether it is time to `decide`."""
        ...

    def decide(self) -> bool:
        """Whether the results added so far suffice. Once True it stays True."""
        ...


@dataclass(slots=True)
class Workload(Generic[ResultT]):
    """A list of jobs by their keys, in order, which can be run and resumed.

    Args:
        folder: Where results are kept.
        engine: Where the jobs are placed; other workers of it help.
        programs: What this process can run.
        on_result: Called with each result.
        keys: The keys.
        job: Gives the program and the payload of the job of a key.
        failed: Makes the result of a job that failed, and of each key in `refused`.
        concurrency: How many jobs this process runs at once.
        limits: Those of the whole.
        refused: Keys without a job, with the reason.
        stop_rule: Says when the others need not run; without one every job runs.
    """

    folder: WorkFolder[ResultT]
    engine: Engine
    programs: Programs
    on_result: OnResult[ResultT]
    keys: Sequence[str]
    job: Callable[[str], tuple[str, str]]
    failed: Callable[[str, str], ResultT]
    concurrency: int
    limits: Limits
    refused: Mapping[str, str] = field(default_factory=dict[str, str])
    stop_rule: StopRule[ResultT] | None = None
    _cost: float = field(init=False, default=0.0)
    _over_budget: bool = field(init=False, default=False)
    _started: float = field(init=False, default_factory=time.monotonic)
    _ended: set[str] = field(init=False, default_factory=set[str])
    _todo: list[str] = field(init=False, default_factory=list[str])
    _submitted: set[str] = field(init=False, default_factory=set[str])
    _feeding: asyncio.Lock = field(init=False, default_factory=asyncio.Lock)
    _due: asyncio.Event = field(init=False, default_factory=asyncio.Event)

    async def work(self) -> WorkState:
        """Work until all jobs have ended, the stop rule ends it, or a limit is reached.

        It can be cancelled or killed, and done anew: jobs that ended are not repeated, and those
        that were running resume in the folder of their job.

        Raises:
            RunDirectoryError: Another process works on it.
        """
        with folder_lock(self.folder.path):
            return await self._work()

    async def _work(self) -> WorkState:
        """Work to the end of the round, or until the stop rule ends it."""
        folder, engine = self.folder, self.engine
        folder.mend()
        for result in folder.results().values():
            self._count(result)
        again = folder.manifest.state in (WorkState.BUDGET, WorkState.CANCELLED)
        if again and not self._should_stop():
            folder.set(WorkState.RUNNING, new_round=True)
        for key, reason in self.refused.items():
            if key not in self._ended:
                self._keep(self.failed(key, reason))
        await self._collect()
        self._todo = [key for key in self.keys if key not in self._ended]
        try:
            if self._todo and not self._should_stop():
                await self._do()
            await self._collect()
            if self._should_stop():
                await engine.cancel(folder.group)
        finally:
            folder.set(folder.manifest.state, active_s=time.monotonic() - self._started)
        state = self._state()
        folder.set(state)
        return state

    async def _do(self) -> None:
        """Work until all that is to do has ended, was cancelled, or cannot be paid for."""
        while await self._feed():
            await self._serve()
            await self._collect()
            if self._should_stop() or self._submitted - self._ended:
                return
        self._over_budget = bool(self._todo)

    async def _feed(self) -> bool:
        """Submit what can be paid for beside what is under way; whether anything is."""
        async with self._feeding:
            under_way, ended = len(self._submitted - self._ended), len(self._ended)
            count = affordable(self.limits, self._cost, ended, under_way, self.concurrency)
            some, self._todo = self._todo[:count], [] if count is None else self._todo[count:]
            for start in range(0, len(some), _TOGETHER):
                keys = some[start : start + _TOGETHER]
                await self.engine.submit([self._job(key) for key in keys])
            self._submitted.update(some)
            return bool(self._submitted - self._ended)

    def _job(self, key: str) -> Job:
        folder, id_ = self.folder, f"{key}-{self.folder.manifest.round}"
        return Job(id_, *self.job(key), folder.group, str(folder.job_folder(id_)))

    async def _serve(self) -> None:
        folder = self.folder
        name = f"{folder.kind.name}-{folder.manifest.id}"
        watch = asyncio.create_task(self._watch(self.limits))
        try:
            serving = Serving(name, self.concurrency, folder.group)
            await self.engine.serve(serving, self.programs, self._take)
        finally:
            async with self._feeding:
                watch.cancel()
            with suppress(asyncio.CancelledError):
                await watch

    async def _watch(self, limits: Limits) -> None:
        """Cancel the other jobs when the stop rule says so, or a limit of the whole is reached."""
        limited = limits.usd is not None or limits.minutes is not None
        if not limited and self.stop_rule is None:
            return
        while not (self._should_stop() or self._spent(limits)):
            began = time.monotonic()
            await self._collect()
            if not self._should_stop():
                await self._feed()
            took = time.monotonic() - began
            with suppress(TimeoutError):
                async with asyncio.timeout(max(WATCH_S, took / _SHARE)):
                    await self._due.wait()
        self._over_budget = not self._should_stop()
        await self.engine.cancel(self.folder.group)

    def _spent(self, limits: Limits) -> bool:
        minutes = (self.folder.manifest.active_s + time.monotonic() - self._started) / 60
        return (limits.usd is not None and self._cost >= limits.usd) or (
            limits.minutes is not None and minutes >= limits.minutes
        )

    async def _collect(self) -> None:
        """Add results of other workers, and those that this process missed before it died."""
        for end in await self.engine.ends(self.folder.group):
            self._take(end)

    def _take(self, end: JobEnd) -> None:
        key, kind = end.job_id.rpartition("-")[0], self.folder.kind
        if key in self._ended or end.state is JobState.CANCELLED:
            return
        done = end.state is JobState.DONE
        self._keep(from_json(kind.result, end.result) if done else self.failed(key, end.error))

    def _keep(self, result: ResultT) -> None:
        self.folder.add(result)
        self._count(result)
        self.on_result(result, len(self._ended), len(self.keys))

    def _count(self, result: ResultT) -> None:
        kind = self.folder.kind
        self._ended.add(kind.key(result))
        self._cost += kind.cost(result)
        if self.stop_rule is not None and self.stop_rule.add(result):
            self._due.set()

    def _should_stop(self) -> bool:
        self._due.clear()
        return self.stop_rule is not None and self.stop_rule.decide()

    def _state(self) -> WorkState:
        if self._should_stop() or len(self._ended) >= len(self.keys):
            return WorkState.FINISHED
        return WorkState.BUDGET if self._over_budget else WorkState.CANCELLED


def affordable(limits: Limits, spent: float, ended: int, under_way: int, first: int) -> int | None:
    """How many more jobs may begin; None for any number.

    A job is reserved at the most that it may cost, or else at the mean of those so far. Of the
    first, whose cost nobody knows, `first` may be under way.

    Args:
        limits: The limits.
        spent: Dollars that the jobs cost which have ended.
        ended: How many those are.
        under_way: How many have begun, or may begin, and have not ended.
        first: How many jobs run at once.
    """
    if limits.usd is None:
        return None
    if limits.each_usd is not None:
        each = float(limits.each_usd)
    elif ended:
        each = spent / ended
    else:
        return max(0, first - under_way)
    if each == 0:
        return None
    left = float(limits.usd) - spent - under_way * each
    # A millionth, the unit that costs are kept in, is no reason to leave a job out.
    return max(0, int((left + 1e-6) / each))
