"""Claims that tell what their source leaves open."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import judged

S = Verdict.SUPPORTED
KILN = "The kiln was lit in March 1977, and the first bowls were sold in May."
BAKERY = "The bakery in Orm Street opened in 1931."
CHOIR = "The choir sang on Monday 3 May 2021 at noon."
PILOTS = (
    "One of the two pilots had been drinking before the flight, the airline admits; it has not "
    "said which. Captain Ida Holm and Per Lund were on duty."
)
POOL = "The pool on the hill was shut. The pool in the valley was shut that week."
LINES = (
    "Of the two lines, red and blue, one lost 8 and the other 3 per cent of its riders; the "
    "company does not reveal which is which."
)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The kiln was lit on a Tuesday in March 1977.", KILN),
        ("The kiln was lit one night in March 1977.", KILN),
        ("The bakery in Orm Street opened in late 1931.", BAKERY),
        ("The pool on the hill had been shut for a week.", POOL),
        ("Captain Ida Holm had been drinking before the flight.", PILOTS),
        ("The red line lost 8 per cent of its riders and the blue line 3 per cent.", LINES),
    ],
)
def test_what_the_source_leaves_open_is_not_supported(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is not S


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The kiln was lit in March 1977.", KILN),
        ("The bakery in Orm Street opened in 1931.", BAKERY),
        ("The choir sang on 3 May 2021.", CHOIR),
        ("The pool in the valley was shut for a week.", POOL.replace("that", "for a")),
        ("The choir sang at noon on Monday 3 May 2021.", CHOIR),
        ("Of the shifts at night, 9 per cent went unfilled.", "Unfilled shifts, nights: 9%"),
    ],
)
def test_what_it_tells_is_supported(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is S
