"""Flaws of a document, the lens that finds each kind, and the rules of `redteam.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, TypeAdapter, WithJsonSchema

from ..base.registry import RegistryModel, complete, expression, load_registry_file
from ..base.vocabulary import Location, Severity

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=1)]
WordList = Annotated[tuple[str, ...], Field(min_length=1)]
_WORD_LIST: TypeAdapter[tuple[str, ...]] = TypeAdapter(WordList)
_AS_LIST = WithJsonSchema(_WORD_LIST.json_schema())


class Lens(StrEnum):
    """The three red reviewers of a document (document review spec, phase 1)."""

    TEXTUAL = "textual"
    ANALYTICAL = "analytical"
    STRATEGIC = "strategic"


class FlawKind(StrEnum):
    """Kinds of flaws that rules find."""

    BROKEN_REFERENCE = "broken_reference"
    DANGLING_NOTE = "dangling_note"
    UNDEFINED_ACRONYM = "undefined_acronym"
    INCONSISTENT_NAME = "inconsistent_name"
    INCONSISTENT_NUMBER = "inconsistent_number"
    ARITHMETIC_ERROR = "arithmetic_error"
    UNSUPPORTED_STATISTIC = "unsupported_statistic"
    UNSUPPORTED_CONCLUSION = "unsupported_conclusion"


LENSES: Mapping[FlawKind, Lens] = {
    **dict.fromkeys(tuple(FlawKind)[:4], Lens.TEXTUAL),
    **dict.fromkeys(tuple(FlawKind)[4:], Lens.ANALYTICAL),
}
"""The lens of each kind. Only a model looks through the strategic lens."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something wrong at a place: `quote` is the document's text from `location.start` to `end`.

    `problem` is one sentence for the author. `related` are other places that it is about: the
    other value, the first of two equal passages.
    """

    kind: FlawKind
    quote: str
    location: Location
    problem: str
    severity: Severity
    _: KW_ONLY
    related: tuple[Location, ...] = ()


def word_pattern(words: Iterable[str], around: str = "{}") -> re.Pattern[str]:
    """Finds any of `words` whole and in any case, `around` them; white space matches any.

    Raises:
        re.error: One of them is no regular expression.
    """
    forms = sorted((r"\s+".join(word.split()) for word in words), key=len, reverse=True)
    whole = rf"(?<![\w-])(?:{'|'.join(forms)})(?![\w-])"
    return re.compile(around.replace("{}", whole), re.IGNORECASE)


def _around(pattern: str) -> BeforeValidator:
    """Makes one pattern of a list of words, in the place of the braces."""

    def compiled(value: object) -> re.Pattern[str]:
        words = _WORD_LIST.validate_python(value)
        return word_pattern(map(expression, words), pattern)

    return BeforeValidator(compiled)


Words = Annotated[re.Pattern[str], _around("{}"), _AS_LIST]
AtStart = Annotated[re.Pattern[str], _around(r"\W*{}"), _AS_LIST]


class ReferenceRules(RegistryModel):
    """Words for numbered parts, and signs that a reference leads to another work."""

    sections: WordList
    captioned: WordList
    elsewhere: WordList
    codes: WordList


class AcronymRules(RegistryModel):
    """How often an acronym is used before it must be spelled out, and which never must."""

    uses: Count
    known: frozenset[str]


class SpellingRules(RegistryModel):
    """When two words are two spellings of one."""

    name_letters: Count
    name_changes: Count
    rare_share: Share


class StatisticRules(RegistryModel):
    """Words of statistics, and signs that one is the document's own."""

    words: Annotated[re.Pattern[str], _around("{}|%"), _AS_LIST]
    fractions: Words
    own: Words
    surveyed: Words


class ConclusionRules(RegistryModel):
    """How a conclusion begins, and how much of it must stand before it."""

    openers: AtStart
    shared: Share
    fewest_words: Count


class RestatementRules(RegistryModel):
    """Words that tell whether two statements are of one thing.

    `weightless` words need not be in both of two statements. `measures` are the dimensions that a
    unit stands for where its value belongs to a thing, `dimensions` those of an adjective behind
    it. If only one of two statements has a word of `scope`, both may hold.
    """

    measures: Mapping[str, str]
    dimensions: Mapping[str, str]
    scope: frozenset[str]
    weightless: frozenset[str]


class RedTeamRules(RegistryModel):
    """`redteam.yaml`."""

    severity: Annotated[Mapping[FlawKind, Severity], complete(FlawKind)]
    references: ReferenceRules
    acronyms: AcronymRules
    spelling: SpellingRules
    statistics: StatisticRules
    conclusions: ConclusionRules
    restatement: RestatementRules


def load_rules(folder: Path | None = None) -> RedTeamRules:
    """The rules, from the user's `folder` if `redteam.yaml` is in it.

    Raises:
        RegistryError: The file cannot be read or does not validate.
    """
    return load_registry_file(RedTeamRules, "redteam.yaml", folder)
