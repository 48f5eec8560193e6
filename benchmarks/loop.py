"""What the loop itself costs, with agents that answer at once.

python benchmarks/loop.py
"""

from __future__ import annotations

import asyncio
import resource
import statistics
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from foureyes.base.vocabulary import Finding, Recommendation, ReviewCriterion, Severity
from foureyes.core.artefacts import Analysis
from foureyes.core.budget import Budget
from foureyes.core.config import BudgetConfig, PipelineConfig, PipelineMode
from foureyes.core.pipeline import AnalysisPipeline
from foureyes.core.record_folder import JournalSteps, PlainSteps
from foureyes.core.run_analytics import RunAnalytics
from foureyes.core.run_store import RunInputs, RunStore
from foureyes.core.tasks import Error, Success, TurnUsage
from foureyes.core.work import DraftWork, Examination, IterationWork, Progress, StepRunner

COMMAND = "python benchmarks/loop.py"
ITERATIONS = 3
LOOPS = 100
STEPS = 3 * ITERATIONS  # one draft and two examinations each
AS_OF = date(2025, 1, 1)
BRIEF = "# Bicycle lanes\n\nWhat do they cost, and who uses them?\n"


DRAFT = Success(Analysis(markdown="# Bicycle lanes\n\nThey cost what they cost.\n"))
APPROVAL = Examination(Recommendation.APPROVE, None, (), 1.0, TurnUsage())


class InstantDrafter:
    """Has the draft ready."""

    async def write(self, work: DraftWork) -> Success[Analysis]:  # noqa: ARG002 - the Drafter protocol
        """The draft."""
        return DRAFT


class InstantCritic:
    """Has its votes ready: it rejects, each time for another reason, and approves in the end."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._votes = [*(rejection(name, number) for number in range(1, ITERATIONS)), APPROVAL]

    async def examine(self, work: IterationWork) -> Examination | Error:
        """The vote on this iteration."""
        return self._votes[work.iteration - 1]


def rejection(critic: str, iteration: int) -> Examination:
    """A vote for one finding of high severity."""
    finding = Finding(
        f"f-{critic}-{iteration}",
        Severity.HIGH,
        ReviewCriterion.STRUCTURE,
        "the claim",
        "the problem",
        origin=critic,
    )
    return Examination(Recommendation.REJECT, None, (finding,), 1.0, TurnUsage())


def ignore(progress: Progress) -> None:
    """Show nothing."""


def loop(steps: StepRunner, store: RunStore) -> AnalysisPipeline:
    """A loop of three iterations with two critics."""
    return AnalysisPipeline(
        InstantDrafter(),
        (InstantCritic("reviewer"), InstantCritic("fact_checker")),
        judge=None,
        evidence=None,
        store=store,
        steps=steps,
        analytics=RunAnalytics(),
        budget=Budget(BudgetConfig()),
        finishers=(),
        config=PipelineConfig(max_iterations=ITERATIONS),
        notify=ignore,
        as_of=AS_OF,
    )


def new_store(root: Path) -> RunStore:
    """A run directory below `root`."""
    return RunStore.create(
        root,
        RunInputs(BRIEF, AS_OF),
        PipelineConfig(),
        mode=PipelineMode.ANALYZE_AND_REVIEW,
        now=datetime.now(UTC),
    )


def report(what: str, unit: str, values: Sequence[float], bar: float) -> None:
    """Print n, minimum, median and maximum; the median has to hold the bar."""
    median = statistics.median(values)
    print(f"{what} ({unit})")
    print(
        f"  command {COMMAND}  n {len(values)}  min {min(values):.3f}  median {median:.3f}"
        f"  max {max(values):.3f}  bar {bar:g}: {'holds' if median <= bar else 'MISSED'}"
    )


async def cpu_ms_of_a_step(root: Path, runs: int) -> list[float]:
    """Process CPU milliseconds a step, with the journal, artefacts, events and manifest."""
    values: list[float] = []
    for _ in range(runs):
        store = new_store(root)
        pipeline = loop(JournalSteps(store.journal), store)
        started = time.process_time()
        await pipeline.run(BRIEF, ())
        values.append((time.process_time() - started) * 1000 / STEPS)
    return values


async def seconds_of_many(root: Path, loops: int) -> float:
    """Wall seconds of `loops` loops at once, each with its run directory."""
    pipelines = [loop(PlainSteps(), new_store(root)) for _ in range(loops)]
    started = time.perf_counter()
    await asyncio.gather(*(pipeline.run(BRIEF, ()) for pipeline in pipelines))
    return time.perf_counter() - started


async def main() -> None:
    """Measure, after a warm-up that leaves imports and validators out."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        root = Path(folder)
        await cpu_ms_of_a_step(root, 3)
        steps = await cpu_ms_of_a_step(root, 30)
        many = [await seconds_of_many(root, LOOPS) for _ in range(5)]
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    report(f"a step of {STEPS} with fsync, whole run directory", "ms CPU", steps, 1.5)
    report(f"{LOOPS} loops at once", "s wall", many, 1.5)
    report(f"peak memory of {LOOPS} loops at once", "MB", [peak_mb], 90)


if __name__ == "__main__":
    asyncio.run(main())
