"""What each agent of a document review is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ..sources.model import SourceSet
from .contexts import BaseContext
from .review_types import (
    DefenceInput,
    ExtractionInput,
    RedReviewInput,
    SmokeInput,
    WebCheckInput,
)
from .types import EvidenceDesk


@dataclass(frozen=True, slots=True, kw_only=True)
class RedReviewContext(BaseContext):
    """One lens of the red team."""

    inputs: RedReviewInput


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenceContext(BaseContext):
    """One finding to kill."""

    inputs: DefenceInput


@dataclass(frozen=True, slots=True, kw_only=True)
class SmokeContext(BaseContext):
    """One tester's share; `name` tells it from the others (``findings-1``, ``claims-2``)."""

    name: str
    inputs: SmokeInput


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionContext(BaseContext):
    """The claims of the document; `name` tells the parts of a long one apart (``part-1``)."""

    name: str
    inputs: ExtractionInput


class OutsideDesk(EvidenceDesk, Protocol):
    """What a web verifier may ask of the sources: `core.web_desk.WebDesk`."""

    def at_hand(self) -> SourceSet:
        """Every source that the review can read, those fetched in turns too."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WebCheckContext(BaseContext):
    """One batch of claims to verify; `name` tells batches apart (``batch-01``).

    `max_webfetches` and `max_searches` are the allowances that all batches share, 0 where there is
    nobody to ask.
    """

    name: str
    inputs: WebCheckInput
    desk: OutsideDesk
    max_webfetches: int
    max_searches: int
