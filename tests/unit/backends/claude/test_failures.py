from __future__ import annotations

from typing import Any

import pytest
from claude_agent_sdk import (
    ClaudeSDKError,
    CLIConnectionError,
    CLIJSONDecodeError,
    CLINotFoundError,
    ProcessError,
    ResultError,
    ResultMessage,
)
from foureyes.backends.claude._tally import (
    failure_of_error,
    failure_of_result,
    failure_of_status,
)
from foureyes.core.tasks import Error
from foureyes.core.tasks import FailureKind as Kind


def result(**changes: Any) -> ResultMessage:
    given: dict[str, Any] = {
        "subtype": "success",
        "duration_ms": 1,
        "duration_api_ms": 1,
        "is_error": False,
        "num_turns": 1,
        "session_id": "s",
        "terminal_reason": "completed",
        **changes,
    }
    return ResultMessage(**given)


def test_a_completed_result_without_error_is_no_failure() -> None:
    assert failure_of_result(result()) is None


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"is_error": True}, Kind.CRASHED),
        ({"terminal_reason": None}, Kind.CRASHED),
        ({"terminal_reason": "something_new"}, Kind.CRASHED),
        ({"terminal_reason": "hook_stopped"}, Kind.CRASHED),
        ({"terminal_reason": "aborted_streaming"}, Kind.CRASHED),
        ({"terminal_reason": "aborted_tools"}, Kind.CRASHED),
        ({"terminal_reason": "prompt_too_long"}, Kind.REFUSED),
        ({"terminal_reason": "malformed_tool_use_exhausted"}, Kind.MALFORMED),
        ({"stop_reason": "refusal"}, Kind.REFUSED),
        ({"is_error": True, "api_error_status": 429}, Kind.RATE_LIMITED),
        ({"is_error": True, "terminal_reason": "api_error"}, Kind.UNAVAILABLE),
        (
            {"terminal_reason": "api_error", "result": "Request timed out. If the API"},
            Kind.TIMEOUT,
        ),
        (
            {"terminal_reason": "api_error", "result": "API Error: Stream idle timeout - no"},
            Kind.TIMEOUT,
        ),
        ({"subtype": "error_max_turns", "terminal_reason": "max_turns"}, Kind.MAX_TURNS),
        ({"subtype": "error_max_turns", "terminal_reason": None}, Kind.MAX_TURNS),
        ({"subtype": "error_max_budget_usd", "terminal_reason": None}, Kind.BUDGET),
        ({"subtype": "error_during_execution", "terminal_reason": None}, Kind.CRASHED),
    ],
)
def test_every_other_result_is_a_failure_of_its_kind(changes: dict[str, Any], kind: Kind) -> None:
    failure = failure_of_result(result(**changes))
    assert failure is not None
    assert failure.kind is kind
    assert failure.message


def test_the_reasons_given_are_told_on_one_line() -> None:
    failure = failure_of_result(result(is_error=True, errors=["first\nline", "second"]))
    assert failure == Error(Kind.CRASHED, "first line; second")


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, Kind.REFUSED),
        (401, Kind.AUTH),
        (402, Kind.AUTH),
        (403, Kind.AUTH),
        (404, Kind.REFUSED),
        (408, Kind.TIMEOUT),
        (413, Kind.REFUSED),
        (422, Kind.REFUSED),
        (429, Kind.RATE_LIMITED),
        (500, Kind.UNAVAILABLE),
        (502, Kind.UNAVAILABLE),
        (503, Kind.UNAVAILABLE),
        (504, Kind.TIMEOUT),
        (529, Kind.UNAVAILABLE),
    ],
)
def test_each_http_status_has_a_kind(status: int, kind: Kind) -> None:
    assert failure_of_status(status) is kind


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (CLINotFoundError("Claude Code not found"), Kind.UNAVAILABLE),
        (CLIConnectionError("Failed to start Claude Code"), Kind.UNAVAILABLE),
        (CLIConnectionError("does not honor on_failure on hook matchers"), Kind.NOT_ARMED),
        (ProcessError("Command failed", exit_code=1), Kind.CRASHED),
        (CLIJSONDecodeError("{", ValueError("x")), Kind.CRASHED),
        (ClaudeSDKError("new"), Kind.CRASHED),
        (Exception("Control request timeout: initialize"), Kind.CRASHED),
        (ResultError("x", {"api_error_status": 401}), Kind.AUTH),
        (ResultError("x", {"subtype": "error_max_turns"}), Kind.MAX_TURNS),
        (ResultError("x"), Kind.CRASHED),
    ],
)
def test_each_error_of_the_sdk_has_a_kind(error: Exception, kind: Kind) -> None:
    assert failure_of_error(error).kind is kind
