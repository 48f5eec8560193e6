"""Whether a party of a claim and a party of a source are the same one."""

from __future__ import annotations

from enum import Enum

from ...claims.words import WordBook
from .cast import Cast
from .phrases import Party

# So many words of weight tell a description from others.
_TELLING = 2


class Likeness(Enum):
    """How two parties compare; `OPEN` if the words do not tell."""

    SAME = "same"
    OTHER = "other"
    OPEN = "open"


def likeness(
    one: Party, other: Party, number: int, cast: Cast, book: WordBook, *, strict: bool = False
) -> Likeness:
    """Compare `one` of a claim with `other` in sentence `number` of the source.

    By their names, what pronouns and descriptions mean included; without names, by the noun at the
    head or by most of the words. `strict` takes only what is certain for the same.
    """
    if not one.names and not other.names and _is_told_alike(one, other, book):
        return Likeness.SAME
    meant = cast.meant(other, number)
    if one.names and meant.names:
        if cast.identity.any_same(one.names, meant.names):
            return Likeness.SAME if meant.certain or not strict else Likeness.OPEN
        return Likeness.OTHER if meant.certain else Likeness.OPEN
    if bool(one.names) != bool(other.names) and _describes(one, other):
        return Likeness.SAME
    if one.names or meant.names or not other.stems:
        return Likeness.OPEN
    if other.head in book.alike(one.head):
        return Likeness.SAME
    shared = one.stems & other.stems
    most = 2 * len(shared) >= min(len(one.stems), len(other.stems))
    return Likeness.SAME if shared and most and not strict else Likeness.OPEN


def _is_told_alike(one: Party, other: Party, book: WordBook) -> bool:
    """Whether two descriptions have the same words: "the pilots' guild"."""
    return (
        len(one.stems) >= _TELLING
        and one.stems == other.stems
        and other.head in book.alike(one.head)
    )


def _describes(one: Party, other: Party) -> bool:
    """Whether one is the other without its name: "the fishing company" and "… Nordhav"."""
    named, bare = (one, other) if one.names else (other, one)
    plain = named.stems - frozenset[str]().union(*named.names)
    return len(bare.stems) >= _TELLING and bare.stems == plain
