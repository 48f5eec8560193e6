"""Stance scores of a passage towards a claim, and the protocol of what computes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

NO_READER = "none"
"""Identity of `NoReader`."""

TextPair = tuple[str, str]
"""A passage and the claim that it is read for."""


@dataclass(frozen=True, slots=True)
class StanceScores:
    """Probabilities that a passage supports, contradicts or does neither; they sum to 1."""

    supports: float
    contradicts: float
    neutral: float


class Reader(Protocol):
    """Scores pairs of passage and claim; readers of one identity score equal pairs alike."""

    @property
    def identity(self) -> str:
        """A SHA-256 of what determines the scores, ``none`` if nothing reads."""
        ...

    @property
    def available(self) -> bool:
        """Whether `read` may be called."""
        ...

    def read(self, pairs: Sequence[TextPair]) -> Sequence[StanceScores]:
        """Scores of `pairs`, in their order.

        Raises:
            InputError: The model's files are missing or broken.
        """
        ...


@dataclass(frozen=True, slots=True)
class NoReader:
    """Stands for a reader where meaning is not to be read; callers ask `available` first."""

    identity: str = NO_READER
    available: bool = False

    def read(self, pairs: Sequence[TextPair]) -> Sequence[StanceScores]:
        """Refuse, whatever `pairs` are.

        Raises:
            RuntimeError: Always.
        """
        raise RuntimeError(f"no reader is available for {len(pairs)} pairs; ask `available` first")
