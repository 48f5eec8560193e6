"""Commands that are killed under way, and what has to be the same in spite of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.runs import Outcome

SAME = ("status", "reason", "approval_basis", "gate", "findings", "not_checked", "iterations")


def final(run: Outcome) -> dict[str, Any]:
    """What has to be the same however often the run was broken off."""
    text = Path(run.run_dir.parents[1] / run.json["analysis"]).read_text(encoding="utf-8")
    return {name: run.json[name] for name in SAME} | {"analysis": text}


def start(folder: Path, *options: str) -> subprocess.Popen[bytes]:
    """Examine the draft in `folder`, in a process group of its own."""
    command = [sys.executable, "-m", "pipeline", *options, "--draft", "draft.md"]
    command += ["--sources", "sources", "--quiet", "--as-of", "2026-01-02", "brief.md"]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, start_new_session=True)


def run_dir_of(program: subprocess.Popen[bytes], folder: Path) -> Path:
    """The run directory, as soon as it is whole."""
    while program.poll() is None:
        for path in (folder / "runs").glob("[!.]*/run.json"):
            return path.parent
        time.sleep(0.001)
    raise AssertionError("the run ended without a run directory")


def ends_before_write(number: int, work: Callable[[], object]) -> bool:
    """Whether `work`, in a process of its own, does less than `number` things to files.

    Before the `number`-th the process is killed.
    """
    pid = os.fork()
    if pid == 0:
        left = [number]

        def count(event: str, arguments: tuple[object, ...]) -> None:
            writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & 3
            if writes or event in ("os.rename", "os.remove", "os.mkdir", "os.rmdir"):
                left[0] -= 1
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        try:
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
