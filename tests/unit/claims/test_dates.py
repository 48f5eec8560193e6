"""Date expressions as intervals of days."""

from __future__ import annotations

import pytest
from foureyes import detect_factual_claims
from foureyes.datatypes import DateSpan


def dates(text: str) -> tuple[DateSpan, ...]:
    return tuple(one for claim in detect_factual_claims(text) for one in claim.dates)


ONE = [
    ("It rained on 14 May 2021.", "2021-05-14", "2021-05-14", "day", "14 May 2021"),
    ("It rained on May 14, 2021.", "2021-05-14", "2021-05-14", "day", "May 14, 2021"),
    ("It rained on Sept. 14, 2021.", "2021-09-14", "2021-09-14", "day", "Sept. 14, 2021"),
    ("The 14th of May, 2021.", "2021-05-14", "2021-05-14", "day", "14th of May, 2021"),
    ("It rained on 2021-05-14.", "2021-05-14", "2021-05-14", "day", "2021-05-14"),
    ("It rained on 14.05.2021.", "2021-05-14", "2021-05-14", "day", "14.05.2021"),
    ("It rained on 13/04/2025.", "2025-04-13", "2025-04-13", "day", "13/04/2025"),
    ("It rained on 04/13/2025.", "2025-04-13", "2025-04-13", "day", "04/13/2025"),
    ("It rained on 05/05/2025.", "2025-05-05", "2025-05-05", "day", "05/05/2025"),
    ("It rained on 29 February 2024.", "2024-02-29", "2024-02-29", "day", "29 February 2024"),
    ("It rained in May 2021.", "2021-05-01", "2021-05-31", "month", "May 2021"),
    ("It rained in February 2024.", "2024-02-01", "2024-02-29", "month", "February 2024"),
    ("It rained in Q3 2021.", "2021-07-01", "2021-09-30", "quarter", "Q3 2021"),
    ("It rained in 2021 Q3.", "2021-07-01", "2021-09-30", "quarter", "2021 Q3"),
    ("In the third quarter of 2021.", "2021-07-01", "2021-09-30", "quarter",
     "the third quarter of 2021"),
    ("It rained in H2 2021.", "2021-07-01", "2021-12-31", "half", "H2 2021"),
    ("In the first half of 2021.", "2021-01-01", "2021-06-30", "half", "the first half of 2021"),
    ("It rained in 2021.", "2021-01-01", "2021-12-31", "year", "2021"),
    ("It was built in 1200.", "1200-01-01", "1200-12-31", "year", "1200"),
    ("It rained in 2019–2021.", "2019-01-01", "2021-12-31", "year", "2019–2021"),
    ("It rained in 2019-21.", "2019-01-01", "2021-12-31", "year", "2019-21"),
    ("It rained in 2019-10.", "2019-01-01", "2019-12-31", "year", "2019"),
    ("It rained in the 1990s.", "1990-01-01", "1999-12-31", "decade", "1990s"),
    ("It rained in the 2000s.", "2000-01-01", "2009-12-31", "decade", "2000s"),
    ("It rained in the late 2010s.", "2016-01-01", "2019-12-31", "decade", "late 2010s"),
    ("It has rained since the mid-nineties.", "1993-01-01", "1997-12-31", "decade",
     "mid-nineties"),
    ("By the early fifties it rained.", "1950-01-01", "1954-12-31", "decade", "early fifties"),
    ("In the sixties it rained.", "1960-01-01", "1969-12-31", "decade", "sixties"),
    ("It rained in the 1800s.", "1800-01-01", "1899-12-31", "century", "1800s"),
    ("In the 19th century it rained.", "1801-01-01", "1900-12-31", "century", "19th century"),
    ("In the nineteenth century.", "1801-01-01", "1900-12-31", "century", "nineteenth century"),
    ("In the twenty-first century.", "2001-01-01", "2100-12-31", "century",
     "twenty-first century"),
]  # fmt: skip
FISCAL = [
    ("It rose in FY2021.", "year", "FY2021"),
    ("It rose in FY 2021/22.", "year", "FY 2021/22"),
    ("It rose in fiscal year 2021.", "year", "fiscal year 2021"),
    ("It rose in FY21 Q2.", "quarter", "FY21 Q2"),
    ("It rose in Q2 FY21.", "quarter", "Q2 FY21"),
    ("It rose in the second quarter of FY21.", "quarter", "the second quarter of FY21"),
    ("In the fourth fiscal quarter of 2021.", "quarter", "the fourth fiscal quarter of 2021"),
]
NONE = [
    "It rained on 14 May.",
    "It rained last year.",
    "It rained on 03/04/2025.",
    "It rained on 31 February 2021.",
    "It rained on 99/99/2021.",
    "It rained on 2021-13-01.",
    "It rained on 1/2/21.",
    "It rained in May 0999.",
    "It rained in the third half of 2021.",
    "It rained in FY3000.",
    "It rained in the 5th century.",
    "It rained in the last century.",
    "It rained at 10:30 and 5 p.m.",
    "Use version 2021 of it.",
    "It cost $2021.",
    "It cost 2021 dollars.",
    "It sold 2000 tonnes.",
    "It sold 2021 million.",
    "It has 2000 people.",
    "It has 2000 churches.",
    "It has 1300 ships.",
    "It rained in the 1234s.",
]


@pytest.mark.parametrize(("text", "first", "last", "granularity", "words"), ONE)
def test_a_date_is_the_days_it_may_mean(
    text: str, first: str, last: str, granularity: str, words: str
) -> None:
    (found,) = dates(text)
    assert (found.first.isoformat(), found.last.isoformat()) == (first, last)
    assert (found.granularity, found.text, found.fiscal) == (granularity, words, False)


@pytest.mark.parametrize(("text", "granularity", "words"), FISCAL)
def test_a_fiscal_year_is_marked(text: str, granularity: str, words: str) -> None:
    (found,) = dates(text)
    assert (found.granularity, found.text, found.fiscal) == (granularity, words, True)


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_date_or_cannot_be_resolved_is_left_out(text: str) -> None:
    assert dates(text) == ()


def test_several_dates_are_found_in_order() -> None:
    found = dates("From 3 May 2019 to June 2020, since 1950 in towns.")
    assert [one.text for one in found] == ["3 May 2019", "June 2020", "1950"]
