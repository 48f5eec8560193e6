"""The models of the registry files `claims.yaml` and `words.yaml`."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from ..base.registry import RegistryModel
from ..base.vocabulary import ClaimKind
from .model import Modifier
from .thesaurus import Relation


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
    coins: dict[str, Decimal]


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


class DayPart(RegistryModel):
    """A part of the day: the code of its normal form, its first hour, and the hour it ends."""

    code: str
    first: int = Field(ge=0, le=23)
    last: int = Field(ge=1, le=24)


class Calendar(RegistryModel):
    """Parts of the day and holidays; `day_expressions.holiday_date` reads the rules."""

    dayparts: dict[str, DayPart]
    holidays: dict[
        str,
        Annotated[
            str,
            Field(
                pattern=r"^(\d\d?-\d\d?|\d\d?--?\d#\d(\+\d)?|\d\d?-\d#\d(\+\d)?|easter(-?\d+)?)$"
            ),
        ],
    ]


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
    labelled: tuple[str, ...]
    sides: tuple[str, ...]
    discourse_nouns: tuple[str, ...]
    months: dict[str, int]
    calendar: Calendar
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


class RelationPolicy(RegistryModel):
    """What the relations of the thesaurus count for; all 0–1.

    A synonym or derived word is taken as equal from the given weight on. `coverage` gives for each
    relation what a passage's word is worth for one of the claim's, at weight 0 and at weight 1.
    """

    synonym: float = Field(ge=0, le=1)
    derived: float = Field(ge=0, le=1)
    coverage: dict[Relation, tuple[float, float]]


class MoveWords(RegistryModel):
    """When "up" and "down" say that something rose or fell, and what may be part of a name."""

    particles: tuple[str, ...]
    after: tuple[str, ...]
    before: tuple[str, ...]
    bound: tuple[str, ...]
    bound_to_number: tuple[str, ...]
    comparatives: tuple[str, ...]
    graded: tuple[str, ...]
    losses: tuple[str, ...]


class Magnitude(RegistryModel):
    """Adjectives for more and for less of a value of some `dimensions`, or of what is `of` it."""

    more: tuple[str, ...]
    less: tuple[str, ...]
    dimensions: tuple[str, ...] = ()
    of: tuple[str, ...] = ()


class PolarityWords(RegistryModel):
    """How a sentence denies: what turns the next word, or a noun, or implies it; what does not."""

    not_: tuple[str, ...] = Field(alias="not")
    hardly: tuple[str, ...]
    no: tuple[str, ...]
    without: tuple[str, ...]
    implied: tuple[str, ...]
    ending: tuple[str, ...]
    inert: tuple[str, ...]
    stops: tuple[str, ...]


class WordsFile(RegistryModel):
    """`config/registry/words.yaml`."""

    stop_words: tuple[str, ...]
    weak_words: tuple[str, ...]
    irregular: dict[str, str]
    synonyms: tuple[tuple[str, ...], ...]
    multiwords: dict[str, tuple[Annotated[str, Field(pattern=r"^\S+( \S+)+$")], ...]]
    antonyms: tuple[tuple[str, str], ...]
    converses: tuple[tuple[str, str], ...]
    guards: dict[str, dict[str, tuple[str, ...]]]
    meta_terms: dict[str, str]
    meta: tuple[str, ...]
    orders: tuple[str, ...]
    unsaid: tuple[str, ...]
    frame_terms: dict[str, str]
    opening_frames: tuple[str, ...]
    closing_frames: tuple[str, ...]
    refutation: tuple[str, ...]
    retraction: str
    restated: str
    not_superlative: tuple[str, ...]
    repeatable: tuple[str, ...]
    speaker_verbs: tuple[str, ...]
    harmless: tuple[str, ...]
    relations: RelationPolicy
    directions: dict[Literal["up", "down", "level"], tuple[str, ...]]
    moves: MoveWords
    magnitudes: tuple[Magnitude, ...]
    polarity: PolarityWords
    source_nouns: tuple[str, ...]
    source_titles: tuple[str, ...]
    exempting: tuple[str, ...]
