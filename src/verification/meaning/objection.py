"""Differences of meaning between a claim and a passage, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

FRAMING = "framing"
"""The guard of what a passage says only to deny it, to ask it or to suppose it."""


class ObjectionKind(StrEnum):
    """Why a passage does not say what the claim says."""

    TURN = "turn"  # negation, modality, forecast, attribution, quantifier, condition …
    OPPOSITE = "opposite"  # rose / fell
    NAME = "name"  # another name in the claim's place
    ORDER = "order"  # the same names the other way round
    EXTREME = "extreme"  # a superlative that the passage lacks


@dataclass(frozen=True, slots=True)
class Objection:
    """One difference: what the claim says and what the passage says; one of them may be "".

    `guard` is the class of a turn, or "role" for a difference in who does what to whom. `foreign`
    marks a name that the whole source lacks, `replaced` a name or word for which the passage has
    another in the same place. `flipped` says that the two cannot both be so; otherwise the passage
    says less than the claim. `strength` (0–1) says how sure a difference in roles, or one with
    `flipped`, is. `at` is where the source has what differs, -1 if that is not known. `by_values`
    marks what the figures of a list or of two times show.
    """

    kind: ObjectionKind
    claimed: str
    found: str
    guard: str = ""
    foreign: bool = False
    replaced: bool = False
    strength: float = 0.0
    flipped: bool = False
    at: int = -1
    by_values: bool = False

    @property
    def sort(self) -> str:
        """The class of the difference: its guard, or else its kind."""
        return self.guard or self.kind.value
