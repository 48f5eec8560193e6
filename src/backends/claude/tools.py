"""Our own tools, served to the CLI from this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from claude_agent_sdk import McpSdkServerConfig, SdkMcpTool, ToolAnnotations, create_sdk_mcp_server

from ...core.tasks import ToolFailure, ToolSpec
from .guard import SERVER

MAX_RESULT_CHARS = 48_000
"""The CLI moves a result of more than 50,000 characters to a file that the agent may not read."""


def tool_server(
    tools: Sequence[ToolSpec], crashed: Callable[[Exception], None]
) -> McpSdkServerConfig:
    """A server with `tools`; a `ToolFailure` reaches the agent as an error result.

    Any other error of a handler is ours: `crashed` is told, because the SDK would only show it to
    the agent.
    """
    server = create_sdk_mcp_server(SERVER, tools=[_serve(tool, crashed) for tool in tools])
    # Its own spans would tell of each call a second time, with the texts of errors.
    with suppress(AttributeError):
        server["instance"].middleware.clear()
    return server


def _serve(tool: ToolSpec, crashed: Callable[[Exception], None]) -> SdkMcpTool[Any]:
    async def handle(arguments: dict[str, object]) -> dict[str, object]:
        try:
            return _result(await tool.handler(arguments))
        except ToolFailure as failure:
            return {**_result(str(failure)), "is_error": True}
        except Exception as error:
            crashed(error)
            raise

    return SdkMcpTool(
        name=tool.name,
        description=tool.description,
        # The SDK takes a dictionary without both keys for a list of parameter names.
        input_schema={"type": "object", "properties": {}, **tool.schema},
        handler=handle,
        # Calls of tools marked so run side by side.
        annotations=ToolAnnotations(readOnlyHint=tool.read_only),
    )


def _result(text: str) -> dict[str, object]:
    if len(text) > MAX_RESULT_CHARS:
        left = len(text) - MAX_RESULT_CHARS
        text = f"{text[:MAX_RESULT_CHARS]}\n[{left} more characters were cut]"
    return {"content": [{"type": "text", "text": text}]}
