"""A run over the CLI that is killed at any moment goes on to the same end, and pays once."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from integration.claude.claude_run import cli_processes
from support.claude_turn import DUMMY_KEY
from support.commands import foureyes_here
from support.kills import final, run_dir_of, start
from support.messages_server import Answer, Fault, MessagesServer, Request, Trouble
from support.model_rules import Plan, plays
from support.runs import GOOD_DRAFT, Outcome, outcome, write_case

pytestmark = [pytest.mark.cli, pytest.mark.timeout(300)]

FALSE = "It is run by the harbour company alone, whose board names the chief engineer [1]."
TRUE = "The municipality of Arnsund holds 60 percent of the shares [1]."
DELAY_S = {"feedback.json": 0.1, "fact_check.json": 0.15}
GONE_S = 10.0
"""How long the sessions of a killed process may take to go."""


@dataclass(frozen=True)
class Story:
    """A draft that is approved, what its model does, and how many turns that takes."""

    draft: str
    plan: Plan
    turns: int


REVISED = Story(
    GOOD_DRAFT.replace("## Cost", f"{FALSE}\n\n## Cost"),
    Plan(corrections={FALSE: TRUE}, verdicts={1: {"alone": "contradicted"}}, delay_s=DELAY_S),
    6,
)


@dataclass
class Office:
    """Commands that are asked of one loopback model."""

    server: MessagesServer

    @property
    def flags(self) -> list[str]:
        return ["--backend", "claude", "--base-url", self.server.url, "--api-key-env", "KILL_KEY"]

    def start(self, folder: Path) -> Popen[bytes]:
        mode = ["--mode", "full_evaluation"]
        return start(folder, *self.flags, *mode)

    def resume(self, run_dir: Path, folder: Path) -> Outcome:
        options = [*self.flags, "--json", "--quiet"]
        command = foureyes_here("resume", run_dir, *options, cwd=folder)
        assert command.stdout, command.stderr
        return outcome(command, folder)

    def requests(self) -> Counter[str]:
        return Counter(request.turn for request in self.server.requests)


@dataclass(frozen=True)
class Reference:
    """The run that nobody stopped, its seconds from the directory to the end, and its requests."""

    story: Story
    result: dict[str, Any]
    seconds: float
    requests: Counter[str]


@pytest.fixture(scope="module")
def office() -> Generator[Office]:
    with MessagesServer() as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("KILL_KEY", DUMMY_KEY)
        yield Office(server)
        assert {request.headers["x-api-key"] for request in server.requests} == {DUMMY_KEY}


@pytest.fixture(scope="module")
def reference(
    office: Office, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Reference:
    story: Story = request.param
    office.server.reset()
    office.server.default = plays(story.plan)
    folder = tmp_path_factory.mktemp("reference")
    write_case(folder, story.draft)
    with office.start(folder) as program:
        run_dir = run_dir_of(program, folder)
        began = time.monotonic()
        program.wait(120)
        seconds = time.monotonic() - began
    requests = office.requests()
    whole = office.resume(run_dir, folder)
    assert office.requests() == requests
    assert whole.json["status"] == "approved"
    assert len(requests) == story.turns
    return Reference(story, final(whole), seconds, requests)


def killed_after(office: Office, folder: Path, seconds: float) -> Path | None:
    """Start a run and kill its process, and only that; None if the run was faster."""
    with office.start(folder) as program:
        run_dir = run_dir_of(program, folder)
        time.sleep(seconds)
        os.kill(program.pid, signal.SIGKILL)
        ended = program.wait(30) != -signal.SIGKILL
    return None if ended else run_dir


def gone(folder: Path) -> bool:
    deadline = time.monotonic() + GONE_S
    while cli_processes(folder) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not cli_processes(folder)


def kill_and_compare(
    office: Office, reference: Reference, folder: Path, chance: random.Random
) -> None:
    for attempt in range(10):
        case = folder / str(attempt)
        write_case(case, reference.story.draft)
        before = office.requests()
        run_dir = killed_after(office, case, chance.random() * reference.seconds)
        if run_dir is None:
            continue
        assert gone(case)
        finished = {path.name.split(".")[0] for path in (run_dir / "journal").iterdir()}
        paid = office.requests()
        run = office.resume(run_dir, case)
        assert final(run) == reference.result
        again = {turn.replace("/", "-") for turn in office.requests() - paid}
        assert again.isdisjoint(finished)
        assert_counted_once(run, office.requests() - before, reference)
        return
    raise AssertionError("no run could be killed under way")


def assert_counted_once(run: Outcome, asked: Counter[str], reference: Reference) -> None:
    """Every turn was asked for, and the bill holds no request that was not made."""
    assert asked >= reference.requests
    counted = run.artefact("analytics.json")["total"]["requests"]
    assert reference.requests.total() <= counted <= asked.total()


CHECKER = "1/fact_checker/batch-01"


# At any moment, and with a draft that is revised, it is killed by the soak, and without a CLI.
def test_a_run_that_is_killed_when_one_critic_is_done_asks_for_the_other_alone(
    office: Office, tmp_path: Path
) -> None:
    office.server.reset()
    asked = threading.Event()

    def rule(request: Request) -> Answer:
        if request.turn == CHECKER and request.step:
            asked.set()
            return Trouble(Fault.SLOW_HEADERS)
        return plays(Plan())(request)

    office.server.default = rule
    write_case(tmp_path, GOOD_DRAFT)
    with office.start(tmp_path) as program:
        journal = run_dir_of(program, tmp_path) / "journal"
        assert asked.wait(60)
        deadline = time.monotonic() + 60
        while not [*journal.glob("1-reviewer.*")] and time.monotonic() < deadline:
            time.sleep(0.01)
        program.kill()
        assert program.wait(30) == -signal.SIGKILL
    assert gone(tmp_path)
    finished = {path.name.split(".")[0] for path in journal.iterdir()}
    paid = office.requests()
    office.server.default = plays(Plan())
    run = office.resume(journal.parent, tmp_path)
    assert (run.json["status"], final(run)["analysis"]) == ("approved", GOOD_DRAFT)
    assert {*(office.requests() - paid)} == {CHECKER, "1/judge"}
    assert {"1-reviewer"} <= finished
    counted = run.artefact("analytics.json")["total"]["requests"]
    assert counted <= office.requests().total()


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 120))
@pytest.mark.parametrize("reference", [REVISED], ids=["revised"], indirect=True)
def test_twenty_killed_runs_go_on_to_the_same_end(
    seed: int, office: Office, reference: Reference, tmp_path: Path
) -> None:
    kill_and_compare(office, reference, tmp_path, random.Random(seed))
