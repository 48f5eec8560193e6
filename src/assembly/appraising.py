"""The scoring of sources as a part of runs and of `check`."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime
from pathlib import Path

from ..base.files import append_line
from ..base.logs import quiet_logs
from ..base.off_loop import off_loop
from ..core.result import PipelineResult
from ..sources.model import SourceSet
from ..sources.scoring.appraisal import Appraisal, appraise, log_validation
from ..sources.scoring.gaps import GapMemory, gap_decisions, open_gaps
from ..sources.scoring.rules import ScoringRegistry

VALIDATION_LOG = "source_validation.log"
"""In a run directory: a line for each time that sources of the run were scored."""


class SourceAppraiser:
    """Scores the sources of one document or run, and logs each time that it did.

    Args:
        registry: The rules of scoring.
        as_of: The day that ages are measured at.
        topic: What the sources should be about.
        log: A file that gets the line too.
    """

    def __init__(
        self, registry: ScoringRegistry, *, as_of: date, topic: str, log: Path | None = None
    ) -> None:
        self._registry = registry
        self._as_of = as_of
        self._topic = topic
        self._log = log
        self.line = ""
        """The last line that was logged."""

    def __call__(self, sources: SourceSet) -> Appraisal:
        """The scores of `sources`.

        Raises:
            SnapshotError: The text of a source is missing.
            StorageError: The log file cannot be written.
        """
        quiet_logs()
        begun = time.perf_counter()
        appraisal = appraise(sources, self._registry, as_of=self._as_of, topic=self._topic)
        seconds = time.perf_counter() - begun
        self.line = log_validation(appraisal, seconds, datetime.now(UTC))
        if self._log is not None:
            append_line(self._log, self.line)
        return appraisal


def record_appraiser(
    folder: Path, registry: ScoringRegistry, as_of: date, topic: str
) -> SourceAppraiser:
    """The appraiser of the run or review in `folder`, which logs there, too."""
    return SourceAppraiser(registry, as_of=as_of, topic=topic, log=folder / VALIDATION_LOG)


class GapFinisher:
    """Puts the open gaps of an ended run into the memory table."""

    def __init__(self, memory: Path, as_of: date) -> None:
        self._memory = memory
        self._as_of = as_of

    @property
    def name(self) -> str:
        """For the log."""
        return "source gaps"

    @property
    def is_proof(self) -> bool:
        """False: the table is kept for later runs."""
        return False

    async def finish(self, result: PipelineResult) -> None:
        """Add a row for each gap that nobody has decided about.

        Raises:
            StorageError: The table cannot be read or written.
        """
        conclusion = result.delivered.conclusion if result.delivered else None
        if conclusion is None or conclusion.appraisal is None or result.run_dir is None:
            return
        await off_loop(self._register, conclusion.appraisal, result.run_dir)

    def _register(self, found: Appraisal, run_dir: Path) -> None:
        decisions = gap_decisions(run_dir).all()
        gaps = open_gaps(found.gaps, found.topic, decisions, as_of=self._as_of)
        if gaps:
            GapMemory(self._memory).register(gaps, found.topic, on=self._as_of)
