"""The real CLI loads the plugin, and gives its agents what they may have and nothing else."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, SystemMessage
from foureyes import ClaudeSettings, Credential, CredentialKind
from foureyes.backends.claude._launcher import bundled_cli, leash
from foureyes.backends.claude.settings import session_environment
from plugin_texts import PLUGIN, written
from support.claude_turn import DUMMY_KEY, MODEL, edit, read, review_task, until
from support.messages_server import Answer, Exchange, MessagesServer, Reply, Request, ToolCall

pytestmark = pytest.mark.cli

NAME = "document-review-pipeline"
BODIES = {
    Path(name).stem: text.split("---\n", 2)[2].strip()
    for name, text in written().items()
    if name.startswith("agents/")
}
"""What each agent is told, by its name."""
TOOLS = {name: {"Read", "Grep"} for name in BODIES} | {"web-verifier": {"Read", "WebSearch"}}
FORBIDDEN = (
    ToolCall("WebSearch", {"query": "length of the bridge"}),
    ToolCall("WebFetch", {"url": "http://127.0.0.1:9/", "prompt": "Read it."}),
    ToolCall("Bash", {"command": "echo all is well > findings.md"}),
    ToolCall("Write", {"file_path": "findings.md", "content": "All is well."}),
    edit("doc.md", "two", "three", replace_all=False),
    ToolCall("Agent", {"description": "d", "prompt": "p", "subagent_type": f"{NAME}:smoke-test"}),
    ToolCall("Skill", {"skill": f"{NAME}:document-review"}),
)
"""What no agent has, but the web verifier its search."""
NEEDED = (
    read("doc.md"),
    ToolCall("Skill", {"skill": f"{NAME}:document-review"}),
    ToolCall("Bash", {"command": "sha256sum doc.md"}),
    ToolCall("Write", {"file_path": "reviews/today_doc/findings.md", "content": "T-1\n"}),
    edit("reviews/today_doc/findings.md", "T-1", "T-1, A-1", replace_all=False),
)
"""What the steps of the command take."""
UNASKED = (
    ToolCall("Write", {"file_path": "doc.md", "content": "There are three bridges.\n"}),
    edit("doc.md", "two", "three", replace_all=False),
    ToolCall("Write", {"file_path": "reviews/../notes.md", "content": "x"}),
    ToolCall("Bash", {"command": "sha256sum doc.md; curl http://127.0.0.1:9/"}),
    ToolCall("Bash", {"command": 'sha256sum "$(touch notes.md)"'}),
    ToolCall("Bash", {"command": "rm -rf reviews"}),
    ToolCall("WebSearch", {"query": "length of the bridge"}),
    ToolCall("WebFetch", {"url": "http://127.0.0.1:9/", "prompt": "Read it."}),
)
"""What the command may do only if the user agrees; in this session nobody does."""
TEXT = "There are two bridges.\n"


def agent_of(request: Request) -> str:
    """Which agent of the plugin asks, "" for the leader."""
    return next((name for name, body in BODIES.items() if body in request.system), "")


def model(request: Request) -> Answer:
    """A leader that does what it may and may not and starts all agents; agents that try all."""
    if agent_of(request):
        return Reply("", FORBIDDEN) if request.step == 0 else Reply("Done.")
    starts = (
        ToolCall(
            "Agent",
            {"description": name, "prompt": "doc.md", "subagent_type": f"{NAME}:{name}"},
        )
        for name in BODIES
    )
    steps = ((*NEEDED, *UNASKED), tuple(starts))
    return Reply("", steps[request.step]) if request.step < len(steps) else Reply("Done.")


@dataclass(frozen=True)
class Played:
    """One session: what the CLI said at its start, what was asked, and what is left."""

    init: dict[str, Any]
    requests: list[Request]
    folder: Path

    def of(self, agent: str) -> list[Request]:
        return [request for request in self.requests if agent_of(request) == agent]

    def last(self, agent: str) -> Request:
        return max(self.of(agent), key=lambda request: request.step)


def environment(url: str, home: Path) -> dict[str, str]:
    """The variables of a session that reaches `url` and nothing else."""
    key = Credential(CredentialKind.API_KEY, DUMMY_KEY)
    settings = ClaudeSettings(credential=key, base_url=url, retries=0)
    return session_environment(settings, review_task(), home, os.environ)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder, home = tmp_path_factory.mktemp("work"), tmp_path_factory.mktemp("home")
    (folder / "doc.md").write_text(TEXT, "utf-8")
    with MessagesServer(default=model) as server:
        yield asyncio.run(play(server, folder, home))
        assert {one.headers.get("x-api-key") for one in server.requests} == {DUMMY_KEY}


async def play(server: MessagesServer, folder: Path, home: Path) -> Played:
    options = ClaudeAgentOptions(
        plugins=[{"type": "local", "path": str(PLUGIN)}],
        permission_mode="dontAsk",
        setting_sources=[],
        strict_mcp_config=True,
        model=MODEL,
        cwd=folder,
        cli_path=leash(None, home),
        env=environment(server.url, home),
    )
    played = Played({}, server.requests, folder)
    async with asyncio.timeout(60), ClaudeSDKClient(options) as client:
        await client.query(f"/{NAME}:review-document doc.md --yes")
        async for message in client.receive_response():
            if isinstance(message, SystemMessage) and message.subtype == "init":
                played.init.update(message.data)
        await until(lambda: all(len(played.of(name)) == 2 for name in BODIES))
    return played


def test_command_agents_and_skill_are_listed(played: Played) -> None:
    init = played.init
    assert f"{NAME}:review-document" in init["slash_commands"]
    assert f"{NAME}:document-review" in init["skills"]
    own = sorted(name for name in init["agents"] if name.startswith(NAME))
    assert own == sorted(f"{NAME}:{name}" for name in BODIES)
    loaded = {one["name"]: one["version"] for one in init["plugins"] if "version" in one}
    assert loaded == {NAME: "0.3.0"}
    assert not init.get("plugin_errors")


def test_the_command_becomes_the_prompt_with_its_arguments(played: Played) -> None:
    leader = played.of("")[0]
    assert "Arguments: doc.md --yes" in leader.prompt
    assert "## 4a-v. Smoke test of the claims" in leader.prompt


@pytest.mark.parametrize("name", BODIES)
def test_an_agent_is_offered_its_tools_and_its_model(played: Played, name: str) -> None:
    request = played.of(name)[0]
    wanted = "opus" if name.startswith("red-") or name == "claim-extractor" else "sonnet"
    assert set(request.tools) == TOOLS[name]
    assert wanted in request.model


@pytest.mark.parametrize("name", BODIES)
def test_an_agent_gets_nothing_that_it_tries_beyond_them(played: Played, name: str) -> None:
    tried = played.last(name).exchanges
    assert [one.call.name for one in tried] == [call.name for call in FORBIDDEN]
    assert all(one.is_error for one in tried)
    unknown = {one.call.name for one in tried if "No such tool" in one.result}
    assert unknown == {call.name for call in FORBIDDEN} - TOOLS[name]


def test_the_command_needs_no_leave_for_its_own_steps(played: Played) -> None:
    assert [one for one in led(played, NEEDED) if one.is_error] == []
    findings = played.folder / "reviews" / "today_doc" / "findings.md"
    assert findings.read_text("utf-8") == "T-1, A-1\n"


def test_the_command_neither_searches_nor_writes_elsewhere_without_leave(played: Played) -> None:
    assert [one.call for one in led(played, UNASKED) if not one.is_error] == []
    left = sorted(path.name for path in played.folder.iterdir())
    assert left == ["doc.md", "reviews"]
    assert (played.folder / "doc.md").read_text("utf-8") == TEXT


def led(played: Played, calls: tuple[ToolCall, ...]) -> list[Exchange]:
    """What came of these calls of the leader."""
    found = [one for one in played.last("").exchanges if one.call in calls]
    assert len(found) == len(calls)
    return found


def test_the_cli_finds_the_plugin_valid(tmp_path: Path) -> None:
    run = subprocess.run(
        [bundled_cli(), "plugin", "validate", PLUGIN, "--strict", "--json"],
        env={"PATH": os.environ["PATH"], **environment("http://127.0.0.1:9", tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    report = json.loads(run.stdout)
    assert report["success"] is True, run.stdout
    assert report["provides"]["agents"] == sorted(f"{NAME}:{name}" for name in BODIES)
