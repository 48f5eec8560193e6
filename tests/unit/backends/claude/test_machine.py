"""Sessions of several processes under one bound."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from foureyes import StorageError
from foureyes.backends.claude.backend import (
    RESERVE_BYTES,
    SESSION_BYTES,
    MachineSlots,
    slots_folder,
)

OTHER = """
import asyncio, sys
from pathlib import Path
from foureyes.backends.claude.backend import MachineSlots

async def hold():
    async with MachineSlots(Path(sys.argv[1]), None, bounded=False).hold():
        print("held", flush=True)
        await asyncio.sleep(60)

asyncio.run(hold())
"""


def room_for(sessions: int) -> int:
    """As many bytes as so many more sessions need."""
    return RESERVE_BYTES + sessions * SESSION_BYTES


async def enters(slots: MachineSlots) -> bool:
    """Whether one more session may run now."""
    try:
        async with asyncio.timeout(0.3), slots.hold():
            return True
    except TimeoutError:
        return False


async def test_sessions_of_another_process_count_until_it_dies(tmp_path: Path) -> None:
    before = MachineSlots(tmp_path, room_for(1), bounded=True)
    command = [sys.executable, "-c", OTHER, str(tmp_path)]
    other = subprocess.Popen(command, stdout=subprocess.PIPE)  # noqa: ASYNC220
    assert other.stdout is not None
    assert await asyncio.to_thread(other.stdout.readline) == b"held\n"
    beside = MachineSlots(tmp_path, room_for(1), bounded=True)
    async with beside.hold():
        assert not await enters(beside)
    assert not await enters(before)
    assert await enters(MachineSlots(tmp_path, room_for(0), bounded=False))
    other.kill()
    other.communicate()
    assert await enters(before)


async def test_one_session_runs_however_little_memory_there_is(tmp_path: Path) -> None:
    assert await enters(MachineSlots(tmp_path, 0, bounded=True))


async def test_where_memory_is_unknown_nobody_waits(tmp_path: Path) -> None:
    slots = MachineSlots(tmp_path, None, bounded=True)
    async with slots.hold(), slots.hold():
        assert await enters(slots)


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    mine = slots_folder(tmp_path)
    assert slots_folder(tmp_path) == mine
    mine.rename(tmp_path / "elsewhere")
    mine.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match="belongs to somebody else"):
        slots_folder(tmp_path)
