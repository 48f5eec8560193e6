"""A run as a report shows it, made from its directory alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path

from markupsafe import Markup

from ...base.finding import Finding
from ...base.vocabulary import ClaimKind, GateDecision, Severity, SourceState, SupportTier
from ...core.approval import ApprovalBasis, RunStatus
from ...core.run_analytics import AnalyticsFile, figures_table
from ...core.run_store import Manifest
from ...core.types import Judgement
from ...sources.model import Source
from ...sources.scoring.model import Tier
from ...verification.model import GateResult, LedgerEntry
from ...verification.quality.critique import Critique, critique_line
from ..gaps import SHOWN_GAPS, gap_told
from ..sources import gap_line
from ..summary import (
    NO_DRAFT,
    TABLE_LEGEND,
    Unchecked,
    gate_line,
    gate_rule_line,
    headline,
    settlement_line,
    unchecked,
    used_columns,
)
from .charts import UNSCORED, cost_chart, tier_chart, verdict_chart
from .evidence_json import ClaimDetails, Json
from .iterations import IterationView, iteration_table, iteration_views
from .marking import marked_html
from .model import (
    SEVERITIES,
    UNANSWERED,
    VERDICTS,
    Chart,
    Facet,
    FacetValue,
    Fact,
    FindingGroup,
    FindingView,
    Label,
    Mark,
    Row,
    SourceCard,
    Table,
    Tone,
    spaced,
)
from .run_files import CheckedClaim, RunFiles

MOST_KEPT = 5_000
SHOWN_FINDINGS = 1_000
SHOWN_PLACES = 40
NOT_ENDED = Label("under way, or stopped before its end; not approved", "…", Tone.OPEN)
_NOTHING = Label("none", "", Tone.MUTED)
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
_DECISIONS: Mapping[GateDecision, Label] = {
    GateDecision.PASS: Label("pass", "✓", Tone.GOOD),
    GateDecision.PENDING_REVIEW: Label("pending review", "?", Tone.OPEN),
    GateDecision.FAIL: Label("fail", "✗", Tone.BAD),
}
_SUPPORT = tuple(Label(tier.lower(), "", Tone.MUTED) for tier in SupportTier)
_LABELS: Sequence[Label] = (UNANSWERED, *VERDICTS.values())
_CITED_TIERS = (*(Label(tier.name, "", Tone.MUTED) for tier in Tier), UNSCORED, _NOTHING)


@dataclass(frozen=True, slots=True)
class GateView:
    """The gate's decision, the rule that made it, and the numbers that it saw."""

    label: Label
    told: str
    rule: str
    numbers: Table
    limits: Table | None


@dataclass(frozen=True, slots=True)
class Scores:
    """What judged the text as a whole, in a sentence and by criterion."""

    title: str
    told: str
    table: Table


class RunReport:
    """Everything on the page. Claims are read while it is written.

    Args:
        run_dir: The run; nothing else is read, and nothing is written.
        most_kept: Claims up to which they are held in memory; longer lists are read twice.

    Raises:
        RunDirectoryError: It is no run directory, or damaged.
    """

    def __init__(self, run_dir: Path, *, most_kept: int = MOST_KEPT) -> None:
        self._most_kept = most_kept
        self._files = files = RunFiles(run_dir)
        self.manifest: Manifest = files.manifest
        drafts = files.drafts
        best = files.manifest.best_iteration or (drafts[-1] if drafts else None)
        self.delivered = best if best in drafts else None
        self.end = end_label(files.manifest.status, files.manifest.approval_basis)
        self.by_rules = files.manifest.approval_basis is ApprovalBasis.DETERMINISTIC_CHECKS
        self._analytics = files.analytics()
        self._outcomes = {n: one for n in drafts if (one := files.outcome(n)) is not None}
        self._read_scores()
        self._read_claims()
        self._read_findings()
        self.sources = tuple(self._cards())
        self._details = ClaimDetails(
            files, {card.url: card for card in self.sources}, self._numbers, self._held
        )

    # --- the run ----------------------------------------------------------------------------

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What is known of the run, in a line each."""
        manifest, analytics = self.manifest, self._analytics
        facts = [
            Fact("run", manifest.id),
            Fact("mode", spaced(manifest.mode)),
            Fact("as of", manifest.as_of.isoformat()),
            Fact("started", _moment(manifest.started)),
            Fact("ended", _moment(manifest.ended) if manifest.ended else "not yet"),
            Fact("iterations", str(len(manifest.iterations))),
        ]
        if self.delivered is not None:
            facts.insert(1, Fact("delivered", f"iteration {self.delivered}"))
        if analytics is not None:
            cost = analytics.total.cost_usd
            facts.append(Fact("cost", "unknown" if cost is None else f"${cost:.4f}"))
            facts.append(Fact("time", f"{analytics.active_s:.1f} s"))
        return tuple(facts)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What else decided the end."""
        remarks: list[str] = []
        settlement = self._files.settlement()
        if settlement is not None:
            remarks.append(settlement_line(settlement))
        if self.manifest.judge_failed:
            remarks.append("the judge gave no answer")
        return tuple(remarks)

    @property
    def gate(self) -> GateView | None:
        """The gate's answer to the delivered draft."""
        gate = self._files.gate(self.delivered) if self.delivered else None
        return _gate_view(gate) if gate else None

    @property
    def scores(self) -> Iterator[Scores]:
        """What code and the judge say of the text as a whole."""
        critique = self._files.critique(self.delivered) if self.delivered else None
        if critique is not None:
            yield _critique_scores(critique)
        judgement = self._files.judgement()
        if judgement is not None:
            yield _judge_scores(judgement)

    # --- the claims -------------------------------------------------------------------------

    def _read_claims(self) -> None:
        """Go through the claims once: places, counts, and what was not checked."""
        self._numbers: dict[str, int] = {}
        self._evidence_urls: Counter[str] = Counter()
        self._quoted: dict[str, str] = {}
        self._kept: list[CheckedClaim] | None = []
        self._places: list[tuple[int, int, int]] = []
        self._facet_counts = [Counter[int]() for _ in _FACETS]
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
        for number, checked in enumerate(self._files.claims(self.delivered or 0), start=1):
            entry = checked.entry
            self._numbers[entry.claim_id] = number
            self._evidence_urls.update({item.url for item in entry.evidence})
            self._quoted |= {item.url: item.sha256 for item in entry.evidence}
            codes = self._facet_codes(checked)
            self._places.append((entry.location.start, entry.location.end, codes[0]))
            for counts, code in zip(self._facet_counts, codes, strict=True):
                counts[code] += 1
            if self._kept is not None:
                self._kept.append(checked)
                if number > self._most_kept:
                    self._kept = None
            yield entry

    def _claims(self) -> Iterable[CheckedClaim]:
        return self._kept if self._kept is not None else self._files.claims(self.delivered or 0)

    @property
    def claim_count(self) -> int:
        """How many claims there are."""
        return len(self._numbers)

    def text(self) -> Iterator[Markup]:
        """The delivered draft with its claims highlighted, piece by piece."""
        if self.delivered is None:
            return iter(())
        places = sorted((start, end, n, i) for n, (start, end, i) in enumerate(self._places, 1))
        marks = [Mark(number, start, end, _LABELS[i]) for start, end, number, i in places]
        numbers = {card.url: card.number for card in self.sources}
        return marked_html(self._files.draft(self.delivered), marks, numbers)

    def rows(self) -> Iterator[tuple[Row, Json]]:
        """Each claim for the list, with what is shown when it is asked for."""
        for number, checked in enumerate(self._claims(), start=1):
            entry = checked.entry
            held = self._held.get(entry.claim_id)
            row = Row(
                number,
                entry.claim_id,
                entry.location.line,
                entry.location.section,
                entry.text,
                _label(entry),
                held[0].severity if held else None,
                self._facet_codes(checked),
            )
            yield row, self._details.of(checked, number, row.label)

    # --- filters ----------------------------------------------------------------------------

    @property
    def facets(self) -> tuple[Facet, ...]:
        """The filters, with how many claims each choice has."""
        return tuple(
            Facet(name, title, tuple(FacetValue(one, n[i]) for i, one in enumerate(labels)))
            for (name, title, labels), n in zip(_FACETS, self._facet_counts, strict=True)
        )

    def _facet_codes(self, checked: CheckedClaim) -> tuple[int, ...]:
        """The claim's choice of each of `_FACETS`, by index."""
        entry = checked.entry
        worst = self._worst.get(entry.claim_id)
        tiers = [self._tiers.get(item.url, _UNSCORED) for item in entry.evidence]
        return (
            _LABELS.index(_label(entry)),
            worst.rank if worst else len(SEVERITIES),
            _SUPPORT_TIERS.index(entry.tier) if entry.tier else len(_SUPPORT_TIERS),
            min(tiers, default=_UNSCORED + 1),
            _KINDS.index(checked.claim.kind),
        )

    # --- findings, sources, iterations ------------------------------------------------------

    def _read_scores(self) -> None:
        """What claims are filtered by beside their own verdicts."""
        outcome = self._outcomes.get(self.delivered or 0)
        self._worst: dict[str, Severity] = {}
        for finding in outcome.findings if outcome else ():
            self._worst.setdefault(finding.claim_id or "", finding.severity)
        reliability = self._files.reliability(self.delivered) if self.delivered else None
        self._ratings = {one.url: one for one in reliability.sources} if reliability else {}
        self._source_gaps = reliability.gaps if reliability else ()
        names = [tier.name for tier in Tier]
        self._tiers = {url: names.index(one.tier) for url, one in self._ratings.items()}

    def _read_findings(self) -> None:
        outcome = self._outcomes.get(self.delivered or 0)
        found = outcome.findings if outcome else ()
        self._findings = [self._view(one) for one in found]
        self._held: dict[str, list[FindingView]] = {}
        for finding, view in zip(found, self._findings, strict=True):
            if finding.claim_id:
                self._held.setdefault(finding.claim_id, []).append(view)

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
        """What is held against the delivered draft, worst first."""
        groups: list[FindingGroup] = []
        for severity in Severity:
            label = SEVERITIES[severity]
            found = [one for one in self._findings if one.severity is label]
            if found:
                shown = tuple(found[:SHOWN_FINDINGS])
                groups.append(FindingGroup(label, shown, len(found) - len(shown)))
        return tuple(groups)

    @property
    def gaps(self) -> tuple[str, ...]:
        """What the sources and the evidence lack."""
        report = self._files.gaps(self.delivered) if self.delivered else None
        found = [gap_line(gap) for gap in self._source_gaps]
        return (*found, *map(gap_told, report.gaps[:SHOWN_GAPS])) if report else tuple(found)

    def _cards(self) -> Iterator[SourceCard]:
        cited = self._files.cited(self.delivered or 0)
        urls = dict.fromkeys([*cited, *self._ratings, *self._evidence_urls])
        for number, url in enumerate(urls, start=1):
            rating, used = self._ratings.get(url), self._evidence_urls[url]
            yield SourceCard(number, url, rating, cited.get(url) or self._found(url), used)

    def _found(self, url: str) -> Source | None:
        """A source that the text does not cite, by the snapshot of its that was quoted."""
        sha256, rating = self._quoted.get(url), self._ratings.get(url)
        snapshot = self._files.snapshot(sha256) if sha256 else None
        if snapshot is None:
            return None
        state, reason = (rating.state, rating.reason) if rating else (SourceState.OK, "")
        return Source(url, state, reason, snapshot)

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
        """What each agent did, cost and took."""
        return _cost_table(self._analytics) if self._analytics else None


_UNSCORED = len(Tier)
_SUPPORT_TIERS = tuple(SupportTier)
_KINDS = tuple(ClaimKind)
_FACETS: Sequence[tuple[str, str, Sequence[Label]]] = (
    ("verdict", "Verdict", _LABELS),
    ("severity", "Worst finding", (*SEVERITIES.values(), _NOTHING)),
    ("support", "Support tier", (*_SUPPORT, _NOTHING)),
    ("source", "Best source tier", _CITED_TIERS),
    ("kind", "Kind", tuple(Label(spaced(kind), "", Tone.MUTED) for kind in ClaimKind)),
)


def _label(entry: LedgerEntry) -> Label:
    return UNANSWERED if entry.open_slot else VERDICTS[entry.verdict]


def end_label(status: RunStatus | None, basis: ApprovalBasis | None) -> Label:
    """How the run ended. An approval by rules alone has another tone than one by reviewers."""
    if status is None:
        return NOT_ENDED
    sign, tone = _ENDS[status]
    if status is RunStatus.APPROVED and basis is not ApprovalBasis.INDEPENDENT_REVIEW:
        tone = Tone.MIXED
    return Label(headline(status, basis), sign, tone)


def _moment(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def _gate_view(gate: GateResult) -> GateView:
    metrics = [(field.name, getattr(gate.metrics, field.name)) for field in fields(gate.metrics)]
    numbers = [(spaced(name), _number(value)) for name, value in metrics]
    limits = [(spaced(one.name), _number(one.seen), _number(one.limit)) for one in gate.limits]
    columns = ("limit", "seen", "needed")
    return GateView(
        _DECISIONS[gate.decision],
        gate_line(gate),
        gate_rule_line(gate),
        Table(("number", "value"), tuple(numbers), caption="What the gate saw"),
        Table(columns, tuple(limits), caption="Limits in force") if limits else None,
    )


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def _critique_scores(critique: Critique) -> Scores:
    rows = tuple(
        (spaced(name), "–" if one.score is None else f"{one.score:.2f}", one.reason)
        for name, one in critique.dimensions.items()
    )
    return _scores("Quality, by code", critique_line(critique), rows)


def _judge_scores(judgement: Judgement) -> Scores:
    rows = tuple(
        (spaced(name), "–" if one.score is None else f"{one.score:.2f}", one.reason)
        for name, one in judgement.criteria.items()
    )
    told = f"recommendation: {judgement.recommendation}. {judgement.summary}"
    return _scores("The judge", told, rows)


def _scores(title: str, told: str, rows: tuple[tuple[str, ...], ...]) -> Scores:
    texts = frozenset({0, 2})
    table = Table(("criterion", "score", "why"), rows, caption=f"{title}: scores", texts=texts)
    return Scores(title, told, table)


def _cost_table(analytics: AnalyticsFile) -> Table:
    found = figures_table(analytics.agents, analytics.total, analytics.turns)
    used = used_columns(found)
    columns = tuple(found.columns[index] for index in used)
    rows = tuple(tuple(row[index] for index in used) for row in found.rows)
    texts = frozenset(columns.index(name) for name in ("agent", "vote") if name in columns)
    return Table(columns, rows, caption=f"What each agent did ({TABLE_LEGEND})", texts=texts)
