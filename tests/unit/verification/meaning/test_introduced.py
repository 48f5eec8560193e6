"""Counts that a claim takes for known."""

from __future__ import annotations

import pytest
from foureyes.claims.quantity.quantities import find_slots
from foureyes.verification.meaning.introduced import introduces, is_setting
from support.claim_kit import registry


@pytest.mark.parametrize(
    ("claim", "introduced"),
    [
        ("The four finalists met.", True),
        ("Of the two surveys it was the later.", True),
        ("Her first three novels were reprinted.", True),
        ("Four finalists met.", False),
        ("It was the larger of the two hotels.", False),
        ("Only four of the 40 finalists met.", False),
        ("It is the 40 households that gain.", False),
        ("They won by the four.", False),
        ("In the 12 per cent it was so.", False),
    ],
)
def test_only_a_small_definite_count_introduces(claim: str, introduced: bool) -> None:
    values = find_slots(claim, registry().lexicon)[0]
    assert introduces(claim, values[0]) is introduced


def test_a_date_introduces_nothing() -> None:
    claim = "The 2019 race was short."
    (date,) = find_slots(claim, registry().lexicon)[1]
    assert not introduces(claim, date)


@pytest.mark.parametrize(
    ("claim", "setting"),
    [
        ("Between the two surveys rents fell.", True),
        ("Of the city's five markets one closes.", True),
        ("Across all its three sites honey was found.", True),
        ("The four lifeboats were repainted.", False),
        ("Painters found the four lifeboats rusty.", False),
    ],
)
def test_a_count_after_a_preposition_only_sets_the_scene(claim: str, setting: bool) -> None:
    values = find_slots(claim, registry().lexicon)[0]
    assert is_setting(claim, values[0]) is setting
