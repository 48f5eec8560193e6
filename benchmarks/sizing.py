"""What a document takes of a machine and of a database: the inputs of the sizing table.

python benchmarks/sizing.py [--items 12] [--checks 60]

Checks of the shipped experiment's drafts in this process, then the whole experiment as a person
starts it, on each engine: processor time, memory of the worker, size of run directories, rows and
bytes of the database. PostgreSQL is a server of the benchmark's own on loopback, without fsync.
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

SHIPPED = Path(__file__).resolve().parents[1] / "examples" / "experiment"
KB, MB = 1e3, 1e6
TABLES = (
    "SELECT schemaname || '.' || relname AS name, n_live_tup AS rows, "
    "pg_total_relation_size(relid) AS bytes FROM pg_stat_user_tables ORDER BY bytes DESC"
)


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


def checks(count: int) -> None:
    """Documents a second by rules alone."""
    lines = (SHIPPED / "items.jsonl").read_text(encoding="utf-8").splitlines()
    drafts = [str(json.loads(line)["draft"]) for line in lines]
    sources = [SHIPPED / "sources"]
    foureyes.check(drafts[0], sources=sources, fetch="none")
    walls: list[float] = []
    cpus: list[float] = []
    for at in range(count):
        wall, cpu = time.perf_counter(), time.process_time()
        foureyes.check(drafts[at % len(drafts)], sources=sources, fetch="none")
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    told("check of a document, wall", walls, "s")
    told("check of a document, processor", cpus, "s")
    words = statistics.mean(len(draft.split()) for draft in drafts)
    print(f"documents of {words:.0f} words on average; {1 / statistics.mean(cpus):.1f} a second")


def experiment(folder: Path, items: int, *options: str) -> Took:
    """Run the shipped experiment with so many of its items."""
    for name in ("items.jsonl", "sources"):
        (folder / name).symlink_to(SHIPPED / name)
    text = (SHIPPED / "experiment.yaml").read_text(encoding="utf-8")
    text = text.replace("items.jsonl", f"items.jsonl\n  limit: {items}")
    (folder / "experiment.yaml").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "foureyes", "experiment", "run", "experiment.yaml", "--quiet"]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    ended = subprocess.run(
        [*command, *options], cwd=folder, stdout=subprocess.DEVNULL, check=False
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


def main() -> None:
    """Measure and print."""
    print(" ".join(["python", "benchmarks/sizing.py", *sys.argv[1:]]))
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    items = option("--items", 12)
    checks(option("--checks", 60))
    with tempfile.TemporaryDirectory() as name:
        took = experiment(Path(name), items)
        print(f"file: {2 * items} runs, {took.cpu / 2 / items:.2f} s of processor each")
        print(f"file: {2 * items / took.wall:.2f} runs a second, {took.memory:.0f} MB")
        run_folders(Path(name))
    server = PostgresServer()
    try:
        url = server.database("sizing")
        with tempfile.TemporaryDirectory() as name:
            took = experiment(Path(name), items, "--engine", url)
        print(f"postgresql: {2 * items} runs, {took.cpu / 2 / items:.2f} s of processor each")
        print(f"postgresql: {2 * items / took.wall:.2f} runs a second, {took.memory:.0f} MB")
        database(url, 2 * items)
    finally:
        server.close()


if __name__ == "__main__":
    main()
