from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from foureyes import BackendUnavailable, Role, SettingsError
from foureyes.assembly.backend import build_backend, claude_settings, price_is_known
from foureyes.assembly.model import LoadedSettings
from foureyes.assembly.settings import load_settings

LOCAL = {"base_url": "http://127.0.0.1:1", "api_key_env": "none"}


def loaded(folder: Path, environ: dict[str, str] | None = None, **flags: Any) -> LoadedSettings:
    return load_settings(flags, environ=environ or {}, folder=folder)


def test_offline_is_not_independent_and_claude_is(tmp_path: Path) -> None:
    offline = build_backend(loaded(tmp_path))
    claude = build_backend(loaded(tmp_path, {"ANTHROPIC_API_KEY": "k"}, backend="claude"))
    assert [(b.name, b.independent) for b in (offline, claude)] == [
        ("offline", False),
        ("claude", True),
    ]


def test_claude_without_a_key_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailable, match="ANTHROPIC_API_KEY is not set"):
        build_backend(loaded(tmp_path, backend="claude"))


@pytest.mark.parametrize(
    ("environ", "flags", "kind", "value", "url"),
    [
        ({"ANTHROPIC_API_KEY": "k"}, {}, "ANTHROPIC_API_KEY", "k", "https://api.anthropic.com"),
        ({"CLAUDE_CODE_OAUTH_TOKEN": "t"}, {}, "CLAUDE_CODE_OAUTH_TOKEN", "t", None),
        ({"ANTHROPIC_AUTH_TOKEN": "t"}, {}, "ANTHROPIC_AUTH_TOKEN", "t", None),
        ({"MINE": "m"}, {"api_key_env": "MINE"}, "ANTHROPIC_API_KEY", "m", None),
        ({"ANTHROPIC_API_KEY": "k"}, LOCAL, "ANTHROPIC_API_KEY", "none", "http://127.0.0.1:1"),
    ],
)
def test_the_key_goes_with_its_address(
    tmp_path: Path,
    environ: dict[str, str],
    flags: dict[str, str],
    kind: str,
    value: str,
    url: str | None,
) -> None:
    settings = claude_settings(loaded(tmp_path, environ, backend="claude", **flags))
    assert (settings.credential.kind.value, settings.credential.value) == (kind, value)
    assert url is None or settings.base_url == url


def test_each_agent_can_have_a_model_of_its_own(tmp_path: Path) -> None:
    flags = {"backend": "claude", "model": ["judge=claude-x"]}
    settings = claude_settings(loaded(tmp_path, {"ANTHROPIC_API_KEY": "k"}, **flags))
    assert settings.models[Role.JUDGE] == "claude-x"
    assert settings.models[Role.REVIEWER] == "sonnet"


@pytest.mark.parametrize(
    ("flags", "known"),
    [
        ({}, True),
        ({"backend": "claude"}, True),
        ({"backend": "claude", "model": ["judge=claude-x", "opus"]}, True),
        ({"backend": "claude", "model": ["judge=own"]}, False),
        ({"backend": "claude", **LOCAL}, False),
    ],
)
def test_a_price_is_known_only_at_its_own_provider(
    tmp_path: Path, flags: dict[str, Any], known: bool
) -> None:
    assert price_is_known(loaded(tmp_path, **flags).settings) is known


def test_a_price_of_the_users_own_is_known_at_any_server(tmp_path: Path) -> None:
    price = "{input: 1, output: 2, cache_read: 0, cache_write: 0}"
    (tmp_path / "prices.yaml").write_text(f"models: {{own: {price}}}\n", encoding="utf-8")
    flags: dict[str, Any] = {
        "backend": "claude",
        "registry_dir": tmp_path,
        "max_cost_usd": ["1"],
        **LOCAL,
    }
    known = loaded(tmp_path, model=["own"], **flags)
    assert price_is_known(known.settings)
    assert claude_settings(known).prices["own"].output == 2
    mixed = loaded(tmp_path, model=["own", "judge=other"], **flags)
    assert not price_is_known(mixed.settings)
    with pytest.raises(SettingsError, match="the price of the judge is unknown"):
        build_backend(mixed)


@pytest.mark.parametrize(
    ("flags", "refused"),
    [
        ({"max_cost_usd": ["1"]}, False),
        ({"max_cost_usd": ["judge=1"], "model": ["judge=claude-x", "other"]}, False),
        ({"max_cost_usd": ["judge=1"], "model": ["judge=other"]}, True),
        ({"max_cost_usd": ["judge=1"], **LOCAL}, True),
    ],
)
def test_an_agents_limit_in_dollars_needs_a_known_price(
    tmp_path: Path, flags: dict[str, Any], refused: bool
) -> None:
    given = loaded(tmp_path, {"ANTHROPIC_API_KEY": "k"}, backend="claude", **flags)
    if not refused:
        assert build_backend(given).name == "claude"
        return
    with pytest.raises(SettingsError, match="--max-cost-usd: the price of the judge is unknown"):
        build_backend(given)
