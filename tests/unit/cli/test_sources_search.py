"""`foureyes sources index` and `sources search` through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.commands import execute


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "port.md").write_text(
        "# Port\n\nThe harbour was dredged to 14 metres in 2019.\n" + "The quay is long. " * 30,
        encoding="utf-8",
    )
    return tmp_path / "documents"


def test_a_folder_is_added_and_searched(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["sources", "index", str(folder)]) == 0
    assert "1 indexed (1 passage), 0 unchanged, 0 removed, 0 skipped" in capsys.readouterr().out
    assert execute(["sources", "search", "harbour dredged to 14 metres"]) == 0
    shown = capsys.readouterr().out
    assert "port.md" in shown
    assert "1.00" in shown
    assert "…" in shown


def test_what_is_skipped_is_told_in_single_lines(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(25):
        (folder / f"{number:02}\x1b[31m.txt").write_bytes(b"\x00")
    assert execute(["sources", "index", str(folder)]) == 0
    told = capsys.readouterr()
    assert "25 skipped" in told.out
    lines = told.err.splitlines()
    assert len(lines) == 21
    assert lines[0] == "foureyes: note: skipped 00\\u001b[31m.txt: it is a binary file"
    assert lines[-1] == "foureyes: note: 5 more files were skipped; --json lists all"


def test_machines_get_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "b.bin").write_bytes(b"\x00")
    assert execute(["sources", "index", str(folder), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["indexed"], [skip["path"] for skip in report["skipped"]]) == (1, ["b.bin"])
    assert execute(["sources", "search", "harbour", "--limit", "1", "--json"]) == 0
    (passage,) = json.loads(capsys.readouterr().out)
    assert (passage["path"], passage["title"]) == ("port.md", "Port")


def test_the_index_may_lie_elsewhere(folder: Path, tmp_path: Path) -> None:
    index = tmp_path / "own.sqlite3"
    assert execute(["sources", "index", str(folder), "--knowledge-base", str(index)]) == 0
    assert index.exists()
    assert not (tmp_path / "data").exists()


def test_nothing_found_is_no_failure(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    execute(["sources", "index", str(folder)])
    capsys.readouterr()
    assert execute(["sources", "search", "zeppelin"]) == 0
    assert capsys.readouterr().out == "no passage holds any of these words\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["index", "missing"], "'missing' is not a folder (give a folder of documents)"),
        (["search", "harbour"], "the knowledge base is empty (add a folder"),
        (["search", " "], "there is nothing to look for"),
        (["search", "x", "--limit", "0"], "greater than or equal to 1"),
        ([], "Missing command"),
        (["remove"], "No such command 'remove'"),
    ],
)
def test_mistakes_are_told_on_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert execute(["sources", *arguments]) == 4
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err
    assert told.err.count("\n") == 1
