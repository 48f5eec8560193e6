"""Dates that are counted from another day are resolved against it (decision 27)."""

from __future__ import annotations

from datetime import date

import pytest
from foureyes.claims.detect import detect_claims
from foureyes.claims.lexicon import load_lexicon
from foureyes.claims.model import DateSpan
from foureyes.claims.temporal.relative_dates import reference_day
from foureyes.documents.parse import parse_document

LEXICON = load_lexicon()
AS_OF = date(2026, 1, 10)
DATED = "---\ndate: 2024-05-15\n---\n\n"


def relative(text: str) -> list[DateSpan]:
    found = detect_claims(parse_document(text), LEXICON, as_of=AS_OF)
    return [day for claim in found for day in claim.dates if day.relative]


DAYS = [
    ("Sales of 40 rose last year.", "last year", "2023-01-01", "2023-12-31", "year"),
    ("Sales of 40 rose last month.", "last month", "2024-04-01", "2024-04-30", "month"),
    ("Sales of 40 rose this quarter.", "this quarter", "2024-04-01", "2024-06-30", "quarter"),
    ("Yesterday 40 men left.", "Yesterday", "2024-05-14", "2024-05-14", "day"),
    ("Two years ago 40 men left.", "Two years ago", "2022-01-01", "2022-12-31", "year"),
    ("Two months ago 40 men left.", "Two months ago", "2024-03-01", "2024-03-31", "month"),
    ("Last week 40 men left.", "Last week", "2024-05-06", "2024-05-12", "day"),
    ("In May 2020 it burnt; a year later 40 men left.", "a year later", "2021-01-01",
     "2021-12-31", "year"),
    ("In May 2020 it fell. In the same month 40 men left.", "same month", "2020-05-01",
     "2020-05-31", "month"),
    ("In Q2 2020 it fell. The following quarter 40 men left.", "following quarter", "2020-07-01",
     "2020-09-30", "quarter"),
    ("Sales of 2,485 rose late last year.", "last year", "2023-01-01", "2023-12-31", "year"),
    ("Sales were 2,485 last year.", "last year", "2023-01-01", "2023-12-31", "year"),
    ("All 40 men left last March.", "last March", "2024-03-01", "2024-03-31", "month"),
    ("All 40 men leave next March.", "next March", "2025-03-01", "2025-03-31", "month"),
    ("All 40 men left this May.", "this May", "2024-05-01", "2024-05-31", "month"),
    ("The last five years cost 40 men.", "last five years", "2019-05-15", "2024-05-14", "year"),
    ("The next 2 weeks cost 40 men.", "next 2 weeks", "2024-05-16", "2024-05-29", "year"),
    ("Twenty-five days ago 40 men left.", "Twenty-five days ago", "2024-04-20", "2024-04-20",
     "day"),
]  # fmt: skip
OPEN = [
    "In 2020 it fell. In the same month 40 men left.",
    "The following year 40 men left.",
    "On Tuesday 40 men left.",
    "Last Friday 40 men left.",
    "Last summer 40 men left.",
    "Now 40 men are left.",
    "At last 40 men left.",
    "This may cost 40 men.",
    "It will last 40 days.",
    "Since last year 40 men left.",
    "All 40 men left last year or earlier.",
    "Three days from today 40 men leave.",
    "In the last quarter of the match 40 men left.",
    "More than two years ago 40 men left.",
    "The last 9999 years cost 40 men.",
    "The next 900 decades cost 40 men.",
    "The day after tomorrow 40 men leave.",
]


@pytest.mark.parametrize(("text", "words", "first", "last", "granularity"), DAYS)
def test_a_relative_date_is_counted_from_the_day_it_means(
    text: str, words: str, first: str, last: str, granularity: str
) -> None:
    (day,) = relative(DATED + text)
    assert (day.text, str(day.first), str(day.last)) == (words, first, last)
    assert (day.granularity, day.assumed) == (granularity, False)


@pytest.mark.parametrize("text", OPEN)
def test_what_may_mean_another_day_is_left_out(text: str) -> None:
    assert relative(DATED + text) == []


def test_a_relative_date_alone_makes_no_claim() -> None:
    assert relative(DATED + "Sales rose last year.") == []


HEADS = [
    ("---\ndate: 2024-05-15\n---\n\nIt rose.", date(2024, 5, 15)),
    ("---\nUpdated: 3 March 2025\n---\n\nIt rose.", date(2025, 3, 3)),
    ("# Note\n\n**14 May 2025**\n\nIt rose.", date(2025, 5, 14)),
    ("# Note\n\nLast updated: 14 May 2025\n\nIt rose.", date(2025, 5, 14)),
    ("# Note\n\nPublished in May 2025 by Marn\n\nIt rose.", date(2025, 5, 31)),
    ("OLM, 3 March 2025 – The port rose.", date(2025, 3, 3)),
    ("Olm (3 March 2025) — The port rose.", date(2025, 3, 3)),
    ("# Note\n\nThe port opened on 3 March 2025 and is the largest of all ports there.", None),
    ("# Note\n\nDate: 3 March 2035\n\nIt rose.", None),
    ("It rose.", None),
]


@pytest.mark.parametrize(("text", "day"), HEADS)
def test_a_document_tells_its_day_at_its_head(text: str, day: date | None) -> None:
    found = reference_day(parse_document(text), LEXICON, AS_OF)
    assert (found.day, found.assumed) == ((day, False) if day else (AS_OF, True))


def test_what_is_counted_from_an_assumed_day_says_so() -> None:
    (day,) = relative("Sales of 40 rose last year.")
    assert (day.first.year, day.assumed) == (2025, True)
