from __future__ import annotations

import random

import pytest
from foureyes.sources.scoring import Publication, ScoringRegistry, independence_clusters
from foureyes.sources.scoring.independence import near_equal
from foureyes.sources.scoring.rules import IndependenceRules
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


def slow_pairs(texts: list[str], rules: IndependenceRules) -> set[tuple[int, int]]:
    """The same by comparing every text with every other."""

    def shingles(text: str) -> set[tuple[str, ...]]:
        words = text.split()
        if len(words) < rules.fewest_words:
            return {tuple(words)} if words else set()
        return {tuple(words[i : i + rules.shingle]) for i in range(len(words) - rules.shingle + 1)}

    sets = [shingles(text) for text in texts]
    return {
        (i, j)
        for j in range(len(sets))
        for i in range(j)
        if sets[i] and len(sets[i] & sets[j]) >= rules.similar * len(sets[i] | sets[j])
    }


@given(
    st.lists(st.lists(st.sampled_from("abc"), max_size=9).map(" ".join), max_size=8),
    st.sampled_from([0.3, 0.5, 0.75, 1.0]),
)
def test_the_join_finds_exactly_the_similar_pairs(texts: list[str], similar: float) -> None:
    rules = IndependenceRules(shingle=2, similar=similar, fewest_words=3)
    assert set(near_equal(texts, rules)) == slow_pairs(texts, rules)
