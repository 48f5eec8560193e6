"""What the benchmarks have in common: the data folder, intervals, and how a figure is printed."""

from __future__ import annotations

import json
import math
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Z = 1.96


def rows(name: str) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines in the data folder.

    Says so and ends the program with code 0 if the file is absent: the data is not part of the
    project.
    """
    path = Path(os.environ.get("FOUREYES_DATA", "../shared/data")) / name
    if not path.is_file():
        print(f"{name}: not measured, there is no {path} (set FOUREYES_DATA)")
        sys.exit(0)
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson's score."""
    if not n:
        return 0.0, 1.0
    share, spread = hits / n, Z * Z / n
    middle = (share + spread / 2) / (1 + spread)
    half = Z * math.sqrt(share * (1 - share) / n + spread / (4 * n)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def line(name: str, hits: int, n: int) -> str:
    """One share with its interval."""
    low, high = wilson(hits, n)
    share = hits / n if n else math.nan
    return f"{name:<40} {hits:>5} / {n:<5} {share:6.3f}  [{low:.3f}, {high:.3f}]"


def corpus_served() -> Iterator[tuple[Path, int]]:
    """The folders of the documents with planted errors, and the port that serves their sources.

    Says so and gives none if they are not there.
    """
    folder = Path(os.environ.get("FOUREYES_DATA", "../shared/data")) / "corpus"
    if not folder.is_dir():
        print(f"corpus: not measured, there is no {folder} (set FOUREYES_DATA)")
        return
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    command = [sys.executable, str(folder / "serve.py"), str(port), "--hang", "30"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        _wait_for(port)
        for case in sorted(folder.glob("case[0-9][0-9]")):
            yield case, port
    finally:
        server.terminate()
        server.wait()


def _wait_for(port: int) -> None:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
