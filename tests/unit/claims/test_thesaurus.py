"""How words are related, in the packaged data and in the word book."""

from __future__ import annotations

import pytest
from foureyes.claims.lexicon import load_lexicon
from foureyes.claims.thesaurus import THESAURUS, UNRELATED, Relation, Thesaurus
from foureyes.claims.words import stem
from hypothesis import given
from hypothesis import strategies as st

BOOK = load_lexicon().words


def stems(*words: str) -> list[str]:
    return [stem(word, BOOK.irregular) for word in words]


@pytest.mark.parametrize(
    ("word", "other", "relation"),
    [
        ("buy", "buys", Relation.SAME),
        ("purchase", "buy", Relation.SYNONYM),
        ("abolition", "abolish", Relation.DERIVED),
        ("Nigerian", "Nigeria", Relation.DERIVED),
        ("lorry", "truck", Relation.SYNONYM),
        ("copper", "metal", Relation.BROADER),
        ("metal", "copper", Relation.NARROWER),
        ("approve", "reject", Relation.ANTONYM),
        ("guilty", "innocent", Relation.ANTONYM),
        ("winter", "lawyer", Relation.NONE),
    ],
)
def test_two_words_are_related_as_a_thesaurus_says(
    word: str, other: str, relation: Relation
) -> None:
    assert BOOK.relation(*stems(word.lower(), other.lower())).relation is relation


def test_a_stem_that_the_data_lacks_is_related_to_nothing() -> None:
    assert not THESAURUS.of("zyxomma")
    assert THESAURUS.relation("zyxomma", "winter") == UNRELATED


def test_the_data_is_read_once_and_only_when_a_word_is_asked_for() -> None:
    reads: list[int] = []

    def load() -> dict[str, str]:
        reads.append(1)
        return {"gale": "Sstorm9 wind3\tAcalm5"}

    thesaurus = Thesaurus(load)
    assert not reads
    assert thesaurus.relation("gale", "storm").weight == 1
    assert thesaurus.relation("gale", "calm").relation is Relation.ANTONYM
    assert len(reads) == 1


def test_a_common_synonym_is_alike_and_a_rare_one_is_only_close() -> None:
    buy, purchase, acquire = stems("buy", "purchase", "acquire")
    assert purchase in BOOK.alike(buy)
    assert BOOK.close(buy).get(acquire, 0) > 0


def test_an_opposite_is_neither_alike_nor_close() -> None:
    for word in ("rise", "open", "approve", "large"):
        (one,) = stems(word)
        assert BOOK.opposed(one)
        assert BOOK.alike(one).isdisjoint(BOOK.opposites.get(one, ()))
        assert BOOK.opposites.get(one, frozenset()).isdisjoint(BOOK.close(one))


@pytest.mark.parametrize(
    ("word", "other"),
    [("rise", "plummet"), ("surge", "decline"), ("safe", "unsafe"), ("encrypted", "unencrypted")],
)
def test_directions_and_a_negating_prefix_are_opposed_both_ways(word: str, other: str) -> None:
    one, two = stems(word, other)
    assert two in BOOK.opposed(one)
    assert one in BOOK.opposed(two)


@given(st.text(max_size=20))
def test_no_word_is_worth_more_than_itself(word: str) -> None:
    assert all(0 <= worth <= 1 for worth in BOOK.close(word).values())
    assert word in BOOK.alike(word)
