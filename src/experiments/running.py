"""An experiment run to its end, or gone on with: no finished trial is repeated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.records import to_json
from ..engine.model import Engine, Job, Programs
from ..engine.spending import Limits
from ..engine.work_folder import WorkState
from ..engine.working import Heard, Workload, job_id, work_on
from .folder import ExperimentFolder
from .looking import Looks
from .planning import TrialWork
from .trials import TrialResult, failed, program_of


async def run_experiment(
    folder: ExperimentFolder, engine: Engine, programs: Programs, heard: Heard[TrialResult]
) -> WorkState:
    """Work on an experiment until all its trials have ended, a look decides, or a limit is reached.

    As `work_on`: it may be stopped and called again.

    Args:
        folder: The experiment.
        engine: Where its jobs are placed; other workers of it help.
        programs: As `trials.programs`.
        heard: Hears of each result.
    """
    plan = folder.plan()
    planned = {work.trial.key: work for work in plan.work}

    def job(work: TrialWork) -> Job:
        name = job_id(work.trial.key, folder)
        return Job(name, program_of(work), to_json(TrialWork, work, indent=None), folder.group)

    def jobs(keys: Sequence[str]) -> Iterator[Sequence[Job]]:
        yield [job(planned[key]) for key in keys]

    def lost(key: str, error: str) -> TrialResult:
        return failed(planned[key].trial, error)

    budgets = folder.file.budgets
    workload = Workload(
        "experiment",
        tuple(planned),
        jobs,
        lost,
        folder.file.concurrency,
        Limits(budgets.usd, budgets.minutes, budgets.run_usd),
        enough=Looks(folder.path, folder.file, plan.items),
    )
    for name, limit in folder.file.limits.given().items():
        await engine.limit(name, limit)
    return await work_on(folder, workload, engine, programs, heard)
