"""A claim that gives a value to words that stand by another value of the source."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import judged

S = Verdict.SUPPORTED
ZOO = "The zoo fed 40 animals in the petting corner, 12 in the aviary and 9 in the reptile house."
TOWERS = (
    "Two towers stand on the hill. The taller, known as Long Meg, was built in 1711 by a miller. "
    "The smaller, Little Jack, dates from 1803 and leans."
)
NURSES = "Each nurse has 14 patients on the ward and washes 6 of them a day."
SALON = (
    "After six weeks the exhibition at the Salon closed. The work had begun in May, when a search "
    "that had lasted two weeks produced the missing frames."
)
PAY = "The regiment's pay was 14 crowns for corporals and 21 crowns for sergeants."
WAGONS = (
    "Twenty-two of the wagons were sold, at an average age of 18.4 years, to a dealer. The other "
    "nine were scrapped. They had run for 25.1 years on average."
)

ORCHARD = "The orchard has 900 trees. In a good year it gives about 36,000 kilos in all."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The zoo fed 40 animals in the reptile house.", ZOO),
        ("Little Jack, one of the two towers, was built in 1711.", TOWERS),
        ("Each nurse washes 14 patients a day.", NURSES),
        ("The search for the missing frames lasted six weeks.", SALON),
        ("Sergeants were paid 14 crowns in the regiment.", PAY),
        ("Each tree of the orchard gives about 36,000 kilos in a good year.", ORCHARD),
        ("The scrapped wagons had run for about eighteen years on average.", WAGONS),
    ],
)
def test_a_value_beside_other_words_supports_nothing(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is not S


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The zoo fed 40 animals in the petting corner.", ZOO),
        ("Long Meg was built in 1711 by a miller.", TOWERS),
        ("Each nurse has 14 patients on the ward.", NURSES),
        ("In a good year the orchard gives about 36,000 kilos.", ORCHARD),
        ("The pay of corporals in the regiment was 14 crowns.", PAY),
        (
            "In Castle Ward the notice to boil water lasted thirteen days.",
            "The notice to boil water lasted nine days in three districts and thirteen days in "
            "Castle Ward.",
        ),
        (
            "Paid leave rises to 28 days after five years.",
            "Staff have 23 days of paid leave a year, rising to 28 days after five years.",
        ),
    ],
)
def test_a_value_among_others_supports_its_own_words(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is S
