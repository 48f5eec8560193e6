"""The thresholds and weights of the critique: `config/registry/critique.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from ...base.registry import RegistryModel
from ...base.vocabulary import Severity

Share = Annotated[float, Field(ge=0, le=1)]


class Dimension(StrEnum):
    """Dimension of a document's critique (verify-phase spec, critique)."""

    COVERAGE = "coverage"
    DEPTH = "depth"
    ACCURACY = "accuracy"
    NOVELTY = "novelty"
    COHERENCE = "coherence"
    CITATION_QUALITY = "citation_quality"


class CoverageRules(RegistryModel):
    """Shares of a question's words, and what a question counts that is named as open."""

    named_as_open: Share
    in_section: Share
    in_document: Share
    hardly_in_section: Share
    hardly_in_document: Share


class DepthRules(RegistryModel):
    """How much evidence a question needs."""

    passages: int = Field(ge=1)


class AccuracyRules(RegistryModel):
    """Weight of a load-bearing claim, and credit for a partially supported one."""

    load_bearing: float = Field(ge=1)
    partly: Share


class NoveltyRules(RegistryModel):
    """When a claim says nothing new."""

    times: int = Field(ge=1)
    from_brief: float = Field(gt=0, le=1)


class CoherenceRules(RegistryModel):
    """Penalty for each fault, subtracted from 1."""

    contradiction: Share
    wrong_sum: Share
    empty_section: Share


class CitationRules(RegistryModel):
    """Credit for a citation of low reliability; any other readable citation counts 1."""

    low_reliability: Share


class CritiquePolicy(RegistryModel):
    """`config/registry/critique.yaml`."""

    pass_score: Share
    severity: Severity
    weights: Mapping[Dimension, Share]
    floors: Mapping[Dimension, Share]
    coverage: CoverageRules
    depth: DepthRules
    accuracy: AccuracyRules
    novelty: NoveltyRules
    coherence: CoherenceRules
    citation_quality: CitationRules

    @model_validator(mode="after")
    def _every_dimension(self) -> Self:
        missing = [one.value for one in Dimension if one not in self.weights]
        if missing:
            raise ValueError(f"weights lacks {', '.join(missing)}")
        if not sum(self.weights.values()):
            raise ValueError("weights must not all be 0")
        return self
