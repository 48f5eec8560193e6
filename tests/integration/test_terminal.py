"""What a person at a real terminal sees."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

from support.runs import GOOD_DRAFT, write_case


def at_a_terminal(folder: Path, *arguments: str) -> tuple[int, str]:
    """Exit code and everything that reached a terminal of 100 columns."""
    master, slave = pty.openpty()
    environ = {**os.environ, "COLUMNS": "100", "TERM": "xterm"}
    with subprocess.Popen(
        [sys.executable, "-m", "pipeline", *arguments],
        cwd=folder,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environ,
    ) as program:
        os.close(slave)
        seen = bytearray()
        while chunk := read(master):
            seen += chunk
    os.close(master)
    return program.returncode, seen.decode("utf-8", "replace")


def read(terminal: int) -> bytes:
    """The next bytes; a terminal whose program has ended gives an error on Linux."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


def test_both_critics_are_shown_side_by_side_and_then_the_end(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    command = ["--with-fact-checker", "--draft", "draft.md", "--sources", "sources", "brief.md"]
    code, seen = at_a_terminal(tmp_path, *command)
    assert code == 0
    titles = [line for line in seen.splitlines() if "reviewer" in line and "fact_checker" in line]
    assert titles, seen
    assert "status: approved by rules only; not reviewed for reasoning" in seen
    assert "run_started" not in seen


def test_a_document_cannot_steer_the_terminal(tmp_path: Path) -> None:
    claim = "Our pilot with 500 households\x1b]0;owned\x07 showed a 73% improvement.\n\n"
    write_case(tmp_path, GOOD_DRAFT.replace("## Cost", f"{claim}## Cost"))
    code, seen = at_a_terminal(tmp_path, "check", "draft.md", "--sources", "sources")
    assert code == 1
    assert "\x1b]0;" not in seen
    assert "\x07" not in seen
