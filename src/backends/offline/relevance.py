"""How well a sentence answers a question or fits a section's title."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...claims.words import WordBook
from .excerpts import Excerpt, content_stems
from .rules import Asked, ExtractionFile


@dataclass(frozen=True, slots=True)
class Query:
    """A question or a section's title as comparison forms, and what it asks for.

    `related` are the forms of words that belong to the same subject.
    """

    stems: frozenset[str]
    asks: frozenset[Asked]
    related: frozenset[str]


@dataclass(frozen=True, slots=True)
class Hit:
    """An excerpt with its score; `covered` is the share of the query's weight in it, 0 to 1."""

    excerpt: Excerpt
    covered: float
    shared: int
    score: float


class Relevance:
    """Scores excerpts by rarity-weighted overlap.

    Args:
        excerpts: The sentences to choose from; rarity is counted over them.
        rules: Weights and thresholds.
        words: Stems.
    """

    def __init__(self, excerpts: Sequence[Excerpt], rules: ExtractionFile, words: WordBook) -> None:
        self.excerpts = excerpts
        self._rules = rules
        self._words = words
        self._counts = Counter(stem for excerpt in excerpts for stem in excerpt.stems)
        self._groups = _groups(rules, words)

    def query(self, text: str) -> Query:
        """`text` as a query."""
        stems = content_stems(text, self._words)
        cues = self._rules.asking.items()
        asks = frozenset(asked for asked, cue in cues if cue.search(text))
        related = frozenset[str]().union(*(self._groups.get(stem, ()) for stem in stems))
        return Query(stems, asks, related - stems)

    def answers(self, query: Query) -> list[Hit]:
        """The excerpts that answer the question `query`, the best first."""
        rules = self._rules
        long = len(query.stems) >= rules.long_question
        least = rules.answers_long if long else rules.answers
        needed = min(rules.min_shared_words, len(query.stems))
        hits = (self._hit(query, excerpt) for excerpt in self.excerpts)
        found = [hit for hit in hits if hit.covered >= least and hit.shared >= needed]
        best = max((hit.score for hit in found), default=0.0)
        near = (hit for hit in found if hit.score >= rules.near_best * best)
        return sorted(near, key=lambda hit: -hit.score)

    def fit(self, title: Query, excerpt: Excerpt) -> float:
        """How well an excerpt fits under a section's title."""
        rules = self._rules
        covered, _ = self.covered(title.stems, excerpt.stems)
        above, _ = self.covered(title.stems, excerpt.heading_stems - excerpt.stems)
        # One related word counts 0.7 of the weight, two 0.91; in a heading each counts half.
        inside = len(title.related & excerpt.stems)
        overhead = len(title.related & (excerpt.heading_stems - excerpt.stems))
        kin = rules.related_weight * (1 - 0.3 ** (inside + rules.heading_weight * overhead))
        kind = rules.kind_bonus * bool(title.asks & excerpt.offers)
        return covered + rules.heading_weight * above + kin + kind

    def same(self, one: Excerpt, other: Excerpt) -> bool:
        """Whether two sentences say the same, by the words they share."""
        both = len(one.stems & other.stems)
        return both > self._rules.same * len(one.stems | other.stems)

    def covered(self, wanted: Iterable[str], present: frozenset[str]) -> tuple[float, int]:
        """The share of the weight of `wanted` that is in `present`, and how many words are."""
        total = found = 0.0
        shared = 0
        for stem in wanted:
            weight = self._weight(stem)
            total += weight
            if stem in present:
                found += weight
                shared += 1
        return (found / total if total else 0.0), shared

    def _hit(self, query: Query, excerpt: Excerpt) -> Hit:
        covered, shared = self.covered(query.stems, excerpt.stems)
        rules = self._rules
        score = covered + rules.kind_bonus * bool(query.asks & excerpt.offers)
        score += rules.figure_bonus * excerpt.has_figure + rules.lead_bonus * excerpt.lead
        return Hit(excerpt, covered, shared, score)

    def _weight(self, stem: str) -> float:
        return math.log(1 + len(self.excerpts) / (1 + self._counts[stem]))


def _groups(rules: ExtractionFile, words: WordBook) -> Mapping[str, frozenset[str]]:
    groups: dict[str, frozenset[str]] = {}
    for group in rules.related:
        stems = content_stems(" ".join(group), words)
        for stem in stems:
            groups[stem] = groups.get(stem, frozenset[str]()) | stems
    return groups
