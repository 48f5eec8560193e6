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
    from .agents.issues import Issue as Issue
    from .agents.own_agent import Agent as Agent
    from .agents.own_agent import Reads as Reads
    from .assembly.analysis import resume_run as resume_run
    from .assembly.analysis import resume_run_async as resume_run_async
    from .assembly.analysis import run_analysis as run_analysis
    from .assembly.analysis import run_analysis_async as run_analysis_async
    from .assembly.check import CheckResult as CheckResult
    from .assembly.check import check as check
    from .assembly.check import check_async as check_async
    from .assembly.document_review import ReviewResult as ReviewResult
    from .assembly.document_review import resume_review as resume_review
    from .assembly.document_review import resume_review_sync as resume_review_sync
    from .assembly.document_review import review_document as review_document
    from .assembly.document_review import review_document_sync as review_document_sync
    from .assembly.packs import PackReport as PackReport
    from .assembly.packs import pack_run as pack_run
    from .assembly.packs import verify_pack as verify_pack
    from .assembly.packs import verify_pack_async as verify_pack_async
    from .assembly.replaying import replay_run as replay_run
    from .assembly.replaying import replay_run_async as replay_run_async
    from .assembly.reviewing import ReviewAnswer as ReviewAnswer
    from .assembly.reviewing import decide_claims as decide_claims
    from .assembly.reviewing import review_queue as review_queue
    from .assembly.validator import SemanticEvidence as SemanticEvidence
    from .assembly.validator import SemanticValidator as SemanticValidator
    from .assembly.validator import ValidationResult as ValidationResult
    from .backends.replay import ReplayBackend as ReplayBackend
    from .base.errors import BackendUnavailable as BackendUnavailable
    from .base.errors import BudgetExceeded as BudgetExceeded
    from .base.errors import DocumentError as DocumentError
    from .base.errors import FoureyesError as FoureyesError
    from .base.errors import InputError as InputError
    from .base.errors import PromptError as PromptError
    from .base.errors import RecordEnded as RecordEnded
    from .base.errors import RegistryError as RegistryError
    from .base.errors import ReplayDeparted as ReplayDeparted
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
    from .core.approval import ApprovalBasis as ApprovalBasis
    from .core.approval import ExitCode as ExitCode
    from .core.approval import RunStatus as RunStatus
    from .core.iteration import IterationResult as IterationResult
    from .core.pipeline import PipelineResult as PipelineResult
    from .core.settlement import SettlementAnswer as SettlementAnswer
    from .core.settlement import SettlementCase as SettlementCase
    from .core.settlement import SettlementPolicy as SettlementPolicy
    from .core.types import ArtefactFile as ArtefactFile
    from .core.types import Critic as Critic
    from .core.types import Error as Error
    from .core.types import Examination as Examination
    from .core.types import FailureKind as FailureKind
    from .core.types import IterationWork as IterationWork
    from .core.types import Progress as Progress
    from .core.types import TurnUsage as TurnUsage
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
    "Agent": "agents.own_agent",
    "ApprovalBasis": "core.approval",
    "ArtefactFile": "core.types",
    "BackendUnavailable": "base.errors",
    "BudgetExceeded": "base.errors",
    "CheckResult": "assembly.check",
    "Claim": "claims.model",
    "Correction": "base.finding",
    "Critic": "core.types",
    "DocumentError": "base.errors",
    "Error": "core.types",
    "Examination": "core.types",
    "ExitCode": "core.approval",
    "FailureKind": "core.types",
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
    "IterationWork": "core.types",
    "Ledger": "verification.model",
    "LedgerEntry": "verification.model",
    "Location": "base.finding",
    "PackReport": "assembly.packs",
    "PipelineResult": "core.pipeline",
    "Progress": "core.types",
    "PromptError": "base.errors",
    "Reads": "agents.own_agent",
    "Recommendation": "base.vocabulary",
    "RecordEnded": "base.errors",
    "RegistryError": "base.errors",
    "Repair": "verification.repair.planning",
    "ReplayBackend": "backends.replay",
    "ReplayDeparted": "base.errors",
    "ReviewAnswer": "assembly.reviewing",
    "ReviewChoice": "verification.ledger.decisions",
    "ReviewCriterion": "base.vocabulary",
    "ReviewQueue": "verification.gate.review",
    "ReviewResult": "assembly.document_review",
    "ReviewStatus": "review.store",
    "RunDirectoryError": "base.errors",
    "RunStatus": "core.approval",
    "SearchAnswer": "sources.search.model",
    "SearchHit": "sources.search.model",
    "SearchProvider": "sources.search.model",
    "SearchUnavailable": "sources.search.model",
    "SemanticEvidence": "assembly.validator",
    "SemanticValidator": "assembly.validator",
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
    "TemplateError": "base.errors",
    "TransitionRefused": "base.errors",
    "TurnUsage": "core.types",
    "ValidationResult": "assembly.validator",
    "Verdict": "base.vocabulary",
    "check": "assembly.check",
    "check_async": "assembly.check",
    "decide_claims": "assembly.reviewing",
    "finding_id": "base.finding",
    "pack_run": "assembly.packs",
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
    "verify_pack": "assembly.packs",
    "verify_pack_async": "assembly.packs",
}

__all__ = [
    "Agent",
    "ApprovalBasis",
    "ArtefactFile",
    "BackendUnavailable",
    "BudgetExceeded",
    "CheckResult",
    "Claim",
    "Correction",
    "Critic",
    "DocumentError",
    "Error",
    "Examination",
    "ExitCode",
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
    "Ledger",
    "LedgerEntry",
    "Location",
    "PackReport",
    "PipelineResult",
    "Progress",
    "PromptError",
    "Reads",
    "Recommendation",
    "RecordEnded",
    "RegistryError",
    "Repair",
    "ReplayBackend",
    "ReplayDeparted",
    "ReviewAnswer",
    "ReviewChoice",
    "ReviewCriterion",
    "ReviewQueue",
    "ReviewResult",
    "ReviewStatus",
    "RunDirectoryError",
    "RunStatus",
    "SearchAnswer",
    "SearchHit",
    "SearchProvider",
    "SearchUnavailable",
    "SemanticEvidence",
    "SemanticValidator",
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
    "TemplateError",
    "TransitionRefused",
    "TurnUsage",
    "ValidationResult",
    "Verdict",
    "__version__",
    "check",
    "check_async",
    "decide_claims",
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
