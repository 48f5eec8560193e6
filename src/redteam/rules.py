"""The registry file `redteam.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, cast

from pydantic import Field, field_validator

from ..base.registry import RegistryModel, load_registry_file
from ..base.vocabulary import Severity
from .model import FlawKind

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=1)]
Words = Annotated[tuple[str, ...], Field(min_length=1)]


def word_pattern(words: Iterable[str]) -> re.Pattern[str]:
    """Finds any of `words` whole and in any case; white space in them matches any.

    Raises:
        re.error: One of them is no regular expression.
    """
    forms = sorted((r"\s+".join(word.split()) for word in words), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(forms)})(?![\w-])", re.IGNORECASE)


class _Words(RegistryModel):
    """A model whose lists of words are patterns; they are tried when the file is loaded."""

    @field_validator("*", mode="after", check_fields=False)
    @classmethod
    def _compiles(cls, value: object) -> object:
        for word in cast("tuple[object, ...]", value) if isinstance(value, tuple) else ():
            if isinstance(word, str):
                try:
                    re.compile(word)
                except re.error as error:
                    raise ValueError(f"{word!r} is no pattern: {error}") from error
        return cast("object", value)


class ReferenceRules(_Words):
    """Words for numbered parts, and signs that a reference leads to another work."""

    sections: Words
    captioned: Words
    elsewhere: Words
    codes: Words


class AcronymRules(RegistryModel):
    """How often an acronym is used before it must be spelled out, and which never must."""

    uses: Count
    known: frozenset[str]


class SpellingRules(RegistryModel):
    """When two words are two spellings of one."""

    name_letters: Count
    name_changes: Count
    rare_share: Share


class StatisticRules(_Words):
    """Words of statistics, and signs that one is the document's own."""

    words: Words
    fractions: Words
    own: Words
    surveyed: Words

    @cached_property
    def fraction(self) -> re.Pattern[str]:
        """A share without a figure."""
        return word_pattern(self.fractions)

    @cached_property
    def survey(self) -> re.Pattern[str]:
        """A sign that the figures around are of the document's own survey."""
        return word_pattern(self.surveyed)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """A statistic."""
        return re.compile(f"{word_pattern(self.words).pattern}|%", re.IGNORECASE)

    @cached_property
    def own_pattern(self) -> re.Pattern[str]:
        """A sign of the document's own work, or of a plan."""
        return word_pattern(self.own)


class ConclusionRules(_Words):
    """How a conclusion begins, and how much of it must stand before it."""

    openers: Words
    shared: Share
    fewest_words: Count

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """An opener at the start of a sentence."""
        return re.compile(rf"\W*{word_pattern(self.openers).pattern}", re.IGNORECASE)


class RestatementRules(_Words):
    """Words that narrow a statement to some cases, so that its value is of another thing.

    `weightless` words need not be in both of two statements. `measures` are the dimensions that a
    unit stands for where its value belongs to a thing, `dimensions` those of an adjective behind
    it. If only one of two statements has a word of `scope`, both may hold.
    """

    measures: Mapping[str, str]
    dimensions: Mapping[str, str]
    scope: frozenset[str]
    weightless: frozenset[str]
    before: Words
    after: Words

    @cached_property
    def narrowing_before(self) -> re.Pattern[str]:
        """A narrowing word at the start of a sentence."""
        return re.compile(rf"\W*{word_pattern(self.before).pattern}", re.IGNORECASE)

    @cached_property
    def narrowing_after(self) -> re.Pattern[str]:
        """A narrowing word right behind."""
        return re.compile(rf"\W?\s*{word_pattern(self.after).pattern}", re.IGNORECASE)


class SumRules(_Words):
    """Words for the relation of one figure of a sentence to the two others."""

    totals_before: Words
    totals_after: Words
    eaches: Words
    rests: Words
    wholes: Words
    changes: Words

    @cached_property
    def total_before(self) -> re.Pattern[str]:
        """Words before a result, at the end of a text."""
        return re.compile(rf"{word_pattern(self.totals_before).pattern}\s*$", re.IGNORECASE)

    @cached_property
    def total_after(self) -> re.Pattern[str]:
        """Words that make the figure before them, and its unit, a result."""
        return re.compile(
            rf"(?:\s[\w-]+){{0,4}}\s{word_pattern(self.totals_after).pattern}", re.IGNORECASE
        )

    @cached_property
    def each(self) -> re.Pattern[str]:
        """A sign of multiplication."""
        return word_pattern(self.eaches)

    @cached_property
    def rest(self) -> re.Pattern[str]:
        """Words for a remainder."""
        return word_pattern(self.rests)

    @cached_property
    def share(self) -> re.Pattern[str]:
        """Words before a whole, at the end of a text."""
        return re.compile(rf"{word_pattern(self.wholes).pattern}\s*$", re.IGNORECASE)

    @cached_property
    def change(self) -> re.Pattern[str]:
        """A percentage of change."""
        return word_pattern(self.changes)

    @cached_property
    def of_these(self) -> re.Pattern[str]:
        """Words that refer to the whole of the sentence before."""
        return re.compile(r"\b(?:of|among) (?:these|those|them|which)\b", re.IGNORECASE)

    @cached_property
    def other_whole(self) -> re.Pattern[str]:
        """A whole that a percentage names itself."""
        return re.compile(r"\s*of (?!them|these|those|the total|all)", re.IGNORECASE)


class RedTeamRules(RegistryModel):
    """`redteam.yaml`."""

    severity: Mapping[FlawKind, Severity]
    references: ReferenceRules
    acronyms: AcronymRules
    spelling: SpellingRules
    statistics: StatisticRules
    conclusions: ConclusionRules
    restatement: RestatementRules
    sums: SumRules

    @field_validator("severity")
    @classmethod
    def _every_kind(cls, value: Mapping[FlawKind, Severity]) -> Mapping[FlawKind, Severity]:
        if missing := [kind.value for kind in FlawKind if kind not in value]:
            raise ValueError(f"no severity for {', '.join(missing)}")
        return value


def load_rules(folder: Path | None = None) -> RedTeamRules:
    """The rules, from the user's `folder` if `redteam.yaml` is in it.

    Raises:
        RegistryError: The file cannot be read or does not validate.
    """
    return load_registry_file(RedTeamRules, "redteam.yaml", folder)
