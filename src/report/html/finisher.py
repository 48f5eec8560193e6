"""The report as a part of every run."""

from __future__ import annotations

import asyncio

from ...base.files import storage_errors
from ...core.pipeline import PipelineResult
from .page import REPORT_FILE, write_report


class HtmlReportFinisher:
    """Writes `report.html` into the run directory."""

    @property
    def name(self) -> str:
        """For the log."""
        return "HTML report"

    async def finish(self, result: PipelineResult) -> None:
        """Write the report from the files of the run; a run without a directory has none.

        Raises:
            RunDirectoryError: A file of the run is damaged; then there is no report.
            StorageError: The file system refused; then there is no report.
        """
        if result.run_dir is None:
            return
        path = result.run_dir / REPORT_FILE
        with storage_errors(path, "replace"):
            # What an earlier end of a resumed run left must not pass for this one.
            path.unlink(missing_ok=True)
        await asyncio.to_thread(write_report, result.run_dir)
