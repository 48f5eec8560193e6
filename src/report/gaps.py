"""The gaps in the evidence of a delivered draft, as a person reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..verification.challenge.gaps import GAPS_FILE, EvidenceGap, GapAnalysis
from ..verification.challenge.policy import GapPriority

SHOWN_GAPS = 10


def gaps_line(analysis: GapAnalysis) -> str:
    """Count the gaps of high and medium priority; "" if none is high."""
    counts = Counter(gap.priority for gap in analysis.report.gaps)
    if not counts[GapPriority.HIGH]:
        return ""
    told = (f"{counts[p]} {p}" for p in (GapPriority.HIGH, GapPriority.MEDIUM) if counts[p])
    return f"gaps in the evidence: {', '.join(told)}, see verify/{GAPS_FILE}"


def gap_lines(analysis: GapAnalysis) -> Iterator[str]:
    """The gaps that matter most, with what could be looked for, and how many more there are."""
    gaps = [gap for gap in analysis.report.gaps if gap.priority is not GapPriority.LOW]
    yield from map(evidence_gap_line, gaps[:SHOWN_GAPS])
    more = len(gaps) + analysis.report.unlisted - SHOWN_GAPS
    if more > 0:
        yield f"and {more} more, see verify/{GAPS_FILE}"


def evidence_gap_line(gap: EvidenceGap) -> str:
    """A gap on one line: how much it matters, where, what is missing, what to look for."""
    place = f"line {gap.line}" if gap.line else "whole document"
    query = f"; look for: {gap.suggested_search}" if gap.suggested_search else ""
    what = gap.description.rstrip(".") if query else gap.description
    return f"{gap.priority} {place}: {what}{query}"
