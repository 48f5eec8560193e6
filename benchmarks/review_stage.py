"""How much longer than its slower critic the review stage takes, with a run directory.

python benchmarks/review_stage.py
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import anyio
from foureyes.base.vocabulary import Recommendation
from foureyes.core.artefacts import Analysis
from foureyes.core.budget import Budget
from foureyes.core.config import BudgetConfig, PipelineConfig, PipelineMode
from foureyes.core.pipeline import AnalysisPipeline
from foureyes.core.record_folder import JournalSteps
from foureyes.core.run_analytics import RunAnalytics
from foureyes.core.run_store import RunInputs, RunStore
from foureyes.core.tasks import AgentResult, Error, FailureKind, TurnUsage
from foureyes.core.work import DraftWork, Examination, IterationWork, Progress

AS_OF = date(2025, 1, 1)
BAR = 1.05


class NoDrafter:
    """Is never asked: the draft is given."""

    async def write(self, work: DraftWork) -> AgentResult[Analysis]:
        """No draft."""
        return Error(FailureKind.REFUSED, f"asked in iteration {work.iteration}")


@dataclass(slots=True)
class SlowCritic:
    """Approves after `seconds`; `took` is how long its last examination lasted."""

    name: str
    seconds: float
    took: float = 0.0

    async def examine(self, work: IterationWork) -> Examination | Error:  # noqa: ARG002 - protocol
        """Approve."""
        started = time.perf_counter()
        await anyio.sleep(self.seconds)
        self.took = time.perf_counter() - started
        return Examination(Recommendation.APPROVE, None, (), 1.0, TurnUsage())


def ignore(progress: Progress) -> None:
    """Show nothing."""


async def ratio(root: Path) -> float:
    """Wall time of a run of one iteration over that of its slower critic."""
    critics = (SlowCritic("reviewer", 0.3), SlowCritic("fact_checker", 1.0))
    config = PipelineConfig(max_iterations=1)
    inputs = RunInputs("# Bicycle lanes", AS_OF)
    store = RunStore.create(
        root, inputs, config, mode=PipelineMode.ANALYZE_AND_REVIEW, now=datetime.now(UTC)
    )
    pipeline = AnalysisPipeline(
        NoDrafter(),
        critics,
        judge=None,
        evidence=None,
        store=store,
        steps=JournalSteps(store.journal),
        analytics=RunAnalytics(log=store.append),
        budget=Budget(BudgetConfig()),
        finishers=(),
        config=config,
        notify=ignore,
        as_of=AS_OF,
    )
    started = time.perf_counter()
    await pipeline.run(inputs.brief, (), draft="# Bicycle lanes\n\nA draft.\n")
    return (time.perf_counter() - started) / max(critic.took for critic in critics)


async def main() -> None:
    """Measure, after a warm-up that leaves imports and validators out."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        await ratio(Path(folder))
        ratios = [await ratio(Path(folder)) for _ in range(10)]
    median = statistics.median(ratios)
    print("run of one iteration with critics of 0.3 s and 1 s, over the slower critic (ratio)")
    print(
        f"  command python benchmarks/review_stage.py  n {len(ratios)}  min {min(ratios):.4f}"
        f"  median {median:.4f}  max {max(ratios):.4f}"
        f"  bar {BAR}: {'holds' if median <= BAR else 'MISSED'}"
    )


if __name__ == "__main__":
    asyncio.run(main())
