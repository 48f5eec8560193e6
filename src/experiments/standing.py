"""How far an experiment is: trials by state, who is at work on them, their cost, the time left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..engine.model import Engine, JobEnd, JobState
from .folder import ExperimentFolder
from .looking import recorded_looks
from .planning import Plan
from .trials import TrialOutcome

LATEST = 50
"""The pace is that of so many trials that ended last."""


@dataclass(frozen=True, slots=True)
class ExperimentStatus:
    """What `experiment status --json` prints: trials by where they stand.

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
