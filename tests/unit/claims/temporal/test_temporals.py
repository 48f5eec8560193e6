from __future__ import annotations

import time as clock
from datetime import datetime
from decimal import Decimal

import pytest
from foureyes.claims.lexicon import load_lexicon
from foureyes.claims.temporal.model import Temporal
from foureyes.claims.temporal.temporals import find_temporals
from hypothesis import given, settings
from hypothesis import strategies as st

LEXICON = load_lexicon()
# A Wednesday.
NOW = datetime(2024, 5, 15, 10, 30)


def _find(text: str) -> tuple[Temporal, ...]:
    return find_temporals(text, LEXICON, NOW)


def _one(text: str) -> Temporal:
    (found,) = _find(text)
    return found


def _start(found: Temporal) -> list[str]:
    return [str(reading.start) for reading in found.readings]


DAYS = [
    ("It opened on 2021-03-04.", "2021-03-04", ["2021-03-04"]),
    ("It opened on 4 March 2021.", "4 March 2021", ["2021-03-04"]),
    ("It opened on March 4th, 2021.", "March 4th, 2021", ["2021-03-04"]),
    ("It opened on Sat 4 Sept. of 2021.", "Sat 4 Sept. of 2021", ["2021-09-04"]),
    ("It opened on 2021/mar/04.", "2021/mar/04", ["2021-03-04"]),
    ("It opened on Mar-2021-04.", "Mar-2021-04", ["2021-03-04"]),
    ("It opened on 23/11/2020.", "23/11/2020", ["2020-11-23"]),
    ("It opened on 23.11.2020 in Oslo.", "23.11.2020", ["2020-11-23"]),
    ("See report-20200131.html", "20200131", ["2020-01-31"]),
    ("It opened on March 4.", "March 4", ["2024-03-04", "2025-03-04"]),
    ("It opened on 6/4.", "6/4", ["2023-06-04", "2024-06-04"]),
    ("It opened on Friday.", "Friday", ["2024-05-10", "2024-05-17"]),
    ("It opens next Friday.", "next Friday", ["2024-05-24"]),
    ("It opened last Friday.", "last Friday", ["2024-05-10"]),
    ("It opened past Friday.", "past Friday", ["2024-05-10"]),
    ("It opens next week Monday.", "next week Monday", ["2024-05-20"]),
    ("It opened yesterday.", "yesterday", ["2024-05-14"]),
    ("It opens the day after tomorrow.", "the day after tomorrow", ["2024-05-17"]),
    ("It opened two weeks ago.", "two weeks ago", ["2024-05-01"]),
    ("It opens three months from now.", "three months from now", ["2024-08-15"]),
    ("It opens in 10 days.", "in 10 days", ["2024-05-25"]),
    ("It opened 3 days before 4 March 2021.", "3 days before 4 March 2021", ["2021-03-01"]),
    ("It opens on Friday the 17th.", "Friday the 17th", ["2024-05-17"]),
    ("It opened on Easter 2023.", "Easter 2023", ["2023-04-09"]),
    ("It opened on Black Friday 2023.", "Black Friday 2023", ["2023-11-24"]),
    ("It opens next business day.", "next business day", ["2024-05-16"]),
    ("It opens the 21st of this month.", "the 21st of this month", ["2024-05-21"]),
    ("It opens next Christmas.", "next Christmas", ["2024-12-25"]),
    ("It opened on Memorial Day 2023.", "Memorial Day 2023", ["2023-05-29"]),
    ("It opened on the first Monday of May 2021.", "first Monday of May 2021", ["2021-05-03"]),
    ("It opened on 1 June nineteen eighty six.", "1 June nineteen eighty six", ["1986-06-01"]),
]


@pytest.mark.parametrize(("text", "words", "days"), DAYS)
def test_a_day_is_found_with_the_days_it_may_be(text: str, words: str, days: list[str]) -> None:
    found = _one(text)
    assert (found.text, found.kind.value) == (words, "date")
    assert _start(found) == [f"{day} 00:00:00" for day in days]


PERIODS = [
    ("Sales rose in March 2021.", "March 2021", "2021-03-01", "2021-04-01"),
    ("Sales rose in 2021.", "2021", "2021-01-01", "2022-01-01"),
    ("Sales rose in Q3 2021.", "Q3 2021", "2021-07-01", "2021-10-01"),
    ("Sales rose in the first half of 2021.", "first half of 2021", "2021-01-01", "2021-07-01"),
    ("Sales rose in the 1990s.", "1990s", "1990-01-01", "2000-01-01"),
    ("It fell in the 19th century.", "19th century", "1800-01-01", "1900-01-01"),
    ("Sales rose last year.", "last year", "2023-01-01", "2024-01-01"),
    ("Sales rose last quarter.", "last quarter", "2024-01-01", "2024-04-01"),
    ("Sales rose this week.", "this week", "2024-05-13", "2024-05-20"),
    ("Sales rose in the past 3 months.", "past 3 months", "2024-02-15", "2024-05-15"),
    ("Sales rise in the next two weeks.", "next two weeks", "2024-05-16", "2024-05-30"),
    ("Sales rose from 2007 to 2009.", "from 2007 to 2009", "2007-01-01", "2009-01-01"),
    ("Sales rose between 2007 and 2009.", "between 2007 and 2009", "2007-01-01", "2009-01-01"),
    ("It ran May 2 - June 3, 2021.", "May 2 - June 3, 2021", "2021-05-02", "2021-06-03"),
    ("It ran 9 to 12 June 2021.", "9 to 12 June 2021", "2021-06-09", "2021-06-12"),
    ("It fell in the late 1980s.", "late 1980s", "1986-09-01", "1990-01-01"),
    ("It fell in mid 2021.", "mid 2021", "2021-05-01", "2021-09-01"),
    ("It fell earlier this year.", "earlier this year", "2024-01-01", "2024-05-15"),
    ("Sales grew since 2019.", "since 2019", "2019-01-01", "None"),
    ("Sales grew after 2019.", "after 2019", "2020-01-01", "None"),
    ("It closed before 3 May 2020.", "before 3 May 2020", "None", "2020-05-03"),
    ("It closed no later than 3 May 2020.", "no later than 3 May 2020", "None", "2020-05-03"),
    ("It fell in the week of 9 May 2021.", "the week of 9 May 2021", "2021-05-03", "2021-05-10"),
    ("It fell in week 12 of 2021.", "week 12 of 2021", "2021-03-22", "2021-03-29"),
    ("It fell year to date.", "year to date", "2024-01-01", "2024-05-15"),
    ("It fell last week of Dec 2016.", "last week of Dec 2016", "2016-12-26", "2017-01-02"),
]


@pytest.mark.parametrize(("text", "words", "start", "end"), PERIODS)
def test_a_period_is_found_with_its_bounds(text: str, words: str, start: str, end: str) -> None:
    found = _one(text)
    assert (found.text, found.kind.value) == (words, "period")
    (reading,) = found.readings
    shown = [str(bound).removesuffix(" 00:00:00") for bound in (reading.start, reading.end)]
    assert shown == [start, end]


TIMES = [
    ("It starts at 8:30 am.", "8:30 am", "time", ["08:30:00"]),
    ("It starts at 4 p.m.", "4 p.m.", "time", ["16:00:00"]),
    ("It starts at 15:45.", "15:45", "time", ["15:45:00"]),
    ("It starts at 7 o'clock.", "7 o'clock", "time", ["07:00:00", "19:00:00"]),
    ("It starts at half past nine.", "half past nine", "time", ["09:30:00", "21:30:00"]),
    ("It starts at quarter to six pm.", "quarter to six pm", "time", ["17:45:00"]),
    ("It starts at noon.", "noon", "time", ["12:00:00"]),
    ("It starts at 8 in the evening.", "8 in the evening", "time", ["20:00:00"]),
    ("It starts tomorrow at 8am.", "tomorrow at 8am", "datetime", ["2024-05-16 08:00:00"]),
    ("It starts tonight at 10.", "tonight at 10", "datetime", ["2024-05-15 22:00:00"]),
    ("It starts in 5 minutes.", "in 5 minutes", "datetime", ["2024-05-15 10:35:00"]),
    ("It runs from 5 to 6pm.", "from 5 to 6pm", "period", ["17:00:00"]),
    ("It runs 3 May 2021 from 9 am to 1 pm.", "3 May 2021 from 9 am to 1 pm", "period",
     ["2021-05-03 09:00:00"]),
    ("It opened this morning.", "this morning", "period", ["2024-05-15 08:00:00"]),
    ("It opened tomorrow night.", "tomorrow night", "period", ["2024-05-16 20:00:00"]),
    ("It runs from 10 am for 3 hours.", "from 10 am for 3 hours", "period", ["10:00:00"]),
    ("It starts 2021-05-03T10:20.", "2021-05-03T10:20", "datetime",
     ["2021-05-03 10:20:00"]),
    ("It ran in the last 24 hours.", "last 24 hours", "period", ["2024-05-14 10:30:00"]),
    ("It closes the rest of the day.", "the rest of the day", "period", ["2024-05-15 10:30:00"]),
    ("It closes tomorrow before 5pm.", "tomorrow before 5pm", "period", ["None"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words", "kind", "starts"), TIMES)
def test_a_time_is_found_with_the_times_it_may_be(
    text: str, words: str, kind: str, starts: list[str]
) -> None:
    found = _one(text)
    assert (found.text, found.kind.value, _start(found)) == (words, kind, starts)


# The words, their normal form, and the first of their readings.
JOINED = [
    ("tomorrow 8am to 9am", "(2024-05-16T08,T09)", "2024-05-16 08:00:00>2024-05-16 09:00:00"),
    ("between now and 8 o'clock", "(PRESENT_REF,T08)", "2024-05-15 10:30:00>2024-05-16 08:00:00"),
    (
        "Monday morning from 10am to 12pm",
        "(XXXX-WXX-1T10,XXXX-WXX-1T12)",
        "2024-05-13 10:00:00>2024-05-13 12:00:00",
    ),
    ("in the afternoon from 2 to 3", "(T02,T03)", "14:00:00>15:00:00"),
    ("3 days starting 4 May 2021", "(2021-05-04,,P3D)", "2021-05-04>2021-05-07"),
    ("for 2 weeks from 4 May 2021", "(2021-05-04,,P2W)", "2021-05-04>2021-05-18"),
    ("from 4 May 2021 until now", "(2021-05-04,PRESENT_REF)", "2021-05-04>2024-05-15 10:30:00"),
    ("between Jan 22 and Mar 3 2020", "(2020-01-22,2020-03-03)", "2020-01-22>2020-03-03"),
    ("from Nov to March", "(XXXX-11,XXXX-03)", "2023-11-01>2024-03-01"),
    ("from the 5th to 9 June 2021", "(2021-06-05,2021-06-09)", "2021-06-05>2021-06-09"),
    ("from Monday to Friday", "(XXXX-WXX-1,XXXX-WXX-5)", "2024-05-13>2024-05-17"),
    ("2 hours before tomorrow", "2024-05-15T22:00:00", "2024-05-15 22:00:00>None"),
    (
        "3 May 2021 at 9 am for 2 hours",
        "(2021-05-03T09,,PT2H)",
        "2021-05-03 09:00:00>2021-05-03 11:00:00",
    ),
    ("fiscal year 2020", "FY2020", ""),
    ("FY21", "FY2021", ""),
    ("last fiscal year", "FY2023", ""),
    ("calendar year 2020", "2020", "2020-01-01>2021-01-01"),
    ("last summer", "2023-SU", ""),
    ("last March", "2024-03", "2024-03-01>2024-04-01"),
    ("March of last year", "2023-03", "2023-03-01>2023-04-01"),
    ("the weekend", "2024-W20-WE", "2024-05-18>2024-05-20"),
    ("this decade", "202X", "2020-01-01>2030-01-01"),
    ("the week after next", "2024-W22", "2024-05-27>2024-06-03"),
    (
        "past 15 minutes",
        "(2024-05-15T10:15:00,2024-05-15T10:30:00,PT15M)",
        "2024-05-15 10:15:00>2024-05-15 10:30:00",
    ),
    ("next 3 quarters", "(2024-07-01,2025-04-01,P9M)", "2024-07-01>2025-04-01"),
    ("next 2 business days", "(2024-05-16,2024-05-20,P2WD)", "2024-05-16>2024-05-20"),
    ("the last 2 days of 2020", "2020-W05", "2020-12-30>2021-01-01"),
    ("last day of May 2020", "2020-05-W05", "2020-05-31>2020-06-01"),
    ("the third week of 2021", "2021-W03", "2021-01-18>2021-01-25"),
    ("the second weekend of May 2021", "2021-05-W02", "2021-05-08>2021-05-10"),
    ("nineteen nineties", "199X", "1990-01-01>2000-01-01"),
    ("2019-21", "(2019,2021)", "2019-01-01>2021-01-01"),
    ("the second quarter of last year", "2023-Q2", "2023-04-01>2023-07-01"),
    ("April of 87", "1987-04", "1987-04-01>1987-05-01"),
    ("early 2021 or later", "2021", "2021-01-01>None"),
    ("the end of yesterday", "2024-05-14T23:59:59", "2024-05-14 23:59:59>None"),
    ("by the end of 2020", "2020", "None>2021-01-01"),
    (
        "within an hour",
        "(2024-05-15T10:30:00,2024-05-15T11:30:00,PT1H)",
        "2024-05-15 10:30:00>2024-05-15 11:30:00",
    ),
    ("earlier this month", "2024-05", "2024-05-01>2024-05-15"),
    ("later this week", "2024-W20", "2024-05-16>2024-05-20"),
    ("2020 or earlier", "2020", "None>2020-01-01"),
    ("from 2021-Q1 to 2021-Q3", "(2021-Q1,2021-Q3)", "2021-01-01>2021-07-01"),
    ("between 0730-0930", "(T07:30,T09:30)", "07:30:00>09:30:00"),
]


@pytest.mark.parametrize(("words", "timex", "reading"), JOINED)
def test_neighbours_are_joined_and_qualified(words: str, timex: str, reading: str) -> None:
    found = _one(f"It was due {words}.")
    assert (found.text, found.timex) == (words, timex)
    shown = [f"{one.start}>{one.end}".replace(" 00:00:00", "") for one in found.readings]
    assert shown[:1] == [reading][: len(shown)]
    assert bool(shown) == bool(reading)


LENGTHS = [
    ("It took 3 hours 30 minutes.", "3 hours 30 minutes", "PT3H30M", 12_600),
    ("It took half an hour.", "half an hour", "PT0.5H", 1_800),
    ("It took two and a half years.", "two and a half years", "P2.5Y", 78_840_000),
    ("It took an hour and a half.", "an hour and a half", "PT1.5H", 5_400),
    ("It took 2 years and 3 months.", "2 years and 3 months", "P2Y3M", 70_848_000),
    ("It took all day.", "all day", "P1D", 86_400),
    ("It took more than 4 days.", "more than 4 days", "P4D", 345_600),
    ("It will last three weeks.", "three weeks", "P3W", 1_814_400),
]


@pytest.mark.parametrize(("text", "words", "timex", "seconds"), LENGTHS)
def test_a_duration_has_its_length(text: str, words: str, timex: str, seconds: int) -> None:
    found = _one(text)
    assert (found.text, found.timex, found.kind.value) == (words, timex, "duration")
    assert found.seconds == Decimal(seconds)
    assert found.readings == ()


SETS = [
    ("They meet every Monday.", "every Monday", "XXXX-WXX-1"),
    ("They meet each Monday at 4pm.", "each Monday at 4pm", "XXXX-WXX-1T16"),
    ("They meet every two weeks.", "every two weeks", "P2W"),
    ("They meet every other day.", "every other day", "P2D"),
    ("They meet annually.", "annually", "P1Y"),
    ("They meet twice a week.", "twice a week", "P1W"),
    ("They meet on Fridays.", "on Fridays", "XXXX-WXX-5"),
    ("They meet every December 5th.", "every December 5th", "XXXX-12-05"),
    ("They meet every morning.", "every morning", "TMO"),
]


@pytest.mark.parametrize(("text", "words", "timex"), SETS)
def test_a_repeated_time_has_its_normal_form(text: str, words: str, timex: str) -> None:
    found = _one(text)
    assert (found.text, found.timex, found.kind.value) == (words, timex, "set")


@pytest.mark.parametrize(
    "text",
    [
        "You may not enter, and may I ask why?",
        "They march on.",
        "It has a 4:3 screen.",
        "Version 1.2.3 costs $2000 and 1,999 parts.",
        "Twenty-six people and 10 students came.",
        "The sun sat low over the second house.",
        "It ships 2000 pieces.",
        "Call +49 2010-2015-86.",
        "Good morning, Ada!",
    ],
)
def test_look_alikes_are_no_times(text: str) -> None:
    assert _find(text) == ()


def test_a_day_that_the_calendar_lacks_has_no_reading() -> None:
    found = _one("It opened on 30 February 2021.")
    assert (found.timex, found.readings) == ("2021-02-30", ())


def test_without_a_reference_only_what_is_complete_is_resolved() -> None:
    known, today = find_temporals("From 3 May 2021, not from today.", LEXICON, None)
    assert [reading.start for reading in known.readings] == [datetime(2021, 5, 3)]
    assert (today.relative, today.readings) == (True, ())


def test_offsets_hold_in_texts_that_change_length_in_lower_case() -> None:
    text = "İİİ opened on 4 March 2021."
    (found,) = find_temporals(text, LEXICON, NOW)
    assert text[found.start : found.end] == "4 March 2021"


_PIECES = st.sampled_from(
    [
        "from",
        "to",
        "and",
        "the",
        "at",
        "in",
        "of",
        "on",
        "before",
        "after",
        "next",
        "last",
        "every",
        "5",
        "31",
        "12:30",
        "2021",
        "1/2",
        "-",
        ",",
        ".",
        "am",
        "pm",
        "May",
        "march",
        "monday",
        "week",
        "weeks",
        "year",
        "two",
        "half",
        "quarter",
        "past",
        "ago",
        "morning",
        "tonight",
        "1990s",
        "q1",
        "fy",
        "20",
        "now",
        "first",
        "end",
        "early",
        "until",
        "christmas",
        "hours",
        "minutes",
        "second",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_PIECES, max_size=30), st.sampled_from([" ", "", "-", ", ", "\n"]))
def test_any_mixture_of_time_words_gives_spans_that_do_not_overlap(
    pieces: list[str], gap: str
) -> None:
    text = gap.join(pieces)
    done = 0
    for found in _find(text):
        assert done <= found.start < found.end
        assert found.text == text[found.start : found.end]
        done = found.end


@pytest.mark.parametrize(
    "part",
    [
        "twenty ",
        "5 to ",
        "may 5 ",
        "1/",
        "12:",
        "from ",
        "a ",
        "2021-",
        "the first ",
        " ",
        "5 hours ",
    ],
)
def test_long_hostile_texts_take_linear_time(part: str) -> None:
    text = part * (60_000 // len(part))
    started = clock.process_time()
    _find(text)
    assert clock.process_time() - started < 8
