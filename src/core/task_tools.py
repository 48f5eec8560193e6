"""A task as tools for any model: files to read, slots to fill, and the task's own tools.

The edit policy is applied to every change, allowances are counted, and what was read is measured;
a backend over a model's client only carries calls and answers between the two.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from pydantic import JsonValue

from ..base.errors import EditRefused
from ..base.files import write_atomic
from .edit_policy import JsonSlots, fill_slots, simulate_edit
from .tasks import AgentTask, ToolFailure, ToolSpec, Turn, TurnUsage, make_tool

READ, FILL, EDIT, WRITE = "read_file", "fill_slots", "edit_file", "write_document"
MOST_RESULT_CHARS = 48_000
"""Of what a tool gives back; the rest is cut with a mark."""

_STRING: Mapping[str, object] = {"type": "string"}


class TaskTools:
    """The tools for one turn of a task, over the file in the turn's folder.

    Args:
        task: What is to be filled.
        folder: The turn's private folder.
    """

    def __init__(self, task: AgentTask[object], folder: Path) -> None:
        self._task = task
        self._path = folder / task.file_name
        self._text = task.template
        self._read: set[str] = set()
        self._calls = Counter[str]()
        self._failed = 0
        self._refused: list[str] = []
        self._specs = {spec.name: spec for spec in (*self._own(), *task.tools)}

    @property
    def specs(self) -> Sequence[ToolSpec]:
        """Every tool of the turn: names, descriptions and JSON Schemas for the model."""
        return tuple(self._specs.values())

    def functions(self) -> list[dict[str, object]]:
        """The same as the chat-completions protocol and its kin declare functions."""
        return [
            {
                "type": "function",
                "function": {
                    "name": spec.name,
                    "description": spec.description,
                    "parameters": dict(spec.schema),
                },
            }
            for spec in self._specs.values()
        ]

    def prompt(self) -> str:
        """The user prompt with every file of the task under it, which then counts as read."""
        files = {**self._task.readable, self._task.file_name: self._text}
        self._read |= self._task.readable.keys()
        parts = (f"# File {name}\n\n{text}" for name, text in files.items())
        return "\n\n".join((self._task.user_prompt, *parts))

    async def call(self, name: str, arguments: str | Mapping[str, object]) -> str:
        """The result of a tool for the model; a refusal is a result that begins with ``error:``.

        Args:
            name: The tool that the model called.
            arguments: Its arguments, as JSON text or parsed.
        """
        self._calls[name] += 1
        try:
            result = await self._answer(name, arguments)
        except (ToolFailure, EditRefused) as error:
            self._failed += 1
            self._refused.append(f"{name}: {' '.join(str(error).split())[:300]}")
            return f"error: {error}"
        if len(result) > MOST_RESULT_CHARS:
            left = len(result) - MOST_RESULT_CHARS
            result = f"{result[:MOST_RESULT_CHARS]}\n[{left} more characters were cut]"
        return result

    def turn(self, usage: TurnUsage, model: str = "") -> Turn:
        """The turn as it stands: the file's text, what was read and refused.

        Args:
            usage: Tokens, requests, cost and time; the tool calls are counted here.
            model: The name of the model that answered.
        """
        sizes = {name: len(text) for name, text in self._task.readable.items()}
        total, read = sum(sizes.values()), sum(sizes[name] for name in self._read)
        calls = self._calls.total()
        counted = replace(usage, tool_calls=calls, tool_failures=self._failed)
        coverage = read / total if total else 1.0
        return Turn(self._text, counted, coverage, model, tuple(self._refused))

    async def _answer(self, name: str, arguments: str | Mapping[str, object]) -> str:
        spec = self._specs.get(name)
        if spec is None:
            raise ToolFailure(f"there is no tool {name!r}: use {', '.join(self._specs)}")
        if spec.allowance is not None and self._calls[name] > spec.allowance:
            raise ToolFailure(f"{name} may be called {spec.allowance} times in a turn, no more")
        return await spec.handler(_parsed(arguments))

    def _own(self) -> Iterator[ToolSpec]:
        """The tools that read and change files."""
        file_name = self._task.file_name
        text = "The text of a file of the task."
        yield make_tool(READ, text, {"name": _STRING}, self._read_file, read_only=True)
        if isinstance(self._task.policy, JsonSlots):
            yield make_tool(
                FILL,
                f"Fill slots of {file_name}: a JSON object from the pointer of a slot (/summary, "
                "/criteria/coverage/score) to its value. A growing list is given whole, as a list "
                "of objects. May be called again to correct.",
                {"values": {"type": "object"}},
                self._fill,
            )
            return
        whole = f"Replace the whole text of {file_name}; every heading stays."
        yield make_tool(WRITE, whole, {"text": _STRING}, self._write)
        words = f"Replace words in {file_name}; old_string occurs exactly once."
        strings = {"old_string": _STRING, "new_string": _STRING}
        yield make_tool(EDIT, words, strings, self._edit)

    async def _read_file(self, arguments: Mapping[str, object]) -> str:
        name = _text(arguments, "name")
        if name == self._task.file_name:
            return self._text
        if name not in self._task.readable:
            raise ToolFailure(f"there is no file {name!r}: read {', '.join(self._task.readable)}")
        text = self._task.readable[name]
        if len(text) <= MOST_RESULT_CHARS:
            self._read.add(name)
        return text

    async def _fill(self, arguments: Mapping[str, object]) -> str:
        values = arguments.get("values")
        if not isinstance(values, dict) or not isinstance(self._task.policy, JsonSlots):
            raise ToolFailure("values is an object from slot to value")
        given = cast("dict[str, JsonValue]", values)
        return self._changed(fill_slots(self._text, self._task.policy, given))

    async def _write(self, arguments: Mapping[str, object]) -> str:
        return self._changed(_text(arguments, "text"))

    async def _edit(self, arguments: Mapping[str, object]) -> str:
        old, new = _text(arguments, "old_string"), _text(arguments, "new_string")
        return self._changed(simulate_edit(self._text, old, new, replace_all=False))

    def _changed(self, text: str) -> str:
        """Take `text` for the file, if the policy lets it; says what is still open."""
        self._task.policy.check(self._text, text)
        write_atomic(self._path, text, durable=False)
        self._text = text
        problems = self._task.policy.problems(text)
        return "done" if not problems else "\n".join(("changed; still to do:", *problems))


def _text(arguments: Mapping[str, object], key: str) -> str:
    value = arguments.get(key)
    if not isinstance(value, str):
        raise ToolFailure(f"{key} is a text")
    return value


def _parsed(arguments: str | Mapping[str, object]) -> Mapping[str, object]:
    if not isinstance(arguments, str):
        return arguments
    try:
        parsed: object = json.loads(arguments or "{}")
    except (ValueError, RecursionError) as error:
        raise ToolFailure(f"the arguments are no JSON: {error}") from error
    if not isinstance(parsed, dict):
        raise ToolFailure("the arguments are an object")
    return cast("Mapping[str, object]", parsed)
