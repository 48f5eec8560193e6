"""Which date a number goes with, and which dates are at odds."""

from __future__ import annotations

import pytest
from foureyes.claims.quantity.quantities import find_slots
from foureyes.claims.temporal.yearless import find_yearless
from foureyes.verification.reading.fiscal import FiscalYear
from foureyes.verification.values.dating import at_odds, date_of
from support.claim_kit import registry

LEXICON = registry().lexicon


def dated(text: str, place: int) -> str | None:
    quantities, dates = find_slots(text, LEXICON)
    found = date_of(text, quantities[place], dates)
    return found.text if found else None


@pytest.mark.parametrize(
    ("text", "place", "date"),
    [
        ("It fell to 31 tonnes, against 47 tonnes in 2022.", 1, "2022"),
        ("It sold for £216 on average in 2023, against £180 in 2018.", 0, "2023"),
        ("It sold for £216 on average in 2023, against £180 in 2018.", 1, "2018"),
        ("In 2021/22 spending on museums was £23.", 0, "2021/22"),
        ("In May 2020 they sold 40 cars.", 0, "May 2020"),
    ],
)
def test_a_date_goes_with_the_number_beside_it(text: str, place: int, date: str) -> None:
    assert dated(text, place) == date


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("It fell to 31 tonnes, against 47 tonnes in 2022.", 0),
        ("The inn, run since 2008, has 64 rooms.", 0),
        ("It must reach 64 rooms by 2030.", 0),
        ("It opened in 2008. It has 64 rooms.", 0),
        ("It has 64 rooms.", 0),
    ],
)
def test_any_other_date_does_not(text: str, place: int) -> None:
    assert dated(text, place) is None


@pytest.mark.parametrize(
    ("claimed", "found", "expected"),
    [
        ("in 2022", "in 2023", True),
        ("in 2022", "in May 2022", False),
        ("in 2022", "in 2022", False),
        ("in 2022", "in fiscal 2022", True),
        ("in May 2022", "in fiscal 2023", True),
    ],
)
def test_dates_without_a_common_time_are_at_odds(claimed: str, found: str, expected: bool) -> None:
    (left,), (right,) = (find_slots(text, LEXICON)[1] for text in (claimed, found))
    assert at_odds(left, right) is expected


def test_a_fiscal_year_is_another_than_the_calendar_year_that_it_shares_days_with() -> None:
    (calendar,), (fiscal,) = (find_slots(t, LEXICON)[1] for t in ("in 2022", "in fiscal 2022"))
    assert at_odds(calendar, FiscalYear(7, named_by_end=True).days(fiscal))
    assert not at_odds(calendar, FiscalYear(1, named_by_end=True).days(fiscal))


def test_a_date_without_a_year_is_at_odds_with_none() -> None:
    (yearless,) = find_yearless("on 3 May", LEXICON)
    (date,) = find_slots("on 4 May 2020", LEXICON)[1]
    assert not at_odds(yearless, date)
    assert not at_odds(None, date)
