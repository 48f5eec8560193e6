"""The report of a document review for a person: `report.md` (review spec, appendix structure)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from ..base import counting
from ..base.markdown import address, inline
from ..base.vocabulary import Drift, Severity
from ..redteam.model import Lens
from ..review.cross_reference import CrossMetrics, CrossReference
from ..review.extraction import ExcludedClaim
from ..review.store import ReviewStatus
from ..review.types import WebResult, WebVerdict
from .review_report import (
    Appendix,
    CheckedClaim,
    ReportedClaim,
    ReportedFinding,
    ReviewReport,
)
from .wording import quoted, table

STATUSES: Mapping[ReviewStatus | None, str] = MappingProxyType(
    {
        None: "under way, or interrupted",
        ReviewStatus.COMPLETED: "completed",
        ReviewStatus.AWAITING_DECISION: "waiting for your decision to go on",
        ReviewStatus.STOPPED: "stopped at the gate",
        ReviewStatus.INCONCLUSIVE: "inconclusive: a part was not done",
        ReviewStatus.BUDGET_EXCEEDED: "not finished: a limit was reached",
        ReviewStatus.CANCELLED: "cancelled",
        ReviewStatus.FAILED: "failed",
    }
)
"""Statuses of a review, in words."""

TITLES: Mapping[Lens, str] = MappingProxyType(
    {
        Lens.TEXTUAL: "Textual findings",
        Lens.ANALYTICAL: "Analytical findings",
        Lens.STRATEGIC: "Strategic findings",
    }
)
SHOWN_DENIED, SHOWN_EXCLUDED = 40, 100
NO_MODEL = "by rules only; no language model has read the document"
DRIFTS: Mapping[Drift, str] = MappingProxyType(
    {
        Drift.OUTDATED: "right when it was written, and outdated now",
        Drift.NEVER_TRUE: "never true",
    }
)


def report_markdown(report: ReviewReport) -> str:
    """The whole report; its findings come first and its appendix last."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: ReviewReport) -> Iterator[str]:
    yield f"# Review of {inline(report.title)}"
    yield ""
    yield from _head(report)
    if report.not_done:
        yield from ("", "## Not done", "")
        for part in report.not_done:
            yield f"- {inline(f'{part.phase}, {part.part}: {part.reason}')}"
    yield from ("", "## Findings", "")
    yield from _findings(report)
    yield from _left_out(report)
    if report.appendix is not None:
        yield from _appendix(report.appendix)
    elif not report.web:
        yield from ("", "The web verification was left out (`--no-web`): no claim was looked up.")
    else:
        yield from ("", "The review has not come to the web verification: no claim was looked up.")


def _head(report: ReviewReport) -> Iterator[str]:
    document = report.document
    who = f"by the {inline(report.backend)} backend" if report.independent else NO_MODEL
    yield f"- Document: {inline(document.name)} ({document.kind}), sha256 `{document.sha256}`"
    yield f"- Reviewed as of {report.as_of.isoformat()}, {who}"
    yield f"- Status: {STATUSES[report.status]}; {inline(report.reason)}"
    if line := contradicted_line(report):
        yield f"- {line}: see the appendix"
    if report.decision is not None:
        made = report.decision
        word = "gone on with" if made.choice == "go_on" else "stopped"
        yield f"- At the gate: {word} by {inline(made.by)}, {made.at:%Y-%m-%d %H:%M} UTC"
    yield f"- {findings_line(report)}"


def contradicted_line(report: ReviewReport) -> str:
    """Count the claims that a source contradicts; "" if there are none."""
    if report.appendix is None:
        return ""
    wrong = sum(one.result.verdict is WebVerdict.CONTRADICTED for one in report.appendix.checked)
    line = counting.counted(wrong, "claim of the text is", "claims of the text are")
    return f"{line} contradicted by a source" if wrong else ""


def findings_line(report: ReviewReport) -> str:
    """Count the findings of each severity, and those that were left out."""
    if not report.compiled:
        return "no findings yet: the red review and its defence have not ended"
    by_severity = Counter(one.severity for one in report.findings)
    counts = [f"{by_severity[one]} {one}" for one in Severity if by_severity[one]]
    text = counting.counted(len(report.findings), "finding")
    if counts:
        text += f" ({', '.join(counts)})"
    tested = f"{len(report.dropped)} dropped by the smoke test"
    if not report.smoke_tested:
        tested = "their quotations not yet tested"
    return f"{text}; {len(report.killed)} killed by the defence, {tested}"


def _findings(report: ReviewReport) -> Iterator[str]:
    if not report.findings:
        yield "None." if report.compiled else "None yet."
    for lens in Lens:
        found = [one for one in report.findings if one.lens is lens]
        if found:
            yield f"### {TITLES[lens]} ({len(found)})"
            yield ""
            for one in found:
                yield from _finding(one)
                yield ""


def _finding(one: ReportedFinding) -> Iterator[str]:
    yield f"#### {inline(one.number)} ({one.severity}): {inline(one.issue.replace('_', ' '))}"
    yield ""
    yield f"> {quoted(one.quote)}"
    yield ""
    yield f"{inline(one.problem)}"
    yield ""
    yield f"- Where: {inline(one.place.where)}"
    yield f"- Found by: {'rules' if one.by_rules else 'the reviewer'}"
    if one.merged:
        yield f"- Found {one.merged + 1} times at this place"
    yield f"- Defence: {_defence(one)}"
    if one.doubt:
        yield f"- A smoke tester doubts it: {inline(one.doubt)}"


def _defence(one: ReportedFinding) -> str:
    if one.defence is None:
        return "none was given"
    said = f"{one.defence.outcome}; {inline(one.defence.argument)}"
    return f"{said} {quoted(one.defence.quote)}" if one.defence.quote else said


def _left_out(report: ReviewReport) -> Iterator[str]:
    if not report.compiled:
        return
    yield from ("", "## Left out of the review")
    yield from ("", f"### Killed by the defence ({len(report.killed)})", "")
    yield from _listed(f"{_brief(one)} Defence: {_defence(one)}" for one in report.killed)
    if report.smoke_tested:
        yield from ("", f"### Dropped by the smoke test ({len(report.dropped)})", "")
        yield from _listed(
            f"{inline(one.number)}: {_brief(one)} Dropped: {inline(one.reason)}."
            for one in report.dropped
        )


def _brief(one: ReportedFinding) -> str:
    what = f"{inline(one.issue.replace('_', ' '))}, {inline(one.place.where)}"
    return f"{what}: {quoted(one.quote, 200)} {inline(one.problem)}"


def _listed(entries: Iterable[str]) -> Iterator[str]:
    """A line for each entry, or that there is none."""
    lines = [f"- {entry}" for entry in entries]
    yield from lines or ["None."]


# --- the appendix ------------------------------------------------------------------------------


def _appendix(appendix: Appendix) -> Iterator[str]:
    yield from ("", "## External Verification Appendix", "")
    yield f"> **Reading order.** {inline(appendix.reading_order)}"
    yield from ("", "### Summary", "")
    yield from (f"- {line}" for line in summary(appendix))
    yield from ("", "### Verification Results", "")
    if not appendix.checked:
        yield "No claim was looked up."
    evidenced = [one for one in appendix.checked if one.result.sources]
    for one in evidenced:
        yield from _checked(one)
        yield ""
    if silent := [one for one in appendix.checked if not one.result.sources]:
        yield f"#### No source speaks to them ({len(silent)})"
        yield ""
        for one in silent:
            result = one.result
            yield f"- Claim {one.number}: {_claim(one.claim)} **{result.verdict}**; " + inline(
                result.reason
            )
    yield from ("", "### Pipeline Calibration", "")
    if appendix.cross_reference is not None:
        yield from _calibration(appendix, appendix.cross_reference)
    background = f"### Claims Not Verified (BACKGROUND, {len(appendix.not_verified)})"
    yield from ("", background, "")
    yield from _listed(_claim(one) for one in appendix.not_verified)
    yield from ("", f"### Claims That Failed Their Smoke Test ({len(appendix.failed)})", "")
    yield from _listed(f"{_claim(one)} Failed: {inline(one.reason)}." for one in appendix.failed)
    if appendix.unread:
        yield from ("", f"### Sources That Could Not Be Read ({len(appendix.unread)})", "")
        for one in appendix.unread:
            yield f"- {address(one.url)}: {inline(f'{one.state}, {one.reason}')}"
    yield from _excluded(appendix.excluded)


def _excluded(statements: Sequence[ExcludedClaim]) -> Iterator[str]:
    """Yield the statements that are no claims of fact, each with the rule that excludes it."""
    if not statements:
        return
    one, many = "statement is no claim of fact", "statements are no claims of fact"
    yield from ("", f"{counting.counted(len(statements), one, many)}:", "")
    for each in statements[:SHOWN_EXCLUDED]:
        yield f"- line {each.line}, {inline(each.rule.replace('_', ' '))}: {inline(each.quote)}"
    if (more := len(statements) - SHOWN_EXCLUDED) > 0:
        yield f"- and {more} more, see `claims.json`"


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


def _checked(one: CheckedClaim) -> Iterator[str]:
    claim, result = one.claim, one.result
    yield f"#### Claim {one.number}: {inline(_shortened(claim.statement))}"
    yield ""
    yield f"- Document says: {quoted(claim.quote)} ({inline(claim.place.where)})"
    yield f"- Kind: {claim.topic}, {claim.temporality}, {claim.polarity}"
    yield f"- Web result: **{result.verdict}**; {inline(result.reason)}"
    for source in result.sources:
        tier = f" ({inline(source.tier)})" if source.tier else ""
        dated = f", {source.dated.isoformat()}" if source.dated else ""
        yield f"- Source: {address(source.evidence.url)}{tier}{dated}"
        yield f"  - Evidence: {quoted(source.evidence.quote)}, {source.evidence.stance}"
        yield f"  - Circular check: {_circular(source.circular, source.citation)}"
    if note := _temporal(result):
        yield f"- Temporal note: {inline(note)}"
    if result.circular:
        yield "- This confirms the document's source, not the underlying fact."


def _circular(circular: bool, citation: str) -> str:
    if not circular:
        return "NO, an independent source"
    what = f"the document's citation {inline(citation)}" if citation else "what the document cites"
    return f"YES, it is {what}, or taken from it"


def _temporal(result: WebResult) -> str:
    return result.temporal_note or DRIFTS.get(result.drift, "")


def _claim(one: ReportedClaim) -> str:
    return f"{inline(one.statement)} ({inline(one.place.where)}; {one.topic}, {one.temporality})"


def _calibration(appendix: Appendix, cross: CrossReference) -> Iterator[str]:
    rows = list(beside_rows(appendix, cross))
    yield from table(BESIDE_COLUMNS, rows)
    yield ""
    if more := len(cross.rows) - len(rows):
        line = counting.counted(
            more, "unverifiable claim has no row", "unverifiable claims have no row"
        )
        yield f"{line}; see `cross_reference.json`."
        yield ""
    yield from (f"- {line}" for line in calibration(cross.metrics))
    yield ""
    yield "These are observations about this review; no threshold goes with them."


BESIDE_COLUMNS = ("claim", "document says", "source says", "verdict", "flagged", "findings")


def beside_rows(appendix: Appendix, cross: CrossReference) -> Iterator[tuple[str, ...]]:
    """The claims that a source supports or contradicts, with the findings about them."""
    numbers = {one.claim.id: one.number for one in appendix.checked}
    for row in cross.rows:
        if row.verdict is not WebVerdict.UNVERIFIABLE:
            yield (
                f"{numbers.get(row.claim_id, '')}: {_shortened(row.claim)}",
                _shortened(row.document_says),
                _shortened(row.web_says),
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


def _shortened(text: str, longest: int = 120) -> str:
    words = " ".join(text.split())
    return words if len(words) <= longest else f"{words[:longest].rsplit(' ', 1)[0]} […]"
