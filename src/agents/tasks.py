"""What the agents' tasks have in common."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

from ..core.types import AgentBackend, answering

Clock: TypeAlias = Callable[[], datetime]

NO_MODEL = "deterministic rules; no language model was used"


def utc_now() -> datetime:
    """The present moment in UTC: the clock of artefacts' time stamps."""
    return datetime.now(UTC)


def time_stamp(clock: Clock) -> str:
    """The moment as in artefacts: ``2025-08-26T16:45:00Z``."""
    return clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def basis_of(backend: AgentBackend) -> str:
    """What an artefact's answer rests on (decision 10)."""
    if not backend.independent:
        return NO_MODEL
    return f"language model (backend {answering(backend)})"
