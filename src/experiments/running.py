"""Run or resume an experiment, and report its progress: no finished trial is repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..base.records import to_json
from ..engine.model import Engine, Job, JobEnd, JobState, Programs
from ..engine.work_folder import WorkState
from ..engine.working import Limits, OnResult, Workload, job_id, work_on
from .folder import ExperimentFolder
from .looking import Looks, recorded_looks
from .planning import Plan, TrialWork
from .trials import TrialOutcome, TrialResult, failed, program_of


async def run_experiment(
    folder: ExperimentFolder, engine: Engine, programs: Programs, on_result: OnResult[TrialResult]
) -> WorkState:
    """Work on an experiment until all its trials have ended, a look decides, or a limit is reached.

    It can be stopped and called again, as `work_on`.

    Args:
        folder: The experiment.
        engine: Where its jobs are placed; other workers of it help.
        programs: As `trials.programs`.
        on_result: Called with each result.
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
        stop_rule=Looks(folder.path, folder.file, plan.items),
    )
    for name, limit in folder.file.limits.given().items():
        await engine.limit(name, limit)
    return await work_on(folder, workload, engine, programs, on_result)


LATEST = 50
"""The pace is that of so many trials that ended last."""


@dataclass(frozen=True, slots=True)
class ExperimentStatus:
    """Output of `experiment status --json`: trials by state.

    `workers` are those that are at work. `seconds_left` goes by the trials that ended last, and is
    None where fewer than two have ended or nothing is under way; a look may end it before.
    `stopped_at` is the look that ended it early.
    """

    directory: str
    state: str
    trials: int
    ended: int
    running: int
    errors: int
    inconclusive: int
    cost_usd: float
    queued: int = 0
    workers: int = 0
    seconds_left: float | None = None
    stopped_at: int | None = None


async def experiment_status(
    folder: ExperimentFolder, engine: Engine, planned: Plan
) -> ExperimentStatus:
    """Where the experiment in `folder` stands, which goes by the plan `planned`."""
    looks = recorded_looks(folder.path, folder.file, planned.items)
    jobs = await engine.status(folder.group)
    ends = await engine.ends(folder.group)
    states = Counter(one.state for one in jobs)
    results = folder.results().values()
    outcomes = Counter(one.outcome for one in results)
    under_way = states[JobState.QUEUED] + states[JobState.RUNNING]
    return ExperimentStatus(
        str(folder.path),
        folder.manifest.state.value,
        len(planned.work),
        len(results),
        states[JobState.RUNNING],
        outcomes[TrialOutcome.ERROR],
        outcomes[TrialOutcome.INCONCLUSIVE],
        sum(one.cost_usd or 0.0 for one in results),
        states[JobState.QUEUED],
        len({one.worker for one in jobs if one.state is JobState.RUNNING}),
        seconds_left(ends, under_way) if states[JobState.RUNNING] else None,
        next((look.number for look in looks if look.stops), None),
    )


def seconds_left(ends: Sequence[JobEnd], under_way: int) -> float | None:
    """How long so many jobs take at the pace of the last; None if that is not known yet."""
    times = sorted(end.ended.timestamp() for end in ends if end.ended is not None)[-LATEST:]
    if len(times) < 2:
        return None
    return (times[-1] - times[0]) / (len(times) - 1) * under_way
