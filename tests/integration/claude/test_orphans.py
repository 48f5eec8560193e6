"""However our process ends, no CLI is left, though its server holds every answer back."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from foureyes import ClaudeBackend, Turn, TurnUsage
from foureyes.backends.claude._launcher import bundled_cli, leash
from support.claude_turn import (
    DUMMY_KEY,
    FORM,
    MakeSettings,
    child_processes,
    fills,
    laid_out,
    read,
    review_task,
    until,
    working_folder,
)
from support.messages_server import (
    Answer,
    Fault,
    MessagesServer,
    Reply,
    Request,
    Trouble,
    scripted,
)
from support.runs import GOOD_DRAFT, write_case

pytestmark = pytest.mark.cli

SESSION_FIELD = 3
"""Of ``/proc/PID/stat``, counted after the command's name."""


def alive_in(session: int) -> list[str]:
    """The command names of a session's processes, orphans too; zombies do not count."""
    names: list[str] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text().partition("(")[2].rpartition(")")
        except OSError:
            continue
        fields = rest.split()
        if fields[SESSION_FIELD] == str(session) and fields[0] != "Z":
            names.append(name)
    return names


def within(seconds: float, condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


@contextmanager
def waiting(
    server: MessagesServer, folder: Path, fault: Fault, critics: int = 1
) -> Generator[subprocess.Popen[bytes]]:
    """The command, in a session of its own, while a CLI or two wait for the server."""
    server.default = lambda _request: Trouble(fault)
    write_case(folder, GOOD_DRAFT)
    options = ["--draft", "draft.md", "--sources", "sources", "--quiet"]
    options += ["--with-fact-checker"] * (critics - 1)
    connection = ["--backend", "claude", "--base-url", server.url, "--api-key-env", "TEST_KEY"]
    command = subprocess.Popen(
        [sys.executable, "-m", "pipeline", "run", *connection, *options, "brief.md"],
        cwd=folder,
        env={**os.environ, "TEST_KEY": DUMMY_KEY},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with command:
        try:
            assert within(90, lambda: len({request.turn for request in server.requests}) == critics)
            assert alive_in(command.pid).count("claude") == critics
            yield command
        finally:
            command.kill()


@pytest.mark.parametrize(
    "fault", [Fault.SLOW_HEADERS, pytest.param(Fault.STALLED_STREAM, marks=pytest.mark.soak)]
)
def test_a_killed_process_leaves_no_cli(
    server: MessagesServer, tmp_path: Path, fault: Fault
) -> None:
    with waiting(server, tmp_path, fault, critics=2) as command:
        command.send_signal(signal.SIGKILL)
        assert within(2, lambda: alive_in(command.pid) == [])


# A terminal sends the second, as the next test shows.
@pytest.mark.parametrize(
    "name",
    [
        signal.SIGTERM,
        *(pytest.param(one, marks=pytest.mark.soak) for one in (signal.SIGINT, signal.SIGHUP)),
    ],
)
def test_a_signal_to_us_leaves_no_cli(
    server: MessagesServer, tmp_path: Path, name: signal.Signals
) -> None:
    with waiting(server, tmp_path, Fault.SLOW_HEADERS) as command:
        command.send_signal(name)
        assert within(20, lambda: alive_in(command.pid) == [])


def test_ctrl_c_in_a_terminal_leaves_no_cli(server: MessagesServer, tmp_path: Path) -> None:
    with waiting(server, tmp_path, Fault.SLOW_HEADERS) as command:
        os.killpg(command.pid, signal.SIGINT)
        assert within(20, lambda: alive_in(command.pid) == [])


def test_a_second_ctrl_c_ends_all_at_once(server: MessagesServer, tmp_path: Path) -> None:
    with waiting(server, tmp_path, Fault.SLOW_HEADERS) as command:
        for _ in range(2):
            command.send_signal(signal.SIGINT)
            time.sleep(0.02)
        assert within(2, lambda: alive_in(command.pid) == [])


def test_a_cli_whose_parent_went_before_it_asked_does_not_start(tmp_path: Path) -> None:
    program = leash(bundled_cli(), tmp_path)
    assert program is not None
    # Here the shell, not the process that the leash was made for, is the parent.
    done = subprocess.run(
        ["sh", "-c", f"{program} --version; true"], capture_output=True, text=True, check=True
    )
    assert (done.stdout, "the parent process is gone" in done.stderr) == ("", True)


def test_the_leash_is_the_cli_with_its_arguments_and_code(tmp_path: Path) -> None:
    script = tmp_path / "a 'cli'"
    script.write_text('#!/bin/sh\nprintf "%s|" "$@"; exit 3\n')
    script.chmod(0o755)
    program = leash(script, tmp_path)
    assert program not in (None, script)
    done = subprocess.run([str(program), "--x", "a b", ""], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (3, b"--x|a b||")


def test_a_missing_cli_is_left_to_the_sdk_to_tell_of(tmp_path: Path) -> None:
    assert leash(tmp_path / "nowhere", tmp_path) == tmp_path / "nowhere"


@pytest.mark.parametrize("pause_s", [0, pytest.param(0.01, marks=pytest.mark.soak)])
async def test_a_turn_that_is_cancelled_twice_leaves_no_cli(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path, pause_s: float
) -> None:
    server.default = lambda _request: Trouble(Fault.SLOW_HEADERS)
    task = review_task()
    turn = asyncio.create_task(ClaudeBackend(settings()).run(task, laid_out(task, tmp_path)))
    await until(lambda: bool(server.requests))
    turn.cancel()
    await asyncio.sleep(pause_s)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert "claude" not in child_processes()


async def test_a_turn_that_is_cancelled_says_what_it_has_used(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path
) -> None:
    def rule(request: Request) -> Answer:
        form = working_folder(request) / FORM
        return scripted(Reply("", (read(form),)), Trouble(Fault.SLOW_HEADERS))(request)

    server.default = rule
    used: list[TurnUsage] = []
    task = review_task(on_cancelled=used.append)
    turn = asyncio.create_task(ClaudeBackend(settings()).run(task, laid_out(task, tmp_path)))
    await until(lambda: len(server.requests) == 2)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    (told,) = used
    assert (told.requests, told.tool_calls) == (1, 1)
    assert told.cost_usd
    assert told.cost_usd > 0
    assert 0 < told.cpu_s < 30


async def test_a_turn_may_run_in_another_thread_than_the_first(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path
) -> None:
    server.default = fills()
    task = review_task()
    work = ClaudeBackend(settings()).run(task, laid_out(task, tmp_path))
    assert isinstance(await asyncio.to_thread(asyncio.run, work), Turn)
