"""When the fiscal year of a source runs."""

from __future__ import annotations

import pytest
from foureyes.claims.quantity.quantities import find_slots
from foureyes.verification.reading.fiscal import FiscalYear, find_fiscal_year
from support.claim_kit import registry

LEXICON = registry().lexicon


@pytest.mark.parametrize(
    ("text", "month", "by_end"),
    [
        ("Our fiscal year runs from 1 July to 30 June.", 7, True),
        ("The fiscal year starts on 1 October and bears the number of the year in which it ends.",
         10, True),
        ("The fiscal year starts on 1 April and is named after the year in which it starts.",
         4, False),
        ("The council's financial year begins in April.", 4, True),
        ("The fiscal year ends on 31 March.", 4, True),
        ("The fiscal year ends in January.", 2, True),
        ("Spending in fiscal year 2020 (1 October 2019 to 30 September 2020) fell.", 10, True),
        ("Fiscal 2022 ran from April 2022 to March 2023.", 4, False),
        ("The second quarter of its fiscal year ended on 31 March. "
         "The fiscal year starts on 1 October.", 10, True),
    ],
)  # fmt: skip
def test_a_source_may_say_when_its_year_runs(text: str, month: int, by_end: bool) -> None:
    assert find_fiscal_year(text) == FiscalYear(month, by_end)


@pytest.mark.parametrize(
    "text",
    [
        "In fiscal 2021 revenue rose.",
        "The fiscal year was a good one.",
        "The second quarter of its fiscal year ended on 31 March.",
        "The fiscal year ends on 15 May.",
        "The fiscal year starts on 6 April.",
    ],
)
def test_most_do_not(text: str) -> None:
    assert find_fiscal_year(text) is None


@pytest.mark.parametrize(
    ("year", "text", "first", "last"),
    [
        (FiscalYear(7, True), "in fiscal 2022", "2021-07-01", "2022-06-30"),
        (FiscalYear(4, False), "in fiscal 2022", "2022-04-01", "2023-03-31"),
        (FiscalYear(4, True), "in 2021/22", "2021-04-01", "2022-03-31"),
        (FiscalYear(10, True), "in the second quarter of fiscal 2025", "2025-01-01", "2025-03-31"),
        (FiscalYear(1, True), "in fiscal 2022", "2022-01-01", "2022-12-31"),
        (FiscalYear(7, True), "in 2022", "2022-01-01", "2022-12-31"),
    ],
)
def test_fiscal_dates_become_days(year: FiscalYear, text: str, first: str, last: str) -> None:
    (span,) = find_slots(text, LEXICON)[1]
    days = year.days(span)
    assert (days.first.isoformat(), days.last.isoformat(), days.fiscal) == (first, last, False)
