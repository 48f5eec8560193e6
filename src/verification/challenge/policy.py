"""The limits of `config/registry/challenge.yaml`."""

from __future__ import annotations

from collections.abc import Collection

from pydantic import Field

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
