"""Where sources are kept for later checks and runs, and how long fetching may take."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from pathlib import Path

import pytest
from support.commands import foureyes_here
from support.http_site import HttpSite
from support.serving import served


@pytest.fixture
def site(tmp_path: Path) -> Generator[HttpSite]:
    """A site with the page that the document in the folder cites."""
    with served(HttpSite()) as site:
        url = site.page("/a", "She is 62 m long.", media_type="text/plain")
        (tmp_path / "draft.md").write_text(f"She is 62 m long ({url}).\n", encoding="utf-8")
        yield site


def fetched_twice(folder: Path, site: HttpSite, *options: str) -> bool:
    """Whether of two checks of the document each has asked the site."""
    for _ in range(2):
        words = ("--allowed-hosts", site.authority, "--reader", "none", *options)
        assert foureyes_here("check", "draft.md", *words, cwd=folder).returncode in (0, 1, 2)
    asked = [request for request in site.requests if request.path == "/a"]
    assert asked
    return len(asked) == 2


@pytest.mark.parametrize(
    ("given", "environ", "place"),
    [
        ("auto", {"HOME": "h"}, "h/.cache/foureyes/sources"),
        ("auto", {"HOME": "h", "XDG_CACHE_HOME": "c"}, "c/foureyes/sources"),
        ("auto", {}, None),
        ("none", {"HOME": "h"}, None),
        ("mine", {"HOME": "h"}, "mine"),
    ],
)
def test_sources_are_shared_in_the_users_cache_unless_told_otherwise(
    tmp_path: Path,
    site: HttpSite,
    monkeypatch: pytest.MonkeyPatch,
    given: str,
    environ: Mapping[str, str],
    place: str | None,
) -> None:
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, str(tmp_path / value))
    assert fetched_twice(tmp_path, site, "--source-cache", given) is (place is None)
    kept = {folder for folder in ("h", "c", "mine") if (tmp_path / folder).exists()}
    if place is None:
        assert kept == set()
    else:
        assert kept == {place.split("/")[0]}
        assert any((tmp_path / place).iterdir())


@pytest.mark.parametrize(("value", "folder"), [("kept", "kept"), ("none", None)])
def test_in_a_config_file_a_folder_is_beside_it_and_a_word_is_a_word(
    tmp_path: Path,
    site: HttpSite,
    monkeypatch: pytest.MonkeyPatch,
    value: str,
    folder: str | None,
) -> None:
    monkeypatch.delenv("FOUREYES_SOURCE_CACHE")
    beside = tmp_path / "settings"
    beside.mkdir()
    (beside / "own.yaml").write_text(f"source_cache: {value}\n", "utf-8")
    options = ("--config", str(beside / "own.yaml"))
    assert fetched_twice(tmp_path, site, *options) is (folder is None)
    kept = [path.name for path in beside.iterdir() if path.is_dir()]
    assert kept == ([folder] if folder else [])


def test_fetching_ends_after_the_time_that_is_set_for_it(tmp_path: Path) -> None:
    with served(HttpSite()) as site:
        draft = f"She is 62 m long ({site.hang('/a')}).\n"
        (tmp_path / "draft.md").write_text(draft, encoding="utf-8")
        words = ("--allowed-hosts", site.authority, "--fetch-timeout-total", "0.2")
        done = foureyes_here("check", "draft.md", *words, "--json", cwd=tmp_path)
    (source,) = json.loads(done.stdout)["sources"]
    assert source["state"] == "timeout"
    assert "fetching all sources took over 0.2 s" in done.stdout
