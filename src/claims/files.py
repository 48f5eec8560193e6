"""The models of the registry files `claims.yaml` and `words.yaml`."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import Field

from ..base.registry import RegistryModel
from ..base.vocabulary import ClaimKind
from .model import Modifier


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


class Phrases(RegistryModel):
    """Phrases that call a number an estimate, and phrases that state its basis (decision 8)."""

    phrases: tuple[str, ...]
    basis: tuple[str, ...]


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
    place_modifiers: tuple[str, ...]
    structural: tuple[str, ...]
    discourse_nouns: tuple[str, ...]
    months: dict[str, int]
    own_result: tuple[str, ...]
    estimate: Phrases
    market: tuple[str, ...]
    company_metric: tuple[str, ...]
    opinion: tuple[str, ...]
    hypothetical: tuple[str, ...]
    own_future: tuple[str, ...]
    cross_reference: tuple[str, ...]
    imperatives: tuple[str, ...]
    key_sections: tuple[str, ...]
    headline_repeats: int = Field(ge=2)
    small_count: int = Field(ge=0)
    not_counted: tuple[str, ...]
    irregular_plurals: tuple[str, ...]
    verb_objects: tuple[str, ...]
    kind_words: dict[ClaimKind, tuple[str, ...]]


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
