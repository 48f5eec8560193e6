"""Names, dates, numbers and references in a text, and what they name."""

from __future__ import annotations

from itertools import pairwise

import pytest
from foureyes.claims.entities import Slots, Spelling, entities_of
from foureyes.claims.lexicon import load_lexicon
from foureyes.claims.quantities import find_slots
from foureyes.claims.regulations import find_regulations
from foureyes.datatypes import Entity
from hypothesis import given
from hypothesis import strategies as st

LEXICON = load_lexicon()


def find_entities(text: str, spelling: Spelling | None = None) -> tuple[Entity, ...]:
    slots = Slots(*find_slots(text, LEXICON), find_regulations(text, LEXICON.regulations))
    return entities_of(text, LEXICON, slots, spelling or Spelling.of(text.splitlines()))


# A text and its entities as "words TYPE", or "words" where nothing tells the type.
FOUND: list[tuple[str, list[str]]] = [
    ("The tower of Olm fell.", ["Olm"]),
    ("It was sold to Delmar Dynamics.", ["Delmar Dynamics"]),
    ("Delmar Dynamics sold it.", ["Delmar Dynamics"]),
    ("Voskaya fell.", ["Voskaya"]),
    ("Towers fell.", []),
    ("Companies fell.", []),
    ("Slowly it fell.", []),
    ("Falling is easy.", []),
    ("It is said that I fell.", []),
    ("The WHO fell silent.", ["WHO"]),
    ("THE town fell.", ["THE"]),
    ("Dr. Ilse Marn left.", ["Ilse Marn PERSON"]),
    ("Then Anna Marn left.", ["Anna Marn PERSON"]),
    ("Then president Marn left.", ["Marn PERSON"]),
    ("Then Deputy Minister Ilse Marn left.", ["Deputy Minister Ilse Marn PERSON"]),
    ("It went to Olm Bank plc.", ["Olm Bank ORG"]),
    ("It went to the Bank of Olm.", ["Bank of Olm ORG"]),
    ("It went to the University of Olm.", ["University of Olm ORG"]),
    ("They met in Olm.", ["Olm LOCATION"]),
    ("They saw Lake Olm.", ["Lake Olm LOCATION"]),
    ("They saw France.", ["France LOCATION"]),
    ("They sold the F-35 there.", ["F-35 PRODUCT"]),
    ("They heard 6PR there.", ["6PR"]),
    ("They sold an iPhone there.", ["iPhone"]),
    ("The 139th Wing left.", ["139th Wing ORG"]),
    ("The 139th left.", ["139th NUMBER"]),
    ("They met on 3 May 2021.", ["3 May 2021 DATE"]),
    ("They met on Monday.", ["Monday DATE"]),
    ("They met last year.", ["last year DATE"]),
    ("They sold 500 towers.", ["500 NUMBER"]),
    ("They kept DFARS 252.204-7012.", ["DFARS 252.204-7012 REGULATION"]),
    ("They kept Johnson & Marn.", ["Johnson & Marn"]),
    ("They kept O’Brien's tower.", ["O’Brien's"]),
    ("Ludwig van Olm left.", ["Ludwig van Olm"]),
    ("", []),
]


def written(text: str) -> list[str]:
    found = find_entities(text)
    return [f"{one.text} {one.type}" if one.type else one.text for one in found]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_entities_are_found_with_their_type(text: str, expected: list[str]) -> None:
    assert written(text) == expected


def test_a_word_that_the_document_also_writes_small_is_no_name_at_the_start() -> None:
    spelling = Spelling.of(["The mirrors fell.", "Mirrors fell.", "Marn fell."])
    assert find_entities("Mirrors fell.", spelling) == ()
    assert len(find_entities("Marn fell.", spelling)) == 1


def test_a_word_that_the_document_writes_with_a_capital_is_a_name_at_the_start() -> None:
    spelling = Spelling.of(["They follow Common there.", "Common fell."])
    assert [one.text for one in find_entities("Common fell.", spelling)] == ["Common"]


@given(st.text(max_size=300))
def test_entities_of_any_text_stand_at_their_offsets_and_do_not_overlap(text: str) -> None:
    found = find_entities(text)
    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(one.end <= two.start for one, two in pairwise(found))
