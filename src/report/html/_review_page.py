"""A document review as a page shows it, made from its directory alone.

The findings come first. The external verification follows under the reading order: it is shown
beside no finding, and in the text only on request (review spec, safety constraints 2 and 8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from markupsafe import Markup

from ...core.record_folder import read_record
from ...core.run_analytics import AnalyticsFile
from ...redteam.model import Lens
from ...review.store import REVIEW_FOLDER, ReviewStatus, ReviewStore, read_contents
from ...review.types import DefenceOutcome
from ...sources.scoring.appraisal import SourceRating
from ...sources.snapshot_store import SnapshotStore
from ..review_report import (
    NO_MODEL,
    Appendix,
    CheckedClaim,
    ReportedClaim,
    ReportedFinding,
    ReviewReport,
    review_report,
)
from ..wording import Label, Tone, labels, shortened, spaced
from ._marking import marked_html
from .model import (
    BEST_TIERS,
    Facet,
    ListedRecord,
    Listing,
    Quotes,
    Row,
    best_tier,
    in_text_order,
    moment,
    plain_label,
    source_cards,
)

SHOWN_KINDS = 20
"""Kinds of flaws with a choice of their own; a model names as many as it likes."""
_REJECTED = ("refuted", "dropped")
_DEFENDED: Mapping[DefenceOutcome, str] = {
    DefenceOutcome.SURVIVED: "upheld",
    DefenceOutcome.WEAKENED: "weakened",
    DefenceOutcome.KILLED: "refuted",
}
_LENSES = {lens: plain_label(lens) for lens in Lens}
_OTHER_KIND = plain_label("others")
_BY = (plain_label("rules"), plain_label("the reviewer"))


def list_findings(report: ReviewReport) -> Listing:
    """The findings of `report`: first the standing ones, then the rejected ones."""
    stated = [(one, one.number, _state(one)) for one in report.findings]
    stated += [(one, one.number, "dropped") for one in report.dropped]
    # What was refuted got no number in the review.
    stated += [(one, f"K-{n}", "refuted") for n, one in enumerate(report.killed, start=1)]
    common = Counter(one.issue for one, _, _ in stated).most_common(SHOWN_KINDS)
    kinds = {name: plain_label(name) for name, _ in common}
    severities, states = labels("severities"), labels("finding_states")
    facets = (
        Facet("Severity", tuple(severities.values())),
        Facet("Lens", tuple(_LENSES.values())),
        Facet("Kind of flaw", (*kinds.values(), _OTHER_KIND)),
        Facet("State", tuple(states.values())),
        Facet("Found by", _BY),
    )
    rows: list[Row] = []
    for number, (one, mark, state) in enumerate(stated, start=1):
        severity = severities[one.severity]
        kind = kinds.get(one.issue, _OTHER_KIND)
        row = Row(
            number=number,
            id=mark,
            noun="Finding",
            mark=mark,
            labels=(severity,) if state == "upheld" else (severity, states[state]),
            text=f"{spaced(one.issue)}: {one.problem} “{shortened(one.quote)}”",
            place=one.place.where,
            choices=(severity, _LENSES[one.lens], kind, states[state], _BY[not one.by_rules]),
            label=states[state] if state in _REJECTED else severity,
            start=one.place.start or 0,
            end=one.place.end or 0,
            record=one,
        )
        rows.append(row)
    return Listing("Finding", facets, rows)


def _state(one: ReportedFinding) -> str:
    """Return the state of a finding that was neither refuted nor dropped."""
    if one.doubt:
        return "doubted"
    if one.defence is None:
        return "undefended"
    return _DEFENDED[one.defence.outcome]


CAUGHT: Mapping[bool | None, Label] = {
    True: plain_label("yes"),
    False: plain_label("no"),
    None: plain_label("nothing to flag"),
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
        self.report = report = review_report(contents)
        self.analytics = read_record(AnalyticsFile, review_dir / "analytics.json", "review")
        self.appendix: Appendix | None = report.appendix
        self.cross = report.appendix.cross_reference if report.appendix else None
        self.end = review_label(store.manifest.status, independent=store.manifest.independent)
        self.findings = list_findings(report)
        self.beside = {row.claim_id: row for row in (self.cross.rows if self.cross else ())}
        web = contents.web
        ratings = {one.url: one for one in (web.ratings if web else ())}
        quoted = ([one.evidence for one in r.sources] for r in (web.results if web else ()))
        known, snapshots = {s.url: s for s in (web.sources if web else ())}, store.sources
        kept = SnapshotStore(snapshots)
        self.sources = tuple(source_cards(known, ratings, quoted, kept))
        self.quotes = Quotes(kept, self.sources)
        self.claims: Listing | None = None
        if report.appendix is not None:
            self.claims = self._list_claims(report.appendix, ratings)
        rows = (*self.findings.rows, *(self.claims.rows if self.claims else ()))
        self.numbers: Mapping[str, int] = {row.id: row.number for row in rows}
        self.about: dict[str, list[str]] = {}
        for row in self.beside.values():
            for finding in row.findings:
                self.about.setdefault(finding, []).append(row.claim_id)

    def _list_claims(self, appendix: Appendix, ratings: Mapping[str, SourceRating]) -> Listing:
        """The claims of an appendix: looked up, background, failed."""
        verdicts = labels("web_verdicts")
        facets = (
            Facet("Verdict", tuple(verdicts.values())),
            Facet("Flagged by the review", tuple(CAUGHT.values())),
            Facet("Best source tier", BEST_TIERS),
        )
        listed: list[tuple[ReportedClaim, Label, CheckedClaim | None]] = [
            *((one.claim, verdicts[one.result.verdict], one) for one in appendix.checked),
            *((one, verdicts["background"], None) for one in appendix.not_verified),
            *((one, verdicts["failed"], None) for one in appendix.failed),
        ]
        rows: list[Row] = []
        for number, (claim, label, checked) in enumerate(listed, start=1):
            beside_it = self.beside.get(claim.id)
            tier = None
            if checked is not None:
                tier = best_tier([one.evidence for one in checked.result.sources], ratings)
            row = Row(
                number=len(self.findings.rows) + number,
                id=claim.id,
                noun="Claim",
                mark=str(number),
                labels=(label,),
                text=claim.statement,
                place=claim.place.where,
                choices=(label, CAUGHT[beside_it.red_caught] if beside_it else None, tier),
                label=label,
                start=claim.place.start or 0,
                end=claim.place.end or 0,
                outside=True,
                record=(claim, checked),
            )
            rows.append(row)
        return Listing("Claim", facets, rows)

    def text(self) -> Iterator[Markup]:
        """The reading copy with findings and claims highlighted, piece by piece."""
        rows = (*self.findings.rows, *(self.claims.rows if self.claims else ()))
        return marked_html(self._text, in_text_order(rows), self.quotes.numbers)


def listed_review(directory: Path) -> ListedRecord:
    """How a review is listed.

    Raises:
        RunDirectoryError: Its manifest is damaged.
    """
    manifest = REVIEW_FOLDER.read_manifest(directory)
    end = review_label(manifest.status, independent=manifest.independent)
    return ListedRecord(manifest.title, "review", end, moment(manifest.started))


def review_label(status: ReviewStatus | None, *, independent: bool) -> Label:
    """Return the label of a review's status; reviews by rules alone have another tone."""
    end = labels("review_ends")[status or "under_way"]
    if independent:
        return end
    tone = Tone.MIXED if end.tone is Tone.GOOD else end.tone
    return Label(f"{end.text}; {NO_MODEL}", end.sign, tone)
