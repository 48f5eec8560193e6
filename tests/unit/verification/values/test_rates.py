"""What a number is divided by."""

from __future__ import annotations

from decimal import Decimal

import pytest
from foureyes.verification.values.rates import Rate, differ, factor, rate_of
from support.claim_kit import registry

BOOK = registry().lexicon.words


def rate(text: str) -> Rate | None:
    """The rate of the number between the brackets."""
    start, end = text.index("["), text.index("]") - 1
    return rate_of(text.replace("[", "").replace("]", ""), start, end, BOOK)


@pytest.mark.parametrize(
    ("text", "scale", "things", "times"),
    [
        ("It costs [96 euros] per bed and month.", 1, "bed", "month"),
        ("It costs [96 euros] per square metre a month.", 1, "squar metr", "month"),
        ("It costs [1,250 crowns] a year for every vehicle registered.", 1,
         "vehicl,regist", "year"),
        ("The tariff is [three dollars] a tonne", 1, "tonn", ""),
        ("They make [900] loaves a night.", 1, "", "night"),
        ("There were [12] births per thousand; later 31.", 1000, "", ""),
        ("There were [1.8] for every hundred thousand inhabitants.", 100_000, "inhabit", ""),
        ("Drivers pay [2.40 crowns] per 100 kilometres driven.", 100, "kilometr,driv", ""),
        ("Per available room they earned [63 dollars] a night.", 1, "avail,room", "night"),
        ("The fine is [2 per cent] of monthly turnover.", 1, "", "month"),
        ("The yearly fee is [40 crowns].", 1, "", "year"),
        ("Monthly price per seat, yearly contract | [72 euros]", 1, "seat", "month"),
        ("Each household throws away [310 kilograms] a year.", 1, "household", "year"),
    ],
)  # fmt: skip
def test_a_rate_is_read_from_the_words_beside_the_number(
    text: str, scale: int, things: str, times: str
) -> None:
    found = rate(text)
    assert found is not None
    assert (found.scale, ",".join(found.times)) == (Decimal(scale), times)
    assert {name[:4] for name in filter(None, things.split(","))} <= {
        name[:4] for name in found.things
    }


@pytest.mark.parametrize(
    "text",
    [
        "It cost [40 crowns] in all.",
        "It rose by [4 points], or 3 per cent.",
        "It sold [400 cars] and 30 per dealer.",
        "Each one left. It cost [40 crowns].",
    ],
)
def test_a_plain_number_has_none(text: str) -> None:
    assert rate(text) is None


@pytest.mark.parametrize(
    ("claimed", "found", "expected"),
    [
        ("[96 euros] per bed", "[96 euros] per square metre", True),
        ("[900] loaves an hour", "[900] loaves a night", True),
        ("[5,200] per square centimetre", "[5,200] per square metre", True),
        ("Each household has [310 kg] of it", "[310 kg] per inhabitant", True),
        ("[15 mg] per kilogram of weight in each dose", "[15 mg] per kilogram a day", True),
        ("[96 euros] per bed", "[96 euros] per bed and month", False),
        ("[96 euros] per bed", "[96 euros] a month", False),
        ("[96 euros] per bed", "[96 euros]", False),
        # Each slab, of each mix: neither says that the number is divided.
        ("Each slab was [500 mm] long", "of each mix twelve were [500 mm] long", False),
    ],
)
def test_rates_differ_by_their_things_or_times(claimed: str, found: str, expected: bool) -> None:
    assert differ(rate(claimed), rate(found), BOOK) is expected


def test_a_rate_per_thousand_is_ten_times_one_per_hundred() -> None:
    assert factor(rate("[1] per hundred girls"), rate("[1] per thousand girls")) == Decimal("0.1")
    assert factor(rate("[1] per hundred girls"), None) == 1
