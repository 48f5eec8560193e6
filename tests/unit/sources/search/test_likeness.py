"""Which queries share an answer."""

from __future__ import annotations

import pytest
from foureyes.sources.policy import SearchPolicy
from foureyes.sources.search.searching import Likeness
from hypothesis import given
from hypothesis import strategies as st

from tests.support.query_pairs import LOOK_ALIKE, NEAR_EQUAL


@pytest.fixture(scope="module")
def likeness(packaged: SearchPolicy) -> Likeness:
    return Likeness(packaged.likeness)


def shared(likeness: Likeness, left: str, right: str) -> bool:
    return likeness.key(left) == likeness.key(right) and likeness.same(left, right)


def test_the_written_sets_are_large_enough() -> None:
    assert len(NEAR_EQUAL) >= 60
    assert len(LOOK_ALIKE) >= 60
    assert len(set(NEAR_EQUAL)) == len(NEAR_EQUAL)
    assert len(set(LOOK_ALIKE)) == len(LOOK_ALIKE)


def test_at_least_two_in_five_near_equal_queries_share_an_answer(likeness: Likeness) -> None:
    hits = sum(shared(likeness, left, right) for left, right in NEAR_EQUAL)
    assert hits / len(NEAR_EQUAL) >= 0.4


@pytest.mark.parametrize(("left", "right"), LOOK_ALIKE)
def test_no_two_different_questions_share_an_answer(
    likeness: Likeness, left: str, right: str
) -> None:
    assert not shared(likeness, left, right)
    assert not shared(likeness, right, left)


def test_no_two_of_all_the_different_questions_share_an_answer(likeness: Likeness) -> None:
    questions = sorted({query for pair in LOOK_ALIKE for query in pair})
    assert [
        (left, right)
        for index, left in enumerate(questions)
        for right in questions[:index]
        if shared(likeness, left, right) and left.lower() != right.lower()
    ] == []


@given(text=st.text(max_size=200))
def test_every_query_shares_with_itself(packaged: SearchPolicy, text: str) -> None:
    assert shared(Likeness(packaged.likeness), text, text)


@given(left=st.integers(0, 10**6), right=st.integers(0, 10**6))
def test_other_numbers_are_another_question(packaged: SearchPolicy, left: int, right: int) -> None:
    likeness = Likeness(packaged.likeness)
    queries = [f"Lisbon population {number:,}" for number in (left, right)]
    assert shared(likeness, queries[0], queries[1]) == (left == right)
