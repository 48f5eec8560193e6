"""Which sources are really one: of one publisher, or with near-equal text (decision 33)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from hashlib import blake2b

from .rules import IndependenceRules
from .words import words_of


@dataclass(frozen=True, slots=True)
class Publication:
    """A source for comparison: its address, registrable domain ("" if it has none) and text."""

    url: str
    domain: str
    text: str = ""


def independence_clusters(
    sources: Sequence[Publication], rules: IndependenceRules
) -> Mapping[str, int]:
    """The cluster of each address; two sources are independent if their clusters differ.

    One registrable domain makes one cluster, and so does near-equal text; both chain. Clusters are
    numbered in the order of their first source.
    """
    parents = list(range(len(sources)))
    firsts: dict[str, int] = {}
    for position, source in enumerate(sources):
        if source.domain:
            _join(parents, firsts.setdefault(source.domain, position), position)
    for left, right in near_equal([source.text for source in sources], rules):
        _join(parents, left, right)
    numbers: dict[int, int] = {}
    roots = [_root(parents, position) for position in range(len(sources))]
    return {
        source.url: numbers.setdefault(root, len(numbers))
        for source, root in zip(sources, roots, strict=True)
    }


def near_equal(texts: Sequence[str], rules: IndependenceRules) -> Iterator[tuple[int, int]]:
    """Every pair of positions whose texts are near-equal, exactly.

    Near-equal: the Jaccard similarity of their shingles reaches the rules' limit. Texts with fewer
    words than the rules ask for must have the same words; empty ones equal nothing.
    """
    shingles = [_shingles(text, rules) for text in texts]
    yield from _similar_pairs(shingles, rules.similar)


def _shingles(text: str, rules: IndependenceRules) -> frozenset[int]:
    words = words_of(text)
    if not words:
        return frozenset()
    if len(words) < rules.fewest_words:
        return frozenset((_hash(words),))
    runs = range(max(1, len(words) - rules.shingle + 1))
    return frozenset(_hash(words[start : start + rules.shingle]) for start in runs)


def _hash(words: Sequence[str]) -> int:
    return int.from_bytes(blake2b(" ".join(words).encode(), digest_size=8).digest())


def _similar_pairs(sets: Sequence[Set[int]], limit: float) -> Iterator[tuple[int, int]]:
    """An exact join: similar sets share one of their rarest members, so only those are indexed."""
    frequency = Counter(member for members in sets for member in members)
    ordered = [sorted(members, key=lambda m: (frequency[m], m)) for members in sets]
    index: defaultdict[int, list[int]] = defaultdict(list)
    for position in sorted(range(len(sets)), key=lambda at: len(sets[at])):
        size = len(sets[position])
        prefix = ordered[position][: size - math.ceil(limit * size) + 1] if size else []
        candidates = {other for member in prefix for other in index[member]}
        candidates = {other for other in candidates if len(sets[other]) >= limit * size}
        for other in sorted(candidates):
            if _jaccard(sets[other], sets[position]) >= limit:
                yield min(other, position), max(other, position)
        for member in prefix:
            index[member].append(position)


def _jaccard(left: Set[int], right: Set[int]) -> float:
    shared = len(left & right)
    return shared / (len(left) + len(right) - shared)


def _root(parents: list[int], position: int) -> int:
    while parents[position] != position:
        parents[position] = position = parents[parents[position]]
    return position


def _join(parents: list[int], left: int, right: int) -> None:
    first, second = sorted((_root(parents, left), _root(parents, right)))
    parents[second] = first
