"""The limits of `config/registry/challenge.yaml` and `config/registry/deepening.yaml`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from ...base.registry import RegistryModel
from ...base.vocabulary import ChallengeStep, Severity

CHALLENGE_FILE = "challenge.yaml"


class ChallengePolicy(RegistryModel):
    """`config/registry/challenge.yaml` (decision 40).

    `claims` bounds how many claims a run challenges by questions and counter-evidence. Those that
    code has settled on every part are left out unless `decided`, those that the document's argument
    does not rest on unless `background`. `words` are what a query for criticism adds. Shares of
    words are 0–1: of a question's in a passage that answers it (`coverage`), common to two claims
    (decision 25). `units` is how many sentences or rows of a source are searched for an answer.
    `severity` is that of the finding which a lowered claim makes.
    """

    steps: tuple[ChallengeStep, ...]
    claims: int = Field(ge=0, le=1000)
    decided: bool
    background: bool
    questions: int = Field(ge=1, le=10)
    coverage: float = Field(gt=0, le=1)
    units: int = Field(ge=1, le=20)
    parallel: int = Field(ge=1, le=32)
    fetches: int = Field(ge=0, le=100)
    words: tuple[str, ...]
    query_characters: int = Field(ge=40, le=200)
    compared: int = Field(ge=0)
    linked: int = Field(ge=0)
    pairs: int = Field(ge=0)
    same_claim: float = Field(gt=0, le=1)
    same_fact: float = Field(gt=0, le=1)
    severity: Severity

    def without(self, steps: Collection[ChallengeStep]) -> ChallengePolicy:
        """The policy with `steps` switched off."""
        return self.model_copy(update={"steps": tuple(s for s in self.steps if s not in steps)})

    def does(self, step: ChallengeStep) -> bool:
        """Whether `step` is switched on."""
        return step in self.steps


class GapPriority(StrEnum):
    """How much a gap matters (verify-phase spec), most first."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """0 for high to 2 for low."""
        return tuple(GapPriority).index(self)

    @property
    def raised(self) -> GapPriority:
        """One step more, or high."""
        return tuple(GapPriority)[max(0, self.rank - 1)]


class GapKind(StrEnum):
    """Kind of gap: in one claim, or from `reads` on in the whole document."""

    UNSOURCED = "unsourced"
    UNSUPPORTED = "unsupported"
    UNAVAILABLE = "unavailable"
    DISPUTED = "disputed"
    UNCORROBORATED = "uncorroborated"
    READS = "reads"
    FINDINGS = "findings"
    SOURCES = "sources"
    RELIABLE_SOURCES = "reliable_sources"


CLAIM_GAPS = frozenset(
    {
        GapKind.UNSOURCED,
        GapKind.UNSUPPORTED,
        GapKind.UNAVAILABLE,
        GapKind.DISPUTED,
        GapKind.UNCORROBORATED,
    }
)
"""The gaps that belong to one claim."""


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
