"""Where the reader's scores are kept, and who may do without the reader."""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import foureyes
import pytest
from foureyes import SettingsError

DRAFT = "The bridge was opened in 1932 ([notes](notes.md)).\n"


def check(folder: Path, **settings: Any) -> foureyes.CheckResult:
    """The draft, held against a source that says it in other words."""
    source = folder / "notes.md"
    source.write_text("The bridge has been open since 1932.\n", encoding="utf-8")
    result = foureyes.check(DRAFT, sources=[source], fetch="none", **settings)
    assert len(result.claims) == 1
    return result


def scores(cache: Path) -> Path:
    return cache / "foureyes" / "reader" / "scores.sqlite3"


def test_scores_are_kept_in_the_users_cache_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    check(tmp_path)
    assert scores(tmp_path / "cache").is_file()


def test_without_a_home_no_scores_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name)
    before = changed()
    check(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.md"]
    assert changed() == before


def changed() -> int:
    """When the scores in this user's own home were last written, 0 if there are none."""
    path = scores(Path(pwd.getpwuid(os.getuid()).pw_dir) / ".cache")
    return path.stat().st_mtime_ns if path.exists() else 0


@pytest.mark.parametrize(
    ("flags", "environ"), [({"reader": "none"}, {}), ({}, {"FOUREYES_READER": "none"})]
)
def test_the_reader_can_be_turned_off(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    flags: Mapping[str, str],
    environ: Mapping[str, str],
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    check(tmp_path, **flags)
    assert not scores(tmp_path / "cache").exists()


def test_a_folder_under_review_cannot_turn_the_reader_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "foureyes.yaml").write_text("reader: none\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SettingsError, match="reader may not be set in the working folder"):
        check(tmp_path)
