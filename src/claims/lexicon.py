"""The registry files `claims.yaml` and `words.yaml`, compiled for use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from ..base.errors import RegistryError
from ..base.registry import RegistryModel, load_registry_file
from .clauses import ClauseWords, load_clauses
from .files import ClaimsFile, Currencies, NumberWords, WordsFile
from .framing import FramingWords, load_framing
from .model import DateSpan, Modifier, Quantity, QuantityKind
from .regulations import RegulationForms, load_regulations
from .routing import RoutingWords, load_routing
from .words import WordBook

ENTITIES_FILE = "entities.yaml"


class EntitiesFile(RegistryModel):
    """The whole of `entities.yaml`; every word in lower case."""

    common: tuple[str, ...]
    joints: tuple[str, ...]
    titles: tuple[str, ...]
    given_names: tuple[str, ...]
    organisations: tuple[str, ...]
    places: tuple[str, ...]
    place_names: tuple[str, ...]
    products: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameBook:
    """The lists of `entities.yaml` as sets and patterns."""

    common: frozenset[str]
    joint: re.Pattern[str]
    titles: frozenset[str]
    given_names: frozenset[str]
    organisations: frozenset[str]
    places: frozenset[str]
    place_names: frozenset[str]
    products: frozenset[str]

    @classmethod
    def compile(cls, file: EntitiesFile) -> NameBook:
        """The sets and patterns of `file`."""
        joints = "|".join(sorted(file.joints, key=len, reverse=True))
        return cls(
            common=frozenset(file.common),
            joint=re.compile(rf"(?:['’]s?)?[ \u00a0](?:(?:{joints})[ \u00a0])?"),
            titles=frozenset(file.titles),
            given_names=frozenset(file.given_names),
            organisations=frozenset(file.organisations),
            places=frozenset(file.places),
            place_names=frozenset(file.place_names),
            products=frozenset(file.products),
        )


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measure: `value * factor + offset` is the value in its dimension's first unit."""

    name: str
    dimension: str
    factor: Decimal
    offset: Decimal = Decimal(0)


Slots = tuple[tuple[Quantity, ...], tuple[DateSpan, ...]]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The word lists as look-up tables and patterns. Built once, shared, never changed.

    `unit_words` and `unit_marks` lead from a written form to its unit; words are lower case, marks
    keep their case. Patterns run on lower-cased text unless their name says otherwise.
    """

    file: ClaimsFile
    words: WordBook
    names: NameBook
    regulations: RegulationForms
    routing: RoutingWords
    clauses: ClauseWords
    framing: FramingWords
    number_words: Mapping[str, int]
    scale_words: Mapping[str, int]
    ordinal_words: Mapping[str, int]
    fractions: Mapping[str, Fraction]
    units: Mapping[str, Unit]
    unit_words: Mapping[str, Unit]
    unit_marks: Mapping[str, Unit]
    currency_words: Mapping[str, str]
    kind_words: Mapping[str, QuantityKind]
    structural: frozenset[str]
    discourse_nouns: frozenset[str]
    not_counted: frozenset[str]
    irregular_plurals: frozenset[str]
    number_start: re.Pattern[str]
    months: re.Pattern[str]
    modifier_before: re.Pattern[str]
    modifier_of: Mapping[str, Modifier]
    currency_before: re.Pattern[str]
    slots: dict[str, Slots] = field(default_factory=dict[str, Slots], repr=False, compare=False)
    """The quantities and dates of the latest texts: a sentence is read for them several times."""

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
    """Load `claims.yaml` and `words.yaml` from `folder` or the packaged registry.

    Raises:
        RegistryError: A file is broken or does not validate.
    """
    words = WordBook.compile(load_registry_file(WordsFile, "words.yaml", folder))
    file = load_registry_file(ClaimsFile, "claims.yaml", folder)
    books = Books(
        words=words,
        names=NameBook.compile(load_registry_file(EntitiesFile, ENTITIES_FILE, folder)),
        regulations=load_regulations(folder),
        routing=load_routing(folder),
        clauses=load_clauses(folder),
        framing=load_framing(folder),
    )
    return compile_lexicon(file, books)


class Books(NamedTuple):
    """The word lists of the other registry files."""

    words: WordBook
    names: NameBook
    regulations: RegulationForms
    routing: RoutingWords
    clauses: ClauseWords
    framing: FramingWords


def compile_lexicon(file: ClaimsFile, books: Books) -> Lexicon:
    """Build the look-up tables of `file`.

    Raises:
        RegistryError: Two units share a written form.
    """
    units, unit_words, unit_marks = _unit_tables(file)
    modifier_of = {form: kind for kind, forms in file.modifiers.items() for form in forms}
    symbols = (*file.currencies.symbols, *file.currencies.codes)
    return Lexicon(
        file=file,
        words=books.words,
        names=books.names,
        regulations=books.regulations,
        routing=books.routing,
        clauses=books.clauses,
        framing=books.framing,
        number_words=file.numbers.words,
        scale_words=file.numbers.scales,
        ordinal_words=file.numbers.ordinals,
        fractions={word: Fraction(*pair) for word, pair in file.numbers.fractions.items()},
        units=units,
        unit_words=unit_words,
        unit_marks=unit_marks,
        currency_words=_currency_words(file.currencies),
        kind_words=_kind_words(file),
        structural=frozenset(file.structural),
        discourse_nouns=frozenset(file.discourse_nouns),
        not_counted=frozenset(file.not_counted),
        irregular_plurals=frozenset(file.irregular_plurals),
        number_start=_number_start(file.numbers, file.currencies.codes),
        months=re.compile(rf"\b(?:{alternatives(file.months)})\b"),
        modifier_before=re.compile(
            rf"(?:^|[\s(|“\"'])({alternatives(modifier_of)})\s*(?:the |a |an |some )?$"
        ),
        modifier_of=modifier_of,
        currency_before=re.compile(rf"(?:^|[^A-Za-z])({alternatives(symbols)})[ \u00a0\u202f]?$"),
    )


def alternatives(forms: Iterable[str]) -> str:
    """A regular expression that matches any of `forms`, the longest that fits."""
    return "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))


def phrase_pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    """A pattern that finds any of `phrases` as whole words, in any case."""
    return re.compile(rf"(?<!\w)(?:{alternatives(phrases)})(?!\w)", re.IGNORECASE)


def _unit_tables(
    file: ClaimsFile,
) -> tuple[dict[str, Unit], dict[str, Unit], dict[str, Unit]]:
    units: dict[str, Unit] = {}
    words: dict[str, Unit] = {}
    marks: dict[str, Unit] = {}
    for dimension, members in file.units.items():
        for name, forms in members.items():
            unit = Unit(name, dimension, forms.factor, forms.offset)
            units[name] = unit
            for word in forms.words:
                _claim(words, word, unit)
                _claim(words, plural(word), unit)
            for mark in forms.marks:
                _claim(marks, mark, unit)
    return units, words, marks


def _claim(table: dict[str, Unit], form: str, unit: Unit) -> None:
    if table.setdefault(form, unit) is not unit:
        raise RegistryError(f"claims.yaml: units: {form!r} is used twice", "remove one of them")


def plural(words: str) -> str:
    """The plural of a unit: the head of "metre per second" and "degree Celsius" is the first."""
    head, per, rest = words.partition(" per ")
    if head.startswith("degree "):
        return head.replace("degree", "degrees", 1)
    return f"{head if head.endswith('s') else head + 's'}{per}{rest}"


def _currency_words(currencies: Currencies) -> dict[str, str]:
    table = dict(currencies.names)
    for name, unit in currencies.names.items():
        table.setdefault(plural(name), unit)
    return table


def _kind_words(file: ClaimsFile) -> dict[str, QuantityKind]:
    table = {
        QuantityKind.PERCENT: file.percent,
        QuantityKind.PERCENTAGE_POINTS: file.percentage_points,
        QuantityKind.BASIS_POINTS: file.basis_points,
        QuantityKind.RATIO: file.times,
    }
    return {form: kind for kind, forms in table.items() for form in forms}


def _number_start(numbers: NumberWords, codes: Iterable[str]) -> re.Pattern[str]:
    words = (*numbers.words, *numbers.ordinals, "half")
    after_a = alternatives((*numbers.collectives, *numbers.fractions, *numbers.scales))
    initials = "".join(sorted({word[0] for word in words} | {"a"}))
    money = "|".join(sorted(code.lower() for code in codes))
    # The assertions rule out nearly every place at a fifth of the whole pattern's cost.
    return re.compile(
        rf"(?=[\d.½⅓⅔¼¾{initials}])(?:(?<![^\W_])|(?=\d)(?<={money}))(?:"
        r"(?P<digits>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?!\d)|\d+)"
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
