"""A small turn for tests of the Claude backend: a form to fill, a draft to read."""

from __future__ import annotations

import asyncio
import dataclasses
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from foureyes.backends.claude.endpoint import FILE
from foureyes.backends.claude.settings import ClaudeSettings
from foureyes.core.edit_policy import Fields, Fixed, Grows, JsonSlots, Slot
from foureyes.core.tasks import AgentTask, Error, Role, Turn, TurnLimits
from support.messages_server import Answer, Reply, Request, Rule, ToolCall, scripted
from support.tripwire import Tripwire as Tripwire

DUMMY_KEY = "sk-ant-dummy-for-tests"
MODEL = "claude-sonnet-4-5"
FORM = "feedback.json"
DRAFT = "draft.md"
DRAFT_TEXT = "# Harbour\n\nThe crane lifts 40 tonnes.\n\nIt was built in 1987.\n"
VERDICT = "[TODO: approve or reject]"

Play: TypeAlias = Callable[..., Awaitable[Turn | Error]]
"""Run a task, by default `review_task()`, with changed settings."""
MakeSettings: TypeAlias = Callable[..., ClaudeSettings]


def slot(text: str) -> Slot:
    return Slot(text, 200, False, text)


FORM_POLICY = JsonSlots(
    Fields(
        {
            "claim": Fixed("The crane lifts 40 tonnes."),
            "verdict": slot(VERDICT),
            "issues": Grows(Fields({"problem": slot("[TODO: the problem]")}), 2),
        }
    )
)


def review_task(**changes: Any) -> AgentTask[object]:
    task: AgentTask[object] = AgentTask(
        role=Role.REVIEWER,
        name="1/reviewer",
        inputs=None,
        system_prompt="You are the reviewer.",
        user_prompt=f"Read {DRAFT} and fill {FORM}.",
        file_name=FORM,
        template=FORM_POLICY.initial_text(),
        policy=FORM_POLICY,
        readable={DRAFT: DRAFT_TEXT},
        limits=TurnLimits(max_turns=12, timeout_s=30),
    )
    return dataclasses.replace(task, **changes)


def laid_out(task: AgentTask[object], folder: Path) -> Path:
    """`folder` with the task's files in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {task.file_name: task.template, **task.readable}.items():
        (folder / name).write_bytes(text.encode())
    return folder


def read(path: Path | str, **more: Any) -> ToolCall:
    return ToolCall("Read", {"file_path": str(path), **more})


def edit(path: Path | str, old: str, new: str, **more: Any) -> ToolCall:
    arguments = {"file_path": str(path), "old_string": old, "new_string": new, **more}
    return ToolCall("Edit", arguments)


def working_folder(request: Request) -> Path:
    """The folder that the prompt names."""
    label = "Working folder: "
    line = next(line for line in request.prompt.splitlines() if line.startswith(label))
    return Path(line.removeprefix(label))


def fills(verdict: str = "approve", *, before: tuple[Reply, ...] = ()) -> Rule:
    """A model that reads both files, gives `before`, and fills the verdict."""

    def rule(request: Request) -> Answer:
        folder = working_folder(request)
        form = folder / FORM
        return scripted(
            Reply("I read.", (read(form), read(folder / DRAFT))),
            *before,
            Reply("I fill.", (edit(form, VERDICT, verdict),)),
        )(request)

    return rule


async def until(condition: Callable[[], bool]) -> None:
    """Wait for at most 10 s."""
    for _ in range(1000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise TimeoutError


def fills_probe(request: Request) -> Answer:
    """A model that reads the form of `doctor` and fills it."""
    form = working_folder(request) / FILE
    slot = form.read_text(encoding="utf-8").split('"')[3]
    return scripted(Reply("", (read(form),)), Reply("", (edit(form, slot, "yes"),)))(request)


def child_processes() -> set[str]:
    """The command names of this process's children, zombies too."""
    names: set[str] = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text().partition("(")[2].rpartition(")")
        except OSError:
            continue
        if rest.split()[1] == str(os.getpid()):
            names.add(name)
    return names


def unsafe(environ: Mapping[str, str]) -> list[str]:
    """The variables that could let a test pay for a model."""
    words = ("API_KEY", "AUTH_TOKEN", "ACCESS_TOKEN", "OAUTH", "ANTHROPIC_", "CLAUDE_", "_PROXY")
    return sorted(
        name
        for name, value in environ.items()
        if value and any(word in name.upper() for word in words) and "127.0.0.1" not in value
    )
