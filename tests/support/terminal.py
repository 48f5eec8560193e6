"""The real command at a real terminal."""

from __future__ import annotations

import os
import pty
import sys
from pathlib import Path

from support.programs import Program


def at_a_terminal(folder: Path, *arguments: str, answers: str = "") -> tuple[int, str]:
    """Exit code and everything that reached a terminal of 100 columns; `answers` are typed."""
    master, slave = pty.openpty()
    environ = {**os.environ, "COLUMNS": "100", "TERM": "xterm"}
    with Program[bytes](
        [sys.executable, "-m", "pipeline", *arguments],
        cwd=folder,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environ,
    ) as program:
        os.close(slave)
        os.write(master, answers.encode())
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
