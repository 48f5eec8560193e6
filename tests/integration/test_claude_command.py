"""The command with the Claude backend: the real SDK and CLI against a model on this machine."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.claude_turn import DUMMY_KEY, edit, fills_probe, working_folder
from support.commands import foureyes_here
from support.messages_server import MessagesServer, Reply, Request, ToolCall
from support.model_rules import Plan, plays
from support.runs import GOOD_DRAFT, outcome, write_case

pytestmark = pytest.mark.cli


def test_another_model_server_is_named_with_its_key_and_its_critics_count(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    with MessagesServer() as server:
        server.default = plays(Plan())
        connection = ["--backend", "claude", "--base-url", server.url, "--api-key-env", "OWN_KEY"]
        command = foureyes_here(
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


AGENT = """
from pydantic import BaseModel
from foureyes import Agent, Issue

class Form(BaseModel):
    summary: str
    issues: list[Issue]

TONE = Agent("tone", "You look for stiff words.", Form)
"""
STIFF = {"quote": "Its 24 turbines", "problem": "This is stiff.", "recommendation": "Say the.",
         "evidence": "", "severity": "high", "replacement": ""}  # fmt: skip


@pytest.mark.parametrize("iterations", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_an_agent_of_ones_own_is_held_like_ours_and_may_do_no_more(
    iterations: int, tmp_path: Path
) -> None:
    """Whatever it objects to is revised in the second iteration."""
    plan = Plan(own={1: [STIFF]}, corrections={"Its 24 turbines": "The 24 turbines"})
    write_case(tmp_path, GOOD_DRAFT)
    (tmp_path / "tone.py").write_text(AGENT, encoding="utf-8")

    def rule(request: Request) -> Reply:
        reply = plays(plan)(request)
        if request.turn == "1/tone" and request.step == 1:
            folder = working_folder(request)
            bad = edit(folder / "analysis.md", "# The", "# Approved: the")
            return replace(reply, calls=(bad, ToolCall("Bash", {"command": "id"}), *reply.calls))
        return reply

    with MessagesServer() as server:
        server.default = rule
        command = foureyes_here(
            *("--backend", "claude", "--base-url", server.url, "--api-key-env", "OWN_KEY"),
            *("--model", "local", "--model", "own_agent=small", "--with-fact-checker"),
            *("--draft", "draft.md", "--sources", "sources", "--agents", "tone.py:TONE"),
            *("--max-iterations", str(iterations), "--json", "--quiet", "brief.md"),
            cwd=tmp_path,
            env={"OWN_KEY": DUMMY_KEY},
        )
        run = outcome(command, tmp_path)
        models = {one.model for one in server.requests if one.turn.endswith("/tone")}
    headlines = ("not approved within the allowed iterations", "approved by independent critics")
    assert (command.returncode, command.stderr) == (2 - iterations, "")
    ended = (run.json["headline"], run.json["iterations"])
    assert ended == (headlines[iterations - 1], iterations)
    assert models == {"small"}
    first = json.loads((run.run_dir / "iterations" / "tone_iteration_1.json").read_text("utf-8"))
    assert (first["recommendation"], first["issues"][0]["claim"]) == ("reject", STIFF["quote"])
    refused = [
        event["detail"]
        for event in map(json.loads, (run.run_dir / "events.jsonl").read_text("utf-8").splitlines())
        if event["event"] == "tool_refused" and event["agent"] == "tone"
    ]
    assert [one.split(": ")[1] for one in refused] == ["Edit", "Bash"]
    counted = [one["turns"] for one in run.json["agents"] if one["agent"] == "tone"]
    assert counted == [1] * iterations


def test_the_doctor_asks_the_server(tmp_path: Path) -> None:
    with MessagesServer() as server:
        server.default = fills_probe
        flags = ["--backend", "claude", "--base-url", server.url, "--api-key-env", "none"]
        flags += ["--model", "local"]
        run = foureyes_here("doctor", *flags, "--json", cwd=tmp_path)
    found = json.loads(run.stdout)
    assert (found["backend"], found["why"]) == ("claude", "--backend says so")
    assert (run.returncode, found["missing"]) == (0, [])
    assert {check["state"] for check in found["checks"]} == {"ok"}
