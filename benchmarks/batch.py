"""How fast a batch checks small documents, with how much memory, beside one command for each.

python benchmarks/batch.py [--documents 500,2000] [--alone 20] [--workers 1,2]

The documents are generated: five sections with two cited sentences each, of which one in ten
contradicts its source. A batch runs as a person starts it, in a process of its own; further workers
are `foureyes serve jobs` on its engine. Memory is the most that the process of the batch has held
when so many documents had ended (Linux). `--alone` times `foureyes check` of single documents, a
process each.
"""

from __future__ import annotations

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECTIONS, FALSE = 5, 0.1
PROGRAM = [sys.executable, "-m", "pipeline"]


def write(folder: Path, count: int) -> None:
    """So many documents in `docs`, and what they cite in `sources`."""
    chance = random.Random(7)
    (folder / "docs").mkdir(parents=True)
    (folder / "sources").mkdir()
    stations = [(f"Station {chr(65 + at)}", 90 + at, 2000 + at) for at in range(20)]
    for at, (name, power, year) in enumerate(stations):
        text = (
            f"# {name}\n\nThe tidal power station {name} has an installed capacity of {power} "
            f"megawatts. Regular service of {name} began on 4 May {year}.\n"
        )
        (folder / f"sources/s{at}.md").write_text(text, encoding="utf-8")
    for number in range(count):
        parts = [f"# Note {number}\n"]
        for _ in range(SECTIONS):
            at = chance.randrange(len(stations))
            name, power, year = stations[at]
            told = power + 7 if chance.random() < FALSE else power
            parts.append(
                f"## {name} in note {number}\n\nThe tidal power station {name} has an installed "
                f"capacity of {told} megawatts ([{name}](s{at}.md)). Regular service of {name} "
                f"began on 4 May {year} ([{name}](s{at}.md)).\n"
            )
        (folder / f"docs/n{number:05}.md").write_text("\n".join(parts), encoding="utf-8")


def peak_mb(pid: int) -> float:
    """The most memory that a process has held so far."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def batch(folder: Path, count: int, workers: int) -> str:
    """A batch of all documents of `folder` in a line."""
    out = folder / f"batches{workers}"
    command = [*PROGRAM, "batch", "docs", "--sources", "sources", "--fetch", "none"]
    began = time.monotonic()
    process = subprocess.Popen(
        [*command, "--out", str(out), "--quiet", "--json"], cwd=folder, stdout=subprocess.PIPE
    )
    helpers: list[subprocess.Popen[bytes]] = []
    marks = [count // 10, count // 2, count * 9 // 10]
    held: list[str] = []
    while process.poll() is None:
        engines = list(out.glob("*/engine/queue")) if len(helpers) < workers - 1 else []
        for engine in engines:
            url = engine.parent.as_uri()
            worker = [*PROGRAM, "serve", "jobs", "--engine", url, "--name", f"helper{len(helpers)}"]
            helpers.append(subprocess.Popen(worker, cwd=folder, stdout=subprocess.DEVNULL))
        if marks and ended(out) >= marks[0]:
            held.append(f"{peak_mb(process.pid):.0f} MB after {marks.pop(0)}")
        time.sleep(0.1)
        # Read it before it fills up: it is one line at the end.
        if process.stdout is not None and not marks:
            break
    told, _ = process.communicate()
    seconds = time.monotonic() - began
    for helper in helpers:
        helper.terminate()
        helper.wait()
    summary = json.loads(told)
    flagged, passed = summary["outcomes"]["flagged"], summary["outcomes"]["passed"]
    rate = count / seconds
    return (
        f"{count} documents, {workers} processes: {seconds:.1f} s, {rate:.1f} a second; "
        f"{flagged} flagged, {passed} passed; {', '.join(held)}"
    )


def ended(out: Path) -> int:
    """How many documents of the batch below `out` have ended."""
    return sum(path.read_bytes().count(b"\n") for path in out.glob("*/results.jsonl"))


def alone(folder: Path, count: int) -> str:
    """`foureyes check` of single documents, a process each."""
    times: list[float] = []
    for path in sorted((folder / "docs").iterdir())[:count]:
        began = time.monotonic()
        command = [*PROGRAM, "check", str(path), "--sources", "sources", "--fetch", "none"]
        subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=False)
        times.append(time.monotonic() - began)
    spent = f"{min(times):.2f} / {statistics.median(times):.2f} / {max(times):.2f} s"
    return f"{count} times `foureyes check` alone: min / median / max {spent}"


def numbers(name: str, default: str) -> list[int]:
    """Numbers of the command line."""
    given = sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default
    return [int(part) for part in given.split(",")]


def main() -> None:
    """Measure and print."""
    print(" ".join(["python", "benchmarks/batch.py", *sys.argv[1:]]))
    print(f"load before: {os.getloadavg()[0]:.2f} on {os.cpu_count()} processors")
    for count in numbers("--documents", "500,2000"):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write(folder, count)
            for workers in numbers("--workers", "1,2"):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                line = batch(folder, count, workers)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                print(f"{line}; {cpu / count * 1000:.0f} ms of processor each")
            if count == numbers("--documents", "500,2000")[0]:
                print(alone(folder, numbers("--alone", "20")[0]))
    print(f"load after: {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    main()
