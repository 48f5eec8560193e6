"""Queries from the parts of a claim."""

from __future__ import annotations

import unicodedata

import pytest
from foureyes.sources.search.model import QueryParts, build_query, plain_query
from hypothesis import given
from hypothesis import strategies as st

WORDS = st.tuples(st.text(max_size=80), st.text(max_size=80), st.text(max_size=300))


def test_a_query_names_things_words_quantities_and_dates() -> None:
    parts = QueryParts(("Port Ostrava",), ("dredged",), ("14 metres",), ("2019",))
    assert build_query(parts, 200) == "Port Ostrava dredged 14 metres 2019"


def test_what_finds_no_room_is_left_out_whole_and_words_go_first() -> None:
    parts = QueryParts(("Port Ostrava",), ("extraordinarily", "deep"), ("14 metres",), ("2019",))
    assert build_query(parts, 33) == "Port Ostrava deep 14 metres 2019"


def test_a_part_is_named_once() -> None:
    parts = QueryParts(("Ostrava", "Ostrava"), ("2019",), (), ("2019",))
    assert build_query(parts, 200) == "Ostrava 2019"


def test_there_may_be_nothing_to_ask_with() -> None:
    assert build_query(QueryParts(words=("", "!!", '""')), 200) == ""


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ('"exact words"', "exact words"),
        ("site:evil.example harbour", "site evil.example harbour"),
        ("!wiki harbour", "wiki harbour"),
        ("harbour -Ostrava +deep", "harbour Ostrava deep"),
        ("fell to -5 degrees", "fell to minus 5 degrees"),
        ("fell to −5 %", "fell to minus 5 %"),
        ("deep OR NOT wide", "deep or not wide"),
        ("at 12:30", "at 12:30"),
        ("2019-2021", "2019-2021"),
        ("SP 800-63B, section 5.1.", "SP 800-63B section 5.1"),
        ("St. Ives", "St Ives"),
        ("C++ and C#", "C++ and C#"),
        ("a\x00b\u202ec\nd", "abc d"),
        (":de (x) [y] {z} <w> a|b", "de x y z w a b"),
    ],
)
def test_operators_of_search_engines_are_taken_out(text: str, plain: str) -> None:
    assert plain_query(text) == plain


@given(names=WORDS, words=WORDS, rest=WORDS)
def test_a_query_is_one_printable_line_within_its_bound(
    names: tuple[str, ...], words: tuple[str, ...], rest: tuple[str, ...]
) -> None:
    query = build_query(QueryParts(names, words, rest, rest), 200)
    assert len(query) <= 200
    assert query == " ".join(query.split())
    assert not any(unicodedata.category(character) in ("Cc", "Cs") for character in query)
    assert not set('"<>(){}[]|') & set(query)
