"""The rubric of the offline reviewer: `config/registry/rubric.yaml`."""

from __future__ import annotations

from pydantic import Field

from ...base.registry import RegistryModel
from ...base.vocabulary import Severity

RUBRIC_FILE = "rubric.yaml"


class StructureRules(RegistryModel):
    """Required sections, headings and length."""

    heading_match: float = Field(gt=0, le=1)
    length_margin: float = Field(ge=0)
    needs_headings: int = Field(ge=0)


class CoverageRules(RegistryModel):
    """Shares of a question's words."""

    in_section: float = Field(gt=0, le=1)
    in_document: float = Field(gt=0, le=1)
    hardly_in_section: float = Field(ge=0, le=1)
    hardly_in_document: float = Field(ge=0, le=1)


class DensityRules(RegistryModel):
    """Figures without a citation."""

    enough: float = Field(ge=0, le=1)
    bare_section: int = Field(ge=1)
    most_issues: int = Field(ge=1)
    about_itself: tuple[str, ...]


class HedgingRules(RegistryModel):
    """Too little and too much certainty."""

    hedges: tuple[str, ...]
    stacked: int = Field(ge=2)
    share: float = Field(gt=0, le=1)
    few: int = Field(ge=1)
    weasels: tuple[str, ...]
    overclaims: tuple[str, ...]


class ConsistencyRules(RegistryModel):
    """The same statement with different values."""

    same_statement: float = Field(gt=0, le=1)
    shared_words: int = Field(ge=1)
    tolerance: float = Field(ge=0)
    about_tolerance: float = Field(ge=0)
    distinguishing: tuple[str, ...]
    most_compared: int = Field(ge=1)


class ReadabilityRules(RegistryModel):
    """Lengths in words, and abbreviations."""

    longest_sentence: int = Field(ge=1)
    mean_sentence: int = Field(ge=1)
    longest_paragraph: int = Field(ge=1)
    most_issues: int = Field(ge=1)
    acronym_uses: int = Field(ge=1)
    known_acronyms: frozenset[str]


class Rubric(RegistryModel):
    """`config/registry/rubric.yaml`."""

    weights: dict[Severity, float]
    structure: StructureRules
    coverage: CoverageRules
    citation_density: DensityRules
    hedging: HedgingRules
    consistency: ConsistencyRules
    readability: ReadabilityRules
