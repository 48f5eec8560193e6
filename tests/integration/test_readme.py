"""The README tells the truth: its commands run, and print what it shows."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from foureyes.assembly.layers import MODEL_KEYS, flag_name
from foureyes.assembly.model import Settings
from support.commands import EXAMPLES, ROOT, foureyes

README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def shown_runs() -> Iterator[tuple[str, str]]:
    """Each command of the README that shows its output; `make demo` by what it runs."""
    demo = re.search(r"^demo:.*\n\t\S+ -m pipeline (.*)$", MAKEFILE, re.M)
    output = re.search(r"```text\n(.*?)```", README, re.S)
    assert demo is not None
    assert output is not None
    yield demo[1], output[1]
    yield from re.findall(r"```console\n\$ foureyes ([^\n]*)\n(.*?)```", README, re.S)


def comparable(printed: str) -> list[list[str]]:
    """The words of each line, without what differs from run to run."""
    text = re.sub(r"\d{8}T\d{6}Z_([\w-]+)_[0-9a-f]{8}", r"\1", printed)
    text = re.sub(r"\b\d+\.\d s\b", "T", text)
    return [line.split() for line in text.splitlines() if line.strip(" ─")]


@pytest.mark.parametrize(("command", "printed"), list(shown_runs()))
def test_a_command_prints_what_the_readme_shows(command: str, printed: str, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    run = foureyes(*shlex.split(command), cwd=tmp_path, env={"COLUMNS": "100"})
    assert comparable(run.stdout) == comparable(printed)


def test_the_library_example_runs(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    code = re.search(r"```python\n(.*?)```", README, re.S)
    assert code is not None
    run = subprocess.run(
        [sys.executable, "-c", code[1]], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    lines = run.stdout.splitlines()
    assert lines[0] == "approved deterministic_checks"
    assert any(line.startswith("22 critical ") for line in lines)
    assert (tmp_path / lines[-1]).is_file()
    assert run.stderr == ""


def test_every_flag_and_default_is_in_the_table_of_settings() -> None:
    for name, field in Settings.model_fields.items():
        if name in MODEL_KEYS.values():
            continue
        row = re.search(rf"^\| `{flag_name(name)}` \| (.*?) ?\| (.*) \|$", README, re.M)
        assert row is not None, name
        default = {None: "", (): "", False: "off"}.get(field.default, str(field.default))
        assert (row[1], row[2]) == (default, field.description)


def test_every_flag_and_target_that_the_readme_names_exists() -> None:
    told = foureyes("run", "--help", cwd=ROOT).stdout
    for flag in set(re.findall(r"`?(--[a-z][a-z-]+)", README)):
        assert f"{flag} " in told, flag
    for target in re.findall(r"\bmake ([a-z-]+)`", README):
        assert f"\n{target}:" in MAKEFILE
