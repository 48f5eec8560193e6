"""Exports of runs, reviews and checks: one registry of formats for every kind of record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ..base.errors import InputError
from ..report.exports import claim_review, junit, provenance, sarif_log, web_annotation
from ..report.exports.documents import ExportedRecord
from ..report.html.page import RecordKind
from ..sources.scoring.citations import bibtex, csl_json
from .citations import review_citations, run_citations
from .settings import load_settings


class ExportFormat(StrEnum):
    """Format of an export."""

    SARIF = "sarif"
    WEB_ANNOTATION = "web-annotation"
    JUNIT = "junit"
    CLAIM_REVIEW = "claim-review"
    PROV_JSON = "prov-json"
    CSL_JSON = "csl-json"
    BIBTEX = "bibtex"


@dataclass(frozen=True, slots=True)
class Export:
    """Text of an export in pieces, which can be read once, and the sources that it leaves out.

    `left_out` lists the addresses that a bibliography omits because they could not be read.
    """

    pieces: Iterator[str]
    left_out: tuple[str, ...] = ()


EXPORTERS: Mapping[ExportFormat, Callable[[ExportedRecord], Iterator[str]]] = {
    ExportFormat.SARIF: sarif_log.export,
    ExportFormat.WEB_ANNOTATION: web_annotation.export,
    ExportFormat.JUNIT: junit.export,
    ExportFormat.CLAIM_REVIEW: claim_review.export,
    ExportFormat.PROV_JSON: provenance.export,
}
"""The exporter of each format. The others are bibliographies, which need the source rules."""


def export_record(folder: Path, form: ExportFormat, *, publisher: str = "foureyes") -> Export:
    """Export the run, review or check in `folder`; nothing in it changes.

    Args:
        folder: The directory of the record.
        form: The format. Only a run has provenance, and a check has no bibliography.
        publisher: The organization that ClaimReview names as author.

    Raises:
        InputError: `folder` is no such record, or has nothing that the format could express.
        RunDirectoryError: The record is damaged.
        StorageError: A file cannot be read.
    """
    record = ExportedRecord(folder, publisher)
    runs_only = form is ExportFormat.PROV_JSON and record.kind is not RecordKind.RUN
    if runs_only or (form not in EXPORTERS and record.kind is RecordKind.CHECK):
        raise InputError(f"a {record.kind} cannot be exported as {form}", "export a run")
    if (export := EXPORTERS.get(form)) is not None:
        return Export(export(record))
    cite = run_citations if record.kind is RecordKind.RUN else review_citations
    found = cite(folder, load_settings({}))
    write = csl_json if form is ExportFormat.CSL_JSON else bibtex
    return Export(iter((write(found.sources),)), found.unread)
