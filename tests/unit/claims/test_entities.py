"""Names, dates, numbers and references in a text, and what they name."""

from __future__ import annotations

import pytest
from foureyes import Claim, detect_factual_claims

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
]


def cited(*sentences: str) -> tuple[Claim, ...]:
    """The claims of sentences that each have a citation, which makes each a claim."""
    text = "\n\n".join(f"{one.rstrip('.')} [1]." for one in sentences)
    return detect_factual_claims(f"{text}\n\n[1]: https://a.example\n")


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_entities_are_found_with_their_type(text: str, expected: list[str]) -> None:
    (claim,) = cited(text)
    assert [f"{one.text} {one.type or ''}".rstrip() for one in claim.entities] == expected


@pytest.mark.parametrize(
    ("elsewhere", "text", "names"),
    [
        ("The mirrors fell.", "Mirrors fell.", []),
        ("The mirrors fell.", "Marn fell.", ["Marn"]),
        ("They follow Common there.", "Common fell.", ["Common"]),
    ],
    ids=["also written small", "not written small", "also written with a capital"],
)
def test_how_the_document_writes_a_word_elsewhere_tells_a_name_at_the_start_of_a_sentence(
    elsewhere: str, text: str, names: list[str]
) -> None:
    _, claim = cited(elsewhere, text)
    assert [one.text for one in claim.entities] == names
