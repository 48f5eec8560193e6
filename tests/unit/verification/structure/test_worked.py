"""Claims that no single cell of a table answers: changes, shares, extremes, rows named in part."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import judged

S, C, U = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNVERIFIABLE

BAKERY = """Group in figures

Thousand francs | 2023 | 2024
Sales of bread | 3,120 | 3,480
of which rye bread | 1,410 | 1,365
of which white bread | 1,710 | 2,115
Rent | 210 | 240
"""
RINKS = """Rinks in winter

Measure | 2022 | 2023 | 2024 (b)
Skaters, thousand | 41.2 | 66.7 | 82.1
Use, per cent of ice time | 48 | 63 | 55
Evenings open | 88 | 91 | 74

(b) A pump failed at the east rink.
"""
SCHOOLS = """Table 2. Results by district

 | Hill | Shore | Centre
Pupils tested | 410 | 655 | 1,935
Short-sighted, 2024 | 18% | 26% | 33%
Short-sighted, 2020 | 16% | 27% | 30%
"""
YARDS = """Yard | Boats | Moorings
North | 640 | 70
East | 210 | 44
Quay | 150 | 31
All | 1,000 | 145
"""
SUPPORT = """LAMP FIRMWARE SUPPORT            rev. 4, January 2026

 series   first sold   repairs until   spare parts until
 ------   ----------   -------------   -----------------
 1.4      2021-03-01   2024-06-30      2025-12-31
 1.6      2022-09-15   2026-12-31      2027-06-30
 2.0      2024-10-14   2028-10-31      2029-10-31
"""


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("Sales of rye bread fell by 45,000 francs in 2024.", BAKERY, S),
        ("Sales of rye bread fell by about 3 per cent in 2024.", BAKERY, S),
        ("Sales of rye bread rose by about 3 per cent in 2024.", BAKERY, C),
        ("Sales of rye bread fell by about 13 per cent in 2024.", BAKERY, U),
        ("White bread gained 405,000 francs of sales.", BAKERY, S),
        ("White bread gained 504,000 francs of sales.", BAKERY, U),
        ("Rye bread now makes up almost two fifths of the sales.", BAKERY, S),
        ("Rye bread now makes up almost two thirds of the sales.", BAKERY, U),
        ("North accounts for almost two boats in three.", YARDS, S),
        ("North accounts for almost nine boats in ten.", YARDS, U),
        ("East accounts for 21 per cent of the boats.", YARDS, S),
        ("East accounts for 31 per cent of the boats.", YARDS, U),
    ],
)
def test_a_change_or_share_is_worked_out_from_the_cells_that_the_claim_means(
    claim: str, source: str, verdict: Verdict
) -> None:
    assert judged(claim, source).verdict is verdict


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("In 2023 the rinks had 66,700 skaters.", RINKS, S),
        ("In 2023 the rinks had 76,600 skaters.", RINKS, C),
        ("In 2024 the use of the ice stood at 55 per cent.", RINKS, S),
        ("In 2024 the use of the ice stood at 63 per cent.", RINKS, C),
        ("In Shore about a quarter of the pupils were short-sighted.", SCHOOLS, S),
        ("In Shore about a half of the pupils were short-sighted.", SCHOOLS, C),
        ("Series 1.4 gets spare parts until the end of 2025.", SUPPORT, S),
        ("Series 1.4 gets spare parts until the end of 2026.", SUPPORT, C),
    ],
)
def test_a_label_names_its_row_without_its_unit_and_its_last_year(
    claim: str, source: str, verdict: Verdict
) -> None:
    assert judged(claim, source).verdict is verdict


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The share of the short-sighted was highest in the Centre.", S),
        ("The share of the short-sighted was highest in Hill.", C),
        (
            "Short-sighted pupils were commonest in the Centre, where about a third were so.",
            S,
        ),
        ("Short-sighted pupils were commonest in Shore, where about a quarter of them were so.", C),
    ],
)
def test_what_is_most_of_its_row_is_compared_along_the_row(claim: str, verdict: Verdict) -> None:
    assert judged(claim, SCHOOLS).verdict is verdict


def test_a_date_is_not_held_against_a_column_that_the_next_clause_names() -> None:
    claim = "Series 1.6 is mended until the end of 2026, and gets spare parts half a year longer."
    assert judged(claim, SUPPORT).verdict is not C
