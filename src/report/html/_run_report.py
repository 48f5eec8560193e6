"""A run as a report shows it, its iterations beside each other, made from its directory alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from difflib import SequenceMatcher
from pathlib import Path
from typing import TypeAlias

from markupsafe import Markup

from ...base.printable import counted
from ...base.vocabulary import ClaimKind, Finding, Severity, SupportTier, Verdict
from ...core.approval import ApprovalBasis, RunStatus
from ...core.run_analytics import AnalyticsFile, IterationFigures
from ...core.run_store import RUN_FOLDER, IterationSummary, Manifest
from ...verification.model import GateResult
from ..summary import NO_DRAFT, Unchecked, headline, unchecked
from ..wording import Label, Tone, claim_label, labels, spaced
from ._marking import marked_html
from .model import (
    BEST_TIERS,
    NOTHING,
    Facet,
    ListedRecord,
    Listing,
    Quotes,
    Row,
    Table,
    best_tier,
    in_text_order,
    moment,
    plain_label,
    source_cards,
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
            f"claims {labels('verdicts')[verdict].text}": str(verdicts[verdict])
            for verdict in Verdict
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


_SUPPORT = {tier: plain_label(tier) for tier in SupportTier}
_KINDS = {kind: plain_label(kind) for kind in ClaimKind}


class RunReport:
    """Content of the page of the run in `run_dir`; nothing else is read, and nothing is written.

    Raises:
        RunDirectoryError: It is no run directory, or damaged.
    """

    template = "run.html"

    def __init__(self, run_dir: Path) -> None:
        self.files = files = RunFiles(run_dir)
        self.manifest: Manifest = files.manifest
        drafts = files.drafts
        best = files.manifest.best_iteration or (drafts[-1] if drafts else None)
        self.delivered = best if best in drafts else None
        self.end = end_label(files.manifest.status, files.manifest.approval_basis)
        self.by_rules = files.manifest.approval_basis is ApprovalBasis.DETERMINISTIC_CHECKS
        self.analytics = files.analytics()
        self.outcomes = {n: one for n in drafts if (one := files.outcome(n)) is not None}
        self._checked = files.claims(self.delivered or 0)
        outcome = self.outcomes.get(self.delivered or 0)
        self.findings: Sequence[Finding] = outcome.findings if outcome else ()
        self.findings_by_claim: dict[str, list[Finding]] = {}
        for finding in self.findings:
            self.findings_by_claim.setdefault(finding.claim_id or "", []).append(finding)
        self.reliability = files.reliability(self.delivered) if self.delivered else None
        self._ratings = {r.url: r for r in self.reliability.sources} if self.reliability else {}
        self.claims = self._listed()
        self.numbers = {row.id: row.number for row in self.claims.rows}
        quoted = (one.entry.evidence for one in self._checked)
        cited = files.cited(self.delivered or 0)
        self.sources = tuple(source_cards(cited, self._ratings, quoted, files.snapshots))
        self.quotes = Quotes(files.snapshots, self.sources)

    @property
    def gate(self) -> GateResult | None:
        """The gate's answer to the delivered draft."""
        return self.files.gate(self.delivered) if self.delivered else None

    @property
    def unchecked(self) -> tuple[Unchecked, ...]:
        """Parts of the delivered draft that its status does not cover."""
        if self.delivered is None:
            return (NO_DRAFT,)
        outcome = self.outcomes.get(self.delivered)
        if outcome is None:
            return (Unchecked("the whole document", "the examination was broken off"),)
        return unchecked(outcome, [one.entry for one in self._checked])

    def text(self) -> Iterator[Markup]:
        """The delivered draft with its claims highlighted, piece by piece."""
        if self.delivered is None:
            return iter(())
        marks = in_text_order(self.claims.rows)
        return marked_html(self.files.draft(self.delivered), marks, self.quotes.numbers)

    def _listed(self) -> Listing:
        severities, rows = labels("severities"), list[Row]()
        for number, checked in enumerate(self._checked, start=1):
            entry, findings = checked.entry, self.findings_by_claim.get(checked.entry.claim_id)
            label = claim_label(entry)
            worst = severities[findings[0].severity] if findings else NOTHING
            choices = (
                label,
                worst,
                _SUPPORT[entry.tier] if entry.tier else NOTHING,
                best_tier(entry.evidence, self._ratings),
                _KINDS[checked.claim.kind],
            )
            row = Row(
                number=number,
                id=entry.claim_id,
                noun="Claim",
                mark=str(number),
                labels=(label, worst) if findings else (label,),
                text=entry.text,
                place=f"line {entry.location.line}",
                choices=choices,
                label=label,
                start=entry.location.start,
                end=entry.location.end,
                record=checked,
            )
            rows.append(row)
        facets = (
            Facet("Verdict", tuple(labels("verdicts").values())),
            Facet("Worst finding", (*severities.values(), NOTHING)),
            Facet("Support tier", (*_SUPPORT.values(), NOTHING)),
            Facet("Best source tier", BEST_TIERS),
            Facet("Kind", tuple(_KINDS.values())),
        )
        return Listing("Claim", facets, rows)


def listed_run(directory: Path) -> ListedRecord:
    """How a run is listed.

    Raises:
        RunDirectoryError: Its manifest is damaged.
    """
    manifest = RUN_FOLDER.read_manifest(directory)
    kind = f"run, {counted(len(manifest.iterations), 'iteration')}"
    end = end_label(manifest.status, manifest.approval_basis)
    return ListedRecord(manifest.title, kind, end, moment(manifest.started))


def end_label(status: RunStatus | None, basis: ApprovalBasis | None) -> Label:
    """Return the label of a run's end; an approval by rules alone has another tone."""
    if status is None:
        return labels("run_ends")["under_way"]
    end = labels("run_ends")[status]
    if status is RunStatus.APPROVED and basis is not ApprovalBasis.INDEPENDENT_REVIEW:
        return Label(headline(status, basis), end.sign, Tone.MIXED)
    return end
