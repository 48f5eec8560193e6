"""A look ends an experiment on either engine, and watching shows how far it is."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest
from foureyes.base.files import from_json, to_json
from foureyes.cli._experiment import show_until_ended
from foureyes.datatypes import TrialOutcome, TrialResult
from foureyes.engine.file_engine import open_engine
from foureyes.engine.model import JobContext, JobState
from foureyes.engine.work_folder import WorkState
from foureyes.experiments.analysis import analyse
from foureyes.experiments.folder import ExperimentFolder
from foureyes.experiments.planning import PROGRAM, TrialWork
from foureyes.experiments.running import run_experiment
from support.commands import foureyes_here
from support.experiment_kit import FILE
from support.postgres_server import PostgresServer
from support.terminal import at_a_terminal

ITEMS = 60


@pytest.fixture(params=["file", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[str]:
    """The address of an engine that nobody else uses."""
    if request.param == "file":
        yield f"file://{tmp_path}/engine"
        return
    with closing(PostgresServer()) as server:
        yield server.database("looks")


async def trial(payload: str, _context: JobContext) -> str:
    """A trial of no work that only the treatment passes."""
    work = from_json(TrialWork, payload)
    await asyncio.sleep(0.02)
    values = {"accepted": float(work.trial.arm == "fact_checker")}
    told = TrialResult(work.trial, TrialOutcome.FINISHED, values=values)
    return to_json(TrialResult, told, indent=None)


def ignore(_result: TrialResult, _ended: int, _all: int) -> None:
    """Hear of nothing."""


def experiment(folder: Path) -> ExperimentFolder:
    """One that is decided at its first look."""
    drafts = [{"id": f"item-{at}", "draft": "# A\n\nIt is 5 metres high.\n"} for at in range(ITEMS)]
    path = folder / "experiment.yaml"
    changes = {"dataset": None, "items": drafts, "metrics": {"primary": "accepted"}}
    stopping = {"looks": [0.3], "spending": "pocock"}
    path.write_text(json.dumps({**FILE, **changes, "stopping": stopping}), encoding="utf-8")
    return ExperimentFolder.create(path, folder / "out", trusted=False)


def test_a_look_cancels_what_is_left(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = experiment(tmp_path)

    async def go() -> tuple[WorkState, Counter[JobState]]:
        engine = await open_engine(url)
        try:
            work = run_experiment(folder, engine, {PROGRAM: trial}, ignore)
            state, _ = await asyncio.gather(work, show_until_ended(folder, engine))
            ends = Counter(one.state for one in await engine.status(folder.group))
            again = await run_experiment(folder, engine, {PROGRAM: trial}, ignore)
        finally:
            await engine.close()
        assert again is state
        return state, ends

    state, ends = asyncio.run(go())
    assert state is WorkState.FINISHED
    assert set(ends) == {JobState.DONE, JobState.CANCELLED}
    # The 18 items of the look, and what was begun before the others were cancelled.
    assert 36 <= ends[JobState.DONE] < 100
    analysis = analyse(folder.file, folder.plan().items, folder.results())
    [look] = analysis.looks
    assert (look.stops, look.items) == (True, 18)
    assert len((folder.path / "looks.jsonl").read_text("utf-8").splitlines()) == 1

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("state running, trials 120")
    assert lines[-1].startswith("state finished at look 1, trials 120")


def test_status_is_told_line_by_line_on_a_terminal(tmp_path: Path) -> None:
    folder = experiment(tmp_path)
    folder.set(WorkState.CANCELLED)
    code, seen = at_a_terminal(tmp_path, "experiment", "status", str(folder.path), "--watch")
    assert code == 0
    assert "cancelled" in seen
    assert "workers" in " ".join(seen.split())
    refused = foureyes_here("experiment", "status", folder.path, "--watch", "--json", cwd=tmp_path)
    assert refused.returncode == 4
    assert "give one of them" in refused.stderr
