"""The confidence that several sources give a claim, and which sources are really one."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import KW_ONLY, dataclass
from datetime import date
from hashlib import blake2b
from itertools import accumulate

from ...base.likeness import jaccard
from ..plain_text import words_of
from .rules import ConfidenceRules, IndependenceRules


@dataclass(frozen=True, slots=True)
class Backing:
    """One source behind a claim.

    `relevance` and `weight` (its authority) are from 0 to 1. Sources of one `cluster` count once;
    None stands alone.
    """

    relevance: float
    weight: float
    _: KW_ONLY
    dated: date | None = None
    cluster: int | None = None


def combined_confidence(
    backings: Iterable[Backing], rules: ConfidenceRules, *, as_of: date, temporal: bool
) -> float:
    """The confidence in a claim, from 0 (no source) to 1.

    Each source counts relevance x weight x recency; of a cluster the best one counts. The total is
    the highest (sum of the k best) / sqrt(k), so that a weak extra source never lowers it.

    Args:
        backings: The sources that support the claim.
        rules: Half-life, and the recency of an undated source.
        as_of: The day at which ages are measured.
        temporal: Whether the claim is about a time; a static claim's sources do not age.
    """
    # Of the sources of one cluster the strongest counts; each without one is its own.
    best: dict[object, float] = {}
    for number, each in enumerate(backings):
        cluster = ("alone", number) if each.cluster is None else each.cluster
        recency = recency_weight(each.dated, rules, as_of=as_of) if temporal else 1.0
        best[cluster] = max(best.get(cluster, 0.0), each.relevance * each.weight * recency)
    sums = accumulate(sorted(best.values(), reverse=True))
    return min(1.0, max((total / math.sqrt(k) for k, total in enumerate(sums, 1)), default=0.0))


def recency_weight(dated: date | None, rules: ConfidenceRules, *, as_of: date) -> float:
    """How much a source of the day `dated` counts at `as_of`: 1 if fresh, 0.5 a half-life later."""
    if dated is None:
        return rules.undated
    return 0.5 ** (max(0, (as_of - dated).days) / rules.half_life_days)


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

    One registrable domain makes one cluster, and so does near-equal text; both chain. Texts are
    near-equal if the Jaccard similarity of their shingles reaches the rules' limit; those with
    fewer words than the rules ask for must have the same words, and empty ones equal nothing.
    Clusters are numbered in the order of their first source.
    """
    labels = list(range(len(sources)))
    firsts: dict[str, int] = {}
    for position, source in enumerate(sources):
        if source.domain:
            _join(labels, firsts.setdefault(source.domain, position), position)
    _join_similar(labels, [shingles(source.text, rules) for source in sources], rules.similar)
    numbers: dict[int, int] = {}
    return {
        source.url: numbers.setdefault(label, len(numbers))
        for source, label in zip(sources, labels, strict=True)
    }


def share_within(own: Set[int], other: Set[int]) -> float:
    """The share of the `shingles` of a text that another one has too, 0–1; 0 if it has no words."""
    return len(own & other) / len(own) if own else 0.0


def shingles(text: str, rules: IndependenceRules) -> frozenset[int]:
    """A text as the runs of words in it, each by a hash, for comparing it with others."""
    words = words_of(text[: rules.characters])
    if not words:
        return frozenset()
    if len(words) < rules.fewest_words:
        return frozenset((_hash(words),))
    runs = range(max(1, len(words) - rules.shingle + 1))
    return frozenset(_hash(words[start : start + rules.shingle]) for start in runs)


def _hash(words: Sequence[str]) -> int:
    return int.from_bytes(blake2b(" ".join(words).encode(), digest_size=8).digest())


def _join_similar(labels: list[int], sets: Sequence[Set[int]], limit: float) -> None:
    """An exact join: similar sets share one of their rarest members, so only those are indexed."""
    frequency = Counter(member for members in sets for member in members)
    index: defaultdict[int, list[int]] = defaultdict(list)
    for position in sorted(range(len(sets)), key=lambda at: len(sets[at])):
        size = len(sets[position])
        rarest = sorted(sets[position], key=lambda member: (frequency[member], member))
        prefix = rarest[: size - math.ceil(limit * size) + 1] if size else []
        candidates = {other for member in prefix for other in index[member]}
        for other in sorted(candidates):
            # Of sources that are one already, nothing more has to be found.
            known = labels[other] == labels[position]
            if not known and jaccard(sets[other], sets[position]) >= limit:
                _join(labels, other, position)
        for member in prefix:
            index[member].append(position)


def _join(labels: list[int], one: int, other: int) -> None:
    first, second = sorted((labels[one], labels[other]))
    labels[:] = [first if label == second else label for label in labels]
