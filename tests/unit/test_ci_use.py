"""What the repository offers to the CI of others: the pre-commit hook and the GitHub Action."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
LOG = "The mean crossing took 45 minutes.\n"
RIGHT = "The mean crossing took 45 minutes ([log](log.md)).\n"
WRONG = "The mean crossing took 65 minutes ([log](log.md)).\n"


def read(name: str) -> Any:
    return YAML(typ="safe").load(ROOT / name)  # pyright: ignore[reportUnknownMemberType]


@pytest.mark.parametrize(
    "command",
    [
        ["check-jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml"],
        ["pre-commit", "validate-manifest", ".pre-commit-hooks.yaml"],
    ],
    ids=["action", "hook"],
)
def test_the_tools_that_read_the_files_accept_them(command: list[str]) -> None:
    done = subprocess.run(
        [BIN / command[0], *command[1:]], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs" / "sub").mkdir(parents=True)
    (tmp_path / "log.md").write_text(LOG, encoding="utf-8")
    (tmp_path / "docs" / "a b.md").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "docs" / "sub" / "$(touch pwned).md").write_text(WRONG, encoding="utf-8")
    return tmp_path


def bash(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a step as the runner does."""
    kept = {key: value for key, value in os.environ.items() if "FOUREYES" not in key}
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env={**kept, "PATH": path, **variables},
        check=False,
        capture_output=True,
        text=True,
    )


def check_step(folder: Path, documents: str, **inputs: str) -> subprocess.CompletedProcess[str]:
    steps = read("action.yml")["runs"]["steps"]
    (step,) = (one for one in steps if one.get("name") == "Check")
    given = {
        "SOURCES": "log.md\n", "FETCH": "none", "FAIL_ON": "medium", "BASELINE": "",
        "SARIF": "found.sarif", **inputs,
    }  # fmt: skip
    assert set(given) | {"DOCUMENTS"} == set(step["env"])
    return bash(step["run"], folder, DOCUMENTS=documents, **given)


def test_the_action_checks_what_its_patterns_match_and_runs_no_name_as_a_command(
    folder: Path,
) -> None:
    done = check_step(folder, "docs/a b.md\ndocs/**/*.md\n")
    assert done.returncode == 1, done.stderr
    (run,) = json.loads((folder / "found.sarif").read_text("utf-8"))["runs"]
    assert [one["location"]["uri"] for one in run["artifacts"]] == [
        "docs/a%20b.md", "docs/sub/$(touch%20pwned).md",
    ]  # fmt: skip
    assert any(one["ruleId"] == "numeric_error" for one in run["results"])
    assert not (folder / "pwned").exists()


@pytest.mark.parametrize(
    ("documents", "told"),
    [
        ("nothing/*.md", "no document matches: nothing/*.md"),
        ("docs/a b.md\nnothing/*.md\n", "no document matches: nothing/*.md"),
        ("", "no documents are given"),
        ("\n\n", "no documents are given"),
    ],
)
def test_the_action_fails_closed_where_nothing_matches(
    folder: Path, documents: str, told: str
) -> None:
    done = check_step(folder, documents)
    assert done.returncode == 4
    assert told in done.stderr


def test_no_input_of_the_action_is_part_of_a_script() -> None:
    scripts = [step["run"] for step in read("action.yml")["runs"]["steps"] if "run" in step]
    assert scripts
    assert not [script for script in scripts if "${{" in script]


def test_the_hook_runs_its_entry_over_the_files(folder: Path) -> None:
    (hook,) = read(".pre-commit-hooks.yaml")
    command = [*hook["entry"].split(), *hook["args"], "--sources", "log.md", "docs/a b.md"]
    done = bash(shlex.join(command), folder)
    assert done.returncode == 0, done.stdout + done.stderr
