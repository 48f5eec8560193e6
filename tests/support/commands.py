"""The real command, as a person would run it: in a process of its own, or in this one."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import pytest
from foureyes.cli._app import execute as execute_command

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def execute(arguments: Sequence[str]) -> int:
    """The exit code of one command in this process, which prints where the test's own code does."""
    return execute_command(arguments)


class Command(Protocol):
    """The command line."""

    def __call__(
        self, *arguments: str | Path, cwd: Path, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """What the command with `arguments` in `cwd` said, and its exit code."""
        ...


def foureyes(
    *arguments: str | Path, cwd: Path, env: Mapping[str, str] | None = None, timeout: float = 60
) -> subprocess.CompletedProcess[str]:
    """Run `python -m pipeline` with `arguments` in `cwd`; `env` comes on top of the tests' own."""
    return subprocess.run(
        [sys.executable, "-m", "pipeline", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def foureyes_here(
    *arguments: str | Path, cwd: Path, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """As `foureyes`, without the seconds that a process takes to start; of the main thread only.

    For what the command says and does. How a process starts and ends is shown by `foureyes`.
    """
    given = [str(argument) for argument in arguments]
    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.chdir(cwd)
        for name, value in (env or {}).items():
            patch.setenv(name, value)
        code = execute_command(given)
    return subprocess.CompletedProcess(given, code, out.getvalue(), err.getvalue())


@functools.cache
def command_names(*group: str) -> tuple[str, ...]:
    """The commands that the help of a group lists."""
    told = foureyes_here(*group, "--help", cwd=ROOT).stdout
    return tuple(re.findall(r"^  ([a-z-]+) ", told.partition("\nCommands:\n")[2], re.M))


@functools.cache
def flags(*command: str) -> frozenset[str]:
    """The flags that the help of a command names, and of those below it."""
    told = foureyes_here(*command, "--help", cwd=ROOT).stdout
    found = set(re.findall(r"(?<!\S)(--[a-z][a-z-]+)", told))
    for name in command_names(*command):
        found |= flags(*command, name)
    return frozenset(found)
