"""Ids of claims, and claims that say the same in nearly the same words (decision 25)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence

from ..base.likeness import near_pairs
from .model import Claim
from .words import WordBook

# Decision 25: the share of common words from which two claims may be one.
SAME_WORDS = 0.65
_TOKEN = re.compile(r"\w+(?:[.,]\d+)*")


def duplicate_groups(claims: Sequence[Claim], book: WordBook) -> tuple[tuple[int, ...], ...]:
    """The places of claims that state the same, each group in document order, two or more in it.

    Two claims are the same if at least `SAME_WORDS` of their words are common (Jaccard) and what
    they state of numbers, dates, names, references, quotations and negation is equal. A claim
    joins the group of the first claim that it equals, so that no chain of small changes leads from
    one statement to another. Every pair above the limit is found; nothing is sampled or hashed to
    approximate it.
    """
    # One object for each word: a long corpus has few words and many claims.
    shared: dict[str, str] = {}
    words = [
        frozenset(shared.setdefault(word, word) for word in _TOKEN.findall(claim.text.casefold()))
        for claim in claims
    ]
    stated = [_statement(claim, book) for claim in claims]
    first: dict[int, int] = {}
    groups: dict[int, list[int]] = {}
    for left, right in sorted(near_pairs(words, SAME_WORDS)):
        leads = left not in first and right not in first
        if leads and stated[left] == stated[right]:
            first[right] = left
            groups.setdefault(left, [left]).append(right)
    return tuple(tuple(group) for _, group in sorted(groups.items()))


def _statement(claim: Claim, book: WordBook) -> tuple[frozenset[object], ...]:
    """Comparison key of a claim: two claims that say the same have equal keys."""
    return (
        frozenset((q.kind, q.low, q.high, q.unit, q.modifier) for q in claim.quantities),
        frozenset((d.first, d.last, d.fiscal) for d in claim.dates),
        frozenset(quote.text for quote in claim.quotes),
        frozenset(reference.norm for reference in claim.references),
        frozenset(t.stem for t in book.tokens(claim.text) if t.capital and t.start > 0),
        frozenset(_turning(claim, book)),
    )


def _turning(claim: Claim, book: WordBook) -> Iterator[tuple[str, str]]:
    for token in book.tokens(claim.text):
        yield from book.guards.get(token.word, ())
        if token.stem in book.contraries:
            yield "contrary", token.stem


def new_id(text: str, taken: Collection[str], *, earlier: int = 0) -> str:
    """An id for a claim of `text` that is not in `taken`: ``c-`` and eight hexadecimal digits.

    `earlier` says how many claims of the same text have got theirs, so that they are not tried
    again: a text may say one thing thousands of times.
    """
    words = " ".join(text.casefold().split())
    used: Collection[str] = taken if isinstance(taken, set | frozenset) else frozenset(taken)
    attempt = earlier
    while True:
        seed = f"{words}#{attempt}" if attempt else words
        name = "c-" + hashlib.sha256(seed.encode()).hexdigest()[:8]
        if name not in used:
            return name
        attempt += 1
