"""How many sessions run at once."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from foureyes.backends.claude.backend import (
    MIB,
    RESERVE_BYTES,
    SESSION_BYTES,
    SessionSlots,
    available_memory,
    session_limit,
    sessions_for,
)


@pytest.mark.parametrize(
    ("available", "sessions"),
    [
        (0, 1),
        (RESERVE_BYTES + 2 * SESSION_BYTES - 1, 1),
        (RESERVE_BYTES + 2 * SESSION_BYTES, 2),
        (RESERVE_BYTES + 8 * SESSION_BYTES, 8),
        (1 << 40, 8),
        (None, 4),
    ],
)
def test_as_many_sessions_as_the_memory_holds(available: int | None, sessions: int) -> None:
    assert sessions_for(available) == sessions


def test_a_wanted_number_wins() -> None:
    assert session_limit(20) == 20
    assert 1 <= session_limit(None) <= 8


MEMINFO = {"proc/meminfo": f"MemTotal: 9 kB\nMemAvailable: {900 * 1024} kB\n"}


def v2(limit: str, used: int, cache: int) -> dict[str, str]:
    return {
        "sys/fs/cgroup/memory.max": limit,
        "sys/fs/cgroup/memory.current": str(used * MIB),
        "sys/fs/cgroup/memory.stat": f"anon 5\ninactive_file {cache * MIB}\n",
    }


@pytest.mark.parametrize(
    ("files", "free"),
    [
        ({}, None),
        (MEMINFO, 900),
        (MEMINFO | v2("max", 300, 10), 900),
        (MEMINFO | v2(str(500 * MIB), 300, 0), 200),
        (MEMINFO | v2(str(500 * MIB), 300, 100), 300),
        (MEMINFO | v2(str(500 * MIB), 600, 0), 0),
        ({"proc/meminfo": "MemTotal: 9 kB\n"}, None),
    ],
)
def test_the_tightest_limit_over_this_process_counts(
    files: dict[str, str], free: int | None, tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = available_memory(tmp_path)
    assert found == (None if free is None else free * MIB)


class Crowd:
    """Workers that hold a slot until they are let go; counts how many do at once."""

    def __init__(self, slots: SessionSlots) -> None:
        self.slots = slots
        self.inside: list[str] = []
        self.go = asyncio.Event()

    async def work(self, name: str, limit: int) -> None:
        async with self.slots.hold(limit):
            self.inside.append(name)
            await self.go.wait()


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_workers_with_different_limits_are_counted_together() -> None:
    crowd = Crowd(SessionSlots())
    async with asyncio.TaskGroup() as group:
        for name, limit in (("a", 3), ("b", 3), ("c", 2), ("d", 3)):
            group.create_task(crowd.work(name, limit))
        await settled()
        # The third waits for its own limit.
        assert crowd.inside == ["a", "b", "d"]
        crowd.go.set()
    assert crowd.inside == ["a", "b", "d", "c"]


async def test_who_gives_up_waiting_takes_no_slot_and_holds_nobody_up() -> None:
    crowd = Crowd(SessionSlots())
    async with asyncio.TaskGroup() as group:
        group.create_task(crowd.work("a", 1))
        await settled()
        given_up = group.create_task(crowd.work("b", 1))
        group.create_task(crowd.work("c", 2))
        await settled()
        given_up.cancel()
        await settled()
        assert crowd.inside == ["a", "c"]
        crowd.go.set()


async def test_slots_are_shared_between_threads() -> None:
    slots = SessionSlots()

    async def briefly() -> float:
        async with slots.hold(1):
            started = asyncio.get_running_loop().time()
            await asyncio.sleep(0.05)
            return started

    one, other = await asyncio.gather(
        asyncio.to_thread(asyncio.run, briefly()), asyncio.to_thread(asyncio.run, briefly())
    )
    assert abs(one - other) >= 0.05


@pytest.mark.parametrize(
    ("free", "enters"),
    [
        (RESERVE_BYTES + SESSION_BYTES, True),
        (RESERVE_BYTES + SESSION_BYTES - 1, False),
        (None, True),
    ],
)
async def test_a_further_session_waits_for_memory(free: int | None, enters: bool) -> None:
    slots = SessionSlots(lambda: free)
    entered = False
    # One session runs however little memory there is.
    async with slots.hold(8, by_memory=True):
        with suppress(TimeoutError):
            async with asyncio.timeout(0.3), slots.hold(8, by_memory=True):
                entered = True
    assert entered is enters
