from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import SettingsError
from foureyes.assembly.rules import open_reader, open_registry
from foureyes.assembly.settings import load_settings
from foureyes.verification.reader.onnx_reader import packaged_reader

PAIR = ("The bridge was opened in 1932.", "The bridge has been open since 1932.")


def test_scores_are_kept_in_the_users_cache_folder(tmp_path: Path) -> None:
    environ = {"XDG_CACHE_HOME": str(tmp_path)}
    reader = open_reader(load_settings(environ={}, folder=tmp_path).settings, environ)
    reader.read([PAIR])
    assert (tmp_path / "foureyes" / "reader" / "scores.sqlite3").is_file()


def test_without_a_home_no_scores_are_kept(tmp_path: Path) -> None:
    loaded = load_settings(environ={}, folder=tmp_path)
    assert open_reader(loaded.settings, {}) is packaged_reader(None)


@pytest.mark.parametrize(
    ("flags", "environ"), [({"reader": "none"}, {}), ({}, {"FOUREYES_READER": "none"})]
)
def test_the_reader_can_be_turned_off(
    tmp_path: Path, flags: dict[str, object], environ: dict[str, str]
) -> None:
    settings = load_settings(flags, environ=environ, folder=tmp_path).settings
    reader = open_registry(settings).reader
    assert (reader.available, reader.identity) == (False, "none")


def test_a_folder_under_review_cannot_turn_the_reader_off(tmp_path: Path) -> None:
    (tmp_path / "foureyes.yaml").write_text("reader: none\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="reader may not be set in the working folder"):
        load_settings(environ={}, folder=tmp_path)
