"""The check of one document of a batch as a page shows it, made from its record alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...base.vocabulary import Severity
from ...verification.model import GateResult, LedgerEntry
from ..check_outcome import CheckRecord, ToldFinding, not_fetched_lines, read_check
from ..summary import Unchecked
from .details import source_cards
from .figures import GATE_DECISIONS
from .model import (
    Fact,
    Label,
    SourceCard,
)


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

    @property
    def end(self) -> Label:
        """The gate's answer."""
        label = GATE_DECISIONS[self.gate.decision]
        return Label(f"evidence gate: {label.text}", label.sign, label.tone)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The figures of the check."""
        outcome = self._record.outcome
        seen = outcome.gate.metrics
        counts = Counter(finding.severity for finding in outcome.findings)
        found = [f"{counts[one]} {one}" for one in Severity if counts[one]]
        accuracy = "n/a" if outcome.accuracy is None else f"{outcome.accuracy:.0f} of 100"
        coverage = "n/a" if outcome.coverage is None else f"{outcome.coverage:.0%}"
        return (
            Fact("claims", str(seen.claims)),
            Fact("supported", str(seen.supported)),
            Fact("contradicted", str(seen.contradicted)),
            Fact("without a source", str(seen.unsourced)),
            Fact("findings", ", ".join(found) or "none"),
            Fact("accuracy", accuracy),
            Fact("coverage", coverage),
        )

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
