"""The reports of a document review: for a person, a program, a terminal, and beside its words.

Files, in the review directory:

    report.md      the findings, and the appendix of what was found outside
    report.json    the same as a `ReviewReport`
    annotated.md   the reading copy with a note for each finding
    report.html    all of it as one page

The external verification is shown only together with the reading order, and never beside a finding
(review spec, safety constraints 2 and 8).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import structlog

from ..base.files import to_json
from ..base.printable import copied, inline, visible
from ..core.result import REPORT_FILE as PAGE_FILE
from ..documents.blocks import markdown_events
from ..documents.source import SourceText
from ..review.store import ReviewContents, ReviewStore
from . import review_report, summary
from .html.page import replace_report
from .review_report import ReviewReport
from .wording import labels, render_markdown, spaced, terminal_lines

_OPEN_FENCE = re.compile(r"\s*(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Note:
    """Note on the passage that ends at offset `end`, or on none if `end` is None.

    `label` is of letters, digits and hyphens, and no other note's. `text` is safe Markdown of one
    line.
    """

    end: int | None
    label: str
    text: str


def annotate(text: str, notes: Sequence[Note]) -> str:
    """Return `text` with a footnote mark behind each passage, and the notes below it.

    A code block that `text` leaves open is closed first, so that it does not contain the notes.
    """
    tag = _tag(text)
    placed = sorted(
        ((note.end, order, note) for order, note in enumerate(notes) if note.end is not None),
        key=lambda one: one[:2],
    )
    parts: list[str] = []
    at = 0
    for end, _, note in placed:
        parts += [copied(text[at:end]), _mark(tag, note)]
        at = end
    parts.append(copied(text[at:]))
    # Whether a variation selector is visible depends on the character before it, here a line end.
    notes_text = visible("".join(("\n\n---\n", *_lines(tag, notes))))
    parts += [_end("".join(parts)), notes_text]
    return "".join(parts)


def _end(text: str) -> str:
    """A line that ends the code that `text` leaves open, "" where it leaves none."""
    for event, at in markdown_events(SourceText(f"{text}\n\nwords")):
        match event:
            case {"Start": {"CodeBlock": _}} if at.end > len(text) + 2:
                fence = _OPEN_FENCE.match(text[at.start :])
                return f"\n{fence[1]}\n" if fence else "\n"
            case _:
                pass
    return ""


def _lines(tag: str, notes: Iterable[Note]) -> Iterable[str]:
    for note in notes:
        mark = _mark(tag, note)
        # A definition that nothing refers to is not shown.
        yield f"\n{mark}: {note.text}\n" if note.end is not None else f"\n{note.text}\n"


def _mark(tag: str, note: Note) -> str:
    return f"[^{tag}-{note.label}]"


def _tag(text: str) -> str:
    """Return the prefix of the marks: ``review``, numbered if the document uses it itself."""
    number, tag = 1, "review"
    while f"[^{tag}-" in text:
        number += 1
        tag = f"review{number}"
    return tag


REPORT_FILE = "report.md"
REPORT_JSON = "report.json"
ANNOTATED_FILE = "annotated.md"
REPORTS = (REPORT_FILE, REPORT_JSON, ANNOTATED_FILE, PAGE_FILE)
"""Reports that every ended review has."""


def write_reports(contents: ReviewContents, store: ReviewStore) -> ReviewReport:
    """Write every report of the review in `store`; `contents` is what it contains.

    A page that cannot be written is logged and does not change the status of the review.

    Raises:
        StorageError: The file system refused.
    """
    report = review_report.review_report(contents)
    notes = [
        Note(
            one.place.end,
            one.number,
            inline(f"{one.number} ({one.severity}) {spaced(one.issue)}: {one.problem}"),
        )
        for one in report.findings
    ]
    store.write(REPORT_FILE, report_markdown(report))
    store.write(REPORT_JSON, to_json(ReviewReport, report) + "\n")
    store.write(ANNOTATED_FILE, annotate(contents.original.text, notes))
    try:
        replace_report(store.path)
    except Exception:  # noqa: BLE001 - whatever a page meets, the review stands as it stands
        structlog.get_logger().error("finisher failed", finisher="HTML report", exc_info=True)
    return report


def report_markdown(report: ReviewReport) -> str:
    """The whole report; its findings come first and its appendix last."""
    ends = labels("review_ends")
    return render_markdown(
        "report.md.jinja", report=report, reviews=review_report, words=summary, ends=ends
    )


SHOWN = 20
"""Findings on the terminal; the report has them all."""


def review_lines(report: ReviewReport) -> Iterator[str]:
    """A review line by line."""
    return terminal_lines(
        "review.txt.jinja",
        report=report,
        end=labels("review_ends")[report.status or "under_way"].text,
        worst=sorted(report.findings, key=lambda one: one.severity.rank),
        shown=SHOWN,
        file=REPORT_FILE,
        words=summary,
    )
