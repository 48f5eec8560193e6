"""The registry file `defence.yaml`: the words by which a document answers for itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, cast

from pydantic import BeforeValidator, Field

from ..base.registry import RegistryModel, load_registry_file
from .rules import word_pattern

DEFENCE_FILE = "defence.yaml"


def _compiled(words: object) -> re.Pattern[str]:
    """The pattern of a list of words.

    Raises:
        ValueError: It is no list of words, or one of them is no regular expression.
    """
    if not isinstance(words, list | tuple) or not words:
        raise ValueError("a list of words is needed")
    try:
        return word_pattern(map(str, cast("Iterable[object]", words)))
    except re.error as error:
        raise ValueError(f"one of the words is no pattern: {error}") from error


WordPattern = Annotated[
    re.Pattern[str], BeforeValidator(_compiled, json_schema_input_type=tuple[str, ...])
]
"""A list of words in the file, which finds any of them."""


class DefenceRules(RegistryModel):
    """`defence.yaml`; what each list is for stands in it."""

    explains: WordPattern
    same_parts: tuple[Annotated[tuple[str, ...], Field(min_length=1)], ...]
    notes: WordPattern
    spelled: WordPattern
    courtesy: frozenset[str]
    verb_openers: WordPattern
    repeats: WordPattern
    summaries: WordPattern
    source: WordPattern
    continues: WordPattern
    covers: WordPattern
    names_source: WordPattern
    differs: WordPattern
    rounding: WordPattern
    confirms: WordPattern
    conditions: WordPattern
    distinct: WordPattern
    topics: Mapping[str, WordPattern]


def load_defence_rules(folder: Path | None = None) -> DefenceRules:
    """The rules, from the user's `folder` if `defence.yaml` is in it.

    Raises:
        RegistryError: The file cannot be read or does not validate.
    """
    return load_registry_file(DefenceRules, DEFENCE_FILE, folder)
