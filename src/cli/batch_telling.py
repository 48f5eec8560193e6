"""What a person sees of a batch: progress while it is under way, and at the end the sums."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .tables import Column, show_table
from .terminal import safe, say

if TYPE_CHECKING:
    from ..engine.working import OnResult
    from ..report.batch import BatchSummary, DocumentResult

SHOWN = 20
"""Documents on the terminal; the summary has them all."""


@dataclass(frozen=True, slots=True)
class Telling:
    """How a person wants to be told."""

    json: bool
    quiet: bool
    sarif: Path | None = None


@contextmanager
def progress(telling: Telling, documents: int) -> Generator[OnResult[DocumentResult]]:
    """Progress on standard error: a bar on a terminal, else a line a document."""
    if telling.quiet or telling.json:
        yield lambda _result, _ended, _all: None
        return
    if not sys.stderr.isatty():
        yield _tell_line
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[last]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=documents, last="")

        def heard(result: DocumentResult, ended: int, _all: int) -> None:
            bar.update(task, completed=ended, last=f"{safe(result.id)}: {result.outcome}")

        yield heard


def _tell_line(result: DocumentResult, ended: int, all_: int) -> None:
    failed = f" ({result.reason})" if result.outcome == "failed" else ""
    sys.stderr.write(safe(f"{ended}/{all_} {result.id}: {result.outcome}{failed}") + "\n")


def show(directory: Path, summary: BatchSummary) -> None:
    """The sums, and the documents that ask for attention."""
    from ..report.batch import SHORT_COLUMNS, SHORT_LEGEND, DocumentOutcome, short_cells, told
    from ..report.html.page import REPORT_FILE

    asking = [one for one in summary.documents if one.outcome is not DocumentOutcome.PASSED]
    if asking:
        columns = [Column(name, right=name not in SHORT_COLUMNS[:3]) for name in SHORT_COLUMNS]
        show_table(columns, map(short_cells, asking[:SHOWN]))
        say(SHORT_LEGEND)
    if len(asking) > SHOWN:
        say(f"and {len(asking) - SHOWN} more, see summary.md")
    for one in asking[:SHOWN]:
        if one.outcome is DocumentOutcome.FAILED:
            say(f"failed: {one.id}: {one.reason}")
    for line in told(summary):
        say(line)
    say(f"report: {directory / REPORT_FILE}")
