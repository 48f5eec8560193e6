"""What is said of all of several, held against what a source says of each, or of some."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import judged

CONTRADICTED = Verdict.CONTRADICTED

DAMS = (
    "Dams on 30 June. Filled to: Upper Arn 52 per cent, Lower Arn 47, Grell 71, Torne 58. All four "
    "supply the county. Use per head was 118 litres a day.\n"
)
KILNS = (
    "Test of the kilns. Heating up took: kiln A 41 minutes, kiln B 55 minutes, kiln C 38 minutes. "
    "The clay came from one pit.\n"
)
ROOFS = (
    "Roofs of the schools. The surveyors looked at 46 roofs. Nine will be replaced this year, and "
    "for another five a mason is needed. The others are sound.\n"
)
BOATS = "The harbour office inspected 30 boats. Six had no lifejackets. Two were towed away.\n"
SHOPS = (
    "Bulletin. The shops in Broad Street and Mill Lane have dropped the charge for bags. The shops "
    "at the station keep the charge for bags, which is 20 cents.\n"
)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("All of the dams that supply the county were filled to more than half on 30 June.", DAMS),
        ("All four dams were filled to less than 70 per cent on 30 June.", DAMS),
        ("None of the dams was filled to more than 60 per cent on 30 June.", DAMS),
        ("Each of the kilns took less than 50 minutes to heat up in the test.", KILNS),
        ("All of the roofs that the surveyors looked at will be replaced.", ROOFS),
        ("Most of the roofs that the surveyors looked at will be replaced.", ROOFS),
        ("Every one of the boats inspected by the harbour office was towed away.", BOATS),
        ("All shops have dropped the charge for bags, says the bulletin.", SHOPS),
    ],
)
def test_one_that_is_otherwise_denies_it_of_all(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("All four dams were filled to more than 40 per cent on 30 June.", DAMS),
        ("None of the dams was filled to more than 80 per cent on 30 June.", DAMS),
        ("None of the dams was filled to less than 40 per cent on 30 June.", DAMS),
        ("All four dams supply the county, more than 100 litres a head.", DAMS),
        ("Some of the dams were filled to less than half on 30 June.", DAMS),
        ("Each of the kilns took less than an hour to heat up in the test.", KILNS),
        ("All of the clay for the kilns came from one pit.", KILNS),
        ("A fifth of the roofs that the surveyors looked at will be replaced.", ROOFS),
        ("All of the other roofs are sound.", ROOFS),
        ("All of the boats were inspected by the harbour office.", BOATS),
        ("All the shops in Mill Lane have dropped the charge for bags.", SHOPS),
    ],
)
def test_what_is_so_of_each_is_not_denied(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is not CONTRADICTED
