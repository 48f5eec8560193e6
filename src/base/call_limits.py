"""Limits on calls that cost or burden others, counted where the call is made."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class LimitName(StrEnum):
    """What is counted over all workers, where the call is made."""

    MODEL = "model"
    FETCH = "fetch"


@dataclass(frozen=True, slots=True)
class CallLimit:
    """How many calls there may be. None means no limit.

    `at_once` calls under way, and `calls` begun in any `seconds` (a sliding window, not a bucket).
    """

    at_once: int | None = None
    calls: int | None = None
    seconds: float = 60.0


class CallLimiter(Protocol):
    """Holds a call back until every limit allows it."""

    def call(self, name: LimitName) -> AbstractAsyncContextManager[None]:
        """A place for one call, kept while the block runs."""
        ...
