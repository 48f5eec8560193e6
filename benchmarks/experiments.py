"""How fast experiments go on this machine, and how often one without a difference says so.

python benchmarks/experiments.py [--trials 2000] [--seeds 100]

First an experiment whose trials do nothing, as one process on the engine `file:`: trials a second,
memory on the way, and the time of its report. Then the report of as many results with three arms,
three declared metrics, failures and pages to link to. Then A/A: results of two equal arms, by
chance alone, for each seed; how many are inconclusive, with Wilson's interval.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from foureyes.base.files import from_json, to_json
from foureyes.core.approval import RunStatus
from foureyes.engine.file_engine import open_engine
from foureyes.engine.model import JobContext
from foureyes.experiments.analysis import analyse
from foureyes.experiments.file import ExperimentFile
from foureyes.experiments.folder import ExperimentFolder
from foureyes.experiments.markdown import markdown
from foureyes.experiments.page import write_experiment_page
from foureyes.experiments.planning import PROGRAM, Item, Trial, TrialOutcome, TrialResult, TrialWork
from foureyes.experiments.running import run_experiment
from measure import line
from support.experiment_results import write_results

TIMES = 5
ARMS = ("a", "b")
VARIANTS = {"a": {}, "b": {"max_iterations": 2}}


async def trial(payload: str, _context: JobContext) -> str:
    """A trial of no work, which is accepted or not by its seed."""
    work = from_json(TrialWork, payload)
    values = {"accepted": float(work.trial.seed % 2)}
    result = TrialResult(work.trial, TrialOutcome.FINISHED, values=values)
    return to_json(TrialResult, result, indent=None)


def memory_mb() -> float:
    """The most that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def speed(trials: int, folder: Path) -> None:
    """Run an experiment of trials without work, and make its report."""
    items = [
        {"id": f"item-{at}", "draft": "# A\n\nIt is 5 metres high.\n"} for at in range(trials // 2)
    ]
    metrics = {"primary": "accepted"}
    written = {"name": "no work", "items": items, "variants": VARIANTS}
    file = folder / "experiment.yaml"
    file.write_text(json.dumps({**written, "baseline": "a", "metrics": metrics}), encoding="utf-8")
    made = ExperimentFolder.create(file, folder / "experiments", trusted=False)
    marks = {trials // 20, trials // 2, trials}
    held: dict[int, float] = {}

    def heard(_result: TrialResult, number: int, _of: int) -> None:
        if number in marks:
            held[number] = memory_mb()

    engine = await open_engine(made.engine_url)
    began = time.monotonic()
    await run_experiment(made, engine, {PROGRAM: trial}, heard)
    seconds = time.monotonic() - began
    await engine.close()
    print(f"{trials} trials: {trials / seconds:.0f} a second")
    print("memory after " + ", ".join(f"{n}: {mb:.1f} MB" for n, mb in held.items()))
    report(made, "report")


def report(made: ExperimentFolder, what: str) -> None:
    """Make all reports of an experiment `TIMES` times."""
    taken: list[float] = []
    for _ in range(TIMES):
        began = time.monotonic()
        analysis = analyse(made.file, made.plan().items, made.results())
        markdown(analysis)
        write_experiment_page(made, analysis)
        taken.append(time.monotonic() - began)
    low, middle, high = min(taken), statistics.median(taken), max(taken)
    size = (made.path / "report.html").stat().st_size / 1e6
    print(f"{what}: n {TIMES}, min {low:.2f}, median {middle:.2f}, max {high:.2f} s, {size:.2f} MB")


def inconclusive(seeds: int, count: int) -> int:
    """How many of so many experiments with equal arms conclude nothing."""
    told = 0
    for seed in range(seeds):
        chance = random.Random(seed)
        given = [Item(f"item-{at}", None, "draft", slices={}) for at in range(count)]
        written = {"name": "a/a", "variants": VARIANTS, "baseline": "a", "seed": seed}
        items = [{"id": item.id, "draft": "draft"} for item in given]
        metrics = {"primary": "accepted"}
        file = ExperimentFile.model_validate({**written, "items": items, "metrics": metrics})
        results = {one.trial.key: one for one in by_chance(given, chance)}
        told += analyse(file, given, results).conclusion.value == "inconclusive"
    return told


def by_chance(items: Sequence[Item], chance: random.Random) -> list[TrialResult]:
    """A result of each item in each arm; items differ, arms do not."""
    found: list[TrialResult] = []
    for item in items:
        accepted = chance.random()
        for arm in ARMS:
            values = {"accepted": float(chance.random() < accepted)}
            one = Trial(f"{item.id}-{arm}", item.id, arm, 1, 0)
            found.append(
                TrialResult(one, TrialOutcome.FINISHED, status=RunStatus.REVIEWED, values=values)
            )
    return found


def option(name: str, default: int) -> int:
    """A number of the command line."""
    return int(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else default


def main() -> None:
    """Measure and print."""
    load = os.getloadavg()[0]
    print(f"{' '.join(['python benchmarks/experiments.py', *sys.argv[1:]])}; load {load:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        trials = option("--trials", 2000)
        asyncio.run(speed(trials, Path(folder)))
        (Path(folder) / "fuller").mkdir()
        report(write_results(Path(folder) / "fuller", trials // 3), "report of three arms")
    seeds = option("--seeds", 100)
    for count in (12, 40):
        print(line(f"A/A, {count} items: inconclusive", inconclusive(seeds, count), seeds))


if __name__ == "__main__":
    main()
