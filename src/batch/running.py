"""Run or resume a batch: no document that has ended is done again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence

from ..base.files import storage_errors
from ..base.records import to_json
from ..engine.model import Engine, Job, Programs
from ..engine.work_folder import WorkState
from ..engine.working import Limits, OnResult, Workload, job_id, work_on
from ..report.batch import DocumentOutcome, DocumentResult, without_result
from .documents import PROGRAM, TRUSTED_PROGRAM, DocumentWork, document_work
from .folder import BatchFolder
from .planning import DOCUMENTS, PlannedDocument

_TOGETHER = 50
"""Documents that are submitted together, and whose bytes may be in memory together."""


async def run_batch(
    folder: BatchFolder,
    engine: Engine,
    programs: Programs,
    on_result: OnResult[DocumentResult],
    *,
    inline: bool,
) -> WorkState:
    """Work on a batch until all its documents have ended or a limit is reached.

    It can be stopped and called again, as `work_on`. At the end the files of every document are in
    the batch's directory.

    Args:
        folder: The batch.
        engine: Where its jobs are placed; other workers of it help.
        programs: As `documents.programs`.
        on_result: Called with each result.
        inline: Whether documents travel with their jobs, for workers that share no disk.
    """
    batch = _Batch(folder, inline=inline)
    wanted = folder.plan.wanted
    workload = Workload(
        "batch",
        tuple(batch.documents),
        batch.jobs,
        batch.lost,
        wanted.concurrency,
        Limits(wanted.usd, wanted.minutes),
        {key: one.failed for key, one in batch.documents.items() if one.failed},
    )
    state = await work_on(folder, workload, engine, programs, on_result)
    await _bring(folder, engine)
    return state


class _Batch:
    def __init__(self, folder: BatchFolder, *, inline: bool) -> None:
        self._folder = folder
        self._inline = inline
        self.documents = {one.key: one for one in folder.plan.documents}

    def lost(self, key: str, error: str) -> DocumentResult:
        """The result of a document whose job ended in an error."""
        one = self.documents[key]
        return without_result(one, DocumentOutcome.FAILED, error)

    def jobs(self, keys: Sequence[str]) -> Iterator[Sequence[Job]]:
        """The jobs of some documents, a few at a time."""
        for start in range(0, len(keys), _TOGETHER):
            yield [self._job(self.documents[key]) for key in keys[start : start + _TOGETHER]]

    def _job(self, document: PlannedDocument) -> Job:
        folder = self._folder
        plan = folder.plan
        copies = folder.path / DOCUMENTS
        work = document_work(plan, document, copies, inline=self._inline)
        program = TRUSTED_PROGRAM if plan.settings.beyond else PROGRAM
        payload = to_json(DocumentWork, work, indent=None)
        return Job(job_id(document.key, folder), program, payload, folder.group)


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
