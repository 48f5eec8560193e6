"""A run that is killed at any moment goes on to the same end, and repeats nothing finished."""

from __future__ import annotations

import os
import random
import re
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.commands import foureyes_here
from support.kills import final, run_dir_of, start
from support.runs import GOOD_DRAFT, Outcome, examine, outcome, write_case

FACTS = "--with-fact-checker"
DRAFT = GOOD_DRAFT.replace("$30 billion", "$50 billion").replace("96 mega", "69 mega")


@dataclass(frozen=True)
class Killed:
    """What a killed run left: its directory and the journal's files with their identity."""

    run_dir: Path
    journal: dict[str, tuple[int, int]]


def journal(run_dir: Path) -> dict[str, tuple[int, int]]:
    """Each entry's inode and time of change: a step that ran again has new ones."""
    entries = (run_dir / "journal").glob("*.json")
    return {p.name: (p.stat().st_ino, p.stat().st_mtime_ns) for p in entries}


@dataclass(frozen=True)
class Reference:
    """The run that nobody stopped, and how long it took from its directory to its end."""

    result: dict[str, Any]
    seconds: float


def killed_after(folder: Path, seconds: float) -> Killed | None:
    """Start a run and kill it; None if it was faster."""
    with start(folder, FACTS) as program:
        run_dir = run_dir_of(program, folder)
        time.sleep(seconds)
        os.killpg(program.pid, signal.SIGKILL)
        ended = program.wait(30) != -signal.SIGKILL
    return None if ended else Killed(run_dir, journal(run_dir))


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    folder = tmp_path_factory.mktemp("reference")
    write_case(folder, DRAFT)
    with start(folder, FACTS) as program:
        run_dir_of(program, folder)
        began = time.monotonic()
        program.wait(60)
        seconds = time.monotonic() - began
    other = tmp_path_factory.mktemp("whole")
    write_case(other, DRAFT)
    return Reference(final(examine(other)), seconds)


def resumed(killed: Killed, folder: Path) -> Outcome:
    command = foureyes_here("resume", killed.run_dir, "--json", "--quiet", cwd=folder)
    return outcome(command, folder)


def repeated(run: Outcome, killed: Killed) -> list[str]:
    """Turns that were started again although the journal held their result."""
    events = run.events()
    again = next((i for i, e in enumerate(events) if e["event"] == "run_resumed"), len(events))
    started = [e["detail"] for e in events[again:] if e["event"] == "turn_started"]
    kept = {name.split(".")[0] for name in killed.journal}
    return [name for name in started if re.sub(r"[^A-Za-z0-9_-]+", "-", name) in kept]


def kill_and_compare(folder: Path, reference: Reference, chance: random.Random) -> None:
    for attempt in range(20):
        case = folder / str(attempt)
        write_case(case, DRAFT)
        killed = killed_after(case, chance.random() * reference.seconds)
        if killed is None:
            continue
        assert_goes_on(killed, case, reference.result)
        return
    raise AssertionError("no run could be killed under way")


def assert_goes_on(killed: Killed, folder: Path, result: dict[str, Any]) -> None:
    """Resumed in `folder` it comes to `result`, and repeats nothing that was finished."""
    run = resumed(killed, folder)
    assert final(run) == result
    assert killed.journal.items() <= journal(run.run_dir).items()
    assert repeated(run, killed) == []


# At any moment it is killed by the soak.
def test_a_killed_run_goes_on_to_the_same_end(tmp_path: Path) -> None:
    case, other = tmp_path / "killed", tmp_path / "whole"
    write_case(case, DRAFT)
    with start(case, FACTS) as program:
        run_dir = run_dir_of(program, case)
        while not journal(run_dir) and program.poll() is None:
            time.sleep(0.001)
        os.killpg(program.pid, signal.SIGKILL)
        assert program.wait(30) == -signal.SIGKILL
    killed = Killed(run_dir, journal(run_dir))
    assert killed.journal
    write_case(other, DRAFT)
    assert_goes_on(killed, case, final(examine(other)))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 130))
def test_thirty_killed_runs_go_on_to_the_same_end(
    seed: int, reference: Reference, tmp_path: Path
) -> None:
    kill_and_compare(tmp_path, reference, random.Random(seed))
