"""When two numbers, or two dates, say the same (decision 4)."""

from __future__ import annotations

import pytest
from foureyes.claims.quantities import find_slots
from foureyes.datatypes import SlotOutcome
from foureyes.verification.exact.comparison import (
    compare_dates,
    compare_quantities,
    in_other_unit,
)
from support.claim_kit import registry

LEXICON, NUMBERS = registry().lexicon, registry().verification.numbers


def compared(claimed: str, found: str) -> tuple[SlotOutcome, float | None] | None:
    (left,), (right,) = (find_slots(text, LEXICON)[0] for text in (claimed, found))
    comparison = compare_quantities(left, right, LEXICON, NUMBERS)
    return (comparison.outcome, comparison.change) if comparison else None


@pytest.mark.parametrize(
    ("claimed", "found"),
    [
        ("30 km", "30 kilometres"),
        ("1.8 km", "1,800 m"),
        ("0.18 GWh", "180 MWh"),
        ("2.5 million litres", "2,500 cubic metres"),
        ("1,460 million dinars", "1.46 billion dinars"),
        ("half of them", "50 %"),
        ("three in ten", "30 per cent"),
        ("50 basis points", "0.5 percentage points"),
        ("24 months", "two years"),
        ("32 °F", "0 °C"),
        ("10–12 km", "10 to 12 km"),
        ("905 million", "905 million dinars"),
        ("about 30 km", "30 km"),
        ("30 km", "about 30 km"),
        ("up to 30 km", "at most 30 km"),
        ("over 5,000 firms", "more than 5,000 firms"),
        ("a fee of 25 basis points", "a fee of 0.25 %"),
        ("five points", "5 percentage points"),
    ],
)
def test_equal_values_match_in_any_unit(claimed: str, found: str) -> None:
    assert compared(claimed, found) == (SlotOutcome.MATCH, 0.0)


@pytest.mark.parametrize(
    ("claimed", "found"),
    [
        ("26,000 firms", "25,963 firms"),
        ("36 %", "36.4 %"),
        ("2.3 million pounds", "£2,318,440"),
        ("about 14 km", "7.6 nautical miles"),
        ("about 50 firms", "48 firms"),
        ("just under a third", "32.6 per cent"),
        ("four in ten", "39 %"),
        ("nearly half", "46 %"),
        ("about a tenth", "11 %"),
        ("over 5,000 firms", "5,120 firms"),
        ("at least 40 firms", "46 firms"),
    ],
)
def test_a_stated_rounding_is_no_difference(claimed: str, found: str) -> None:
    result = compared(claimed, found)
    assert result is not None
    assert result[0] is SlotOutcome.ROUNDED


@pytest.mark.parametrize(
    ("claimed", "found", "change"),
    [
        ("$50 billion", "$30 billion", 0.667),
        ("58 %", "54 %", 0.074),
        ("one in five", "16 %", 0.25),
        ("about a third", "25 %", 0.333),
        ("30 firms", "28 firms", 0.071),
        ("25,963 firms", "26,000 firms", -0.001),
        ("about 27,000 firms", "26,000 firms", 0.038),
        ("about 172 firms", "170 firms", 0.012),
        ("five firms", "seven firms", -0.286),
        ("38 microseconds", "38 ms", -0.999),
        ("3,900 km", "3,900 nautical miles", -0.46),
        ("over 5,000 firms", "4,800 firms", 0.042),
        ("below 5,000 firms", "below 4,000 firms", 0.25),
        ("4,000 firms", "more than 5,000 firms", -0.2),
        ("the 12th", "the 13th", -0.077),
        ("10–12 km", "20–22 km", -0.5),
        ("at least 30 km", "at most 30 km", 0.0),
    ],
)
def test_any_other_difference_is_a_mismatch(claimed: str, found: str, change: float) -> None:
    result = compared(claimed, found)
    assert result is not None
    assert result[0] is SlotOutcome.MISMATCH
    assert result[1] == pytest.approx(change, abs=0.001)


@pytest.mark.parametrize(
    ("claimed", "found"),
    [
        ("30 km", "up to 30 km"),
        ("6,000 firms", "more than 5,000 firms"),
        ("over 5,000 firms", "9,000 firms"),
        ("11 km", "10–12 km"),
        ("10–12 km", "11 km"),
    ],
)
def test_what_neither_confirms_nor_contradicts_is_absent(claimed: str, found: str) -> None:
    result = compared(claimed, found)
    assert result is not None
    assert result[0] is SlotOutcome.ABSENT


@pytest.mark.parametrize(
    ("claimed", "found"),
    [
        ("5 %", "5 percentage points"),
        ("5 km", "5 hours"),
        ("5 dollars", "5 euros"),
        ("5 ringgit", "6"),
        ("the 5th", "5 firms"),
        ("30 months", "900 days"),
    ],
)
def test_different_measures_are_never_compared(claimed: str, found: str) -> None:
    assert compared(claimed, found) is None


def test_a_found_zero_has_no_relative_difference() -> None:
    assert compared("5 km", "0 km") == (SlotOutcome.MISMATCH, None)


@pytest.mark.parametrize(
    ("claimed", "found", "outcome"),
    [
        ("in 2025", "on 14 March 2025", SlotOutcome.MATCH),
        ("in Q1 2023", "on 16 January 2023", SlotOutcome.MATCH),
        ("on 14 March 2025", "14 March 2025", SlotOutcome.MATCH),
        ("on 14 March 2025", "in 2025", SlotOutcome.ABSENT),
        ("in 2018", "in fiscal year 2018", SlotOutcome.ABSENT),
        ("on 14 March 2025", "on 14 May 2025", SlotOutcome.MISMATCH),
        ("in the eighteenth century", "in 1807", SlotOutcome.MISMATCH),
    ],
)
def test_a_finer_date_supports_a_coarser_one(
    claimed: str, found: str, outcome: SlotOutcome
) -> None:
    (left,), (right,) = (find_slots(text, LEXICON)[1] for text in (claimed, found))
    assert compare_dates(left, right).outcome is outcome


@pytest.mark.parametrize(
    ("claimed", "found", "other"),
    [
        ("8 km/h", "8 knots", True),
        ("4,612 GWh", "4,612 MWh", True),
        ("2.1 million crowns", "2.1 billion crowns", True),
        ("$48 million", "€48 million", True),
        ("12 per cent", "12 percentage points", True),
        ("4.5 million visitors", "4.5 billion visitors", True),
        ("three weeks", "three months", True),
        ("three weeks", "four months", False),
        ("8 km/h", "8 boats", False),
        ("60 per cent", "60 hours", False),
        ("12 boats", "12 ships", False),
        ("30 km", "30 kilometres", False),
        ("30 km", "40 miles", False),
        ("1.8 km", "1,800 m", False),
    ],
)
def test_one_number_with_another_unit_is_told_from_one_amount(
    claimed: str, found: str, other: bool
) -> None:
    (left,), (right,) = (find_slots(text, LEXICON)[0] for text in (claimed, found))
    assert in_other_unit(left, right, LEXICON) is other
