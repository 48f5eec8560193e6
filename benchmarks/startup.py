"""How long a new process takes: the import, and the demo from the shell to its approval.

python benchmarks/startup.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
IMPORT_BAR_S = 0.3
DEMO_BAR_S = 5.0
RUNS = 10


def wall_s(command: Sequence[str], folder: Path) -> float:
    """Wall seconds of one run of `command` in `folder`, which must end with 0."""
    started = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return time.perf_counter() - started


def import_s(folder: Path) -> float:
    """Seconds that the import itself takes in a fresh interpreter."""
    code = "import time; t = time.perf_counter(); import foureyes; print(time.perf_counter() - t)"
    command = (sys.executable, "-c", code)
    return float(subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout)


def report(name: str, samples: Sequence[float], bar: float) -> None:
    """Print one figure with its bar."""
    low, middle, high = min(samples), statistics.median(samples), max(samples)
    verdict = "holds" if middle < bar else "MISSED"
    print(f"{name}: n={len(samples)} min/median/max {low:.3f} / {middle:.3f} / {high:.3f} s")
    print(f"  bar {bar} s: {verdict}")


def main() -> None:
    """Measure both, after one run that is not counted."""
    print("command: python benchmarks/startup.py")
    demo = (sys.executable, "-m", "foureyes", "run", "--quiet", "--with-fact-checker")
    demo += ("--sources", str(EXAMPLES / "sources"), str(EXAMPLES / "brief.md"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wall_s(demo, folder)
        report("import foureyes", [import_s(folder) for _ in range(RUNS)], IMPORT_BAR_S)
        report("offline demo", [wall_s(demo, folder) for _ in range(RUNS)], DEMO_BAR_S)


if __name__ == "__main__":
    main()
