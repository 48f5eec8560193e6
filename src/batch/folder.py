"""The directory of a batch: what is to be done, what was given, what it came to.

batch.json      the manifest: state, and the round of jobs
plan.json       the documents, and what is done with each
documents/      copies of them
results.jsonl   a `DocumentResult` a line; the first of a document counts
engine/         jobs with what each leaves, with the engine of one machine
brought/        what jobs left on other machines, or in another folder
summary.json, summary.md, report.html
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..base.files import write_atomic
from ..base.records import to_json
from ..engine.job_folders import job_folder
from ..engine.work_folder import WorkFolder, WorkKind, make_work_folder, write_manifest
from ..report.batch import BATCH_FILE, DocumentResult
from .entries import Entry
from .planning import DOCUMENTS, BatchOptions, CarriedSettings, Plan, plan_documents

PLAN = "plan.json"
BATCH = WorkKind(
    "a batch",
    BATCH_FILE,
    "foureyes batch",
    DocumentResult,
    key=lambda result: result.key,
    cost=lambda result: result.cost_usd or 0.0,
)


class BatchFolder(WorkFolder[DocumentResult]):
    """A batch on disk.

    Raises:
        InputError: `path` is no batch's directory, or it is damaged.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, BATCH)
        self.plan: Plan = self.read(Plan, PLAN)

    @classmethod
    def create(
        cls,
        root: Path,
        name: str,
        wanted: BatchOptions,
        settings: CarriedSettings,
        of: Sequence[Entry],
    ) -> BatchFolder:
        """A new directory below `root` with copies of the documents `of`.

        Raises:
            StorageError: The file system refused.
        """
        path, manifest = make_work_folder(root, name)
        documents = plan_documents(of, path / DOCUMENTS)
        write_atomic(path / PLAN, to_json(Plan, Plan(wanted, settings, documents)))
        write_manifest(path, BATCH.manifest_file, manifest)
        return cls(path)

    def group_of(self, job_id: str) -> str:
        """The group that a job of this batch belongs to."""
        return f"{self.manifest.id}-{job_id.rpartition('-')[2]}"

    def brought(self, result: DocumentResult) -> Path:
        """Where what lies elsewhere of `result` is brought."""
        return self.path / "brought" / result.key

    def left(self, result: DocumentResult) -> Path | None:
        """The folder with what the job of `result` left; None if it is not in this directory."""
        if not result.job:
            return None
        own = job_folder(self.path / "engine", self.group_of(result.job), result.job) / "work"
        return next((path for path in (self.brought(result), own) if path.is_dir()), None)

    def report_of(self, result: DocumentResult) -> str:
        """The document's own report from this directory, "" if there is none."""
        folder = self.left(result)
        if folder is None or not result.report or not (folder / result.report).is_file():
            return ""
        return Path(os.path.relpath(folder / result.report, self.path)).as_posix()
