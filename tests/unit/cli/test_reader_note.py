from __future__ import annotations

from pathlib import Path

import pytest
from support.commands import execute

NOTE = "foureyes: note: --reader none: meaning was not read"


@pytest.fixture
def document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bridge.md").write_text("The bridge opened in 1932.\n", encoding="utf-8")
    draft = tmp_path / "draft.md"
    draft.write_text("# Bridges\n\nThe bridge opened in 1932 [1](bridge.md).\n", encoding="utf-8")
    return draft.name


@pytest.mark.parametrize(
    "command",
    [
        ["check", "--fetch", "none"],
        ["batch", "run", "--task", "check", "--fetch", "none"],
        ["run", "--fetch", "none", "--draft"],
        ["review", "--no-web", "--yes"],
    ],
)
def test_a_command_without_a_reader_says_that_meaning_was_not_read(
    command: list[str], document: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = "." if command[0] == "batch" else document
    execute([*command, given, "--reader", "none"])
    assert NOTE in capsys.readouterr().err
    assert "note" not in capsys.readouterr().out
