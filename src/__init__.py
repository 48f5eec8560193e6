"""foureyes: nothing ships until two independent checkers have approved it.

    import foureyes

    result = foureyes.run_analysis("brief…", sources=["notes/"], with_fact_checker=True)
    report = foureyes.check("report.md", sources=["notes/"])

The names below are loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .assembly.check import CheckResult as CheckResult
    from .assembly.check import check as check
    from .assembly.check import check_async as check_async
    from .assembly.replaying import replay_run as replay_run
    from .assembly.replaying import replay_run_async as replay_run_async
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
    from .verification.ledger.binding import SourceBinding as SourceBinding
    from .verification.repair.planning import Repair as Repair

__version__ = "0.1.0"

_HOMES = {
    "CheckResult": "assembly.check",
    "Finding": "base.finding",
    "FoureyesError": "base.errors",
    "InputError": "base.errors",
    "PipelineResult": "core.pipeline",
    "Repair": "verification.repair",
    "ReplayBackend": "backends.replay",
    "ReplayDeparted": "base.errors",
    "RunStatus": "core.approval",
    "SemanticEvidence": "assembly.validator",
    "SemanticValidator": "assembly.validator",
    "SourceBinding": "verification.binding",
    "ValidationResult": "assembly.validator",
    "check": "assembly.check",
    "check_async": "assembly.check",
    "replay_run": "assembly.replaying",
    "replay_run_async": "assembly.replaying",
    "resume_run": "assembly.runs",
    "resume_run_async": "assembly.runs",
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
    "RunStatus",
    "SemanticEvidence",
    "SemanticValidator",
    "SourceBinding",
    "ValidationResult",
    "__version__",
    "check",
    "check_async",
    "replay_run",
    "replay_run_async",
    "resume_run",
    "resume_run_async",
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
