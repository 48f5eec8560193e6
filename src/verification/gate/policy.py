"""The gate's limits: `config/registry/gate.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from pydantic import Field, model_validator

from ...base.registry import RegistryModel
from ...base.vocabulary import ResearchMode


class DocumentProfile(RegistryModel):
    """Limits of the profile `document`: shares of supported among checkable claims."""

    pass_rate: float = Field(gt=0, le=1)
    review_rate: float = Field(gt=0, le=1)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.review_rate > self.pass_rate:
            raise ValueError("review_rate must not be above pass_rate")
        return self


class VerifiedLimits(RegistryModel):
    """How many claims, and which share of them, have to be verified.

    Fail below `fail_rate` or `fail_below`; pass from `pass_count` on, or from `soft_count` on at
    `soft_rate`; leave to a person from `review_rate` on; else fail.
    """

    fail_rate: float = Field(ge=0, le=1)
    fail_below: int = Field(ge=1)
    pass_count: int = Field(ge=1)
    soft_count: int = Field(ge=1)
    soft_rate: float = Field(gt=0, le=1)
    review_rate: float = Field(gt=0, le=1)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not self.fail_rate <= self.review_rate <= self.soft_rate:
            raise ValueError("fail_rate, review_rate and soft_rate must not fall")
        if not self.fail_below <= self.soft_count <= self.pass_count:
            raise ValueError("fail_below, soft_count and pass_count must not fall")
        return self


class ModeLimits(RegistryModel):
    """Limits of one mode of research; `verified` is None where no claim has to be verified."""

    findings_min: int = Field(ge=0)
    sources_min: int = Field(ge=0)
    reliable_ratio_min: float = Field(ge=0, lt=1)
    authoritative_counts: int = Field(ge=1)
    verified: VerifiedLimits | None = None


class AdaptiveFloor(RegistryModel):
    """Minimum of findings if the share of successful reads is less than `below`."""

    below: float = Field(ge=0, le=1)
    of_findings: int = Field(ge=0)
    floor: int = Field(ge=0)


class ResearchProfile(RegistryModel):
    """Limits of the profile `research`."""

    adaptive: AdaptiveFloor
    modes: Mapping[ResearchMode, ModeLimits]

    @model_validator(mode="after")
    def _every_mode(self) -> Self:
        missing = [mode.value for mode in ResearchMode if mode not in self.modes]
        if missing:
            raise ValueError(f"modes lacks {', '.join(missing)}")
        return self


class GateProfiles(RegistryModel):
    """`config/registry/gate.yaml`."""

    document: DocumentProfile
    research: ResearchProfile
