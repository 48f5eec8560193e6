"""Ids of claims, and claims that say the same in nearly the same words (decision 25)."""

from __future__ import annotations

import bisect
import hashlib
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from .model import Claim
from .words import WordBook

# Decision 25: the share of common words from which two claims may be one.
SAME_WORDS = 0.65
_TOKEN = re.compile(r"\w+(?:[.,]\d+)*")
# Rounding errors must not lose a pair that lies just on the limit.
_SLACK = 1e-9
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d[\d.,]*")


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


def near_pairs(sets: Sequence[frozenset[str]], least: float) -> Iterator[tuple[int, int]]:
    """Every pair of places, the lower first, whose sets have a Jaccard similarity >= `least`.

    The prefix filter of Bayardo, Ma and Srikant (2007): two sets can be that similar only if they
    share one of their rarest members, so only those are looked up. `least` is above 0; empty sets
    are like no other.
    """
    equal: dict[frozenset[str], list[int]] = {}
    for place, members in enumerate(sets):
        if members:
            equal.setdefault(members, []).append(place)
    for places in equal.values():
        for at, left in enumerate(places):
            for right in places[at + 1 :]:
                yield left, right
    for one, other in _near_unequal(list(equal), least):
        for left in equal[one]:
            for right in equal[other]:
                yield min(left, right), max(left, right)


def _near_unequal(
    sets: Sequence[frozenset[str]], least: float
) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    counts = Counter(member for members in sets for member in members)
    ranks = {m: rank for rank, (m, _) in enumerate(sorted(counts.items(), key=lambda c: c[::-1]))}
    by_size = sorted(sets, key=len)
    sizes = [len(members) for members in by_size]
    posted: dict[str, list[int]] = {}
    for place, members in enumerate(by_size):
        size = len(members)
        rarest = sorted(members, key=ranks.__getitem__)
        shortest = math.ceil(least * size - _SLACK)
        from_ = bisect.bisect_left(sizes, shortest)
        seen: set[int] = set()
        for word in rarest[: size - shortest + 1]:
            places = posted.get(word)
            if places:
                seen.update(places[bisect.bisect_left(places, from_) :])
        for other in seen:
            theirs = by_size[other]
            common = len(members & theirs)
            if common >= least * (size + len(theirs) - common) - _SLACK:
                yield members, theirs
        # Only larger sets look this one up, so that a shorter prefix will do.
        shared = math.ceil(2 * least / (1 + least) * size - _SLACK)
        for word in rarest[: size - shared + 1]:
            posted.setdefault(word, []).append(place)


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
        if token.stem in book.opposites:
            yield "opposite", token.stem


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


def masked_tokens(text: str) -> frozenset[str]:
    """The distinct words of `text` in lower case, every number replaced by one mark."""
    return frozenset(_WORD.findall(_NUMBER.sub("0", text.casefold())))


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """The share of common words, 0–1; two empty sets are alike."""
    union = len(left | right)
    return len(left & right) / union if union else 1.0
