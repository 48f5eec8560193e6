"""The sessions of all processes of a user on this machine, bounded by its memory."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from ...base.errors import StorageError
from ...base.file_places import FilePlaces
from ...base.files import storage_errors
from .capacity import RESERVE_BYTES, SESSION_BYTES

_RETRY_S = 0.1
_NAME = "session"


def slots_folder(temporary: Path | None = None) -> Path:
    """The folder that all processes of this user share, made if it is not there.

    A container has one of its own, as it has its own bound of memory.

    Raises:
        StorageError: It cannot be made, or somebody else has made it.
    """
    folder = (temporary or Path(tempfile.gettempdir())) / f"foureyes-sessions-{_user()}"
    with storage_errors(folder, "create"):
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    if folder.is_symlink() or (sys.platform != "win32" and found.st_uid != os.getuid()):
        raise StorageError(
            f"{str(folder)!r} belongs to somebody else", "remove it, or set TMPDIR to your own"
        )
    return folder


def _user() -> str:
    return "user" if sys.platform == "win32" else str(os.getuid())


class MachineSlots:
    """Counts the sessions of all processes that share `folder`.

    `bounded` sessions wait until there is memory: as much as was free when this was made, beside
    those that ran then. Others only count, and may be waited for.
    """

    def __init__(self, folder: Path, available: int | None, *, bounded: bool) -> None:
        self._places = FilePlaces(folder, _NAME)
        self._most = sys.maxsize
        if bounded and available is not None:
            more = (available - RESERVE_BYTES) // SESSION_BYTES
            self._most = max(1, self._places.held() + more)

    @asynccontextmanager
    async def held(self) -> AsyncGenerator[None]:
        """Count one more session while the block runs, as soon as there may be one."""
        # Nobody tells when a session of another process has ended.
        while (lock := self._places.take(self._most)) is None:  # noqa: ASYNC110
            await asyncio.sleep(_RETRY_S)
        try:
            yield
        finally:
            lock.release()
