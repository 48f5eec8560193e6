"""The README tells the truth: its commands run, and print what it shows."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from support.commands import EXAMPLES, ROOT, foureyes_here
from support.readme import README, filled

TEXT = README.read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def comparable(text: str) -> list[list[str]]:
    """The words of each line, without what differs from run to run."""
    text = re.sub(r"\d{8}T\d{6}Z_([\w-]+)_[0-9a-f]{8}", r"\1", text)
    text = re.sub(r"\b\d+\.\d s\b", "T", text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "DIGEST", text)
    return [line.split() for line in text.splitlines() if line.strip(" ─")]


def test_commands_and_settings_are_as_shown_or_make_readme_was_forgotten(tmp_path: Path) -> None:
    assert comparable(filled(TEXT, tmp_path)) == comparable(TEXT)


def test_the_library_example_runs(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    code = re.search(r"```python\n(.*?)```", TEXT, re.S)
    assert code is not None
    run = subprocess.run(
        [sys.executable, "-c", code[1]], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    lines = run.stdout.splitlines()
    assert lines[0] == "approved deterministic_checks"
    assert any(line.startswith("22 critical ") for line in lines)
    assert (tmp_path / lines[-1]).is_file()
    assert run.stderr == ""


def flags(*command: str) -> set[str]:
    """The flags that the help of a command names, and of those below it."""
    told = foureyes_here(*command, "--help", cwd=ROOT).stdout
    found = set(re.findall(r"(?<!\S)(--[a-z][a-z-]+)", told))
    commands = told.partition("\nCommands:\n")[2]
    for name in re.findall(r"^  ([a-z-]+) ", commands, re.M):
        found |= flags(*command, name)
    return found


def test_every_flag_and_target_that_the_readme_names_exists() -> None:
    assert set(re.findall(r"`?(--[a-z][a-z-]+)", TEXT)) - flags() == set()
    for target in re.findall(r"\bmake ([a-z-]+)`", TEXT):
        assert f"\n{target}:" in MAKEFILE
