"""One iteration's records, and the protocol of the stage that gathers its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Protocol

from ..base.finding import Finding
from ..base.vocabulary import Severity, Verdict
from ..sources.scoring.appraisal import Appraisal
from ..verification.model import ClaimAssessment, GateResult, Ledger
from .findings import FindingChanges
from .types import (
    ArtefactFile,
    Error,
    EvidenceDesk,
    Examination,
    IterationEvidence,
    RunServices,
)


@dataclass(frozen=True, slots=True)
class PreparedEvidence:
    """What the critics get to see, and the files that record it for `iterations/`.

    `not_fetched` are the cited addresses left out for budget or network (decision 17).
    """

    iteration: int
    evidence: IterationEvidence
    desk: EvidenceDesk | None
    artefacts: tuple[ArtefactFile, ...] = ()
    not_fetched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What code concludes from the claims, its own assessments and the fact checker's.

    `findings` are those that code adds to the critics': open contradictions and a failed gate.
    `artefacts` go to the run's `verify/` folder. `appraisal` tells how good the sources are.
    """

    ledger: Ledger
    gate: GateResult
    _: KW_ONLY
    findings: tuple[Finding, ...] = ()
    not_fetched: tuple[str, ...] = ()
    artefacts: tuple[ArtefactFile, ...] = ()
    appraisal: Appraisal | None = None

    @property
    def open_slots(self) -> int:
        """Claims that no checker answered for."""
        return sum(entry.open_slot for entry in self.ledger.entries)

    @property
    def open_contradictions(self) -> int:
        """Claims that code found contradicted, whatever the severity."""
        return sum(entry.open_contradiction for entry in self.ledger.entries)

    @property
    def supported(self) -> int:
        """Claims with the verdict supported."""
        return sum(entry.verdict is Verdict.SUPPORTED for entry in self.ledger.entries)


class EvidenceStage(Protocol):
    """What happens to a draft before and after the critics: `core.evidence.DocumentEvidence`."""

    async def prepare(self, iteration: int, draft: str, services: RunServices) -> PreparedEvidence:
        """Find the draft's claims, fetch what it cites, and assess every claim by code."""
        ...

    def conclude(
        self, prepared: PreparedEvidence, assessments: Mapping[str, ClaimAssessment]
    ) -> Conclusion:
        """Ledger and gate. `assessments` are the critics', by claim id; a missing one is open."""
        ...

    async def settle(self, services: RunServices) -> None:
        """The loop goes on: what this iteration had is final, for a resumed run too."""
        ...


@dataclass(frozen=True, slots=True)
class IterationResult:
    """An iteration that came to its end: the draft and every answer to it."""

    iteration: int
    draft: str
    _: KW_ONLY
    examinations: Mapping[str, Examination] = field(default_factory=dict[str, Examination])
    failures: Mapping[str, Error] = field(default_factory=dict[str, Error])
    conclusion: Conclusion | None = None
    findings: tuple[Finding, ...] = ()
    changes: FindingChanges = field(default_factory=FindingChanges)

    @property
    def examined(self) -> bool:
        """Whether every critic answered."""
        return bool(self.examinations) and not self.failures

    def count(self, *severities: Severity) -> int:
        """How many findings have one of `severities`."""
        return sum(finding.severity in severities for finding in self.findings)
