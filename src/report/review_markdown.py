"""The report of a document review for a person: `report.md` (review spec, appendix structure)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ..base.printable import counted
from ..base.vocabulary import Drift, Severity
from ..redteam.model import Lens
from ..review.store import ReviewStatus
from ..review.types import CrossMetrics, CrossReference, WebVerdict
from .review_report import (
    Appendix,
    CheckedClaim,
    ReviewReport,
)
from .wording import render_markdown, shortened

STATUSES: Mapping[ReviewStatus | None, str] = {
    None: "under way, or interrupted",
    ReviewStatus.COMPLETED: "completed",
    ReviewStatus.AWAITING_DECISION: "waiting for your decision to go on",
    ReviewStatus.STOPPED: "stopped at the gate",
    ReviewStatus.INCONCLUSIVE: "inconclusive: a part was not done",
    ReviewStatus.BUDGET_EXCEEDED: "not finished: a limit was reached",
    ReviewStatus.CANCELLED: "cancelled",
    ReviewStatus.FAILED: "failed",
}
"""Statuses of a review, in words."""

TITLES: Mapping[Lens, str] = {
    Lens.TEXTUAL: "Textual findings",
    Lens.ANALYTICAL: "Analytical findings",
    Lens.STRATEGIC: "Strategic findings",
}
SHOWN_DENIED, SHOWN_EXCLUDED = 40, 100
_CELL_CHARS = 120
NO_MODEL = "by rules only; no language model has read the document"
DRIFTS: Mapping[Drift, str] = {
    Drift.OUTDATED: "right when it was written, and outdated now",
    Drift.NEVER_TRUE: "never true",
}


def report_markdown(report: ReviewReport) -> str:
    """The whole report; its findings come first and its appendix last."""
    return render_markdown(
        "report.md.jinja",
        report=report,
        beside_columns=BESIDE_COLUMNS,
        beside_rows=beside_rows,
        calibration=calibration,
        contradicted_line=contradicted_line,
        drifts=DRIFTS,
        findings_line=findings_line,
        no_model=NO_MODEL,
        shown_excluded=SHOWN_EXCLUDED,
        statuses=STATUSES,
        summary=summary,
        titles=TITLES,
    )


def contradicted_line(report: ReviewReport) -> str:
    """Count the claims that a source contradicts; "" if there are none."""
    if report.appendix is None:
        return ""
    wrong = sum(one.result.verdict is WebVerdict.CONTRADICTED for one in report.appendix.checked)
    line = counted(wrong, "claim of the text is", "claims of the text are")
    return f"{line} contradicted by a source" if wrong else ""


def findings_line(report: ReviewReport) -> str:
    """Count the findings of each severity, and those that were left out."""
    if not report.compiled:
        return "no findings yet: the red review and its defence have not ended"
    by_severity = Counter(one.severity for one in report.findings)
    counts = [f"{by_severity[one]} {one}" for one in Severity if by_severity[one]]
    text = counted(len(report.findings), "finding")
    if counts:
        text += f" ({', '.join(counts)})"
    tested = f"{len(report.dropped)} dropped by the smoke test"
    if not report.smoke_tested:
        tested = "their quotations not yet tested"
    return f"{text}; {len(report.killed)} killed by the defence, {tested}"


def summary(appendix: Appendix) -> Iterator[str]:
    """The appendix in numbers."""
    verdicts = Counter(one.result.verdict for one in appendix.checked)
    looked_up = verdicts.total()
    settled = looked_up - verdicts[WebVerdict.UNVERIFIABLE]
    background = len(appendix.not_verified)
    yield f"Claims looked up: {looked_up}, settled: {settled}; not looked up: {background}"
    yield ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in WebVerdict)
    if denied := _denied(appendix.checked):
        named = ", ".join(denied[:SHOWN_DENIED])
        more = f" and {len(denied) - SHOWN_DENIED} more" if len(denied) > SHOWN_DENIED else ""
        noun = "claim" if len(denied) == 1 else "claims"
        yield f"Not settled, but denied by a source: {noun} {named}{more}"
    yield looked_in(appendix)
    if appendix.cross_reference is not None:
        yield catch_rate(appendix.cross_reference.metrics)


def _denied(checked: Iterable[CheckedClaim]) -> list[str]:
    """The numbers of claims that only sources deny which settle nothing."""
    return [
        str(one.number)
        for one in checked
        if one.denied and one.result.verdict is WebVerdict.UNVERIFIABLE
    ]


def looked_in(appendix: Appendix) -> str:
    """Describe the searches and sources used to look up claims."""
    asked = f"searches: {appendix.searches}"
    if not appendix.searches:
        asked = "nobody was asked for sources (see --search)"
    read = appendix.sources - len(appendix.unread)
    return f"Sources read: {read} of {appendix.sources}; {asked}"


def catch_rate(metrics: CrossMetrics) -> str:
    """Describe how many of the contradicted claims the review had flagged."""
    if metrics.red_catch_rate is None:
        return "Red catch rate: n/a, as no claim is contradicted"
    share = f"{metrics.caught} of {metrics.contradicted}"
    return (
        f"Red catch rate: {metrics.red_catch_rate:.0%} of the contradicted claims ({share}) were "
        "flagged by the review"
    )


BESIDE_COLUMNS = ("claim", "document says", "source says", "verdict", "flagged", "findings")


def beside_rows(appendix: Appendix, cross: CrossReference) -> Iterator[tuple[str, ...]]:
    """The claims that a source supports or contradicts, with the findings about them."""
    numbers = {one.claim.id: one.number for one in appendix.checked}
    for row in cross.rows:
        if row.verdict is not WebVerdict.UNVERIFIABLE:
            yield (
                f"{numbers.get(row.claim_id, '')}: {shortened(row.claim, _CELL_CHARS)}",
                shortened(row.document_says, _CELL_CHARS),
                shortened(row.web_says, _CELL_CHARS),
                row.verdict.value,
                {True: "yes", False: "no", None: "–"}[row.red_caught],
                ", ".join(row.findings) or "–",
            )


def calibration(metrics: CrossMetrics) -> Iterator[str]:
    """The metrics of the cross-reference, one a line."""
    yield catch_rate(metrics)
    yield f"Web-only discoveries: {metrics.web_only_discoveries}"
    yield f"Temporal drift: {metrics.temporal_drift}"
    yield f"Circular confirmations: {metrics.circular_confirmations}"
