"""The models of the registry files `claims.yaml` and `words.yaml`, and phrases as patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, Field

from ..base.registry import RegistryModel
from ..base.vocabulary import ClaimKind
from .model import Modifier


def alternatives(forms: Iterable[str]) -> str:
    """A regular expression that matches any of `forms`, the longest that fits."""
    return "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))


def phrase_pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    """A pattern that finds any of `phrases` as whole words, in any case."""
    return re.compile(rf"(?<!\w)(?:{alternatives(phrases)})(?!\w)", re.IGNORECASE)


if TYPE_CHECKING:
    PhrasePattern = re.Pattern[str]
else:
    # A list of phrases in the file, a pattern once it is loaded.
    PhrasePattern = Annotated[tuple[str, ...], AfterValidator(phrase_pattern)]


class NumberWords(RegistryModel):
    """How numbers are written in words and abbreviations."""

    words: dict[str, int]
    scales: dict[str, int]
    scale_marks: dict[str, int]
    loose_scale_marks: dict[str, int]
    money_scale_marks: dict[str, int]
    collectives: dict[str, int]
    fractions: dict[str, tuple[int, int]]
    ordinals: dict[str, int]


CurrencyCode = Annotated[str, Field(pattern="^[A-Z]{3}$")]


class WeakNames(RegistryModel):
    """Currency names that are money only after a scale word or a number of at least `least`."""

    names: tuple[str, ...]
    least: int


class Currencies(RegistryModel):
    """How money is written."""

    symbols: dict[str, str]
    codes: tuple[CurrencyCode, ...]
    names: dict[str, str]
    weak_names: WeakNames


class UnitForms(RegistryModel):
    """One unit: its words (plurals are added), its marks, and its size in the dimension."""

    words: tuple[str, ...]
    marks: tuple[str, ...]
    factor: Decimal
    offset: Decimal = Decimal(0)


class EstimatePhrases(RegistryModel):
    """Phrases that call a number an estimate, and phrases that state its basis (decision 8)."""

    phrases: PhrasePattern
    basis: PhrasePattern


class ClaimsFile(RegistryModel):
    """`config/registry/claims.yaml`."""

    numbers: NumberWords
    percent: tuple[str, ...]
    percentage_points: tuple[str, ...]
    basis_points: tuple[str, ...]
    times: tuple[str, ...]
    currencies: Currencies
    units: dict[str, dict[str, UnitForms]]
    rate_words: dict[str, str]
    modifiers: dict[Modifier, tuple[str, ...]]
    place_modifiers: frozenset[str]
    structural: frozenset[str]
    discourse_nouns: frozenset[str]
    months: dict[str, int]
    own_result: PhrasePattern
    estimate: EstimatePhrases
    market: PhrasePattern
    company_metric: PhrasePattern
    opinion: PhrasePattern
    hypothetical: PhrasePattern
    own_future: PhrasePattern
    cross_reference: PhrasePattern
    imperatives: frozenset[str]
    key_sections: frozenset[str]
    headline_repeats: int = Field(ge=2)
    small_count: int = Field(ge=0)
    not_counted: frozenset[str]
    irregular_plurals: frozenset[str]
    verb_objects: frozenset[str]
    kind_words: dict[ClaimKind, PhrasePattern]


class WordsFile(RegistryModel):
    """`config/registry/words.yaml`."""

    stop_words: tuple[str, ...]
    irregular: dict[str, str]
    opposites: tuple[str, ...]
    guards: dict[str, dict[str, tuple[str, ...]]]
    meta_terms: dict[str, str]
    meta: tuple[str, ...]
    orders: tuple[str, ...]
    refutation: tuple[str, ...]
    reservations: tuple[str, ...]
    retraction: str
    restated: str
    framing: tuple[str, ...]
    withdrawing: tuple[str, ...]
