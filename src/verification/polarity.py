"""Whether a claim and a passage deny the same things.

Each "not", "no" or verb such as "fail" turns the words after it, its heads. A claim and a passage
agree in a word if both turn it, or neither; of two opposites if just one does.
"""

from __future__ import annotations

from collections.abc import Iterator, KeysView, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..claims.words import INERT, NO, NOT, Token, Turn, WordBook
from .objection import Objection, ObjectionKind

# How many words of weight a negator turns, and how far it reaches.
_HEADS = 3
_REACH = 9
# Words this near say of which of several like words the claim speaks.
_BESIDE = 6
# An opposite must stand by so many of the claim's words, and by more of them than the word itself.
_LEAST_SUPPORT, _LEAD = 0.5, 0.5
_SETTING_APART = frozenset({"rather than", "instead of"})
_PARTICLES = frozenset({"up", "down"})
_AFTER_MOVE = frozenset(
    {"from", "by", "on", "sharply", "slightly", "again", "since", "about", "nearly"}
)
_BEFORE_MOVE = frozenset(
    {
        "is",
        "are",
        "was",
        "were",
        "been",
        "be",
        "go",
        "goes",
        "going",
        "gone",
        "went",
        "come",
        "came",
        "put",
    }
    | {
        "brought",
        "edged",
        "moved",
        "ticked",
        "crept",
        "inched",
        "drove",
        "driven",
        "bring",
        "push",
        "pushed",
    }
)
_JOINING = frozenset({"and", "but", "or"})
# What may stand between a verb such as "fail" or "lack" and what it denies.
_LINKING = frozenset(
    {"to", "of", "from", "the", "a", "an", "any", "that", "its", "his", "her", "their", "be"}
)
_BOUNDARY = frozenset(",;:.!?()|—–\n")
_CERTAIN, _LIKELY, _DOUBTFUL = 0.9, 0.7, 0.4


class Negation(NamedTuple):
    """A negating word and the places of the words that it turns, the nearest first.

    `nominal` marks one that denies that there is a thing ("no", "without"), `implied` a verb,
    `contrast` one that only sets something apart ("and not the mayor", "rather than last year").
    """

    word: str
    place: int
    heads: tuple[int, ...]
    nominal: bool
    implied: bool
    contrast: bool


@dataclass(frozen=True)
class Statement:
    """A run of words with what they deny; `text` is what their offsets point into."""

    tokens: tuple[Token, ...]
    text: str
    book: WordBook

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """Its turning words and phrases, in order."""
        return tuple(self.book.turns(self.tokens))

    @cached_property
    def negations(self) -> tuple[Negation, ...]:
        """Its negations, in order."""
        found = [
            (turn.word, turn.place, turn.end, NO in turn.keys, False)
            for turn in self.turns
            if (NOT in turn.keys or NO in turn.keys)
            and INERT not in turn.keys
            and not self._is_number_sign(turn.place)
        ]
        found += [
            (token.word, place, place + 1, False, True)
            for place, token in enumerate(self.tokens)
            if token.stem in self.book.implied
        ]
        skipped = {place for _, start, end, _, _ in found for place in range(start, end)}
        return tuple(
            Negation(
                word,
                place,
                self._heads(end, skipped, implied=implied),
                nominal,
                implied,
                self._is_contrast(word, place),
            )
            for word, place, end, nominal, implied in sorted(found, key=lambda item: item[1])
        )

    @cached_property
    def turned(self) -> dict[int, int]:
        """-1 for each word that is denied, 1 for one that is denied twice."""
        signs: dict[int, int] = {}
        for negation in self.negations:
            for place in negation.heads if negation.nominal else negation.heads[:1]:
                signs[place] = -signs.get(place, 1)
        return signs

    @cached_property
    def inside(self) -> frozenset[int]:
        """Words that are part of a phrase and mean nothing by themselves: "no longer", "up to"."""
        turns = (turn for turn in self.turns if turn.end - turn.place > 1)
        held = {place for turn in turns for place in range(turn.place, turn.end)}
        for place, token in enumerate(self.tokens):
            after = self.tokens[place + 1].word if place + 1 < len(self.tokens) else ""
            hyphened = "-" in (
                self.text[token.start - 1 : token.start],
                self.text[token.end : token.end + 1],
            )
            if token.word in _PARTICLES and (hyphened or not self._moves(place, after)):
                held.add(place)
        return frozenset(held)

    def contradicted_by(self, other: Statement) -> list[int]:
        """The words for which the other text has a contrary that this one has not."""
        stems = other.stems & self._contraries.keys()
        return sorted({place for stem in stems for place in self._contraries[stem]})

    @cached_property
    def _contraries(self) -> dict[str, list[int]]:
        """Where the words stand whose contrary each stem is; none that the text has itself."""
        own = {stem for token in self.tokens for stem in self.book.alike(token.stem)}
        ways = {self.book.directions.get(token.stem, 0) for token in self.tokens}
        found: dict[str, list[int]] = {}
        for place, token in enumerate(self.tokens):
            if place in self.inside or not self.is_telling(token):
                continue
            for stem in self.book.opposed(token.stem) - own:
                # "Fell" is no contrary where the claim says as well that something fell.
                if self.book.directions.get(stem) not in ways:
                    found.setdefault(stem, []).append(place)
        return found

    @property
    def stems(self) -> KeysView[str]:
        """The stems of its words."""
        return self._by_stem.keys()

    def _moves(self, place: int, after: str) -> bool:
        """Whether "up" or "down" says that something rose or fell, and not that it broke."""
        before = self.tokens[place - 1].word if place else ""
        return after in _AFTER_MOVE or after[:1].isdigit() or before in _BEFORE_MOVE

    @cached_property
    def grazed(self) -> frozenset[int]:
        """The words that any negation reaches."""
        return frozenset(place for negation in self.negations for place in negation.heads)

    def meant(self, stem: str) -> list[tuple[int, int]]:
        """As `places`; opposites only if the stem itself does not stand there."""
        places = list(self.places(stem))
        return [(place, sign) for place, sign in places if sign > 0] or places

    def places(self, stem: str) -> Iterator[tuple[int, int]]:
        """Where the stem or one like it stands, with 1, and where an opposite does, with -1."""
        for word in self.book.alike(stem) & self._by_stem.keys():
            yield from ((place, 1) for place in self._by_stem[word])
        for word in self.book.opposed(stem) & self._by_stem.keys():
            yield from ((place, -1) for place in self._by_stem[word] if place not in self.inside)

    @cached_property
    def _by_stem(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for place, token in enumerate(self.tokens):
            places.setdefault(token.stem, []).append(place)
        return places

    def _heads(self, start: int, skipped: set[int], *, implied: bool) -> tuple[int, ...]:
        heads: list[int] = []
        for place in range(start, min(len(self.tokens), start + _REACH)):
            token = self.tokens[place]
            if self._breaks(place) or token.word in self.book.stops:
                break
            if place not in skipped and self.is_telling(token):
                heads.append(place)
            elif implied and token.word not in _LINKING:
                break
            if len(heads) == _HEADS or (heads and implied):
                break
        return tuple(heads)

    def clause_after(self, place: int) -> Iterator[int]:
        """The words of weight from `place` to the end of its clause."""
        return (other for other in self._clause(place) if self.is_telling(self.tokens[other]))

    def _clause(self, place: int) -> Iterator[int]:
        for other in range(place + 1, len(self.tokens)):
            if self._breaks(other) or self.tokens[other].word in self.book.stops:
                return
            yield other

    def _is_contrast(self, word: str, place: int) -> bool:
        if word in _SETTING_APART:
            return True
        before = self.tokens[place - 1].word if place else ""
        # What is not so yet may be planned.
        if any(self.tokens[other].word == "yet" for other in self._clause(place)):
            return True
        return word == "not" and (before in _JOINING or (place > 0 and self._breaks(place)))

    def is_telling(self, token: Token) -> bool:
        """Whether a word can be what a negation turns."""
        stops, weak = self.book.stop_words, self.book.weak_words
        if token.stem in self.book.directions:
            return True
        return token.stem not in stops and token.word not in stops and token.stem not in weak

    def _breaks(self, place: int) -> bool:
        between = self.text[self.tokens[place - 1].end : self.tokens[place].start] if place else ""
        return not _BOUNDARY.isdisjoint(between)

    def _is_number_sign(self, place: int) -> bool:
        """Whether it is the "No." of "No. 5"."""
        token = self.tokens[place]
        after = self.text[token.end : token.end + 3]
        return token.word == "no" and after[:1] == "." and after[1:].strip().isdigit()


class Parity:
    """A claim's statement compared with a passage's."""

    def __init__(self, claim: Statement, passage: Statement) -> None:
        self._claim = claim
        self._passage = passage
        self._book = claim.book

    def objections(self) -> Iterator[Objection]:
        """Every denial or opposite that only one of the two has."""
        yield from self._claimed()
        yield from self._found()
        yield from self._opposites()

    def _claimed(self) -> Iterator[Objection]:
        """What the claim denies and the passage does not."""
        for negation in self._claim.negations:
            if self._is_shared(negation, self._passage):
                continue
            stems = (self._claim.tokens[head].stem for head in negation.heads)
            links = [self._passage.meant(stem) for stem in stems]
            if any(self._denies(place, sign) for found in links for place, sign in found):
                continue
            flipped = self._is_hit([bool(found) for found in links], negation)
            flipped = flipped and not negation.contrast and self._has_all_after(negation)
            if flipped or not negation.implied:
                strength = _strength(negation) if flipped else _DOUBTFUL
                yield _turn(negation.word, "", flipped=flipped, strength=strength)

    def _found(self) -> Iterator[Objection]:
        """What the passage denies and the claim does not."""
        mixed = any(negation.contrast for negation in self._claim.negations)
        for negation in self._passage.negations:
            if self._is_shared(negation, self._claim):
                continue
            stems = (self._passage.tokens[head].stem for head in negation.heads)
            links = [self._claim.meant(stem) for stem in stems]
            if any(self._claim_denies(place, sign) for found in links for place, sign in found):
                continue
            if self._is_hit([bool(found) for found in links], negation):
                strength = _DOUBTFUL if mixed else _strength(negation)
                yield _turn("", negation.word, flipped=not mixed, strength=strength)

    def _opposites(self) -> Iterator[Objection]:
        """Words for which the passage has the contrary in the same place, and the claim has not."""
        for place in self._claim.contradicted_by(self._passage):
            token, link = self._claim.tokens[place], self._best_link(place)
            if link is None or link[1] > 0:
                continue
            denied = self._claim.turned.get(place, 1) * self._passage.turned.get(link[0], 1)
            if denied > 0:
                found = self._passage.tokens[link[0]].word
                yield Objection(
                    ObjectionKind.OPPOSITE,
                    token.word,
                    found,
                    replaced=True,
                    flipped=True,
                    strength=_LIKELY,
                )

    def _has_all_after(self, negation: Negation) -> bool:
        """Whether the passage has the rest of the denied clause: any part of it may be denied.

        "It was not built in 2018" agrees with "It was built in 2014".
        """
        after = (place for place in self._claim.clause_after(negation.place))
        return all(
            any(True for _ in self._passage.places(self._claim.tokens[n].stem)) for n in after
        )

    def _is_shared(self, negation: Negation, other: Statement) -> bool:
        """Whether the other text has the verb that implies the denial, or an opposite of it."""
        if not negation.implied:
            return False
        own = self._claim if other is self._passage else self._passage
        return any(True for _ in other.places(own.tokens[negation.place].stem))

    def _is_hit(self, linked: Sequence[bool], negation: Negation) -> bool:
        """Whether enough of what is denied stands in the other text to speak of the same."""
        if not linked:
            return False
        return linked[0] or (negation.nominal and sum(linked) > 1)

    def _denies(self, place: int, sign: int) -> bool:
        return (place in self._passage.grazed) == (sign > 0)

    def _claim_denies(self, place: int, sign: int) -> bool:
        return (place in self._claim.grazed) == (sign > 0)

    def _best_link(self, place: int) -> tuple[int, int] | None:
        """The word of the passage that stands for one of the claim, and whether it is opposite."""
        links = list(self._passage.places(self._claim.tokens[place].stem))
        if not any(sign < 0 for _, sign in links):
            return None
        support = {link: self.support(place, link[0]) for link in links}
        same = max((value for (_, sign), value in support.items() if sign > 0), default=0.0)
        best = max(links, key=lambda link: (support[link], link[1]))
        return best if support[best] >= max(_LEAST_SUPPORT, same + _LEAD) else None

    def support(self, place: int, other: int) -> float:
        """How many of the words around the one stand around the other, the nearer ones first."""
        around = {
            token.stem for token in self._passage.tokens[max(0, other - _BESIDE) : other + _BESIDE]
        }
        total = 0.0
        for near, token in enumerate(self._claim.tokens):
            if near != place and self._claim.is_telling(token):
                held = not self._book.alike(token.stem).isdisjoint(around)
                total += held / (1 + abs(near - place) / 4)
        return total


def _strength(negation: Negation) -> float:
    if negation.implied:
        return _DOUBTFUL
    return _LIKELY if negation.nominal or negation.contrast else _CERTAIN


def _turn(claimed: str, found: str, *, flipped: bool, strength: float) -> Objection:
    return Objection(
        ObjectionKind.TURN, claimed, found, guard="negation", flipped=flipped, strength=strength
    )
