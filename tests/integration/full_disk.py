"""A run on a disk that is full while it verifies: python full_disk.py FOLDER, in a namespace.

The run directories lie on a small disk of their own. It is filled when the second iteration gathers
its evidence, and emptied before the run goes on. Prints what came of both sittings as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

WAIT_S = 60


def fill(path: Path) -> None:
    """Take every byte that is left."""
    with suppress(OSError), path.open("wb", buffering=0) as file:
        while True:
            file.write(b"\0" * 4096)


def reached(runs: Path, event: str) -> Iterator[bool]:
    """Whether a run's record has `event`, asked again and again."""
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        logs = runs.glob("*/events.jsonl")
        yield any(event in log.read_text(encoding="utf-8") for log in logs)
        time.sleep(0.001)


def main(folder: Path) -> None:
    """Both sittings."""
    runs = folder / "runs"
    runs.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", runs], check=True)
    os.chdir(folder)
    program = [sys.executable, "-m", "pipeline"]
    job = [
        "--with-fact-checker",
        "--draft",
        "draft.md",
        "--sources",
        "sources",
        "--json",
        "--quiet",
    ]
    job += ["--as-of", "2026-01-02", "brief.md"]
    with subprocess.Popen(
        [*program, *job], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as first:
        for seen in reached(runs, '"gathering_evidence","agent":"","iteration":2'):
            if seen or first.poll() is not None:
                break
        fill(runs / "full")
        _, said = first.communicate(timeout=WAIT_S)
    (runs / "full").unlink()
    (run_dir,) = (path.parent for path in runs.glob("*/run.json"))
    resume = [*program, "resume", str(run_dir), "--json", "--quiet"]
    second = subprocess.run(resume, capture_output=True, text=True, check=False)
    files = sorted((run_dir / "verify").rglob("*.json"))
    print(  # noqa: T201 - read by the test
        json.dumps(
            {
                "code": first.returncode,
                "said": said,
                "resumed": json.loads(second.stdout),
                "verify": {str(f.relative_to(run_dir / "verify")): f.read_text() for f in files},
            }
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
