"""Claims that state the same are found, all of them, and no others (decision 25)."""

from __future__ import annotations

from itertools import combinations

import pytest
from foureyes.base.likeness import jaccard, near_pairs
from foureyes.claims.detect import detect_claims
from foureyes.claims.duplicates import SAME_WORDS, duplicate_groups
from foureyes.documents.parse import parse_document
from hypothesis import given
from hypothesis import strategies as st
from support.claim_kit import AS_OF, registry

SETS = st.lists(st.frozensets(st.sampled_from("abcdefghij"), max_size=8), max_size=25)


def groups(*sentences: str) -> list[list[str]]:
    """The sentences that are duplicates of each other."""
    lexicon = registry().lexicon
    text = "\n\n".join(f"{sentence} (https://example.org/a)." for sentence in sentences)
    claims = detect_claims(parse_document(text), lexicon, as_of=AS_OF)
    return [[claims[i].text for i in group] for group in duplicate_groups(claims, lexicon.words)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "The Arne bridge carries 4,200 lorries a day",
            "The Arne bridge carries 4,200 lorries a day",
        ),
        (
            "The Arne bridge carries 4,200 lorries a day",
            "The stone Arne road bridge carries 4,200 lorries a day",
        ),
        (
            "Orvane opened its second harbour in May 2019",
            "Orvane opened its second harbour in May 2019 too",
        ),
    ],
)
def test_claims_of_nearly_the_same_words_and_the_same_figures_are_one(one: str, other: str) -> None:
    assert len(groups(one, other)) == 1


@pytest.mark.parametrize(
    "other",
    [
        "The Arne bridge carries 4,300 lorries a day",
        "The Arne bridge never carries 4,200 lorries a day",
        "The Lys bridge carries 4,200 lorries a day",
        "The Arne bridge carries at least 4,200 lorries a day",
        "The Arne bridge carries 4,200 lorries a year",
        "The Arne bridge carried 4,200 lorries a day in 1998",
    ],
)
def test_claims_that_differ_in_what_they_state_stay_apart(other: str) -> None:
    assert groups("The Arne bridge carries 4,200 lorries a day", other) == []


def test_a_chain_of_small_changes_does_not_join_its_ends() -> None:
    words = [
        "alpha",
        "bravo",
        "charlie",
        "delta",
        "echo",
        "foxtrot",
        "golf",
        "hotel",
        "india",
        "juliet",
    ]
    chain = [" ".join(["Unit", *words[:at], *(w[::-1] for w in words[at:])]) for at in range(11)]
    found = groups(*[f"{text} weighs 12 tonnes" for text in chain])
    assert all(
        jaccard(frozenset(group[0].split()), frozenset(text.split())) >= SAME_WORDS
        for group in found
        for text in group
    )
    assert max(map(len, found)) < len(chain)


@given(SETS, st.sampled_from([0.3, 0.5, SAME_WORDS, 0.8, 1.0]))
def test_exactly_the_pairs_above_the_limit_are_found(
    sets: list[frozenset[str]], least: float
) -> None:
    pairs = combinations(range(len(sets)), 2)
    expected = {(i, j) for i, j in pairs if sets[i] and jaccard(sets[i], sets[j]) >= least}
    assert sorted(near_pairs(sets, least)) == sorted(expected)
