"""What a document takes of a machine and of a database: the inputs of the sizing table.

python benchmarks/sizing.py [--items 12] [--checks 60]

Two sorts of documents: the shipped experiment's drafts of some sentences, and the example's note of
a page (`examples/draft.md`) so many times. Each is checked in this process, then examined with and
without a fact checker in an experiment as a person starts it, on each engine: processor time,
memory of the worker, size of run directories, rows and bytes of the database. PostgreSQL is a
server of the benchmark's own on loopback, without fsync.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import foureyes
from support.postgres_server import PostgresServer

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
MODES = ("analyze_and_review", "analyze_review_with_fact_check")
KB, MB = 1e3, 1e6
TABLES = (
    "SELECT schemaname || '.' || relname AS name, n_live_tup AS rows, "
    "pg_total_relation_size(relid) AS bytes FROM pg_stat_user_tables ORDER BY bytes DESC"
)


@dataclass(frozen=True, slots=True)
class Item:
    """A document and the folder of its sources."""

    draft: str
    sources: Path


@dataclass(frozen=True, slots=True)
class Took:
    """What a command took: seconds, processor seconds, and MB of memory at most."""

    wall: float
    cpu: float
    memory: float


def told(name: str, values: Sequence[float], unit: str) -> None:
    """Print n, smallest, median and largest."""
    low, middle, high = min(values), statistics.median(values), max(values)
    print(f"{name}: n={len(values)}, {low:.3f} / {middle:.3f} / {high:.3f} {unit}")


def shipped(count: int) -> list[Item]:
    """Drafts of the shipped experiment."""
    lines = (EXAMPLES / "experiment" / "items.jsonl").read_text(encoding="utf-8").splitlines()
    sources = EXAMPLES / "experiment" / "sources"
    return [Item(json.loads(line)["draft"], sources) for line in lines[:count]]


def notes(count: int) -> list[Item]:
    """The example's note, each time the same."""
    text = (EXAMPLES / "draft.md").read_text(encoding="utf-8")
    return [Item(text, EXAMPLES / "sources")] * count


def checks(items: Sequence[Item], count: int) -> None:
    """Documents a second by rules alone."""
    walls: list[float] = []
    cpus: list[float] = []
    for at in range(count + 1):
        item = items[at % len(items)]
        wall, cpu = time.perf_counter(), time.process_time()
        foureyes.check(item.draft, sources=[item.sources], fetch="none")
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    told("check, wall", walls[1:], "s")
    told("check, processor", cpus[1:], "s")
    words = statistics.mean(len(item.draft.split()) for item in items)
    print(
        f"{words:.0f} words a document; {1 / statistics.mean(cpus[1:]):.1f} a second of processor"
    )


def experiment(folder: Path, items: Sequence[Item], *options: str) -> Took:
    """Examine each item with and without a fact checker."""
    written = {
        "name": "sizing",
        "items": [
            {"id": f"item-{at}", "draft": item.draft, "sources": [str(item.sources)]}
            for at, item in enumerate(items)
        ],
        "variants": {mode: {"mode": mode, "fetch": "none"} for mode in MODES},
        "baseline": MODES[0],
        "metrics": {"primary": "accepted"},
    }
    (folder / "experiment.yaml").write_text(json.dumps(written), encoding="utf-8")
    command = [sys.executable, "-m", "foureyes", "experiment", "run", "experiment.yaml", "--quiet"]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    ended = subprocess.run(
        [*command, *options],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    ).returncode
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if ended == 4:
        raise SystemExit("the experiment did not run")
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Took(wall, cpu, after.ru_maxrss * 1024 / MB)


def run_folders(folder: Path) -> None:
    """The size of run directories."""
    runs = [path.parent for path in folder.glob("**/runs/*/run.json")]
    files = [[path.stat() for path in run.rglob("*") if path.is_file()] for run in runs]
    told("run directory", [sum(one.st_size for one in each) / KB for each in files], "kB")
    told("on disk", [sum(one.st_blocks for one in each) * 512 / KB for each in files], "kB")
    told("files of a run directory", [len(each) for each in files], "")


def database(url: str, runs: int) -> None:
    """Rows and bytes of the tables, for each run."""
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(sa.text("ANALYZE"))
        rows = connection.execute(sa.text(TABLES)).all()
    engine.dispose()
    for row in rows:
        if row.rows:
            print(f"  {row.name}: {row.rows / runs:.1f} rows, {row.bytes / runs / KB:.1f} kB a run")
    print(f"database in all: {sum(row.bytes for row in rows) / runs / KB:.1f} kB a run")


def option(name: str, default: int) -> int:
    """A number of the command line."""
    return int(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else default


def measure(items: Sequence[Item], count: int, server: PostgresServer, name: str) -> None:
    """Measure one sort of documents."""
    print(f"\n{name}")
    checks(items, count)
    runs = len(MODES) * len(items)
    for engine in ("file", "postgresql"):
        url = "" if engine == "file" else server.database(name)
        with tempfile.TemporaryDirectory() as folder:
            took = experiment(Path(folder), items, *(("--engine", url) if url else ()))
            print(
                f"{engine}: {runs} runs, {took.cpu / runs:.2f} s of processor each, "
                f"{runs / took.wall:.2f} a second by the clock, {took.memory:.0f} MB at most"
            )
            if not url:
                run_folders(Path(folder))
        if url:
            database(url, runs)


def main() -> None:
    """Measure and print."""
    print(" ".join(["python", "benchmarks/sizing.py", *sys.argv[1:]]))
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    items, count = option("--items", 12), option("--checks", 60)
    server = PostgresServer()
    try:
        measure(shipped(items), count, server, "sentences")
        measure(notes(items), count, server, "note")
    finally:
        server.close()


if __name__ == "__main__":
    main()
