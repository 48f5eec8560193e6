"""Words and phrases of a text that turn what stands beside them: denials, limits, doubts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..claims.words import Key, Token, WordBook

NEGATION = "negation"
_LONGEST_PHRASE = 6


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
