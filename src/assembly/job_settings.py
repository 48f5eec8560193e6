"""The settings of jobs: the same for all workers, and how their limits combine."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from decimal import Decimal
from typing import TypeVar

from ..base.errors import InputError
from .model import AGENT_KEYS, PROTECTED, Settings
from .rules import rules_digest

OURS = frozenset({"out", "memory", "source_cache", "require_approval", "require_independent"})
"""Settings that whoever places jobs sets, that are each machine's own, or only set exit codes."""
LimitT = TypeVar("LimitT", Decimal, float)


def settings_digest(settings: Settings) -> str:
    """A digest of the settings that decide results; output folders do not count.

    The user's own registry, prompts and templates count by what they say.

    Raises:
        StorageError: One of those could not be read.
    """
    text = settings.model_dump_json(exclude=set(OURS)) + rules_digest(settings)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def require_same_settings(settings: Settings, digest: str, whose: str) -> None:
    """Refuse to work under other settings than those of `whose` jobs.

    Raises:
        InputError: `settings` come to another digest.
    """
    if settings_digest(settings) != digest:
        raise InputError(
            f"this worker's settings are not those of {whose}",
            "give all workers the same FOUREYES_ variables, config file, registry, prompts and "
            "templates, unchanged since it began",
        )


def protected_key(names: Iterable[str]) -> str:
    """The first of the settings `names` that a file in a working folder may not set, or ""."""
    return next((name for name in names if name in PROTECTED or name in AGENT_KEYS), "")


def tighter(one: LimitT | None, other: LimitT | None) -> LimitT | None:
    """The lower of two limits; None is no limit."""
    given = [limit for limit in (one, other) if limit is not None]
    return min(given, default=None)
