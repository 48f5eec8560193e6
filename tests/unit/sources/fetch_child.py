"""Fetches in a process of its own and tells what it took: python fetch_child.py PLAN.

PLAN is a JSON file, see `FetchPlan`; the answer on standard output is a `FetchOutcome`.
"""

from __future__ import annotations

import asyncio
import re
import ssl
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from foureyes.base.files import from_json, to_json
from foureyes.sources.fetcher import Fetcher
from foureyes.sources.guard import Guard
from foureyes.sources.model import Source
from foureyes.sources.policy import FetchPolicy
from foureyes.sources.snapshot_store import SnapshotStore


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """What to fetch: first `warm_up` alone, which loads the libraries, then all of `urls`."""

    store: Path
    policy: FetchPolicy
    allowed: tuple[str, ...]
    trusted: tuple[Path, ...]
    warm_up: tuple[str, ...]
    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FetchOutcome:
    """The sources, the seconds, and the resident memory in kB before and at its highest."""

    sources: tuple[Source, ...]
    seconds: float
    idle_kb: int
    peak_kb: int


def memory(name: str) -> int:
    """A line of the kernel's account of this process, in kB."""
    found = re.search(rf"{name}:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"))
    return int(found[1]) if found else 0


def reset_peak() -> None:
    """Set the kernel's highest mark back to what is used now."""
    Path("/proc/self/clear_refs").write_text("5", "ascii")


async def fetch(plan: FetchPlan) -> FetchOutcome:
    tls = ssl.create_default_context()
    for path in plan.trusted:
        tls.load_verify_locations(path)
    store = SnapshotStore(plan.store)
    guard = Guard(plan.policy, allowed_hosts=plan.allowed)
    async with Fetcher(store, plan.policy, guard, tls=tls) as fetcher:
        await fetcher.fetch_all(plan.warm_up, limit=len(plan.warm_up))
        idle = memory("VmRSS")
        reset_peak()
        started = time.monotonic()
        sources = await fetcher.fetch_all(plan.urls, limit=len(plan.urls))
        seconds = time.monotonic() - started
    return FetchOutcome(sources, seconds, idle, memory("VmHWM"))


async def fetch_apart(plan: FetchPlan, folder: Path) -> FetchOutcome:
    """Carry out `plan` in a child of this process, which may serve the pages meanwhile."""
    file = folder / "plan.json"
    file.write_text(to_json(FetchPlan, plan), "utf-8")
    child = await asyncio.create_subprocess_exec(
        sys.executable, __file__, str(file), stdout=asyncio.subprocess.PIPE
    )
    answer, _ = await child.communicate()
    return from_json(FetchOutcome, answer)


if __name__ == "__main__":
    given = from_json(FetchPlan, Path(sys.argv[1]).read_bytes())
    sys.stdout.write(to_json(FetchOutcome, asyncio.run(fetch(given))))
