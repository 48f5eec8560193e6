"""The reports of a document review: for a person, for a program, and beside the document's words.

Files, in the review directory:

    report.md               the findings, and the appendix of what was found outside
    report.json             the same as a `ReviewReport`
    annotated.md            the reading copy with a note for each finding
    annotated_appendix.md   the reading copy with a note for each claim that is contradicted
    report.html             all of it as one page

The external verification is shown only together with the reading order, and never beside a finding
(review spec, safety constraints 2 and 8).
"""

from __future__ import annotations

from collections.abc import Iterator

from ..base.markdown import inline
from ..base.records import to_json
from ..core.pipeline import log_failure
from ..core.result import REPORT_FILE as PAGE_FILE
from ..review.contents import ReviewContents
from ..review.store import ReviewStore
from ..review.types import WebVerdict
from .annotation import Note, annotate
from .html.page import replace_report
from .review_markdown import report_markdown
from .review_report import Appendix, ReviewReport, review_report

REPORT_FILE = "report.md"
REPORT_JSON = "report.json"
ANNOTATED_FILE = "annotated.md"
ANNOTATED_APPENDIX = "annotated_appendix.md"
REPORTS = (REPORT_FILE, REPORT_JSON, ANNOTATED_FILE, PAGE_FILE)
"""Reports that every ended review has."""


def write_reports(contents: ReviewContents, store: ReviewStore) -> ReviewReport:
    """Write every report of the review in `store`; `contents` is what it contains.

    A page that cannot be written is logged and does not change the status of the review.

    Raises:
        StorageError: The file system refused.
    """
    report = review_report(contents)
    store.write(REPORT_FILE, report_markdown(report))
    store.write(REPORT_JSON, to_json(ReviewReport, report) + "\n")
    text = contents.original.text
    store.write(ANNOTATED_FILE, annotate(text, tuple(_notes(report))))
    if report.appendix is not None:
        store.write(ANNOTATED_APPENDIX, annotate(text, tuple(_appendix_notes(report.appendix))))
    try:
        replace_report(store.path)
    except Exception:  # noqa: BLE001 - whatever a page meets, the review stands as it stands
        log_failure("HTML report")
    return report


def _notes(report: ReviewReport) -> Iterator[Note]:
    """Yield a note for each standing finding."""
    for one in report.findings:
        what = f"{one.number} ({one.severity}) {one.issue.replace('_', ' ')}: {one.problem}"
        yield Note(one.place.end, one.number, inline(what))


def _appendix_notes(appendix: Appendix) -> Iterator[Note]:
    """The reading order, then a note for each claim that is contradicted."""
    where = f"These notes belong to the appendix of {REPORT_FILE}, which begins so:"
    yield Note(None, "order", f"{where} {appendix.reading_order}")
    for one in appendix.checked:
        if one.result.verdict is WebVerdict.CONTRADICTED:
            what = f"Claim {one.number} is contradicted: {one.result.reason}"
            yield Note(one.claim.place.end, f"claim-{one.number}", inline(what))
