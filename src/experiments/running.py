"""Run or resume an experiment, and report its progress: no finished trial is repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ..base.call_limits import CallLimit
from ..base.errors import InputError
from ..base.files import append_line, drop_torn_line, from_json, read_lines, to_json, write_atomic
from ..core.record_folder import damaged
from ..engine.model import Engine, JobState, Programs
from ..engine.work_folder import WorkState
from ..engine.working import Limits, OnResult, Workload
from .analysis import Analysis, LookRecord, Table, TakenLook, analyse, planned_looks, take_look
from .folder import ExperimentFolder
from .imported import add_ratings
from .markdown import markdown
from .page import write_experiment_page
from .planning import Item, Plan, TrialOutcome, TrialResult, TrialWork, failed, program_of

LOOKS = "looks.jsonl"


def recorded_looks(folder: ExperimentFolder, items: Sequence[Item]) -> tuple[TakenLook, ...]:
    """The looks that were taken so far in `folder`, of the items of its plan.

    Raises:
        InputError: The record is damaged, or a look was taken that the file does not declare, or of
            other items or at another level.
    """
    path = folder.path / LOOKS
    if not path.exists():
        return ()
    with damaged(path, "experiment"):
        found = tuple(from_json(LookRecord, line).look for line in read_lines(path))
    planned = planned_looks(folder.file, items)
    declared = [(look.number, look.digest, look.design.alpha) for look in planned]
    for look in found:
        if (look.number, look.seen, look.level) not in declared:
            raise InputError(
                f"look {look.number} was taken of {look.items} items at the level "
                f"{look.level:.4g}, and experiment.yaml now declares it otherwise",
                "restore its stopping, metrics, seed and alpha: looks that were taken stay",
            )
    return found


class Looks:
    """The looks of an experiment as its results come in: a `StopRule`.

    Args:
        folder: The experiment's; looks taken before are there.
        items: All items of its plan.

    Raises:
        InputError: As `recorded_looks`.
    """

    def __init__(self, folder: ExperimentFolder, items: Sequence[Item]) -> None:
        self._path = folder.path / LOOKS
        drop_torn_line(self._path)
        self._file = folder.file
        self._items = items
        self._planned = planned_looks(self._file, items) if self._file.stopping is not None else ()
        self._taken = list(recorded_looks(folder, items))
        self._results: list[TrialResult] = []
        self._ended: Counter[str] = Counter()

    def add(self, result: TrialResult) -> bool:
        """Add the result of a trial. Returns whether a look is due."""
        self._results.append(result)
        self._ended[result.trial.item] += 1
        return self._due()

    def decide(self) -> bool:
        """Take and keep the looks that are due; whether one, now or before, stops the experiment.

        Raises:
            StorageError: A look could not be kept.
        """
        while self._due():
            look = self._planned[len(self._taken)]
            found = take_look(Table(self._file, self._results), self._items, look)
            record = LookRecord(datetime.now(UTC), found)
            append_line(self._path, to_json(LookRecord, record, indent=None))
            self._taken.append(found)
        return bool(self._taken) and self._taken[-1].stops

    def _due(self) -> bool:
        """Whether every trial of the next look's items has ended."""
        done = len(self._taken)
        if done == len(self._planned) or (done and self._taken[-1].stops):
            return False
        each = self._file.trials * len(self._file.variants)
        return all(self._ended[item] == each for item in self._planned[done].items)


async def run_experiment(
    folder: ExperimentFolder, engine: Engine, programs: Programs, on_result: OnResult[TrialResult]
) -> WorkState:
    """Work on an experiment until all its trials have ended, a look decides, or a limit is reached.

    It can be stopped and called again, as `Workload.work`.

    Args:
        folder: The experiment.
        engine: Where its jobs are placed; other workers of it help.
        programs: As `trials.programs`.
        on_result: Called with each result.
    """
    plan = folder.plan()
    planned = {work.trial.key: work for work in plan.work}

    def job(key: str) -> tuple[str, str]:
        work = planned[key]
        return program_of(work), to_json(TrialWork, work, indent=None)

    def lost(key: str, error: str) -> TrialResult:
        return failed(planned[key].trial, error)

    budgets = folder.file.budgets
    workload = Workload(
        folder,
        engine,
        programs,
        on_result,
        tuple(planned),
        job,
        lost,
        folder.file.concurrency,
        Limits(budgets.usd, budgets.minutes, budgets.run_usd),
        stop_rule=Looks(folder, plan.items),
    )
    for name, bounds in folder.file.limits.items():
        await engine.limit(name, CallLimit(bounds.at_once, bounds.calls, bounds.seconds))
    return await workload.work()


@dataclass(frozen=True, slots=True)
class ExperimentStatus:
    """Output of `experiment status --json`: trials by state.

    `workers` are those that are at work. `stopped_at` is the look that ended it early.
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
    stopped_at: int | None = None


async def experiment_status(
    folder: ExperimentFolder, engine: Engine, planned: Plan
) -> ExperimentStatus:
    """Where the experiment in `folder` stands, which goes by the plan `planned`."""
    looks = recorded_looks(folder, planned.items)
    jobs = await engine.status(folder.group)
    states = Counter(one.state for one in jobs)
    results = folder.results().values()
    outcomes = Counter(one.outcome for one in results)
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
        next((look.number for look in looks if look.stops), None),
    )


def conclude(folder: ExperimentFolder, ratings: Path | None = None) -> tuple[Analysis, Path]:
    """Work out what the results so far show, with people's `ratings`; returns the page as well.

    Writes analysis.json, report.md and report.html.

    Raises:
        InputError: The ratings cannot be used.
        StorageError: A file cannot be read or written.
    """
    results, items = folder.results(), folder.plan().items
    recorded_looks(folder, items)
    if ratings is not None:
        results = add_ratings(results, ratings)
    analysis = analyse(folder.file, items, results)
    write_atomic(folder.path / "analysis.json", to_json(Analysis, analysis) + "\n")
    write_atomic(folder.path / "report.md", markdown(analysis))
    return analysis, write_experiment_page(folder, analysis)
