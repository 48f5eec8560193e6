"""The command `export`: a run or a review in a format that other tools read."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import assert_never

from ..assembly.citing import Citations, review_citations, run_citations
from ..assembly.settings import load_settings
from ..base.errors import InputError
from ..base.files import atomic_file
from ..base.vocabulary import Severity
from ..core.record_folder import program_version
from ..core.run_store import RUN_FOLDER
from ..report.exports.claim_review import claim_reviews, decided_claims
from ..report.exports.json_text import json_pieces
from ..report.exports.junit import junit_xml
from ..report.exports.recorded import examined_run
from ..report.exports.review_others import review_annotations, review_junit, reviewed_claims
from ..report.exports.review_provenance import review_provenance
from ..report.exports.review_sarif import review_sarif
from ..report.exports.reviewed import ReviewedDocument, reviewed_document
from ..report.exports.run_provenance import run_provenance
from ..report.exports.sarif import sarif_log
from ..report.exports.web_annotation import annotation_page
from ..report.html.run_files import RunFiles
from ..review.contents import read_contents
from ..review.store import REVIEW_FOLDER, ReviewStore
from ..sources.scoring.bibliography import bibtex, csl_json
from .sources_cite import remark_unread
from .streams import put
from .terminal import say

STANDARD_OUTPUT = Path("-")
_FAIL_ON = Severity.MEDIUM
"""From which severity on a test case fails, as in `check`."""


class ExportFormat(StrEnum):
    """What a run or a review can be written as."""

    SARIF = "sarif"
    WEB_ANNOTATION = "web-annotation"
    JUNIT = "junit"
    CLAIM_REVIEW = "claim-review"
    PROV_JSON = "prov-json"
    CSL_JSON = "csl-json"
    BIBTEX = "bibtex"


def export(folder: Path, form: ExportFormat, out: Path, publisher: str) -> None:
    """Write the run or review in `folder` as `form` to `out`, or to standard output.

    Raises:
        InputError: There is neither, or it holds nothing that the format could say.
        StorageError: The file system refused.
    """
    if (folder / REVIEW_FOLDER.manifest_file).is_file():
        pieces = _review(folder, form, publisher)
    elif (folder / RUN_FOLDER.manifest_file).is_file():
        pieces = _run(folder, form, publisher)
    else:
        raise InputError(
            f"{str(folder)!r} is neither a run nor a review directory",
            f"give a folder made by `{RUN_FOLDER.command}` or `{REVIEW_FOLDER.command}`",
        )
    if out == STANDARD_OUTPUT:
        for piece in pieces:
            put(piece)
        return
    with atomic_file(out) as file:
        file.writelines(piece.encode() for piece in pieces)
    say(f"{form}: {out}")


def _run(folder: Path, form: ExportFormat, publisher: str) -> Iterator[str]:
    files = RunFiles(folder)
    made = files.manifest.ended or files.manifest.started
    match form:
        case ExportFormat.SARIF:
            return json_pieces(sarif_log([examined_run(files)], foureyes=program_version()))
        case ExportFormat.WEB_ANNOTATION:
            return json_pieces(annotation_page(examined_run(files), made))
        case ExportFormat.JUNIT:
            return junit_xml([examined_run(files)], _FAIL_ON)
        case ExportFormat.CLAIM_REVIEW:
            draft = examined_run(files)
            claims = decided_claims(draft.entries)
            return json_pieces(claim_reviews(claims, draft.path, publisher, made.date()))
        case ExportFormat.PROV_JSON:
            return json_pieces(run_provenance(files))
        case ExportFormat.CSL_JSON | ExportFormat.BIBTEX:
            return _bibliography(run_citations(folder, load_settings({})), form)
        case _:
            assert_never(form)


def _review(folder: Path, form: ExportFormat, publisher: str) -> Iterator[str]:
    store = ReviewStore.open(folder)
    match form:
        case ExportFormat.SARIF:
            return json_pieces(review_sarif(_reviewed(store), foureyes=program_version()))
        case ExportFormat.WEB_ANNOTATION:
            return json_pieces(review_annotations(_reviewed(store)))
        case ExportFormat.JUNIT:
            return review_junit(_reviewed(store), _FAIL_ON)
        case ExportFormat.CLAIM_REVIEW:
            document = _reviewed(store)
            claims, on = reviewed_claims(document), document.ended.date()
            return json_pieces(claim_reviews(claims, document.original, publisher, on))
        case ExportFormat.PROV_JSON:
            return json_pieces(review_provenance(store, read_contents(store)))
        case ExportFormat.CSL_JSON | ExportFormat.BIBTEX:
            return _bibliography(review_citations(folder, load_settings({})), form)
        case _:
            assert_never(form)


def _reviewed(store: ReviewStore) -> ReviewedDocument:
    return reviewed_document(read_contents(store))


def _bibliography(found: Citations, form: ExportFormat) -> Iterator[str]:
    remark_unread(found)
    write = csl_json if form is ExportFormat.CSL_JSON else bibtex
    return iter((write(found.sources),))
