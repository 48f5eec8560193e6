"""One iteration's records, and the protocol of the stage that gathers its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Protocol

from ..base.finding import Finding
from ..base.records import to_json
from ..base.vocabulary import Severity, Verdict
from ..claims.accounting import AccountedSentence
from ..sources.scoring.appraisal import Appraisal
from ..verification.challenge.model import NOTHING_TOLD, Told
from ..verification.model import ClaimAssessment, GateResult, Ledger
from ..verification.quality.evidence_map import ClaimEvidenceMap
from .artefacts import ArtefactFile
from .critique import Critique
from .evidence_records import CRITIQUE_FILE, MAP_FILE, NO_CORROBORATION, Corroboration
from .findings import FindingChanges
from .gaps import GapAnalysis
from .tasks import Error
from .work import EvidenceTools, Examination, IterationEvidence, RunServices

if TYPE_CHECKING:
    # Its home loads the whole engine.
    from .gap_search import Deepening


@dataclass(frozen=True, slots=True)
class PreparedEvidence:
    """The evidence given to the critics, and the files that record it in `iterations/`.

    `not_fetched` are the cited addresses left out for budget or network (decision 17). `critique`
    is that by code's own verdicts. `sentences` are all of the draft's body.
    """

    iteration: int
    evidence: IterationEvidence
    source_tools: EvidenceTools | None
    artefacts: tuple[ArtefactFile, ...] = ()
    not_fetched: tuple[str, ...] = ()
    _: KW_ONLY
    critique: Critique | None = None
    corroboration: Corroboration = NO_CORROBORATION
    sentences: tuple[AccountedSentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Quality:
    """Code's assessment of a draft as a whole."""

    evidence_map: ClaimEvidenceMap
    critique: Critique

    def artefacts(self) -> tuple[ArtefactFile, ...]:
        """The files of the run's `verify/` folder."""
        return (
            ArtefactFile(MAP_FILE, to_json(ClaimEvidenceMap, self.evidence_map) + "\n"),
            ArtefactFile(CRITIQUE_FILE, to_json(Critique, self.critique) + "\n"),
        )


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Code's conclusion from the claims, its own assessments and the fact checker's.

    `findings` are those that code adds to the critics': open contradictions, a failed gate and the
    remedies of a failed critique. `artefacts` go to the run's `verify/` folder. `appraisal` rates
    the sources.
    `quality` is the claim-evidence map with the critique. `settled` are the claims that a person
    lets stand against a critic's findings. `gaps` are the gaps of the evidence.
    `sentences` are all of the draft's body, with what becomes of each. `unsearched` says why a
    search provider could not be asked.
    """

    ledger: Ledger
    gate: GateResult
    _: KW_ONLY
    findings: tuple[Finding, ...] = ()
    not_fetched: tuple[str, ...] = ()
    artefacts: tuple[ArtefactFile, ...] = ()
    appraisal: Appraisal | None = None
    quality: Quality | None = None
    settled: frozenset[str] = frozenset()
    gaps: GapAnalysis | None = None
    sentences: tuple[AccountedSentence, ...] = ()
    unsearched: tuple[str, ...] = ()

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
    """Evidence of a draft before and after the critics: `core.evidence.DocumentEvidence`."""

    async def prepare(self, iteration: int, draft: str, services: RunServices) -> PreparedEvidence:
        """Find the draft's claims, fetch what it cites, and assess every claim by code."""
        ...

    async def challenge(
        self,
        prepared: PreparedEvidence,
        assessments: Mapping[str, ClaimAssessment],
        services: RunServices,
    ) -> Told:
        """Ask for the outside replies to the challenges; `assessments` as below."""
        ...

    def conclude(
        self,
        prepared: PreparedEvidence,
        assessments: Mapping[str, ClaimAssessment],
        replies: Told = NOTHING_TOLD,
    ) -> Conclusion:
        """Ledger and gate. `assessments` are the critics', by claim id; a missing one is open.

        `replies` is the result of `challenge`.
        """
        ...

    async def settle(self, services: RunServices) -> None:
        """Make this iteration's sources final, for a resumed run too."""
        ...

    async def deepen(
        self, evidence: IterationEvidence, conclusion: Conclusion, services: RunServices
    ) -> Deepening:
        """Look for what the evidence of an iteration lacks, for the next draft."""
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
