"""The score ranks texts by how likely they bear a claim out; it makes no verdict."""

from __future__ import annotations

import pytest
from foureyes.verification.meaning.support import SupportWeights, support_features, support_score
from foureyes.verification.reading.index import TextIndex
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from support.claim_kit import registry

CLAIM = "The Orvane dam holds 40 million litres of water."
WORDS = st.lists(
    st.sampled_from(["Orvane", "dam", "not", "holds", "40", "water", ".", "\n", "41", "never"]),
    max_size=40,
).map(" ".join)


def score(claim: str, text: str) -> float:
    """The score of a claim and a text with the packaged weights."""
    return support_score(claim, TextIndex(text, registry().lexicon), registry().verification.score)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (CLAIM, "The Orvane dam was closed in spring for repairs."),
        (CLAIM, "The Orvane dam holds 70 million litres of water."),
        (CLAIM, "The Orvane dam does not hold 40 million litres of water."),
        (CLAIM, "The Karsk dam holds 40 million litres of water."),
        ("At Orvane 40 million litres of water are held by the dam.", "Water is held at Orvane."),
    ],
)
def test_a_text_that_says_the_claim_scores_above_one_that_says_less_or_else(
    better: str, worse: str
) -> None:
    assert score(CLAIM, better) > score(CLAIM, worse)


@pytest.mark.parametrize("text", ["", "Sheep graze here.", "?!"])
def test_a_text_without_any_word_of_the_claim_scores_nothing(text: str) -> None:
    assert score(CLAIM, text) == 0


def test_a_claim_without_a_word_that_counts_scores_nothing() -> None:
    assert score("It is of the.", CLAIM) == 0


@given(WORDS, WORDS)
def test_every_score_and_share_lies_between_0_and_1(claim: str, text: str) -> None:
    assert 0 <= score(claim, text) <= 1
    features = support_features(claim, TextIndex(text, registry().lexicon))
    assert features is None or all(0 <= feature <= 1 for feature in features)


def test_weights_must_name_every_feature() -> None:
    with pytest.raises(ValidationError, match="the features are missing, one_missing"):
        SupportWeights(threshold=0.5, constant=0, weights={"missing": -1})
