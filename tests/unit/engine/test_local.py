"""The local engine: one run directory, held, resumable after a kill at any moment."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

import pytest
from foureyes import RunDirectoryError, RunStatus, SettingsError, TurnUsage
from foureyes.core.run_store import RunStore
from foureyes.datatypes import BudgetConfig
from foureyes.engine.local import open_run
from support.loop_agents import new_store
from support.programs import Program
from unit.engine import killable_run

TURNS = 3 * killable_run.ITERATIONS
LAST_DRAFT = (
    "+1()+2(fact_checker-1,reviewer-1)+3(fact_checker-2,reviewer-2)+4(fact_checker-3,reviewer-3)"
)


def test_a_run_is_held_while_it_is_open(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    again = open_run(RunStore.open(store.path))
    with open_run(store), pytest.raises(RunDirectoryError, match="in use by pid"), again:
        pass


def test_the_budget_goes_on_from_what_earlier_sittings_used(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    with open_run(store, fetch_allowances={"fact_checker": 5}) as run:
        usage = TurnUsage(cost_usd=Decimal("0.75"))
        run.analytics.record_turn("fact_checker", 1, usage, "ok")
    with open_run(store, fetch_allowances={"fact_checker": 5}) as run:
        assert run.analytics.agents()[0].fetch_allowance == 5
        limits = BudgetConfig(max_usd=Decimal(1))
        assert run.analytics.spent().usage.cost_usd == Decimal("0.75")
        run.budget(limits, priced=True)
        with pytest.raises(SettingsError):
            run.budget(limits, priced=False)


class Killed:
    """A run of several sittings, each but the last ended by SIGKILL."""

    def __init__(self, root: Path) -> None:
        self.store = new_store(root)
        self.log = root / "log.txt"
        self.sittings = 0

    def sit(self, seconds: float) -> bool:
        """One sitting, killed `seconds` after its first work; whether it came to its end."""
        done = self.finished_steps()
        started = len(self.started())
        command = [sys.executable, killable_run.__file__, str(self.store.path), str(self.log)]
        with Program[bytes](command) as process:
            self._wait_for_work(process, started)
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.kill()
        self.sittings += 1
        assert done.isdisjoint(self.started()[started:])
        return process.returncode == 0

    def _wait_for_work(self, process: subprocess.Popen[bytes], started: int) -> None:
        while process.poll() is None and len(self.started()) == started:
            time.sleep(0.005)

    def started(self) -> list[str]:
        return self.log.read_text(encoding="utf-8").split() if self.log.exists() else []

    def finished_steps(self) -> set[str]:
        return {path.name.split(".")[0] for path in self.store.journal.glob("*.json")}

    def check_end(self) -> None:
        """The run's result is that of a run that nobody killed."""
        store = RunStore.open(self.store.path)
        manifest = store.manifest
        assert (manifest.status, manifest.best_iteration) == (RunStatus.REVIEWED, 4)
        assert store.read("iterations/analysis_iteration_4.md") == LAST_DRAFT
        assert len(self.finished_steps()) == TURNS
        turns = sum(event.event == "turn" for event in store.events())
        # A kill between a turn's end and its journal entry is the one way to pay twice.
        assert TURNS <= turns <= TURNS + self.sittings
        assert list((store.path / "iterations").glob(".*")) == []


def test_a_killed_run_resumes_to_the_same_end(tmp_path: Path) -> None:
    run = Killed(tmp_path)
    for moment in (0.005, 0.07):
        assert not run.sit(moment)
    assert run.sit(60)
    run.check_end()
    assert RunStore.open(run.store.path).manifest.resumed == 2


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_a_run_killed_at_thirty_random_moments_resumes_to_the_same_end(tmp_path: Path) -> None:
    moments = random.Random(30)
    kills = 0
    while kills < 30:
        folder = tmp_path / f"{kills}"
        folder.mkdir()
        run = Killed(folder)
        while not run.sit(moments.uniform(0, 0.15)):
            kills += 1
        run.check_end()
