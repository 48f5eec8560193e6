"""A claim's figure that the source has with another scale, unit, currency, limit or divisor."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from foureyes.verification.values.slips import other_currency
from support.claim_kit import judged

CABLE = (
    "Notes on the Vesterby cable.\n\n"
    "The insulation of the sea cable withstands 150 kilovolts. Its copper core weighs 640 tonnes. "
    "The repair in spring came to 3.4 million, which the insurer bore. "
    "A licence for the landing point costs 720 crowns per household."
)
POOL = (
    "Rules of the Halm pool. Children have to be no younger than twelve to use the tower. "
    "No locker may be let for more than 14 days. Towels must not weigh more than 45 grams."
)


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("The sea cable at Vesterby withstands 150 volts.", CABLE, "contradicted"),
        ("The sea cable at Vesterby withstands 150,000 volts.", CABLE, "supported"),
        ("The core of the Vesterby cable weighs 640 kilograms.", CABLE, "contradicted"),
        ("The core of the Vesterby cable weighs 640,000 kilograms.", CABLE, "supported"),
        ("The repair of the cable in spring came to 3.4 billion crowns.", CABLE, "contradicted"),
        ("The repair of the cable in spring came to 3.4 million crowns.", CABLE, "supported"),
        ("The licence costs 720 crowns per kilometre.", CABLE, "contradicted"),
        ("The licence costs 720 euros per household.", CABLE, "contradicted"),
        ("The tower may be used by children of at most twelve years.", POOL, "unverifiable"),
        ("A locker of the pool is let for at least 14 days.", POOL, "contradicted"),
        ("Towels must weigh at least 45 grams at the pool.", POOL, "contradicted"),
    ],
)
def test_the_same_figure_with_another_sense_contradicts(
    claim: str, source: str, verdict: str
) -> None:
    assert judged(claim, source).verdict is Verdict(verdict)


def test_a_figure_that_the_source_has_as_well_is_no_slip() -> None:
    source = CABLE + " The motors of the winch run on 150 volts."
    claim = "The sea cable at Vesterby withstands 150 volts."
    assert judged(claim, source).verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("claimed", "found", "other"),
    [
        ("USD", "EUR", True),
        ("krone", "DKK", False),
        ("DKK", "crown", False),
        ("shilling", "USD", True),
        ("crown", "franc", True),
        ("EUR", "EUR", False),
    ],
)
def test_a_name_of_money_may_stand_for_a_code(claimed: str, found: str, other: bool) -> None:
    assert other_currency(claimed, found) is other
