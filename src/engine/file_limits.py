"""Limits over all workers of one machine, kept in locked files."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import filelock

from ..base.call_limits import SLACK_S, CallLimit, LimitName
from ..base.file_places import FilePlaces
from ..base.files import storage_errors, write_atomic
from ..base.records import from_json, to_json

_RETRY_S = 0.02


class FileLimiter:
    """Counts calls in `folder`, which all workers of a machine share.

    A place in `at_once` is a locked file, which the kernel frees when its worker dies. The window
    is the list of the latest starts by the machine's clock that only goes forward.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def set(self, name: LimitName, limit: CallLimit) -> None:
        """Keep `limit` for all workers.

        Raises:
            StorageError: The file system refused.
        """
        write_atomic(self._file(name), to_json(CallLimit, limit) + "\n")

    def limit(self, name: LimitName) -> CallLimit:
        """The limit in force; none unless one was set."""
        try:
            return from_json(CallLimit, self._file(name).read_bytes())
        except FileNotFoundError:
            return CallLimit()

    @asynccontextmanager
    async def place(self, name: LimitName) -> AsyncGenerator[None]:
        """As `CallLimiter.place`."""
        held: filelock.BaseFileLock | None = None
        places = FilePlaces(self._folder, name)
        while (at_once := self.limit(name).at_once) is not None:
            held = places.take(at_once)
            if held is not None:
                break
            await asyncio.sleep(_RETRY_S)
        try:
            yield
        finally:
            if held is not None:
                held.release()

    async def begin(self, name: LimitName) -> None:
        """As `CallLimiter.begin`."""
        # Nobody tells a waiting process that another one's window has moved on.
        while (wait := self._begin(name)) > 0:  # noqa: ASYNC110
            await asyncio.sleep(wait)

    def _begin(self, name: LimitName) -> float:
        """0 if a call may begin now, which is then counted; else the seconds until one may."""
        limit = self.limit(name)
        if limit.calls is None:
            return 0
        path = self._folder / f"{name}.starts.json"
        with self._lock(f"{name}.window", timeout=10), storage_errors(path, "count calls in"):
            now = time.monotonic()
            kept = from_json(tuple[float, ...], path.read_bytes()) if path.exists() else ()
            # A start after now is of before the machine was started again.
            window = limit.seconds + SLACK_S[name]
            starts = [start for start in kept if now - window < start <= now]
            if len(starts) >= limit.calls:
                return starts[-limit.calls] + window - now + _RETRY_S
            write_atomic(path, to_json(tuple[float, ...], (*starts, now)), durable=False)
            return 0

    def _file(self, name: LimitName) -> Path:
        return self._folder / f"{name}.json"

    def _lock(self, name: str, *, timeout: float) -> filelock.BaseFileLock:
        return filelock.FileLock(self._folder / name, timeout=timeout, thread_local=False)
