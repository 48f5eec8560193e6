"""What each agent of a document review is told."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True, kw_only=True)
class WebCheckContext(BaseContext):
    """One batch of load-bearing claims; `name` tells batches apart (``batch-01``)."""

    name: str
    inputs: WebCheckInput
    sources: SourceSet
    desk: EvidenceDesk
