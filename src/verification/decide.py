"""The fitted decision: features to probabilities, then the rules that override them.

Features in `READ` need a reader; without one the decision uses weights that were fitted without
them. A multinomial logistic regression over the features gives the probabilities of supported,
contradicted and unverifiable. Its weights are data (`config/models/decision.json`), made by
`training/fit.py`; the reasons are the features that moved it most. The order of the rules is that
of the table in `system-architecture.md`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

from pydantic import Field, model_validator

from ..base.registry import RegistryModel, packaged_file
from ..base.vocabulary import Verdict
from .reader.model import Reader

LABELS = (Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNVERIFIABLE)
DECISION_FILE = "decision.json"
_REASONS = 3
# Each feature by its name, with the words of a reason; "" if it tells a person nothing.
READ: Mapping[str, str] = {
    "support": "the passage supports it",
    "contradiction": "the passage contradicts it",
    "most_support": "",
    "most_contradiction": "",
}
# The share of the claim's words that the best places of the source have: for want of a reader.
UNREAD: Mapping[str, str] = {"coverage": ""}
_SAYS = {"support": Verdict.SUPPORTED, "contradiction": Verdict.CONTRADICTED}
EXACT: Mapping[str, str] = {
    "digits_nowhere": "a number in digits stands nowhere in the source that it cites",
    "unit_differs": "a figure stands in the source with another unit or scale",
    "one_figure_differs": "one figure differs and the others are found",
    "other_row": "figures stand in another row of the table",
    "bound_elsewhere": "the words beside a figure stand beside another one in the source",
    "derived": "a figure follows from others of the source",
    "by_accident": "a figure that it derives may come out by accident",
    "short_claim": "",
    "figures": "",
    "several_sources": "",
}


class FittedModel(RegistryModel):
    """Weights of a logistic regression: a feature's value is (x - mean) / scale, then weighted."""

    features: tuple[str, ...]
    mean: tuple[float, ...]
    scale: tuple[Annotated[float, Field(gt=0)], ...]
    weights: tuple[tuple[float, float, float], ...]
    constant: tuple[float, float, float]

    @model_validator(mode="after")
    def _match(self) -> FittedModel:
        unknown = set(self.features) - set(READ) - set(UNREAD) - set(EXACT)
        if unknown:
            raise ValueError(f"unknown feature {min(unknown)!r}")
        if not len(self.features) == len(self.mean) == len(self.scale) == len(self.weights):
            raise ValueError("features, mean, scale and weights differ in length")
        return self


class Thresholds(RegistryModel):
    """Probabilities (0-1) from which on a verdict is given.

    A claim is supported from P(supported) >= `supported` on, contradicted by reading from
    P(contradicted) >= `contradicted` on, and surely not stated where P(supported) < `stated`. It is
    not supported, whatever else speaks for it, where the reader gives less than `read` to that.
    """

    supported: float = Field(ge=0, le=1)
    contradicted: float = Field(ge=0, le=1)
    stated: float = Field(ge=0, le=1)
    read: float = Field(ge=0, le=1)


class FittedDecision(RegistryModel):
    """A model with its thresholds, and what they were fitted on and cost there."""

    reader: str
    model: FittedModel
    thresholds: Thresholds
    fitted_on: str
    risk: dict[str, float]


class DecisionFile(RegistryModel):
    """`config/models/decision.json`: one decision with a reader, one without."""

    schema_version: Literal[1]
    with_reader: FittedDecision
    without_reader: FittedDecision

    def of(self, reader: Reader) -> FittedDecision:
        """The decision for what `reader` gives."""
        return self.with_reader if reader.available else self.without_reader


@dataclass(frozen=True, slots=True)
class Probabilities:
    """How likely each verdict is (0-1, sum 1), and why in plain words."""

    supported: float
    contradicted: float
    unverifiable: float
    reasons: tuple[str, ...]


def weigh(model: FittedModel, features: Mapping[str, float]) -> Probabilities:
    """The probabilities that follow from `features`, which have all that the model weighs."""
    standard = [
        (features[name] - mean) / scale
        for name, mean, scale in zip(model.features, model.mean, model.scale, strict=True)
    ]
    scores = [
        constant
        + sum(value * row[label] for value, row in zip(standard, model.weights, strict=True))
        for label, constant in enumerate(model.constant)
    ]
    powers = [math.exp(score - max(scores)) for score in scores]
    probabilities = [power / sum(powers) for power in powers]
    winner = max(range(len(LABELS)), key=lambda label: probabilities[label])
    supported, contradicted, unverifiable = probabilities
    reasons = _reasons(model, features, standard, winner)
    return Probabilities(supported, contradicted, unverifiable, reasons)


def _reasons(
    model: FittedModel, features: Mapping[str, float], standard: Sequence[float], winner: int
) -> tuple[str, ...]:
    """The features that spoke most for the likeliest verdict, of those that the claim has."""
    words, label = {**READ, **UNREAD, **EXACT}, LABELS[winner]
    spoken = [
        (value * row[winner], name)
        for value, row, name in zip(standard, model.weights, model.features, strict=True)
        if value > 0 and features[name] > 0 and _SAYS.get(name, label) is label
    ]
    reasons = (words[name] for weight, name in sorted(spoken, reverse=True) if weight > 0)
    return tuple(filter(None, reasons))[:_REASONS]


@cache
def load_decision() -> DecisionFile:
    """The packaged decision.

    Raises:
        RegistryError: The file is broken or does not validate.
    """
    return packaged_file(DecisionFile, f"models/{DECISION_FILE}")
