"""The registry files `claims.yaml` and `words.yaml`, compiled for use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import Field

from ..base.errors import RegistryError
from ..base.registry import PhrasePattern, RegistryModel, alternatives, load_registry_file
from ..base.vocabulary import ClaimKind
from ..documents.words import DocumentWords, load_document_words
from ._regulations import RegulationForms, load_regulations
from .clauses import CLAUSES_FILE, ClausesFile, ClauseWords
from .model import Modifier, Quantity, QuantityKind
from .routing import ROUTING_FILE, RoutingWords
from .words import WordBook, WordsFile


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


FRAMING_FILE = "framing.yaml"


_ADVERB = r"(?:(?:also|then|only|first|thus|here|still|merely|simply|now|mainly|\w+ly) )?"


class FramingWords(RegistryModel):
    """The whole of `framing.yaml`; its patterns are for lower-case text."""

    documents: tuple[str, ...]
    covering: tuple[str, ...]
    made: tuple[str, ...]
    made_for: tuple[str, ...]
    labels: tuple[str, ...]
    advice_sections: frozenset[str]

    @cached_property
    def framing(self) -> re.Pattern[str]:
        """What a document says of itself: "This memo looks at three years"."""
        return re.compile(
            r"\W*(?:this|the present|the following) (?:[\w-]+ )?"
            rf"(?:{alternatives(self.documents)}) {_ADVERB}(?:{alternatives(self.covering)})\b"
        )

    @cached_property
    def head(self) -> re.Pattern[str]:
        """A line that says who made a document, for whom and when."""
        made, made_for = alternatives(self.made), alternatives(self.made_for)
        return re.compile(
            rf"\W*(?:(?:{alternatives(self.labels)})\W{{0,3}}:\W|(?:{made}) (?:{made_for})\b)"
        )


ENTITIES_FILE = "entities.yaml"


class NameBook(RegistryModel):
    """The whole of `entities.yaml`; every word in lower case."""

    common: frozenset[str]
    joints: tuple[str, ...]
    titles: frozenset[str]
    given_names: frozenset[str]
    organisations: frozenset[str]
    places: frozenset[str]
    place_names: frozenset[str]
    products: frozenset[str]

    @cached_property
    def joint(self) -> re.Pattern[str]:
        """What may stand between two words of a name."""
        joints = "|".join(sorted(self.joints, key=len, reverse=True))
        return re.compile(rf"(?:['’]s?)?[ \u00a0](?:(?:{joints})[ \u00a0])?")


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measure: `value * factor + offset` is the value in its dimension's first unit."""

    name: str
    dimension: str
    factor: Decimal
    offset: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """The word lists as look-up tables and patterns. Built once, shared, never changed.

    `unit_words` and `unit_marks` lead from a written form to its unit; words are lower case, marks
    keep their case. Patterns run on lower-cased text unless their name says otherwise.
    """

    file: ClaimsFile
    document_words: DocumentWords
    words: WordBook
    names: NameBook
    regulations: RegulationForms
    routing: RoutingWords
    clauses: ClauseWords
    framing: FramingWords
    fractions: Mapping[str, Fraction]
    units: Mapping[str, Unit]
    unit_words: Mapping[str, Unit]
    unit_marks: Mapping[str, Unit]
    currency_words: Mapping[str, str]
    kind_words: Mapping[str, QuantityKind]
    number_start: re.Pattern[str]
    months: re.Pattern[str]
    modifier_before: re.Pattern[str]
    modifier_of: Mapping[str, Modifier]
    currency_before: re.Pattern[str]

    def unit(self, name: str) -> Unit | None:
        """The unit that `Quantity.unit` names, rates such as ``gigabit/second`` included."""
        over, slash, under = name.partition("/")
        unit = self.units.get(over)
        if unit is None or not slash:
            return unit
        per = self.units.get(under)
        if per is None:
            return None
        return Unit(name, f"{unit.dimension}/{per.dimension}", unit.factor / per.factor)

    def dimension(self, value: Quantity) -> str:
        """Dimension of a quantity, such as "length" or "money"; "" for a count."""
        if value.kind is QuantityKind.COUNT:
            return ""
        unit = self.unit(value.unit) if value.kind is QuantityKind.MEASURE else None
        return unit.dimension if unit else value.kind.value


def load_lexicon(folder: Path | None = None) -> Lexicon:
    """Load the word lists from `folder` or the packaged registry.

    Raises:
        RegistryError: A file is broken or does not validate, or two units share a written form.
    """
    file = load_registry_file(ClaimsFile, "claims.yaml", folder)
    units, unit_words, unit_marks = _unit_tables(file)
    modifier_of = {form: kind for kind, forms in file.modifiers.items() for form in forms}
    symbols, names = (*file.currencies.symbols, *file.currencies.codes), file.currencies.names
    kinds = {
        QuantityKind.PERCENT: file.percent,
        QuantityKind.PERCENTAGE_POINTS: file.percentage_points,
        QuantityKind.BASIS_POINTS: file.basis_points,
        QuantityKind.RATIO: file.times,
    }
    return Lexicon(
        file=file,
        document_words=load_document_words(folder),
        words=WordBook.compile(load_registry_file(WordsFile, "words.yaml", folder)),
        names=load_registry_file(NameBook, ENTITIES_FILE, folder),
        regulations=load_regulations(folder),
        routing=load_registry_file(RoutingWords, ROUTING_FILE, folder),
        clauses=ClauseWords.compile(load_registry_file(ClausesFile, CLAUSES_FILE, folder)),
        framing=load_registry_file(FramingWords, FRAMING_FILE, folder),
        fractions={word: Fraction(*pair) for word, pair in file.numbers.fractions.items()},
        units=units,
        unit_words=unit_words,
        unit_marks=unit_marks,
        currency_words={plural(name): code for name, code in names.items()} | names,
        kind_words={form: kind for kind, forms in kinds.items() for form in forms},
        number_start=_number_start(file.numbers, file.currencies.codes),
        months=re.compile(rf"\b(?:{alternatives(file.months)})\b"),
        modifier_before=re.compile(
            rf"(?:^|[\s(|“\"'])({alternatives(modifier_of)})\s*(?:the |a |an |some )?$"
        ),
        modifier_of=modifier_of,
        currency_before=re.compile(rf"(?:^|[^A-Za-z])({alternatives(symbols)})[ \u00a0\u202f]?$"),
    )


def _unit_tables(file: ClaimsFile) -> tuple[dict[str, Unit], dict[str, Unit], dict[str, Unit]]:
    units: dict[str, Unit] = {}
    words: dict[str, Unit] = {}
    marks: dict[str, Unit] = {}
    for dimension, members in file.units.items():
        for name, forms in members.items():
            unit = Unit(name, dimension, forms.factor, forms.offset)
            units[name] = unit
            written = [(words, form) for word in forms.words for form in (word, plural(word))]
            for table, form in (*written, *((marks, mark) for mark in forms.marks)):
                if table.setdefault(form, unit) is not unit:
                    problem = f"claims.yaml: units: {form!r} is used twice"
                    raise RegistryError(problem, "remove one of them")
    return units, words, marks


def plural(words: str) -> str:
    """The plural of a unit: the head of "metre per second" and "degree Celsius" is the first."""
    head, per, rest = words.partition(" per ")
    if head.startswith("degree "):
        return head.replace("degree", "degrees", 1)
    return f"{head if head.endswith('s') else head + 's'}{per}{rest}"


def _number_start(numbers: NumberWords, codes: Iterable[str]) -> re.Pattern[str]:
    words = (*numbers.words, *numbers.ordinals, "half")
    after_a = alternatives((*numbers.collectives, *numbers.fractions, *numbers.scales))
    initials = "".join(sorted({word[0] for word in words} | {"a"}))
    money = "|".join(sorted(code.lower() for code in codes))
    # The assertions rule out nearly every place at a fifth of the whole pattern's cost.
    return re.compile(
        rf"(?=[\d.½⅓⅔¼¾{initials}])(?:(?<![^\W_])|(?=\d)(?<={money}))(?:"
        r"(?P<digits>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,3}(?:['’]\d{3})+(?!\d)"
        r"|\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?!\d)|\d+)"
        r"(?:\.\d+)?|\.\d+)"
        rf"|(?P<spelled>{alternatives(words)})\b|an? (?P<a>{after_a})\b|(?P<glyph>[½⅓⅔¼¾]))"
    )


class Scan(NamedTuple):
    """A text, the same text in lower case, and the word lists to read it with.

    Both texts have the same length, so that offsets hold in either.
    """

    text: str
    low: str
    lexicon: Lexicon


def scan(text: str, lexicon: Lexicon) -> Scan:
    """`text` ready to be read."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    return Scan(text, low, lexicon)
