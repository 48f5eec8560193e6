"""How a turn ends when something fails, and that it always ends."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from decimal import Decimal
from pathlib import Path
from urllib.parse import urlsplit

import claude_agent_sdk
import pytest
from foureyes import ClaudeBackend, Error, FailureKind, Turn, TurnLimits
from support.claude_turn import (
    FORM,
    VERDICT,
    MakeSettings,
    Play,
    child_processes,
    edit,
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
    failing_first,
    scripted,
)

pytestmark = pytest.mark.cli

BUNDLED_CLI = Path(claude_agent_sdk.__file__).parent / "_bundled" / "claude"
# Seconds in which a cancelled turn is over on a busy machine; a turn waits for minutes.
AT_ONCE_S = 10


def status(code: int) -> Trouble:
    return Trouble(Fault.STATUS, code)


def reads_forever(request: Request) -> Reply:
    return Reply("", (read(working_folder(request) / FORM, offset=request.step + 1),))


@pytest.mark.parametrize(
    "code", [pytest.param(code, marks=pytest.mark.soak) for code in (429, 500, 529)]
)
async def test_a_failure_in_passing_is_retried(
    server: MessagesServer, play: Play, code: int
) -> None:
    server.default = failing_first(1, status(code), fills())
    turn = await play()
    assert isinstance(turn, Turn)
    assert len(server.requests) == 4


async def test_the_server_says_how_long_to_wait(server: MessagesServer, play: Play) -> None:
    server.default = failing_first(1, Trouble(Fault.STATUS, 429, retry_after_s=2), fills())
    assert isinstance(await play(), Turn)
    first, second, *_ = server.requests
    assert second.started - first.ended >= 2


async def test_nobody_waits_for_an_hour(server: MessagesServer, play: Play) -> None:
    server.default = lambda _request: Trouble(Fault.STATUS, 429, retry_after_s=3600)
    error = await play(retries=3)
    assert isinstance(error, Error)
    assert error.kind is FailureKind.RATE_LIMITED
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("trouble", "kind", "said"),
    [
        pytest.param(status(400), FailureKind.REFUSED, "400", marks=pytest.mark.soak),
        (status(401), FailureKind.AUTH, "401"),
        pytest.param(status(403), FailureKind.AUTH, "403", marks=pytest.mark.soak),
        pytest.param(status(404), FailureKind.REFUSED, "selected model", marks=pytest.mark.soak),
        (status(429), FailureKind.RATE_LIMITED, "429"),
        pytest.param(status(500), FailureKind.UNAVAILABLE, "500", marks=pytest.mark.soak),
        (status(529), FailureKind.UNAVAILABLE, "529"),
        (Trouble(Fault.HTML), FailureKind.UNAVAILABLE, "without receiving"),
        # As in the tests of the probe, which needs no form.
        pytest.param(
            Trouble(Fault.GARBLED_STREAM),
            FailureKind.UNAVAILABLE,
            "Parse error",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            Trouble(Fault.CUT_STREAM), FailureKind.UNAVAILABLE, "lost", marks=pytest.mark.soak
        ),
        (Trouble(Fault.SLOW_HEADERS), FailureKind.TIMEOUT, "timed out"),
    ],
    ids=str,
)
async def test_a_failure_that_stays_is_an_error_of_its_kind(
    server: MessagesServer, play: Play, trouble: Trouble, kind: FailureKind, said: str
) -> None:
    server.default = lambda _request: trouble
    started = time.monotonic()
    error = await play(request_timeout_s=2)
    assert isinstance(error, Error)
    assert error.kind is kind
    assert said in error.message
    assert "\n" not in error.message
    assert error.partial == review_task().template
    assert len(server.requests) <= 3
    assert time.monotonic() - started < 10


async def test_a_stream_that_falls_silent_is_a_timeout(server: MessagesServer, play: Play) -> None:
    server.default = lambda _request: Trouble(Fault.STALLED_STREAM)
    started = time.monotonic()
    error = await play(retries=0, idle_timeout_s=1)
    assert isinstance(error, Error)
    assert error.kind is FailureKind.TIMEOUT
    # The CLI waits at least 10 s.
    assert time.monotonic() - started < 15


async def test_a_server_that_is_not_there_is_unavailable(play: Play) -> None:
    error = await play(base_url="http://127.0.0.1:9")
    assert isinstance(error, Error)
    assert error.kind is FailureKind.UNAVAILABLE
    assert "the model server 127.0.0.1:9 cannot be reached" in error.message


async def test_a_failure_in_the_middle_keeps_the_file_and_the_bill(
    server: MessagesServer, play: Play
) -> None:
    def rule(request: Request) -> Answer:
        form = working_folder(request) / FORM
        script = Reply("", (read(form),)), Reply("", (edit(form, VERDICT, "approve"),)), status(500)
        return scripted(*script)(request)

    server.default = rule
    error = await play(retries=0)
    assert isinstance(error, Error)
    assert '"verdict": "approve"' in error.partial
    assert error.usage.requests == 2
    assert error.usage.cost_usd
    assert error.usage.cost_usd > 0


async def test_a_turn_without_an_answer_costs_nothing(server: MessagesServer, play: Play) -> None:
    server.default = lambda _request: status(401)
    error = await play()
    assert error.usage.cost_usd == Decimal(0)
    assert error.usage.requests == 0


@pytest.mark.parametrize(
    ("limits", "kind"),
    [
        (TurnLimits(max_turns=3, timeout_s=30), FailureKind.MAX_TURNS),
        (TurnLimits(timeout_s=30, max_cost_usd=Decimal("0.02")), FailureKind.BUDGET),
    ],
)
async def test_an_endless_loop_ends_at_its_limit(
    server: MessagesServer, play: Play, limits: TurnLimits, kind: FailureKind
) -> None:
    server.default = reads_forever
    error = await play(review_task(limits=limits))
    assert isinstance(error, Error)
    assert error.kind is kind
    assert 2 <= len(server.requests) <= 5


WAITS = [Fault.SLOW_HEADERS, pytest.param(Fault.STALLED_STREAM, marks=pytest.mark.soak)]
"""A server that leaves one waiting, before its answer or in it."""


# The next test does so, too.
@pytest.mark.soak
@pytest.mark.parametrize("fault", [Fault.SLOW_HEADERS, Fault.STALLED_STREAM])
async def test_a_turn_ends_at_its_time_limit(
    server: MessagesServer, play: Play, fault: Fault
) -> None:
    server.default = lambda _request: Trouble(fault)
    started = time.monotonic()
    error = await play(review_task(limits=TurnLimits(timeout_s=2)))
    assert isinstance(error, Error)
    assert error.kind is FailureKind.TIMEOUT
    assert error.message == "no answer within 2 s"
    assert time.monotonic() - started < 4


async def test_a_turn_stopped_at_its_time_limit_still_says_what_it_cost(
    server: MessagesServer, play: Play
) -> None:
    def rule(request: Request) -> Answer:
        form = working_folder(request) / FORM
        return scripted(Reply("", (read(form),)), Trouble(Fault.SLOW_HEADERS))(request)

    server.default = rule
    # On a busy machine the first answer may take longer than a limit that is short elsewhere.
    for limit in (2, 4, 8, 16, 32):
        error = await play(review_task(limits=TurnLimits(timeout_s=limit)))
        assert isinstance(error, Error)
        assert error.kind is FailureKind.TIMEOUT
        if error.usage.input_tokens:
            break
    assert error.usage.input_tokens > 0
    assert error.usage.cost_usd
    assert error.usage.cost_usd > 0


@pytest.mark.parametrize("fault", WAITS)
async def test_cancelling_ends_the_session_at_once_and_is_passed_on(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path, fault: Fault
) -> None:
    server.default = lambda _request: Trouble(fault)
    task = review_task()
    turn = asyncio.create_task(ClaudeBackend(settings()).run(task, laid_out(task, tmp_path)))
    await until(lambda: bool(server.requests))
    started = time.monotonic()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert time.monotonic() - started < AT_ONCE_S
    assert "claude" not in child_processes()


async def test_cancelling_during_the_start_leaves_no_process(
    settings: MakeSettings, tmp_path: Path
) -> None:
    task = review_task()
    turn = asyncio.create_task(ClaudeBackend(settings()).run(task, laid_out(task, tmp_path)))
    await until(lambda: "claude" in child_processes())
    started = time.monotonic()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert time.monotonic() - started < AT_ONCE_S


async def test_a_cli_that_is_killed_is_a_crash(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path
) -> None:
    server.default = lambda _request: Trouble(Fault.SLOW_HEADERS)
    script = tmp_path / "cli"
    script.write_text(f'#!/bin/sh\necho $$ > {tmp_path}/pid\nexec {BUNDLED_CLI} "$@"\n')
    script.chmod(0o755)
    task = review_task()
    backend = ClaudeBackend(settings(cli_path=script))
    turn = asyncio.create_task(backend.run(task, laid_out(task, tmp_path / "work")))
    await until(lambda: bool(server.requests))
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
    error = await turn
    assert isinstance(error, Error)
    assert error.kind is FailureKind.CRASHED


@pytest.mark.parametrize(
    ("script", "said"),
    [("echo no licence >&2; exit 3", "no licence"), ("echo '{broken'; sleep 3", "JSON")],
)
async def test_a_cli_that_does_not_work_is_named(
    play: Play, tmp_path: Path, script: str, said: str
) -> None:
    cli = tmp_path / "cli"
    cli.write_text(f"#!/bin/sh\n{script}\n")
    cli.chmod(0o755)
    error = await play(cli_path=cli)
    assert isinstance(error, Error)
    # Whether it went before or after the first word to it is a matter of time.
    assert error.kind in (FailureKind.CRASHED, FailureKind.UNAVAILABLE)
    assert said in error.message


async def test_a_cli_that_is_missing_is_unavailable(play: Play, tmp_path: Path) -> None:
    error = await play(cli_path=tmp_path / "nowhere")
    assert isinstance(error, Error)
    assert error.kind is FailureKind.UNAVAILABLE
    assert "nowhere" in error.message


async def test_a_cli_that_runs_without_our_hooks_is_stopped_before_it_asks_the_model(
    server: MessagesServer, play: Play, tmp_path: Path
) -> None:
    cli = tmp_path / "cli"
    cli.write_text(f'#!/bin/sh\nCLAUDE_CODE_SIMPLE=1 exec {BUNDLED_CLI} "$@"\n')
    cli.chmod(0o755)
    server.default = fills()
    error = await play(cli_path=cli)
    assert isinstance(error, Error)
    assert error.kind is FailureKind.NOT_ARMED
    assert error.partial == review_task().template


async def test_the_file_is_returned_as_it_stands_on_disk(
    server: MessagesServer, play: Play, tmp_path: Path
) -> None:
    form = tmp_path / "work" / FORM

    def rule(request: Request) -> Answer:
        if request.step == 2:
            form.write_bytes(b"{\xff}")
        return fills()(request)

    server.default = rule
    turn = await play()
    assert isinstance(turn, Turn)
    assert turn.text == "{\ufffd}"


@pytest.mark.parametrize(
    "code", [pytest.param(code, marks=pytest.mark.soak) for code in (301, 302, 303, 308)] + [307]
)
async def test_key_and_prompt_follow_no_redirect(
    server: MessagesServer, play: Play, code: int
) -> None:
    with MessagesServer() as elsewhere:
        trouble = Trouble(Fault.REDIRECT, code, location=f"{elsewhere.url}/v1/messages")
        server.default = lambda _request: trouble
        error = await play()
        assert elsewhere.requests == []
    assert isinstance(error, Error)
    assert error.kind is FailureKind.REFUSED
    assert f"redirects to {urlsplit(elsewhere.url).netloc}, which is not followed" in error.message
    assert len(server.requests) == 1


async def test_a_flood_ends_the_session_and_not_the_memory(
    server: MessagesServer, play: Play
) -> None:
    most = 0

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, *(children_memory() or [0]))
            await asyncio.sleep(0.1)

    server.default = lambda _request: Trouble(Fault.FLOOD)
    watching = asyncio.create_task(watch())
    error = await play()
    watching.cancel()
    assert isinstance(error, Error)
    assert error.kind is FailureKind.REFUSED
    assert error.message == "the model server sent more than 8 MiB"
    assert most < 400e6


async def test_many_long_answers_end_the_session_too(server: MessagesServer, play: Play) -> None:
    def long(request: Request) -> Reply:
        return Reply("flood " * 1_200_000, (read(working_folder(request) / FORM),))

    server.default = long
    error = await play()
    assert isinstance(error, Error)
    assert error.message == "the model server sent more than 24 MiB"
    assert len(server.requests) == 4


def children_memory() -> list[int]:
    """The resident bytes of each child of this process."""
    found: list[int] = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        except OSError:
            continue
        if int(fields["PPid"]) == os.getpid():
            found.append(int(fields.get("VmHWM", "0 kB").split()[0]) * 1024)
    return found
