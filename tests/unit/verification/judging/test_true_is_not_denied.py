"""True claims that were once called contradicted, or left open, each kind with false twins."""

from __future__ import annotations

import re

import pytest
from foureyes.base.vocabulary import Verdict
from hypothesis import given
from hypothesis import strategies as st
from support.claim_kit import judged

S, C = Verdict.SUPPORTED, Verdict.CONTRADICTED
BINS = (
    "We counted throwaway cups in street bins and scaled the result up to a year: "
    "410,000 before the scheme, 266,500 after its start."
)
COST = (
    "Set-up, paid once: 3.1 million crowns. Running costs in the first year: 0.9 million crowns. "
    "Customers pay a deposit of 2 crowns."
)
COACHES = """Rolling stock of the line

| Vehicle | Number | Places |
|---|---|---|
| Sleeping car | 3 | 36 |
| Couchette car | 4 | 160 |
| Seated coach | 2 | 116 |
"""
ORDINANCE = (
    "Sec. 1  An outlet that sells more than 200 hot drinks a day shall offer the reusable cup.\n"
    "Sec. 2  Charities and trolleys in hospitals are exempt.\n"
)
CHANGES = """# Changelog

## 4.2 (2025-02-03)

- Windows 7 is no longer supported.

## 4.1 (2024-10-21)

- Animated PNG: loop count is honoured.
"""
NEWTS = (
    'Pond survey, sheet 3. Rana ficta (the marsh frog, below "Rf") was looked for with nets in 24 '
    "ponds in May. Rf found: 5 ponds, all of them shaded. Rf absent: 19. Toads were heard at six.\n"
)
PRICES = (
    "Price survey by the buyers' league in 48 shops. Average prices: rye bread, 1 kg, 2.95; oil, 1 "
    "litre, 3.10; eggs, six, 1.62. Shops at the border were cheaper.\n"
)
REFUNDS = (
    "A passenger who arrives more than 60 minutes late is refunded 25 per cent of the fare, and "
    "after more than 120 minutes 50 per cent."
)
TEAM = "We were five maintainers then and are seven now."
CODE = "Version 4.0 replaced the decoders. 81,000 lines of C went and 52,400 lines of Rust came."
DELAY = "The operator did not tell passengers of the delay."
WASHES = "All cups are washed at our plant. A wash takes 0.18 litres of water per cup."
MEALS = (
    "Every school with more than 80 pupils shall offer a warm meal. Schools on islands are exempt."
)
PUMPS = "Of the four pumps one has failed; three are in order."
SUNDAY = "On Sunday the trains did not run. They were not replaced."
WARDS = """Ward report

| Ward | Beds | Nurses |
|---|---|---|
| Surgery | 42 | 31 |
| Children | 28 | 24 |
| Eyes | 12 | 7 |
"""
QUAY = (
    "The quay will be 210 metres long. Berths cost 34 euros a metre and year; for members of the "
    "club 20 per cent less."
)
OLD = """# Changelog

## 4.3 (2025-09-09)

- The old C interface is deprecated. It will be removed in 5.0.
"""
DESK = (
    "The complaints desk, year's tally: noise 311 (previous year 290), breakfasts 66 (93), "
    "staff 41 (47). In all there were 702 complaints."
)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Each wash takes 0.18 litres of water.", WASHES),
        ("Lines of Rust, 52,400, took the place of 81,000, which is a third less.", CODE),
        ("The train offers 312 places in nine coaches.", COACHES),
        ("The train has nine coaches with 312 places.", COACHES),
        ("A traveller more than an hour late gets a quarter of the fare back.", REFUNDS),
        ("A traveller who arrives more than an hour late gets a quarter back.", REFUNDS),
        ("Fewer complaints about breakfasts reached the desk than in the year before.", DESK),
        ("Schools on islands need not offer one.", MEALS),
        ("Schools on islands are not obliged to offer a warm meal.", MEALS),
        ("There are 82 beds in three wards.", WARDS),
        ("No train ran on Sunday.", SUNDAY),
        ("A berth for a boat of ten metres costs 340 euros a year.", QUAY),
        ("Members of the club pay 27.20 euros a metre.", QUAY),
        ("Three of the four pumps work.", PUMPS),
        ("It cost a little more than three crowns for each cup handed out.", COST),
        ("The marsh frog was found in five of the ponds surveyed.", NEWTS),
        ("A litre of oil costs buyers 3.10 in the shops.", PRICES),
    ],
)
def test_a_true_claim_is_not_contradicted(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is not C


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Each wash takes 0.18 litres of water.", WASHES),
        ("The bill for the first year was thus four million.", COST),
        ("Any outlet that sells more than 200 hot drinks a day has to offer the cup.", ORDINANCE),
        ("Since version 4.2 Windows 7 is no longer supported.", CHANGES),
        ("The operator failed to tell passengers of the delay.", DELAY),
        ("The team of maintainers has grown from five to seven.", TEAM),
    ],
)
def test_what_other_words_say_is_supported(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is S


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Each wash takes 0.28 litres of water.", WASHES),
        ("The bill for the first year was thus five million.", COST),
        ("Any outlet that sells more than 300 hot drinks a day has to offer the cup.", ORDINANCE),
        ("Any outlet that sells more than 200 hot drinks a day may offer the cup.", ORDINANCE),
        ("Since version 4.1 Windows 7 is no longer supported.", CHANGES),
        ("The operator told passengers of the delay.", DELAY),
        ("The team of maintainers has shrunk from seven to five.", TEAM),
        ("There are 92 beds in three wards.", WARDS),
        ("Surgery has 28 beds.", WARDS),
        ("The old C interface was removed in version 4.3.", OLD),
        ("Version 4.3 of September 2025 removed the old C interface.", OLD),
        ("Trains ran on Sunday.", SUNDAY),
        ("Four of the three pumps work.", PUMPS),
        ("The contractor completed the bridge.", "The contractor shall complete the bridge."),
        ("The number of throwaway cups in street bins rose from 266,500 to 410,000.", BINS),
        ("Cups in bins rose by 35 per cent, from 266,500 to 410,000.", BINS),
    ],
)
def test_its_false_twin_is_not_supported(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is not S


_REASON = re.compile(r"source: (?P<found>.+); claim: (?P<claimed>[^;]+)")
_BOUND = st.sampled_from(("", "at least ", "up to ", "about ", "more than "))
_UNIT = st.sampled_from(("litres", "euros", "per cent", "percentage points", "minutes"))
_OVER = st.sampled_from(("", " per cup", " per guest", " for each wash", " a day", " a week"))
_VALUE = st.integers(min_value=1, max_value=60)


@given(value=_VALUE, bounds=st.tuples(_BOUND, _BOUND), units=st.tuples(_UNIT, _UNIT),
       over=st.tuples(_OVER, _OVER), more=st.sampled_from((0, 0, 1)))  # fmt: skip
def test_equal_values_are_never_given_as_a_contradiction(
    value: int, bounds: tuple[str, str], units: tuple[str, str], over: tuple[str, str], more: int
) -> None:
    claim = f"The wash takes {bounds[0]}{value}{' ' + units[0]}{over[0]} in the plant."
    source = f"The wash takes {bounds[1]}{value + more} {units[1]}{over[1]} in the plant."
    told = _REASON.match(judged(claim, source).reason)
    assert not told or told["found"].lower().split() != told["claimed"].lower().split()
