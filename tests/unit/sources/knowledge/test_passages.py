"""How a text is cut into passages."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from foureyes.sources.knowledge.base import LONGEST, USUAL, passage_spans
from hypothesis import given
from hypothesis import strategies as st


def passages(text: str) -> list[str]:
    return [text[start:end] for start, end in passage_spans(text)]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("", []),
        (" \n\n \t\n", []),
        ("One.", ["One."]),
        ("  One.\n\n\n  Two.  \n", ["One.\n\n\n  Two."]),
        ("a" * USUAL + "\n\nTwo.", ["a" * USUAL, "Two."]),
        ("a" * (LONGEST + 5), ["a" * LONGEST, "a" * 5]),
    ],
)
def test_short_paragraphs_are_joined_and_long_ones_cut(text: str, cut: list[str]) -> None:
    assert passages(text) == cut


def test_a_long_paragraph_is_cut_after_a_sentence() -> None:
    text = "The quay has nine cranes and a shed. " * 100
    found = passages(text)
    assert len(found) > 2
    assert all(passage.endswith("shed.") for passage in found)


def test_words_are_not_cut_where_there_is_a_space() -> None:
    found = passages("crane " * 1000)
    assert all(set(passage.split()) == {"crane"} for passage in found)


@given(st.text(alphabet="ab.!? \n\t’\u2003", max_size=6000))
def test_passages_cover_all_words_in_order_without_overlap(text: str) -> None:
    spans = list(passage_spans(text))
    assert "".join("".join(text[s:e].split()) for s, e in spans) == "".join(text.split())
    assert all(0 < end - start <= LONGEST for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


@pytest.mark.parametrize("unit", ["a", "a ", "a.\n\n", "\n", " ", "a\n \n"])
@pytest.mark.usefixtures("uncounted")
def test_large_texts_take_no_more_than_their_length(unit: str) -> None:
    text = unit * (2_000_000 // len(unit))
    started = time.process_time()
    sum(1 for _ in passage_spans(text))
    assert time.process_time() - started < 5
