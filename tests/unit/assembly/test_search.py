"""Settings to search providers: choice, keys, places."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from foureyes import SearchUnavailable, SettingsError
from foureyes.assembly.model import PROTECTED, LoadedSettings
from foureyes.assembly.search import (
    build_provider,
    knowledge_base,
    knowledge_roots,
    open_searching,
    search_policy,
)
from foureyes.assembly.settings import (
    knowledge_base_file,
    load_settings,
    pipeline_config,
    searches,
)
from foureyes.base.registry import load_registry_file
from foureyes.datatypes import FetchMode
from foureyes.sources.policy import FETCH_FILE, FetchPolicy
from support.http_site import HttpSite, searxng

KEY = "sk-very-secret"


def loaded(
    folder: Path, environ: Mapping[str, str] | None = None, **flags: object
) -> LoadedSettings:
    given = {"HOME": str(folder), "FOUREYES_SOURCE_CACHE": "none", **(environ or {})}
    return load_settings(flags, environ=given, folder=folder)


def test_no_search_is_the_default_whatever_keys_there_are(tmp_path: Path) -> None:
    keys = {"TAVILY_API_KEY": KEY, "BRAVE_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
    settings = loaded(tmp_path, keys)
    assert build_provider(settings) is None
    assert settings.search_key is None
    assert pipeline_config(settings.settings).fact_checker.max_searches == 0


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("tavily", "TAVILY_API_KEY"),
        ("brave", "BRAVE_API_KEY"),
        ("anthropic", "ANTHROPIC_API_KEY"),
    ],
)
def test_a_keyed_provider_takes_its_own_variable(tmp_path: Path, name: str, variable: str) -> None:
    settings = loaded(tmp_path, {variable: KEY}, search=name)
    provider = build_provider(settings)
    assert provider is not None
    assert (provider.name, provider.local) == (name, False)
    assert KEY not in repr(settings) + repr(provider)
    assert pipeline_config(settings.settings).fact_checker.max_searches == 50
    with pytest.raises(SettingsError, match=f"has no key: {variable} is not set"):
        build_provider(loaded(tmp_path, search=name))


def test_another_address_needs_its_key_named(tmp_path: Path) -> None:
    keys = {"TAVILY_API_KEY": KEY, "OTHER": "sk-other"}
    other = {"search": "tavily", "search_url": "https://proxy.example/t"}
    with pytest.raises(SettingsError, match=r"which key goes to.*--search-key-env"):
        loaded(tmp_path, keys, **other)
    settings = loaded(tmp_path, keys, **other, search_key_env="OTHER")
    assert settings.search_key is not None
    assert settings.search_key.get_secret_value() == "sk-other"
    own = loaded(tmp_path, keys, search="tavily", search_url="https://api.tavily.com")
    assert own.search_key_variable == "TAVILY_API_KEY"


def test_searxng_needs_an_address_and_no_key(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"searxng needs its address.*--search-url"):
        loaded(tmp_path, search="searxng")
    provider = build_provider(loaded(tmp_path, search="searxng", search_url="http://10.1.2.3:8888"))
    assert provider is not None


@pytest.mark.parametrize(
    "key", ["search", "search_url", "search_key_env", "max_searches", "knowledge_base"]
)
def test_the_working_folder_may_not_choose_who_is_asked(tmp_path: Path, key: str) -> None:
    assert key in PROTECTED
    (tmp_path / "foureyes.yaml").write_text(f"{key}: tavily\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="may not be set in the working folder"):
        loaded(tmp_path)


def test_the_knowledge_base_lies_in_the_data_folder_or_where_it_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = loaded(tmp_path).settings
    monkeypatch.setenv("XDG_DATA_HOME", "/d")
    monkeypatch.setenv("HOME", "/home/someone")
    monkeypatch.delenv("USERPROFILE", raising=False)
    assert knowledge_base_file(settings) == Path("/d/foureyes/knowledge_base.sqlite3")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert knowledge_base_file(settings) == (
        Path("/home/someone/.local/share/foureyes/knowledge_base.sqlite3")
    )
    own = loaded(tmp_path, knowledge_base=str(tmp_path / "own")).settings
    assert knowledge_base_file(own) == tmp_path / "own"
    monkeypatch.delenv("HOME")
    with pytest.raises(SettingsError, match="no place for the knowledge base"):
        knowledge_base_file(settings)


async def test_the_knowledge_base_is_searched_and_its_folders_may_be_read(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "port.md").write_text("The harbour is deep.\n", encoding="utf-8")
    settings = loaded(
        tmp_path, search="knowledge_base", knowledge_base=str(tmp_path / "kb"), fetch="none"
    )
    policy = load_registry_file(FetchPolicy, FETCH_FILE)
    knowledge_base(settings.settings).add(tmp_path / "documents", policy)
    assert knowledge_roots(settings.settings) == (tmp_path / "documents",)
    assert knowledge_roots(loaded(tmp_path).settings) == ()
    provider = build_provider(settings)
    assert provider is not None
    searching = open_searching(provider, settings.settings, tmp_path / "searches")
    (hit,) = (await searching.search("deep harbour")).hits
    assert hit.url == "port.md"


async def test_without_live_fetching_no_question_leaves_this_machine(tmp_path: Path) -> None:
    async with HttpSite() as site:
        site.tell(searxng([]))
        address = site.url("")
        for mode in (FetchMode.NONE, FetchMode.FROZEN):
            settings = loaded(tmp_path, search="searxng", search_url=address, fetch=mode.value)
            provider = build_provider(settings)
            assert provider is not None
            searching = open_searching(provider, settings.settings, tmp_path / mode.value)
            with pytest.raises(SearchUnavailable, match="may be put"):
                await searching.search("harbour")
        assert site.requests == []


async def test_runs_of_one_user_share_answers_beside_the_shared_sources(tmp_path: Path) -> None:
    async with HttpSite() as site:
        site.tell(searxng([]))
        cache = {"FOUREYES_SOURCE_CACHE": str(tmp_path / "cache" / "sources")}
        settings = loaded(tmp_path, cache, search="searxng", search_url=site.url(""))
        provider = build_provider(settings)
        assert provider is not None
        for run in ("one", "two"):
            searching = open_searching(provider, settings.settings, tmp_path / run)
            await searching.search("harbour")
        assert len(site.requests) == 1
    assert (tmp_path / "cache" / "sources-searches").is_dir()


def test_the_packaged_policy_keeps_to_decision_19(tmp_path: Path) -> None:
    assert search_policy(loaded(tmp_path).settings).query_characters == 200


@pytest.mark.parametrize(
    ("flags", "offered"),
    [
        ({}, False),
        ({"search": "knowledge_base"}, True),
        ({"search": "knowledge_base", "fetch": "none"}, True),
        ({"search": "tavily"}, True),
        ({"search": "tavily", "fetch": "none"}, False),
        ({"search": "tavily", "max_searches": 0}, False),
    ],
)
def test_agents_are_offered_a_search_only_where_one_can_be_made(
    tmp_path: Path, flags: Mapping[str, Any], offered: bool
) -> None:
    settings = loaded(tmp_path, None, **flags).settings
    assert searches(settings) is offered
    assert bool(pipeline_config(settings).fact_checker.max_searches) is offered
