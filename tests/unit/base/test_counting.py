"""Counts in sentences."""

from __future__ import annotations

import pytest
from foureyes.base.printable import counted


@pytest.mark.parametrize(
    ("number", "words", "told"),
    [
        (0, ("claim",), "0 claims"),
        (1, ("claim",), "1 claim"),
        (2_000, ("claim",), "2,000 claims"),
        (1, ("entry", "entries"), "1 entry"),
        (2, ("entry", "entries"), "2 entries"),
    ],
)
def test_one_of_a_thing_is_written_in_the_singular(
    number: int, words: tuple[str, ...], told: str
) -> None:
    assert counted(number, *words) == told
