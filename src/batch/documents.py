"""The program of one document: checked, run or reviewed in the folder of its job."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path

from ..assembly.check import check_text
from ..assembly.document_review import review_to_end
from ..assembly.model import LoadedSettings
from ..assembly.review_result import review_exit_code
from ..assembly.runs import RunInput, run_to_end
from ..base.errors import DocumentError, InputError
from ..base.files import from_json, read_document, to_json, write_atomic
from ..base.logs import quiet_logs
from ..base.vocabulary import ExitCode, GateDecision, Severity
from ..core.approval import RunStatus, exit_code
from ..core.result import REPORT_FILE
from ..core.run_analytics import AnalyticsFile
from ..engine.model import JobContext, Programs
from ..report.batch import (
    BatchTask,
    DocumentOutcome,
    DocumentResult,
    dollars,
    gate_counts,
    review_counts,
)
from ..report.check_outcome import CHECK_FILE, CheckRecord
from ..report.html.page import write_report
from ..report.html.run_files import RunFiles
from ..review.originals import read_original
from ..review.store import ReviewStatus, ReviewStore, read_contents
from .planning import BatchOptions, CarriedSettings, PlannedDocument

PROGRAM, TRUSTED_PROGRAM = "document", "trusted_document"
"""The second is for batches that need trust; only workers with `--trust` run them."""
_OUTCOMES: Mapping[ExitCode, DocumentOutcome] = {
    ExitCode.OK: DocumentOutcome.PASSED,
    ExitCode.NOT_APPROVED: DocumentOutcome.FLAGGED,
    ExitCode.INCONCLUSIVE: DocumentOutcome.INCONCLUSIVE,
    ExitCode.BUDGET: DocumentOutcome.INCONCLUSIVE,
    ExitCode.FAILED: DocumentOutcome.FAILED,
    ExitCode.CANCELLED: DocumentOutcome.FAILED,
}
"""By the exit code that the document alone would have."""


@dataclass(frozen=True, slots=True)
class DocumentWork:
    """The payload of the job of the document `planned`, with the copies to read."""

    planned: PlannedDocument
    wanted: BatchOptions
    settings: CarriedSettings
    _: KW_ONLY
    document: Path | None
    brief: Path | None

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources of all documents, and those of this one."""
        return (*self.wanted.sources, *self.planned.sources)


def programs(*, trusted: bool) -> Programs:
    """The programs of a worker of batches.

    Args:
        trusted: Whether a batch may set what a file in a working folder may not.
    """

    async def document(payload: str, context: JobContext) -> str:
        work = from_json(DocumentWork, payload)
        if not trusted and work.settings.beyond:
            raise InputError(f"the batch sets {work.settings.beyond!r}, which needs your trust")
        return to_json(DocumentResult, await examine(work, context), indent=None)

    return {PROGRAM: document, TRUSTED_PROGRAM: document} if trusted else {PROGRAM: document}


async def examine(work: DocumentWork, context: JobContext) -> DocumentResult:
    """Run the task of the batch on one document.

    Raises:
        FoureyesError: It cannot be read or examined.
    """
    quiet_logs()
    began = time.monotonic()
    task, folder = work.wanted.task, context.folder
    loaded = work.settings.loaded(folder / f"{task}s", work.wanted.usd)
    examined = {BatchTask.CHECK: _check, BatchTask.RUN: _run, BatchTask.REVIEW: _review}[task]
    result = await examined(work, folder, replace(loaded, limiter=context.limiter))
    return replace(result, job=context.job.id, seconds=round(time.monotonic() - began, 3))


def _result(
    work: DocumentWork, code: ExitCode, severities: Iterable[Severity], *, failed_gate: bool = False
) -> DocumentResult:
    """The outcome by the code that the document alone would have, its findings, and its gate."""
    counts = Counter(severities)
    outcome, fail_on = _OUTCOMES[code], work.wanted.fail_on
    counted = fail_on is not None and any(one.at_least(fail_on) for one in counts)
    if outcome is not DocumentOutcome.FAILED and (counted or failed_gate):
        outcome = DocumentOutcome.FLAGGED
    severities_ = {severity: counts[severity] for severity in Severity if counts[severity]}
    return replace(work.planned.without_result(outcome, ""), severities=severities_)


async def _check(work: DocumentWork, folder: Path, loaded: LoadedSettings) -> DocumentResult:
    text = await _text(work)
    checked = await check_text(text, work.planned.path, work.sources, loaded)
    checked = replace(checked, path=work.planned.name)
    code = checked.exit_code_for(work.wanted.fail_on)
    record = checked.record(code)

    def write() -> None:
        write_atomic(folder / CHECK_FILE, to_json(CheckRecord, record) + "\n")
        write_report(folder)

    await asyncio.to_thread(write)
    gate = checked.gate
    found = [finding.severity for finding in checked.findings]
    result = _result(work, code, found, failed_gate=gate.decision is GateDecision.FAIL)
    missing = [f"not fetched: {source.url}" for source in checked.not_fetched[:1]]
    return replace(
        result,
        status=gate.decision.value,
        reason="; ".join((gate.reason, *missing)),
        claims=gate_counts(gate.metrics),
        report=REPORT_FILE,
    )


async def _run(work: DocumentWork, folder: Path, loaded: LoadedSettings) -> DocumentResult:
    brief = None
    if work.brief:
        with _naming(f"the brief of {work.planned.id}", work.brief):
            brief = read_document(work.brief)
    draft = await _text(work) if work.document else None
    run_dir = await run_to_end(RunInput(brief, draft, work.sources), loaded)
    files, settings = RunFiles(run_dir), loaded.settings
    manifest, best = files.manifest, files.manifest.best_iteration
    delivered, gate = (files.outcome(best), files.gate(best)) if best else (None, None)
    code = exit_code(
        manifest.status or RunStatus.FAILED,
        judge_failed=manifest.judge_failed,
        basis=manifest.approval_basis,
        require_approval=settings.require_approval,
        require_independent=settings.require_independent,
    )
    found = [finding.severity for finding in delivered.findings] if delivered else []
    return replace(
        _result(work, code, found),
        status=(manifest.status or RunStatus.FAILED).value,
        reason=manifest.reason,
        claims=gate_counts(gate.metrics) if gate else None,
        cost_usd=dollars(files.analytics()),
        report=(run_dir / REPORT_FILE).relative_to(folder).as_posix(),
    )


async def _review(work: DocumentWork, folder: Path, loaded: LoadedSettings) -> DocumentResult:
    path = _document(work)
    with _naming(work.planned.name, path):
        review_dir = await review_to_end(path, work.sources, loaded, work.wanted.by)
    contents = await asyncio.to_thread(read_contents, ReviewStore.open(review_dir))
    manifest = contents.manifest
    status = manifest.status or ReviewStatus.FAILED
    analytics = from_json(AnalyticsFile, (review_dir / "analytics.json").read_bytes())
    return replace(
        _result(
            work,
            review_exit_code(status, contents, work.wanted.fail_on),
            [one.finding.severity for one in contents.findings],
        ),
        status=status.value,
        reason=manifest.reason,
        claims=review_counts(contents),
        cost_usd=dollars(analytics),
        report=(review_dir / REPORT_FILE).relative_to(folder).as_posix(),
    )


async def _text(work: DocumentWork) -> str:
    """The text of the document, whatever its kind."""
    path = _document(work)
    with _naming(work.planned.name, path):
        return (await asyncio.to_thread(read_original, path)).text


@contextmanager
def _naming(name: str, path: Path) -> Generator[None]:
    """Make errors about the copy at `path` name the original document."""
    try:
        yield
    except DocumentError as error:
        message = error.message.replace(repr(str(path)), repr(name))
        raise DocumentError(message, error.hint) from error


def _document(work: DocumentWork) -> Path:
    if work.document is None:
        raise InputError("there is no document")
    return work.document
