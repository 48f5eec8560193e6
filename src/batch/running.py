"""Run or resume a batch: no document that has ended is done again."""

from __future__ import annotations

from ..base.files import to_json
from ..engine.model import Engine, Programs
from ..engine.work_folder import WorkState
from ..engine.working import Limits, OnResult, Workload
from ..report.batch import DocumentOutcome, DocumentResult
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
