"""Levels and changes."""

from __future__ import annotations

import pytest
from foureyes.verification.values.aspect import Aspect, aspect_of, conflict

LEVEL, CHANGE, UNKNOWN = Aspect.LEVEL, Aspect.CHANGE, Aspect.UNKNOWN


@pytest.mark.parametrize(
    ("text", "aspect"),
    [
        ("It rose to [8 %].", LEVEL),
        ("It fell from [8 %] to 6 %.", LEVEL),
        ("It stood at about [8 %].", LEVEL),
        ("It rose by [8 %].", CHANGE),
        ("It rose [8 %].", CHANGE),
        ("Sales were up some [8 %].", CHANGE),
        ("Sales: plus [8 %].", CHANGE),
        ("A rise of [8 %] was seen.", CHANGE),
        ("It is [52 metres] deeper than that.", CHANGE),
        ("An [8 %] increase followed.", CHANGE),
        ("The share is [8 %].", UNKNOWN),
        ("The firm raised [8 million] in May.", UNKNOWN),
        ("The fee was raised by [8 %].", CHANGE),
        ("[8 %] were undecided.", UNKNOWN),
    ],
)
def test_the_words_beside_a_number_say_what_it_is(text: str, aspect: Aspect) -> None:
    start, end = text.index("["), text.index("]") - 1
    assert aspect_of(text.replace("[", "").replace("]", ""), start, end) is aspect


def test_only_a_level_and_a_change_conflict() -> None:
    assert conflict(LEVEL, CHANGE)
    assert conflict(CHANGE, LEVEL)
    assert not conflict(LEVEL, LEVEL)
    assert not conflict(CHANGE, UNKNOWN)
