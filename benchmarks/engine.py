"""Jobs of seven steps of no work on both engines, by one worker and by three.

python benchmarks/engine.py [--jobs 600]

PostgreSQL is a server of the benchmark's own on loopback, without fsync; `file:` forces every step
to the disk. Workers are processes; the clock runs until the last job has ended. Processor time is
that of the workers with their start, which tells more than the clock on a machine that others use.
Then workers ask for limits that hold nobody back.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import sqlalchemy as sa

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from foureyes.base.call_limits import CallLimit, LimitName
from foureyes.engine.file_engine import open_engine
from foureyes.engine.model import Job, JobState, Serving
from integration import engine_programs
from integration.engine_programs import PROGRAMS, STEPS
from support.postgres_server import PostgresServer

GROUP = "benchmark"
CONCURRENCY = 8
CALLS = 20
"""Of a job that asks for its limits."""


def started(url: str, count: int) -> list[subprocess.Popen[bytes]]:
    """So many further workers."""
    command = [sys.executable, engine_programs.__file__, url]
    return [subprocess.Popen([*command, f"worker-{at}", GROUP]) for at in range(count)]


def processor_s() -> float:
    """The seconds of processor of this process and its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def job(at: int, program: str, payload: str) -> Job:
    """A job with a folder of its own."""
    return Job(f"job-{at}", program, payload, GROUP, f"{tempfile.mkdtemp()}/work")


async def rate(url: str, jobs: int, workers: int) -> str:
    """Jobs a second, and milliseconds of processor for each."""
    engine = await open_engine(url)
    try:
        await engine.submit([job(at, "count", "{}") for at in range(jobs)])
        began, used = time.monotonic(), processor_s()
        others = started(url, workers - 1)
        await engine.serve(Serving("first", CONCURRENCY, GROUP), PROGRAMS)
        seconds = time.monotonic() - began
        for one in others:
            one.wait(60)
        states = {one.state for one in await engine.status(GROUP)}
        assert states == {JobState.DONE}
    finally:
        await engine.close()
    each = (processor_s() - used) / jobs * 1000
    return f"{jobs / seconds:.0f} a second, {each:.1f} ms of processor each"


async def calls(url: str, jobs: int, workers: int) -> str:
    """Calls a second under limits that hold none back."""
    engine = await open_engine(url)
    with tempfile.NamedTemporaryFile() as log:
        payload = json.dumps({"log": log.name, "calls": CALLS})
        try:
            for name in LimitName:
                await engine.limit(name, CallLimit(at_once=1000, calls=100_000, seconds=60))
            await engine.submit([job(at, "call", payload) for at in range(jobs)])
            others = started(url, workers - 1)
            await engine.serve(Serving("first", CONCURRENCY, GROUP), PROGRAMS)
            for one in others:
                one.wait(60)
        finally:
            await engine.close()
        begun = [float(line.split()[1]) for line in log.read().decode().splitlines()]
    return f"{jobs * CALLS / (max(begun) - min(begun)):.0f} calls a second"


def size(url: str, jobs: int) -> str:
    """Bytes of the database for each job."""
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        total = connection.execute(
            sa.text("SELECT sum(pg_total_relation_size(relid)) FROM pg_stat_user_tables")
        ).scalar_one()
    engine.dispose()
    return f"{int(total) / jobs / 1000:.1f} kB a job in the database"


def main() -> None:
    """Measure and print."""
    jobs = int(sys.argv[sys.argv.index("--jobs") + 1]) if "--jobs" in sys.argv else 600
    print(" ".join(["python", "benchmarks/engine.py", *sys.argv[1:]]))
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    server = PostgresServer()
    try:
        for workers in (1, 3):
            with tempfile.TemporaryDirectory() as folder:
                found = asyncio.run(rate(f"file://{folder}", jobs, workers))
            print(f"file: {jobs} jobs of {STEPS} steps, {workers} workers: {found}", flush=True)
        for workers in (1, 3):
            url = server.database(f"of{workers}")
            found = asyncio.run(rate(url, jobs, workers))
            print(f"postgresql: {workers} workers: {found}; {size(url, jobs)}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            found = asyncio.run(calls(f"file://{folder}", jobs // 20, 3))
            print(f"file: limits asked by 3 workers: {found}", flush=True)
        found = asyncio.run(calls(server.database("calls"), jobs // 20, 3))
        print(f"postgresql: limits asked by 3 workers: {found}")
    finally:
        server.close()


if __name__ == "__main__":
    main()
