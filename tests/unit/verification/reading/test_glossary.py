"""The other names that a text itself gives to somebody or something."""

from __future__ import annotations

import pytest
from foureyes.verification.reading.glossary import Glossary
from hypothesis import given
from hypothesis import strategies as st

STOPS = {"the", "of", "and"}


def stems(text: str) -> frozenset[str]:
    return frozenset(word.strip("\"'.,").lower() for word in text.split()) - STOPS


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("The Upland Water Board (UWB) met.", "Upland Water Board", "UWB"),
        (
            "HTMC (Harbour Tug Maintenance Code) has two parts.",
            "Harbour Tug Maintenance Code",
            "HTMC",
        ),
        ("The Harriers (HL) came.", "Harriers", "HL"),
        ("Moen Light and Rail plc (“MLR”) pays.", "Moen Light Rail", "MLR"),
        ('The savings card (in what follows: "s-Card") is free.', "savings card", "s-Card"),
        ("the Moen Trust (hereinafter the Trust) owns it.", "Moen Trust", "Trust"),
        ("The Moen Trust (formerly Ostby Fund) owns it.", "Moen Trust", "Ostby Fund"),
        ("Figures from Halden, or Old Iron as some call it, rose.", "Halden", "Old Iron"),
        ("Halden Works, also known as Old Iron, closed.", "Halden Works", "Old Iron"),
        ("Halden Works, nicknamed Old Iron, closed.", "Halden Works", "Old Iron"),
        ("The steamer Countess Alma has always been “the Duchess”.", "Countess Alma", "Duchess"),
        ('Lake Days Moen (everyone says "LD Moen") took place.', "Lake Days Moen", "LD Moen"),
    ],
)
def test_a_definition_is_read_in_both_directions(text: str, one: str, other: str) -> None:
    glossary = Glossary(text, stems)
    assert stems(other) in glossary.others(stems(one))
    assert stems(one) in glossary.others(stems(other))


@pytest.mark.parametrize(
    "text",
    [
        "The board (which met in May) said nothing.",
        "It grew by 3 % (see Table 2).",
        "Moe, or Holt, will go.",
        "Moe said (Holt agreed) that it rained.",
        "Tutors (FTE) are few.",
        "Sales fell (USD 3 million).",
    ],
)
def test_other_parentheses_define_nothing(text: str) -> None:
    assert not Glossary(text, stems).definitions(stems(text))


@given(st.text(alphabet="(A b\"“”'orknw,.sc)", max_size=300))
def test_no_text_is_too_odd(text: str) -> None:
    Glossary(text, stems)


def test_a_long_text_is_read_in_linear_time() -> None:
    Glossary("The Upland Water Board (UWB) is called Board or (x " * 10_000, stems)
