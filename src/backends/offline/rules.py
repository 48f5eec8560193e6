"""Rules of the offline agents, read from the registry."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import Field

from ...base.errors import RegistryError
from ...base.registry import RegistryModel, load_registry_file
from ...base.vocabulary import Severity
from ...claims.lexicon import Lexicon, load_lexicon, phrase_pattern
from ...core.brief import BriefReading, load_brief_reading
from ...redteam.rules import RedTeamRules, load_rules

EXTRACTION_FILE = "extraction.yaml"
RUBRIC_FILE = "rubric.yaml"


class Asked(StrEnum):
    """Kind of answer that a question asks for."""

    NUMBER = "number"
    MONEY = "money"
    DATE = "date"
    NAME = "name"
    CAUSE = "cause"


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
    figure_bonus: float = Field(ge=0, le=1)
    kind_bonus: float = Field(ge=0, le=1)
    lead_bonus: float = Field(ge=0, le=1)
    heading_weight: float = Field(ge=0, le=1)
    related_weight: float = Field(ge=0, le=1)
    per_section: int = Field(ge=1)
    per_source: int = Field(ge=1)
    overview: int = Field(ge=1)
    words_per_sentence: int = Field(ge=1)
    judgement: tuple[str, ...]
    judgement_questions: tuple[str, ...]
    related: tuple[tuple[str, ...], ...]
    asks: dict[Asked, tuple[str, ...]]
    causes: tuple[str, ...]
    leaning: dict[str, tuple[str, ...]]
    pronouns: dict[str, tuple[str, ...]]
    pronoun_window: int = Field(ge=0)
    refers_back: dict[str, tuple[str, ...]]
    table_words: tuple[str, ...]
    unfit: tuple[str, ...]
    furniture: tuple[str, ...]
    instructions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Extraction:
    """The extraction registry, its word lists as patterns.

    `leaning` and `refers_back` are matched at a sentence's start.
    """

    file: ExtractionFile
    asks: Mapping[Asked, re.Pattern[str]]
    causes: re.Pattern[str]
    judgement_questions: re.Pattern[str]
    leaning: Mapping[str, re.Pattern[str]]
    pronouns: Mapping[str, frozenset[str]]
    refers_back: Mapping[str, re.Pattern[str]]
    table_words: re.Pattern[str]
    unwanted: re.Pattern[str]


def compile_extraction(file: ExtractionFile) -> Extraction:
    """`file` with its patterns compiled.

    Raises:
        RegistryError: A pattern is not a regular expression.
    """
    patterns = (*file.unfit, *file.furniture, *file.instructions)
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise RegistryError(f"{EXTRACTION_FILE}: {pattern!r}: {error}") from error
    return Extraction(
        file=file,
        asks={asked: phrase_pattern(words) for asked, words in file.asks.items()},
        causes=phrase_pattern(file.causes),
        judgement_questions=phrase_pattern(file.judgement_questions),
        leaning={code: phrase_pattern(words) for code, words in file.leaning.items()},
        pronouns={code: frozenset(words) for code, words in file.pronouns.items()},
        refers_back={code: phrase_pattern(words) for code, words in file.refers_back.items()},
        table_words=phrase_pattern(file.table_words),
        unwanted=re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE),
    )


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
    about_itself: tuple[str, ...]


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
    extraction: Extraction
    rubric: Rubric
    lexicon: Lexicon
    red_team: RedTeamRules


def load_offline_rules(folder: Path | None = None) -> OfflineRules:
    """Load the rules from `folder` or the packaged registry.

    Raises:
        RegistryError: A file is broken or does not validate.
    """
    lexicon = load_lexicon(folder)
    return OfflineRules(
        reading=load_brief_reading(folder),
        extraction=compile_extraction(load_registry_file(ExtractionFile, EXTRACTION_FILE, folder)),
        rubric=load_registry_file(Rubric, RUBRIC_FILE, folder),
        lexicon=lexicon,
        red_team=load_rules(folder),
    )
