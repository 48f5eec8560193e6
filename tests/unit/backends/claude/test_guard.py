from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from foureyes import AgentTask, ToolSpec
from foureyes.backends.claude._guard import ToolGuard, permission_rules
from hypothesis import given
from hypothesis import strategies as st
from support.claude_turn import DRAFT, FORM, VERDICT, laid_out, review_task

FETCH = "mcp__foureyes__fetch_source"


async def no_answer(_arguments: Mapping[str, object]) -> str:
    return ""


def with_tools(*allowances: int | None) -> AgentTask[object]:
    names = ("fetch_source", "find_passages")
    specs = [
        ToolSpec(name, "", {}, True, no_answer, allowance)
        for name, allowance in zip(names, allowances, strict=False)
    ]
    return review_task(tools=tuple(specs))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return laid_out(review_task(), tmp_path.resolve() / "work")


@pytest.fixture
def guard(folder: Path) -> ToolGuard:
    return ToolGuard(with_tools(2, None), folder)


def at(folder: Path, arguments: Mapping[str, object]) -> dict[str, object]:
    return {
        key: value.replace("{work}", str(folder)) if isinstance(value, str) else value
        for key, value in arguments.items()
    }


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Read", {"file_path": f"{{work}}/{DRAFT}"}),
        ("Read", {"file_path": f"{{work}}/{FORM}", "offset": 3}),
        ("Edit", {"file_path": f"{{work}}/{FORM}", "old_string": VERDICT, "new_string": "a"}),
        (FETCH, {}),
    ],
)
def test_what_the_task_needs_is_allowed(
    guard: ToolGuard, folder: Path, tool: str, arguments: dict[str, object]
) -> None:
    assert guard.refusal(tool, at(folder, arguments)) is None


EDIT_OTHER = {"file_path": f"{{work}}/{DRAFT}", "old_string": "Harbour", "new_string": "Port"}


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("Bash", {"command": "ls"}, "Bash is not offered"),
        ("TodoWrite", {"todos": []}, "not offered"),
        ("read", {"file_path": "{work}/draft.md"}, "not offered"),
        ("mcp__foureyes__other", {}, f"Use Read, Edit, {FETCH}, mcp__foureyes__find_passages."),
        ("Read", {}, "'None' is not open"),
        ("Read", {"file_path": 7}, "'7' is not open"),
        ("Read", {"file_path": "{work}/other.md"}, "draft.md"),
        ("Read", {"file_path": "{work}"}, "not open"),
        ("Read", {"file_path": "draft.md"}, "not open"),
        ("Read", {"file_path": "{work}/sub/../draft.md"}, "not open"),
        ("Read", {"file_path": "{work}/draft.md\x00"}, "not open"),
        ("Edit", EDIT_OTHER, "feedback.json"),
        ("Edit", {"file_path": "{work}/feedback.json"}, "must be strings"),
        (
            "Edit",
            {"file_path": "{work}/feedback.json", "old_string": "x", "new_string": 1},
            "must be strings",
        ),
        (
            "Edit",
            {
                "file_path": "{work}/feedback.json",
                "old_string": VERDICT,
                "new_string": "a",
                "replace_all": "yes",
            },
            "true or false",
        ),
        (
            "Edit",
            {"file_path": "{work}/feedback.json", "old_string": "40", "new_string": "50"},
            "/claim is fixed",
        ),
    ],
)
def test_everything_else_is_refused_with_a_reason(
    guard: ToolGuard, folder: Path, tool: str, arguments: dict[str, object], reason: str
) -> None:
    refusal = guard.refusal(tool, at(folder, arguments))
    assert refusal is not None
    assert reason in refusal


@given(path=st.text(max_size=60), tail=st.text(max_size=10))
def test_no_other_path_is_ever_allowed(path: str, tail: str) -> None:
    work = Path("/work-of-nobody")
    guard = ToolGuard(review_task(), work)
    for spelled in (path, f"{work}/{path}", f"{work}/{FORM}{tail or '/'}"):
        if spelled not in (f"{work}/{FORM}", f"{work}/{DRAFT}"):
            assert guard.refusal("Read", {"file_path": spelled}) is not None


def test_a_file_replaced_by_a_link_is_refused(guard: ToolGuard, folder: Path) -> None:
    (folder / DRAFT).unlink()
    (folder / DRAFT).symlink_to("/etc/passwd")
    refusal = guard.refusal("Read", {"file_path": str(folder / DRAFT)})
    assert refusal is not None
    assert "symbolic link" in refusal


def test_an_allowance_counts_only_its_own_tool(guard: ToolGuard) -> None:
    other = "mcp__foureyes__find_passages"
    answers = [guard.refusal(tool, {}) is None for tool in (FETCH, other, FETCH, other, FETCH)]
    assert answers == [True, True, True, True, False]


def test_the_to_do_list_is_allowed_where_it_is_offered(folder: Path) -> None:
    assert ToolGuard(review_task(to_do_list=True), folder).refusal("TodoWrite", {}) is None


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        (Path("/runs/turn-1"), "Read(//runs/turn-1/draft.md)"),
        (Path("/My runs (2)/a,b"), "Read(//My?runs??2?/a?b/draft.md)"),
        (Path("/x/[a-z]*{b}!\\c"), "Read(//x/?a-z???b???c/draft.md)"),
    ],
)
def test_a_rule_names_one_file_whatever_its_folder_is_called(folder: Path, expected: str) -> None:
    rules = permission_rules(dataclasses.replace(with_tools(1), to_do_list=True), folder)
    assert expected in rules
    assert rules[2:] == [expected.replace("Read", "Edit").replace(DRAFT, FORM), FETCH, "TodoWrite"]


def test_an_edit_of_a_file_that_is_no_text_is_an_error_and_so_blocked(
    guard: ToolGuard, folder: Path
) -> None:
    (folder / FORM).write_bytes(b"\xff")
    arguments: dict[str, Any] = {"old_string": "a", "new_string": "b"}
    with pytest.raises(UnicodeDecodeError):
        guard.refusal("Edit", {"file_path": str(folder / FORM), **arguments})
