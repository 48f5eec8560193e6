"""Runs and reviews whose process had to be killed, recorded as what they are: cancelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ..base.vocabulary import Severity
from ..core.approval import RunStatus
from ..core.run_analytics import RunAnalytics
from ..core.run_record import RunRecord
from ..core.run_store import RUN_FOLDER, IterationSummary, RunStore
from ..core.session_record import SessionRecord
from ..core.work import Progress
from ..review.store import ReviewStatus, ReviewStore
from .inputs import BreakOff
from .outputs import Nothing

REASON = "stopped before its end"


async def break_off(call: BreakOff) -> Nothing:
    """Record a directory's sitting as cancelled, unless it came to its own end.

    Raises:
        RunDirectoryError: It is damaged, or another process holds it.
        StorageError: The file system refused.
    """
    path = Path(call.directory)
    if (path / RUN_FOLDER.manifest_file).exists():
        run = RunStore.open(path)
        with run.lock():
            if run.manifest.status is None:
                record = RunRecord(run, RunAnalytics(run.events(), run.append), _nobody)
                best = _best(run.manifest.iterations)
                await record.end(RunStatus.CANCELLED, REASON, best_iteration=best)
    else:
        review = ReviewStore.open(path)
        with review.lock():
            if review.manifest.status is None:
                analytics = RunAnalytics(review.events(), review.append)
                sitting = SessionRecord(review, analytics, _nobody)
                sitting.close(ReviewStatus.CANCELLED, reason=REASON)
    return Nothing()


def _best(iterations: Sequence[IterationSummary]) -> int | None:
    """The best of the drafts that were examined, by decision 7."""

    def order(one: IterationSummary) -> tuple[int, int, int, int]:
        count = Counter(one.severities)
        worst = count[Severity.CRITICAL] + count[Severity.HIGH]
        return worst, count[Severity.MEDIUM], -(one.supported or 0), -one.iteration

    return min(iterations, key=order).iteration if iterations else None


def _nobody(_progress: Progress) -> None:
    """Tell nobody."""
