"""A document review as a page shows it, made from its directory alone.

The findings come first. The external verification follows under the reading order: it is shown
beside no finding, and in the text only on request (review spec, safety constraints 2 and 8).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from markupsafe import Markup

from ...base.records import from_json
from ...core.record_folder import damaged
from ...core.run_analytics import AnalyticsFile
from ...review.contents import read_contents
from ...review.store import ReviewStatus, ReviewStore
from ...review.types import GateChoice
from ...sources.snapshot_store import SnapshotStore
from ..review_markdown import (
    BESIDE_COLUMNS,
    NO_MODEL,
    STATUSES,
    beside_rows,
    calibration,
    findings_line,
    summary,
)
from ..review_report import Appendix, ReportedClaim, ReviewReport, review_report
from ..summary import Unchecked
from ..wording import spaced
from .details import Json, Quotes, source_cards
from .figures import cost_table, moment, spent
from .marking import marked_html
from .model import Fact, Label, Row, Table, Tone, in_text_order
from .review_lists import ReviewClaims, ReviewFindings

SHOWN_ROWS = 1_000
_ENDS: Mapping[ReviewStatus | None, tuple[str, Tone]] = {
    None: ("…", Tone.OPEN),
    ReviewStatus.COMPLETED: ("✓", Tone.GOOD),
    ReviewStatus.AWAITING_DECISION: ("…", Tone.MIXED),
    ReviewStatus.STOPPED: ("■", Tone.MUTED),
    ReviewStatus.INCONCLUSIVE: ("?", Tone.OPEN),
    ReviewStatus.BUDGET_EXCEEDED: ("✗", Tone.BAD),
    ReviewStatus.CANCELLED: ("⊘", Tone.OPEN),
    ReviewStatus.FAILED: ("✗", Tone.BAD),
}


class ReviewPage:
    """Content of the page of the review in `review_dir`; nothing else is read, nothing is written.

    Raises:
        RunDirectoryError: It is no review directory, is damaged, or a finding was changed after
            the findings were sealed.
    """

    template = "review.html"

    def __init__(self, review_dir: Path) -> None:
        store = ReviewStore.open(review_dir)
        contents = read_contents(store)
        self.manifest = store.manifest
        self._text = contents.original.text
        self._snapshots = SnapshotStore(store.sources)
        self.report = report = review_report(contents)
        self._analytics = _analytics(review_dir)
        self.appendix: Appendix | None = report.appendix
        self.unchecked: tuple[Unchecked, ...] = tuple(review_unchecked(report))
        self.end = review_label(store.manifest.status, independent=store.manifest.independent)
        self.by_rules = not store.manifest.independent
        self.findings_line = findings_line(report)
        self.summary = tuple(summary(report.appendix)) if report.appendix else ()
        self.costs = cost_table(self._analytics)
        self.findings = ReviewFindings(report)
        known = {one.url: one for one in (contents.web.sources if contents.web else ())}
        ratings = {one.url: one for one in (contents.web.ratings if contents.web else ())}
        results = contents.web.results if contents.web else ()
        quoted = ([one.evidence for one in result.sources] for result in results)
        self.sources = tuple(source_cards(known, ratings, quoted, self._snapshots))
        after = len(self.findings.rows)
        self.claims = ReviewClaims(report.appendix, after, ratings) if report.appendix else None

    # --- how it stands ----------------------------------------------------------------------

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Facts about the review."""
        manifest = self.manifest
        return (
            Fact("review", manifest.id),
            Fact("document", f"{manifest.original.name} ({manifest.original.kind})"),
            Fact("as of", manifest.as_of.isoformat()),
            Fact("backend", manifest.backend),
            Fact("started", moment(manifest.started)),
            Fact("ended", moment(manifest.ended) if manifest.ended else "not yet"),
            *spent(self._analytics),
        )

    @property
    def decision(self) -> str:
        """Decision at the gate."""
        made = self.report.decision
        if made is not None:
            word = "let the review go on" if made.choice is GateChoice.GO_ON else "stopped it"
            return f"{made.by} {word}, {moment(made.at)}"
        if self.report.compiled:
            return "nobody has decided yet whether the review goes on"
        return "the review has not come to it"

    # --- the document and its findings ------------------------------------------------------

    def text(self) -> Iterator[Markup]:
        """The reading copy with findings and claims highlighted, piece by piece."""
        marks = self.findings.marks + (self.claims.marks if self.claims else [])
        numbers = {card.url: card.number for card in self.sources}
        return marked_html(self._text, in_text_order(marks), numbers)

    def finding_rows(self) -> Iterator[tuple[Row, Json]]:
        """Rows of the findings with their details."""
        return self.findings.detailed(self._about())

    def _about(self) -> Mapping[str, tuple[int, ...]]:
        """The numbers of the claims that are about the same as a finding, by the finding's."""
        cross = self.appendix.cross_reference if self.appendix else None
        found: dict[str, tuple[int, ...]] = {}
        if cross is None or self.claims is None:
            return found
        for row in cross.rows:
            number = len(self.findings.rows) + self.claims.numbers[row.claim_id]
            for finding in row.findings:
                found[finding] = (*found.get(finding, ()), number)
        return found

    # --- what was found outside -------------------------------------------------------------

    def claim_rows(self) -> Iterator[tuple[Row, Json]]:
        """Rows of the claims with their details."""
        if self.claims is None:
            return iter(())
        quotes = Quotes(self._snapshots, self.sources)
        return self.claims.detailed(self.findings.numbers, quotes)

    @property
    def calibration(self) -> tuple[str, ...]:
        """Metrics of the cross-reference."""
        cross = self.appendix.cross_reference if self.appendix else None
        if cross is None:
            return ()
        return tuple(calibration(cross.metrics))

    @property
    def beside(self) -> Table | None:
        """Claims that a source supports or contradicts, with the findings about them."""
        cross = self.appendix.cross_reference if self.appendix else None
        if self.appendix is None or cross is None:
            return None
        rows = tuple(beside_rows(self.appendix, cross))
        if not rows:
            return None
        caption = f"Claims beside the findings about them ({len(rows)} of {len(cross.rows)}"
        more = len(rows) - SHOWN_ROWS
        caption += f"; {more} more are in cross_reference.json)" if more > 0 else ")"
        texts = frozenset(range(len(BESIDE_COLUMNS)))
        return Table(BESIDE_COLUMNS, rows[:SHOWN_ROWS], caption=caption, texts=texts)


def review_label(status: ReviewStatus | None, *, independent: bool) -> Label:
    """Return the label of a review's status; reviews by rules alone have another tone."""
    sign, tone = _ENDS[status]
    if independent:
        return Label(STATUSES[status], sign, tone)
    tone = Tone.MIXED if tone is Tone.GOOD else tone
    return Label(f"{STATUSES[status]}; {NO_MODEL}", sign, tone)


def _analytics(review_dir: Path) -> AnalyticsFile | None:
    """Return each agent's figures, if the review has ended once."""
    path = review_dir / "analytics.json"
    if not path.exists():
        return None
    with damaged(path, "review"):
        return from_json(AnalyticsFile, path.read_bytes())


NO_MODEL_READ = Unchecked("reasoning and what no rule knows", "no language model took part")


def review_unchecked(report: ReviewReport) -> Iterator[Unchecked]:
    """Yield what the findings and verdicts of `report` do not cover."""
    if not report.independent:
        yield NO_MODEL_READ
    for part in report.not_done:
        yield Unchecked(f"{spaced(part.phase)}, {part.part}", part.reason)
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
        unread = tuple(f"{one.url}: {spaced(one.state)}" for one in appendix.unread)
        yield Unchecked("sources that could not be read", "see their cards", unread)


def _where(claims: Iterable[ReportedClaim]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.place.where for one in claims))
