"""A batch as a page shows it: a table of its documents, worst first, made from its summary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from ...base.counting import counted
from ...base.vocabulary import Severity
from ...engine.work_folder import WorkState
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
from .check_page import Head
from .figures import moment
from .model import (
    NOTHING,
    SEVERITIES,
    Facet,
    Fact,
    Label,
    Tone,
    count_choices,
)

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
        self._summary: BatchSummary = read_summary(directory)
        summary = self._summary
        self.manifest = Head(f"{summary.name}: {summary.task}", summary.foureyes)
        self.filters = count_choices(_FACETS, map(_codes, summary.documents))
        self.columns = (COLUMNS[0], *COLUMNS[2:])
        self.lines, self.legend = tuple(summary_lines(summary)), LEGEND

    @property
    def end(self) -> Label:
        """Label with the state of the batch and its worst outcome."""
        summary = self._summary
        label = _OUTCOMES[_worst(summary)]
        asks = sum(
            count for one, count in summary.outcomes.items() if one is not DocumentOutcome.PASSED
        )
        those = counted(len(summary.documents), "document asks", "documents ask")
        told = f"{asks} of {those} for attention"
        return Label(f"{told}; {_STATES[summary.state]}", label.sign, label.tone)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Facts about the batch."""
        summary = self._summary
        return (
            Fact("counts from", summary.fail_on or "failed gates alone"),
            Fact("started", moment(summary.started)),
        )

    @property
    def documents(self) -> Iterator[tuple[DocumentResult, Label, tuple[str, ...], tuple[int, int]]]:
        """Yield the documents, the worst first: outcome, cells after `columns[0]`, choices."""
        for one in self._summary.documents:
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
