"""Words that stand for something are resolved where one thing can be meant, else marked."""

from __future__ import annotations

from datetime import date

import pytest
from foureyes.claims.detect import detect_claims
from foureyes.claims.lexicon import load_lexicon
from foureyes.claims.model import Claim
from foureyes.documents.parse import parse_document
from hypothesis import given
from hypothesis import strategies as st

LEXICON = load_lexicon()


def claims(text: str) -> tuple[Claim, ...]:
    return detect_claims(parse_document(text), LEXICON, as_of=date(2026, 1, 1))


CERTAIN = [
    ("The Marn system is old. It has 9 looms.", "The Marn system has 9 looms."),
    ("The Marn system is old. Its range is 9 km.", "The Marn system's range is 9 km."),
    ("Two mills are old. They have 90 looms.", "Two mills have 90 looms."),
    ("The three mills are old. They have 90 looms.", "The three mills have 90 looms."),
    ("In Olm the Marn system is old. Then it got 9 looms.", None),
    ("Dr. Ilse Marn is a judge. She wrote 9 books.", "Ilse Marn wrote 9 books."),
    ("The Marn system is old. It is small. It has 9 looms.", "The Marn system has 9 looms."),
    ("Olms is old. Its wall is 9 m high.", "Olms' wall is 9 m high."),
]
OPEN = [
    "It has 9 looms.",
    "Marn sold Tor. It has 9 looms.",
    "Ilse Marn met Anna Tor. She wrote 9 books.",
    "The mill is old.\n\n# B\n\nIt has 9 looms.",
    "There is a mill. It has 9 looms.",
]
SILENT = [
    "The mill sold its 9 looms.",
    "It is clear that the mill has 9 looms.",
    "The mill is old. The mill price is 9 dollars.",
    "The mill is old and it has 90 looms.",
    'The mill is old. Marn said: "It has 9 looms and wheels."',
]


def last(text: str) -> Claim:
    *_, claim = claims(text)
    return claim


@pytest.mark.parametrize(("text", "resolved"), CERTAIN)
def test_a_claim_says_what_its_words_stand_for(text: str, resolved: str | None) -> None:
    claim = last(text)
    if resolved is None:
        assert not claim.resolved
        return
    assert (claim.resolved, [one.certain for one in claim.referents]) == (resolved, [True])
    (referent,) = claim.referents
    assert claim.text[referent.start : referent.end] == referent.text


@pytest.mark.parametrize("text", OPEN)
def test_where_it_is_not_certain_a_claim_says_so(text: str) -> None:
    claim = last(text)
    assert [one.certain for one in claim.referents] == [False]
    assert claim.resolved == ""


@pytest.mark.parametrize("text", SILENT)
def test_words_that_need_no_help_from_outside_are_left_alone(text: str) -> None:
    assert last(text).referents == ()


WORDS = st.lists(
    st.sampled_from(
        [
            "The mill",
            "Marn",
            "It",
            "they",
            "the company",
            "has 9 looms",
            "and",
            "its",
            ".",
            ", which",
        ]
    ),
    max_size=20,
)


@given(WORDS.map(" ".join))
def test_referents_lie_in_their_claim(text: str) -> None:
    for claim in claims(text):
        for one in claim.referents:
            assert claim.text[one.start : one.end] == one.text
        assert bool(claim.resolved) == any(one.certain for one in claim.referents)
