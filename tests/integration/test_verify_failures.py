"""Kills, a full disk and damaged files in the verify phase: nothing is lost or counted twice."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import foureyes as foureyes_package
import pytest
from foureyes import (
    FoureyesError,
    ReviewAnswer,
    ReviewChoice,
    RunDirectoryError,
    SettlementAnswer,
    SettlementCase,
    verify_pack,
)
from support.commands import foureyes
from support.kills import final, run_dir_of, start
from support.programs import Program
from support.runs import BRIEF, GOOD_DRAFT, Outcome, examine, outcome, write_case

DRAFT = GOOD_DRAFT.replace("$30 billion", "$50 billion").replace("96 mega", "69 mega")
UNSETTLED = "96 megawatts [1]. It employs 140 people [1]. Its dam is 4 km long [1]."
POLICY = "def settle(case):\n    return {'ok': case.iteration == 2, 'reason': 'the second'}\n"
SETTLED = ("--settlement", "policy:settle")


@dataclass(frozen=True)
class Reference:
    """The run that nobody stopped: its end, its verify/ and the seconds of each verify phase."""

    result: dict[str, Any]
    verify: dict[str, bytes]
    summaries: list[dict[str, Any]]
    phases: list[float]


def verify_files(run_dir: Path) -> dict[str, bytes]:
    folder = run_dir / "verify"
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def events(run_dir: Path) -> Iterator[dict[str, Any]]:
    path = run_dir / "events.jsonl"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    for line in text.splitlines():
        if line.endswith("}"):
            yield json.loads(line)


def case(folder: Path, draft: str = DRAFT) -> Path:
    write_case(folder, draft)
    (folder / "policy.py").write_text(POLICY, encoding="utf-8")
    return folder


def resumed(run_dir: Path, folder: Path) -> Outcome:
    command = foureyes("resume", run_dir, "--json", "--quiet", *SETTLED, cwd=folder)
    assert command.stdout, command.stderr
    return outcome(command, folder)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    run = examine(case(tmp_path_factory.mktemp("reference")), *SETTLED, by=foureyes)
    assert run.json["status"] == "approved"
    at = {
        (event["event"], event["iteration"]): datetime.fromisoformat(event["at"])
        for event in run.events()
    }
    phases = [
        (at[end] - at["gathering_evidence", end[1]]).total_seconds()
        for end in (("iteration_ended", 1), ("settled", 2))
    ]
    summaries = run.artefact("run.json")["iterations"]
    return Reference(final(run), verify_files(run.run_dir), summaries, phases)


def killed(folder: Path, iteration: int, seconds: float) -> Path | None:
    """Kill a run so many seconds into the verify phase of an iteration; None if it was faster."""
    with start(folder, "--with-fact-checker", *SETTLED) as program:
        run_dir = run_dir_of(program, folder)
        begun = ("gathering_evidence", iteration)
        while program.poll() is None:
            if any((e["event"], e["iteration"]) == begun for e in events(run_dir)):
                break
            time.sleep(0.002)
        time.sleep(seconds)
        os.killpg(program.pid, signal.SIGKILL)
        return run_dir if program.wait(30) == -signal.SIGKILL else None


def kill_and_compare(folder: Path, reference: Reference, chance: random.Random) -> None:
    for attempt in range(20):
        here = case(folder / str(attempt))
        iteration = chance.choice((1, 2))
        run_dir = killed(here, iteration, chance.random() * reference.phases[iteration - 1])
        if run_dir is None:
            continue
        run = resumed(run_dir, here)
        assert final(run) == reference.result
        assert run.artefact("run.json")["iterations"] == reference.summaries
        assert verify_files(run_dir) == reference.verify
        return
    raise AssertionError("no run could be killed in its verify phase")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(200, 220))
def test_twenty_runs_killed_while_they_verify_go_on_to_the_same_end(
    seed: int, reference: Reference, tmp_path: Path
) -> None:
    kill_and_compare(tmp_path, reference, random.Random(seed))


def in_a_namespace(*command: str) -> list[str]:
    """A command that may mount a disk of its own, or a skip where that is not allowed."""
    inside = ["unshare", "--map-root-user", "--mount"]
    if not shutil.which("unshare") or subprocess.run([*inside, "true"], check=False).returncode:
        pytest.skip("no disk can be mounted here")
    return [*inside, *command]


def test_a_full_disk_is_said_in_one_line_and_the_run_goes_on_when_there_is_room(
    reference: Reference, tmp_path: Path
) -> None:
    script = Path(__file__).with_name("full_disk.py")
    command = in_a_namespace(sys.executable, str(script), str(case(tmp_path)))
    found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert found["code"] == 4
    error, hint = found["said"].splitlines()
    assert "No space left on device (the disk is full: free some space first)" in error
    assert "go on with: foureyes resume" in hint
    assert found["resumed"]["status"] == "approved"
    kept = {name: data.decode() for name, data in reference.verify.items() if "settle" not in name}
    assert found["verify"] == kept


def withhold(given: SettlementCase) -> SettlementAnswer:
    return SettlementAnswer(False, reason=f"iteration {given.iteration}")


@pytest.fixture(scope="module")
def blocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a run that its policy has blocked."""
    folder = case(tmp_path_factory.mktemp("blocked"))
    result = foureyes_package.run_analysis(
        BRIEF,
        draft=DRAFT,
        sources=[folder / "sources"],
        with_fact_checker=True,
        out=folder / "runs",
        settlement=withhold,
    )
    assert result.run_dir is not None
    return result.run_dir


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:50])


def test_damaged_conclusions_are_written_anew(blocked: Path, tmp_path: Path) -> None:
    run_dir = Path(shutil.copytree(blocked, tmp_path / "run"))
    before = verify_files(run_dir)
    for path in (run_dir / "verify").rglob("*.json"):
        cut(path)
    (run_dir / "verify" / "left_by_another_sitting.json").write_text("{}", encoding="utf-8")
    result = foureyes_package.resume_run(run_dir, settlement=withhold)
    assert result.reason.endswith("withholds it: iteration 2")
    assert verify_files(run_dir) == before
    assert verify_pack(run_dir / "evidence_pack.zip").differences == ()


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("sources/*.txt", ".txt does not match its hash"),
        ("sources/" + "?" * 64, "[0-9a-f]{64} does not match its hash"),
        ("journal/2-fact_checker.*", "does not hold a Examination"),
    ],
)
def test_a_damaged_record_is_refused_by_its_name(
    pattern: str, said: str, blocked: Path, tmp_path: Path
) -> None:
    run_dir = Path(shutil.copytree(blocked, tmp_path / "run"))
    for path in run_dir.glob(pattern):
        cut(path)
    with pytest.raises(FoureyesError, match=said):
        foureyes_package.resume_run(run_dir, settlement=withhold)
    assert json.loads((run_dir / "run.json").read_bytes())["status"] == "failed"


def test_a_run_does_not_go_on_without_the_policy_that_it_began_with(blocked: Path) -> None:
    with pytest.raises(RunDirectoryError, match=r"is to be settled by '.*failures:withhold'"):
        foureyes_package.resume_run(blocked)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(300, 306))
def test_a_killed_sitting_after_a_persons_decision_keeps_it(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    folder = case(tmp_path, GOOD_DRAFT.replace("96 megawatts [1].", UNSETTLED))
    waiting = examine(folder, *SETTLED, by=foureyes).run_dir
    queue = foureyes_package.review_queue(waiting)
    answers = [ReviewAnswer(one.subject, ReviewChoice.REJECT, "no") for one in queue.waiting]
    foureyes_package.decide_claims(waiting, answers, by="Ana")
    whole = Path(shutil.copytree(waiting, waiting.parent / "whole"))
    reference = resumed(whole, folder)
    command = [sys.executable, "-m", "pipeline", "resume", str(waiting), "--quiet", *SETTLED]
    for _ in range(3):
        with Program[bytes](command, cwd=folder, stdout=subprocess.DEVNULL) as program:
            time.sleep(chance.uniform(0.5, 4))
            program.kill()
    run = resumed(waiting, folder)
    assert final(run) == final(reference)
    assert verify_files(waiting) == verify_files(whole)
