"""An experiment with results that no run has made, for its pages: three arms, failures, slices."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from foureyes.core.approval import RunStatus
from foureyes.engine.work_folder import WorkState
from foureyes.experiments.folder import ExperimentFolder
from foureyes.experiments.planning import TrialOutcome, TrialResult, TrialWork, failed

# With it one arm is better and one is inconclusive.
_SEED = 294
ARMS = ("reviewer", "fact_checker", "strict")
_PASSES = {"reviewer": 0.45, "fact_checker": 0.8, "strict": 0.5}
_COSTS = {"reviewer": 0.011, "fact_checker": 0.034, "strict": 0.042}


def write_results(
    folder: Path,
    items: int = 40,
    *,
    arms: Sequence[str] = ARMS,
    named: Callable[[int], str] = "item-{}".format,
    told: Callable[[int], str] = "the backend went away ({})".format,
    missing: int = 0,
) -> ExperimentFolder:
    """The directory of an experiment that has ended but for its last `missing` trials.

    Args:
        folder: Where it is made.
        items: How many there are.
        arms: Their names, the baseline first.
        named: What an item is called instead of its id, which is a plain name.
        told: What errors say.
        missing: How many trials have not ended.
    """
    given = [
        {"id": f"item-{at}", "draft": "It is 5 metres high.", "slices": {"kind": "ab"[at % 2]}}
        for at in range(items)
    ]
    variants = {arm: {"max_iterations": at} for at, arm in enumerate(arms, start=1)}
    metrics = {
        "primary": {"name": "accepted", "margin": 0.1},
        "secondary": [{"name": "coverage", "margin": 0.05}, {"name": "iterations"}],
    }
    written = {"name": "A fact checker beside the reviewer", "items": given, "slices": ["kind"]}
    file = folder / "experiment.yaml"
    file.write_text(
        json.dumps({**written, "variants": variants, "baseline": arms[0], "metrics": metrics})
    )
    made = ExperimentFolder.create(file, folder / "experiments", trusted=True)
    work = made.plan().work
    for number, one in enumerate(work[: len(work) - missing]):
        result = _result(made.path, one, arms, told(number))
        trial = replace(result.trial, item=named(int(result.trial.item.removeprefix("item-"))))
        made.add(replace(result, trial=trial))
    if not missing:
        made.set(WorkState.FINISHED)
    return made


def _result(folder: Path, work: TrialWork, arms: Sequence[str], error: str) -> TrialResult:
    trial = work.trial
    # Of the trial alone: the order of trials hangs on a digest of the whole configuration.
    chance = random.Random(f"{_SEED} {trial.item} {trial.arm} {trial.number}")
    kind = ARMS[arms.index(trial.arm) % len(ARMS)]
    run_dir = folder / "engine" / "jobs" / trial.key / "work" / "runs" / "run"
    if chance.random() < 0.05:
        return failed(trial, error)
    run_dir.mkdir(parents=True)
    (run_dir / "report.html").write_text("<!doctype html><title>A run</title>")
    return TrialResult(
        trial,
        TrialOutcome.INCONCLUSIVE if chance.random() < 0.04 else TrialOutcome.FINISHED,
        status=RunStatus.REVIEWED,
        values={
            "accepted": float(chance.random() < _PASSES[kind]),
            "coverage": round(min(1.0, _PASSES[kind] + chance.gauss(0.15, 0.1)), 3),
            "iterations": float(chance.randint(1, 3)),
        },
        run_dir=str(run_dir),
        cost_usd=round(_COSTS[kind] * chance.uniform(0.8, 1.2), 5),
        tokens_in=chance.randint(900, 1200),
        tokens_out=chance.randint(90, 300),
        seconds=round(chance.uniform(1, 4), 2),
    )
