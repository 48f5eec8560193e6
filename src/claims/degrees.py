"""Comparatives and superlatives by what they say of a value: more of it, or less."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .files import Magnitude

_VOWELS = "aeiou"
_DOUBLED = re.compile(r"[^aeiou][aeiou][bdgmnpt]$")
_IRREGULAR = {
    "many": ("more", "most"),
    "far": ("farther", "farthest"),
    "old": ("older", "oldest"),
}
# With these before it, an adjective need not change its form; the last two turn it round.
_BY_WORD = {"more": (1, False), "most": (1, True), "less": (-1, False), "least": (-1, True)}


class Sense(NamedTuple):
    """What a word says of a value: `sign` 1 for more of it, -1 for less.

    It says so of values of these `dimensions`, and of a bare number beside a word of `of`; of any
    value if it has neither.
    """

    sign: int
    dimensions: frozenset[str]
    of: frozenset[str]

    def holds(self, dimension: str, said: frozenset[str]) -> bool:
        """Whether it can be of a value; `dimension` is "" for a bare number, `said` beside it."""
        if not self.dimensions and not self.of:
            return True
        return dimension in self.dimensions if dimension else not self.of.isdisjoint(said)


class Degree(NamedTuple):
    """A comparative or superlative, how many words it takes, and its senses."""

    superlative: bool
    length: int
    senses: tuple[Sense, ...]

    @property
    def plain(self) -> bool:
        """Whether it is of values of any sort: "highest", "most"."""
        return all(not sense.dimensions and not sense.of for sense in self.senses)

    def sign(self, dimension: str, said: frozenset[str]) -> int:
        """1 if a value of this sort is more the more it is so, -1 if it is less, 0 if unknown."""
        signs = {sense.sign for sense in self.senses if sense.holds(dimension, said)}
        return signs.pop() if len(signs) == 1 else 0


@dataclass(frozen=True, slots=True)
class Degrees:
    """The forms of all adjectives that say more or less of a value."""

    forms: Mapping[str, Degree]
    plain: Mapping[str, tuple[Sense, ...]]

    @classmethod
    def of(cls, groups: Iterable[Magnitude], stem: Callable[[str], str]) -> Degrees:
        """The forms of the adjectives in `groups`; `stem` is that of the word book."""
        plain: dict[str, tuple[Sense, ...]] = {}
        for group in groups:
            names = frozenset(map(stem, group.of))
            for sign, words in ((1, group.more), (-1, group.less)):
                sense = Sense(sign, frozenset(group.dimensions), names)
                for word in words:
                    plain[word] = (*plain.get(word, ()), sense)
        forms: dict[str, Degree] = {}
        for word, senses in plain.items():
            for superlative, form in enumerate(_forms(word)):
                forms[form] = Degree(bool(superlative), 1, senses)
        fewer = Sense(-1, frozenset(), frozenset())
        forms |= {"less": Degree(False, 1, (fewer,)), "least": Degree(True, 1, (fewer,))}
        return cls(forms, plain)

    def at(self, words: Sequence[str], place: int) -> Degree | None:
        """The comparative or superlative that begins at `place`: "cheapest", "more expensive"."""
        word = words[place]
        after = self.plain.get(words[place + 1]) if place + 1 < len(words) else None
        if word in _BY_WORD and after:
            turn, superlative = _BY_WORD[word]
            senses = tuple(sense._replace(sign=sense.sign * turn) for sense in after)
            return Degree(superlative, 2, senses)
        return self.forms.get(word)


def _forms(word: str) -> tuple[str, str]:
    """The comparative and the superlative of an adjective."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("e"):
        root = word[:-1]
    elif word.endswith("y") and word[-2] not in _VOWELS:
        root = f"{word[:-1]}i"
    else:
        root = word + word[-1] if _DOUBLED.search(word) else word
    return f"{root}er", f"{root}est"
