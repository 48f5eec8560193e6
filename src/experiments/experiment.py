"""Experiments from a program: arms that are settings or calls of one's own, over the same trials.

Order, seeds, metrics and statistics are those of `foureyes experiment run`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic import JsonValue

from ..base.errors import InputError
from ..base.files import JsonResult, scratch_folder, storage_errors, to_json
from ..base.off_loop import blocking
from ..base.printable import counted, notebook_html
from ..base.registry import validate
from ..core.result import PipelineResult
from ._trial_records import check_delivered, measure_trial
from .analysis import Analysis, analyse
from .file import ExperimentFile
from .markdown import markdown
from .metrics import Measure, TrialRecord
from .planning import TrialResult, TrialWork, failed, plan
from .statistics.samples import Direction, Scale
from .trials import record_trial

if TYPE_CHECKING:
    import pandas

HERE = "experiment:"
"""Stands in place of a module in the code name of a metric that is given as an object."""


@dataclass(frozen=True, slots=True)
class TrialItem:
    """One item that all arms work on: a brief, a draft, or both.

    `sources` are folders, files and web addresses. Items with one `cluster` share their origin.
    `slices` are words by which results are split.
    """

    id: str
    brief: str | None = None
    draft: str | None = None
    sources: tuple[str, ...] = ()
    cluster: str = ""
    slices: Mapping[str, str] | None = None


ArmCall: TypeAlias = Callable[[TrialItem], Awaitable[TrialRecord | PipelineResult]]
"""An arm of one's own: what it delivers for an item."""


@dataclass(frozen=True, slots=True)
class TrialMetric:
    """A metric of one's own.

    Args:
        name: Its name in rows and reports.
        measure: Its value of a trial; None where it does not apply.
        direction: Which values are good.
        scale: Numbers, or true and false.
        failure: The number that a trial that failed counts as; required of the primary metric.
        margin: The smallest difference that matters, in the metric's unit.
    """

    name: str
    measure: Measure
    direction: Direction
    scale: Scale = Scale.NUMERIC
    failure: float | None = None
    margin: float | None = None


@dataclass(frozen=True, slots=True, repr=False)
class ExperimentResult(JsonResult):
    """Analysis of an experiment, and the trials behind it."""

    analysis: Analysis
    trials: tuple[TrialResult, ...]

    def rows(self) -> list[dict[str, JsonValue]]:
        """One row for each trial: item, arm, number, outcome, cost, seconds, and each metric."""
        return [
            {
                "item": one.trial.item,
                "arm": one.trial.arm,
                "number": one.trial.number,
                "outcome": one.outcome.value,
                "error": one.error,
                "cost_usd": one.cost_usd,
                "seconds": one.seconds,
                **one.values,
            }
            for one in self.trials
        ]

    def frame(self) -> pandas.DataFrame:
        """The rows as a pandas frame; needs ``foureyes[pandas]``.

        Raises:
            InputError: pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            message = "pandas is not installed"
            raise InputError(message, "pip install 'foureyes[pandas]'") from None
        return pandas.DataFrame(self.rows())

    def to_markdown(self) -> str:
        """The conclusion with its figures, as a page."""
        return markdown(self.analysis)

    def model_dump_json(self) -> str:
        """The result as JSON text, by the published schema ``output-experiment``."""
        return to_json(Analysis, self.analysis, indent=None)

    def __repr__(self) -> str:
        """Two lines: the conclusion, and how much it rests on."""
        name, conclusion = self.analysis.name, self.analysis.conclusion.value
        return f"<ExperimentResult {name}: {conclusion}\n{self._numbers()}>"

    def _repr_html_(self) -> str:
        """The same for notebooks."""
        name, conclusion = self.analysis.name, self.analysis.conclusion.value
        return notebook_html(conclusion, (name, self._numbers()))

    def _numbers(self) -> str:
        one = self.analysis
        trials = counted(len(self.trials), "trial")
        return f"{one.complete} of {counted(one.items, 'item')}, {trials}"


class Experiment:
    """A comparison of arms on the same items.

    Args:
        arms: By name, the baseline first: settings of a run (``{"max_iterations": 1}``), or an
            async function of a `TrialItem`.
        items: What all arms work on; at least two.
        metrics: The primary metric first: the name of one of ours, or a `TrialMetric`.
        name: The experiment's name.
        trials: Runs of each item in each arm.
        seed: Decides the order of trials.
        alpha: The level of the tests.
        power: The power that the note on missing items goes by.
        slices: Names in the items' slices by which results are split.
        concurrency: Trials at once.
        out: Where runs leave their directories; None keeps none.

    Raises:
        InputError: Arms, items or metrics do not fit together.
    """

    def __init__(
        self,
        arms: Mapping[str, Mapping[str, JsonValue] | ArmCall],
        items: Sequence[TrialItem],
        metrics: Sequence[str | TrialMetric],
        *,
        name: str = "experiment",
        trials: int = 1,
        seed: int = 0,
        alpha: float = 0.05,
        power: float = 0.8,
        slices: Sequence[str] = (),
        concurrency: int = 2,
        out: Path | None = None,
    ) -> None:
        self._calls = {arm: given for arm, given in arms.items() if callable(given)}
        self._items = {item.id: item for item in items}
        self._measures = {one.name: one.measure for one in metrics if isinstance(one, TrialMetric)}
        self._out = out
        declared = [_declared(one) for one in metrics]
        self._file = validate(
            ExperimentFile,
            {
                "name": name,
                "items": [{**asdict(item), "slices": item.slices or {}} for item in items],
                "variants": {arm: {} if callable(one) else dict(one) for arm, one in arms.items()},
                "baseline": next(iter(arms), ""),
                "metrics": {"primary": declared[:1] and declared[0], "secondary": declared[1:]},
                "trials": trials,
                "seed": seed,
                "alpha": alpha,
                "power": power,
                "slices": tuple(slices),
                "concurrency": concurrency,
            },
            "the experiment",
            "correct it",
        )
        self._plan = plan(self._file, Path.cwd())

    async def run_async(self) -> ExperimentResult:
        """Do every trial and compare the arms. A trial that fails counts as its metric says.

        Raises:
            StorageError: A trial's folder cannot be made.
        """
        slots = asyncio.Semaphore(self._file.concurrency)
        with scratch_folder("experiment") as scratch:
            root = self._out or scratch

            async def one(work: TrialWork) -> TrialResult:
                async with slots:
                    return await self._trial(work, root / work.trial.key)

            with storage_errors(root, "make a folder in"):
                for work in self._plan.work:
                    folder = root / work.trial.key
                    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
            results = await asyncio.gather(*map(one, self._plan.work))
        by_key = {result.trial.key: result for result in results}
        return ExperimentResult(analyse(self._file, self._plan.items, by_key), tuple(results))

    def run(self) -> ExperimentResult:
        """`run_async` for callers without an event loop.

        Raises:
            InputError: An event loop runs in this thread already.
            StorageError: A trial's folder cannot be made.
        """
        return blocking(self.run_async, "Experiment.run")()

    async def _trial(self, work: TrialWork, folder: Path) -> TrialResult:
        own = {one: self._measures[one.name] for one in work.own}
        try:
            record = await self._record(work, folder)
            checked = await check_delivered(work, record, work.loaded(folder / "runs"))
            return measure_trial(work, checked, own)
        # An arm is anyone's code; it fails its own trial alone.
        except Exception as error:  # noqa: BLE001 - see above
            return failed(work.trial, f"{type(error).__name__}: {error}")

    async def _record(self, work: TrialWork, folder: Path) -> TrialRecord:
        call = self._calls.get(work.trial.arm)
        if call is None:
            return await record_trial(work, folder)
        answer = await call(self._items[work.item.id])
        return answer if isinstance(answer, TrialRecord) else _record_of(answer)


def _record_of(result: PipelineResult) -> TrialRecord:
    """A run of the program's own as metrics see it."""
    return TrialRecord(
        result.status,
        result.analysis,
        result.findings,
        len(result.iterations),
        result.analytics.total(),
        result.analytics.active_s(),
        run_dir=result.run_dir,
        gate=result.gate.decision if result.gate else None,
        reason=result.reason,
    )


def _declared(metric: str | TrialMetric) -> dict[str, Any]:
    if isinstance(metric, str):
        return {"name": metric}
    return {
        "name": metric.name,
        "code": f"{HERE}{metric.name}",
        "scale": metric.scale,
        "direction": metric.direction,
        "margin": metric.margin,
        "failure": metric.failure,
    }
