"""A batch run or resumed, and its summary: a record, Markdown, and a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from ..base.files import to_json, write_atomic
from ..core.record_folder import program_version
from ..engine.model import Engine, Programs
from ..engine.work_folder import WorkState
from ..engine.working import Limits, OnResult, Workload
from ..report import batch
from ..report.batch import DocumentOutcome, DocumentResult
from ..report.check_outcome import CHECK_FILE, read_check
from ..report.exports.model import ExaminedDocument
from ..report.exports.sarif_log import sarif_log
from ..report.html.page import replace_report, write_page
from ..report.wording import render_markdown
from .documents import PROGRAM, TRUSTED_PROGRAM, DocumentWork
from .planning import DOCUMENTS, BatchFolder


async def run_batch(
    folder: BatchFolder,
    engine: Engine,
    programs: Programs,
    on_result: OnResult[DocumentResult],
) -> WorkState:
    """Work on a batch until all its documents have ended or a limit is reached.

    It can be stopped and called again, as `Workload.work`. Workers on other machines need the
    directory of the batch under the same path.

    Args:
        folder: The batch.
        engine: Where its jobs are placed; other workers of it help.
        programs: As `documents.programs`.
        on_result: Called with each result.
    """
    plan, copies = folder.plan, folder.path / DOCUMENTS
    documents = {one.key: one for one in plan.documents}
    program = TRUSTED_PROGRAM if plan.settings.beyond else PROGRAM

    def job(key: str) -> tuple[str, str]:
        one = documents[key]
        document, brief = (copies / name if name else None for name in (one.document, one.brief))
        work = DocumentWork(one, plan.wanted, plan.settings, document=document, brief=brief)
        return program, to_json(DocumentWork, work, indent=None)

    def failed(key: str, error: str) -> DocumentResult:
        return documents[key].without_result(DocumentOutcome.FAILED, error)

    workload = Workload(
        folder,
        engine,
        programs,
        on_result,
        tuple(documents),
        job,
        failed,
        plan.wanted.concurrency,
        Limits(plan.wanted.usd, plan.wanted.minutes),
        {key: one.failed for key, one in documents.items() if one.failed},
    )
    return await workload.work()


_NOT_YET = "the batch ended before its turn"


def summarise(folder: BatchFolder) -> batch.BatchSummary:
    """The summary of what the batch came to so far."""
    plan, manifest = folder.plan, folder.manifest
    results = [*_results(folder)]
    outcomes = Counter(result.outcome for result in results)
    return batch.BatchSummary(
        foureyes=program_version(),
        id=manifest.id,
        name=manifest.name,
        directory=str(folder.path),
        task=plan.wanted.task,
        state=manifest.state,
        fail_on=plan.wanted.fail_on,
        exit_code=int(batch.batch_exit_code(results, manifest.state)),
        started=manifest.started,
        outcomes={outcome: outcomes[outcome] for outcome in DocumentOutcome},
        claims=batch.claims_of(results),
        severities=batch.severities_of(results),
        cost_usd=sum(result.cost_usd or 0.0 for result in results),
        unpriced=sum(result.cost_usd is None for result in results),
        active_s=round(manifest.active_s, 3),
        documents=batch.worst_first(results),
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


def write_summary(folder: BatchFolder, summary: batch.BatchSummary) -> None:
    """Write `summary.json`, `summary.md` and `report.html`.

    Raises:
        StorageError: The file system refused.
    """
    write_atomic(folder.path / batch.SUMMARY_JSON, to_json(batch.BatchSummary, summary) + "\n")
    write_atomic(folder.path / batch.SUMMARY_FILE, markdown(summary))
    replace_report(folder.path)


def markdown(summary: batch.BatchSummary) -> str:
    """`summary.md`."""
    lines, rows = batch.summary_lines(summary), map(batch.cells, summary.documents)
    return render_markdown("batch.md.jinja", summary=summary, batch=batch, lines=lines, rows=rows)


def write_sarif(folder: BatchFolder, path: Path) -> None:
    """Write one SARIF log of all checked documents, which are read one after the other.

    Raises:
        StorageError: The file system refused.
    """
    results = folder.results().values()
    failed = [one for one in results if one.outcome is DocumentOutcome.FAILED]
    failures = [f"{one.name}: {one.reason}" for one in failed]
    write_page(sarif_log(_Checked(folder, results), failures=failures), path)


class _Checked:
    """The checked documents, each read when it is asked for: together they may be large."""

    def __init__(self, folder: BatchFolder, results: Iterable[DocumentResult]) -> None:
        folders = [left for one in results if (left := folder.left(one)) is not None]
        self._folders = [left for left in folders if (left / CHECK_FILE).is_file()]

    def __iter__(self) -> Iterator[ExaminedDocument]:
        return (read_check(folder).examined() for folder in self._folders)
