"""How like two texts or sets are: the share of what they have in common (Jaccard)."""

from __future__ import annotations

import bisect
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

# Rounding errors must not lose a pair that lies just on the limit.
_SLACK = 1e-9
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d[\d.,]*")


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


def masked_tokens(text: str) -> frozenset[str]:
    """The distinct words of `text` in lower case, every number replaced by one mark."""
    return frozenset(_WORD.findall(_NUMBER.sub("0", text.casefold())))


def jaccard(left: AbstractSet[object], right: AbstractSet[object]) -> float:
    """The share of common members, 0–1; two empty sets are alike."""
    union = len(left | right)
    return len(left & right) / union if union else 1.0
