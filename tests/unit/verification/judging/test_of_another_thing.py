"""What a page says of one thing denies no claim about another, each kind with a false twin."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import judged

CHOIRS = "No choir paid for its hotel, though all of them rehearse in the town hall."
WELLS = "Lead was over the limit in nine wells; arsenic, in three, was always below the limit."
WAIT = "At the clinics the wait rose by 31 per cent. Some clinics have no ramp."
SHARE = "The decline rate was 38.6 per cent. The regions of the south were not affected."
ROUTES = "The test covered 30 per cent of the routes, as buses were short."
LOANS = (
    "City loans, in thousands\n\n| Line | FY 2024 | FY 2025 |\n|---|---|---|\n"
    "| Roads | 410 | 430 |\n| Parks and music | 380 | 350 |\n"
)

SEATS = (
    "| | Basic | Firm |\n|---|---|---|\n"
    "| Monthly price per seat, yearly contract | EUR 9 | EUR 72 |\n| Calls | 200 | 700 |\n"
)
CUTS = "The club would cut yearly costs to 60 crowns."
LETTERS = "Olm sorted the 3,000 letters in 22 minutes and Brix in 37; neither lost one."
FINES = "The board can impose fines of up to 2 per cent of yearly turnover."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Every choir in the festival rehearses in the town hall.", CHOIRS),
        ("Lead content was above the limit in nine wells.", WELLS),
        ("Firm costs 72 euros per seat and month.", SEATS),
        ("The fine is at most 2 per cent of yearly turnover.", FINES),
        (
            "The club would cut costs by 250 crowns a year.",
            "It would cut yearly costs to 60 crowns.",
        ),
        ("Sorting the letters took Brix 37 minutes and Olm 22.", LETTERS),
        ("The Olms were beaten 3–1 by the Millers.", "The Millers beat the Olms 3–1."),
        ("One clinic in four has no ramp.", WAIT),
        ("One region out of three was hit.", SHARE),
        ("The test covered under a third of the routes.", ROUTES),
        ("Parks and music is the only line that was cut from FY 2024.", LOANS),
    ],
)
def test_what_is_said_of_another_thing_denies_nothing(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is not Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Firm costs 72 euros per seat and year.", SEATS),
        ("The fine is at most 2 per cent of monthly turnover.", FINES),
        ("Sorting the letters took Brix 22 minutes and Olm 37.", LETTERS),
        ("Every choir paid for its hotel.", CHOIRS),
        ("Lead was below the limit in nine wells.", WELLS.replace("over", "above")),
        ("Two fifths of the routes were covered by the test.", ROUTES),
        ("The test covered under a quarter of the routes.", ROUTES),
    ],
)
def test_what_is_said_of_the_same_thing_does(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is Verdict.CONTRADICTED
