"""The thresholds of `config/registry/verification.yaml`."""

from __future__ import annotations

from pydantic import Field

from ..base.registry import RegistryModel


class SearchPolicy(RegistryModel):
    """How passages are looked for.

    `passages` are offered to a checker for a claim. The best `units` of a source are those in which
    its figures, names and rows are looked for first.
    """

    passages: int = Field(ge=1)
    units: int = Field(ge=1, le=8)


class NumberPolicy(RegistryModel):
    """Tolerances for equal numbers (decision 4)."""

    about: float = Field(ge=0, le=0.5)
    one_sided: float = Field(ge=0, le=1)
    exact_below: int = Field(ge=0)


class VerificationPolicy(RegistryModel):
    """`config/registry/verification.yaml`."""

    search: SearchPolicy
    numbers: NumberPolicy
