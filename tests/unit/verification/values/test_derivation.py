"""Numbers that a passage implies without printing them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from foureyes.claims.quantity.quantities import find_slots
from foureyes.verification.values.derivation import (
    Derivation,
    Operation,
    agrees,
    confusion,
    derive,
    operations,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from support.claim_kit import registry

LEXICON = registry().lexicon


def derived(claim: str, passage: str, place: int = 0) -> Derivation | None:
    claimed = find_slots(claim, LEXICON)[0][place]
    return next(derive(claim, claimed, find_slots(passage, LEXICON)[0], LEXICON), None)


@pytest.mark.parametrize(
    ("claim", "passage", "operation", "working"),
    [
        ("Together they won 1,005 MW.", "It won 310 MW, then 455 MW and 240 MW.",
         "total", "310 + 455 + 240 = 1,005"),
        ("In all 2,000 litres were sold.", "North sold 1.5 cubic metres, South 500 litres.",
         "total", "1,500 + 500 = 2,000"),
        ("The gap is 1.17 children.", "Rates: Alm 1.62; Cor 1.31; Est 2.48.",
         "difference", "2.48 − 1.31 = 1.17"),
        ("The number of shops fell by 350.", "There were 1,480 shops, now 1,130.",
         "difference", "1,480 − 1,130 = 350"),
        ("It is 52 metres deeper than the old.", "It reaches 212 metres, the new 264 metres.",
         "difference", "264 − 212 = 52"),
        ("Some 32 projects remained.", "Of 96 projects 41 were cut and 23 vetoed.",
         "difference", "96 − 41 − 23 = 32"),
        ("The rate rose by 4.5 percentage points.", "It was 31.0 per cent, after 26.5 per cent.",
         "difference", "31 − 26.5 = 4.5"),
        ("It gained five and a half points.", "Margin: 57.5 per cent, after 52.0 per cent.",
         "difference", "57.5 − 52 = 5.5"),
        ("The rate was raised by 50 basis points.", "The rate went from 1.0 % to 1.5 %.",
         "difference", "150 − 100 = 50"),
        ("On average each firm got 150,000 dollars.", "It gave 40 firms 6 million dollars.",
         "average", "6,000,000 / 40 = 150,000"),
        ("Postal workers were a quarter of them.", "Postal: 5,200. In all 20,800 took part.",
         "share", "5,200 / 20,800 = 0.25"),
        ("Nearly half came from the fund.", "It cost £2,318,440; the fund gave £1,120,000.",
         "share", "1,120,000 / 2,318,440 = 0.4831"),
        ("Only 12 percent were linked.", "Of 2,900 homes 348 were linked.",
         "share", "348 / 2,900 = 0.12"),
        ("Sales rose by a quarter.", "Sales were 40 units, now 50 units.",
         "change", "40 to 50: 10, or 25 %"),
        ("Delays improved by 25 percent.", "It was 40 per cent, now 50 per cent.",
         "change", "40 to 50: 10, or 25 %"),
        ("Over three times as many came.", "There were 310 guests, after 100 guests.",
         "multiple", "310 / 100 = 3.1"),
    ],
)  # fmt: skip
def test_a_number_is_worked_out_from_a_passage(
    claim: str, passage: str, operation: str, working: str
) -> None:
    found = derived(claim, passage)
    assert found is not None
    assert (found.operation.value, found.working) == (operation, working)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        # No word of the claim asks for the sum, the difference or the quotient.
        ("The plant has 1,005 MW.", "It won 310 MW, then 455 MW and 240 MW."),
        ("The village has 350 inns.", "There were 1,480 inns, now 1,130."),
        ("The firm got 150,000 dollars.", "It gave 40 firms 6 million dollars."),
        # The values do not stand together, or are of another unit.
        ("Together they won 550 MW.", "It won 310 MW, then 455 MW and 240 MW."),
        ("Together they paid 5 euros.", "They paid 2 dollars and 3 dollars."),
        ("The rate rose by 5 percentage points.", "It took 31 days, after 26 days."),
        # An operand is the claimed number itself.
        ("Altogether 5.1 million remained.", "It had 5,100,000 euros and 4 euros."),
        # A range and an ordinal follow from nothing.
        # Another count is what the claim divides by.
        (
            "It costs 5,400 for each flight hour.",
            "Costs: 10,800,000 for 2,000 missions and 1,700 flights.",
        ),
        ("Together they won 5 to 9 MW.", "It won 3 MW and 4 MW."),
        ("They came third and 5th together.", "It won 3 and 2."),
        ("Together they won 310 MW.", "It won 310 MW."),
        ("A quarter of them left.", "There were 0 men and 0 women."),
    ],
)
def test_nothing_is_derived_by_chance(claim: str, passage: str) -> None:
    assert derived(claim, passage) is None


@pytest.mark.parametrize(
    ("claim", "passage", "working"),
    [
        ("The share grew by three percent.", "It was 12 per cent, this time 15 per cent.",
         "12 to 15: 3, or 25 %"),
        ("Vacancy rose 20 percentage points.", "It is 6.0 per cent, after 5.0 per cent.",
         "5 to 6: 1, or 20 %"),
        ("Late fees dropped by two percent.", "It was eight per cent, before it ten per cent.",
         "8 to 10: 2, or 25 %"),
    ],
)  # fmt: skip
def test_points_taken_for_per_cent_are_told(claim: str, passage: str, working: str) -> None:
    claimed = find_slots(claim, LEXICON)[0][0]
    found = confusion(claim, claimed, find_slots(passage, LEXICON)[0])
    assert found is not None
    assert found.working == working


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The share grew by 25 percent.", "It was 12 per cent, this time 15 per cent."),
        ("The share grew by 3 percentage points.", "It was 12 per cent, this time 15 per cent."),
        ("The share is three percent.", "It was 12 per cent, this time 15 per cent."),
        ("Sales grew by three crowns.", "It was 12 per cent, this time 15 per cent."),
        ("The share grew by three percent.", "It was 12 per cent."),
    ],
)
def test_a_change_in_its_own_measure_is_no_confusion(claim: str, passage: str) -> None:
    claimed = find_slots(claim, LEXICON)[0][0]
    assert confusion(claim, claimed, find_slots(passage, LEXICON)[0]) is None


@pytest.mark.parametrize(
    ("claim", "value", "expected"),
    [
        ("1,005 MW", Fraction(1005), True),
        ("1,005 MW", Fraction(1006), False),
        ("150,000 dollars", Fraction(150_900), True),
        ("150,000 dollars", Fraction(152_000), False),
        ("about 150,000 dollars", Fraction(152_500), True),
        ("350 shops", Fraction(351), True),
        ("351 shops", Fraction(352), False),
        ("more than 300 shops", Fraction(340), True),
        ("more than 300 shops", Fraction(290), False),
        ("at most 300 shops", Fraction(290), True),
        ("at most 300 shops", Fraction(310), False),
    ],
)
def test_a_result_agrees_as_far_as_the_claim_is_rounded(
    claim: str, value: Fraction, expected: bool
) -> None:
    assert agrees(find_slots(claim, LEXICON)[0][0], value) is expected


def test_a_cue_beside_another_number_asks_for_nothing() -> None:
    claim = "It cost £5m, or about £1m less than the £6m planned."
    first, second, _ = find_slots(claim, LEXICON)[0]
    assert operations(claim, first) == ()
    assert operations(claim, second) == (Operation.DIFFERENCE,)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.lists(st.integers(11, 900), min_size=2, max_size=6))
def test_a_total_does_not_depend_on_the_order_of_its_parts(
    data: st.DataObject, parts: list[int]
) -> None:
    for order in (parts, data.draw(st.permutations(parts))):
        passage = "It won " + " MW, then ".join(map(str, order)) + " MW."
        found = derived(f"Together they won {sum(parts):,} MW.", passage)
        assert found is not None
        assert sum(operand.low for operand in found.operands) == found.value == sum(parts)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 10**6),
    st.sampled_from(
        [
            "Together they won {:,} MW.",
            "It rose by {:,} MW.",
            "On average each won {:,} MW.",
            "A share of {:,} percent.",
            "It rose by {:,} percentage points.",
            "It was {:,} times as much.",
        ]
    ),
)
def test_no_number_is_derived_from_one_value(number: int, claim: str) -> None:
    assert derived(claim.format(number), f"It won {number * 3:,} MW.") is None
