from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from foureyes.assembly.materials import open_fetcher
from foureyes.assembly.model import Settings
from foureyes.assembly.settings import load_settings, source_cache
from foureyes.datatypes import SourceState
from foureyes.sources.local_files import LocalSources
from support.http_site import HttpSite


@pytest.mark.parametrize(
    ("given", "environ", "folder"),
    [
        ("auto", {"HOME": "/h"}, "/h/.cache/foureyes/sources"),
        ("auto", {"HOME": "/h", "XDG_CACHE_HOME": "/c"}, "/c/foureyes/sources"),
        ("auto", {}, None),
        ("none", {"HOME": "/h"}, None),
        ("mine", {"HOME": "/h"}, "mine"),
    ],
)
def test_sources_are_shared_in_the_users_cache_unless_told_otherwise(
    tmp_path: Path, given: str, environ: Mapping[str, str], folder: str | None
) -> None:
    loaded = load_settings({"source_cache": given}, environ=environ, folder=tmp_path)
    found = source_cache(loaded.settings, environ)
    assert found == (Path(folder) if folder else None)


@pytest.mark.parametrize(("value", "folder"), [("kept", "kept"), ("none", None)])
def test_in_a_config_file_a_folder_is_beside_it_and_a_word_is_a_word(
    tmp_path: Path, value: str, folder: str | None
) -> None:
    config = tmp_path / "own.yaml"
    config.write_text(f"source_cache: {value}\n", "utf-8")
    loaded = load_settings(config=config, environ={}, folder=tmp_path)
    assert source_cache(loaded.settings, {}) == (tmp_path / folder if folder else None)


async def test_two_runs_share_what_one_has_fetched(tmp_path: Path) -> None:
    async with HttpSite() as site:
        url = site.page("/a", "She is 62 m long.", media_type="text/plain")
        settings = Settings(allowed_hosts=(site.authority,), source_cache=tmp_path / "shared")
        for name in ("one", "two"):
            async with open_fetcher(tmp_path / name, settings, LocalSources()) as fetcher:
                source = await fetcher.fetch(url)
            assert source.state.readable
        assert len(site.requests) == 1


async def test_fetching_ends_after_the_time_that_is_set_for_it(tmp_path: Path) -> None:
    async with HttpSite() as site:
        settings = Settings(
            allowed_hosts=(site.authority,), source_cache="none", fetch_timeout_total=0.2
        )
        async with open_fetcher(tmp_path, settings, LocalSources()) as fetcher:
            source = await fetcher.fetch(site.hang("/a"))
    assert (source.state, source.reason) == (
        SourceState.TIMEOUT,
        "fetching all sources took over 0.2 s",
    )
