"""No setting is dead: each is seen at work, and another value is seen to differ."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from claude_agent_sdk import ClaudeAgentOptions
from foureyes import (
    AgentTask,
    ClaudeBackend,
    ClaudeSettings,
    Credential,
    CredentialKind,
    Error,
    Role,
    ToolSpec,
    Turn,
    TurnLimits,
)
from foureyes.backends.claude._launcher import bundled_cli
from foureyes.backends.claude._session import Session
from foureyes.datatypes import Effort, ModelPrice
from support.claude_turn import (
    DUMMY_KEY,
    FORM,
    MODEL,
    fills,
    laid_out,
    read,
    review_task,
    working_folder,
)
from support.messages_server import (
    Answer,
    Fault,
    MessagesServer,
    Reply,
    Request,
    ToolCall,
    Trouble,
    scripted,
)

pytestmark = pytest.mark.cli

KEY = Credential(CredentialKind.API_KEY, DUMMY_KEY)


class Without(ClaudeBackend):
    """Opens sessions without one option."""

    def __init__(self, settings: ClaudeSettings, option: str) -> None:
        super().__init__(settings)
        self.option = option

    def _open_session(self, task: AgentTask[object], folder: Path, home: Path) -> Session:
        option, plain = self.option, ClaudeAgentOptions()

        class Bare(Session):
            def options(self) -> ClaudeAgentOptions:
                options = super().options()
                return dataclasses.replace(options, **{option: vars(plain)[option]})

        return Bare(self.settings, task, folder, home)


@dataclass
class Lab:
    """One server and one folder; `without` names the option that sessions lack."""

    server: MessagesServer
    folder: Path
    without: str = ""
    turns: int = 0

    def backend(self, **settings: Any) -> ClaudeBackend:
        given: dict[str, Any] = {
            "credential": KEY,
            "base_url": self.server.url,
            "models": dict.fromkeys(Role, MODEL),
            "retries": 0,
            **settings,
        }
        made = ClaudeSettings(**given)
        return Without(made, self.without) if self.without else ClaudeBackend(made)

    async def turn(self, task: AgentTask[object] | None = None, **settings: Any) -> Turn | Error:
        task = task or review_task()
        self.turns += 1
        return await self.backend(**settings).run(
            task, laid_out(task, self.folder / f"turn-{self.turns}")
        )

    @property
    def request(self) -> Request:
        return self.server.requests[0]

    def script(self, text: str) -> Path:
        path = self.folder / "cli"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path


Observe: TypeAlias = Callable[[Lab, Any], Awaitable[object]]


@pytest.fixture
def lab(tmp_path: Path) -> Generator[Lab]:
    with MessagesServer() as server:
        server.default = fills()
        yield Lab(server, tmp_path)


# --- settings ------------------------------------------------------------------------------------


async def credential(lab: Lab, value: Credential) -> object:
    await lab.turn(credential=value)
    return lab.request.headers.get("authorization")


async def base_url(lab: Lab, path: str) -> object:
    # Below another path the server has no API.
    turn = await lab.turn(base_url=f"{lab.server.url}{path}")
    return isinstance(turn, Turn)


async def models(lab: Lab, value: Mapping[Role, str]) -> object:
    await lab.turn(models=value)
    return lab.request.model


async def max_parallel(lab: Lab, value: int) -> object:
    lab.server.default = lambda _request: Reply("Done.", delay_s=3)
    await asyncio.gather(lab.turn(max_parallel=value), lab.turn(max_parallel=value))
    first, second = lab.server.requests
    return second.started < first.ended


async def retries(lab: Lab, value: int) -> object:
    lab.server.default = lambda _request: Trouble(Fault.STATUS, 529)
    await lab.turn(retries=value)
    return len(lab.server.requests)


async def request_timeout_s(lab: Lab, value: float) -> object:
    lab.server.default = lambda _request: Trouble(Fault.SLOW_HEADERS)
    error = await lab.turn(
        review_task(limits=TurnLimits(timeout_s=8)), request_timeout_s=value, retries=0
    )
    return isinstance(error, Error) and error.message.split(".")[0]


async def idle_timeout_s(lab: Lab, value: float) -> object:
    # Seen in the child's environment: the CLI rounds it up to 10 s.
    out = lab.folder / "env"
    await lab.turn(idle_timeout_s=value, cli_path=lab.script(f"env > '{out}'; exit 3"))
    lines = out.read_text().splitlines()
    return [line for line in lines if line.startswith("CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS=")]


async def tool_timeout_s(lab: Lab, value: float) -> object:
    async def handle(_arguments: Mapping[str, object]) -> str:
        await asyncio.sleep(2)
        return "late"

    lab.server.default = scripted(Reply("", (ToolCall("mcp__foureyes__wait", {}),)))
    wait = ToolSpec("wait", "Wait.", {"type": "object"}, True, handle)
    turn = await lab.turn(review_task(tools=(wait,)), tool_timeout_s=value)
    return turn.usage.tool_failures


async def headers(lab: Lab, value: Mapping[str, str]) -> object:
    await lab.turn(headers=value)
    return lab.request.headers.get("x-team")


async def turn_header(lab: Lab, value: str) -> object:
    await lab.turn(turn_header=value)
    return lab.request.headers.get("x-turn")


async def cli_path(lab: Lab, wrapped: bool) -> object:
    used = lab.folder / "used"
    script = lab.script(f"touch '{used}'; exec '{bundled_cli()}' \"$@\"")
    turn = await lab.turn(cli_path=script if wrapped else None)
    return isinstance(turn, Turn), used.exists()


async def prices(lab: Lab, value: Mapping[str, ModelPrice]) -> object:
    usage = (await lab.turn(prices=value)).usage
    return usage.input_tokens > 0 and usage.cost_usd == PRICE.of(usage)


@dataclass(frozen=True)
class Case:
    """`seen` is what `observe` gives for `value`; for `other` it gives something else."""

    observe: Observe
    value: object
    seen: object
    other: object


TIMED_OUT = "Request timed out"
PRICE = ModelPrice(
    input=Decimal(100), output=Decimal(0), cache_read=Decimal(0), cache_write=Decimal(0)
)
IDLE = "CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS"
SETTINGS = {
    "credential": Case(
        credential, Credential(CredentialKind.AUTH_TOKEN, "dummy"), "Bearer dummy", KEY
    ),
    "base_url": Case(base_url, "/", True, "/elsewhere"),
    "models": Case(models, {Role.REVIEWER: "claude-haiku-4-5"}, "claude-haiku-4-5", {}),
    "max_parallel": Case(max_parallel, 1, False, 2),
    "retries": Case(retries, 1, 2, 0),
    "request_timeout_s": Case(request_timeout_s, 1.5, TIMED_OUT, 300.0),
    "idle_timeout_s": Case(idle_timeout_s, 12.5, [f"{IDLE}=12500"], 90.0),
    "tool_timeout_s": Case(tool_timeout_s, 0.5, 1, 60.0),
    "headers": Case(headers, {"x-team": "a"}, "a", {}),
    "turn_header": Case(turn_header, "x-turn", "1/reviewer", "x-foureyes-turn"),
    "cli_path": Case(cli_path, True, (True, True), False),
    "prices": Case(prices, {MODEL: PRICE}, True, {}),
}


def test_every_setting_has_a_case() -> None:
    assert set(SETTINGS) == {field.name for field in dataclasses.fields(ClaudeSettings)}


SEEN_IN_TURNS = {"base_url", "models", "max_parallel", "retries", "request_timeout_s", "prices"}
"""Settings that the tests of sessions and their failures depend on: here they are of the soak."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.soak] if name in SEEN_IN_TURNS else [])
        for name in SETTINGS
    ],
)
async def test_a_setting_is_at_work(lab: Lab, name: str) -> None:
    case = SETTINGS[name]
    assert await case.observe(lab, case.value) == case.seen


@pytest.mark.soak
@pytest.mark.parametrize("name", SETTINGS)
async def test_another_value_is_seen_to_differ(lab: Lab, name: str) -> None:
    case = SETTINGS[name]
    assert await case.observe(lab, case.other) != case.seen


# --- options of a session ------------------------------------------------------------------------

PROTECTIONS = {
    "tools", "allowed_tools", "permission_mode", "strict_mcp_config", "setting_sources",
    "verbatim_prompts", "hooks", "env",
}  # fmt: skip
"""The options that the suite of attacks leaves out one by one."""


def reads_forever(request: Request) -> Answer:
    return Reply("", (read(working_folder(request) / FORM, offset=request.step + 1),))


async def no_answer(_arguments: Mapping[str, object]) -> str:
    return ""


async def tools_of_ours(lab: Lab) -> object:
    await lab.turn(review_task(tools=(ToolSpec("find", "", {}, True, no_answer),)))
    return "mcp__foureyes__find" in lab.request.tools


async def system_prompt(lab: Lab) -> object:
    await lab.turn()
    return lab.request.system.endswith("You are the reviewer.")


async def model(lab: Lab) -> object:
    await lab.turn()
    return lab.request.model


async def effort(lab: Lab) -> object:
    await lab.turn(review_task(model="opus", effort=Effort.LOW))
    return lab.request.body["output_config"]["effort"]


async def limited(lab: Lab, limits: TurnLimits) -> object:
    lab.server.default = reads_forever
    error = await lab.turn(review_task(limits=limits))
    return isinstance(error, Error) and error.kind.value


async def max_turns(lab: Lab) -> object:
    return await limited(lab, TurnLimits(max_turns=2, timeout_s=8))


async def max_budget_usd(lab: Lab) -> object:
    return await limited(lab, TurnLimits(timeout_s=8, max_cost_usd=Decimal("0.02")))


async def max_buffer_size(lab: Lab) -> object:
    lab.server.default = lambda _request: Reply("word " * 300_000)
    return isinstance(await lab.turn(), Turn)


async def cwd(lab: Lab) -> object:
    out = lab.folder / "cwd"
    await lab.turn(cli_path=lab.script(f"pwd > '{out}'; exit 3"))
    return out.read_text().strip() == str(lab.folder / "turn-1")


async def leash(lab: Lab) -> object:
    return (await lab.turn()).usage.cpu_s > 0


async def stderr(lab: Lab) -> object:
    error = await lab.turn(cli_path=lab.script("echo no licence >&2; sleep 0.3; exit 3"))
    return isinstance(error, Error) and "no licence" in error.message


OPTIONS: Mapping[str, tuple[Callable[[Lab], Awaitable[object]], object]] = {
    "mcp_servers": (tools_of_ours, True),
    "system_prompt": (system_prompt, True),
    "model": (model, MODEL),
    "effort": (effort, "low"),
    "max_turns": (max_turns, "max_turns"),
    "max_budget_usd": (max_budget_usd, "budget"),
    "max_buffer_size": (max_buffer_size, True),
    "cwd": (cwd, True),
    "cli_path": (leash, True),
    "stderr": (stderr, True),
}


def test_every_option_that_a_session_sets_has_a_case(tmp_path: Path) -> None:
    task = review_task(
        tools=(ToolSpec("find", "", {}, True, no_answer),),
        effort=Effort.LOW,
        limits=TurnLimits(max_cost_usd=Decimal(1)),
    )
    session = Session(ClaudeSettings(credential=KEY), task, tmp_path, tmp_path)
    ours, plain = vars(session.options()), vars(ClaudeAgentOptions())
    changed = {name for name, value in ours.items() if value != plain[name]}
    assert changed == set(OPTIONS) | PROTECTIONS


OF_TURNS = {
    *("mcp_servers", "system_prompt", "model", "effort", "max_turns", "max_budget_usd"),
    "cli_path",
}
"""Options that the tests of sessions, of their failures and of their ends depend on."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.soak] if name in OF_TURNS else []) for name in OPTIONS],
)
async def test_an_option_is_at_work(lab: Lab, name: str) -> None:
    observe, seen = OPTIONS[name]
    assert await observe(lab) == seen


@pytest.mark.soak
@pytest.mark.parametrize("name", OPTIONS)
async def test_without_an_option_something_differs(lab: Lab, name: str) -> None:
    observe, seen = OPTIONS[name]
    lab.without = name
    assert await observe(lab) != seen
