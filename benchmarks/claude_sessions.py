"""What a session of the Claude backend takes: memory, start-up, processor; two runs at once.

python benchmarks/claude_sessions.py [CRITICS] [SESSIONS]

Two runs of CRITICS critics each (10), in one process, with at most SESSIONS sessions at once (as
many as the backend allows). The real SDK and CLI against a loopback server with a model that plays
by rule, so nothing is paid. Memory is each process's largest of samples every 0.1 s; start-up is
from the start of the process to its first request.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from foureyes.backends.claude.backend import session_limit
from integration.claude.claude_run import Limits, Office, cli_processes
from support.claude_turn import working_folder
from support.messages_server import MessagesServer, Request
from support.model_rules import Plan, plays
from support.runs import GOOD_DRAFT

TOWNS = ("Quellberg", "Rauhental")
MIB = 1024.0
EVERY_S = 0.1


@dataclass(slots=True)
class Session:
    """A process of the CLI: KiB at most, its start in seconds of the monotonic clock, its turn."""

    turn: tuple[Path, str]
    started: float
    private: int = 0
    pss: int = 0


@dataclass(slots=True)
class Sampler:
    """Watches the sessions below `folder` until it is told to stop."""

    folder: Path
    sessions: dict[int, Session] = field(default_factory=dict[int, Session])
    stop: threading.Event = field(default_factory=threading.Event)

    def watch(self) -> None:
        """Sample until `stop` is set."""
        while not self.stop.wait(EVERY_S):
            for pid in cli_processes(self.folder):
                # A process may go at any moment; programs that the CLI starts have no turn.
                with suppress(OSError, IndexError, KeyError):
                    self._sample(pid, Path(f"/proc/{pid}"))

    def _sample(self, pid: int, process: Path) -> None:
        lines = (process / "smaps_rollup").read_text("ascii").splitlines()[1:]
        sizes = {name: int(rest[0]) for name, *rest in map(str.split, lines)}
        if pid not in self.sessions:
            stat = (process / "stat").read_text("utf-8").rpartition(")")[2].split()
            environ = (process / "environ").read_bytes().decode()
            variables = dict(line.split("=", 1) for line in environ.split("\0") if "=" in line)
            run = Path(variables["HOME"]).parents[1]
            turn = variables["ANTHROPIC_CUSTOM_HEADERS"].rpartition(": ")[2]
            started = int(stat[19]) / os.sysconf("SC_CLK_TCK")
            self.sessions[pid] = Session((run, turn), started)
        session = self.sessions[pid]
        private = sizes["Private_Clean:"] + sizes["Private_Dirty:"]
        session.private = max(session.private, private)
        session.pss = max(session.pss, sizes["Pss:"])


async def two_runs(server: MessagesServer, folder: Path, critics: int, limits: Limits) -> float:
    """Seconds of two runs at once."""
    reviewers = [f"critic-{number:02}" for number in range(critics - 2)]
    offices = [
        Office(server, folder / town, limits, town=town, reviewers=reviewers) for town in TOWNS
    ]
    for office in offices:
        await office.prepare(plays(Plan()), GOOD_DRAFT)
    began = time.perf_counter()
    results = await asyncio.gather(*(office.run() for office in offices))
    seconds = time.perf_counter() - began
    print("ends:", ", ".join(result.status.value for result in results))
    for office in offices:
        figures = json.loads((office.run_dir / "analytics.json").read_text("utf-8"))
        turns, used = figures["turns"], figures["total"]["cpu_s"]
        print(f"processor: {used / turns:.2f} s for each of {turns} sessions")
    return seconds


def report(name: str, values: Sequence[float], unit: str) -> None:
    """Print one line of figures."""
    low, middle, high = min(values), statistics.median(values), max(values)
    print(f"{name:<28} n={len(values):<3} {low:7.2f} {middle:7.2f} {high:7.2f} {unit}")


def start_ups(sessions: Iterable[Session], requests: Iterable[Request]) -> list[float]:
    """Seconds from each process's start to its first request."""
    firsts = {
        (working_folder(request).parents[1], request.turn): request.started
        for request in requests
        if request.step == 0
    }
    return [firsts[session.turn] - session.started for session in sessions]


def main(critics: int = 10, sessions: int | None = None) -> None:
    """Measure and print."""
    print(f"command: python benchmarks/claude_sessions.py {critics} {sessions or ''}".rstrip())
    print(f"machine: {os.cpu_count()} cores, {platform.machine()}; load {os.getloadavg()[0]:.1f}")
    with MessagesServer() as server, tempfile.TemporaryDirectory() as name:
        sampler = Sampler(Path(name))
        watching = threading.Thread(target=sampler.watch, daemon=True)
        watching.start()
        limits = Limits(timeout_s=120, max_parallel=sessions)
        seconds = asyncio.run(two_runs(server, Path(name), critics, limits))
        sampler.stop.set()
        watching.join()
    found = list(sampler.sessions.values())
    bound = session_limit(sessions)
    print(f"2 runs of {critics} critics: {seconds:.1f} s, at most {bound} sessions at once")
    print(f"{'':<33} {'min':>7} {'median':>7} {'max':>7}")
    report("private memory of a session", [one.private / MIB for one in found], "MiB")
    report("PSS of a session", [one.pss / MIB for one in found], "MiB")
    report("start-up to first request", start_ups(found, server.requests), "s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
