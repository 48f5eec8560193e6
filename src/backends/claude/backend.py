"""The backend: a fresh, private session of the CLI for each task."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

import anyio

from ...core.types import AgentTask, Error, Turn
from .settings import ClaudeSettings


@functools.cache
def session_slots(limit: int) -> anyio.Semaphore:
    """The semaphore that all backends of this process with the same limit share."""
    return anyio.Semaphore(limit)


class ClaudeBackend:
    """Fills templates by real `Read` and `Edit` calls of a model (design, section 4).

    Args:
        settings: How sessions are run; the environment is not consulted for any of it.
    """

    def __init__(self, settings: ClaudeSettings) -> None:
        self._settings = settings

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
        # The SDK takes half a second to import; a run without a model never needs it.
        from .session import Session

        async with session_slots(self._settings.max_parallel):
            # Beside the turn's folder, so that what a killed process leaves is found with it.
            with tempfile.TemporaryDirectory(
                dir=folder.parent, prefix="session-", ignore_cleanup_errors=True
            ) as home:
                session = Session(self._settings, task, folder, Path(home))
                return await session.run()
