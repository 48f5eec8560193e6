"""A small experiment of two items, and results without any run."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from foureyes.assembly.jobs import read_yaml
from foureyes.base.files import from_json, to_json
from foureyes.core.approval import RunStatus
from foureyes.engine.file_engine import open_engine
from foureyes.engine.model import Job, Serving
from foureyes.experiments.file import ExperimentFile
from foureyes.experiments.planning import (
    Item,
    Trial,
    TrialOutcome,
    TrialResult,
    TrialWork,
    failed,
    plan,
    program_of,
)
from foureyes.experiments.trials import programs
from support.commands import EXAMPLES

FILE: Mapping[str, object] = {
    "name": "two items",
    "dataset": {"file": "items.jsonl", "limit": 2},
    "variants": {
        "reviewer": {"mode": "analyze_and_review", "fetch": "none"},
        "fact_checker": {"mode": "analyze_review_with_fact_check", "fetch": "none"},
    },
    "baseline": "reviewer",
    "metrics": {"primary": "all_false_claims_caught"},
}


def write_experiment(folder: Path, **changes: object) -> Path:
    """An experiment file with the shipped example's items; JSON is YAML."""
    shipped = EXAMPLES / "experiment"
    if not (folder / "items.jsonl").exists():
        (folder / "items.jsonl").symlink_to(shipped / "items.jsonl")
        (folder / "sources").symlink_to(shipped / "sources")
    path = folder / "experiment.yaml"
    path.write_text(json.dumps({**FILE, **changes}), encoding="utf-8")
    return path


def trials_of_an_item(
    path: Path, until: Callable[[], bool] | None = None
) -> dict[str, TrialResult]:
    """Every arm's trial of the item that the plan of the file `path` begins with, by the arm.

    With `until` the worker is stopped when that is true.
    """
    planned = plan(read_yaml(ExperimentFile, path), path.parent).work
    chosen = [one for one in planned if one.trial.item == planned[0].trial.item]
    jobs = [
        Job(one.trial.key, program_of(one), to_json(TrialWork, one, indent=None), "trials")
        for one in chosen
    ]

    async def go() -> list[TrialResult]:
        engine = await open_engine((path.parent / "engine").as_uri())
        await engine.submit(jobs)
        serving = Serving("trials", 1, "trials")
        worker = asyncio.create_task(engine.serve(serving, programs(trusted=True)))
        if until is not None:
            await asyncio.to_thread(_wait, until)
            worker.cancel()
        await asyncio.gather(worker, return_exceptions=until is not None)
        ended = {end.job_id: end for end in await engine.ends("trials")}
        return [
            from_json(TrialResult, end.result) if end.result else failed(work.trial, end.error)
            for work in chosen
            if (end := ended.get(work.trial.key)) is not None
        ]

    return {one.trial.arm: one for one in asyncio.run(go())}


def _wait(until: Callable[[], bool]) -> None:
    while not until():
        time.sleep(0.01)


def items(count: int) -> list[Item]:
    """So many items without content."""
    return [Item(f"item-{at}", None, "draft", slices={}) for at in range(count)]


def result(
    item: str, arm: str, value: float | None, outcome: TrialOutcome = TrialOutcome.FINISHED
) -> TrialResult:
    """The only trial of `item` in `arm`, with a value of `accepted`."""
    values = {} if value is None else {"accepted": value}
    trial = Trial(f"{item}-{arm}", item, arm, 1, 0)
    return TrialResult(trial, outcome, status=RunStatus.REVIEWED, values=values)


def by_key(results: Sequence[TrialResult]) -> dict[str, TrialResult]:
    """The results by their trials' keys."""
    return {one.trial.key: one for one in results}
