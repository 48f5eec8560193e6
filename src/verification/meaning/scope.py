"""Which words of a sentence a turning word governs: what is only planned, said or partly so.

"Expects to hand over a ship every five months" governs all that follows, "will be opened" what
stands before it as well, and "some" the next words alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from ...claims.words import Turn
from .polarity import Statement

# So many words of weight follow a quantifier, or stand before one at the end of a clause.
_COUNTED = 3
_NARROW = frozenset({"quantifier", "frequency", "currency"})
_MODALS = frozenset(
    {"will", "won't", "would", "wouldn't", "shall", "may", "might", "could", "can", "must"}
    | {"should", "shouldn't", "mustn't", "ought"}
)
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "am", "it's", "it’s"})
_BETWEEN = 2
_STRONG = frozenset(";:.!?()|—–\n")
_TURNING = frozenset(
    {"but", "although", "though", "while", "whereas", "however", "despite", "instead"}
)
_RELATIVE = frozenset(
    {"who", "which", "that", "whose", "because", "since", "if", "and", "where"} | {"as", "than"}
)


def governed(statement: Statement, turn: Turn) -> frozenset[int]:
    """The places of the words that `turn` governs in `statement`, its own left out."""
    kinds = {kind for kind, _ in turn.keys}
    after, before = list(_after(statement, turn.end)), _before(statement, turn.place)
    if kinds <= _NARROW:
        return _beside(statement, after) or _beside(statement, list(before))
    if not after or "condition" in kinds or _has_subject(statement, turn):
        after += before
    return frozenset(after)


def _beside(statement: Statement, places: Sequence[int]) -> frozenset[int]:
    """The words of weight among the first of `places`, as far as the next comma."""
    close = takewhile(lambda n: n == places[0] or "," not in statement.gap(n), places)
    telling = (place for place in close if statement.is_telling(statement.tokens[place]))
    return frozenset(islice(telling, _COUNTED))


def _has_subject(statement: Statement, turn: Turn) -> bool:
    """Whether what stands before the word is only so, too: "the bridge will open"."""
    first = turn.word.split()[0]
    if first in _MODALS or first in _BE:
        return True
    before = statement.tokens[max(0, turn.place - _BETWEEN) : turn.place]
    return first.endswith(("ed", "ly", "due", "set")) and any(t.word in _BE for t in before)


def _after(statement: Statement, start: int) -> Iterator[int]:
    aside = _is_aside(statement, start)
    for place in range(start, len(statement.tokens)):
        if _ends(statement, place) or statement.tokens[place].word in _TURNING:
            return
        if aside and "," in statement.gap(place):
            return
        yield place


def _is_aside(statement: Statement, start: int) -> bool:
    """Whether it stands in a clause between commas, as in ", who had hoped for 60,"."""
    for place in range(start - 1, -1, -1):
        if "," in statement.gap(place):
            return statement.tokens[place].word in _RELATIVE
    return False


def _before(statement: Statement, start: int) -> Iterator[int]:
    """The words before `start` to the beginning of its clause, the nearest first."""
    for place in range(start - 1, -1, -1):
        if _ends(statement, place + 1):
            return
        if statement.tokens[place].word in _TURNING | _RELATIVE:
            return
        yield place


def _ends(statement: Statement, place: int) -> bool:
    return not _STRONG.isdisjoint(statement.gap(place))
