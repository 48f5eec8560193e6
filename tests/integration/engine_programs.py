"""Programs for the engines' tests, and a worker process:

    python engine_programs.py URL NAME GROUP [CONCURRENCY]

Each step adds a line to the log that its payload names, so that a test sees what ran how often.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from foureyes.base.call_limits import LimitName, one_call
from foureyes.core.record_folder import JournalSteps
from foureyes.engine.file_engine import open_engine
from foureyes.engine.model import JobContext, Programs, Serving

STEPS = 7


@dataclass(frozen=True, slots=True)
class Counted:
    """The result of a step."""

    number: int


def note(log: Path, line: str) -> None:
    """Add a line to a log that several processes write."""
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.write(handle, f"{line}\n".encode())
    os.close(handle)


async def count(payload: str, context: JobContext) -> str:
    """Seven steps, of which the middle three are taken in parallel."""
    given = json.loads(payload)
    journal = context.folder / "journal"
    journal.mkdir(exist_ok=True)
    steps = JournalSteps(journal)

    async def step(number: int) -> int:
        async def work() -> Counted:
            await asyncio.sleep(given.get("seconds", 0))
            if given.get("log"):
                note(Path(given["log"]), f"{context.job.id} {number}")
            return Counted(number)

        answer = await steps.step(f"step-{number}", "", Counted, work)
        assert isinstance(answer, Counted)
        return answer.number

    total = await step(0) + await step(1)
    total += sum(await asyncio.gather(*(step(number) for number in (2, 3, 4))))
    return json.dumps(total + await step(5) + await step(6))


async def call(payload: str, context: JobContext) -> str:
    """Calls under a limit; each is noted with its beginning and its end by one clock."""
    given = json.loads(payload)
    for _ in range(given["calls"]):
        async with one_call(context.limiter, LimitName.FETCH):
            note(Path(given["log"]), f"begin {asyncio.get_running_loop().time()}")
            await asyncio.sleep(given.get("seconds", 0))
            note(Path(given["log"]), f"end {asyncio.get_running_loop().time()}")
    return "null"


async def look_back(payload: str, context: JobContext) -> str:
    """A job that stays for long the first time, and tells what it finds the second."""
    left, hidden = context.folder / "deep" / "left", context.folder / ".work" / "turn"
    if left.exists():
        return json.dumps([left.read_text(encoding="utf-8"), hidden.exists()])
    for path in (left, hidden):
        path.parent.mkdir()
        path.write_text("what was done", encoding="utf-8")
    await asyncio.sleep(60)
    return "null"


async def fail(payload: str, context: JobContext) -> str:
    """A program with a fault."""
    raise ZeroDivisionError(payload)


async def die(payload: str, context: JobContext) -> str:
    """A program that takes its worker down with it."""
    os._exit(3)


PROGRAMS: Programs = {
    "count": count,
    "call": call,
    "look back": look_back,
    "fail": fail,
    "die": die,
}


async def main(url: str, name: str, group: str, concurrency: str = "4") -> None:
    """Work until the group has ended."""
    engine = await open_engine(url)
    try:
        await engine.serve(Serving(name, int(concurrency), group or None), PROGRAMS)
    finally:
        await engine.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
