"""A run as a report shows it, made from its directory alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from markupsafe import Markup

from ...base.finding import Finding
from ...base.vocabulary import ClaimKind, Severity, SupportTier
from ...core.approval import ApprovalBasis, RunStatus
from ...core.run_store import Manifest
from ...verification.model import LedgerEntry
from ..gaps import SHOWN_GAPS, evidence_gap_line
from ..sources import gap_line
from ..summary import (
    NO_DRAFT,
    Unchecked,
    headline,
    settlement_line,
    unchecked,
)
from .charts import cost_chart, cost_table, moment, spent, tier_chart, verdict_chart
from .decision import GateView, Scores, critique_scores, gate_view, judge_scores
from .details import ClaimDetails, Details, EvidenceViews
from .iterations import IterationView, iteration_table, iteration_views
from .lazy_records import MAX_KEPT, LazyRecords
from .marking import MarkPlaces, marked_html
from .model import (
    NOTHING,
    SEVERITIES,
    UNANSWERED,
    VERDICTS,
    Chart,
    Facet,
    FacetCounts,
    FacetKind,
    Fact,
    FindingGroup,
    FindingView,
    Label,
    Mark,
    Name,
    Row,
    Table,
    Tone,
    severity_groups,
    spaced,
)
from .run_files import CheckedClaim, RunFiles
from .source_cards import BEST_TIERS, QuotedSources, best_tier, source_cards

SHOWN_FINDINGS = 1_000
NOT_ENDED = Label("under way, or stopped before its end; not approved", "…", Tone.OPEN)
_ENDS: Mapping[RunStatus, tuple[str, Tone]] = {
    RunStatus.APPROVED: ("✓", Tone.GOOD),
    RunStatus.REVIEWED: ("◐", Tone.MIXED),
    RunStatus.NOT_REVIEWED: ("○", Tone.OPEN),
    RunStatus.MAX_ITERATIONS: ("✗", Tone.BAD),
    RunStatus.STALLED: ("✗", Tone.BAD),
    RunStatus.BUDGET_EXCEEDED: ("✗", Tone.BAD),
    RunStatus.INCONCLUSIVE: ("?", Tone.OPEN),
    RunStatus.CANCELLED: ("⊘", Tone.OPEN),
    RunStatus.FAILED: ("✗", Tone.BAD),
}
_SUPPORT = tuple(Label(tier.lower(), "", Tone.MUTED) for tier in SupportTier)
_LABELS = (UNANSWERED, *VERDICTS.values())


class RunReport:
    """Content of the page of a run. Claims are read while the page is written.

    Args:
        run_dir: The run; nothing else is read, and nothing is written.
        most_kept: Claims up to which they are kept in memory; longer lists are read again.

    Raises:
        RunDirectoryError: It is no run directory, or damaged.
    """

    template = "run.html"

    def __init__(self, run_dir: Path, *, most_kept: int = MAX_KEPT) -> None:
        self._files = files = RunFiles(run_dir)
        self.manifest: Manifest = files.manifest
        drafts = files.drafts
        best = files.manifest.best_iteration or (drafts[-1] if drafts else None)
        self.delivered = best if best in drafts else None
        self.end = end_label(files.manifest.status, files.manifest.approval_basis)
        self.by_rules = files.manifest.approval_basis is ApprovalBasis.DETERMINISTIC_CHECKS
        self._analytics = files.analytics()
        self._outcomes = {n: one for n in drafts if (one := files.outcome(n)) is not None}
        self._claims = LazyRecords(lambda: files.claims(self.delivered or 0), most_kept)
        self._read_scores()
        self._read_claims()
        self._read_findings()
        self.sources = tuple(
            source_cards(
                files.cited(self.delivered or 0), self._ratings, self._quoted, files.quotes
            )
        )
        views = EvidenceViews(files.quotes, self.sources)
        self._details = ClaimDetails(views, self._numbers, self._findings_by_claim)

    # --- the run ----------------------------------------------------------------------------

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Facts about the run."""
        manifest = self.manifest
        facts = [
            Fact("run", manifest.id),
            Fact("mode", spaced(manifest.mode)),
            Fact("as of", manifest.as_of.isoformat()),
            Fact("started", moment(manifest.started)),
            Fact("ended", moment(manifest.ended) if manifest.ended else "not yet"),
            Fact("iterations", str(len(manifest.iterations))),
        ]
        if self.delivered is not None:
            facts.insert(1, Fact("delivered", f"iteration {self.delivered}"))
        return (*facts, *spent(self._analytics))

    @property
    def remarks(self) -> tuple[str, ...]:
        """Other causes of the end."""
        remarks: list[str] = []
        settlement = self._files.settlement()
        if settlement is not None:
            remarks.append(settlement_line(settlement))
        if self.manifest.judge_failed:
            remarks.append("the judge gave no answer")
        remarks += (
            f"iteration {number}: what its fact check found is gone from verify/iteration_{number}"
            for number in self._outcomes
            if number != self.delivered and self._files.lacks_proof(number)
        )
        return tuple(remarks)

    @property
    def gate(self) -> GateView | None:
        """The gate's answer to the delivered draft."""
        gate = self._files.gate(self.delivered) if self.delivered else None
        return gate_view(gate) if gate else None

    @property
    def scores(self) -> Iterator[Scores]:
        """Scores of the whole text, by code and by the judge."""
        critique = self._files.critique(self.delivered) if self.delivered else None
        if critique is not None:
            yield critique_scores(critique)
        judgement = self._files.judgement()
        if judgement is not None:
            yield judge_scores(judgement)

    # --- the claims -------------------------------------------------------------------------

    def _read_claims(self) -> None:
        """Go through the claims once: places, counts, and what was not checked."""
        self._numbers: dict[str, int] = {}
        self._quoted = QuotedSources()
        self._places = MarkPlaces()
        self._facet_counts = FacetCounts(_FACETS)
        counted = self._counted()
        self.unchecked = self._unchecked(counted)
        # A run without a fact check has no claims to tell of, but may have a list of them.
        for _ in counted:
            pass

    def _unchecked(self, entries: Iterable[LedgerEntry]) -> tuple[Unchecked, ...]:
        if self.delivered is None:
            return (NO_DRAFT,)
        outcome = self._outcomes.get(self.delivered)
        if outcome is None:
            return (Unchecked("the whole document", "the examination was broken off"),)
        return unchecked(outcome, entries)

    def _counted(self) -> Iterator[LedgerEntry]:
        for number, checked in enumerate(self._claims, start=1):
            entry = checked.entry
            self._numbers[entry.claim_id] = number
            self._quoted.add(entry.evidence)
            codes = self._facet_codes(checked)
            self._places.add(entry.location.start, entry.location.end, codes[0])
            self._facet_counts.add(codes)
            yield entry

    @property
    def claim_count(self) -> int:
        """Number of claims."""
        return len(self._numbers)

    def text(self) -> Iterator[Markup]:
        """The delivered draft with its claims highlighted, piece by piece."""
        if self.delivered is None:
            return iter(())
        marks = (
            Mark(n, start, end, _name(n), _LABELS[i])
            for start, end, n, i in self._places.in_order()
        )
        numbers = {card.url: card.number for card in self.sources}
        return marked_html(self._files.draft(self.delivered), marks, numbers)

    def rows(self) -> Iterator[tuple[Row, Details]]:
        """Yield each claim's row with its details."""
        for number, checked in enumerate(self._claims, start=1):
            entry = checked.entry
            findings = self._findings_by_claim.get(entry.claim_id)
            name, label = _name(number), _label(entry)
            row = Row(
                number,
                entry.claim_id,
                name,
                (label, findings[0].severity) if findings else (label,),
                entry.text,
                f"line {entry.location.line}",
                self._facet_codes(checked),
            )
            yield row, self._details.of(checked, name, label)

    # --- filters ----------------------------------------------------------------------------

    @property
    def facets(self) -> tuple[Facet, ...]:
        """The filters, with how many claims each choice has."""
        return self._facet_counts.facets

    def _facet_codes(self, checked: CheckedClaim) -> tuple[int, ...]:
        """The claim's choice of each of `_FACETS`, by index."""
        entry = checked.entry
        worst = self._worst.get(entry.claim_id)
        return (
            _LABELS.index(_label(entry)),
            worst.rank if worst else len(SEVERITIES),
            _SUPPORT_TIERS.index(entry.tier) if entry.tier else len(_SUPPORT_TIERS),
            best_tier(entry.evidence, self._ratings),
            _KINDS.index(checked.claim.kind),
        )

    # --- findings, sources, iterations ------------------------------------------------------

    def _read_scores(self) -> None:
        """Read the findings and source scores that claims are filtered by."""
        outcome = self._outcomes.get(self.delivered or 0)
        self._worst: dict[str, Severity] = {}
        for finding in outcome.findings if outcome else ():
            self._worst.setdefault(finding.claim_id or "", finding.severity)
        reliability = self._files.reliability(self.delivered) if self.delivered else None
        self._ratings = {one.url: one for one in reliability.sources} if reliability else {}
        self._source_gaps = reliability.gaps if reliability else ()

    def _read_findings(self) -> None:
        outcome = self._outcomes.get(self.delivered or 0)
        found = outcome.findings if outcome else ()
        self._findings = [self._view(one) for one in found]
        self._findings_by_claim: dict[str, list[FindingView]] = {}
        for finding, view in zip(found, self._findings, strict=True):
            if finding.claim_id:
                self._findings_by_claim.setdefault(finding.claim_id, []).append(view)

    def _view(self, finding: Finding) -> FindingView:
        return FindingView(
            finding.id,
            SEVERITIES[finding.severity],
            spaced(finding.type),
            str(finding.location) if finding.location else "whole document",
            finding.claim,
            finding.problem,
            finding.evidence,
            finding.recommendation,
            spaced(finding.origin),
            self._numbers.get(finding.claim_id or ""),
        )

    @property
    def findings(self) -> tuple[FindingGroup, ...]:
        """Findings on the delivered draft, worst first."""
        return severity_groups(self._findings, SHOWN_FINDINGS)

    @property
    def gaps(self) -> tuple[str, ...]:
        """Gaps in the sources and in the evidence."""
        report = self._files.gaps(self.delivered) if self.delivered else None
        found = [gap_line(gap) for gap in self._source_gaps]
        return (
            (*found, *map(evidence_gap_line, report.gaps[:SHOWN_GAPS])) if report else tuple(found)
        )

    @property
    def iterations(self) -> tuple[IterationView, ...]:
        """The iterations, each with what changed since the one before."""
        outcomes = list(self._outcomes.values())
        return iteration_views(outcomes, self._files.draft, self._view)

    @property
    def comparison(self) -> Table | None:
        """The iterations side by side in figures."""
        return iteration_table(self.manifest, self._analytics)

    @property
    def charts(self) -> tuple[Chart, ...]:
        """The figures as bars."""
        analytics = self._analytics
        charts = (
            verdict_chart(analytics.iterations if analytics else ()),
            tier_chart(self.sources),
            cost_chart(analytics.agents if analytics else ()),
        )
        return tuple(chart for chart in charts if chart is not None)

    @property
    def costs(self) -> Table | None:
        """Table of each agent's work, cost and time."""
        return cost_table(self._analytics) if self._analytics else None


_SUPPORT_TIERS = tuple(SupportTier)
_KINDS = tuple(ClaimKind)
_FACETS = (
    FacetKind("verdict", "Verdict", _LABELS),
    FacetKind("severity", "Worst finding", (*SEVERITIES.values(), NOTHING)),
    FacetKind("support", "Support tier", (*_SUPPORT, NOTHING)),
    FacetKind("source", "Best source tier", BEST_TIERS),
    FacetKind("kind", "Kind", tuple(Label(spaced(kind), "", Tone.MUTED) for kind in ClaimKind)),
)


def _name(number: int) -> Name:
    return Name("Claim", str(number))


def _label(entry: LedgerEntry) -> Label:
    return UNANSWERED if entry.open_slot else VERDICTS[entry.verdict]


def end_label(status: RunStatus | None, basis: ApprovalBasis | None) -> Label:
    """Return the label of a run's end; an approval by rules alone has another tone."""
    if status is None:
        return NOT_ENDED
    sign, tone = _ENDS[status]
    if status is RunStatus.APPROVED and basis is not ApprovalBasis.INDEPENDENT_REVIEW:
        tone = Tone.MIXED
    return Label(headline(status, basis), sign, tone)
