"""The bounds of recovery, gap analysis and deepening: `config/registry/deepening.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from pydantic import Field, model_validator

from ...base.registry import RegistryModel
from .model import CLAIM_GAPS, GapKind, GapPriority


class ClaimPriority(RegistryModel):
    """How much a gap matters, by whether the claim carries a main point."""

    load_bearing: GapPriority
    other: GapPriority


class DeepeningPolicy(RegistryModel):
    """The whole of `deepening.yaml`; the file explains each entry."""

    recovered_sources: int = Field(ge=0, le=10)
    compared: int = Field(ge=0)
    deepening_iterations: int = Field(ge=0, le=2)
    queries: int = Field(ge=0, le=50)
    listed_gaps: int = Field(ge=1)
    listed_claims: int = Field(ge=1)
    priorities: Mapping[GapKind, ClaimPriority]

    @model_validator(mode="after")
    def _every_kind(self) -> Self:
        if frozenset(self.priorities) != CLAIM_GAPS:
            named = ", ".join(sorted(CLAIM_GAPS))
            raise ValueError(f"priorities must have exactly {named}")
        return self
