"""Words by which a source takes back, doubts or limits a sentence that the claim repeats.

A reader takes a close copy of a claim for support, whatever stands round it: "critics claimed
that", "failed to", "all but one". What the source says only with such a word, a claim must not say
without it, nor the other way round. The word lists are in `config/registry/words.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...claims.words import WordBook
from ..passages.retrieval import terms
from ..passages.units import Unit
from .edits import shared_order

# Share of a claim's words that a sentence has in their order to be a copy; set by hand.
_COPIED = 0.7
_PRESENT = re.compile(r"\b(?:is|are|has|have)\b", re.IGNORECASE)
_PAST = re.compile(r"\b(?:was|were|had)\b", re.IGNORECASE)
# "Not" with the words that it denies.
_DENIED = re.compile(
    r"(?:\b(?:not|never|cannot)\b(?! (?:only|just|merely|least))|n['’]t\b)(?P<what>.{0,60})",
    re.IGNORECASE,
)
_WORDS_DENIED = 2
_YEAR = re.compile(r"\b(?:in|until|during) ((?:19|20)\d\d)\b")


def reservation(claim: str, units: Sequence[Unit], book: WordBook) -> str:
    """The word that keeps every copy of `claim` among `units` from stating it; "" if one does.

    Also "" where none of them is a copy. Words of one sort ("failed to", "refused to") are not told
    apart.
    """
    own = _marks(claim, book)
    found = ""
    for unit in units:
        if shared_order(claim, unit.text) < _COPIED:
            continue
        theirs = _marks(unit.text, book)
        differing = theirs.keys() ^ own.keys()
        other = _past_of(claim, unit.text)
        if _denies(claim, unit.text) is not _denies(unit.text, claim):
            other = "not"
        if not (differing or other):
            return ""
        found = found or ((theirs | own)[min(differing)] if differing else other)
    return found


def _denies(text: str, other: str) -> bool:
    """Whether `text` says "not" of words that `other` has, too."""
    shared = set(terms(other))
    return any(
        shared & set(terms(match["what"])[:_WORDS_DENIED]) for match in _DENIED.finditer(text)
    )


def _past_of(claim: str, text: str) -> str:
    """The past year that `text` binds to what `claim` says in the present tense, "" for none."""
    if not _PRESENT.search(claim) or _PAST.search(claim) or _PRESENT.search(text):
        return ""
    year = _YEAR.search(text) if _PAST.search(text) else None
    return year[0] if year and year[1] not in claim else ""


def _marks(text: str, book: WordBook) -> dict[int, str]:
    """The sorts of words that `text` has, each with the first of them."""
    found = ((sort, pattern.search(text)) for sort, pattern in enumerate(book.reservations))
    return {sort: match[0].lower() for sort, match in found if match}
