"""Dates that give no year."""

from __future__ import annotations

import pytest
from foureyes.claims.dates import YEARLESS, find_yearless, with_yearless
from foureyes.claims.lexicon import load_lexicon
from foureyes.claims.quantities import find_slots

LEXICON = load_lexicon()


@pytest.mark.parametrize(
    ("text", "first", "last", "words"),
    [
        ("It opened on 28 June.", "06-28", "06-28", "28 June"),
        ("It opened on June 28.", "06-28", "06-28", "June 28"),
        ("It opened on the 3rd of May.", "05-03", "05-03", "3rd of May"),
        ("It ended on the second of March.", "03-02", "03-02", "second of March"),
        ("9 Mar – recall begins", "03-09", "03-09", "9 Mar"),
        ("It fell on 29 February.", "02-29", "02-29", "29 February"),
        ("At its October meeting it met.", "10-01", "10-31", "October"),
        ("It opened in May.", "05-01", "05-31", "May"),
        ("It closed in the third quarter.", "07-01", "09-30", "third quarter"),
        ("Third-quarter results rose.", "07-01", "09-30", "Third-quarter"),
        ("It closed in Q4.", "10-01", "12-31", "Q4"),
        ("It closed in the second half of the year.", "07-01", "12-31", "second half"),
        ("It closed in the spring.", "03-01", "05-31", "spring"),
    ],
)
def test_a_date_without_a_year_is_days_of_any_year(
    text: str, first: str, last: str, words: str
) -> None:
    (span,) = find_yearless(text, LEXICON)
    assert (f"{span.first:%m-%d}", f"{span.last:%m-%d}", span.text) == (first, last, words)
    assert span.yearless
    assert span.first.year == span.last.year == YEARLESS


@pytest.mark.parametrize(
    "text",
    [
        "It opened on 28 June 2021.",
        "She died, in November 1990, at home.",
        "It opened on June 28, 2021.",
        "It closed in the third quarter of 2021.",
        "You may march on.",
        "May I ask?",
        "It broke a spring.",
        "A quarter of them left.",
        "It opened on 31 June.",
        "He won the first half.",
        "The first quarter of the century was wet.",
    ],
)
def test_what_has_a_year_or_is_no_date_is_left_out(text: str) -> None:
    assert find_yearless(text, LEXICON) == ()


def test_a_number_in_such_a_date_is_no_quantity() -> None:
    text = "In the fourth quarter of last year 12 ships called, after 9 on 3 May."
    quantities, dates = with_yearless(text, *find_slots(text, LEXICON), LEXICON)
    assert [one.text for one in quantities] == ["12", "9"]
    assert [one.text for one in dates] == ["fourth quarter", "3 May"]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("In the twelve months to the end of June 2022 it grew.", "2021-07-01", "2022-06-30"),
        ("In the year ended 31 March 2023 it grew.", "2022-04-01", "2023-03-31"),
        ("In the year to 15 March 2023 it grew.", "2022-03-16", "2023-03-15"),
        ("From July 2020 to June 2021 it grew.", "2020-07-01", "2021-06-30"),
        ("Between 1 October 2019 and 30 September 2020 it grew.", "2019-10-01", "2020-09-30"),
    ],
)
def test_twelve_months_are_one_date(text: str, first: str, last: str) -> None:
    _, (span,) = with_yearless(text, *find_slots(text, LEXICON), LEXICON)
    assert (span.first.isoformat(), span.last.isoformat()) == (first, last)
    assert not span.yearless


def test_a_shorter_stretch_is_two_dates() -> None:
    text = "From July 2020 to May 2021 it grew."
    assert len(with_yearless(text, *find_slots(text, LEXICON), LEXICON)[1]) == 2
