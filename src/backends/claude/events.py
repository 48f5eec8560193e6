"""The server-sent events of one streamed answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import BaseModel, JsonValue, TypeAdapter, ValidationError

from ...base.registry import first_line

NEEDED_EVENTS = (
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
)
"""The events of a streamed answer that the CLI cannot do without."""


@dataclass(frozen=True, slots=True)
class Streamed:
    """The contents of a stream. `calls` are the tools called with readable arguments."""

    problem: str = ""
    calls: tuple[str, ...] = ()
    stop_reason: str = ""


class _Block(BaseModel):
    type: str = ""
    name: str = ""
    input: JsonValue = None


class _Delta(BaseModel):
    partial_json: str = ""
    stop_reason: str | None = None


class _Trouble(BaseModel):
    message: str = ""


class _Event(BaseModel):
    type: str = ""
    index: int = 0
    error: _Trouble | None = None
    content_block: _Block = _Block()
    delta: _Delta = _Delta()


def read_stream(text: str) -> Streamed:
    """Read the stream `text`; `problem` names what the CLI would miss in it."""
    names: set[str] = set()
    called: dict[int, _Block] = {}
    arguments: dict[int, str] = {}
    stop_reason = ""
    for name, data in _events(text):
        if name == "error":
            return Streamed(f"the server broke off: {error_message(data)}")
        names.add(name)
        try:
            event = _Event.model_validate_json(data)
        except ValidationError:
            return Streamed("the stream is garbled")
        stop_reason = event.delta.stop_reason or stop_reason
        if event.content_block.type == "tool_use":
            called[event.index] = event.content_block
        if event.delta.partial_json:
            arguments[event.index] = arguments.get(event.index, "") + event.delta.partial_json
    calls = [block.name for index, block in called.items() if _readable(block, arguments, index)]
    return Streamed(_problem(names), tuple(calls), stop_reason)


def error_message(text: str) -> str:
    """The message of an error body in one line, or the whole body if it has another shape."""
    try:
        error = _Event.model_validate_json(text).error
    except ValidationError:
        error = None
    return first_line(error.message if error else text)


def _events(text: str) -> Iterator[tuple[str, str]]:
    name = ""
    # Not splitlines(): a JSON string may hold other line ends than these.
    for line in text.replace("\r", "\n").split("\n"):
        field, _, value = line.partition(":")
        if field == "event":
            name = value.strip()
        elif field == "data" and name:
            yield name, value.strip()
            name = ""


def _problem(names: set[str]) -> str:
    if not names:
        return "the stream has no 'event:' lines"
    missing = [name for name in NEEDED_EVENTS if name not in names]
    return f"the stream lacks the events {', '.join(missing)}" if missing else ""


def _readable(block: _Block, arguments: dict[int, str], index: int) -> bool:
    if index not in arguments:
        return isinstance(block.input, dict)
    try:
        return isinstance(TypeAdapter(JsonValue).validate_json(arguments[index]), dict)
    except ValidationError:
        return False
