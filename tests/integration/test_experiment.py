"""`foureyes experiment` and `foureyes serve jobs`, as a person uses them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from foureyes.base.files import to_json
from foureyes.engine.file_engine import open_engine
from foureyes.engine.model import Job, JobEnd, JobState, Serving
from foureyes.experiments.folder import ExperimentFolder
from foureyes.experiments.planning import TrialWork, program_of
from foureyes.experiments.trials import programs
from support.commands import EXAMPLES, foureyes_here
from support.experiment_kit import write_experiment


def run_dirs(folder: Path) -> list[Path]:
    """The run directories of an experiment."""
    return sorted(path.parent for path in folder.glob("engine/jobs/**/runs/*/run.json"))


def test_an_experiment_runs_reports_and_compares(tmp_path: Path) -> None:
    write_experiment(tmp_path)
    ran = foureyes_here("experiment", "run", "experiment.yaml", cwd=tmp_path)
    assert ran.returncode == 2, ran.stderr  # Two items never decide.
    assert "4/4" in ran.stderr
    [folder] = (tmp_path / "experiments").iterdir()
    assert len(run_dirs(folder)) == 4

    told = foureyes_here("experiment", "report", folder, "--json", cwd=tmp_path)
    analysis = json.loads(told.stdout)
    assert analysis["conclusion"] == "inconclusive"
    comparison = analysis["declared"][0]["concluded"]["comparison"]
    assert (comparison["control"]["mean"], comparison["treatment"]["mean"]) == (0, 1)
    assert all((tmp_path / flip["treatment_run"]).is_dir() for flip in analysis["flips"])
    assert "INCONCLUSIVE" in (folder / "report.md").read_text(encoding="utf-8")
    links = re.findall(r'href="\./([^"]+)"', (folder / "report.html").read_text(encoding="utf-8"))
    assert len(links) == 2 * len(analysis["flips"])
    assert all((folder / link).is_file() for link in links)

    again = foureyes_here("experiment", "resume", folder, "--quiet", cwd=tmp_path)
    assert again.returncode == 2
    assert len(run_dirs(folder)) == 4

    shown = json.loads(foureyes_here("experiment", "status", folder, "--json", cwd=tmp_path).stdout)
    assert (shown["state"], shown["ended"], shown["errors"]) == ("finished", 4, 0)

    both = foureyes_here("experiment", "compare", folder, folder, cwd=tmp_path)
    assert both.returncode == 2
    assert "conclusion: inconclusive" in both.stdout


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_experiment_goes_on_where_it_was(how: signal.Signals, tmp_path: Path) -> None:
    write_experiment(tmp_path, concurrency=1)
    command = [sys.executable, "-m", "pipeline", "experiment", "run", "experiment.yaml"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=os.environ
    )
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("experiments/*/results.jsonl")) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(how)
    _, told = process.communicate(timeout=60)
    [folder] = (tmp_path / "experiments").iterdir()
    if how is signal.SIGINT:
        assert process.returncode == 130
        assert f"foureyes experiment resume experiments/{folder.name}" in told.decode()
    before = (folder / "results.jsonl").read_text(encoding="utf-8")
    begun = run_dirs(folder)
    assert 1 <= before.count("\n") < 4

    gone_on = foureyes_here("experiment", "resume", folder, "--quiet", cwd=tmp_path)
    assert gone_on.returncode == 2, gone_on.stderr
    after = (folder / "results.jsonl").read_text(encoding="utf-8")
    assert after.startswith(before)
    assert after.count("\n") == len(run_dirs(folder)) == 4
    assert set(begun) <= set(run_dirs(folder))


def test_a_worker_helps_and_leaves_alone_what_needs_trust(tmp_path: Path) -> None:
    variants = {
        "reviewer": {"mode": "analyze_and_review", "fetch": "none"},
        "parallel": {"mode": "analyze_and_review", "fetch": "none", "max_parallel": 1},
    }
    path = write_experiment(tmp_path, variants=variants, metrics={"primary": "accepted"})
    folder = ExperimentFolder.create(path, tmp_path / "experiments", trusted=True)

    async def help_out() -> list[JobState]:
        engine = await open_engine(folder.engine_url)
        work = folder.plan().work
        await engine.submit(
            [
                Job(f"{one.trial.key}-0", program_of(one), to_json(TrialWork, one), folder.group)
                for one in work
            ]
        )
        both, ended = asyncio.Event(), list[str]()

        def heard(end: JobEnd) -> None:
            ended.append(end.job_id)
            if len(ended) == 2:
                both.set()

        helper = asyncio.create_task(
            engine.serve(Serving("helper"), programs(trusted=False), heard)
        )
        async with asyncio.timeout(60):
            await both.wait()
        helper.cancel()
        await asyncio.gather(helper, return_exceptions=True)
        return [one.state for one in await engine.status(folder.group)]

    assert Counter(asyncio.run(help_out())) == {JobState.DONE: 2, JobState.QUEUED: 2}
    refused = foureyes_here("experiment", "resume", folder.path, cwd=tmp_path)
    assert refused.returncode == 4
    assert "add --trust" in refused.stderr
    ended = foureyes_here("experiment", "resume", folder.path, "--trust", "--quiet", cwd=tmp_path)
    assert ended.returncode == 2, ended.stderr
    assert len(folder.results()) == 4


def test_a_trial_that_cannot_run_is_an_error_of_its_own(tmp_path: Path) -> None:
    write_experiment(
        tmp_path,
        variants={
            "reviewer": {"mode": "analyze_and_review", "fetch": "none"},
            "broken": {"mode": "analyze_and_review", "gate_policy": "nobody:home",
                       "with_fact_checker": True, "fetch": "none"},
        },
        metrics={"primary": "accepted"},
    )  # fmt: skip
    ran = foureyes_here("experiment", "run", "experiment.yaml", "--trust", "--json", cwd=tmp_path)
    arms = {arm["arm"]: arm for arm in json.loads(ran.stdout)["arms"]}
    assert (arms["reviewer"]["finished"], arms["broken"]["errors"]) == (2, 2)


def test_a_cancelled_or_stopped_experiment_can_go_on(tmp_path: Path) -> None:
    write_experiment(tmp_path, budgets={"minutes": 0.000001}, concurrency=1)
    stopped = foureyes_here("experiment", "run", "experiment.yaml", "--quiet", cwd=tmp_path)
    assert stopped.returncode == 3, stopped.stderr
    [folder] = (tmp_path / "experiments").iterdir()
    assert json.loads((folder / "experiment.json").read_text())["state"] == "budget"
    write_experiment(tmp_path)
    (folder / "experiment.yaml").write_text((tmp_path / "experiment.yaml").read_text())
    gone_on = foureyes_here("experiment", "resume", folder, "--quiet", cwd=tmp_path)
    assert gone_on.returncode == 2, gone_on.stderr
    assert len((folder / "results.jsonl").read_text().splitlines()) == 4


def test_results_of_others_are_judged_and_not_run(tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text(
        "item,arm,passed\n" + "".join(f"i{at},old,0\ni{at},new,1\n" for at in range(10))
    )
    declared = ("--primary", "passed", "--direction", "higher", "--scale", "binary", "--json")
    told = foureyes_here("experiment", "import", "results.csv", *declared, cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["conclusion"] == "better"
    [folder] = (tmp_path / "experiments").iterdir()
    again = foureyes_here("experiment", "report", folder, cwd=tmp_path)
    assert again.returncode == 0
    assert f"report: {folder / 'report.html'}" in again.stdout.replace("\n", "")
    assert (folder / "report.md").exists()
    assert (folder / "report.html").exists()
    page = tmp_path / "compared.html"
    both = foureyes_here(
        "experiment", "compare", folder, folder, "--arm", "new", "--out", page, cwd=tmp_path
    )
    assert both.returncode == 2
    assert "compared with" in page.read_text(encoding="utf-8")
    run = foureyes_here("experiment", "resume", folder, cwd=tmp_path)
    assert (run.returncode, "has imported results, and none to run" in run.stderr) == (4, True)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("results.csv",), "it is not said which metric decides"),
        (("gone.csv", "--primary", "x", "--direction", "higher", "--failure", "0"), "gone.csv"),
        (("x.txt", "--primary", "x", "--direction", "higher", "--failure", "0"), "endings"),
        (("a.csv", "--declared", "a.yaml", "--primary", "x"), "leave out the other options"),
    ],
)
def test_a_wrong_import_is_one_line(
    arguments: tuple[str, ...], expected: str, tmp_path: Path
) -> None:
    for name in ("results.csv", "x.txt", "a.csv", "a.yaml"):
        (tmp_path / name).touch()
    told = foureyes_here("experiment", "import", *arguments, cwd=tmp_path)
    assert told.returncode == 4
    assert expected in told.stderr
    assert told.stderr.count("\n") == 1


@pytest.mark.soak
def test_the_shipped_experiment_finds_the_planted_benefit(tmp_path: Path) -> None:
    ran = foureyes_here(
        "experiment", "run", EXAMPLES / "experiment" / "experiment.yaml", "--json", cwd=tmp_path
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["conclusion"] == "better"
