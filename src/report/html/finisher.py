"""The report as a part of every run and every review."""

from __future__ import annotations

from pathlib import Path

from ...base.files import storage_errors
from ...base.off_loop import off_loop
from ...core.result import PipelineResult
from .page import REPORT_FILE, write_report


class HtmlReportFinisher:
    """Writes `report.html` into the run directory."""

    @property
    def name(self) -> str:
        """For the log."""
        return "HTML report"

    @property
    def is_proof(self) -> bool:
        """True: nobody could check the run without it."""
        return True

    async def finish(self, result: PipelineResult) -> None:
        """Write the report from the files of the run; a run without a directory has none.

        Raises:
            RunDirectoryError: A file of the run is damaged; then there is no report.
            StorageError: The file system refused; then there is no report.
        """
        if result.run_dir is not None:
            await off_loop(replace_report, result.run_dir)


def replace_report(directory: Path) -> None:
    """Write `report.html` of the run or the review in `directory` anew.

    Raises:
        RunDirectoryError: A file of it is damaged; then there is no report.
        StorageError: The file system refused; then there is no report.
    """
    path = directory / REPORT_FILE
    with storage_errors(path, "replace"):
        # What an earlier sitting left must not pass for how it stands now.
        path.unlink(missing_ok=True)
    write_report(directory)
