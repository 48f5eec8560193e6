"""A batch, and the check of one of its documents, as pages show them, made from their records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...base.printable import counted
from ...base.vocabulary import Severity
from ..batch import COLUMNS, BatchSummary, DocumentOutcome, DocumentResult, read_summary
from ..check_outcome import CheckRecord, read_check
from ..wording import Label, labels
from .model import NOTHING, Facet, ListedRecord, SourceCard, count_choices, moment, source_cards


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
        self.record: CheckRecord = read_check(directory)
        outcome = self.record.outcome
        self.manifest = Head(outcome.document, outcome.foureyes)
        label = labels("gate")[outcome.gate.decision]
        self.end = Label(f"evidence gate: {label.text}", label.sign, label.tone)

    @property
    def sources(self) -> Iterator[SourceCard]:
        """The sources that were looked at, and those that were scored."""
        known = {source.url: source for source in self.record.sources}
        ratings = {rating.url: rating for rating in self.record.outcome.sources}
        return source_cards(known, ratings, (entry.evidence for entry in self.record.entries))


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
        facets = (
            Facet("Outcome", tuple(labels("documents").values())),
            Facet("Worst finding", (*labels("severities").values(), NOTHING)),
        )
        self.filters = count_choices(facets, map(choices, summary.documents))
        self.columns = (COLUMNS[0], *COLUMNS[2:])

    @property
    def end(self) -> Label:
        """Label with the state of the batch and its worst outcome."""
        summary = self.summary
        label = labels("documents")[_worst(summary)]
        asks = sum(
            count for one, count in summary.outcomes.items() if one is not DocumentOutcome.PASSED
        )
        those = counted(len(summary.documents), "document asks", "documents ask")
        told = f"{asks} of {those} for attention"
        return Label(f"{told}; {labels('batches')[summary.state].text}", label.sign, label.tone)


def choices(one: DocumentResult) -> tuple[int, int]:
    """Its outcome and its worst finding, as indexes of the filters' labels."""
    worst = (at for at, severity in enumerate(_SEVERITIES) if one.severities.get(severity))
    return _OUTCOME_NAMES.index(one.outcome), next(worst, len(_SEVERITIES))


def listed_batch(directory: Path) -> ListedRecord:
    """How a batch is listed.

    Raises:
        RunDirectoryError: It has no summary yet, or that is damaged.
    """
    batch = read_summary(directory)
    worst = _worst(batch)
    label = labels("documents")[worst]
    end = Label(f"{batch.outcomes[worst]} {label.text}", label.sign, label.tone)
    kind = f"batch of {len(batch.documents)}, {batch.task}"
    return ListedRecord(batch.name, kind, end, moment(batch.started))


def listed_check(directory: Path) -> ListedRecord:
    """How a check is listed.

    Raises:
        RunDirectoryError: Its record is damaged.
    """
    return ListedRecord(directory.name, "check", CheckPage(directory).end, "")


def _worst(summary: BatchSummary) -> DocumentOutcome:
    found = (one for one in DocumentOutcome if summary.outcomes[one])
    return next(found, DocumentOutcome.PASSED)
