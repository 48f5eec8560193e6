"""Reports the requests and tool calls of a session to `core.tracing`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace

from claude_agent_sdk import (
    AssistantMessage,
    Message,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
)

from ...core.tasks import ToolSpec
from ...core.tracing import Conversation
from .failures import Failure
from .guard import tool_name
from .tally import SYNTHETIC_MODEL, counted_tokens

Handler = Callable[[Mapping[str, object]], Awaitable[str]]


class SessionSpans:
    """The spans of one session; the trace they belong to is the current one when it is made.

    Args:
        model: Who is asked.
        offered: The tools that may be called, by the CLI's names.
    """

    def __init__(self, model: str, offered: Collection[str]) -> None:
        self._offered = offered
        self._conversation = Conversation(model)

    def asked(self) -> None:
        """The prompt has gone to the model."""
        self._conversation.start_request()

    def observe(self, message: Message) -> None:
        """Take in one message of the stream."""
        match message:
            case AssistantMessage(model=model) if model != SYNTHETIC_MODEL:
                usage = counted_tokens(message.usage or {})
                self._conversation.record_response(message.message_id or "", model, usage)
                for block in message.content:
                    if isinstance(block, ToolUseBlock):
                        # The CLI itself refuses what it does not have.
                        refused = block.name not in self._offered
                        self.called(block.id, block.name, refused=refused)
            case UserMessage(content=list(blocks)):
                for block in blocks:
                    if isinstance(block, ToolResultBlock):
                        self._conversation.end_tool_call(
                            block.tool_use_id, failed=bool(block.is_error)
                        )
            case _:
                pass

    def called(self, call: str, tool: str, *, refused: bool = False) -> None:
        """The model has called `tool`, by the name that the CLI has for it."""
        self._conversation.start_tool_call(call, tool.removeprefix(tool_name("")), refused=refused)

    def within(self, tools: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
        """`tools`, what they do being part of their calls."""
        return [replace(tool, handler=self._traced(tool.name, tool.handler)) for tool in tools]

    def _traced(self, name: str, handler: Handler) -> Handler:
        async def handle(arguments: Mapping[str, object]) -> str:
            with self._conversation.run_tool(name):
                return await handler(arguments)

        return handle

    def closed(self, failure: Failure | None) -> None:
        """The session is over; `failure` is what it ended with in place of an answer."""
        self._conversation.close(failure.kind if failure else None)
