"""A run in a process of its own that can be killed at any moment: python killable_run.py RUN LOG.

Each agent adds a line to LOG when it starts, so that a test sees what ran in which sitting.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from foureyes.base.vocabulary import Finding, Recommendation, ReviewCriterion, Severity
from foureyes.core.artefacts import Analysis
from foureyes.core.config import BudgetConfig, PipelineConfig
from foureyes.core.pipeline import AnalysisPipeline
from foureyes.core.result import PipelineResult
from foureyes.core.run_store import RunStore
from foureyes.core.tasks import AgentResult, Error, Success, TurnUsage
from foureyes.core.work import DraftWork, Examination, IterationWork, Progress, RunServices
from foureyes.engine.local import open_run

ITERATIONS = 4
SECONDS = 0.02
USAGE = TurnUsage(messages=1)


class Worker:
    """An agent that logs its start, takes a while, and records its turn."""

    def __init__(self, name: str, log: Path) -> None:
        self.name = name
        self._log = log

    async def _work(self, iteration: int, services: RunServices) -> None:
        with self._log.open("a", encoding="utf-8") as file:
            file.write(f"{iteration}-{self.name}\n")
        await asyncio.sleep(SECONDS)
        services.recorder.record_turn(self.name, iteration, USAGE, "ok")


class Writer(Worker):
    """Writes a draft that depends on the one before."""

    async def write(self, work: DraftWork) -> AgentResult[Analysis]:
        """The next draft."""
        await self._work(work.iteration, work.services)
        ids = ",".join(finding.id for finding in work.findings)
        return Success(Analysis(markdown=f"{work.draft}+{work.iteration}({ids})"), USAGE)


class Checker(Worker):
    """Rejects until the last iteration."""

    async def examine(self, work: IterationWork) -> Examination | Error:
        """The vote."""
        await self._work(work.iteration, work.services)
        if work.iteration == ITERATIONS:
            return Examination(Recommendation.APPROVE, None, (), 1.0, USAGE)
        name = f"{self.name}-{work.iteration}"
        found = Finding(name, Severity.LOW, ReviewCriterion.STRUCTURE, "c", "p", origin=self.name)
        return Examination(Recommendation.REJECT, None, (found,), 1.0, USAGE)


def ignore(progress: Progress) -> None:
    """Show nothing."""


async def run(path: Path, log: Path) -> PipelineResult:
    """Run or resume the run in `path` to its end."""
    store = RunStore.open(path)
    with open_run(store) as local:
        inputs = store.inputs()
        pipeline = AnalysisPipeline(
            Writer("analyst", log),
            (Checker("reviewer", log), Checker("fact_checker", log)),
            judge=None,
            evidence=None,
            store=store,
            steps=local.steps,
            analytics=local.analytics,
            budget=local.budget(BudgetConfig(), priced=True),
            finishers=(),
            config=PipelineConfig(max_iterations=ITERATIONS),
            notify=ignore,
            as_of=inputs.as_of,
        )
        return await pipeline.run(inputs.brief, inputs.materials, draft=inputs.draft)


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), Path(sys.argv[2])))
