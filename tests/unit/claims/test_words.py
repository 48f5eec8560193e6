"""Words in the form in which they are compared, and turns of phrase in a sentence."""

from __future__ import annotations

import pytest
from foureyes.claims.lexicon import load_lexicon
from foureyes.claims.words import Cues, stem
from hypothesis import given
from hypothesis import strategies as st

BOOK = load_lexicon().words


@pytest.mark.parametrize(
    "forms",
    [
        ("rise", "rises", "rising", "rose", "risen"),
        ("city", "cities"),
        ("plan", "plans", "planned", "planning"),
        ("fill", "fills", "filled", "filling"),
        ("cancel", "cancels", "cancelled", "cancelling", "canceled"),
        ("recall", "recalls", "recalled", "recalling"),
        ("control", "controlled", "controlling"),
        ("organise", "organize", "organised", "organizing"),
        ("organisation", "organizations"),
        ("quick", "quickly"),
        ("apply", "applies", "applied"),
        ("town", "town's"),
        ("class", "class's"),
    ],
)
def test_forms_of_one_word_have_one_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form, BOOK.irregular) for form in forms}) == 1


@pytest.mark.parametrize(
    ("left", "right"),
    [("ring", "r"), ("bus", "bu"), ("red", "r"), ("1990s", "1990"), ("us", "u")],
)
def test_other_words_keep_their_own_stem(left: str, right: str) -> None:
    assert stem(left, BOOK.irregular) != stem(right, BOOK.irregular)


def test_tokens_are_words_and_numbers_with_their_place() -> None:
    text = "The C# tool’s 1,000 users aren't in U.S. towns_now."
    found = BOOK.tokens(text)
    assert [token.word for token in found] == [
        *("the", "c#", "tool's", "1,000", "users", "aren't", "in", "u.s", "towns", "now"),
    ]
    assert [token.word for token in found if token.capital] == ["the", "c#", "u.s"]
    assert text[found[3].start : found[3].end] == "1,000"


@given(st.text(max_size=60))
def test_tokens_of_every_text_are_ordered_and_in_place(text: str) -> None:
    end = 0
    for token in BOOK.tokens(text):
        assert end <= token.start < token.end <= len(text)
        assert text[token.start : token.end].lower().replace("’", "'") == token.word
        end = token.end


CUES = Cues.compile([r"^\W*note:", r"\bis (?:true|false)\b", r"\?!", r"\bNATO\b"])


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Note: the bridge is closed.", True),
        ("« NOTE: the bridge is closed.", True),
        ("See the note: the bridge is closed.", False),
        ("It Is True that the bridge is closed.", True),
        ("His true colours showed.", False),
        ("Closed?!", True),
        ("A nato bridge.", True),
        ("The bridge is closed.", False),
        ("", False),
    ],
)
def test_cues_stand_where_their_patterns_say_in_letters_of_any_case(text: str, held: bool) -> None:
    assert CUES.found_in(text) is held


def test_no_cues_are_found_nowhere() -> None:
    assert not Cues.compile([]).found_in("The bridge is closed.")
