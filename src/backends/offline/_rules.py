"""Rules of the offline agents, read from the registry."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import Field

from ...base.registry import PhrasePattern, RegistryModel, load_registry_file
from ...base.vocabulary import Severity
from ...claims.lexicon import Lexicon, load_lexicon
from ...core.brief import BriefReading, load_brief_reading
from ...redteam.model import RedTeamRules, load_rules


class ExtractionFile(RegistryModel):
    """How sentences are picked from the sources; the file explains each entry."""

    min_words: int = Field(ge=1)
    max_words: int = Field(ge=1)
    min_chars: int = Field(ge=1)
    max_chars: int = Field(ge=1)
    answers: float = Field(gt=0, le=1)
    answers_long: float = Field(gt=0, le=1)
    long_question: int = Field(ge=1)
    min_shared_words: int = Field(ge=1)
    near_best: float = Field(ge=0, le=1)
    belongs: float = Field(gt=0, le=1)
    same: float = Field(gt=0, le=1)
    heading_weight: float = Field(ge=0, le=1)
    related_weight: float = Field(ge=0, le=1)
    per_section: int = Field(ge=1)
    per_source: int = Field(ge=1)
    overview: int = Field(ge=1)
    words_per_sentence: int = Field(ge=1)
    judgement: tuple[str, ...]
    judgement_questions: PhrasePattern
    related: tuple[tuple[str, ...], ...]
    leaning: dict[str, PhrasePattern]
    pronouns: dict[str, tuple[str, ...]]
    pronoun_window: int = Field(ge=0)
    refers_back: dict[str, PhrasePattern]
    table_words: PhrasePattern
    unfit: tuple[re.Pattern[str], ...]
    furniture: tuple[re.Pattern[str], ...]
    instructions: tuple[re.Pattern[str], ...]

    @cached_property
    def unwanted(self) -> re.Pattern[str]:
        """Words that no sentence taken may hold."""
        patterns = (*self.unfit, *self.furniture, *self.instructions)
        return re.compile("|".join(f"(?:{one.pattern})" for one in patterns), re.IGNORECASE)


class StructureRules(RegistryModel):
    """Limits of sections and length."""

    heading_match: float = Field(gt=0, le=1)
    length_margin: float = Field(ge=0)


class CoverageRules(RegistryModel):
    """Shares of a question's words."""

    in_section: float = Field(gt=0, le=1)
    in_document: float = Field(gt=0, le=1)
    hardly_in_section: float = Field(ge=0, le=1)
    hardly_in_document: float = Field(ge=0, le=1)


class DensityRules(RegistryModel):
    """Limits of figures without a citation."""

    enough: float = Field(ge=0, le=1)
    bare_section: int = Field(ge=1)
    most_issues: int = Field(ge=1)
    about_itself: PhrasePattern


class Rubric(RegistryModel):
    """The rubric of the offline reviewer and judge: `config/registry/rubric.yaml`."""

    weights: dict[Severity, float]
    structure: StructureRules
    coverage: CoverageRules
    citation_density: DensityRules


@dataclass(frozen=True, slots=True)
class OfflineRules:
    """Rules for briefs, for picking sentences and for grading drafts, and the words of claims."""

    reading: BriefReading
    extraction: ExtractionFile
    rubric: Rubric
    lexicon: Lexicon
    red_team: RedTeamRules


def load_offline_rules(folder: Path | None = None) -> OfflineRules:
    """Load the rules from `folder` or the packaged registry.

    Raises:
        RegistryError: A file is broken or does not validate.
    """
    return OfflineRules(
        reading=load_brief_reading(folder),
        extraction=load_registry_file(ExtractionFile, "extraction.yaml", folder),
        rubric=load_registry_file(Rubric, "rubric.yaml", folder),
        lexicon=load_lexicon(folder),
        red_team=load_rules(folder),
    )
