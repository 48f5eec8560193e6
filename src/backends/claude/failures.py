"""Every way a session can fail, mapped to the kinds the loop knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from claude_agent_sdk import CLIConnectionError, ResultError, ResultMessage

from ...core.tasks import FailureKind

COMPLETED = "completed"
TIMED_OUT = ("Request timed out", "Stream idle timeout")

STATUS_KINDS: Mapping[int, FailureKind] = {
    401: FailureKind.AUTH,
    402: FailureKind.AUTH,
    403: FailureKind.AUTH,
    408: FailureKind.TIMEOUT,
    429: FailureKind.RATE_LIMITED,
    504: FailureKind.TIMEOUT,
}
"""HTTP statuses with a meaning of their own. Any other 4xx is a request that the server refuses
each time (400 invalid, 404 no such model or address, 413 too large), any other 5xx passes."""

REASON_KINDS: Mapping[str, FailureKind] = {
    "max_turns": FailureKind.MAX_TURNS,
    "error_max_turns": FailureKind.MAX_TURNS,
    "budget_exhausted": FailureKind.BUDGET,
    "error_max_budget_usd": FailureKind.BUDGET,
    "prompt_too_long": FailureKind.REFUSED,
    "blocking_limit": FailureKind.REFUSED,
    "rapid_refill_breaker": FailureKind.REFUSED,
    "image_error": FailureKind.REFUSED,
    "malformed_tool_use_exhausted": FailureKind.MALFORMED,
    "api_error": FailureKind.UNAVAILABLE,
    "model_error": FailureKind.UNAVAILABLE,
    "turn_setup_failed": FailureKind.UNAVAILABLE,
    "aborted_streaming": FailureKind.CRASHED,
    "aborted_tools": FailureKind.CRASHED,
}
"""Why the CLI ended a turn (`terminal_reason`), or how it names the error result (`subtype`). What
is not listed (hooks that stop a turn, deferred tools) is never asked for and counts as crashed."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a session gave no answer."""

    kind: FailureKind
    message: str


def failure_of_status(status: int) -> FailureKind:
    """The kind of an HTTP status of 400 or above."""
    default = FailureKind.REFUSED if status < 500 else FailureKind.UNAVAILABLE
    return STATUS_KINDS.get(status, default)


def failure_of_result(result: ResultMessage) -> Failure | None:
    """None for a turn that the model ended by itself.

    The subtype ``success`` alone says only that the CLI's loop came to an end.
    """
    if result.stop_reason == "refusal":
        return Failure(FailureKind.REFUSED, "the model declined the task")
    if not result.is_error and result.terminal_reason == COMPLETED:
        return None
    words = result.errors or [result.result or result.terminal_reason or result.subtype]
    text = one_line("; ".join(words))
    kind = _kind(result.api_error_status, result.terminal_reason, result.subtype)
    # The CLI tells a request that ran into a time limit from others by its words alone.
    if kind is FailureKind.UNAVAILABLE and any(words in text for words in TIMED_OUT):
        kind = FailureKind.TIMEOUT
    return Failure(kind, text)


def failure_of_error(error: Exception) -> Failure:
    """The failure that an error of the SDK stands for."""
    match error:
        case ResultError():
            kind = _kind(error.api_error_status, error.terminal_reason, error.subtype)
        case CLIConnectionError():
            # Among others a CLI that does not promise to honour hooks that fail.
            kind = FailureKind.NOT_ARMED if "on_failure" in str(error) else FailureKind.UNAVAILABLE
        case _:
            kind = FailureKind.CRASHED
    return Failure(kind, one_line(str(error)))


def one_line(text: str) -> str:
    """`text` on one line of at most 300 characters."""
    return " ".join(text.split())[:300]


def _kind(status: int | None, reason: str | None, subtype: str | None) -> FailureKind:
    if status is not None and status >= 400:
        return failure_of_status(status)
    known = REASON_KINDS.get(reason or "") or REASON_KINDS.get(subtype or "")
    return known or FailureKind.CRASHED
