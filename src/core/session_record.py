"""Writes the turns and events of one session of work on a record folder."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Generic, TypeVar

from . import tracing
from .record_folder import RecordFolder, RunEvent
from .run_analytics import RunAnalytics
from .turn_log import TurnLog
from .work import Progress

FolderT = TypeVar("FolderT", bound=RecordFolder[Any])

TRACED = "traced"
"""The event with the id of a session's trace, where there is one."""


class SessionRecord(Generic[FolderT]):
    """Writes for one session; without a store it only passes progress on."""

    def __init__(
        self,
        store: FolderT | None,
        analytics: RunAnalytics,
        notify: Callable[[Progress], None],
    ) -> None:
        self._store = store
        self._analytics = analytics
        self._notify = notify

    @property
    def work_root(self) -> Path:
        """Where private turn folders go."""
        if self._store is None:
            return Path(tempfile.gettempdir())
        return self._store.path / ".work"

    @property
    def turn_log(self) -> TurnLog | None:
        """The record of this session's calls of backends."""
        return TurnLog(self._store) if self._store is not None else None

    def begin(self) -> None:
        """Mark the work as under way; the turn folders of a killed session are removed."""
        self.report_start(resumed=self.prepare())

    def prepare(self) -> bool:
        """Prepare the folder for work; returns whether the work is resumed."""
        store = self._store
        if store is None:
            return False
        shutil.rmtree(self.work_root, ignore_errors=True)
        store.make_folder(".work")
        store.tidy()
        resumed = next(store.events(), None) is not None
        if resumed:
            count = store.manifest.resumed + 1
            store.update(status=None, ended=None, reason="", resumed=count)
        return resumed

    def report_start(self, *, resumed: bool) -> None:
        """Report that the work begins or resumes."""
        self.progress(Progress("run_resumed" if resumed else "run_started"))
        if trace_id := tracing.trace_id():
            self.progress(Progress(TRACED, detail=trace_id))

    def progress(self, progress: Progress) -> None:
        """Show `progress` and keep it as an event."""
        if self._store is not None:
            at = datetime.now(UTC)
            event = RunEvent(
                at, progress.event, progress.agent, progress.iteration, progress.detail
            )
            self._store.append(event)
        self._notify(progress)

    def write_analytics(self) -> None:
        """Keep what each agent did so far."""
        if self._store is not None:
            self._store.write("analytics.json", self._analytics.to_json())

    def close(self, status: str, **ending: object) -> None:
        """Record that the session ended with `status`; `ending` are further manifest fields."""
        self.write_end(status, **ending)
        self.report_end(status)

    def write_end(self, status: str, **ending: object) -> None:
        """The files of `close`."""
        if self._store is not None:
            self._store.flush()
            self.write_analytics()
            self._store.update(status=status, ended=datetime.now(UTC), **ending)
            shutil.rmtree(self.work_root, ignore_errors=True)

    def report_end(self, status: str) -> None:
        """Report that the work has ended."""
        self.progress(Progress("run_ended", detail=status))
