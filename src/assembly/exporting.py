"""Exports of runs, reviews and checks: one registry of formats for every kind of record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

from ..base.errors import InputError
from ..base.vocabulary import Severity
from ..core.record_folder import program_version
from ..core.run_store import RUN_FOLDER
from ..report.check_outcome import CHECK_FILE, read_check
from ..report.exports import ExportFormat
from ..report.exports.claim_review import claim_reviews, decided_claims, reviewed_claims
from ..report.exports.documents import ReviewedDocument, examined_run, reviewed_document
from ..report.exports.json_text import json_pieces
from ..report.exports.junit import junit_xml, review_junit
from ..report.exports.model import ExaminedDocument
from ..report.exports.review_provenance import review_provenance
from ..report.exports.run_provenance import run_provenance
from ..report.exports.sarif import review_sarif, sarif_log
from ..report.exports.web_annotation import annotation_page, review_annotations
from ..report.html.page import RecordKind, kind_of
from ..report.html.run_files import RunFiles
from ..review.contents import read_contents
from ..review.store import REVIEW_FOLDER, ReviewStore
from ..sources.scoring.citations import bibtex, csl_json
from .settings import load_settings
from .sources import Citations, review_citations, run_citations

_FAIL_ON = Severity.MEDIUM
"""Least severity at which a test case fails, as in `check`."""


@dataclass(frozen=True, slots=True)
class Export:
    """Text of an export in pieces, which can be read once, and the sources that it leaves out.

    `left_out` lists the addresses that a bibliography omits because they could not be read.
    """

    pieces: Iterator[str]
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exporter:
    """Writers of one format.

    `examined` writes the delivered draft of a run or the document of a check, given the time it was
    made. `reviewed` writes a document review. The last argument of both is the publisher.
    """

    examined: Callable[[ExaminedDocument, datetime, str], Iterator[str]]
    reviewed: Callable[[ReviewedDocument, str], Iterator[str]]


def _examined_claims(document: ExaminedDocument, made: datetime, publisher: str) -> Iterator[str]:
    claims = decided_claims(document.entries)
    return json_pieces(claim_reviews(claims, document.path, publisher, made.date()))


def _reviewed_claims(document: ReviewedDocument, publisher: str) -> Iterator[str]:
    claims, on = reviewed_claims(document), document.ended.date()
    return json_pieces(claim_reviews(claims, document.original, publisher, on))


EXPORTERS: Mapping[ExportFormat, Exporter] = MappingProxyType(
    {
        ExportFormat.SARIF: Exporter(
            lambda document, _made, _by: json_pieces(
                sarif_log([document], foureyes=program_version())
            ),
            lambda document, _by: json_pieces(review_sarif(document, foureyes=program_version())),
        ),
        ExportFormat.WEB_ANNOTATION: Exporter(
            lambda document, made, _by: json_pieces(annotation_page(document, made)),
            lambda document, _by: json_pieces(review_annotations(document)),
        ),
        ExportFormat.JUNIT: Exporter(
            lambda document, _made, _by: junit_xml([document], _FAIL_ON),
            lambda document, _by: review_junit(document, _FAIL_ON),
        ),
        ExportFormat.CLAIM_REVIEW: Exporter(_examined_claims, _reviewed_claims),
    }
)
"""Formats that are made from the document alone. The others need the whole record."""


def export_record(folder: Path, form: ExportFormat, *, publisher: str = "foureyes") -> Export:
    """Export the run, review or check in `folder`; nothing in it changes.

    Args:
        folder: The directory of the record.
        form: The format; a check has neither provenance nor a bibliography.
        publisher: The organization that ClaimReview names as author.

    Raises:
        InputError: `folder` is no such record, or has nothing that the format could express.
        RunDirectoryError: The record is damaged.
        StorageError: A file cannot be read.
    """
    match kind_of(folder):
        case RecordKind.RUN:
            return _export_run(folder, form, publisher)
        case RecordKind.REVIEW:
            return _export_review(folder, form, publisher)
        case RecordKind.CHECK:
            return _export_check(folder, form, publisher)
        case _:
            raise InputError(
                f"{str(folder)!r} is neither a run nor a review directory",
                f"give a folder made by `{RUN_FOLDER.command}` or `{REVIEW_FOLDER.command}`",
            )


def _export_run(folder: Path, form: ExportFormat, publisher: str) -> Export:
    files = RunFiles(folder)
    if (exporter := EXPORTERS.get(form)) is not None:
        made = files.manifest.ended or files.manifest.started
        return Export(exporter.examined(examined_run(files), made, publisher))
    if form is ExportFormat.PROV_JSON:
        return Export(json_pieces(run_provenance(files)))
    return _bibliography(run_citations(folder, load_settings({})), form)


def _export_review(folder: Path, form: ExportFormat, publisher: str) -> Export:
    store = ReviewStore.open(folder)
    if (exporter := EXPORTERS.get(form)) is not None:
        return Export(exporter.reviewed(reviewed_document(read_contents(store)), publisher))
    if form is ExportFormat.PROV_JSON:
        return Export(json_pieces(review_provenance(store, read_contents(store))))
    return _bibliography(review_citations(folder, load_settings({})), form)


def _export_check(folder: Path, form: ExportFormat, publisher: str) -> Export:
    record = read_check(folder)
    if (exporter := EXPORTERS.get(form)) is None:
        raise InputError(f"a check cannot be exported as {form}", "export a run or a review")
    # The record holds no time of its own.
    made = datetime.fromtimestamp((folder / CHECK_FILE).stat().st_mtime, UTC)
    return Export(exporter.examined(record.examined(), made, publisher))


def _bibliography(found: Citations, form: ExportFormat) -> Export:
    write = csl_json if form is ExportFormat.CSL_JSON else bibtex
    return Export(iter((write(found.sources),)), found.unread)
