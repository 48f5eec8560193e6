"""The types that the public names of `foureyes` lead to: for annotations.

Records, vocabularies and protocols, each under the name that it has where it is made. A test
holds that nothing is missing and nothing needless is here.
"""

from __future__ import annotations

from .agents.prompted_agent import PromptedAgent, RuledAgent
from .assembly.model import ReaderName
from .backends.claude.prices import ModelPrice
from .base.call_limits import CallLimiter, LimitName
from .base.registry import RegistryModel
from .base.vocabulary import (
    Basis,
    ChallengeStep,
    Checker,
    CitationState,
    ClaimKind,
    Drift,
    FailCode,
    FetchMode,
    ResearchMode,
    SettlementMode,
    SourceState,
    Strictness,
    SupportTier,
)
from .claims.accounting import AccountedSentence, SentenceCounts, SentenceRole
from .claims.model import (
    Change,
    CitedAddress,
    ClaimCategory,
    ClaimQuote,
    ClaimTopic,
    DateSpan,
    Entity,
    EntityType,
    Granularity,
    Lineage,
    Materiality,
    Modifier,
    Polarity,
    Quantity,
    QuantityKind,
    Referent,
    RegulatoryReference,
    Route,
    Temporality,
)
from .core.artefacts import (
    AdditionalClaim,
    Artefact,
    ClaimVerdict,
    CriterionScore,
    EvidenceRecord,
    FactCheckSummary,
    IssueRecord,
    SeverityCounts,
    StatedSummary,
    VerificationDetails,
    VerificationResults,
)
from .core.budget import Spent
from .core.config import BudgetConfig, Config, Effort
from .core.draft_scorer import Quality
from .core.edit_policy import JsonSlots, MarkdownDraft
from .core.findings import FindingChanges
from .core.iteration import Conclusion
from .core.json_shape import Fields, Fixed, Grows, Slot
from .core.record_folder import FolderManifest, RunEvent
from .core.result import RunEnd
from .core.run_analytics import (
    AgentFigures,
    AnalyticsTable,
    ClaimFigures,
    FactCheckFigures,
    IterationFigures,
    LedgerFigures,
)
from .core.settlement import Settlement, SettlementOutcome
from .core.templates import JsonTemplate, MarkdownTemplate
from .core.turn_runner import Backoff
from .core.work import (
    AnalystInput,
    BudgetLedger,
    ClaimWork,
    EvidenceTools,
    FactCheckInput,
    Guidance,
    IterationEvidence,
    JudgeInput,
    Material,
    QueryAnswer,
    ResearchTools,
    ReviewerInput,
    RunServices,
    StepRunner,
    TurnKeeper,
    TurnRecorder,
)
from .documents.model import (
    BlockKind,
    Citation,
    CitationForm,
    Document,
    OffsetMap,
    Quote,
    ScopedCitation,
    Section,
    Sentence,
)
from .experiments.analysis import Analysis as ExperimentAnalysis
from .experiments.analysis import ArmFigures, Expense, Failure, Frontier, FrontierPoint
from .experiments.looks import LookDecision, TakenLook
from .experiments.metrics import CheckedText, CriticObjections, Gold, ReviewFindings
from .experiments.planning import Trial
from .experiments.statistics.comparison import ArmSummary, Comparison, Concluded, IntervalMethod
from .experiments.statistics.comparison import Conclusion as ExperimentConclusion
from .experiments.statistics.intervals import Interval
from .experiments.statistics.paired import Method, PairedTest
from .experiments.statistics.samples import Design, MetricSpec
from .experiments.treatments import Compared, Flip, ItemPair
from .experiments.trials import TrialOutcome, TrialResult
from .redteam.model import Lens
from .report.check_outcome import CheckOutcome, CheckRecord, CitedCopy, FixedCopy, ToldFinding
from .report.evidence_pack import Difference, PackCheck, WrittenPack
from .report.exports.model import ExaminedDocument
from .review.contents import ReviewContents
from .review.cross_reference import CrossMetrics, CrossReference, CrossRow
from .review.extraction import ExcludedClaim, Extraction
from .review.model import (
    ClaimsTested,
    CompiledFinding,
    CompiledReview,
    DroppedClaim,
    DroppedFinding,
    GateChoice,
    KilledFinding,
    NotDone,
    ReviewPhase,
    SmokeTested,
    WebChecked,
)
from .review.model import GateDecision as ReviewGateDecision
from .review.originals import Original, OriginalKind
from .review.store import OriginalRecord, ReviewManifest
from .review.types import (
    Defence,
    DefenceOutcome,
    ExtractedClaim,
    RedFinding,
    WebQuery,
    WebResult,
    WebSource,
    WebVerdict,
)
from .sources.model import Snapshot, Source, SourceSet
from .sources.scoring.appraisal import Appraisal, RatedSource, SourceRating
from .sources.scoring.citations import CitedSource
from .sources.scoring.gaps import Gap, GapChoice, GapType
from .sources.scoring.model import (
    ConfidenceMark,
    DomainTier,
    Override,
    PageFeatures,
    Part,
    ScoringInput,
    Site,
    SourceScore,
    Tier,
)
from .verification.challenge.gaps import (
    DeepeningPlan,
    DeepeningQuery,
    EvidenceCritique,
    EvidenceGap,
    GapAnalysis,
    GapReport,
    OpposedClaim,
    UnderSourcedClaim,
)
from .verification.challenge.policy import GapKind, GapPriority
from .verification.check import CheckReport
from .verification.claim_state import ClaimState, StateChange
from .verification.gate.review import ReviewItem
from .verification.ledger.binding import BoundSource, ClaimCounts, VerificationStatus
from .verification.ledger.decisions import ReviewDecision
from .verification.model import (
    ChallengeNote,
    ChallengeOutcome,
    ClaimAssessment,
    Evidence,
    GateLimit,
    GateMetrics,
    Passage,
    PolicyWord,
    SlotCheck,
    SlotKind,
    SlotOutcome,
    WeighedEvidence,
    WithdrawnClaim,
)
from .verification.quality.critique import Critique, DimensionScore
from .verification.quality.evidence_map import (
    ClaimEvidenceMap,
    LinkedEvidence,
    MappedClaim,
    MappedSentence,
)
from .verification.quality.policy import Dimension
from .verification.repair.fixing import FixedDocument
from .verification.repair.marking import CitedText, MarkStyle
from .verification.repair.planning import RepairKind

__all__ = [
    "AccountedSentence",
    "AdditionalClaim",
    "AgentFigures",
    "AnalystInput",
    "AnalyticsTable",
    "Appraisal",
    "ArmFigures",
    "ArmSummary",
    "Artefact",
    "Backoff",
    "Basis",
    "BlockKind",
    "BoundSource",
    "BudgetConfig",
    "BudgetLedger",
    "CallLimiter",
    "ChallengeNote",
    "ChallengeOutcome",
    "ChallengeStep",
    "Change",
    "CheckOutcome",
    "CheckRecord",
    "CheckReport",
    "CheckedText",
    "Checker",
    "Citation",
    "CitationForm",
    "CitationState",
    "CitedAddress",
    "CitedCopy",
    "CitedSource",
    "CitedText",
    "ClaimAssessment",
    "ClaimCategory",
    "ClaimCounts",
    "ClaimEvidenceMap",
    "ClaimFigures",
    "ClaimKind",
    "ClaimQuote",
    "ClaimState",
    "ClaimTopic",
    "ClaimVerdict",
    "ClaimWork",
    "ClaimsTested",
    "Compared",
    "Comparison",
    "CompiledFinding",
    "CompiledReview",
    "Concluded",
    "Conclusion",
    "ConfidenceMark",
    "Config",
    "CriterionScore",
    "CriticObjections",
    "Critique",
    "CrossMetrics",
    "CrossReference",
    "CrossRow",
    "DateSpan",
    "DeepeningPlan",
    "DeepeningQuery",
    "Defence",
    "DefenceOutcome",
    "Design",
    "Difference",
    "Dimension",
    "DimensionScore",
    "Document",
    "DomainTier",
    "Drift",
    "DroppedClaim",
    "DroppedFinding",
    "Effort",
    "Entity",
    "EntityType",
    "Evidence",
    "EvidenceCritique",
    "EvidenceGap",
    "EvidenceRecord",
    "EvidenceTools",
    "ExaminedDocument",
    "ExcludedClaim",
    "Expense",
    "ExperimentAnalysis",
    "ExperimentConclusion",
    "ExtractedClaim",
    "Extraction",
    "FactCheckFigures",
    "FactCheckInput",
    "FactCheckSummary",
    "FailCode",
    "Failure",
    "FetchMode",
    "Fields",
    "FindingChanges",
    "Fixed",
    "FixedCopy",
    "FixedDocument",
    "Flip",
    "FolderManifest",
    "Frontier",
    "FrontierPoint",
    "Gap",
    "GapAnalysis",
    "GapChoice",
    "GapKind",
    "GapPriority",
    "GapReport",
    "GapType",
    "GateChoice",
    "GateLimit",
    "GateMetrics",
    "Gold",
    "Granularity",
    "Grows",
    "Guidance",
    "Interval",
    "IntervalMethod",
    "IssueRecord",
    "ItemPair",
    "IterationEvidence",
    "IterationFigures",
    "JsonSlots",
    "JsonTemplate",
    "JudgeInput",
    "KilledFinding",
    "LedgerFigures",
    "Lens",
    "LimitName",
    "Lineage",
    "LinkedEvidence",
    "LookDecision",
    "MappedClaim",
    "MappedSentence",
    "MarkStyle",
    "MarkdownDraft",
    "MarkdownTemplate",
    "Material",
    "Materiality",
    "Method",
    "MetricSpec",
    "ModelPrice",
    "Modifier",
    "NotDone",
    "OffsetMap",
    "OpposedClaim",
    "Original",
    "OriginalKind",
    "OriginalRecord",
    "Override",
    "PackCheck",
    "PageFeatures",
    "PairedTest",
    "Part",
    "Passage",
    "Polarity",
    "PolicyWord",
    "PromptedAgent",
    "Quality",
    "Quantity",
    "QuantityKind",
    "QueryAnswer",
    "Quote",
    "RatedSource",
    "ReaderName",
    "RedFinding",
    "Referent",
    "RegistryModel",
    "RegulatoryReference",
    "RepairKind",
    "ResearchMode",
    "ResearchTools",
    "ReviewContents",
    "ReviewDecision",
    "ReviewFindings",
    "ReviewGateDecision",
    "ReviewItem",
    "ReviewManifest",
    "ReviewPhase",
    "ReviewerInput",
    "Route",
    "RuledAgent",
    "RunEnd",
    "RunEvent",
    "RunServices",
    "ScopedCitation",
    "ScoringInput",
    "Section",
    "Sentence",
    "SentenceCounts",
    "SentenceRole",
    "Settlement",
    "SettlementMode",
    "SettlementOutcome",
    "SeverityCounts",
    "Site",
    "Slot",
    "SlotCheck",
    "SlotKind",
    "SlotOutcome",
    "SmokeTested",
    "Snapshot",
    "Source",
    "SourceRating",
    "SourceScore",
    "SourceSet",
    "SourceState",
    "Spent",
    "StateChange",
    "StatedSummary",
    "StepRunner",
    "Strictness",
    "SupportTier",
    "TakenLook",
    "Temporality",
    "Tier",
    "ToldFinding",
    "Trial",
    "TrialOutcome",
    "TrialResult",
    "TurnKeeper",
    "TurnRecorder",
    "UnderSourcedClaim",
    "VerificationDetails",
    "VerificationResults",
    "VerificationStatus",
    "WebChecked",
    "WebQuery",
    "WebResult",
    "WebSource",
    "WebVerdict",
    "WeighedEvidence",
    "WithdrawnClaim",
    "WrittenPack",
]
