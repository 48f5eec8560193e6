"""Checks that a claim keeps the limits of the statement it is drawn from (phase 4a-v).

A claim may leave out whole facts of its quote. Of a fact that it states it must keep every word
that limits it to some cases, makes it uncertain, or denies it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from ..base.registry import RegistryModel, load_registry_file
from ..claims.lexicon import Lexicon
from ..claims.model import Modifier, Quantity
from ..claims.quantity.quantities import find_slots
from ..claims.words import NEGATION, Token, Turn, WordBook

_LIMITING = frozenset({"modality", "quantifier", "forecast", "condition"})
_UNLIMITED = frozenset(
    {("quantifier", "all"), ("quantifier", "rest"), ("condition", "when"), ("modality", "must")}
)
_REACH = 4
_BREAK = re.compile(r"[.;:!?]\s")
Words = Annotated[tuple[str, ...], Field(min_length=1)]


class LimitRules(RegistryModel):
    """`smoke.yaml`."""

    ahead: Words
    behind: Words
    absolute: Words
    opposites: tuple[tuple[str, str], ...]


@cache
def load_limits(folder: Path | None = None) -> LimitRules:
    """The word lists of the package, of which `folder` may hold another version.

    Raises:
        RegistryError: The file cannot be read or does not validate.
    """
    return load_registry_file(LimitRules, "smoke.yaml", folder)


def limit_fault(statement: str, quote: str, lexicon: Lexicon, rules: LimitRules) -> str:
    """The first limit of `quote` that `statement` drops or turns round, "" if there is none."""
    said, given = _Text(statement, lexicon.words), _Text(quote, lexicon.words)
    checks = (
        _find_loosened(statement, quote, lexicon),
        _find_unlimited(said, given),
        _find_uncovered(said, given, rules),
        _find_denials(said, given),
        _find_opposed(said, given, rules),
    )
    return next((fault for found in checks for fault in found), "")


class _Text:
    """The words of a text, and the turning words among them."""

    def __init__(self, text: str, book: WordBook) -> None:
        self.text, self.book = text.lower(), book
        self.tokens: Sequence[Token] = book.tokens(text)
        self.turns: Sequence[Turn] = list(book.turns(self.tokens))
        self.stems = frozenset(token.stem for token in self.tokens)
        self.turning = {place for turn in self.turns for place in range(turn.place, turn.end)}

    def has(self, phrase: str) -> bool:
        """Whether `phrase` stands in it as whole words."""
        return re.search(rf"\b{re.escape(phrase)}\b", self.text) is not None

    def after(self, place: int, reach: int = _REACH) -> str:
        """The stem of the first word of weight from `place` on, "" if there is none near."""
        return self._weighty(range(place, min(place + reach, len(self.tokens))))

    def before(self, place: int) -> str:
        """The stem of the last word of weight before `place`, "" if there is none near."""
        return self._weighty(range(place - 1, max(place - 1 - _REACH, -1), -1))

    def _weighty(self, places: Iterable[int]) -> str:
        last: Token | None = None
        for place in places:
            token = self.tokens[place]
            if last is not None:
                start, end = sorted((last, token))[0].end, sorted((last, token))[1].start
                if _BREAK.search(self.text, min(start, end), max(start, end)):
                    return ""
            last = token
            if place not in self.turning and token.word not in self.book.stop_words:
                return token.stem
        return ""


def _find_loosened(statement: str, quote: str, lexicon: Lexicon) -> Iterator[str]:
    """Figures that are stated without their "about", "up to" or "at least"."""
    given = [one for one in find_slots(quote, lexicon)[0] if one.modifier is not Modifier.EXACT]
    exact = [one for one in find_slots(quote, lexicon)[0] if one.modifier is Modifier.EXACT]
    for one in find_slots(statement, lexicon)[0]:
        if any(_same(one, other) for other in exact):
            continue
        for other in given:
            if _same(one, other) and one.modifier is not other.modifier:
                yield f"its quote says {_around(quote, other)!r}"


def _same(one: Quantity, other: Quantity) -> bool:
    return (one.kind, one.unit, one.low, one.high) == (
        other.kind,
        other.unit,
        other.low,
        other.high,
    )


def _around(quote: str, one: Quantity) -> str:
    return " ".join([*quote[: one.start].split()[-2:], quote[one.start : one.end]])


def _find_unlimited(said: _Text, given: _Text) -> Iterator[str]:
    """Turning words of the quote that the statement leaves out, of words that it has."""
    kept = [turn.keys for turn in said.turns]
    for turn in given.turns:
        keys = {key for key in turn.keys if key[0] in _LIMITING} - _UNLIMITED
        if not keys or _is_month(given, turn):
            continue
        like = next((one for one in kept if not keys.isdisjoint(one)), None)
        if like is not None:
            kept.remove(like)
            continue
        conditional = any(key[0] == "condition" for key in keys)
        limited = _main_clause(given, turn) if conditional else given.after(turn.end)
        limited = limited or given.before(turn.place)
        if limited in said.stems:
            yield f"it leaves out {turn.word!r}"


def _main_clause(text: _Text, turn: Turn) -> str:
    """The first word of weight after a condition that opens its sentence: "If it rains, X"."""
    tokens = text.tokens
    opens = turn.place == 0 or _BREAK.search(
        text.text, tokens[turn.place - 1].end, tokens[turn.place].start
    )
    if not opens:
        return ""
    for place in range(turn.end, len(tokens)):
        between = text.text[tokens[place - 1].end : tokens[place].start]
        if _BREAK.search(between):
            return ""
        if "," in between:
            return text.after(place)
    return ""


def _is_month(text: _Text, turn: Turn) -> bool:
    """Whether it is the month of May."""
    after = text.tokens[turn.end].word if turn.end < len(text.tokens) else ""
    return turn.word == "may" and text.tokens[turn.place].capital and after[:1].isdigit()


def _find_uncovered(said: _Text, given: _Text, rules: LimitRules) -> Iterator[str]:
    """Listed words of the quote that limit a word of the statement, which leaves them out."""
    for phrases, ahead in ((rules.ahead, True), (rules.behind, False)):
        for phrase in phrases:
            for found in re.finditer(rf"\b{re.escape(phrase)}\b", given.text):
                if said.has(phrase):
                    continue
                first = next(n for n, t in enumerate(given.tokens) if t.end > found.start())
                last = next(
                    (n for n, t in enumerate(given.tokens) if t.start >= found.end()),
                    len(given.tokens),
                )
                limited = given.after(last) if ahead else given.before(first)
                if limited in said.stems:
                    yield f"it leaves out {phrase!r}"


def _find_denials(said: _Text, given: _Text) -> Iterator[str]:
    """Words that one of the two denies more often than the other, which has them too."""
    here, there = _count_denied(said), _count_denied(given)
    for stem in here | there:
        if stem[:1].isdigit():  # "at most 40" denies no 40
            continue
        if stem in said.stems & given.stems and here[stem] % 2 != there[stem] % 2:
            more = here.total() > there.total() and here[stem] > there[stem]
            fewer = here.total() < there.total() and here[stem] < there[stem]
            if more or fewer:
                yield f"it {'denies' if more else 'does not deny'} {stem!r}"


def _count_denied(text: _Text) -> Counter[str]:
    """How often each word is denied: the next word of weight behind a denial, or the one before."""
    return Counter(
        text.after(turn.end) or text.before(turn.place)
        for turn in text.turns
        if any(key[0] == NEGATION for key in turn.keys)
    )


def _find_opposed(said: _Text, given: _Text, rules: LimitRules) -> Iterator[str]:
    """Words of the statement that the quote has not, and the contrary of which it has."""
    for one, other in (pair for each in rules.opposites for pair in (each, each[::-1])):
        if said.has(one) and given.has(other) and not said.has(other) and not given.has(one):
            yield f"it says {one!r}, its quote {other!r}"
    for word in rules.absolute:
        if said.has(word) and not given.has(word):
            yield f"its quote does not say {word!r}"
