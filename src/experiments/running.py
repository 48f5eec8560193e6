"""An experiment run to its end, or gone on with: no finished trial is repeated."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

from ..base.records import from_json, to_json
from ..engine.model import Engine, Job, JobEnd, JobState, Programs, Serving
from .file import Budgets
from .folder import ExperimentFolder, ExperimentState
from .planning import Plan, TrialWork
from .trials import TrialResult, failed, program_of

WATCH_S = 1.0
"""How often the limits of the whole experiment are looked at."""
Heard = Callable[[TrialResult, int, int], None]
"""Called with each result, how many there are now, and how many there will be."""


async def run_experiment(
    folder: ExperimentFolder, engine: Engine, programs: Programs, heard: Heard
) -> ExperimentState:
    """Work on an experiment until all its trials have ended or a limit is reached.

    Whoever stops this by cancelling the task, or by killing the process, may call it again: what
    has ended is not repeated, and what was under way goes on in its run directory.

    Args:
        folder: The experiment.
        engine: Where its jobs are placed; other workers of it help.
        programs: As `trials.programs`.
        heard: Hears of each result.
    """
    return await _Sitting(folder, engine, programs, heard).work()


class _Sitting:
    def __init__(
        self, folder: ExperimentFolder, engine: Engine, programs: Programs, heard: Heard
    ) -> None:
        self._folder = folder
        self._engine = engine
        self._programs = programs
        self._heard = heard
        planned: Plan = folder.plan()
        self._work = {work.trial.key: work for work in planned.work}
        self._results = dict(folder.results())
        self._started = time.monotonic()
        self._over_budget = False

    async def work(self) -> ExperimentState:
        """Work to the end of the round."""
        folder, engine = self._folder, self._engine
        if folder.manifest.state in (ExperimentState.BUDGET, ExperimentState.CANCELLED):
            folder.set(ExperimentState.RUNNING, new_round=True)
        await self._collect()
        todo = [work for key, work in self._work.items() if key not in self._results]
        try:
            if todo:
                await engine.submit([self._job(work) for work in todo])
                await self._serve()
            await self._collect()
        finally:
            folder.set(folder.manifest.state, active_s=time.monotonic() - self._started)
        state = self._state()
        folder.set(state)
        return state

    def _job(self, work: TrialWork) -> Job:
        folder = self._folder
        name = f"{work.trial.key}-{folder.manifest.round}"
        return Job(name, program_of(work), to_json(TrialWork, work, indent=None), folder.group)

    async def _serve(self) -> None:
        folder = self._folder
        serving = Serving(f"experiment-{folder.manifest.id}", folder.file.concurrency, folder.group)
        watch = asyncio.create_task(self._watch(folder.file.budgets))
        try:
            await self._engine.serve(serving, self._programs, self._take)
        finally:
            watch.cancel()
            with suppress(asyncio.CancelledError):
                await watch

    async def _watch(self, budgets: Budgets) -> None:
        """Cancel what is left when a limit of the whole experiment is reached."""
        if budgets.usd is None and budgets.minutes is None:
            return
        while not self._spent(budgets):
            await asyncio.sleep(WATCH_S)
            await self._collect()
        self._over_budget = True
        await self._engine.cancel(self._folder.group)

    def _spent(self, budgets: Budgets) -> bool:
        cost = sum(result.cost_usd or 0 for result in self._results.values())
        minutes = (self._folder.manifest.active_s + time.monotonic() - self._started) / 60
        return (budgets.usd is not None and cost >= budgets.usd) or (
            budgets.minutes is not None and minutes >= budgets.minutes
        )

    async def _collect(self) -> None:
        """Take in what ended elsewhere, or was not heard of before this process died."""
        for end in await self._engine.ends(self._folder.group):
            self._take(end)

    def _take(self, end: JobEnd) -> None:
        work = self._work[end.job_id.rpartition("-")[0]]
        if work.trial.key in self._results or end.state is JobState.CANCELLED:
            return
        if end.state is JobState.DONE:
            result = from_json(TrialResult, end.result)
        else:
            result = failed(work.trial, end.error)
        self._folder.add(result)
        self._results[work.trial.key] = result
        self._heard(result, len(self._results), len(self._work))

    def _state(self) -> ExperimentState:
        if len(self._results) == len(self._work):
            return ExperimentState.FINISHED
        return ExperimentState.BUDGET if self._over_budget else ExperimentState.CANCELLED
