"""Jobs of seven steps of no work on both engines, by one worker and by three.

python benchmarks/engine.py [--jobs 600]

PostgreSQL is a server of the benchmark's own on loopback, without fsync; `file:` forces every step
to the disk. Workers are processes; the clock runs until the last job has ended. Processor time is
that of the workers with their start, which tells more than the clock on a machine that others use.
"""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from foureyes.engine.model import Job, JobState, Serving
from foureyes.engine.opening import open_engine
from support import engine_programs
from support.engine_programs import PROGRAMS, STEPS
from support.postgres_server import PostgresServer

GROUP = "benchmark"
CONCURRENCY = 8


def started(url: str, count: int) -> list[subprocess.Popen[bytes]]:
    """So many further workers."""
    command = [sys.executable, engine_programs.__file__, url]
    return [subprocess.Popen([*command, f"worker-{at}", GROUP]) for at in range(count)]


def processor_s() -> float:
    """The seconds of processor of this process and its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


async def rate(url: str, jobs: int, workers: int) -> str:
    """Jobs a second, and milliseconds of processor for each."""
    engine = await open_engine(url)
    try:
        await engine.submit([Job(f"job-{at}", "count", "{}", GROUP) for at in range(jobs)])
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
            print(f"file: {jobs} jobs of {STEPS} steps, {workers} workers: {found}")
        for workers in (1, 3):
            found = asyncio.run(rate(server.database(f"of{workers}"), jobs, workers))
            print(f"postgresql: the same, {workers} workers: {found}")
    finally:
        server.close()


if __name__ == "__main__":
    main()
