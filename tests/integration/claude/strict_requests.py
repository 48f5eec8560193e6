"""What a request holds beyond the Messages API as servers of other models know it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from support.messages_server import Answer, Fault, Request, Rule, Trouble

FIELDS = {
    *("model", "messages", "system", "tools", "tool_choice", "max_tokens", "stream"),
    *("metadata", "stop_sequences", "temperature", "top_k", "top_p"),
}
BLOCKS = {
    "text": frozenset({"type", "text"}),
    "tool_use": frozenset({"type", "id", "name", "input"}),
    "tool_result": frozenset({"type", "tool_use_id", "content", "is_error"}),
}
TOOL = frozenset({"name", "description", "input_schema"})
BETAS = frozenset({"claude-code-20250219"})
"""The CLI sends this one in any case; it names the program and asks for nothing."""
MAX_TOKENS = 16_384


def strict(rule: Rule) -> Rule:
    """`rule`, for a server that refuses with HTTP 400 what it does not know."""

    def answer(request: Request) -> Answer:
        unknown = set(unknown_parts(request))
        return Trouble(Fault.STATUS, 400) if unknown else rule(request)

    return answer


def unknown_parts(request: Request) -> Iterator[str]:
    """What a strict server would refuse, by name."""
    body = request.body
    yield from set(body) - FIELDS
    yield from set(filter(None, request.headers.get("anthropic-beta", "").split(","))) - BETAS
    if body["max_tokens"] > MAX_TOKENS:
        yield "max_tokens"
    for tool in body.get("tools", []):
        yield from set(tool) - TOOL
    for message in request.messages:
        if message["role"] not in ("user", "assistant"):
            yield f"role {message['role']}"
        yield from _unknown_in(message["content"])
    yield from _unknown_in(body.get("system", ""))
    if "x-anthropic-billing-header" in request.system:
        yield "billing line"


def _unknown_in(content: str | list[Mapping[str, Any]]) -> Iterator[str]:
    for block in [] if isinstance(content, str) else content:
        yield from set(block) - BLOCKS.get(block["type"], frozenset())
