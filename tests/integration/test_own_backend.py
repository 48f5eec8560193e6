"""A backend of the user's own: the example over a loopback server, whole runs, and its contract."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import foureyes
import pytest
from foureyes import (
    Agent,
    AgentBackend,
    AgentTask,
    BaseAgentConfig,
    Error,
    FailureKind,
    Issue,
    OfflineBackend,
    Reads,
    Recommendation,
    RunStatus,
    Turn,
    TurnUsage,
)
from foureyes.testing import check_backend
from pydantic import BaseModel
from support.chat_server import ChatServer, by_rules, calling
from support.commands import EXAMPLES


def example() -> ModuleType:
    """The example as the module that the child of a test imports."""
    spec = importlib.util.spec_from_file_location("own_backend", EXAMPLES / "own_backend.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


EXAMPLE = example()


def chat_backend(url: str) -> AgentBackend:
    """The example's backend."""
    return cast("AgentBackend", EXAMPLE.ChatBackend(url))


BRIEF = "# Arnsund\n\nWhen did the station begin regular service?\n"


@pytest.fixture
def station(tmp_path: Path) -> Path:
    folder = tmp_path / "station"
    folder.mkdir()
    page = "The Arnsund station began service on 4 May 2019.\n"
    (folder / "report.md").write_text(page, encoding="utf-8")
    return folder


def test_the_example_is_at_most_40_lines() -> None:
    source = (EXAMPLES / "own_backend.py").read_text(encoding="utf-8")
    lines = source.partition("class ChatBackend")[2].partition("\n\n\n")[0].split("\n")
    assert len([line for line in lines if line.strip()]) <= 40


def test_a_whole_run_rejects_revises_and_approves_and_is_replayed(
    station: Path, tmp_path: Path
) -> None:
    with ChatServer() as server:
        result = foureyes.run_analysis(
            BRIEF,
            sources=[station],
            with_fact_checker=True,
            backend=chat_backend(server.url),
            out=tmp_path / "runs",
        )
        asked = len(server.asked)
    assert result.status is RunStatus.APPROVED
    assert result.approval_basis is foureyes.ApprovalBasis.INDEPENDENT_REVIEW
    votes = [one.examinations["reviewer"].recommendation for one in result.iterations]
    assert votes == [Recommendation.REJECT, Recommendation.APPROVE]
    assert "famous" not in result.analysis
    assert result.analytics.total().requests == asked
    assert result.analytics.total().tool_calls == asked // 2
    assert result.run_dir is not None
    assert foureyes.replay_run(result.run_dir, out=tmp_path).status is RunStatus.APPROVED
    assert foureyes.verify_pack(result.run_dir / "evidence_pack.zip").differences == ()


def test_a_run_that_was_killed_goes_on_and_pays_for_nothing_twice(
    station: Path, tmp_path: Path
) -> None:
    def held(body: Mapping[str, Any]) -> Mapping[str, Any]:
        if "revised" in body["messages"][1]["content"] and not go_on.exists():
            reached.touch()
            while not go_on.exists():
                time.sleep(0.02)
        return by_rules(body)

    reached, go_on = tmp_path / "reached", tmp_path / "go_on"
    script = (
        "import sys, foureyes\n"
        f"sys.path.insert(0, {str(EXAMPLES)!r})\n"
        "from own_backend import ChatBackend\n"
        f"foureyes.run_analysis({BRIEF!r}, sources=[{str(station)!r}], with_fact_checker=True,"
        f" backend=ChatBackend(sys.argv[1]), out={str(tmp_path / 'runs')!r})\n"
    )
    with ChatServer(held) as server:
        child = subprocess.Popen([sys.executable, "-c", script, server.url])
        while not reached.exists():
            assert child.poll() is None
            time.sleep(0.02)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        go_on.touch()
        before = len(server.asked)
        (run_dir,) = (tmp_path / "runs").iterdir()
        with pytest.raises(foureyes.RunDirectoryError, match="add --backend"):
            foureyes.resume_run(run_dir)
        end = foureyes.resume_run(run_dir, backend=chat_backend(server.url))
        names = [json.dumps(body["messages"][1]) for body in server.asked[before:]]
    assert end.status is RunStatus.APPROVED
    # The first draft and its examination stand in the journal.
    assert not [name for name in names if "round 1 of" in name]


class Tone(BaseModel):
    """The form of an agent of the user's own."""

    issues: list[Issue]


def test_an_agent_of_ones_own_is_given_what_it_reads_and_the_tools_it_may_use(
    station: Path, tmp_path: Path
) -> None:
    config = BaseAgentConfig(allowed_tools=("Read", "Edit", "find_passages", "read_source"))
    agent = Agent("tone", "LOOK FOR PRAISE", Tone, reads=tuple(Reads), config=config)
    with ChatServer() as server:
        result = foureyes.run_analysis(
            BRIEF,
            sources=[station],
            with_fact_checker=True,
            backend=chat_backend(server.url),
            agents=[agent],
            out=tmp_path / "runs",
        )
        (asked, *_) = (
            body
            for body in server.asked
            if body["messages"][0]["content"].startswith("LOOK FOR PRAISE")
        )
    assert result.status is RunStatus.APPROVED
    prompt = asked["messages"][1]["content"]
    for name in ("brief.md", "analysis.md", "claims.md", "source-1.md", "form.json"):
        assert f"# File {name}\n" in prompt
    tools = {tool["function"]["name"] for tool in asked["tools"]}
    assert tools == {"read_file", "fill_slots", "find_passages", "read_source"}


async def test_the_example_and_the_offline_backend_keep_the_contract() -> None:
    with ChatServer() as server:
        assert await check_backend(chat_backend(server.url)) == ()
    assert await check_backend(OfflineBackend()) == ()


def stubborn(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A model that tries everything it may not, and never ends."""
    wrong = [
        calling("write_document", {"text": "no heading"}),
        calling("fill_slots", {"values": {"/approved": True}}),
        calling("read_file", {"name": "../../etc/passwd"}),
        calling("look_up", {}),
        calling("shell", {"command": "rm"}),
    ]
    return wrong[len(body["messages"]) // 2 % len(wrong)]


async def test_a_model_that_tries_what_it_may_not_breaks_nothing() -> None:
    with ChatServer(stubborn) as server:
        assert await check_backend(chat_backend(server.url), max_turns=10) == ()


class Broken:
    """A backend that breaks one thing."""

    def __init__(self, how: str) -> None:
        self.how = how
        self.name = "" if how == "nameless" else "broken"
        self.independent = True

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        match self.how:
            case "raises":
                raise ConnectionError("no server")
            case "swallows":
                try:
                    await asyncio.sleep(0.2)
                except asyncio.CancelledError:
                    return Error(FailureKind.CRASHED, "stopped")
            case "elsewhere":
                return Turn("another text", TurnUsage())
            case "writes":
                for name in task.readable:
                    (folder / name).write_text("mine", encoding="utf-8")
            case "insistent":
                for tool in (*task.tools, *task.tools):
                    await self.attempt(tool)
            case _:
                pass
        return Turn(task.template, TurnUsage(requests=2 if self.how == "chatty" else 1))

    async def attempt(self, tool: foureyes.ToolSpec) -> None:
        """Call a tool and take no notice."""
        try:
            await tool.handler({})
        except foureyes.ToolFailure:
            return


@pytest.mark.parametrize(
    ("how", "check"),
    [
        ("nameless", "it has a name"),
        ("raises", "a form is filled"),
        ("swallows", "a cancelled turn"),
        ("elsewhere", "a document is written"),
        ("writes", "two turns at once"),
        ("chatty", "a turn has no more answers"),
        ("insistent", "a tool that fails"),
    ],
)
async def test_what_a_backend_breaks_is_named(how: str, check: str) -> None:
    broken = await check_backend(Broken(how))
    assert [breach.check for breach in broken if breach.check.startswith(check)]
    assert isinstance(Broken(how), AgentBackend)


@pytest.mark.parametrize(
    ("backend", "said"),
    [
        ("no_such:BACKEND", "--backend: there is no module 'no_such'"),
        (object(), "'builtins:object' is no backend"),
    ],
)
def test_what_is_no_backend_is_refused_before_the_run(
    backend: Any, said: str, tmp_path: Path
) -> None:
    with pytest.raises(foureyes.SettingsError) as caught:
        foureyes.run_analysis(BRIEF, sources=[tmp_path], backend=backend, out=tmp_path / "runs")
    assert caught.value.message == said


def test_dollars_are_no_limit_where_nobody_knows_the_price(tmp_path: Path) -> None:
    with pytest.raises(foureyes.SettingsError, match="the price of the model is unknown"):
        foureyes.run_analysis(
            BRIEF, sources=[tmp_path], backend=Broken(""), budget_usd=1, out=tmp_path / "runs"
        )


def test_tokens_are(station: Path, tmp_path: Path) -> None:
    with ChatServer() as server:
        result = foureyes.run_analysis(
            BRIEF,
            sources=[station],
            backend=chat_backend(server.url),
            budget_tokens=300,
            out=tmp_path / "runs",
        )
    assert (result.status, result.exit_code) == (
        RunStatus.BUDGET_EXCEEDED,
        foureyes.ExitCode.BUDGET,
    )
