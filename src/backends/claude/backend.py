"""The backend: a fresh, private session of the CLI for each task, as many as memory holds."""

from __future__ import annotations

import asyncio
import re
import tempfile
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.call_limits import UNLIMITED, CallLimiter, LimitName
from ...core.tasks import AgentTask, Error, Turn
from .settings import ClaudeSettings

if TYPE_CHECKING:
    from ._session import Session


MIB = 1024 * 1024
SESSION_BYTES = 160 * MIB
"""The private memory of one CLI at its peak: 109 to 158 MiB were measured over 20 sessions."""
RESERVE_BYTES = 384 * MIB
"""Left for this process with its documents and sources, and for everybody else."""
MOST_SESSIONS = 8
"""More would only wait for the server, which limits requests at once."""
SESSIONS_OF_UNKNOWN_MEMORY = 4


def sessions_for(available: int | None) -> int:
    """How many sessions `available` bytes of memory hold, 1 to 8; None if nobody knows."""
    if available is None:
        return SESSIONS_OF_UNKNOWN_MEMORY
    return max(1, min(MOST_SESSIONS, (available - RESERVE_BYTES) // SESSION_BYTES))


def session_limit(wanted: int | None) -> int:
    """How many sessions may run at once: `wanted`, or else what the free memory holds now."""
    return wanted or sessions_for(available_memory())


def available_memory(root: Path = Path("/")) -> int | None:
    """The bytes that new processes may take: the machine's, or less by a control group's limit.

    Args:
        root: Where the kernel's files lie below.

    Returns:
        The bytes; None where the kernel does not tell, as outside Linux.
    """
    group = root / "sys/fs/cgroup"
    sizes = _sizes(root / "proc/meminfo")
    if "MemAvailable" not in sizes:
        return None
    free = sizes["MemAvailable"] * 1024
    # The limit of a container; the cache of its files counts as free.
    limit, used = _sizes(group / "memory.max"), _sizes(group / "memory.current")
    if limit and used:
        cache = _sizes(group / "memory.stat").get("inactive_file", 0)
        free = min(free, limit[""] - max(0, used[""] - cache))
    return max(0, free)


def _sizes(path: Path) -> dict[str, int]:
    """The first number of each line by the word before it, "" for none; no limit has no number."""
    try:
        lines = path.read_text(encoding="utf-8")
    except OSError:
        return {}
    return {name: int(size) for name, size in re.findall(r"(?m)^(?:(\w+):?\s+)?(\d+)", lines)}


class SessionSlots:
    """Counts the sessions of this process, over all threads and event loops.

    Args:
        available: Tells the free memory.
    """

    def __init__(self, available: Callable[[], int | None] = available_memory) -> None:
        self._lock = threading.Lock()
        self._running = 0
        self._available = available

    @asynccontextmanager
    async def hold(self, limit: int, *, by_memory: bool = False) -> AsyncGenerator[None]:
        """Wait until fewer than `limit` run, whatever limits the others were given, and run.

        With `by_memory` each but the first also waits until there is memory for one more.
        """
        # A future of one event loop would not be woken by another, nor by another process.
        while not self._enter(limit, by_memory=by_memory):  # noqa: ASYNC110
            await asyncio.sleep(_RETRY_S)
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1

    def _enter(self, limit: int, *, by_memory: bool) -> bool:
        with self._lock:
            fits = self._running < limit
            if fits and by_memory and self._running:
                free = self._available()
                fits = free is None or free >= RESERVE_BYTES + SESSION_BYTES
            self._running += fits
            return fits


_RETRY_S = 0.1
SESSION_SLOTS = SessionSlots()
"""Of this process: memory is one, however many backends share it."""


class ClaudeBackend:
    """Fills templates by real `Read` and `Edit` calls of a model.

    Args:
        settings: How sessions are run; the environment is not consulted for any of it.
        limiter: Is asked before each request of a session to its model, but for what the CLI
            sends again by itself after a failed answer; a session is one call at once.

    Attributes:
        settings: As given.
    """

    def __init__(self, settings: ClaudeSettings, limiter: CallLimiter | None = None) -> None:
        self.settings = settings
        self._limiter = limiter or UNLIMITED
        self._limit = session_limit(settings.max_parallel)

    @property
    def name(self) -> str:
        """The backend's name in manifests."""
        return "claude"

    @property
    def independent(self) -> bool:
        """True: its critics judge with a language model."""
        return True

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        """See `AgentBackend.run`. The time limit counts from the start of the session."""
        by_memory = self.settings.max_parallel is None
        async with (
            SESSION_SLOTS.hold(self._limit, by_memory=by_memory),
            self._limiter.place(LimitName.MODEL),
        ):
            # Beside the turn's folder, so that what a killed process leaves is found with it.
            with tempfile.TemporaryDirectory(
                dir=folder.parent, prefix="session-", ignore_cleanup_errors=True
            ) as home:
                return await self._open_session(task, folder, Path(home)).run(self._limiter)

    def _open_session(self, task: AgentTask[object], folder: Path, home: Path) -> Session:
        """The session that will fill `task`; a subclass may hold it in another way.

        Args:
            task: What to fill.
            folder: Where the file lies.
            home: A private folder for the CLI, empty.
        """
        # The SDK takes half a second to import; a run without a model never needs it.
        from ._session import Session

        return Session(self.settings, task, folder, home)
