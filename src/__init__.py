"""foureyes: nothing ships until two independent checkers have approved it.

    import foureyes

    result = foureyes.run_analysis("brief…", sources=["notes/"], with_fact_checker=True)
    report = foureyes.check("report.md", sources=["notes/"])
    review = foureyes.review_document_sync("report.md", yes=True)

The names below are loaded when first used, so that importing the package costs nothing. They are
public, and so are those of `foureyes.datatypes`, to which they lead; what that means is in
`docs/stability.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .agents.analyst import AnalystAgent as AnalystAgent
    from .agents.critics import Adviser as Adviser
    from .agents.critics import AgentCritic as AgentCritic
    from .agents.declared_agent import Agent as Agent
    from .agents.declared_agent import Reads as Reads
    from .agents.fact_checker import FactChecked as FactChecked
    from .agents.fact_checker import FactCheckerAgent as FactCheckerAgent
    from .agents.issues import Issue as Issue
    from .agents.judge import JudgeAgent as JudgeAgent
    from .agents.reviewer import Review as Review
    from .agents.reviewer import ReviewerAgent as ReviewerAgent
    from .agents.rules import AgentRules as AgentRules
    from .assembly.analysis import Pipeline as Pipeline
    from .assembly.analysis import RunStream as RunStream
    from .assembly.analysis import resume_run as resume_run
    from .assembly.analysis import resume_run_async as resume_run_async
    from .assembly.analysis import run_analysis as run_analysis
    from .assembly.analysis import run_analysis_async as run_analysis_async
    from .assembly.check import check as check
    from .assembly.check import check_async as check_async
    from .assembly.check_result import CheckResult as CheckResult
    from .assembly.document_review import ReviewResult as ReviewResult
    from .assembly.document_review import resume_review as resume_review
    from .assembly.document_review import resume_review_sync as resume_review_sync
    from .assembly.document_review import review_document as review_document
    from .assembly.document_review import review_document_sync as review_document_sync
    from .assembly.exporting import Export as Export
    from .assembly.exporting import ExportFormat as ExportFormat
    from .assembly.exporting import export_record as export_record
    from .assembly.plugins import ReviewOptions as ReviewOptions
    from .assembly.plugins import RunOptions as RunOptions
    from .assembly.replaying import replay_run as replay_run
    from .assembly.replaying import replay_run_async as replay_run_async
    from .assembly.reviewing import ReviewAnswer as ReviewAnswer
    from .assembly.reviewing import decide_claims as decide_claims
    from .assembly.reviewing import review_queue as review_queue
    from .assembly.setting_values import SettingValues as SettingValues
    from .assembly.validator import SemanticEvidence as SemanticEvidence
    from .assembly.validator import SemanticValidator as SemanticValidator
    from .assembly.validator import ValidationResult as ValidationResult
    from .assembly.validator import detect_factual_claims as detect_factual_claims
    from .backends.claude.backend import ClaudeBackend as ClaudeBackend
    from .backends.claude.settings import ClaudeSettings as ClaudeSettings
    from .backends.claude.settings import Credential as Credential
    from .backends.claude.settings import CredentialKind as CredentialKind
    from .backends.offline.backend import OfflineBackend as OfflineBackend
    from .backends.replay import ReplayBackend as ReplayBackend
    from .base.errors import BackendUnavailable as BackendUnavailable
    from .base.errors import BudgetExceeded as BudgetExceeded
    from .base.errors import DocumentError as DocumentError
    from .base.errors import FoureyesError as FoureyesError
    from .base.errors import InputError as InputError
    from .base.errors import PromptError as PromptError
    from .base.errors import RecordEnded as RecordEnded
    from .base.errors import RegistryError as RegistryError
    from .base.errors import ReplayMismatch as ReplayMismatch
    from .base.errors import ReplyError as ReplyError
    from .base.errors import RunDirectoryError as RunDirectoryError
    from .base.errors import SettingsError as SettingsError
    from .base.errors import SnapshotError as SnapshotError
    from .base.errors import SourceError as SourceError
    from .base.errors import StorageError as StorageError
    from .base.errors import TemplateError as TemplateError
    from .base.errors import TransitionRefused as TransitionRefused
    from .base.finding import Correction as Correction
    from .base.finding import Finding as Finding
    from .base.finding import Location as Location
    from .base.finding import finding_id as finding_id
    from .base.vocabulary import GateDecision as GateDecision
    from .base.vocabulary import IssueType as IssueType
    from .base.vocabulary import Recommendation as Recommendation
    from .base.vocabulary import ReviewCriterion as ReviewCriterion
    from .base.vocabulary import Severity as Severity
    from .base.vocabulary import Stance as Stance
    from .base.vocabulary import Verdict as Verdict
    from .claims.model import Claim as Claim
    from .core.agent_base import BaseAgent as BaseAgent
    from .core.approval import ApprovalBasis as ApprovalBasis
    from .core.approval import ExitCode as ExitCode
    from .core.approval import RunStatus as RunStatus
    from .core.artefacts import Analysis as Analysis
    from .core.artefacts import ArtefactFile as ArtefactFile
    from .core.artefacts import FactCheck as FactCheck
    from .core.artefacts import Judgement as Judgement
    from .core.artefacts import ReviewerFeedback as ReviewerFeedback
    from .core.config import AnalystConfig as AnalystConfig
    from .core.config import BaseAgentConfig as BaseAgentConfig
    from .core.config import FactCheckerConfig as FactCheckerConfig
    from .core.config import JudgeConfig as JudgeConfig
    from .core.config import PipelineConfig as PipelineConfig
    from .core.config import PipelineMode as PipelineMode
    from .core.config import ReviewerConfig as ReviewerConfig
    from .core.contexts import AnalystContext as AnalystContext
    from .core.contexts import BaseContext as BaseContext
    from .core.contexts import FactCheckerContext as FactCheckerContext
    from .core.contexts import JudgeContext as JudgeContext
    from .core.contexts import ReviewerContext as ReviewerContext
    from .core.iteration import IterationResult as IterationResult
    from .core.prompts import PromptLibrary as PromptLibrary
    from .core.result import PipelineResult as PipelineResult
    from .core.run_analytics import RunAnalytics as RunAnalytics
    from .core.settlement import SettlementAnswer as SettlementAnswer
    from .core.settlement import SettlementCase as SettlementCase
    from .core.settlement import SettlementPolicy as SettlementPolicy
    from .core.task_tools import TaskTools as TaskTools
    from .core.tasks import AgentBackend as AgentBackend
    from .core.tasks import AgentTask as AgentTask
    from .core.tasks import EditPolicy as EditPolicy
    from .core.tasks import Error as Error
    from .core.tasks import FailureKind as FailureKind
    from .core.tasks import Role as Role
    from .core.tasks import Success as Success
    from .core.tasks import ToolFailure as ToolFailure
    from .core.tasks import ToolSpec as ToolSpec
    from .core.tasks import Turn as Turn
    from .core.tasks import TurnLimits as TurnLimits
    from .core.tasks import TurnUsage as TurnUsage
    from .core.templates import TemplateLibrary as TemplateLibrary
    from .core.work import Critic as Critic
    from .core.work import Drafter as Drafter
    from .core.work import DraftWork as DraftWork
    from .core.work import Examination as Examination
    from .core.work import IterationWork as IterationWork
    from .core.work import Judge as Judge
    from .core.work import JudgeWork as JudgeWork
    from .core.work import Progress as Progress
    from .experiments.experiment import Experiment as Experiment
    from .experiments.experiment import ExperimentResult as ExperimentResult
    from .experiments.experiment import TrialItem as TrialItem
    from .experiments.experiment import TrialMetric as TrialMetric
    from .experiments.metrics import TrialRecord as TrialRecord
    from .experiments.statistics.samples import Direction as Direction
    from .experiments.statistics.samples import Scale as Scale
    from .packs.verify import PackReport as PackReport
    from .packs.verify import pack_run as pack_run
    from .packs.verify import verify_pack as verify_pack
    from .packs.verify import verify_pack_async as verify_pack_async
    from .review.store import ReviewStatus as ReviewStatus
    from .sources.search.model import SearchAnswer as SearchAnswer
    from .sources.search.model import SearchHit as SearchHit
    from .sources.search.model import SearchProvider as SearchProvider
    from .sources.search.model import SearchUnavailable as SearchUnavailable
    from .verification.gate.own_policy import GateCase as GateCase
    from .verification.gate.own_policy import GateObjection as GateObjection
    from .verification.gate.own_policy import GatePolicy as GatePolicy
    from .verification.gate.review import ReviewQueue as ReviewQueue
    from .verification.ledger.binding import SourceBinding as SourceBinding
    from .verification.ledger.decisions import ReviewChoice as ReviewChoice
    from .verification.model import GateResult as GateResult
    from .verification.model import Ledger as Ledger
    from .verification.model import LedgerEntry as LedgerEntry
    from .verification.repair.planning import Repair as Repair

__version__ = "0.1.0"

_HOMES = {
    "Adviser": "agents.critics",
    "Agent": "agents.declared_agent",
    "AgentBackend": "core.tasks",
    "AgentCritic": "agents.critics",
    "AgentRules": "agents.rules",
    "AgentTask": "core.tasks",
    "Analysis": "core.artefacts",
    "AnalystAgent": "agents.analyst",
    "AnalystConfig": "core.config",
    "AnalystContext": "core.contexts",
    "ApprovalBasis": "core.approval",
    "ArtefactFile": "core.artefacts",
    "BackendUnavailable": "base.errors",
    "BaseAgent": "core.agent_base",
    "BaseAgentConfig": "core.config",
    "BaseContext": "core.contexts",
    "BudgetExceeded": "base.errors",
    "CheckResult": "assembly.check_result",
    "Claim": "claims.model",
    "ClaudeBackend": "backends.claude.backend",
    "ClaudeSettings": "backends.claude.settings",
    "Correction": "base.finding",
    "Credential": "backends.claude.settings",
    "CredentialKind": "backends.claude.settings",
    "Critic": "core.work",
    "Direction": "experiments.statistics.samples",
    "DocumentError": "base.errors",
    "DraftWork": "core.work",
    "Drafter": "core.work",
    "EditPolicy": "core.tasks",
    "Error": "core.tasks",
    "Examination": "core.work",
    "ExitCode": "core.approval",
    "Experiment": "experiments.experiment",
    "ExperimentResult": "experiments.experiment",
    "Export": "assembly.exporting",
    "ExportFormat": "assembly.exporting",
    "FactCheck": "core.artefacts",
    "FactChecked": "agents.fact_checker",
    "FactCheckerAgent": "agents.fact_checker",
    "FactCheckerConfig": "core.config",
    "FactCheckerContext": "core.contexts",
    "FailureKind": "core.tasks",
    "Finding": "base.finding",
    "FoureyesError": "base.errors",
    "GateCase": "verification.gate.own_policy",
    "GateDecision": "base.vocabulary",
    "GateObjection": "verification.gate.own_policy",
    "GatePolicy": "verification.gate.own_policy",
    "GateResult": "verification.model",
    "InputError": "base.errors",
    "Issue": "agents.issues",
    "IssueType": "base.vocabulary",
    "IterationResult": "core.iteration",
    "IterationWork": "core.work",
    "Judge": "core.work",
    "JudgeAgent": "agents.judge",
    "JudgeConfig": "core.config",
    "JudgeContext": "core.contexts",
    "JudgeWork": "core.work",
    "Judgement": "core.artefacts",
    "Ledger": "verification.model",
    "LedgerEntry": "verification.model",
    "Location": "base.finding",
    "OfflineBackend": "backends.offline.backend",
    "PackReport": "packs.verify",
    "Pipeline": "assembly.analysis",
    "PipelineConfig": "core.config",
    "PipelineMode": "core.config",
    "PipelineResult": "core.result",
    "Progress": "core.work",
    "PromptError": "base.errors",
    "PromptLibrary": "core.prompts",
    "Reads": "agents.declared_agent",
    "Recommendation": "base.vocabulary",
    "RecordEnded": "base.errors",
    "RegistryError": "base.errors",
    "Repair": "verification.repair.planning",
    "ReplayBackend": "backends.replay",
    "ReplayMismatch": "base.errors",
    "ReplyError": "base.errors",
    "Review": "agents.reviewer",
    "ReviewAnswer": "assembly.reviewing",
    "ReviewChoice": "verification.ledger.decisions",
    "ReviewCriterion": "base.vocabulary",
    "ReviewOptions": "assembly.plugins",
    "ReviewQueue": "verification.gate.review",
    "ReviewResult": "assembly.document_review",
    "ReviewStatus": "review.store",
    "ReviewerAgent": "agents.reviewer",
    "ReviewerConfig": "core.config",
    "ReviewerContext": "core.contexts",
    "ReviewerFeedback": "core.artefacts",
    "Role": "core.tasks",
    "RunAnalytics": "core.run_analytics",
    "RunDirectoryError": "base.errors",
    "RunOptions": "assembly.plugins",
    "RunStatus": "core.approval",
    "RunStream": "assembly.analysis",
    "Scale": "experiments.statistics.samples",
    "SearchAnswer": "sources.search.model",
    "SearchHit": "sources.search.model",
    "SearchProvider": "sources.search.model",
    "SearchUnavailable": "sources.search.model",
    "SemanticEvidence": "assembly.validator",
    "SemanticValidator": "assembly.validator",
    "SettingValues": "assembly.setting_values",
    "SettingsError": "base.errors",
    "SettlementAnswer": "core.settlement",
    "SettlementCase": "core.settlement",
    "SettlementPolicy": "core.settlement",
    "Severity": "base.vocabulary",
    "SnapshotError": "base.errors",
    "SourceBinding": "verification.ledger.binding",
    "SourceError": "base.errors",
    "Stance": "base.vocabulary",
    "StorageError": "base.errors",
    "Success": "core.tasks",
    "TaskTools": "core.task_tools",
    "TemplateError": "base.errors",
    "TemplateLibrary": "core.templates",
    "ToolFailure": "core.tasks",
    "ToolSpec": "core.tasks",
    "TransitionRefused": "base.errors",
    "TrialItem": "experiments.experiment",
    "TrialMetric": "experiments.experiment",
    "TrialRecord": "experiments.metrics",
    "Turn": "core.tasks",
    "TurnLimits": "core.tasks",
    "TurnUsage": "core.tasks",
    "ValidationResult": "assembly.validator",
    "Verdict": "base.vocabulary",
    "check": "assembly.check",
    "check_async": "assembly.check",
    "decide_claims": "assembly.reviewing",
    "detect_factual_claims": "assembly.validator",
    "export_record": "assembly.exporting",
    "finding_id": "base.finding",
    "pack_run": "packs.verify",
    "replay_run": "assembly.replaying",
    "replay_run_async": "assembly.replaying",
    "resume_review": "assembly.document_review",
    "resume_review_sync": "assembly.document_review",
    "resume_run": "assembly.analysis",
    "resume_run_async": "assembly.analysis",
    "review_document": "assembly.document_review",
    "review_document_sync": "assembly.document_review",
    "review_queue": "assembly.reviewing",
    "run_analysis": "assembly.analysis",
    "run_analysis_async": "assembly.analysis",
    "verify_pack": "packs.verify",
    "verify_pack_async": "packs.verify",
}

__all__ = [
    "Adviser",
    "Agent",
    "AgentBackend",
    "AgentCritic",
    "AgentRules",
    "AgentTask",
    "Analysis",
    "AnalystAgent",
    "AnalystConfig",
    "AnalystContext",
    "ApprovalBasis",
    "ArtefactFile",
    "BackendUnavailable",
    "BaseAgent",
    "BaseAgentConfig",
    "BaseContext",
    "BudgetExceeded",
    "CheckResult",
    "Claim",
    "ClaudeBackend",
    "ClaudeSettings",
    "Correction",
    "Credential",
    "CredentialKind",
    "Critic",
    "Direction",
    "DocumentError",
    "DraftWork",
    "Drafter",
    "EditPolicy",
    "Error",
    "Examination",
    "ExitCode",
    "Experiment",
    "ExperimentResult",
    "Export",
    "ExportFormat",
    "FactCheck",
    "FactChecked",
    "FactCheckerAgent",
    "FactCheckerConfig",
    "FactCheckerContext",
    "FailureKind",
    "Finding",
    "FoureyesError",
    "GateCase",
    "GateDecision",
    "GateObjection",
    "GatePolicy",
    "GateResult",
    "InputError",
    "Issue",
    "IssueType",
    "IterationResult",
    "IterationWork",
    "Judge",
    "JudgeAgent",
    "JudgeConfig",
    "JudgeContext",
    "JudgeWork",
    "Judgement",
    "Ledger",
    "LedgerEntry",
    "Location",
    "OfflineBackend",
    "PackReport",
    "Pipeline",
    "PipelineConfig",
    "PipelineMode",
    "PipelineResult",
    "Progress",
    "PromptError",
    "PromptLibrary",
    "Reads",
    "Recommendation",
    "RecordEnded",
    "RegistryError",
    "Repair",
    "ReplayBackend",
    "ReplayMismatch",
    "ReplyError",
    "Review",
    "ReviewAnswer",
    "ReviewChoice",
    "ReviewCriterion",
    "ReviewOptions",
    "ReviewQueue",
    "ReviewResult",
    "ReviewStatus",
    "ReviewerAgent",
    "ReviewerConfig",
    "ReviewerContext",
    "ReviewerFeedback",
    "Role",
    "RunAnalytics",
    "RunDirectoryError",
    "RunOptions",
    "RunStatus",
    "RunStream",
    "Scale",
    "SearchAnswer",
    "SearchHit",
    "SearchProvider",
    "SearchUnavailable",
    "SemanticEvidence",
    "SemanticValidator",
    "SettingValues",
    "SettingsError",
    "SettlementAnswer",
    "SettlementCase",
    "SettlementPolicy",
    "Severity",
    "SnapshotError",
    "SourceBinding",
    "SourceError",
    "Stance",
    "StorageError",
    "Success",
    "TaskTools",
    "TemplateError",
    "TemplateLibrary",
    "ToolFailure",
    "ToolSpec",
    "TransitionRefused",
    "TrialItem",
    "TrialMetric",
    "TrialRecord",
    "Turn",
    "TurnLimits",
    "TurnUsage",
    "ValidationResult",
    "Verdict",
    "__version__",
    "check",
    "check_async",
    "decide_claims",
    "detect_factual_claims",
    "export_record",
    "finding_id",
    "pack_run",
    "replay_run",
    "replay_run_async",
    "resume_review",
    "resume_review_sync",
    "resume_run",
    "resume_run_async",
    "review_document",
    "review_document_sync",
    "review_queue",
    "run_analysis",
    "run_analysis_async",
    "verify_pack",
    "verify_pack_async",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
