"""Two parts of a sentence that have changed places: "300 cars and 40 passengers" of 40 and 300.

A reader finds every word of the claim in the source and takes it for support. Of 194 claims of
`training/pairs*` that have the words of a sentence so, 191 are contradicted by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...claims.lexicon import Lexicon
from ..passages.units import Unit, UnitKind
from .binding import Swap
from .words import Word, split_words

# Longer parts are clauses, which may come in any order.
_LEAST_WORDS, _MOST_OF_A_PART = 4, 3
# They may come and go; "A and B" may as well be "B and A", and "A is B" "B is A".
_LIGHT = frozenset(
    {"the", "a", "an", "and", "or", "of", "its", "their", "is", "are", "was", "were", "be", "been"}
)
# "30 by 40 metres", "as long as": what stands on either side is the same either way.
_EVEN = frozenset({"by", "x", "as", "same", "between", "both", "with", "each", "versus"})


def find_crossing(claim: str, lexicon: Lexicon, units: Sequence[Unit]) -> Swap | None:
    """The sentence among `units` that has just the words of `claim`, but two parts crossed.

    Neither part begins with a preposition, which would carry its role along, and what stands
    between them has another word than a preposition, unless they are figures.
    """
    own = _heavy(claim)
    if len(own) < _LEAST_WORDS:
        return None
    wanted = [word.key for word in own]
    for unit in units:
        theirs = _heavy(unit.text) if unit.kind not in (UnitKind.ROW, UnitKind.CODE) else []
        for at in range(len(theirs) - len(own) + 1):
            window = theirs[at : at + len(own)]
            found = [word.key for word in window]
            if found == wanted or sorted(found) != sorted(wanted):
                continue
            for start, first, last, end in _crossed(wanted, found):
                parts = own[start:first], own[first:last], own[last:end]
                if _is_telling(*parts, lexicon):
                    stated = unit.text[window[start].start : window[end - 1].end]
                    return Swap(stated, claim[own[start].start : own[end - 1].end], unit)
    return None


def _heavy(text: str) -> list[Word]:
    return [word for word in split_words(text) if word.key not in _LIGHT]


def _crossed(own: Sequence[str], theirs: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Where `own` is X M Y and `theirs` Y M X between the same words: ends of X, M and Y."""
    start, end = 0, len(own)
    while own[start] == theirs[start]:
        start += 1
    while own[end - 1] == theirs[end - 1]:
        end -= 1
    for first in range(start + 1, min(end, start + 1 + _MOST_OF_A_PART)):
        for last in range(max(first + 1, end - _MOST_OF_A_PART), end):
            moved = [*own[last:end], *own[first:last], *own[start:first]]
            if moved == [*theirs[start:end]]:
                yield start, first, last, end


def _is_telling(
    one: Sequence[Word], between: Sequence[Word], other: Sequence[Word], lexicon: Lexicon
) -> bool:
    prepositions = frozenset(lexicon.clauses.file.prepositions)
    heads = [part[0].key for part in (one, other)]
    figures = {head[0].isdigit() for head in heads}
    if len(figures) > 1 or any(word.key in _EVEN for word in between):
        return False
    led = any(head in prepositions for head in heads)
    return not led and (figures == {True} or any(w.key not in prepositions for w in between))
