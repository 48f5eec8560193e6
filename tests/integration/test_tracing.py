"""What a collector gets of real processes, and what they lose when it is slow, gone or unwanted."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from integration.claude.claude_run import cli_processes
from opentelemetry.semconv._incubating.attributes import (  # pyright: ignore[reportMissingTypeStubs]
    gen_ai_attributes,
)
from opentelemetry.semconv._incubating.metrics import (  # pyright: ignore[reportMissingTypeStubs]
    gen_ai_metrics,
)
from opentelemetry.semconv.attributes import error_attributes, server_attributes
from support.claude_turn import DUMMY_KEY
from support.collector import Collected, Collector, Span
from support.commands import foureyes, foureyes_here
from support.messages_server import Answer, MessagesServer, Request, ToolCall
from support.model_rules import Plan, plays
from support.runs import BRIEF, GOOD_DRAFT, SOURCE, Outcome, outcome, write_case

FACT_CHECK = ("--with-fact-checker", "--sources", "sources", "--as-of", "2026-01-02")
TOLD = ("--json", "--quiet", "brief.md")
FROM_THE_REPOSITORY = {"gen_ai.workflow.duration"}
"""What the conventions have had since the last release that the semconv package is made from."""
LATE_S = 8.0
"""What a command that waits for 3 s in vain may take on a busy machine; the SDK would wait 10 s."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A run with what its collector got; `started` are the variables of the CLI by turn."""

    run: Outcome
    got: Collected
    sent: bytes
    started: Mapping[str, str]


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Traced:
    folder = tmp_path_factory.mktemp("offline")
    wrong = GOOD_DRAFT.replace("212 gigawatt", "312 gigawatt")
    write_case(folder, wrong)
    with Collector() as collector:
        env = {**collector.environment, "OTEL_RESOURCE_ATTRIBUTES": "team=checks"}
        command = foureyes(*FACT_CHECK, "--draft", "draft.md", *TOLD, cwd=folder, env=env)
        sent = b"".join(body for _, body in collector.requests)
        return Traced(outcome(command, folder), collector.collected(), sent, {})


def attributes(span: Span, *names: str) -> list[object]:
    return [span.attributes.get(name) for name in names]


def test_a_run_is_one_trace_with_its_critics_side_by_side(offline: Traced) -> None:
    iteration = [
        "gather_evidence",
        "ask fact_checker",
        "  invoke_agent fact_checker",
        "ask reviewer",
        "  invoke_agent reviewer",
        "conclude",
        "deepen",
    ]
    assert {span.trace for span in offline.got.spans} == {offline.got.spans[0].trace}
    tree = offline.got.tree()
    assert tree[:2] == ["invoke_workflow foureyes.run", "  iteration"]
    critics = offline.got.under(offline.got.named("iteration")[0])
    assert sorted(critics) == sorted(name for name in iteration if not name.startswith(" "))
    assert sorted(tree[2:9]) == sorted("    " + name for name in iteration)
    assert "      invoke_agent analyst" in tree


def test_the_workflow_tells_which_run_it_was_and_how_it_ended(offline: Traced) -> None:
    root = offline.got.one("invoke_workflow foureyes.run")
    manifest = offline.run.artefact("run.json")
    assert root.parent == ""
    assert root.attributes == {
        "gen_ai.operation.name": "invoke_workflow",
        "gen_ai.workflow.name": "foureyes.run",
        "foureyes.run.id": manifest["id"],
        "foureyes.mode": manifest["mode"],
        "foureyes.status": manifest["status"],
        "foureyes.iterations": len(manifest["iterations"]),
    }
    assert offline.got.resource["service.name"] == "foureyes"
    assert offline.got.resource["team"] == "checks"


def test_the_run_directory_names_the_trace(offline: Traced) -> None:
    told = [event for event in offline.run.events() if event["event"] == "traced"]
    assert [event["detail"] for event in told] == [offline.got.spans[0].trace]
    log = foureyes_here("report", "log", offline.run.run_dir, cwd=offline.run.run_dir)
    assert f"traced {offline.got.spans[0].trace}" in log.stdout


def test_a_traced_run_is_replayed_byte_for_byte_and_its_pack_verified(offline: Traced) -> None:
    pack = offline.run.run_dir / "evidence_pack.zip"
    verified = foureyes_here("pack", "verify", pack, cwd=offline.run.run_dir)
    assert verified.returncode == 0, verified.stdout


def test_agents_without_a_model_have_no_tokens(offline: Traced) -> None:
    agents = [span for span in offline.got.spans if span.name.startswith("invoke_agent")]
    assert agents
    for agent in agents:
        assert attributes(agent, "gen_ai.provider.name", "foureyes.backend") == [
            "foureyes",
            "offline",
        ]
        assert not [name for name in agent.attributes if name.startswith("gen_ai.usage")]
    assert offline.got.values("gen_ai.client.token.usage") == []
    assert offline.got.values("foureyes.cost") == []


def test_each_critic_and_the_gate_are_evaluations_of_the_iteration(offline: Traced) -> None:
    first = offline.got.named("iteration")[0]
    votes = offline.run.artefact("run.json")["iterations"][0]
    events = offline.got.events_of(first)
    found = {event.attributes["gen_ai.evaluation.name"]: event.attributes for event in events}
    assert {event.name for event in offline.got.events} == {"gen_ai.evaluation.result"}
    assert {event.trace for event in offline.got.events} == {first.trace}
    assert set(found) == {"reviewer", "fact_checker", "evidence_gate", "critique"}
    for critic, vote in votes["votes"].items():
        assert found[critic]["gen_ai.evaluation.score.label"] == vote
        assert found[critic]["gen_ai.evaluation.score.value"] == (1 if vote == "approve" else 0)
    assert found["fact_checker"]["gen_ai.evaluation.explanation"] == "findings: 1 high"
    gate = found["evidence_gate"]
    assert gate["gen_ai.evaluation.score.label"] == votes["gate"] == "fail"
    assert gate["gen_ai.evaluation.explanation"] == "document: failed_contradiction"


def test_the_metrics_of_a_run(offline: Traced) -> None:
    status = offline.run.json["status"]
    (duration,) = offline.got.values("gen_ai.workflow.duration")
    assert duration.attributes == {
        "gen_ai.workflow.name": "foureyes.run",
        "foureyes.status": status,
    }
    (iterations,) = offline.got.values("foureyes.run.iterations")
    assert iterations.value == len(offline.run.artefact("run.json")["iterations"])
    ledger = offline.run.artefact("verify/claim_ledger.json")["entries"]
    claims = {
        point.attributes["foureyes.verdict"]: point.value
        for point in offline.got.values("foureyes.claims")
    }
    assert sum(claims.values()) == len(ledger)
    assert claims["supported"] == sum(entry["verdict"] == "supported" for entry in ledger)


def test_no_words_of_the_run_are_sent(offline: Traced) -> None:
    texts = " ".join([BRIEF, SOURCE, GOOD_DRAFT])
    words = set(re.findall(r"[A-Za-z]{5,}", texts))
    sent = offline.sent.decode("utf-8", "replace")
    # The last is of `service.name`.
    assert {word for word in words if word in sent} == {"service"}


def conventional() -> set[str]:
    modules = (gen_ai_attributes, error_attributes, server_attributes, gen_ai_metrics)
    values = [value for module in modules for value in vars(module).values()]
    return {value for value in values if isinstance(value, str)} | FROM_THE_REPOSITORY


def names_in(got: Collected) -> Iterator[str]:
    for span in got.spans:
        yield from span.attributes
    for event in got.events:
        yield from event.attributes
    for point in got.points:
        yield point.metric
        yield from point.attributes


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Traced:
    """A run over the real CLI, whose fact checker tries what it may not."""
    folder = tmp_path_factory.mktemp("asked")
    write_case(folder, GOOD_DRAFT)
    started: dict[str, str] = {}
    plan = plays(Plan(asks=lambda _files: WISHES))

    def rule(request: Request) -> Answer:
        for pid in cli_processes(folder, request.turn) if request.turn not in started else ():
            environ = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
            (given,) = (line for line in environ if line.startswith("TRACEPARENT="))
            started[request.turn] = given.removeprefix("TRACEPARENT=")
        return plan(request)

    with MessagesServer() as server, Collector() as collector:
        server.default = rule
        command = foureyes(
            *("--backend", "claude", "--base-url", server.url, "--api-key-env", "OWN_KEY"),
            *("--model", "claude-sonnet-4-5", *FACT_CHECK, "--draft", "draft.md", *TOLD),
            cwd=folder,
            env={"OWN_KEY": DUMMY_KEY, **collector.environment, "TRACEPARENT": OUTER},
        )
        sent = b"".join(body for _, body in collector.requests)
        got = collector.collected()
    return Traced(outcome(command, folder), got, sent, started)


WISHES = (
    ToolCall("mcp__foureyes__find_passages", {"claim_id": "no-such-claim"}),
    ToolCall("Bash", {"command": "ls"}),
    ToolCall("Read", {"file_path": "/etc/passwd"}),
)
OUTER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.mark.cli
def test_model_and_tool_calls_are_under_their_agent(asked: Traced) -> None:
    agent = asked.got.one("invoke_agent fact_checker")
    below = [span for span in asked.got.spans if span.parent == agent.id]
    chats = [span for span in below if span.name == "chat claude-sonnet-4-5"]
    tools = {span.attributes["gen_ai.tool.call.id"]: span for span in below if span not in chats}
    assert [span.name for span in below if span.kind == "CLIENT"] == [c.name for c in chats]
    assert attributes(agent, "gen_ai.provider.name", "gen_ai.request.model", "foureyes.batch") == [
        "anthropic",
        "claude-sonnet-4-5",
        "01",
    ]
    assert agent.attributes["foureyes.requests"] == len(chats) == 4
    assert agent.attributes["gen_ai.usage.input_tokens"] == sum(
        int(chat.attributes["gen_ai.usage.input_tokens"]) for chat in chats
    )
    ended = [(span.name, str(span.attributes.get("error.type", ""))) for span in tools.values()]
    assert sorted(one for one in ended if one[1]) == [
        ("execute_tool Bash", "refused"),
        ("execute_tool Read", "refused"),
        ("execute_tool find_passages", "failed"),
    ]
    assert ("execute_tool Edit", "") in ended
    for span in below:
        assert agent.start <= span.start <= span.end <= agent.end


@pytest.mark.cli
def test_tokens_and_dollars_are_those_of_the_analytics(asked: Traced) -> None:
    total = asked.run.artefact("analytics.json")["total"]
    tokens = asked.got.values("gen_ai.client.token.usage")
    for kind, count in (("input", total["input_tokens"]), ("output", total["output_tokens"])):
        told = [point for point in tokens if point.attributes["gen_ai.token.type"] == kind]
        assert sum(point.value for point in told) == count > 0
    cost = sum(point.value for point in asked.got.values("foureyes.cost"))
    assert cost == pytest.approx(float(total["cost_usd"]))
    operations = {
        point.attributes["gen_ai.operation.name"]
        for point in asked.got.values("gen_ai.client.operation.duration")
    }
    assert operations == {"chat", "invoke_agent"}


@pytest.mark.cli
def test_the_trace_of_the_caller_goes_on_in_the_run_and_in_each_cli(asked: Traced) -> None:
    trace, parent = OUTER.split("-")[1:3]
    root = asked.got.one("invoke_workflow foureyes.run")
    assert (root.trace, root.parent) == (trace, parent)
    agents = {
        str(span.attributes["foureyes.task"]): span
        for span in asked.got.spans
        if span.name.startswith("invoke_agent")
    }
    assert asked.started == {task: f"00-{trace}-{span.id}-01" for task, span in agents.items()}


@pytest.mark.cli
@pytest.mark.parametrize("run", ["offline", "asked"])
def test_every_name_is_of_the_conventions_or_ours(run: str, request: pytest.FixtureRequest) -> None:
    got: Collected = request.getfixturevalue(run).got
    strange = {name for name in names_in(got) if not name.startswith("foureyes.")}
    assert strange - conventional() == set()
    assert got.schemas == {"https://opentelemetry.io/schemas/1.41.1"}


def test_nothing_is_loaded_or_sent_that_was_not_asked_for(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    code = """
import os, sys
from foureyes.cli._app import execute
endpoint = os.environ.pop("OTEL_EXPORTER_OTLP_ENDPOINT")
disabled = {"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint, "OTEL_SDK_DISABLED": "true"}
for variables in ({}, disabled):
    os.environ.update(variables)
    print("code", execute(["check", "draft.md", "--sources", "sources"]))
print([name for name in sys.modules if name.startswith(("opentelemetry.sdk", "opentelemetry.exp"))])
"""
    with Collector() as collector:
        command = subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env={**os.environ, **collector.environment},
            capture_output=True,
            text=True,
            check=True,
        )
        assert collector.requests == []
    lines = command.stdout.splitlines()
    assert (lines.count("code 0"), lines[-1]) == (2, "[]")
    assert command.stderr == ""


@dataclass(frozen=True, slots=True)
class Waited:
    """How a check ended, and the seconds from its last word to its end."""

    code: int
    said: str
    seconds: float


def waited(folder: Path, environment: Mapping[str, str]) -> Waited:
    write_case(folder, GOOD_DRAFT)
    process = subprocess.Popen(
        [sys.executable, "-m", "pipeline", "check", "draft.md", "--sources", "sources", "--json"],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["exit_code"] == 0
    told = time.monotonic()
    _, said = process.communicate(timeout=60)
    return Waited(process.returncode, said, time.monotonic() - told)


def test_a_collector_that_is_gone_costs_one_line(tmp_path: Path) -> None:
    end = waited(tmp_path, {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"})
    # Whichever comes first on a busy machine: what the exporter says, or the end of the wait.
    told = ("tracing: the exporter says: Transient error", "tracing: the collector took longer")
    assert end.code == 0
    assert end.said.startswith(tuple(f"foureyes: note: {one}" for one in told))
    assert len(end.said.splitlines()) == 1
    assert end.seconds < LATE_S


def test_a_collector_that_hangs_costs_three_seconds(tmp_path: Path) -> None:
    with Collector(hangs=True) as collector:
        end = waited(tmp_path, collector.environment)
    told = "the collector took longer than 3 s; what it had not got is lost"
    assert (end.code, end.said) == (0, f"foureyes: note: tracing: {told}\n")
    assert 2.5 < end.seconds < LATE_S


def test_ctrl_c_ends_a_run_whose_collector_hangs_and_keeps_its_code(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    with Collector(hangs=True) as collector:
        host = collector.url.removeprefix("http://")
        draft = GOOD_DRAFT + f"\nIt has 3 sluices [here]({collector.url}/page).\n"
        (tmp_path / "draft.md").write_text(draft, encoding="utf-8")
        words = ("-m", "pipeline", *FACT_CHECK, "--draft", "draft.md", "--allowed-hosts", host)
        process = subprocess.Popen(
            [sys.executable, *words, *TOLD],
            cwd=tmp_path,
            env={**os.environ, **collector.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        while not list(tmp_path.glob("runs/*/iterations/analysis_iteration_1.md")):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, json.loads(out)["status"]) == (130, "cancelled")
    assert "the collector took longer than 3 s" in err
