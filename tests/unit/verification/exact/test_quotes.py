"""Whether quoted words stand in a text, and where: the words exactly, typography aside."""

from __future__ import annotations

import re
import time

import pytest
from foureyes.verification.exact.quotes import MAX_GAP, MAX_QUOTE, quote_in_text
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


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("five towers", "five towers", "five towers"),
        ("Five towers", "all five towers", "five towers"),
        ("flat and affluent", "It is ﬂat and aﬄuent.", "ﬂat and aﬄuent"),
        ("ﬂat and aﬄuent", "It is flat and affluent.", "flat and affluent"),
        ("the tower fell", "the\u00a0tower\n fell", "the\u00a0tower\n fell"),
        ("he said 'no way' then", 'he said "no way" then', 'he said "no way" then'),
        ("the [old] tower fell", "the very tall tower fell", "the very tall tower fell"),
        ("the [a] b", "the [a] b", "the [a] b"),
        ("the tow[er]", "the tow[er]", "the tow[er]"),
        ("a ... d ... g", "a b c d e f g", "a b c d e f g"),
        (
            "a [...] c [...] e [...] g [...] i [...] k",
            "a b c d e f g h i j k",
            "a b c d e f g h i j k",
        ),
        (
            "it was. The rest is",
            'it was," the head\'s aide said. "The rest is',
            'it was," the head\'s aide said. "The rest is',
        ),
        ("he will not … stop", "he will not ever stop", "he will not ever stop"),
    ],
)
def test_typography_is_no_difference(quote: str, text: str, found: str) -> None:
    place = quote_in_text(quote, text)
    assert place is not None
    assert text[place[0] : place[1]] == found


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("it cost 5 dollars", "it cost 50 dollars"),
        ("tower fell", "the watchtower fell"),
        ("the Tower fell", "the tower fell"),
        ("the tower, fell", "the tower fell"),
        ("the tower; fell", "the tower, fell"),
        ("the [old] tower fell", "the tower fell"),
        ("he did ... agree", "he did not agree"),
        ("he … agrees", "he who never agrees"),
        ("they do ... agree", "they do, though they don't agree"),
        ("a ... b", "a\n\nb"),
        ("a ... b", f"a {'x ' * MAX_GAP}b"),
        ("x" * (MAX_QUOTE + 1), "x" * (MAX_QUOTE + 1)),
        ("a [b] [c] [d] [e] [f]", "a b c d e f"),
        ("!!!", "!!!"),
        ("[sic]", "[sic]"),
    ],
)
def test_another_word_or_sense_is_a_difference(quote: str, text: str) -> None:
    assert quote_in_text(quote, text) is None


WORDS = st.lists(
    st.sampled_from(["Tower", "five", "office", "don’t", "12", "é", "well-known", "a,", "so;"]),
    min_size=1,
    max_size=12,
)


@given(WORDS, WORDS, WORDS)
def test_a_quote_taken_from_a_text_is_found_with_its_very_words(
    before: list[str], quoted: list[str], after: list[str]
) -> None:
    quote = " ".join(quoted)
    text = " ".join([*before, *quoted, *after])
    place = quote_in_text(quote, text)
    assert place is not None
    assert place[0] <= text.index(quote)
    assert text[place[0] : place[1]].casefold() == quote.rstrip(",;").casefold()


@given(WORDS, st.text(alphabet="abTo 12’-,.\n", max_size=60))
def test_what_is_found_has_the_words_of_the_quote(quoted: list[str], text: str) -> None:
    quote = " ".join(quoted)
    place = quote_in_text(quote, text)
    if place is not None:
        words = re.compile(r"\w+").findall
        assert words(text[place[0] : place[1]].casefold()) == words(quote.casefold())


HOSTILE = {
    "words": ("a " * 400, "a " * 5000),
    "quotation marks": ('a " ' * 60, 'a " ' * 5000),
    "apostrophes": ("a " * 60, "'a " * 5000),
    "speakers": ("a b " * 60, 'a," bcd, "b ' * 2000),
    "brackets": ("a [b] " * 100, "a " * 5000),
    "ellipses": ("a ... " * 5, "a " * 5000),
    "dashes": ("a - " * 200, "a - " * 5000),
    "spaces": ("a " * 100, "a" + " " * 50_000),
}


@pytest.mark.parametrize(("quote", "text"), HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.usefixtures("uncounted")
def test_a_hostile_text_is_answered_in_time(quote: str, text: str) -> None:
    start = time.process_time()
    assert quote_in_text(f"{quote}zz", text) is None
    # Generous, for slow machines; a pattern that tries every way takes years.
    assert time.process_time() - start < 5
