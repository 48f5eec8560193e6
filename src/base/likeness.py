"""How like two texts or sets are: the share of what they have in common (Jaccard)."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
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
    counts = Counter(member for members in sets for member in members)
    posted: defaultdict[str, list[int]] = defaultdict(list)
    for place, members in sorted(enumerate(sets), key=lambda one: len(one[1])):
        # Two sets that share so much share one of the rarest members of each.
        size, rarest = len(members), sorted(members, key=lambda member: (counts[member], member))
        asked = rarest[: size - math.ceil(least * size - _SLACK) + 1]
        for other in set[int]().union(*(posted[member] for member in asked)):
            common = len(members & sets[other])
            if common >= least * (size + len(sets[other]) - common) - _SLACK:
                yield min(place, other), max(place, other)
        for member in rarest[: size - math.ceil(2 * least / (1 + least) * size - _SLACK) + 1]:
            posted[member].append(place)


def masked_tokens(text: str) -> frozenset[str]:
    """The distinct words of `text` in lower case, every number replaced by one mark."""
    return frozenset(_WORD.findall(_NUMBER.sub("0", text.casefold())))


def jaccard(left: AbstractSet[object], right: AbstractSet[object]) -> float:
    """The share of common members, 0–1; two empty sets are alike."""
    union = len(left | right)
    return len(left & right) / union if union else 1.0
