"""`foureyes new agent`: files that work as they are, and nothing of the user's is replaced."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import execute


def test_the_files_of_a_new_agent_pass_their_own_test(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(["new", "agent", "house_style", "--out", str(tmp_path)]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "house_style.md",
        "house_style.py",
        "test_house_style.py",
    ]
    assert f"--agents {tmp_path}/house_style.py:AGENT" in capsys.readouterr().out
    options = ["-q", "-p", "no:langsmith_plugin", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "2 passed" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["House Style"], "'House Style' cannot be a critic's name"),
        (["reviewer"], "'reviewer' cannot be a critic's name: foureyes uses it"),
        (["class"], "'class' is a word of Python"),
        (["tone"], "tone.md' exists"),
        (["other", "--out", "nowhere"], "'nowhere' is not a folder"),
    ],
)
def test_what_cannot_be_begun_leaves_everything_as_it_was(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tone.md").write_text("mine", encoding="utf-8")
    assert execute(["new", "agent", *arguments]) == 4
    assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["tone.md"]
