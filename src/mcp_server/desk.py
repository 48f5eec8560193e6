"""Context of one call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path

from ..assembly.model import LoadedSettings
from ..core.types import Progress
from .access import Access
from .service import Service


@dataclass(frozen=True, slots=True)
class CallDesk:
    """The server's settings, what the call may read, and whom to tell of its progress.

    `begun` is called with the directory of a run or review once there is one.
    """

    service: Service
    access: Access
    client: str
    notify: Callable[[Progress], None]
    begun: Callable[[Path], None]

    def loaded(self, **changes: object) -> LoadedSettings:
        """The settings with what the call chooses for itself; None counts as not chosen."""
        loaded = self.service.loaded
        chosen = {name: value for name, value in changes.items() if value is not None}
        return replace(loaded, settings=loaded.settings.model_copy(update=chosen))

    def day(self, as_of: date | None) -> date:
        """The day that ages are measured at (decision 16)."""
        return as_of or self.service.loaded.settings.as_of or datetime.now(UTC).date()
