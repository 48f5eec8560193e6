"""Limits of the verification, gate, critique, challenge and deepening, from `config/registry/`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from ..base.registry import RegistryModel, complete
from ..base.vocabulary import ChallengeStep, ResearchMode, Severity

Share = Annotated[float, Field(ge=0, le=1)]

CHALLENGE_FILE = "challenge.yaml"


class SearchPolicy(RegistryModel):
    """How passages are looked for.

    `passages` are offered to a checker for a claim. The best `units` of a source are those in which
    its figures, names and rows are looked for first. Of a source that the claim does not cite, more
    is read from the support `worth_reading` on that its best sentences give: below 0.3 lies one of
    1,819 claims of labelled documents that their own source supports. Its best sentences must have
    the share `words` of the claim's words, of one without a figure, a date or a quotation
    `words_alone`: set by hand; without them some 102 of 110 sources that were recommended for 15
    real documents spoke of something else, with them some 15 of 48.
    """

    passages: int = Field(ge=1)
    units: int = Field(ge=1, le=8)
    worth_reading: float = Field(ge=0, le=1)
    words: float = Field(ge=0, le=1)
    words_alone: float = Field(ge=0, le=1)


class NumberPolicy(RegistryModel):
    """Tolerances for equal numbers (decision 4)."""

    about: float = Field(ge=0, le=0.5)
    about_fraction: float = Field(ge=0, le=0.5)
    one_sided: float = Field(ge=0, le=1)
    exact_below: int = Field(ge=0)


class VerificationPolicy(RegistryModel):
    """`config/registry/verification.yaml`."""

    search: SearchPolicy
    numbers: NumberPolicy


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
    modes: Annotated[Mapping[ResearchMode, ModeLimits], complete(ResearchMode)]


class GateProfiles(RegistryModel):
    """`config/registry/gate.yaml`."""

    document: DocumentProfile
    research: ResearchProfile


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
    weights: Annotated[Mapping[Dimension, Share], complete(Dimension)]
    floors: Mapping[Dimension, Share]
    coverage: CoverageRules
    depth: DepthRules
    accuracy: AccuracyRules
    novelty: NoveltyRules
    coherence: CoherenceRules
    citation_quality: CitationRules

    @model_validator(mode="after")
    def _weighs_something(self) -> Self:
        if not sum(self.weights.values()):
            raise ValueError("weights must not all be 0")
        return self


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
