"""Writes a run's artefacts, manifest and events as it goes; nothing without a store."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

import anyio

from ..base.errors import StorageError
from ..base.off_loop import off_loop
from ..base.vocabulary import Severity
from .approval import RunStatus
from .artefacts import ArtefactFile
from .iteration import IterationResult
from .outcome import outcome_file
from .run_analytics import RunAnalytics
from .run_store import IterationSummary, RunStore
from .session_record import SessionRecord
from .work import Progress


class RunRecord(SessionRecord[RunStore]):
    """Writes for one session of a run."""

    def __init__(
        self,
        store: RunStore | None,
        analytics: RunAnalytics,
        notify: Callable[[Progress], None],
    ) -> None:
        super().__init__(store, analytics, notify)
        self._summaries: list[IterationSummary] = []
        self._concluded: int | None = None

    async def start(self) -> None:
        """Mark the run as under way."""
        resumed = self._store is not None and await off_loop(self.prepare)
        self.report_start(resumed=resumed)

    async def iteration_files(self, files: Iterable[ArtefactFile]) -> None:
        """Keep files of the iteration."""
        if self._store is not None:
            await off_loop(_write_all, self._store, tuple(files))

    async def verify_files(self, iteration: int, files: Iterable[ArtefactFile]) -> None:
        """Keep what code concluded in `iteration`; the conclusion before moves aside."""
        if self._store is not None:
            await off_loop(self._store.write_verify, files, previous=self._concluded)
            self._concluded = iteration

    async def file(self, file: ArtefactFile) -> None:
        """Keep a file of the whole run."""
        if self._store is not None:
            await off_loop(self._store.write, file.name, file.text)

    async def iteration_done(self, result: IterationResult) -> None:
        """Add the iteration to the manifest, with what it came to in a file of its own."""
        if self._store is not None:
            self._summaries.append(summarise(result))
            await off_loop(self._write_done, self._store, result)

    def _write_done(self, store: RunStore, result: IterationResult) -> None:
        store.write_iteration(outcome_file(result))
        store.update(iterations=tuple(self._summaries))
        self.write_analytics()

    async def end(self, status: RunStatus, reason: str, **ending: object) -> None:
        """Record how the run ended; `ending` are further fields of its manifest."""
        if self._store is not None:
            await off_loop(self.write_end, status, reason=reason, **ending)
        self.report_end(status)

    def unfinish(self, status: RunStatus, reason: str) -> None:
        """Record that an ended run lacks its report or pack, if the disk still lets us."""
        with suppress(StorageError):
            if self._store is not None:
                self._store.update(status=status, reason=reason)
            self.progress(Progress("not_written", detail=reason))

    async def break_off(self, status: RunStatus, reason: str, best: IterationResult | None) -> None:
        """Record that an exception ended the run, if the disk still lets us."""
        # The exception that is on its way is the one to report, not a second one of the disk.
        with suppress(StorageError):
            with anyio.CancelScope(shield=True):
                await self.end(status, reason, best_iteration=best.iteration if best else None)


def _write_all(store: RunStore, files: Iterable[ArtefactFile]) -> None:
    for file in files:
        store.write_iteration(file)


def summarise(result: IterationResult) -> IterationSummary:
    """The iteration as the manifest keeps it."""
    conclusion = result.conclusion
    return IterationSummary(
        iteration=result.iteration,
        votes={name: e.recommendation for name, e in result.examinations.items()},
        failures={name: f"{e.kind}: {e.message}" for name, e in result.failures.items()},
        gate=conclusion.gate.decision if conclusion else None,
        severities={severity.value: result.count(severity) for severity in Severity},
        changes=result.changes,
        supported=conclusion.supported if conclusion else None,
    )
