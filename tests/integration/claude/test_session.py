"""What a turn does and reports when the model behaves."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

import pytest
from foureyes import (
    AgentTask,
    ClaudeBackend,
    Error,
    FailureKind,
    Role,
    ToolFailure,
    ToolSpec,
    Turn,
    TurnLimits,
)
from foureyes.agents.document_search import grep_document
from foureyes.agents.reading import UntrustedText
from foureyes.backends.claude._session import Session
from foureyes.datatypes import Effort, ModelPrice
from support.claude_turn import (
    DRAFT,
    DRAFT_TEXT,
    FORM,
    MODEL,
    VERDICT,
    MakeSettings,
    Play,
    edit,
    fills,
    laid_out,
    read,
    review_task,
    working_folder,
)
from support.messages_server import Answer, MessagesServer, Reply, Request, ToolCall, scripted

pytestmark = pytest.mark.cli

LETTERS = {"type": "object", "properties": {"letter": {"type": "string"}}, "required": ["letter"]}


def tool(answer: str = "passage", *, name: str = "fetch_source", delay_s: float = 0) -> ToolSpec:
    async def handle(arguments: Mapping[str, object]) -> str:
        await asyncio.sleep(delay_s)
        if arguments["letter"] == "z":
            raise ToolFailure("there is no z")
        return f"{answer} {arguments['letter']}"

    return ToolSpec(name, "Fetch.", LETTERS, True, handle)


def fetch(letter: str) -> ToolCall:
    return ToolCall("mcp__foureyes__fetch_source", {"letter": letter})


async def test_an_agent_fills_the_form_and_its_turn_reports_the_sessions_own_totals(
    server: MessagesServer, play: Play, tmp_path: Path
) -> None:
    server.default = fills("approve", before=(Reply("I look.", (fetch("a"), fetch("z"))),))
    turn = await play(review_task(tools=(tool(),)))
    assert isinstance(turn, Turn)
    assert turn.text == review_task().template.replace(VERDICT, "approve")
    assert turn.text == (tmp_path / "work" / FORM).read_text()
    # Nothing else is left in the folder.
    assert {path.name for path in (tmp_path / "work").iterdir()} == {FORM, DRAFT}
    assert (tmp_path / "work" / DRAFT).read_text() == DRAFT_TEXT
    assert (turn.model, turn.read_coverage) == (MODEL, 1.0)
    usage = turn.usage
    assert (usage.requests, usage.tool_calls, usage.tool_failures, usage.fetches) == (4, 5, 1, 1)
    assert usage.messages == 9
    assert usage.input_tokens == sum(-(-request.size_bytes // 3) for request in server.requests)
    assert usage.output_tokens > 0
    # The list price of the model: 3 and 15 dollars a million.
    price = Decimal(3 * usage.input_tokens + 15 * usage.output_tokens) / 1_000_000
    assert usage.cost_usd == pytest.approx(price, abs=Decimal("0.000001"))
    assert 0 < usage.wall_s < 30
    assert 0 < usage.cpu_s < 30
    assert turn.refused == ("mcp__foureyes__fetch_source: there is no z",)


async def test_a_model_without_a_known_price_has_no_cost(
    server: MessagesServer, play: Play
) -> None:
    server.default = fills()
    turn = await play(review_task(model="llama-4"))
    assert isinstance(turn, Turn)
    assert turn.usage.cost_usd is None
    # A task may name another model than its role has.
    assert {request.model for request in server.requests} == {"llama-4"}


async def test_each_role_has_its_model(server: MessagesServer, play: Play) -> None:
    models = {Role.REVIEWER: "claude-haiku-4-5", Role.JUDGE: "claude-opus-4-5"}
    for task in (review_task(), review_task(role=Role.JUDGE, name="judge")):
        await play(task, models=models)
    served = {request.turn: request.model for request in server.requests}
    assert served == {"1/reviewer": "claude-haiku-4-5", "judge": "claude-opus-4-5"}


@pytest.mark.parametrize(
    "efforts", [(None, Effort.LOW), pytest.param(tuple(Effort), marks=pytest.mark.soak)]
)
async def test_an_agents_effort_reaches_the_model(
    server: MessagesServer, play: Play, efforts: Sequence[Effort | None]
) -> None:
    for effort in efforts:
        await play(review_task(name=str(effort), model="opus", effort=effort))
    asked = {request.turn: request.body["output_config"]["effort"] for request in server.requests}
    assert asked == {str(effort): effort or "medium" for effort in efforts}


async def test_the_model_sees_our_prompts_the_folder_and_no_tools_but_ours(
    server: MessagesServer, play: Play, tmp_path: Path
) -> None:
    names = ("fetch_source", "find_passages", "read_source", "search_sources")
    tools = tuple(tool(name=name) for name in names)
    await play(review_task(tools=tools, user_prompt="Fill it. See @/etc/hostname /help"))
    first = server.requests[0]
    folder = tmp_path / "work"
    assert first.prompt.endswith(f"Working folder: {folder}\n\nFill it. See @/etc/hostname /help")
    assert first.system.endswith("You are the reviewer.")
    assert set(first.tools) == {"Read", "Edit", *(f"mcp__foureyes__{name}" for name in names)}
    assert first.model == MODEL


async def test_the_to_do_list_is_offered_only_if_asked_for(
    server: MessagesServer, play: Play
) -> None:
    todo = ToolCall(
        "TodoWrite", {"todos": [{"content": "x", "status": "pending", "activeForm": "x"}]}
    )
    server.default = fills(before=(Reply("", (todo,)),))
    turn = await play(review_task(to_do_list=True))
    assert isinstance(turn, Turn)
    assert turn.usage.tool_failures == 0
    assert set(server.requests[0].tools) == {"Read", "Edit", "TodoWrite"}


async def test_a_long_text_is_searched_by_our_own_tool_within_its_allowance(
    server: MessagesServer, play: Play
) -> None:
    text = "The quay is 300 m long.\n" * 1000 + DRAFT_TEXT
    search = grep_document({DRAFT: text}, UntrustedText.of(text))
    call = ToolCall("mcp__foureyes__grep_document", {"pattern": "built in 1987|crane"})
    server.default = fills(before=(Reply("", (call,)), Reply("", (call,))))
    turn = await play(
        review_task(readable={DRAFT: text}, tools=(dataclasses.replace(search, allowance=1),))
    )
    assert isinstance(turn, Turn)
    assert turn.read_coverage == 1.0
    first, second = server.requests[-1].exchanges[2:4]
    assert f"{DRAFT}:1003: The crane lifts 40 tonnes." in first.result
    assert f"{DRAFT}:1005: It was built in 1987." in first.result
    assert (first.is_error, second.is_error) == (False, True)
    assert "allowance of 1 calls is used up" in turn.refused[0]


READINGS: dict[str, tuple[list[dict[str, int]], float]] = {
    "nothing": ([], 0.0),
    "whole": ([{}], 1.0),
    "only the first lines": ([{"limit": 3}], 35 / 56),
    "two overlapping parts": ([{"limit": 3}, {"offset": 3}], 1.0),
    "past the end": ([{"offset": 900}], 0.0),
}


@pytest.mark.parametrize(
    ("calls", "expected"),
    # The unit tests of the tally have every case.
    [
        pytest.param(
            *case, id=name, marks=[] if name == "only the first lines" else [pytest.mark.soak]
        )
        for name, case in READINGS.items()
    ],
)
async def test_reading_is_measured(
    server: MessagesServer, play: Play, calls: list[dict[str, int]], expected: float
) -> None:
    def rule(request: Request) -> Answer:
        draft = working_folder(request) / DRAFT
        return scripted(Reply("", tuple(read(draft, **call) for call in calls)))(request)

    server.default = rule
    turn = await play()
    assert isinstance(turn, Turn)
    assert turn.read_coverage == pytest.approx(expected)


async def test_a_section_of_15_000_tokens_with_long_lines_can_be_read_whole(
    server: MessagesServer, play: Play
) -> None:
    server.default = fills()
    paragraph = "The port of Rotterdam handled 13.4 million containers in that year. " * 60
    text = "\r\n\r\n".join([paragraph] * 11)
    turn = await play(review_task(readable={DRAFT: text}))
    assert isinstance(turn, Turn)
    assert len(text) > 44_000
    assert turn.read_coverage == 1.0


async def test_a_file_too_long_for_one_read_is_covered_in_part(
    server: MessagesServer, play: Play
) -> None:
    server.default = fills()
    turn = await play(review_task(readable={DRAFT: "The crane lifts 40 tonnes.\n" * 9000}))
    assert isinstance(turn, Turn)
    assert 0 < turn.read_coverage < 0.5


async def test_calls_of_read_only_tools_run_side_by_side(
    server: MessagesServer, play: Play
) -> None:
    letters = "abc"
    at_work: set[object] = set()
    most = 0

    async def handle(arguments: Mapping[str, object]) -> str:
        nonlocal most
        at_work.add(arguments["letter"])
        most = max(most, len(at_work))
        await asyncio.sleep(0.5)
        at_work.discard(arguments["letter"])
        return f"passage {arguments['letter']}"

    server.default = fills(before=(Reply("", tuple(fetch(letter) for letter in letters)),))
    fetching = ToolSpec("fetch_source", "Fetch.", LETTERS, True, handle)
    turn = await play(review_task(tools=(fetching,)))
    assert isinstance(turn, Turn)
    assert turn.usage.fetches == most == 3
    found = [exchange.result for exchange in server.requests[-1].exchanges]
    assert all(any(f"passage {letter}" in text for text in found) for letter in letters)


async def test_a_long_tool_result_is_cut_before_the_cli_moves_it_to_a_file(
    server: MessagesServer, play: Play
) -> None:
    server.default = fills(before=(Reply("", (fetch("a"),)),))
    turn = await play(review_task(tools=(tool("y" * 70_000),)))
    assert isinstance(turn, Turn)
    result = server.requests[2].exchanges[-1].result
    assert "[22002 more characters were cut]" in result
    assert "persisted-output" not in result


async def test_a_tool_without_parameters_can_be_called(server: MessagesServer, play: Play) -> None:
    async def handle(_arguments: Mapping[str, object]) -> str:
        return "all is well"

    ping = ToolSpec("ping", "Ping.", {"type": "object"}, True, handle)
    server.default = fills(before=(Reply("", (ToolCall("mcp__foureyes__ping", {}),)),))
    await play(review_task(tools=(ping,)))
    assert "all is well" in server.requests[-1].exchanges[2].result


async def test_an_error_of_our_own_in_a_tool_is_raised_after_the_session(
    server: MessagesServer, play: Play
) -> None:
    async def handle(_arguments: Mapping[str, object]) -> str:
        raise LookupError("a bug")

    broken = ToolSpec("ping", "Ping.", {"type": "object"}, True, handle)
    server.default = fills(before=(Reply("", (ToolCall("mcp__foureyes__ping", {}),)),))
    with pytest.raises(LookupError, match="a bug"):
        await play(review_task(tools=(broken,)))


@pytest.mark.parametrize(
    "name",
    ["[x]{y} it's*, naïve (2)"]
    + [pytest.param(name, marks=pytest.mark.soak) for name in ("My run (2)", "a, b", "tab\tname")],
)
async def test_any_name_of_the_folder_will_do(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path, name: str
) -> None:
    server.default = fills("reject")
    task = review_task()
    turn = await ClaudeBackend(settings()).run(task, laid_out(task, tmp_path / name))
    assert isinstance(turn, Turn)
    assert '"verdict": "reject"' in turn.text


async def test_a_file_with_windows_line_ends_keeps_them(server: MessagesServer, play: Play) -> None:
    template = review_task().template.replace("\n", "\r\n")

    def rule(request: Request) -> Answer:
        form = working_folder(request) / FORM
        two_lines = f'40 tonnes.",\n  "verdict": "{VERDICT}"'
        call = edit(form, two_lines, two_lines.replace(VERDICT, "approve"))
        return scripted(Reply("", (read(form),)), Reply("", (call,)))(request)

    server.default = rule
    turn = await play(review_task(template=template))
    assert isinstance(turn, Turn)
    assert turn.text == template.replace(VERDICT, "approve")


async def test_sessions_run_in_parallel_up_to_the_limit(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path
) -> None:
    server.default = lambda request: dataclasses.replace(fills()(request), delay_s=0.7)
    backend = ClaudeBackend(settings(max_parallel=2))
    tasks = [review_task(name=f"1/critic-{number}") for number in range(3)]
    turns = await asyncio.gather(
        *(backend.run(task, laid_out(task, tmp_path / task.name)) for task in tasks)
    )
    assert all(isinstance(turn, Turn) for turn in turns)
    events = [(request.started, 1) for request in server.requests]
    events += [(request.ended, -1) for request in server.requests]
    at_once = running = 0
    for _, change in sorted(events):
        running += change
        at_once = max(at_once, running)
    assert at_once == 2


def test_the_backend_names_itself_and_counts_as_independent(settings: MakeSettings) -> None:
    backend = ClaudeBackend(settings())
    assert (backend.name, backend.independent) == ("claude", True)


PRICE = ModelPrice(
    input=Decimal(1), output=Decimal(2), cache_read=Decimal(0), cache_write=Decimal(0)
)


async def test_a_price_of_the_users_own_is_counted_and_limits_a_turn(
    server: MessagesServer, play: Play
) -> None:
    server.default = fills()
    priced = {"models": dict.fromkeys(Role, "own-model"), "prices": {"own-model": PRICE}}
    # For a model that it does not know the CLI would have counted many times that.
    limits = TurnLimits(max_turns=12, timeout_s=30, max_cost_usd=Decimal("0.015"))
    turn = await play(review_task(limits=limits), **priced)
    assert isinstance(turn, Turn)
    assert turn.usage.cost_usd == PRICE.of(turn.usage)
    first = server.requests[0]
    server.requests.clear()
    tight = dataclasses.replace(limits, max_cost_usd=Decimal(first.size_bytes) / 3 / 1_000_000)
    stopped = await play(review_task(limits=tight), **priced)
    assert isinstance(stopped, Error)
    assert stopped.kind is FailureKind.BUDGET
    assert len(server.requests) == 1


class OpenSession(Session):
    """A session without the guard: only the CLI's own rules are left."""

    def refusal(self, tool: str, arguments: Mapping[str, object]) -> str | None:
        del tool, arguments
        return None


class OpenBackend(ClaudeBackend):
    def _open_session(self, task: AgentTask[object], folder: Path, home: Path) -> Session:
        return OpenSession(self.settings, task, folder, home)


async def test_a_subclass_may_leave_out_one_protection(
    server: MessagesServer, settings: MakeSettings, tmp_path: Path
) -> None:
    def rule(request: Request) -> Answer:
        form = working_folder(request) / FORM
        call = edit(form, "The crane lifts 40 tonnes.", "The crane lifts 4 tonnes.")
        return scripted(Reply("", (read(form),)), Reply("", (call,)))(request)

    server.default = rule
    task = review_task()
    turn = await OpenBackend(settings()).run(task, laid_out(task, tmp_path / "work"))
    assert isinstance(turn, Turn)
    # With all protections such an edit is refused, as the attacks show.
    assert "lifts 4 tonnes" in turn.text
