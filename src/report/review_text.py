"""A document review in lines."""

from __future__ import annotations

from collections.abc import Iterator

from .document_review import REPORT_FILE
from .review_markdown import STATUSES, contradicted_line, findings_line, summary
from .review_report import ReportedFinding, ReviewReport

SHOWN = 20
"""Findings on the terminal; the report has them all."""


def review_lines(report: ReviewReport) -> Iterator[str]:
    """A review line by line."""
    yield f"status: {STATUSES[report.status]}"
    if report.reason:
        yield f"reason: {report.reason}"
    if said := contradicted_line(report):
        yield f"{said}: see the appendix of {REPORT_FILE}"
    for part in report.not_done:
        yield f"not done: {part.phase}, {part.part}: {part.reason}"
    yield findings_line(report)
    worst = sorted(report.findings, key=lambda one: one.severity.rank)
    for one in worst[:SHOWN]:
        yield from finding_lines(one)
    if (more := len(worst) - SHOWN) > 0:
        yield f"  and {more} more, see {REPORT_FILE}"
    if report.appendix is not None:
        yield ""
        yield "outside the document, which changes no finding:"
        for line in summary(report.appendix):
            yield f"  {line}"
        yield f"  claim by claim: the appendix of {REPORT_FILE}, to be read after the findings"
    elif not report.web:
        yield "no claim was looked up (--no-web)"
    yield ""


def finding_lines(one: ReportedFinding) -> Iterator[str]:
    """Yield a finding on two lines, and the defence if it weakened the finding."""
    yield f"  {one.number} {one.severity} {one.place.where}, {one.issue.replace('_', ' ')}"
    yield f"    {one.problem} “{one.quote if len(one.quote) <= 120 else one.quote[:120] + ' […]'}”"
    if one.defence is not None and one.defence.quote:
        yield f"    defence: {one.defence.outcome}; {one.defence.argument}"
