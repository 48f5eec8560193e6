"""What somebody has to do, and what a source says that they may leave."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import judged

CONTRADICTED = Verdict.CONTRADICTED
CLUB = (
    "Rules of the sailing club. Members must sign the log before they sail. Skippers may, but need "
    "not, take a radio on board; those who do can borrow one. Boats have to be back by dusk.\n"
)
HOUSE = (
    "Statutes of the housing society, clause 9 (gardens). The society may repaint fences that are "
    "more than six years old, after a fortnight's notice, but is under no obligation to do so as "
    "long as they stand. The tenant has to cut the hedge twice a year.\n"
)
SHOP = (
    "Guide for shopkeepers. Shops are not required to accept coins above a sum of 50 euros; they "
    "must, however, show their prices. Receipts have to be printed.\n"
)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The rules oblige skippers to take a radio on board.", CLUB),
        ("Under the rules skippers have to take a radio on board.", CLUB),
        ("Under the statutes the society is obliged to repaint fences.", HOUSE),
        ("Shops are required to accept coins above a sum of 50 euros.", SHOP),
        ("Shops must accept coins above a sum of 50 euros.", SHOP),
    ],
)
def test_nobody_has_to_do_what_is_left_to_them(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The rules oblige members to sign the log before they sail.", CLUB),
        ("Boats must be back by dusk.", CLUB),
        ("Skippers need not take a radio on board.", CLUB),
        ("Under the statutes the tenant is obliged to cut the hedge twice a year.", HOUSE),
        ("The society need not repaint the fences.", HOUSE),
        ("Shops must show their prices.", SHOP),
        ("Receipts have to be printed by the shops.", SHOP),
        ("Shops may refuse coins above a sum of 50 euros.", SHOP),
    ],
)
def test_other_duties_stand(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is not CONTRADICTED
