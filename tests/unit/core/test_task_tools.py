"""A task as tools: what a model may read and change by them, and what is counted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from foureyes import AgentTask, Role, TaskTools, ToolFailure, ToolSpec, TurnUsage
from foureyes.datatypes import Fields, Grows, JsonSlots, JsonTemplate, MarkdownDraft, Slot

TITLE = Slot("[TODO: title]", 100, False, "[TODO: title]")
NOTE = Slot("[TODO: a note]", 100, False, "[TODO: a note]")
SLOTS = JsonSlots(Fields({"title": TITLE, "notes": Grows(NOTE, 5)}))
FORM = JsonTemplate(SLOTS.initial_text(), SLOTS)
"""A form of a slot and a list."""
DOCUMENT = "# Title\n\n[TODO: the text]\n"
READABLE = {"draft.md": "a draft", "long.md": "x" * 48_001}


async def look_up(arguments: Mapping[str, object]) -> str:
    if arguments.get("word") == "closed":
        raise ToolFailure("the archive is closed")
    return f"about {arguments.get('word')}"


LOOK_UP = ToolSpec("look_up", "Look up.", {"type": "object"}, True, look_up, allowance=2)


def tools(folder: Path, *, document: bool = False) -> TaskTools:
    name = "analysis.md" if document else "form.json"
    text = DOCUMENT if document else FORM.text
    policy = MarkdownDraft.of_template(DOCUMENT, 1000) if document else FORM.policy
    task = AgentTask(
        Role.REVIEWER, "1/x", None, "system", "Fill it.", name, text, policy,
        readable=READABLE, tools=(LOOK_UP,),
    )  # fmt: skip
    (folder / name).write_text(text, encoding="utf-8")
    return TaskTools(task, folder)


async def test_slots_are_filled_in_the_file_until_nothing_is_open(tmp_path: Path) -> None:
    given = tools(tmp_path)
    half = await given.call("fill_slots", '{"values": {"/title": "Costs"}}')
    assert half.splitlines()[0] == "changed; still to do:"
    assert await given.call("fill_slots", {"values": {"/notes": []}}) == "done"
    turn = given.turn(TurnUsage(requests=2), "m-1")
    assert json.loads(turn.text) == {"title": "Costs", "notes": []}
    assert (tmp_path / "form.json").read_text(encoding="utf-8") == turn.text
    assert (turn.usage.tool_calls, turn.usage.tool_failures, turn.model) == (2, 0, "m-1")


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("fill_slots", {"values": {"/approved": True}}, "'/approved' names no slot"),
        ("fill_slots", {"values": {"/title": {}}}, "/title takes one value"),
        ("fill_slots", {"values": []}, "values is an object"),
        ("fill_slots", '{"values": ', "the arguments are no JSON"),
        ("fill_slots", "[" * 100_000, "the arguments are no JSON"),
        ("fill_slots", "[1]", "the arguments are an object"),
        ("read_file", {"name": "../secret"}, "there is no file '../secret'"),
        ("read_file", {}, "name is a text"),
        ("look_up", {"word": "closed"}, "the archive is closed"),
        ("bash", {"command": "id"}, "there is no tool 'bash': use read_file, fill_slots, look_up"),
        ("write_document", {"text": "x"}, "there is no tool 'write_document'"),
    ],
)
async def test_what_may_not_be_done_is_told_and_counted_and_changes_nothing(
    name: str, arguments: str | Mapping[str, object], said: str, tmp_path: Path
) -> None:
    given = tools(tmp_path)
    result = await given.call(name, arguments)
    assert result.startswith(f"error: {said}")
    turn = given.turn(TurnUsage())
    assert (turn.text, turn.usage.tool_failures, len(turn.refused)) == (FORM.text, 1, 1)


async def test_a_document_keeps_its_headings(tmp_path: Path) -> None:
    given = tools(tmp_path, document=True)
    assert "must stay" in await given.call("write_document", {"text": "no heading"})
    assert await given.call("write_document", {"text": "# Title\n\nIt cost 3.\n"}) == "done"
    edit = {"old_string": "cost 3", "new_string": "cost 4"}
    assert await given.call("edit_file", edit) == "done"
    assert given.turn(TurnUsage()).text == "# Title\n\nIt cost 4.\n"


async def test_a_tool_has_its_allowance_and_a_long_result_is_cut(tmp_path: Path) -> None:
    given = tools(tmp_path)
    answers = [await given.call("look_up", {"word": "quay"}) for _ in range(3)]
    assert answers[:2] == ["about quay"] * 2
    assert answers[2] == "error: look_up may be called 2 times in a turn, no more"
    assert (await given.call("read_file", {"name": "long.md"})).endswith(
        "[1 more characters were cut]"
    )


async def test_what_was_handed_out_counts_as_read(tmp_path: Path) -> None:
    by_tool, in_prompt = tools(tmp_path), tools(tmp_path)
    await by_tool.call("read_file", {"name": "draft.md"})
    share = len(READABLE["draft.md"]) / sum(map(len, READABLE.values()))
    assert by_tool.turn(TurnUsage()).read_coverage == share
    assert "# File draft.md\n\na draft" in in_prompt.prompt()
    assert in_prompt.turn(TurnUsage()).read_coverage == 1.0


def test_tools_are_declared_as_servers_want_them(tmp_path: Path) -> None:
    declared = tools(tmp_path).functions()
    assert [one["type"] for one in declared] == ["function"] * 3
    function = declared[2]["function"]
    assert function == {
        "name": "look_up",
        "description": "Look up.",
        "parameters": {"type": "object"},
    }
