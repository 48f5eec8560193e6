"""What the CLI's messages tell of a session: answers, readings, tool calls, cost, its failure."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from decimal import Decimal
from pathlib import Path

from claude_agent_sdk import (
    AssistantMessage,
    CLIConnectionError,
    ContentBlock,
    Message,
    ResultError,
    ResultMessage,
    TextBlock,
    ThinkingBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
)

from ...core.tasks import Error, FailureKind, TurnUsage
from ...core.tracing import Conversation
from ._guard import READ, own_name, tool_name
from .settings import ModelPrice, price_known

FETCH_TOOL = tool_name("fetch_source")
SYNTHETIC_MODEL = "<synthetic>"
"""The model the CLI names for the messages it makes up itself, such as an API error."""


@dataclass(slots=True)
class Tally:
    """Counts of one session.

    `texts` are the files whose reading is measured, by absolute path. `asked` is the model the
    session was started with, `model` the name the server answered with, `price` the user's own for
    it. `refused` has one line for each tool call that did not succeed. `conversation` is told of
    answers and calls; `offered` are the tools that may be called, by the CLI's names.
    """

    texts: Mapping[Path, str]
    asked: str
    price: ModelPrice | None = None
    _: KW_ONLY
    conversation: Conversation = field(default_factory=lambda: Conversation(""))
    offered: Collection[str] = ()
    model: str = ""
    result: ResultMessage | None = None
    refused: list[str] = field(default_factory=list[str])
    _calls: dict[str, str] = field(default_factory=dict[str, str])
    _answers: dict[str, TurnUsage] = field(default_factory=dict[str, TurnUsage])
    _results: int = 0
    _fetches: int = 0
    _seen: dict[Path, set[int]] = field(default_factory=dict[Path, set[int]])

    def observe(self, message: Message) -> None:
        """Count one message of the stream."""
        match message:
            case AssistantMessage():
                self._observe_answer(message)
            case UserMessage(content=list(blocks)):
                for block in blocks:
                    if isinstance(block, ToolResultBlock):
                        self._observe_result(block, message)
            case ResultMessage():
                self.result = message
            case _:
                pass

    def _observe_answer(self, message: AssistantMessage) -> None:
        if message.model == SYNTHETIC_MODEL:
            return
        self.model = message.model
        # One answer arrives as one message for each of its blocks, all with the same id.
        name = message.message_id or ""
        known = self._answers.get(name, TurnUsage())
        tokens = known.output_tokens + sum(map(_most_tokens, message.content))
        usage = counted_tokens(message.usage or {})
        self._answers[name] = replace(usage, output_tokens=tokens)
        self.conversation.record_response(name, message.model, usage)
        for block in message.content:
            if isinstance(block, ToolUseBlock):
                self._calls[block.id] = block.name
                # The CLI itself refuses what it does not have.
                refused = block.name not in self.offered
                self.conversation.start_tool_call(block.id, own_name(block.name), refused=refused)

    def _observe_result(self, block: ToolResultBlock, message: UserMessage) -> None:
        self._results += 1
        self.conversation.end_tool_call(block.tool_use_id, failed=bool(block.is_error))
        tool = self._calls.get(block.tool_use_id, "")
        if block.is_error:
            self.refused.append(f"{tool}: {' '.join(str(block.content).split())[:300]}")
            return
        self._fetches += tool == FETCH_TOOL
        match message.tool_use_result:
            case {
                "file": {"filePath": str(name), "content": str(text), "startLine": int(start)}
            } if tool == READ:
                self._observe_reading(Path(name), text, start)
            case _:
                pass

    def _observe_reading(self, path: Path, text: str, start: int) -> None:
        if path in self.texts:
            lines = _lines(self.texts[path])
            # A line counts only as it is in the file: the CLI may shorten long ones.
            given = enumerate(_lines(text), start - 1)
            seen = {index for index, line in given if index < len(lines) and line == lines[index]}
            self._seen.setdefault(path, set()).update(seen)

    def read_coverage(self) -> float:
        """The share (0-1) of the files' characters that were given to the agent."""
        total = seen = 0
        for path, text in self.texts.items():
            for index, line in enumerate(_lines(text)):
                total += len(line)
                seen += len(line) if index in self._seen.get(path, ()) else 0
        return seen / total if total else 1.0

    def usage(self, wall_s: float) -> TurnUsage:
        """Usage of the turn. Tokens and cost are the session's own totals, 0 without a result."""
        tokens = counted_tokens((self.result.usage if self.result else None) or {})
        return replace(
            tokens,
            messages=len(self._answers) + self._results,
            tool_calls=len(self._calls),
            tool_failures=len(self.refused),
            fetches=self._fetches,
            requests=len(self._answers),
            cost_usd=self._cost(),
            wall_s=wall_s,
        )

    def most_cost(self) -> Decimal | None:
        """Upper bound of the cost of the answers so far; None without a price set by the user."""
        if self.price is None:
            return None
        return sum((self.price.of(usage) for usage in self._answers.values()), Decimal(0))

    def _cost(self) -> Decimal | None:
        if self.price is not None:
            if self.result is None:
                return self.most_cost()
            return self.price.of(counted_tokens(self.result.usage or {}))
        billed = self.result.total_cost_usd if self.result else None
        # Of an answer that broke off, the CLI bills what the server had counted until then.
        if not self._answers and not billed:
            return Decimal(0)
        if billed is None or not price_known(self.model or self.asked):
            return None
        return Decimal(f"{billed:.6f}")


def counted_tokens(usage: Mapping[str, object]) -> TurnUsage:
    """The tokens in a message's `usage`."""
    return TurnUsage(
        input_tokens=_count(usage, "input_tokens"),
        output_tokens=_count(usage, "output_tokens"),
        cache_read_tokens=_count(usage, "cache_read_input_tokens"),
        cache_write_tokens=_count(usage, "cache_creation_input_tokens"),
    )


def _most_tokens(block: ContentBlock) -> int:
    """More tokens than a block of an answer has: only the end of a session tells the number."""
    match block:
        case TextBlock(text=text) | ThinkingBlock(thinking=text):
            return len(text) // 2 + 1
        case ToolUseBlock(name=name, input=arguments):
            return (len(name) + len(json.dumps(arguments, ensure_ascii=False))) // 2 + 1
        case _:
            return 0


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")


def _count(tokens: Mapping[str, object], name: str) -> int:
    value = tokens.get(name)
    return value if isinstance(value, int) else 0


COMPLETED = "completed"
TIMED_OUT = ("Request timed out", "Stream idle timeout")

STATUS_KINDS: Mapping[int, FailureKind] = {
    **dict.fromkeys((401, 402, 403), FailureKind.AUTH),
    **dict.fromkeys((408, 504), FailureKind.TIMEOUT),
    429: FailureKind.RATE_LIMITED,
}
"""HTTP statuses with a meaning of their own. Any other 4xx is a request that the server refuses
each time (400 invalid, 404 no such model or address, 413 too large), any other 5xx passes."""

_REASONS = {
    FailureKind.MAX_TURNS: ("max_turns", "error_max_turns"),
    FailureKind.BUDGET: ("budget_exhausted", "error_max_budget_usd"),
    FailureKind.REFUSED: (
        "prompt_too_long",
        "blocking_limit",
        "rapid_refill_breaker",
        "image_error",
    ),
    FailureKind.MALFORMED: ("malformed_tool_use_exhausted",),
    FailureKind.UNAVAILABLE: ("api_error", "model_error", "turn_setup_failed"),
}
REASON_KINDS = {reason: kind for kind, reasons in _REASONS.items() for reason in reasons}
"""Why the CLI ended a turn (`terminal_reason`), or how it names the error result (`subtype`). What
is not listed (hooks that stop a turn, deferred tools) is never asked for and counts as crashed."""


def failure_of_status(status: int) -> FailureKind:
    """The kind of an HTTP status of 400 or above."""
    default = FailureKind.REFUSED if status < 500 else FailureKind.UNAVAILABLE
    return STATUS_KINDS.get(status, default)


def failure_of_result(result: ResultMessage) -> Error | None:
    """None for a turn that the model ended by itself.

    The subtype ``success`` alone says only that the CLI's loop came to an end.
    """
    if result.stop_reason == "refusal":
        return Error(FailureKind.REFUSED, "the model declined the task")
    if not result.is_error and result.terminal_reason == COMPLETED:
        return None
    words = result.errors or [result.result or result.terminal_reason or result.subtype]
    text = one_line("; ".join(words))
    kind = _kind(result.api_error_status, result.terminal_reason, result.subtype)
    # The CLI tells a request that ran into a time limit from others by its words alone.
    if kind is FailureKind.UNAVAILABLE and any(words in text for words in TIMED_OUT):
        kind = FailureKind.TIMEOUT
    return Error(kind, text)


def failure_of_error(error: Exception) -> Error:
    """The failure that an error of the SDK stands for."""
    match error:
        case ResultError():
            kind = _kind(error.api_error_status, error.terminal_reason, error.subtype)
        case CLIConnectionError():
            # Among others a CLI that does not promise to honour hooks that fail.
            kind = FailureKind.NOT_ARMED if "on_failure" in str(error) else FailureKind.UNAVAILABLE
        case _:
            kind = FailureKind.CRASHED
    return Error(kind, one_line(str(error)))


def one_line(text: str) -> str:
    """`text` on one line of at most 300 characters."""
    return " ".join(text.split())[:300]


def _kind(status: int | None, reason: str | None, subtype: str | None) -> FailureKind:
    if status is not None and status >= 400:
        return failure_of_status(status)
    known = REASON_KINDS.get(reason or "") or REASON_KINDS.get(subtype or "")
    return known or FailureKind.CRASHED
