"""The command with the Claude backend: the real SDK and CLI against a model on this machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.claude_turn import DUMMY_KEY
from support.commands import foureyes, foureyes_here
from support.messages_server import MessagesServer, Reply, ToolCall
from support.model_rules import Plan, plays
from support.runs import GOOD_DRAFT, outcome, write_case

pytestmark = pytest.mark.cli


def test_another_model_server_is_named_with_its_key_and_its_critics_count(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    with MessagesServer() as server:
        server.default = plays(Plan())
        connection = ["--backend", "claude", "--base-url", server.url, "--api-key-env", "OWN_KEY"]
        command = foureyes(
            *connection,
            *("--model", "local", "--with-fact-checker", "--draft", "draft.md"),
            *("--sources", "sources", "--json", "--quiet", "brief.md"),
            cwd=tmp_path,
            env={"OWN_KEY": DUMMY_KEY, "ANTHROPIC_API_KEY": "not-for-this-address"},
        )
        run = outcome(command, tmp_path)
        keys = {request.headers.get("x-api-key") for request in server.requests}
    assert (command.returncode, command.stderr) == (0, "")
    assert run.json["headline"] == "approved by independent critics"
    assert keys == {DUMMY_KEY}
    assert DUMMY_KEY not in (run.run_dir / "config.json").read_text(encoding="utf-8")
    again = foureyes_here("resume", run.run_dir, cwd=tmp_path)
    assert (again.returncode, "add --backend claude" in again.stderr) == (4, True)


def test_the_doctor_asks_the_server(tmp_path: Path) -> None:
    with MessagesServer() as server:
        server.default = lambda _: Reply("", (ToolCall("Read", {"file_path": "/report.md"}),))
        flags = ["--backend", "claude", "--base-url", server.url, "--api-key-env", "none"]
        flags += ["--model", "local"]
        run = foureyes_here("doctor", *flags, "--json", cwd=tmp_path)
    found = json.loads(run.stdout)
    assert (found["backend"], found["why"]) == ("claude", "--backend says so")
    assert (run.returncode, found["missing"]) == (0, [])
    assert {check["state"] for check in found["checks"]} == {"ok"}
