"""Values whose date, scale, sign or subject stands in a heading or title over them."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import judged

S, C, U = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNVERIFIABLE

ACCOUNTS = """Group in figures
Thousand francs | 2023 | 2024
Sales of bread | 3,120 | 3,480
of which rye bread | 1,410 | 1,365
Closure of the Aldgate shop | -12 | -184
Staff at year end (number) | 62 | 58

The closure of the Aldgate shop was settled in May. Its rent accounts for 121 thousand of that sum.
"""
PONDS = """Ponds
The frogs were put into eleven ponds in 2021. Their number went up from 40 to 310 by the third year.
Algae in the water, third year: 2.1 per cent in the ponds with frogs, 4.6 per cent in the others.
In three ponds that had been limed in May, the frogs did not settle. The heron took some.
"""
SEED = """Product | Unit | Price | Rate per field
Vetch | bag of 20 kg | 26 | 3 bags a year
Clover | bag of 10 kg | 41 | 2 bags a year
"""
TICKETS = """Parking: report for 2024
Tickets
Tickets brought in 48,200 francs (2018: 61,700). Posting them cost 9,300 francs.
"""
HARVEST = """You are visitor no. 17
Catch report 2024
The boats went out on 140 days.
2024
Landed at the quay: 410 tonnes of cod. Price paid: 2.90 a kilo.
2023
Landed at the quay: 388 tonnes of cod. Price paid: 2.70 a kilo.
"""
FEES = "The club raised its fee to 36 crowns (24 crowns in 2019). The hall was painted."


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("The closure of the Aldgate shop cost 184,000 francs in 2024.", ACCOUNTS, S),
        ("The closure of the Aldgate shop cost 148,000 francs in 2024.", ACCOUNTS, C),
        ("The closure of the Aldgate shop cost 184 million francs in 2024.", ACCOUNTS, C),
        ("In 2024 the bakery sold bread for 3.48 million francs.", ACCOUNTS, S),
        ("In 2024 sales of bread came to 3.84 million francs.", ACCOUNTS, C),
        ("At the end of 2024 the bakery had a staff of 58.", ACCOUNTS, S),
        ("At the end of 2024 the bakery had a staff of 85.", ACCOUNTS, U),
        ("Sales of bread were 3.48 million francs, up from 3.12 million.", ACCOUNTS, S),
        ("Sales of bread were 3.12 million francs, down from 3.48 million.", ACCOUNTS, C),
    ],
)
def test_the_title_over_the_labels_scales_the_cells_and_a_minus_is_what_was_paid(
    claim: str, source: str, verdict: Verdict
) -> None:
    assert judged(claim, source).verdict is verdict


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("In 2024, 410 tonnes of cod were landed at the quay.", HARVEST, S),
        ("In 2023, 388 tonnes of cod were landed at the quay.", HARVEST, S),
        ("In 2023, 410 tonnes of cod were landed at the quay.", HARVEST, U),
        ("In 2024, 388 tonnes of cod were landed at the quay.", HARVEST, U),
        ("Tickets brought in 48,200 francs in 2024, over a fifth less than in 2018.", TICKETS, S),
        ("Tickets brought in 48,200 francs in 2024, nearly a half less than in 2018.", TICKETS, U),
        ("Tickets brought in 48,200 francs in 2018.", TICKETS, U),
        ("The club raised its fee to 36 crowns in 2019.", FEES, U),
    ],
)
def test_a_value_is_of_the_year_over_it_and_not_of_the_year_in_the_brackets_after_it(
    claim: str, source: str, verdict: Verdict
) -> None:
    assert judged(claim, source).verdict is verdict


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Algae in the ponds with frogs were down to 2.1 per cent.", PONDS),
        ("In three ponds the frogs did not take hold; all three had been limed in May.", PONDS),
        ("Vetch costs 78 for a field and year.", SEED),
        ("The closure of the Aldgate shop cost 184 thousand, more than half of it rent.", ACCOUNTS),
    ],
)
def test_what_is_of_another_thing_or_put_otherwise_is_not_denied(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is not C


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The number of frogs was down to 310 by the third year.", PONDS),
        ("In three ponds that had been limed in May the frogs settled.", PONDS),
        ("Vetch costs 62 for a bag.", SEED),
        ("Clover costs 26 for a bag.", SEED),
    ],
)
def test_what_the_same_passage_gives_otherwise_is_denied(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is C


RULES = """Hall rules

The rent is paid monthly and may not exceed 740 crowns in any one month. The clerk replies within
12 days. No deposit shall exceed 9 pounds for any one key. A card is blocked when the debts on it
reach 14 pounds. Guests may stay for fifteen minutes.
"""


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The rent is at most 740 crowns a month.", S),
        ("The rent is at least 740 crowns a month.", C),
        ("The rent is at most 470 crowns a month.", C),
        ("The clerk takes up to 12 days to reply.", S),
        ("The clerk takes up to 21 days to reply.", C),
        ("The deposit for a key may be up to nine pounds.", S),
        ("The deposit for a key is at least nine pounds.", C),
        ("A card is blocked when its debts reach £14.", S),
        ("A card is blocked once its debts reach £41.", C),
        ("Guests may stay for a quarter of an hour.", S),
        ("Guests may stay for half an hour.", C),
    ],
)
def test_a_limit_is_one_however_it_is_put(claim: str, verdict: Verdict) -> None:
    assert judged(claim, RULES).verdict is verdict


BUS = """The night bus

Departs Corn Market: 22:40
Arrives Sea Gate: 05:15 on the following morning
A little history
The old tram was taken off in May 1998. The night bus took over on 8 November 2014, with seats
bought second-hand. In three of the eleven villages the stops were moved.
Bookings for autumn must reach us by 1 October.
"""
ADVISORY = """Advisory 7
Severity | 6.4 (medium)
Published | 3 May 2025
Affected | 1.0 to 1.9
"""


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("The night bus took over in November 2014.", BUS, S),
        ("The night bus took over in May 1998.", BUS, C),
        ("In three villages the stops were moved.", BUS, S),
        ("In eleven villages the stops were moved.", BUS, U),
        ("Bookings for the autumn must arrive by 1 October.", BUS, S),
        ("Bookings for the autumn must arrive by 1 November.", BUS, U),
        ("The bus arrives at Sea Gate six hours and 35 minutes after it departs.", BUS, S),
        ("The bus arrives at Sea Gate five hours and 35 minutes after it departs.", BUS, U),
        ("The advisory was published on 3 May 2025.", ADVISORY, S),
        ("The advisory was published on 5 May 2025.", ADVISORY, U),
    ],
)
def test_a_value_is_found_beside_others_of_its_sort(
    claim: str, source: str, verdict: Verdict
) -> None:
    assert judged(claim, source).verdict is verdict
