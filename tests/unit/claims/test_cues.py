"""Turns of phrase that a sentence has or lacks."""

from __future__ import annotations

import pytest
from foureyes.claims.words import Cues

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
