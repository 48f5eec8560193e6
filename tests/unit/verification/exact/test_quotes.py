"""Whether quoted words stand in a text: the words exactly, typography aside."""

from __future__ import annotations

import pytest
from foureyes.verification.exact.quotes import quote_in_text
from hypothesis import given
from hypothesis import strategies as st

TEXT = (
    "The pump must not be run dry, and the seal is to be greased once a week.\n\n"
    'The head said: "We landed with four minutes of fuel and a great deal of humility." '
    "Nobody laughed. The inﬂow – some 40 litres a second – isn’t measured.\n\n"
    '"The ship was never the problem," said the head, Ida Moen. "The paper was."'
)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("the seal is to be greased", "the seal is to be greased"),
        ("The seal is\nto  be greased.", "the seal is to be greased"),
        ("“four minutes of fuel”", "four minutes of fuel"),
        ("four minutes of fuel,", "four minutes of fuel"),
        ("The inflow - some 40 litres", "The inﬂow – some 40 litres"),
        ("a second—isn't measured", "a second – isn’t measured"),
        (
            "must not be run ... once a week",
            "must not be run dry, and the seal is to be greased once a week",
        ),
        ("must not be run […] greased", "must not be run dry, and the seal is to be greased"),
        ("[t]he pump must", "The pump must"),
        ("[The machine] must not be run dry", "The pump must not be run dry"),
        ("must not be run dry [sic]", "must not be run dry"),
        (
            "The ship was never the problem. The paper was.",
            'The ship was never the problem," said the head, Ida Moen. "The paper was',
        ),
    ],
)
def test_the_same_words_are_found_where_they_stand(quote: str, found: str) -> None:
    place = quote_in_text(quote, TEXT)
    assert place is not None
    assert TEXT[place[0] : place[1]].strip() == found


@pytest.mark.parametrize(
    "quote",
    [
        "the seal must be greased",
        "the seal is not to be greased",
        "four minutes of fuels",
        "our minutes of fuel",
        "THE SEAL IS TO BE GREASED",
        "must ... be run dry",
        "greased once a week ... Nobody laughed",
        "50 litres a second",
        "[a] [b] [c] nothing of this",
        "",
        "...",
        "a ... b ... c ... d ... e ... f ... g",
        "word " * 3000,
    ],
)
def test_altered_words_are_not_found(quote: str) -> None:
    assert quote_in_text(quote, TEXT) is None


def test_an_ellipsis_reaches_only_so_far() -> None:
    text = f"It began well. {'And on it went. ' * 100}It ended badly."
    assert quote_in_text("It began well ... It ended badly", text) is None


@given(st.text(max_size=40), st.text(max_size=80))
def test_any_quote_is_answered(quote: str, text: str) -> None:
    place = quote_in_text(quote, text)
    assert place is None or 0 <= place[0] < place[1] <= len(text)


@given(
    st.lists(st.sampled_from(["the", "pump", "seal", "is", "not", "dry", "and", "40"]), min_size=1)
)
def test_every_run_of_words_is_found_in_its_text(words: list[str]) -> None:
    quote = " ".join(words)
    assert quote_in_text(quote, f"Before. {quote}, after.") is not None
