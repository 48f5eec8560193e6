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
from typing import Annotated, NamedTuple

from pydantic import Field

from ..base.registry import RegistryModel, load_registry_file
from ..claims.lexicon import Lexicon
from ..claims.model import Modifier, Quantity
from ..claims.quantities import find_slots
from ..claims.words import Key, Token, WordBook

_LIMITING = frozenset({"modality", "quantifier", "forecast", "condition"})
_UNLIMITED = frozenset(
    {("quantifier", "all"), ("quantifier", "rest"), ("condition", "when"), ("modality", "must")}
)
_REACH = 4
_BREAK = re.compile(r"[.;:!?]\s")
Words = Annotated[tuple[str, ...], Field(min_length=1)]
NEGATION = "negation"
_LONGEST_PHRASE = 6


class LimitRules(RegistryModel):
    """`smoke.yaml`."""

    ahead: Words
    behind: Words


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
    )
    return next((fault for found in checks for fault in found), "")


class _Text:
    """The words of a text, and the turning words among them."""

    def __init__(self, text: str, book: WordBook) -> None:
        self.text, self.book = text.lower(), book
        self.tokens: Sequence[Token] = book.tokens(text)
        self.turns: Sequence[Turn] = list(find_turns(self.tokens, book))
        self.stems = frozenset(token.stem for token in self.tokens)
        self.turning = {place for turn in self.turns for place in range(turn.place, turn.end)}

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
                gap = min(last.end, token.end), max(last.start, token.start)
                if _BREAK.search(self.text, *gap):
                    return ""
            last = token
            if place not in self.turning and token.word not in self.book.stop_words:
                return token.stem
        return ""


def _find_loosened(statement: str, quote: str, lexicon: Lexicon) -> Iterator[str]:
    """Figures that are stated without their "about", "up to" or "at least"."""
    given = find_slots(quote, lexicon)[0]
    for one in find_slots(statement, lexicon)[0]:
        same = [other for other in given if _value(other) == _value(one)]
        if same and not any(other.modifier in (Modifier.EXACT, one.modifier) for other in same):
            words = [*quote[: same[0].start].split()[-2:], same[0].text]
            yield f"its quote says {' '.join(words)!r}"


def _value(one: Quantity) -> tuple[object, ...]:
    return one.kind, one.unit, one.low, one.high


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
    phrases = [(phrase, True) for phrase in rules.ahead]
    phrases += [(phrase, False) for phrase in rules.behind]
    for phrase, ahead in phrases:
        pattern = re.compile(rf"\b{re.escape(phrase)}\b")
        if pattern.search(said.text):
            continue
        for found in pattern.finditer(given.text):
            first = sum(token.end <= found.start() for token in given.tokens)
            last = sum(token.start < found.end() for token in given.tokens)
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


class Turn(NamedTuple):
    """A turning word or phrase at `[place, end)` of a row of tokens."""

    word: str
    place: int
    end: int
    keys: tuple[Key, ...]


def find_turns(tokens: Sequence[Token], book: WordBook) -> Iterator[Turn]:
    """The turning words and phrases among `tokens`, in order; a longer one goes first."""
    end = 0
    for place in range(len(tokens)):
        turn = _turn_at(tokens, place, book) if place >= end else None
        if turn:
            end = turn.end
            yield turn


def _turn_at(tokens: Sequence[Token], place: int, book: WordBook) -> Turn | None:
    for end in range(min(place + _LONGEST_PHRASE, len(tokens)), place, -1):
        phrase = " ".join(token.word for token in tokens[place:end])
        if keys := book.guards.get(phrase):
            return Turn(phrase, place, end, keys)
    return None
