"""The README tells the truth: its commands run, and print what it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pages import Ran, blocks, comparable, problems
from readme import README, filled
from support.commands import ROOT, flags

TEXT = README.read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the README's commands run."""
    return tmp_path_factory.mktemp("readme")


@pytest.fixture(scope="module")
def run(folder: Path) -> Ran:
    """The README after all that it shows was run."""
    return filled(TEXT, folder)


def test_commands_and_settings_are_as_shown_or_make_readme_was_forgotten(run: Ran) -> None:
    assert comparable(run.text) == comparable(TEXT)


def test_the_library_example_runs(run: Ran, folder: Path) -> None:
    (printed,) = run.programs
    lines = printed.splitlines()
    assert lines[0] == "approved deterministic_checks"
    assert any(line.startswith("22 critical ") for line in lines)
    assert (folder / lines[-1]).is_file()


def test_what_is_shown_without_being_run_could_be() -> None:
    assert [said for block in blocks(TEXT) for said in problems(block)] == []


def test_every_flag_and_target_that_the_readme_names_exists() -> None:
    assert set(re.findall(r"`?(--[a-z][a-z-]+)", TEXT)) - flags() == set()
    for target in re.findall(r"\bmake ([a-z-]+)`", TEXT):
        assert f"\n{target}:" in MAKEFILE
