"""A batch, and the check of one of its documents, as pages show them, made from their records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...base.printable import counted
from ...base.vocabulary import Severity
from ...engine.work_folder import WorkState
from ...verification.model import GateResult, LedgerEntry
from ..batch import (
    COLUMNS,
    LEGEND,
    BatchSummary,
    DocumentOutcome,
    DocumentResult,
    cells,
    read_summary,
    summary_lines,
)
from ..check_outcome import CheckRecord, ToldFinding, not_fetched_lines, read_check
from ..summary import Unchecked
from .details import GATE_DECISIONS, source_cards
from .model import NOTHING, SEVERITIES, Facet, Label, SourceCard, Tone, count_choices


@dataclass(frozen=True, slots=True)
class Head:
    """Head of a page without a record manifest."""

    title: str
    foureyes: str
    reason: str = ""


class CheckPage:
    """Everything on the page of the check in `directory`; nothing is written.

    Raises:
        RunDirectoryError: Its record is damaged.
    """

    template = "check.html"

    def __init__(self, directory: Path) -> None:
        self._record: CheckRecord = read_check(directory)
        outcome = self._record.outcome
        self.manifest = Head(outcome.document, outcome.foureyes)
        self.gate: GateResult = outcome.gate
        self.claims: Sequence[LedgerEntry] = self._record.entries
        self.findings: Sequence[ToldFinding] = outcome.findings
        self.accuracy, self.coverage = outcome.accuracy, outcome.coverage
        counts = Counter(finding.severity for finding in outcome.findings)
        self.counts = ", ".join(f"{counts[one]} {one}" for one in Severity if counts[one])

    @property
    def end(self) -> Label:
        """The gate's answer."""
        label = GATE_DECISIONS[self.gate.decision]
        return Label(f"evidence gate: {label.text}", label.sign, label.tone)

    @property
    def unchecked(self) -> tuple[Unchecked, ...]:
        """Parts of the document that the check does not cover."""
        outcome = self._record.outcome
        missing = tuple(not_fetched_lines(outcome.not_fetched, self._record.sources))
        left = Unchecked("reasoning", "no language model took part")
        if not missing:
            return (left,)
        return (left, Unchecked("cited sources", "they were not looked at", missing))

    @property
    def sources(self) -> Iterator[SourceCard]:
        """The sources that were looked at, and those that were scored."""
        known = {source.url: source for source in self._record.sources}
        ratings = {rating.url: rating for rating in self._record.outcome.sources}
        evidence = (entry.evidence for entry in self._record.entries)
        return source_cards(known, ratings, evidence)


_OUTCOMES: Mapping[DocumentOutcome, Label] = {
    DocumentOutcome.FLAGGED: Label("flagged", "✗", Tone.BAD),
    DocumentOutcome.FAILED: Label("failed", "‼", Tone.BAD),
    DocumentOutcome.INCONCLUSIVE: Label("inconclusive", "?", Tone.OPEN),
    DocumentOutcome.NOT_EXAMINED: Label("not examined", "○", Tone.OPEN),
    DocumentOutcome.PASSED: Label("passed", "✓", Tone.GOOD),
}
_STATES: Mapping[WorkState, str] = {
    WorkState.RUNNING: "under way",
    WorkState.FINISHED: "every document has ended",
    WorkState.BUDGET: "stopped: a limit of the whole was reached",
    WorkState.CANCELLED: "cancelled",
}
_FACETS = (
    Facet("Outcome", tuple(_OUTCOMES.values())),
    Facet("Worst finding", (*SEVERITIES.values(), NOTHING)),
)
_OUTCOME_NAMES, _SEVERITIES = tuple(DocumentOutcome), tuple(Severity)


class BatchPage:
    """Everything on the page of the batch in `directory`; nothing is written.

    Raises:
        RunDirectoryError: It has no summary yet, or that is damaged.
    """

    template = "batch.html"

    def __init__(self, directory: Path) -> None:
        self.summary = summary = read_summary(directory)
        self.manifest = Head(f"{summary.name}: {summary.task}", summary.foureyes)
        self.filters = count_choices(_FACETS, map(_codes, summary.documents))
        self.columns = (COLUMNS[0], *COLUMNS[2:])
        self.lines, self.legend = tuple(summary_lines(summary)), LEGEND

    @property
    def end(self) -> Label:
        """Label with the state of the batch and its worst outcome."""
        summary = self.summary
        label = _OUTCOMES[_worst(summary)]
        asks = sum(
            count for one, count in summary.outcomes.items() if one is not DocumentOutcome.PASSED
        )
        those = counted(len(summary.documents), "document asks", "documents ask")
        told = f"{asks} of {those} for attention"
        return Label(f"{told}; {_STATES[summary.state]}", label.sign, label.tone)

    @property
    def documents(self) -> Iterator[tuple[DocumentResult, Label, tuple[str, ...], tuple[int, int]]]:
        """Yield the documents, the worst first: outcome, cells after `columns[0]`, choices."""
        for one in self.summary.documents:
            yield one, _OUTCOMES[one.outcome], cells(one)[2:], _codes(one)


def _codes(one: DocumentResult) -> tuple[int, int]:
    worst = (at for at, severity in enumerate(_SEVERITIES) if one.severities.get(severity))
    return _OUTCOME_NAMES.index(one.outcome), next(worst, len(_SEVERITIES))


def batch_label(summary: BatchSummary) -> Label:
    """Return the label of a batch in a list."""
    worst = _worst(summary)
    label = _OUTCOMES[worst]
    return Label(f"{summary.outcomes[worst]} {label.text}", label.sign, label.tone)


def _worst(summary: BatchSummary) -> DocumentOutcome:
    found = (one for one in DocumentOutcome if summary.outcomes[one])
    return next(found, DocumentOutcome.PASSED)
