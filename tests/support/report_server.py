"""The command `serve reports` in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from support.programs import Program


@contextmanager
def serve_reports(folder: Path, *options: str) -> Generator[str]:
    """The address of the list of `folder`, which is served while the block runs."""
    command = [sys.executable, "-u", "-m", "pipeline", "serve", "reports", str(folder), *options]
    with Program[str](command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        yield program.stdout.readline().split()[1]
        program.terminate()
