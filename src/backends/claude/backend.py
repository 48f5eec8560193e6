"""The backend: a fresh, private session of the CLI for each task."""

from __future__ import annotations

import tempfile
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.call_limits import UNLIMITED, CallLimiter, LimitName
from ...core.tasks import AgentTask, Error, Turn
from .capacity import SESSION_SLOTS, MachineSlots, available_memory, session_limit, slots_folder
from .settings import ClaudeSettings

if TYPE_CHECKING:
    from .session import Session


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
        async with (
            SESSION_SLOTS.hold(self._limit),
            self._machine.hold(),
            self._limiter.place(LimitName.MODEL),
        ):
            # Beside the turn's folder, so that what a killed process leaves is found with it.
            with tempfile.TemporaryDirectory(
                dir=folder.parent, prefix="session-", ignore_cleanup_errors=True
            ) as home:
                return await self._open_session(task, folder, Path(home)).run(self._limiter)

    @cached_property
    def _machine(self) -> MachineSlots:
        bounded = self.settings.max_parallel is None
        return MachineSlots(slots_folder(), available_memory(), bounded=bounded)

    def _open_session(self, task: AgentTask[object], folder: Path, home: Path) -> Session:
        """The session that will fill `task`; a subclass may hold it in another way.

        Args:
            task: What to fill.
            folder: Where the file lies.
            home: A private folder for the CLI, empty.
        """
        # The SDK takes half a second to import; a run without a model never needs it.
        from .session import Session

        return Session(self.settings, task, folder, home)
