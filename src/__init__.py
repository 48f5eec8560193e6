"""foureyes: nothing ships until two independent checkers have approved it.

    import foureyes

    result = foureyes.run_analysis("brief…", sources=["notes/"], with_fact_checker=True)
    report = foureyes.check("report.md", sources=["notes/"])
    review = foureyes.review_document_sync("report.md", yes=True)

The names below are loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .assembly.check import CheckResult as CheckResult
    from .assembly.check import check as check
    from .assembly.check import check_async as check_async
    from .assembly.document_review import ReviewResult as ReviewResult
    from .assembly.document_review import resume_review as resume_review
    from .assembly.document_review import resume_review_sync as resume_review_sync
    from .assembly.document_review import review_document as review_document
    from .assembly.document_review import review_document_sync as review_document_sync
    from .assembly.replaying import replay_run as replay_run
    from .assembly.replaying import replay_run_async as replay_run_async
    from .assembly.reviewing import ReviewAnswer as ReviewAnswer
    from .assembly.reviewing import decide_claims as decide_claims
    from .assembly.reviewing import review_queue as review_queue
    from .assembly.runs import resume_run as resume_run
    from .assembly.runs import resume_run_async as resume_run_async
    from .assembly.runs import run_analysis as run_analysis
    from .assembly.runs import run_analysis_async as run_analysis_async
    from .assembly.validator import SemanticEvidence as SemanticEvidence
    from .assembly.validator import SemanticValidator as SemanticValidator
    from .assembly.validator import ValidationResult as ValidationResult
    from .backends.replay import ReplayBackend as ReplayBackend
    from .base.errors import FoureyesError as FoureyesError
    from .base.errors import InputError as InputError
    from .base.errors import ReplayDeparted as ReplayDeparted
    from .base.finding import Finding as Finding
    from .core.approval import RunStatus as RunStatus
    from .core.pipeline import PipelineResult as PipelineResult
    from .core.settlement import SettlementAnswer as SettlementAnswer
    from .core.settlement import SettlementCase as SettlementCase
    from .core.settlement import SettlementPolicy as SettlementPolicy
    from .review.store import ReviewStatus as ReviewStatus
    from .verification.gate.review import ReviewQueue as ReviewQueue
    from .verification.ledger.binding import SourceBinding as SourceBinding
    from .verification.ledger.decisions import ReviewChoice as ReviewChoice
    from .verification.repair.planning import Repair as Repair

__version__ = "0.1.0"

_HOMES = {
    "CheckResult": "assembly.check",
    "Finding": "base.finding",
    "FoureyesError": "base.errors",
    "InputError": "base.errors",
    "PipelineResult": "core.pipeline",
    "Repair": "verification.repair.planning",
    "ReplayBackend": "backends.replay",
    "ReplayDeparted": "base.errors",
    "ReviewAnswer": "assembly.reviewing",
    "ReviewChoice": "verification.ledger.decisions",
    "ReviewQueue": "verification.gate.review",
    "ReviewResult": "assembly.document_review",
    "ReviewStatus": "review.store",
    "RunStatus": "core.approval",
    "SemanticEvidence": "assembly.validator",
    "SemanticValidator": "assembly.validator",
    "SettlementAnswer": "core.settlement",
    "SettlementCase": "core.settlement",
    "SettlementPolicy": "core.settlement",
    "SourceBinding": "verification.ledger.binding",
    "ValidationResult": "assembly.validator",
    "check": "assembly.check",
    "check_async": "assembly.check",
    "decide_claims": "assembly.reviewing",
    "replay_run": "assembly.replaying",
    "replay_run_async": "assembly.replaying",
    "resume_run": "assembly.runs",
    "resume_run_async": "assembly.runs",
    "resume_review": "assembly.document_review",
    "resume_review_sync": "assembly.document_review",
    "review_document": "assembly.document_review",
    "review_document_sync": "assembly.document_review",
    "review_queue": "assembly.reviewing",
    "run_analysis": "assembly.runs",
    "run_analysis_async": "assembly.runs",
}

__all__ = [
    "CheckResult",
    "Finding",
    "FoureyesError",
    "InputError",
    "PipelineResult",
    "Repair",
    "ReplayBackend",
    "ReplayDeparted",
    "ReviewAnswer",
    "ReviewChoice",
    "ReviewQueue",
    "ReviewResult",
    "ReviewStatus",
    "RunStatus",
    "SemanticEvidence",
    "SemanticValidator",
    "SettlementAnswer",
    "SettlementCase",
    "SettlementPolicy",
    "SourceBinding",
    "ValidationResult",
    "__version__",
    "check",
    "check_async",
    "decide_claims",
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
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
