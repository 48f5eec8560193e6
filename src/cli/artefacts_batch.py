"""What is in the directory of a batch, with the models of it."""

from __future__ import annotations

from ..batch.entries import BatchEntry
from ..batch.planning import Plan
from ..engine.work_folder import WorkManifest
from ..report.batch import BatchSummary, DocumentResult
from ..report.check_outcome import CheckRecord
from ..report.schemas import Artefact, Where
from .batch import BatchStatus

BATCH_ARTEFACTS = (
    Artefact(
        "batch",
        Where.BATCH,
        "batch.json",
        WorkManifest,
        "The manifest of a batch: where it stands, and the round of its jobs.",
    ),
    Artefact(
        "batch-plan",
        Where.BATCH,
        "plan.json",
        Plan,
        "What is done with which documents, under which settings.",
    ),
    Artefact(
        "batch-result",
        Where.BATCH,
        "results.jsonl",
        DocumentResult,
        "What one document came to; the first line of a document counts.",
        lines=True,
    ),
    Artefact(
        "batch-summary",
        Where.BATCH,
        "summary.json",
        BatchSummary,
        "Sums over all documents, and each, the worst first.",
    ),
    Artefact(
        "check-record",
        Where.BATCH,
        "**/check.json",
        CheckRecord,
        "The check of one document, with all that it was concluded from.",
    ),
    Artefact(
        "batch-entry",
        Where.USER,
        "the file of `foureyes batch`",
        BatchEntry,
        "A document of a batch, one on each line.",
        lines=True,
    ),
    Artefact(
        "output-batch",
        Where.OUTPUT,
        "foureyes batch run --json, foureyes batch resume --json, foureyes batch report --json",
        BatchSummary,
        "What the batch came to; its directory keeps it as summary.json.",
    ),
    Artefact(
        "output-batch-status",
        Where.OUTPUT,
        "foureyes batch status --json",
        BatchStatus,
        "How far a batch is.",
    ),
)
"""Those that have a schema, in the order of the documentation."""
