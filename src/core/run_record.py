"""What a run leaves behind while it goes: artefacts, manifest, events. Nothing without a store."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from ..base.errors import StorageError
from ..base.vocabulary import Severity
from .approval import ApprovalBasis, RunStatus
from .iteration import IterationResult
from .run_analytics import RunAnalytics
from .run_store import IterationSummary, RunEvent, RunStore
from .turn_log import TurnLog
from .types import ArtefactFile, Progress


class RunRecord:
    """Writes for one sitting of a run; without a store only progress is passed on."""

    def __init__(
        self,
        store: RunStore | None,
        analytics: RunAnalytics,
        notify: Callable[[Progress], None],
    ) -> None:
        self._store = store
        self._analytics = analytics
        self._notify = notify
        self._summaries: list[IterationSummary] = []
        self._concluded: int | None = None

    @property
    def work_root(self) -> Path:
        """Where private turn folders go."""
        if self._store is None:
            return Path(tempfile.gettempdir())
        return self._store.path / ".work"

    @property
    def turn_log(self) -> TurnLog | None:
        """Where this sitting's calls of backends are kept."""
        return TurnLog(self._store) if self._store is not None else None

    def begin(self) -> None:
        """Mark the run as under way; the turn folders of a killed sitting go."""
        store = self._store
        if store is None:
            self.progress(Progress("run_started"))
            return
        shutil.rmtree(self.work_root, ignore_errors=True)
        store.make_folder(".work")
        store.tidy()
        resumed = next(store.events(), None) is not None
        if resumed:
            count = store.manifest.resumed + 1
            store.update(status=None, ended=None, reason="", resumed=count)
        self.progress(Progress("run_resumed" if resumed else "run_started"))

    def progress(self, progress: Progress) -> None:
        """Show `progress` and keep it as an event."""
        if self._store is not None:
            at = datetime.now(UTC)
            event = RunEvent(
                at, progress.event, progress.agent, progress.iteration, progress.detail
            )
            self._store.append(event)
        self._notify(progress)

    def iteration_files(self, files: Iterable[ArtefactFile]) -> None:
        """Keep files of the iteration."""
        if self._store is not None:
            for file in files:
                self._store.write_iteration(file)

    def verify_files(self, iteration: int, files: Iterable[ArtefactFile]) -> None:
        """Keep what code concluded in `iteration`; the conclusion before moves aside."""
        if self._store is not None:
            self._store.write_verify(files, previous=self._concluded)
            self._concluded = iteration

    def file(self, file: ArtefactFile) -> None:
        """Keep a file of the whole run."""
        if self._store is not None:
            self._store.write(file.name, file.text)

    def iteration_done(self, result: IterationResult) -> None:
        """Add the iteration to the manifest."""
        if self._store is not None:
            self._summaries.append(summarise(result))
            self._store.update(iterations=tuple(self._summaries))
            self._write_analytics(self._store)

    def end(
        self,
        status: RunStatus,
        reason: str,
        *,
        best: int | None = None,
        basis: ApprovalBasis | None = None,
        judge_failed: bool = False,
        settlement_blocked: bool = False,
    ) -> None:
        """Record how the run ended."""
        if self._store is not None:
            self._write_analytics(self._store)
            self._store.update(
                status=status,
                reason=reason,
                ended=datetime.now(UTC),
                best_iteration=best,
                approval_basis=basis,
                judge_failed=judge_failed,
                settlement_blocked=settlement_blocked,
            )
            shutil.rmtree(self.work_root, ignore_errors=True)
        self.progress(Progress("run_ended", detail=status.value))

    def break_off(self, status: RunStatus, reason: str, best: IterationResult | None) -> None:
        """Record that an exception ended the run, if the disk still lets us."""
        # The exception that is on its way is the one to report, not a second one of the disk.
        with suppress(StorageError):
            self.end(status, reason, best=best.iteration if best else None)

    def _write_analytics(self, store: RunStore) -> None:
        store.write("analytics.json", self._analytics.to_json())


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
