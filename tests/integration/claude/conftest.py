"""The real SDK and the real CLI, held to this machine.

A run of these tests fails if a key or a model setting is in the environment, if a backend would be
pointed elsewhere than at a loopback address, if a request carried another key than the dummy, or if
a process is left over.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from foureyes.backends.claude.backend import ClaudeBackend
from foureyes.backends.claude.settings import ClaudeSettings, Credential, CredentialKind
from foureyes.core.tasks import AgentTask, Error, Role, Turn
from support.claude_turn import (
    DUMMY_KEY,
    MODEL,
    MakeSettings,
    Play,
    child_processes,
    laid_out,
    review_task,
    unsafe,
)
from support.messages_server import MessagesServer


@pytest.fixture(scope="session", autouse=True)
def nothing_can_pay() -> None:
    """Refuse to run where a key, a provider or a user's own settings are within reach."""
    assert unsafe(os.environ) == [], "the environment could pay for a model"
    assert not Path("~").expanduser().samefile("/")
    assert not Path("~/.claude").expanduser().exists()


@pytest.fixture(scope="session")
def running_server() -> Generator[MessagesServer]:
    with MessagesServer() as server:
        yield server


@pytest.fixture
def server(running_server: MessagesServer) -> Generator[MessagesServer]:
    """The shared server, without rules; afterwards every request must have had the dummy key."""
    running_server.reset()
    yield running_server
    keys = {request.headers.get("x-api-key") for request in running_server.requests}
    assert keys <= {DUMMY_KEY}
    assert not any("authorization" in request.headers for request in running_server.requests)


@pytest.fixture
def settings(server: MessagesServer) -> MakeSettings:
    """Make settings; a base URL that is not this machine's is refused."""

    def make(**changes: Any) -> ClaudeSettings:
        given: dict[str, Any] = {
            "credential": Credential(CredentialKind.API_KEY, DUMMY_KEY),
            "base_url": server.url,
            "models": dict.fromkeys(Role, MODEL),
            "retries": 1,
            **changes,
        }
        assert urlsplit(str(given["base_url"])).hostname == "127.0.0.1", "a test would leave"
        return ClaudeSettings(**given)

    return make


@pytest.fixture
def play(settings: MakeSettings, tmp_path: Path) -> Play:
    async def run(task: AgentTask[object] | None = None, **changes: Any) -> Turn | Error:
        task = task or review_task()
        return await ClaudeBackend(settings(**changes)).run(task, laid_out(task, tmp_path / "work"))

    return run


@pytest.fixture(autouse=True)
def leaves_no_process() -> Generator[None]:
    """Fail a test whose CLI outlives it."""
    before = child_processes()
    yield
    assert child_processes() <= before
