"""What a review did not look at, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...review.store import ReviewStatus
from ..review_report import Appendix, ReportedClaim, ReviewReport
from ..summary import Unchecked

NO_MODEL_READ = Unchecked("reasoning and what no rule knows", "no language model took part")


def review_unchecked(report: ReviewReport) -> Iterator[Unchecked]:
    """What no finding and no verdict of `report` speaks for."""
    if not report.independent:
        yield NO_MODEL_READ
    for part in report.not_done:
        yield Unchecked(f"{part.phase.replace('_', ' ')}, {part.part}", part.reason)
    if not report.compiled:
        yield Unchecked("the findings", "the red review and its defence have not ended")
        return
    if bare := [one.number for one in report.findings if one.defence is None]:
        yield Unchecked("the other side of findings", "nobody defended them", tuple(bare))
    if not report.smoke_tested:
        stopped = report.status is ReviewStatus.STOPPED
        why = "the review was stopped at the gate" if stopped else "the review has not gone on"
        yield Unchecked("the quotations of the findings", why)
    if not report.web:
        yield Unchecked("whether the claims are true", "no claim was looked up (--no-web)")
    elif report.appendix is None:
        why = "the review has not come to the web verification"
        yield Unchecked("whether the claims are true", why)
    else:
        yield from _outside(report.appendix)


def _outside(appendix: Appendix) -> Iterator[Unchecked]:
    if appendix.not_verified:
        why = "the document does not rest on them (--verify-background looks them up)"
        yield Unchecked("background claims", why, _where(appendix.not_verified))
    if appendix.failed:
        why = "what was extracted is not what the document says"
        yield Unchecked("claims that failed their smoke test", why, _where(appendix.failed))
    if appendix.excluded:
        lines = (f"line {one.line}" for one in appendix.excluded)
        why = "they are no claims of fact, by rule"
        yield Unchecked("other statements", why, tuple(dict.fromkeys(lines)))
    if not appendix.searches:
        why = "nobody was asked for any (see --search)"
        yield Unchecked("sources other than those cited and given", why)
    if appendix.unread:
        unread = tuple(f"{one.url}: {one.state.replace('_', ' ')}" for one in appendix.unread)
        yield Unchecked("sources that could not be read", "see their cards", unread)


def _where(claims: Iterable[ReportedClaim]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.place.where for one in claims))
