"""The thresholds of `config/registry/verification.yaml`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ..base.registry import RegistryModel
from .meaning.support import SupportWeights


class SearchPolicy(RegistryModel):
    """How passages are looked for."""

    passages: int = Field(ge=1)
    candidates: int = Field(ge=1)
    window: int = Field(ge=1, le=5)


class SupportPolicy(RegistryModel):
    """What a claim needs to be supported; shares are 0–1, `longest` is in characters.

    `astray` are the differences of a passage that tells of somebody or of a degree of its own.
    """

    longest: int = Field(ge=1)
    coverage: float = Field(ge=0, le=1)
    plain: float = Field(ge=0, le=1)
    counted: float = Field(ge=0, le=1)
    counted_plain: float = Field(ge=0, le=1)
    proved: float = Field(ge=0, le=1)
    words: float = Field(ge=0, le=1)
    words_plain: float = Field(ge=0, le=1)
    density: float = Field(ge=0, le=1)
    quotation_frame: float = Field(ge=0, le=1)
    near: float = Field(ge=0, le=1)
    telling: float = Field(ge=0, le=1)
    denial: float = Field(ge=0, le=1)
    denial_lead: float = Field(ge=0, le=1)
    on_it: float = Field(ge=0, le=1)
    vouched: float = Field(ge=0, le=1)
    row_label: float = Field(gt=0, le=1)
    astray: frozenset[Literal["name", "extreme", "order", "opposite"]]


class ContradictionPolicy(RegistryModel):
    """What a claim needs to be contradicted; shares are 0–1."""

    coverage: float = Field(ge=0, le=1)
    near: float = Field(ge=0, le=1)
    near_date: float = Field(ge=0, le=1)
    similar_near: float = Field(ge=0, le=1)
    similar_coverage: float = Field(ge=0, le=1)
    slip_coverage: float = Field(ge=0, le=1)
    slip_lead: float = Field(ge=0, le=1)
    lead: float = Field(ge=0, le=1)
    apart: float = Field(ge=0, le=1)
    swap_lead: float = Field(ge=0, le=1)
    same_sentence: float = Field(ge=0, le=1)
    same_density: float = Field(ge=0, le=1)
    role: float = Field(ge=0, le=1)
    denial: float = Field(ge=0, le=1)
    denied: float = Field(ge=0, le=1)
    denied_density: float = Field(ge=0, le=1)
    denied_beside: float = Field(ge=0, le=1)
    denial_lead: float = Field(ge=0, le=1)


class NumberPolicy(RegistryModel):
    """What counts as the same number (decision 4)."""

    about: float = Field(ge=0, le=0.5)
    one_sided: float = Field(ge=0, le=1)
    exact_below: int = Field(ge=0)


class WeightPolicy(RegistryModel):
    """How much a word counts, by where it stands and what it is."""

    synonym: float = Field(ge=0, le=1)
    heading: float = Field(ge=0, le=1)
    elsewhere: float = Field(ge=0, le=1)
    weak: float = Field(ge=0, le=1)
    speaker: float = Field(ge=0, le=1)


class OverrulingPolicy(RegistryModel):
    """What code finds different in a passage that a model chose, and the model may set aside.

    `unsaid` are the classes of what the claim has and the passage says in other words or not at
    all, `reworded` those of what the passage has in their place. No model overrules a passage that
    denies the claim, asks it, supposes it, or tells of it as planned, possible or somebody's view.
    """

    unsaid: frozenset[
        Literal[
            "negation",
            "modality",
            "forecast",
            "attribution",
            "condition",
            "quantifier",
            "cause",
            "period",
            "frequency",
            "currency",
            "direction",
            "time",
            "name",
            "order",
            "beside",
            "extreme",
        ]
    ]
    reworded: frozenset[
        Literal["quantifier", "cause", "period", "frequency", "direction", "time"]
        | Literal["name", "order", "beside", "extreme"]
    ]


class VerificationPolicy(RegistryModel):
    """`config/registry/verification.yaml`."""

    search: SearchPolicy
    support: SupportPolicy
    contradiction: ContradictionPolicy
    numbers: NumberPolicy
    weights: WeightPolicy
    overruling: OverrulingPolicy
    score: SupportWeights
