"""A document review as a page shows it, made from its directory alone.

The findings come first. The external verification follows under the reading order: it is shown
beside no finding, and in the text only on request (review spec, safety constraints 2 and 8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from markupsafe import Markup

from ...base.vocabulary import Drift
from ...core.record_folder import read_record
from ...core.run_analytics import AnalyticsFile
from ...redteam.model import Lens
from ...review.store import ReviewStatus, ReviewStore, read_contents
from ...review.types import CrossRow, DefenceOutcome, WebResult, WebSource, WebVerdict
from ...sources.scoring.appraisal import SourceRating
from ...sources.snapshot_store import SnapshotStore
from ..review_report import (
    BESIDE_COLUMNS,
    DRIFTS,
    NO_MODEL,
    STATUSES,
    Appendix,
    CheckedClaim,
    ReportedClaim,
    ReportedFinding,
    ReviewReport,
    beside_rows,
    calibration,
    findings_line,
    review_report,
    summary,
)
from ..summary import Unchecked
from ..wording import shortened, spaced
from .details import BEST_TIERS, Json, Quotes, best_tier, cost_table, details_json, source_cards
from .marking import marked_html
from .model import (
    NOT_APPLICABLE,
    SEVERITIES,
    Facet,
    Label,
    Listing,
    Name,
    Row,
    Table,
    Tone,
    in_text_order,
    plain_labels,
)

SHOWN_KINDS = 20
"""Kinds of flaws with a choice of their own; a model names as many as it likes."""
UPHELD = Label("upheld", "●", Tone.BAD)
WEAKENED = Label("weakened by the defence", "◐", Tone.MIXED)
UNDEFENDED = Label("without a defence", "○", Tone.OPEN)
DOUBTED = Label("doubted by a smoke tester", "?", Tone.OPEN)
REFUTED = Label("refuted by the defence", "⊘", Tone.MUTED)
DROPPED = Label("dropped by the smoke test", "⊘", Tone.MUTED)
_STATES = (UPHELD, WEAKENED, UNDEFENDED, DOUBTED, REFUTED, DROPPED)
_REJECTED = (REFUTED, DROPPED)
_DEFENDED: Mapping[DefenceOutcome, Label] = {
    DefenceOutcome.SURVIVED: UPHELD,
    DefenceOutcome.WEAKENED: WEAKENED,
    DefenceOutcome.KILLED: REFUTED,
}
_SEVERITIES, _LENSES = tuple(SEVERITIES), tuple(Lens)


class ReviewFindings(Listing):
    """The findings of `report`, numbered from 1: first the standing ones, then the rejected ones.

    `numbers` are those on the page, by the numbers of the review, of the findings that have one.
    """

    def __init__(self, report: ReviewReport) -> None:
        self._tested = report.smoke_tested
        self._findings = (*report.findings, *report.dropped, *report.killed)
        states = (*map(_state, report.findings), *(DROPPED for _ in report.dropped))
        self._states = (*states, *(REFUTED for _ in report.killed))
        common = Counter(one.issue for one in self._findings).most_common(SHOWN_KINDS)
        self._kinds = [name for name, _ in common]
        super().__init__(
            (
                Facet("Severity", tuple(SEVERITIES.values())),
                Facet("Lens", plain_labels(_LENSES)),
                Facet("Kind of flaw", plain_labels((*self._kinds, "others"))),
                Facet("State", _STATES),
                Facet("Found by", plain_labels(("rules", "the reviewer"))),
            )
        )
        before = len(report.findings) + len(report.dropped)
        for number, (one, state) in enumerate(
            zip(self._findings, self._states, strict=True), start=1
        ):
            # What was refuted got no number in the review.
            mark = f"K-{number - before}" if state is REFUTED and number > before else one.number
            self._list(number, mark, one, state)
        numbered = enumerate(self._findings, start=1)
        self.numbers = {one.number: number for number, one in numbered if one.number}

    def _list(self, number: int, mark: str, one: ReportedFinding, state: Label) -> None:
        severity = SEVERITIES[one.severity]
        kind = self._kinds.index(one.issue) if one.issue in self._kinds else len(self._kinds)
        row = Row(
            number,
            mark,
            Name("Finding", mark),
            (severity,) if state is UPHELD else (severity, state),
            f"{spaced(one.issue)}: {one.problem} “{shortened(one.quote)}”",
            one.place.where,
            (
                _SEVERITIES.index(one.severity),
                _LENSES.index(one.lens),
                kind,
                _STATES.index(state),
                int(not one.by_rules),
            ),
        )
        label = state if state in _REJECTED else severity
        self.add(row, (one.place.start, one.place.end), label)

    def detailed(self, claims: Mapping[str, Sequence[int]]) -> Iterator[tuple[Row, Json]]:
        """Yield each finding's row with its details.

        `claims` are the numbers of those that are about the same, by the number of the finding.
        """
        for row, one in zip(self.rows, self._findings, strict=True):
            about = claims.get(one.number, ())
            yield (
                row,
                details_json(
                    row,
                    one.place.where,
                    spaced(one.issue),
                    text=one.problem,
                    quote=one.quote,
                    facts={
                        "lens": one.lens,
                        "found by": _found_by(one),
                        "found": f"{one.merged + 1} times at this place" if one.merged else "",
                        "sealed as": one.sha256,
                    },
                    notes={"Defence": _defence(one), "Smoke test": [self._smoke(one)]},
                    links={"Looked up outside, to be read after the findings": about},
                ),
            )

    def _smoke(self, one: ReportedFinding) -> str:
        if one.reason:
            return f"dropped: {one.reason}"
        if one.doubt:
            return f"its words stand where it says; a tester doubts it: {one.doubt}"
        if not one.number:
            return "not put to it: the defence had refuted the finding"
        if not self._tested:
            return "not put to it yet"
        return "passed: its words stand in the document where it says"


def _found_by(one: ReportedFinding) -> str:
    return "rules" if one.by_rules else "the reviewer"


def _state(one: ReportedFinding) -> Label:
    """Return the state of a finding that was neither refuted nor dropped."""
    if one.doubt:
        return DOUBTED
    if one.defence is None:
        return UNDEFENDED
    return _DEFENDED[one.defence.outcome]


def _defence(one: ReportedFinding) -> list[str]:
    if one.defence is None:
        return ["none was given"]
    words = [f"the document's words: “{one.defence.quote}”"] if one.defence.quote else []
    return [f"{one.defence.outcome}: {one.defence.argument}", *words]


# --- the claims of the appendix ------------------------------------------------------------------

WEB_VERDICTS: Mapping[WebVerdict, Label] = {
    WebVerdict.CONFIRMED: Label("confirmed", "✓", Tone.GOOD),
    WebVerdict.CONTRADICTED: Label("contradicted", "✗", Tone.BAD),
    WebVerdict.DISPUTED: Label("disputed", "⇄", Tone.MIXED),
    WebVerdict.UNVERIFIABLE: Label("unverifiable", "?", Tone.OPEN),
}
BACKGROUND = Label("background, not looked up", "○", Tone.MUTED)
FAILED = Label("failed its smoke test", "⊘", Tone.MUTED)
CAUGHT: Mapping[bool | None, str] = {True: "yes", False: "no", None: "nothing to flag"}
_VERDICTS = (*WEB_VERDICTS.values(), BACKGROUND, FAILED)
_Listed: TypeAlias = tuple[ReportedClaim, Label, CheckedClaim | None]
_CLAIM_FACETS = (
    Facet("Verdict", _VERDICTS),
    Facet("Flagged by the review", plain_labels(CAUGHT.values())),
    Facet("Best source tier", BEST_TIERS),
)


class ReviewClaims(Listing):
    """The claims of an appendix: looked up, background, failed.

    `numbers` are those of the claims that were looked up, by their ids; they count from 1.

    Args:
        appendix: What was found outside.
        after: How many findings are before the claims on the page.
        ratings: The scores of the sources by address.
    """

    def __init__(self, appendix: Appendix, after: int, ratings: Mapping[str, SourceRating]) -> None:
        cross = appendix.cross_reference
        self._beside = {row.claim_id: row for row in (cross.rows if cross else ())}
        self._ratings = ratings
        self.numbers = {one.claim.id: one.number for one in appendix.checked}
        self._claims: tuple[_Listed, ...] = (
            *((one.claim, WEB_VERDICTS[one.result.verdict], one) for one in appendix.checked),
            *((one, BACKGROUND, None) for one in appendix.not_verified),
            *((one, FAILED, None) for one in appendix.failed),
        )
        super().__init__(_CLAIM_FACETS)
        for at, (claim, label, checked) in enumerate(self._claims, start=1):
            name, place = Name("Claim", str(at)), claim.place
            codes = self._codes(claim, label, checked)
            row = Row(after + at, claim.id, name, (label,), claim.statement, place.where, codes)
            self.add(row, (place.start, place.end), label, outside=True)

    def _codes(
        self, claim: ReportedClaim, label: Label, checked: CheckedClaim | None
    ) -> tuple[int, ...]:
        """Its choice of each of `_CLAIM_FACETS`, by index."""
        row = self._beside.get(claim.id)
        caught = [*CAUGHT].index(row.red_caught) if row else NOT_APPLICABLE
        if checked is None:
            return _VERDICTS.index(label), caught, NOT_APPLICABLE
        evidence = (each.evidence for each in checked.result.sources)
        return _VERDICTS.index(label), caught, best_tier(evidence, self._ratings)

    def detailed(self, findings: Mapping[str, int], quotes: Quotes) -> Iterator[tuple[Row, Json]]:
        """Yield each claim's row with its details.

        Args:
            findings: The numbers of the findings on the page by those of the review.
            quotes: Makes the details of evidence.
        """
        for row, (claim, label, checked) in zip(self.rows, self._claims, strict=True):
            beside = self._beside.get(claim.id)
            about = [findings[each] for each in (beside.findings if beside else ())]
            if checked is not None:
                yield row, _looked_up(row, checked, beside, quotes, about)
            else:
                why = claim.reason if label is FAILED else "the document does not rest on it"
                facts, where = _facts(claim), claim.place.where
                yield row, details_json(row, where, why, quote=claim.quote, facts=facts)


def _looked_up(
    row: Row, one: CheckedClaim, beside: CrossRow | None, quotes: Quotes, about: Sequence[int]
) -> Json:
    """Return the details of a claim that was looked up."""
    result = one.result
    drift = "" if result.drift is Drift.UNKNOWN else result.drift
    return details_json(
        row,
        one.claim.place.where,
        result.reason,
        quote=one.claim.quote,
        facts={
            **_facts(one.claim),
            "the source has": result.found,
            "drift": DRIFTS.get(result.drift, drift),
        },
        evidence=[quotes.json(each.evidence, _source_notes(each)) for each in result.sources],
        notes={
            "In time": [result.temporal_note] if result.temporal_note else [],
            "Beside the review": [*_beside_notes(beside, result)],
        },
        links={"Findings of the review about it": about},
    )


def _source_notes(source: WebSource) -> Iterable[str]:
    if source.tier:
        yield source.tier
    if source.dated:
        yield f"of {source.dated.isoformat()}"
    if source.circular:
        cited = f"the document's citation {source.citation}" if source.citation else "cited"
        yield f"circular: it is {cited}, or taken from what the document cites"
    else:
        yield "independent of the document"


def _facts(claim: ReportedClaim) -> dict[str, str]:
    return {
        "about": claim.topic,
        "weight": claim.materiality.lower(),
        "time": claim.temporality.lower(),
        "voice": claim.polarity.lower(),
        "found by": "rules" if claim.by_rules else "the extractor",
    }


def _beside_notes(row: CrossRow | None, result: WebResult) -> Iterator[str]:
    """Yield notes on the review's findings about the claim, and on circular confirmation."""
    if result.circular:
        yield "this confirms the document's source, not the underlying fact"
    if row is not None and row.red_caught is not None:
        yield f"the review had {'' if row.red_caught else 'not '}flagged it"


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
        self.analytics = read_record(AnalyticsFile, review_dir / "analytics.json", "review")
        self.appendix: Appendix | None = report.appendix
        self.unchecked: tuple[Unchecked, ...] = tuple(review_unchecked(report))
        self.end = review_label(store.manifest.status, independent=store.manifest.independent)
        self.by_rules = not store.manifest.independent
        self.findings_line = findings_line(report)
        self.summary = tuple(summary(report.appendix)) if report.appendix else ()
        self.costs = cost_table(self.analytics)
        self.findings = ReviewFindings(report)
        known = {one.url: one for one in (contents.web.sources if contents.web else ())}
        ratings = {one.url: one for one in (contents.web.ratings if contents.web else ())}
        results = contents.web.results if contents.web else ()
        quoted = ([one.evidence for one in result.sources] for result in results)
        self.sources = tuple(source_cards(known, ratings, quoted, self._snapshots))
        after = len(self.findings.rows)
        self.claims = ReviewClaims(report.appendix, after, ratings) if report.appendix else None

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
