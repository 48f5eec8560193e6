"""What is allowed all the same, and an environment that changes nothing at all."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from foureyes import Turn
from support.claude_turn import FORM, Play, fills, read
from support.messages_server import MessagesServer, Reply, Request

pytestmark = pytest.mark.cli


async def test_a_spelling_that_means_the_file_itself_will_do(
    server: MessagesServer, play: Play, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    names = [
        FORM,
        f"./{FORM}",
        f"{work}/./{FORM}",
        f"{work}/../{work.name}/{FORM}",
        f"{work}/{FORM} ",
    ]
    server.default = fills(before=(Reply("", tuple(read(name) for name in names)),))
    turn = await play()
    assert isinstance(turn, Turn)
    assert turn.usage.tool_failures == 0


HOSTILE_ENVIRONMENT = {
    "CLAUDE_CODE_SIMPLE": "1",
    "CLAUDE_CODE_USE_BEDROCK": "1",
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
    "ANTHROPIC_AUTH_TOKEN": "stolen",
    "ANTHROPIC_MODEL": "claude-opus-4-5",
    "ANTHROPIC_CUSTOM_HEADERS": "x-stolen: 1",
    "CLAUDE_CODE_OAUTH_TOKEN": "stolen",
    "CLAUDE_CODE_EXTRA_BODY": '{"metadata": {"user_id": "stolen"}}',
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS": "1",
    "DISABLE_INTERLEAVED_THINKING": "1",
    "OPENAI_API_KEY": "stolen",
    "MAX_THINKING_TOKENS": "1",
    "NODE_OPTIONS": "--require /nonexistent.js",
    "BUN_OPTIONS": "--preload /nonexistent.js",
}


async def test_a_hostile_environment_changes_nothing(
    server: MessagesServer, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.default = fills(before=(Reply("", (read("/etc/passwd"),)),))
    plain = await play()
    plain_requests = [dataclasses.replace(request) for request in server.requests]
    server.requests.clear()
    for name, value in HOSTILE_ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    turn = await play()
    assert isinstance(plain, Turn)
    assert isinstance(turn, Turn)
    assert turn.text == plain.text
    assert [asked(request) for request in server.requests] == [
        asked(request) for request in plain_requests
    ]


def in_order(message: dict[str, Any]) -> dict[str, Any]:
    """A message with the results of parallel calls in one order.

    They come as they end; the last of them bears the mark of the cache and the CLI's reminder.
    """
    content = message["content"]
    if isinstance(content, str):
        return message
    blocks = [
        {key: said(value) for key, value in block.items() if key != "cache_control"}
        for block in sorted(content, key=lambda block: block.get("tool_use_id", ""))
    ]
    return {**message, "content": blocks}


def said(value: object) -> object:
    return value.partition("\n\n<system-reminder>")[0].rstrip() if isinstance(value, str) else value


def asked(request: Request) -> tuple[object, ...]:
    """A request without what differs from session to session."""
    body = {key: value for key, value in request.body.items() if key not in ("metadata", "system")}
    body["messages"] = [in_order(message) for message in body["messages"]]
    return request.headers.get("x-api-key"), request.model, "x-stolen" in request.headers, body
