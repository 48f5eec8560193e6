"""The summary of a batch, made from its results: a record, Markdown, and a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import overload

from ..base.files import atomic_file, to_json, write_atomic
from ..base.printable import inline
from ..core.record_folder import program_version
from ..report.batch import (
    COLUMNS,
    LEGEND,
    SUMMARY_FILE,
    SUMMARY_JSON,
    BatchSummary,
    DocumentOutcome,
    DocumentResult,
    batch_exit_code,
    cells,
    claims_of,
    severities_of,
    summary_lines,
    worst_first,
)
from ..report.check_outcome import CHECK_FILE, read_check
from ..report.exports.model import ExaminedDocument
from ..report.exports.sarif import sarif_log
from ..report.html.page import replace_report
from ..report.wording import table
from .planning import BatchFolder

_NOT_YET = "the batch ended before its turn"


def summarise(folder: BatchFolder) -> BatchSummary:
    """The summary of what the batch came to so far."""
    plan, manifest = folder.plan, folder.manifest
    results = [*_results(folder)]
    outcomes = Counter(result.outcome for result in results)
    return BatchSummary(
        foureyes=program_version(),
        id=manifest.id,
        name=manifest.name,
        directory=str(folder.path),
        task=plan.wanted.task,
        state=manifest.state,
        fail_on=plan.wanted.fail_on,
        exit_code=int(batch_exit_code(results, manifest.state)),
        started=manifest.started,
        outcomes={outcome: outcomes[outcome] for outcome in DocumentOutcome},
        claims=claims_of(results),
        severities=severities_of(results),
        cost_usd=sum(result.cost_usd or 0.0 for result in results),
        unpriced=sum(result.cost_usd is None for result in results),
        active_s=round(manifest.active_s, 3),
        documents=worst_first(results),
    )


def _results(folder: BatchFolder) -> Iterator[DocumentResult]:
    """A result for each document of the plan, in its order."""
    known = folder.results()
    for document in folder.plan.documents:
        result = known.get(document.key)
        if result is None:
            yield document.without_result(DocumentOutcome.NOT_EXAMINED, _NOT_YET)
        else:
            yield replace(result, report=folder.report_of(result))


def write_summary(folder: BatchFolder, summary: BatchSummary) -> None:
    """Write `summary.json`, `summary.md` and `report.html`.

    Raises:
        StorageError: The file system refused.
    """
    write_atomic(folder.path / SUMMARY_JSON, to_json(BatchSummary, summary) + "\n")
    write_atomic(folder.path / SUMMARY_FILE, markdown(summary))
    replace_report(folder.path)


def markdown(summary: BatchSummary) -> str:
    """`summary.md`."""
    parts = [f"# {inline(summary.name)}: {summary.task}, {summary.state}", ""]
    parts += [f"- {inline(line)}" for line in summary_lines(summary)]
    unsettled = [one for one in summary.documents if one.outcome is not DocumentOutcome.PASSED]
    parts += ["", "## What to look at", ""]
    said = ((one.id, f"{one.outcome}, {one.reason}") for one in unsettled)
    lines = [f"- {inline(name)}: {inline(outcome)}" for name, outcome in said]
    parts += lines or ["Nothing: every document passed."]
    parts += ["", "## Documents", ""]
    parts += table(COLUMNS, map(cells, summary.documents))
    parts += ["", f"{LEGEND}."]
    return "\n".join(parts) + "\n"


def write_sarif(folder: BatchFolder, path: Path) -> None:
    """Write one SARIF log of all checked documents, which are read one after the other.

    Raises:
        StorageError: The file system refused.
    """
    results = folder.results().values()
    failed = [one for one in results if one.outcome is DocumentOutcome.FAILED]
    failures = [f"{one.name}: {one.reason}" for one in failed]
    log = sarif_log(_Checked(folder, results), failures=failures)
    with atomic_file(path) as file:
        for piece in log:
            file.write(piece.encode("utf-8"))


class _Checked(Sequence[ExaminedDocument]):
    """The checked documents, each read when it is asked for: together they may be large."""

    def __init__(self, folder: BatchFolder, results: Iterable[DocumentResult]) -> None:
        folders = [left for one in results if (left := folder.left(one)) is not None]
        self._records = [path for left in folders if (path := left / CHECK_FILE).is_file()]

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, at: int) -> ExaminedDocument: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[ExaminedDocument]: ...
    def __getitem__(self, at: int | slice) -> ExaminedDocument | Sequence[ExaminedDocument]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        return read_check(self._records[at].parent).examined()
