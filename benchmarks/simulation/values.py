"""The values in simulated sentences: as the source has them, as a claim may, and as an error would.

A `Value` carries every form of one value, so that what is true and what is planted is decided here
alone and not by whoever puts sentences together.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

UP = ("rose", "increased", "grew", "went up")
DOWN = ("fell", "declined", "decreased", "went down")
UP_NOUN = ("an increase", "a rise", "growth")
DOWN_NOUN = ("a decline", "a fall", "a decrease")
OFF = {"number_off_5": 0.05, "number_off_15": 0.15, "number_off_40": 0.4}
MILES, FEET = 0.621371, 3.28084


@dataclass(frozen=True, slots=True)
class Style:
    """How one text writes values."""

    percent: str
    money: str
    month_first: bool


def style(chance: random.Random) -> Style:
    """The habits of one author."""
    return Style(
        chance.choice(("{} per cent", "{} percent", "{}%")),
        chance.choice(("${} {}", "{} {} dollars")),
        chance.random() < 0.3,
    )


@dataclass(frozen=True, slots=True)
class Value:
    """One value: `claim` and `source` say the same, `other` is a bystander's in the source.

    `wrong` maps kinds of errors to what the claim then says, `same` kinds of true rewording to
    another way of saying the same. `noun` is the noun of a direction; `alike` and `nouns` are all
    the words that say it as well.
    """

    claim: str
    source: str
    other: str = ""
    wrong: Mapping[str, str] = field(default_factory=dict[str, str])
    same: Mapping[str, str] = field(default_factory=dict[str, str])
    noun: str = ""
    wrong_noun: str = ""
    alike: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cast:
    """Who and what a document of one theme is about."""

    place: str
    firm: Sequence[str]
    body: Sequence[str]
    person: Sequence[str]
    city: Sequence[str]
    quotes: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes values in the styles of a document and of one of its sources."""

    chance: random.Random
    cast: Cast
    own: Style
    theirs: Style

    def value(self, spec: str, known: Mapping[str, float]) -> tuple[Value, float]:
        """The value that `spec` asks for, and its number; `known` are the numbers made before."""
        kind, *rest = spec.split()
        if kind in ("sum", "diff"):
            one, other = known[rest[0]], known[rest[1]]
            return self._worked_out(one + other if kind == "sum" else one - other)
        if kind in ("firm", "body", "person", "city"):
            return self._entity(getattr(self.cast, kind)), 0
        makers: dict[str, Callable[..., tuple[Value, float]]] = {
            "count": self._count,
            "pct": self._percent,
            "money": self._money,
            "length": self._length,
            "points": self._points,
            "year": self._year,
            "date": self._date,
            "dir": self._direction,
            "quote": self._quote,
        }
        return makers[kind](*map(int, rest))

    def _count(self, low: int, high: int) -> tuple[Value, float]:
        number = self.chance.randint(low, high)
        wrong = {kind: f"{off:,}" for kind, off in self._off(number).items()}
        same: dict[str, str] = {}
        step = 10 ** (len(str(number)) - 2)
        rounded = round(number / step) * step
        if number >= 1000 and rounded != number:
            same["rounded"] = f"{self.chance.choice(('about', 'roughly', 'some'))} {rounded:,}"
        other = self._another(number, low, high)
        return Value(f"{number:,}", f"{number:,}", f"{other:,}", wrong, same), number

    def _off(self, number: int) -> dict[str, int]:
        sign = self.chance.choice((-1, 1))
        found = {kind: round(number * (1 + sign * share)) for kind, share in OFF.items()}
        return {kind: off for kind, off in found.items() if off != number}

    def _another(self, number: int, low: int, high: int) -> int:
        while True:
            other = self.chance.randint(low, high)
            if abs(other - number) > max(1, number // 50):
                return other

    def _percent(self, low: int, high: int) -> tuple[Value, float]:
        tenths = self.chance.randint(low * 10, high * 10)
        tenths -= tenths % 10 if self.chance.random() < 0.5 else 0
        off = {kind: off / 10 for kind, off in self._off(tenths).items()}
        if tenths % 10 == 0:
            off = {kind: round(value) for kind, value in off.items()}
        wrong = {k: self.own.percent.format(_plain(v)) for k, v in off.items() if v != tenths / 10}
        same: dict[str, str] = {}
        if tenths % 10 and tenths > 100:
            same["rounded"] = f"about {self.own.percent.format(round(tenths / 10))}"
        other = self._another(tenths // 10, low, high)
        said, shown = (s.percent.format(_plain(tenths / 10)) for s in (self.own, self.theirs))
        return Value(said, shown, self.theirs.percent.format(other), wrong, same), tenths / 10

    def _money(self, low: int, high: int) -> tuple[Value, float]:
        tenths = self.chance.randint(low * 10, high * 10)
        own = self.own.money
        wrong = {k: own.format(_plain(v / 10), "million") for k, v in self._off(tenths).items()}
        wrong["magnitude"] = own.format(_plain(tenths / 10), "billion")
        same: dict[str, str] = {}
        if tenths % 10 and tenths > 100:
            same["rounded"] = f"about {own.format(round(tenths / 10), 'million')}"
        other = self.theirs.money.format(self._another(tenths // 10, low, high), "million")
        said = own.format(_plain(tenths / 10), "million")
        shown = self.theirs.money.format(_plain(tenths / 10), "million")
        return Value(said, shown, other, wrong, same), tenths / 10

    def _length(self, low: int, high: int) -> tuple[Value, float]:
        tenths = self.chance.randint(low * 10, high * 10)
        said = f"{_plain(tenths / 10)} kilometres"
        wrong = {k: f"{_plain(off / 10)} kilometres" for k, off in self._off(tenths).items()}
        wrong["unit"] = f"{_plain(tenths / 10)} {self.chance.choice(('miles', 'metres'))}"
        same = {"unit_equivalent": f"{_plain(round(tenths / 10 * MILES, 1))} miles"}
        return Value(said, said, "", wrong, same), tenths / 10

    def _points(self, low: int, high: int) -> tuple[Value, float]:
        number = self.chance.randint(low, high)
        said = f"{number} basis points"
        wrong = {k: f"{off} basis points" for k, off in self._off(number).items()}
        wrong["unit"] = f"{number} percentage points"
        same = {"unit_equivalent": f"{number / 100:g} percentage points"}
        return Value(said, said, "", wrong, same), number

    def _worked_out(self, number: float) -> tuple[Value, float]:
        found = self._off(round(number))
        wrong = {"arithmetic": f"{found['number_off_15']:,}"}
        return Value(f"{number:,.0f}", "", "", wrong), number

    def _year(self, low: int, high: int) -> tuple[Value, float]:
        year = self.chance.randint(low, high)
        wrong = self.chance.choice([y for y in (year - 2, year - 1, year + 1) if y <= 2025])
        return Value(str(year), str(year), "", {"wrong_date": str(wrong)}), year

    def _date(self, low: int, high: int) -> tuple[Value, float]:
        day = date(self.chance.randint(low, high), 1, 1) + timedelta(self.chance.randrange(365))
        wrong = self.chance.choice(
            (
                day.replace(year=day.year - 1, day=min(day.day, 28)),
                day + timedelta(self.chance.choice((1, 3, 9, 10))),
                day.replace(month=day.month % 12 + 1, day=min(day.day, 28)),
            )
        )
        said, shown = _day(day, self.own), _day(day, self.theirs)
        same = {"coarser": f"{day:%B %Y}"}
        return Value(said, shown, "", {"wrong_date": _day(wrong, self.own)}, same), 0

    def _entity(self, pool: Sequence[str]) -> Value:
        name, other = self.chance.sample(list(pool), 2)
        return Value(name, name, other, {"wrong_entity": other})

    def _direction(self) -> tuple[Value, float]:
        both = [(UP, UP_NOUN), (DOWN, DOWN_NOUN)]
        self.chance.shuffle(both)
        (verbs, nouns), (against, against_nouns) = both
        pick = self.chance.choice
        wrong = {"direction": pick(against)}
        return Value(
            pick(verbs),
            pick(verbs),
            "",
            wrong,
            noun=pick(nouns),
            wrong_noun=pick(against_nouns),
            alike=verbs,
            nouns=nouns,
        ), 0

    def _quote(self) -> tuple[Value, float]:
        said, altered = self.chance.choice(self.cast.quotes)
        return Value(said, said, "", {"altered_quote": altered}), 0


def _plain(number: float) -> str:
    return f"{number:,.1f}".removesuffix(".0")


def _day(day: date, habits: Style) -> str:
    return f"{day:%B} {day.day}, {day.year}" if habits.month_first else f"{day.day} {day:%B %Y}"
