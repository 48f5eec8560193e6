"""Run or resume a batch: no document that has ended is done again."""

from __future__ import annotations

import shutil

from ..base.files import storage_errors, to_json
from ..engine.model import Engine, Programs
from ..engine.work_folder import WorkState
from ..engine.working import Limits, OnResult, Workload
from ..report.batch import DocumentOutcome, DocumentResult
from .documents import PROGRAM, TRUSTED_PROGRAM, DocumentWork, document_work
from .planning import DOCUMENTS, BatchFolder


async def run_batch(
    folder: BatchFolder,
    engine: Engine,
    programs: Programs,
    on_result: OnResult[DocumentResult],
    *,
    inline: bool,
) -> WorkState:
    """Work on a batch until all its documents have ended or a limit is reached.

    It can be stopped and called again, as `Workload.work`. At the end the files of every document
    are in the batch's directory.

    Args:
        folder: The batch.
        engine: Where its jobs are placed; other workers of it help.
        programs: As `documents.programs`.
        on_result: Called with each result.
        inline: Whether documents travel with their jobs, for workers that share no disk.
    """
    plan = folder.plan
    documents = {one.key: one for one in plan.documents}
    program = TRUSTED_PROGRAM if plan.settings.beyond else PROGRAM

    def job(key: str) -> tuple[str, str]:
        work = document_work(plan, documents[key], folder.path / DOCUMENTS, inline=inline)
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
    state = await workload.work()
    await _bring(folder, engine)
    return state


async def _bring(folder: BatchFolder, engine: Engine) -> None:
    """Bring what lies on other machines or in another folder into the directory of the batch."""
    for result in folder.results().values():
        if not result.job or folder.left(result) is not None:
            continue
        target = folder.brought(result)
        part = target.with_name(f".{target.name}")
        with storage_errors(target, "bring"):
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            place = await engine.bring(folder.group_of(result.job), result.job, part)
            if place != part:
                shutil.copytree(place, part, dirs_exist_ok=True)
            part.rename(target)
