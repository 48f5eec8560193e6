"""How long the HTML reports of a run and of a review take to write, open and filter; their weight.

python benchmarks/html_report.py [--growth]

The runs are made here from invented claims, each with evidence, findings, challenges and a source
that ten others share, and half of them in another version before; the review from as many findings
as claims, most of the latter looked up. Each writing is a process of its own; its time is that of
the writing alone, its memory that of the whole process. A real headless
Chromium opens the page from the disk; filtering takes one verdict after the other out, each with
the layout that follows. The bars, for 2,000 claims: written in 1 s and 150 MB, at most 8 MB, opened
in 2 s, filtered in 100 ms. With --growth, only the writing is measured, of 1,000, 10,000 and
100,000 claims, and what each claim beyond the first size adds to the memory.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from foureyes.report.html.page import write_report
from support.browser import CHROMIUM, QUIET, filtering, opening
from support.report_review import ReportReview
from support.report_run import ReportRun

COMMAND = "python benchmarks/html_report.py"
CLAIMS, TIMES = 2_000, 9
SIZES = (1_000, 10_000, 100_000)


def main() -> None:
    """Measure and print, or be one of the writing processes."""
    match sys.argv[1:]:
        case ["write", run_dir]:
            write_one(Path(run_dir))
        case ["make", "run", claims, folder]:
            ReportRun(claims=int(claims), iterations=2 if int(claims) <= CLAIMS else 1).write(
                Path(folder)
            )
        case ["make", "review", claims, folder]:
            ReportReview(findings=int(claims), claims=int(claims)).write(Path(folder))
        case options:
            with tempfile.TemporaryDirectory() as folder:
                measure(Path(folder), growth="--growth" in options)


def write_one(directory: Path) -> None:
    """Write the report once; prints wall and CPU seconds and the peak memory in MB."""
    wall, cpu = time.perf_counter(), time.process_time()
    write_report(directory)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(wall, cpu, memory)


def measure(folder: Path, *, growth: bool) -> None:
    """Print every figure with how often it was taken."""
    load = os.getloadavg()[0]
    print(f"{COMMAND}{' --growth' if growth else ''}; {os.cpu_count()} cores, load {load:.1f}")
    print(f"{'':<44}{'n':>4}{'min':>10}{'median':>10}{'max':>10}")
    for kind in ("run", "review"):
        if growth:
            grown(folder, kind)
        else:
            directory, _ = written(folder, kind, CLAIMS, TIMES)
            browse(directory / "report.html", f"{kind} of {CLAIMS:,} claims")


def grown(folder: Path, kind: str) -> None:
    """Write reports of each size once and print what a claim adds to the memory."""
    first = 0.0
    for claims in SIZES:
        _, memory = written(folder, kind, claims, 1)
        first = first or memory
        if more := claims - SIZES[0]:
            show(f"{kind} of {claims:,} claims: KB a claim more", [(memory - first) * 1024 / more])


def written(folder: Path, kind: str, claims: int, times: int) -> tuple[Path, float]:
    """Make a run or a review of `claims` and write its report `times` times.

    Gives its directory, and the most memory that was taken, in MB.
    """
    root = folder / f"{kind}-{claims}"
    root.mkdir()
    own = [sys.executable, __file__]
    subprocess.run([*own, "make", kind, str(claims), str(root)], check=True)
    (directory,) = root.iterdir()
    taken: list[tuple[float, ...]] = []
    for _ in range(times):
        done = subprocess.run([*own, "write", str(directory)], check=True, stdout=subprocess.PIPE)
        taken.append(tuple(map(float, done.stdout.split())))
    wall, cpu, memory = zip(*taken, strict=True)
    what = f"{kind} of {claims:,} claims"
    show(f"{what}: written, s", wall)
    show(f"{what}: CPU of that, s", cpu)
    show(f"{what}: memory, MB", memory)
    show(f"{what}: file, MB", [(directory / "report.html").stat().st_size / 1e6])
    return directory, max(memory)


def browse(report: Path, what: str) -> None:
    """Open and filter the report in a real browser."""
    if not Path(CHROMIUM).exists():
        print(f"opening and filtering: not measured, there is no {CHROMIUM}")
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        opened = [opening(browser, report) for _ in range(TIMES)]
        filtered = [one for _ in range(TIMES) for one in filtering(browser, report)]
        browser.close()
    for name, taken in (("opened", opened), ("filtered", filtered)):
        show(f"{what}: {name}, ms", [clock for clock, _ in taken])
        show(f"{what}: CPU of that, ms", [worked for _, worked in taken])


def show(name: str, figures: Sequence[float]) -> None:
    """One line."""
    low, middle, high = min(figures), statistics.median(figures), max(figures)
    print(f"{name:<44}{len(figures):>4}{low:>10.2f}{middle:>10.2f}{high:>10.2f}")


if __name__ == "__main__":
    main()
