from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from foureyes import ClaudeSettings, Credential, CredentialKind, Role
from foureyes.backends.claude.settings import DEFAULT_MODELS, price_known, session_environment
from support.claude_turn import review_task

HOME = Path("/private")


def environment(inherited: dict[str, str] | None = None, **changes: Any) -> dict[str, str]:
    given: dict[str, Any] = {"credential": Credential(CredentialKind.API_KEY, "k"), **changes}
    task = review_task(name="1/judge")
    return session_environment(ClaudeSettings(**given), task, HOME, inherited or {})


def test_every_inherited_variable_is_blanked_but_what_a_program_needs() -> None:
    inherited = {
        "PATH": "/bin",
        "LANG": "C",
        "https_proxy": "http://proxy",
        "OPENAI_API_KEY": "secret",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "CLAUDE_CODE_USE_BEDROCK": "1",
        "ANTHROPIC_AUTH_TOKEN": "secret",
        "NODE_OPTIONS": "--require x",
        "XDG_CONFIG_HOME": "/home/u/.config",
        "HOME": "/home/u",
    }
    laid_over = inherited | environment(inherited)
    assert {name for name in inherited if laid_over[name] == ""} == {
        "OPENAI_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
        "CLAUDE_CODE_USE_BEDROCK",
        "ANTHROPIC_AUTH_TOKEN",
        "NODE_OPTIONS",
        "XDG_CONFIG_HOME",
    }
    assert laid_over["HOME"] == "/private"


@pytest.mark.parametrize("kind", CredentialKind)
def test_the_credential_is_the_only_secret_and_not_shown(kind: CredentialKind) -> None:
    credential = Credential(kind, "secret")
    variables = environment(credential=credential)
    assert [name for name, value in variables.items() if value == "secret"] == [kind.value]
    assert "secret" not in repr(ClaudeSettings(credential=credential))


@pytest.mark.parametrize(
    ("changes", "name", "value"),
    [
        ({"retries": 5}, "CLAUDE_CODE_MAX_RETRIES", "5"),
        ({"request_timeout_s": 1.5}, "API_TIMEOUT_MS", "1500"),
        ({"idle_timeout_s": 60}, "CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS", "60000"),
        ({"tool_timeout_s": 0.0001}, "MCP_TOOL_TIMEOUT", "1"),
        ({"base_url": "http://127.0.0.1:1"}, "ANTHROPIC_BASE_URL", "http://127.0.0.1:1"),
        ({}, "ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
        ({}, "CLAUDE_CODE_SIMPLE", ""),
        ({}, "ENABLE_TOOL_SEARCH", "false"),
        ({}, "CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK", "1"),
        ({}, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ({}, "CLAUDE_CONFIG_DIR", "/private/config"),
        ({}, "ANTHROPIC_CUSTOM_HEADERS", "x-foureyes-turn: 1/judge"),
        ({"turn_header": ""}, "ANTHROPIC_CUSTOM_HEADERS", ""),
        (
            {"headers": {"x-team": "a"}, "turn_header": "x-turn"},
            "ANTHROPIC_CUSTOM_HEADERS",
            "x-team: a\nx-turn: 1/judge",
        ),
    ],
)
def test_each_setting_reaches_the_cli(changes: dict[str, Any], name: str, value: str) -> None:
    assert environment(**changes)[name] == value


def test_every_role_has_a_model_with_a_known_price() -> None:
    assert set(DEFAULT_MODELS) == set(Role)
    assert all(price_known(model) for model in DEFAULT_MODELS.values())


@pytest.mark.parametrize("model", ["llama-4", "gpt-5", "", "anthropic/claude-x", "opus-clone"])
def test_no_price_is_invented_for_other_models(model: str) -> None:
    assert not price_known(model)
