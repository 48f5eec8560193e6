from __future__ import annotations

import random

import pytest
from foureyes.sources.scoring.confidence import Publication, independence_clusters
from foureyes.sources.scoring.rules import IndependenceRules, ScoringRegistry
from hypothesis import given
from hypothesis import strategies as st

WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa")


def prose(seed: int, length: int = 200) -> str:
    chooser = random.Random(seed)
    return " ".join(chooser.choice(WORDS) + str(chooser.randrange(40)) for _ in range(length))


REPORT = prose(1)
EDITED = f"By our staff. {REPORT.upper()} Subscribe now."

CASES: dict[str, tuple[list[tuple[str, str, str]], tuple[int, ...]]] = {
    "one publisher": (
        [("a1", "a.example", ""), ("b", "b.example", ""), ("a2", "a.example", "")],
        (0, 1, 0),
    ),
    "a syndicated text": ([("a", "a.example", REPORT), ("b", "b.example", EDITED)], (0, 0)),
    "different texts": ([("a", "a.example", REPORT), ("b", "b.example", prose(2))], (0, 1)),
    "half of a text": ([("a", "a.example", REPORT), ("b", "b.example", REPORT[:700])], (0, 1)),
    "a chain": (
        [("a", "a.example", REPORT), ("b1", "b.example", EDITED), ("b2", "b.example", prose(3))],
        (0, 0, 0),
    ),
    "short and equal": (
        [("a", "a.example", "Same few words."), ("b", "b.example", "same FEW words")],
        (0, 0),
    ),
    "short and nearly equal": (
        [("a", "a.example", "Same few words."), ("b", "b.example", "Same two words.")],
        (0, 1),
    ),
    "without text": ([("a", "a.example", ""), ("b", "b.example", "")], (0, 1)),
    "files without a domain": ([("a.md", "", prose(4)), ("b.md", "", prose(5))], (0, 1)),
    "none": ([], ()),
}


@pytest.mark.parametrize(("sources", "clusters"), CASES.values(), ids=CASES.keys())
def test_publisher_and_text_make_sources_one(
    sources: list[tuple[str, str, str]], clusters: tuple[int, ...], registry: ScoringRegistry
) -> None:
    made = [Publication(*source) for source in sources]
    found = independence_clusters(made, registry.rules.independence)
    assert tuple(found[source.url] for source in made) == clusters


def slow_clusters(texts: list[str], rules: IndependenceRules) -> list[int]:
    """The same by comparing every text with every other, until nothing changes."""

    def shingles(text: str) -> set[tuple[str, ...]]:
        words = text.split()
        if len(words) < rules.fewest_words:
            return {tuple(words)} if words else set()
        return {tuple(words[i : i + rules.shingle]) for i in range(len(words) - rules.shingle + 1)}

    sets = [shingles(text) for text in texts]
    clusters = list(range(len(texts)))
    for _ in texts:
        for i, left in enumerate(sets):
            for j, right in enumerate(sets):
                if left and len(left & right) >= rules.similar * len(left | right):
                    clusters[i] = clusters[j] = min(clusters[i], clusters[j])
    numbers = list(dict.fromkeys(clusters))
    return [numbers.index(cluster) for cluster in clusters]


@given(
    st.lists(st.lists(st.sampled_from("abc"), max_size=9).map(" ".join), max_size=8),
    st.sampled_from([0.3, 0.5, 0.75, 1.0]),
)
def test_the_join_finds_exactly_the_similar_texts(texts: list[str], similar: float) -> None:
    rules = IndependenceRules(shingle=2, similar=similar, fewest_words=3, characters=1000)
    sources = [Publication(str(position), "", text) for position, text in enumerate(texts)]
    found = independence_clusters(sources, rules)
    assert list(found.values()) == slow_clusters(texts, rules)


def test_of_long_texts_the_beginning_is_compared(registry: ScoringRegistry) -> None:
    start = prose(6, registry.rules.independence.characters // 4)
    sources = [
        Publication("a", "a.example", start),
        Publication("b", "b.example", start + prose(7)),
    ]
    clusters = independence_clusters(sources, registry.rules.independence)
    assert clusters == {"a": 0, "b": 0}
