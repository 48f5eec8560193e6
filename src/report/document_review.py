"""The reports of a document review: for a person, for a program, and beside the document's words.

Files, in the review directory:

    report.md       the findings, and the appendix of what was found outside
    report.json     the same as a `ReviewReport`
    annotated.md    the reading copy with a note for each finding; what was found outside is only
                    in the appendix, behind its reading order (review spec, constraints 2 and 8)
"""

from __future__ import annotations

from collections.abc import Iterator

from ..base.records import to_json
from ..review.contents import ReviewContents
from ..review.store import ReviewStore
from .annotation import Note, annotate
from .markup import inline
from .review_markdown import report_markdown
from .review_report import ReviewReport, review_report

REPORT_FILE = "report.md"
REPORT_JSON = "report.json"
ANNOTATED_FILE = "annotated.md"


def write_reports(contents: ReviewContents, store: ReviewStore) -> ReviewReport:
    """Write every report of what `store` holds, which is `contents`.

    Raises:
        StorageError: The file system refused.
    """
    report = review_report(contents)
    store.write(REPORT_FILE, report_markdown(report))
    store.write(REPORT_JSON, to_json(ReviewReport, report) + "\n")
    store.write(ANNOTATED_FILE, annotate(contents.original.text, tuple(_notes(report))))
    return report


def _notes(report: ReviewReport) -> Iterator[Note]:
    """A note for each finding that is held."""
    for one in report.findings:
        what = f"{one.number} ({one.severity}) {one.issue.replace('_', ' ')}: {one.problem}"
        yield Note(one.place.end, one.number, inline(what))
