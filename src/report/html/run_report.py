"""A run as a report shows it, its iterations beside each other, made from its directory alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import TypeAlias

from markupsafe import Markup

from ...base.vocabulary import ClaimKind, Finding, Severity, SupportTier
from ...core.approval import ApprovalBasis, RunStatus
from ...core.critique import critique_line
from ...core.iteration import IterationOutcome
from ...core.run_analytics import AnalyticsFile, IterationFigures
from ...core.run_store import IterationSummary, Manifest
from ...verification.model import GateResult
from ..summary import NO_DRAFT, Unchecked, headline, settlement_line, unchecked
from ..wording import SHOWN_GAPS, evidence_gap_line, gap_line, spaced
from .details import (
    BEST_TIERS,
    Json,
    Quotes,
    best_tier,
    claim_details,
    cost_table,
    score_table,
    source_cards,
)
from .marking import marked_html
from .model import (
    NOTHING,
    SEVERITIES,
    UNANSWERED,
    VERDICTS,
    Facet,
    Label,
    Listing,
    Name,
    Row,
    Table,
    Tone,
    claim_label,
    in_text_order,
    plain_labels,
)
from .run_files import RunFiles

CONTEXT_LINES = 2
MAX_LINES = 20_000
"""Maximum number of lines compared: the time grows faster than the length."""
_MAX_WORDS = 2_000
_WORD = re.compile(r"\s+|\w+|[^\w\s]")


Piece: TypeAlias = tuple[str, str]
"""A sign and words: "−" or "+" for words of the old or the new text alone, "" for those of both."""


def text_changes(before: str, after: str) -> tuple[tuple[Piece, ...], ...]:
    """Changed lines with those around them, in places; a note in their stead where there are many.

    Within a place, the words that differ are marked.
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    if max(len(old), len(new)) > MAX_LINES:
        return ((("", f"texts of more than {MAX_LINES:,} lines are not compared"),),)
    groups = SequenceMatcher(None, old, new).get_grouped_opcodes(CONTEXT_LINES)
    return tuple(
        tuple(
            piece
            for _, i1, i2, j1, j2 in group
            for piece in _pieces("".join(old[i1:i2]), "".join(new[j1:j2]))
        )
        for group in groups
    )


def _pieces(before: str, after: str) -> Iterator[Piece]:
    """Yield both texts as one, in pieces of words."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if max(len(old), len(new)) > _MAX_WORDS and before != after:
        old, new = [before], [after]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield "", "".join(old[i1:i2])
            continue
        if i1 < i2:
            yield "−", "".join(old[i1:i2])
        if j1 < j2:
            yield "+", "".join(new[j1:j2])


NEW = Label("new", "+", Tone.BAD)
RESOLVED = Label("resolved", "✓", Tone.GOOD)
RECURRING = Label("recurring", "↻", Tone.MIXED)


@dataclass(frozen=True, slots=True)
class IterationView:
    """An iteration: its number, findings new, recurring and resolved, and changes of the text.

    `text` is None for the first one.
    """

    number: int
    groups: tuple[tuple[Label, Sequence[Finding]], ...]
    text: tuple[tuple[Piece, ...], ...] | None


def iteration_views(
    outcomes: Iterable[IterationOutcome], draft: Callable[[int], str]
) -> Iterator[IterationView]:
    """Yield the iterations that came to an end; `draft` gives the text of one."""
    before: Mapping[str, Finding] = {}
    text: str | None = None
    for outcome in outcomes:
        now = {finding.id: finding for finding in outcome.findings}
        last, text = text, draft(outcome.iteration)
        groups = (
            (NEW, [one for id_, one in now.items() if id_ not in before]),
            (RECURRING, [one for id_, one in now.items() if id_ in before]),
            (RESOLVED, [one for id_, one in before.items() if id_ not in now]),
        )
        yield IterationView(
            outcome.iteration,
            tuple(group for group in groups if group[1]),
            None if last is None else text_changes(last, text),
        )
        before = now


def iteration_table(manifest: Manifest, analytics: AnalyticsFile | None) -> Table | None:
    """One column for each iteration; None without any."""
    summaries = manifest.iterations
    if not summaries:
        return None
    figures = {one.iteration: one for one in analytics.iterations} if analytics else {}
    columns = [_figures(one, figures.get(one.iteration)) for one in summaries]
    names = dict.fromkeys(name for column in columns for name in column)
    return Table(
        ("", *(f"iteration {one.iteration}" for one in summaries)),
        tuple((name, *(column.get(name, "–") for column in columns)) for name in names),
        caption="The iterations in figures",
    )


def _figures(summary: IterationSummary, figures: IterationFigures | None) -> dict[str, str]:
    """The figures of an iteration by their names."""
    found = {f"vote of the {spaced(name)}": vote.value for name, vote in summary.votes.items()}
    found |= {f"vote of the {spaced(name)}": "failed" for name in summary.failures}
    if summary.gate is not None:
        found["gate"] = spaced(summary.gate)
    if figures is not None and figures.claims is not None:
        verdicts = figures.claims.verdicts
        found["claims"] = str(sum(verdicts.values()))
        found |= {
            f"claims {label.text}": str(verdicts[verdict])
            for verdict, label in VERDICTS.items()
            if verdicts.get(verdict)
        }
        found["claims verified beyond their citation"] = str(figures.metrics.verified_claim_count)
    found |= {f"findings {one}": str(summary.severities.get(one, 0)) for one in Severity}
    found |= {f"findings {name}": str(count) for name, count in asdict(summary.changes).items()}
    if figures is None:
        return found
    quality, cost, each = figures.quality_score, figures.cost_usd, figures.cost_per_verified_claim
    prices = {"cost so far": cost, "cost per verified claim": each}
    if quality is not None:
        found["quality"] = f"{quality:.2f}"
    return found | {name: f"${usd:.4f}" for name, usd in prices.items() if usd is not None}


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
_LABELS = (UNANSWERED, *VERDICTS.values())
_WORST = (*SEVERITIES.values(), NOTHING)
_SUPPORT, _KINDS = tuple(SupportTier), tuple(ClaimKind)
_FACETS = (
    Facet("Verdict", _LABELS),
    Facet("Worst finding", _WORST),
    Facet("Support tier", (*plain_labels(_SUPPORT), NOTHING)),
    Facet("Best source tier", BEST_TIERS),
    Facet("Kind", plain_labels(_KINDS)),
)


class RunReport:
    """Content of the page of the run in `run_dir`; nothing else is read, and nothing is written.

    Raises:
        RunDirectoryError: It is no run directory, or damaged.
    """

    template = "run.html"

    def __init__(self, run_dir: Path) -> None:
        self._files = files = RunFiles(run_dir)
        self.manifest: Manifest = files.manifest
        drafts = files.drafts
        best = files.manifest.best_iteration or (drafts[-1] if drafts else None)
        self.delivered = best if best in drafts else None
        self.end = end_label(files.manifest.status, files.manifest.approval_basis)
        self.by_rules = files.manifest.approval_basis is ApprovalBasis.DETERMINISTIC_CHECKS
        self.analytics = files.analytics()
        self._outcomes = {n: one for n in drafts if (one := files.outcome(n)) is not None}
        self._claims = files.claims(self.delivered or 0)
        self._entries = tuple(one.entry for one in self._claims)
        self.numbers = {one.claim_id: n for n, one in enumerate(self._entries, start=1)}
        outcome = self._outcomes.get(self.delivered or 0)
        self.findings: Sequence[Finding] = outcome.findings if outcome else ()
        self._findings_by_claim: dict[str, list[Finding]] = {}
        for finding in self.findings:
            self._findings_by_claim.setdefault(finding.claim_id or "", []).append(finding)
        reliability = files.reliability(self.delivered) if self.delivered else None
        self._ratings = {one.url: one for one in reliability.sources} if reliability else {}
        self._source_gaps = reliability.gaps if reliability else ()
        self._listing = self._listed()
        self.claim_count, self.filters = len(self._claims), self._listing.filters
        self.comparison = iteration_table(self.manifest, self.analytics)
        self.costs = cost_table(self.analytics)
        quoted = (one.evidence for one in self._entries)
        cited = files.cited(self.delivered or 0)
        self.sources = tuple(source_cards(cited, self._ratings, quoted, files.snapshots))

    # --- the run ----------------------------------------------------------------------------

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
    def gate(self) -> GateResult | None:
        """The gate's answer to the delivered draft."""
        return self._files.gate(self.delivered) if self.delivered else None

    @property
    def scores(self) -> Iterator[tuple[str, str, Table]]:
        """Scores of the whole text, by code and by the judge: title, sentence and table."""
        critique = self._files.critique(self.delivered) if self.delivered else None
        if critique is not None:
            title = "Quality, by code"
            table = score_table(title, critique.dimensions.items())
            yield title, critique_line(critique), table
        if (judgement := self._files.judgement()) is not None:
            title = "The judge"
            line = f"recommendation: {judgement.recommendation}. {judgement.summary}"
            yield title, line, score_table(title, judgement.criteria.items())

    # --- the claims -------------------------------------------------------------------------

    @property
    def unchecked(self) -> tuple[Unchecked, ...]:
        """Parts of the delivered draft that its status does not cover."""
        if self.delivered is None:
            return (NO_DRAFT,)
        outcome = self._outcomes.get(self.delivered)
        if outcome is None:
            return (Unchecked("the whole document", "the examination was broken off"),)
        return unchecked(outcome, self._entries)

    def text(self) -> Iterator[Markup]:
        """The delivered draft with its claims highlighted, piece by piece."""
        if self.delivered is None:
            return iter(())
        numbers = {card.url: card.number for card in self.sources}
        marks = in_text_order(self._listing.marks)
        return marked_html(self._files.draft(self.delivered), marks, numbers)

    def rows(self) -> Iterator[tuple[Row, Json]]:
        """Yield each claim's row with its details."""
        quotes = Quotes(self._files.snapshots, self.sources)
        for checked, row in zip(self._claims, self._listing.rows, strict=True):
            findings = self._findings_by_claim.get(row.id, ())
            yield row, claim_details(checked, row, quotes, self.numbers, findings)

    def _listed(self) -> Listing:
        listing = Listing(_FACETS)
        for number, checked in enumerate(self._claims, start=1):
            entry, findings = checked.entry, self._findings_by_claim.get(checked.entry.claim_id)
            name, label = Name("Claim", str(number)), claim_label(entry)
            worst = SEVERITIES[findings[0].severity] if findings else NOTHING
            labels = (label, worst) if findings else (label,)
            codes = (
                _LABELS.index(label),
                _WORST.index(worst),
                _SUPPORT.index(entry.tier) if entry.tier else len(_SUPPORT),
                best_tier(entry.evidence, self._ratings),
                _KINDS.index(checked.claim.kind),
            )
            place = f"line {entry.location.line}"
            row = Row(number, entry.claim_id, name, labels, entry.text, place, codes)
            listing.add(row, (entry.location.start, entry.location.end), label)
        return listing

    # --- findings, sources, iterations ------------------------------------------------------

    @property
    def gaps(self) -> tuple[str, ...]:
        """Gaps in the sources and in the evidence."""
        report = self._files.gaps(self.delivered) if self.delivered else None
        evidence_gaps = report.gaps[:SHOWN_GAPS] if report else ()
        return (*map(gap_line, self._source_gaps), *map(evidence_gap_line, evidence_gaps))

    @property
    def iterations(self) -> Iterator[IterationView]:
        """The iterations, each with what changed since the one before."""
        return iteration_views(self._outcomes.values(), self._files.draft)


def end_label(status: RunStatus | None, basis: ApprovalBasis | None) -> Label:
    """Return the label of a run's end; an approval by rules alone has another tone."""
    if status is None:
        return NOT_ENDED
    sign, tone = _ENDS[status]
    if status is RunStatus.APPROVED and basis is not ApprovalBasis.INDEPENDENT_REVIEW:
        tone = Tone.MIXED
    return Label(headline(status, basis), sign, tone)
