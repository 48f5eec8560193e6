"""The demands of a brief, read by rules."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes.core.brief import Brief, CitingStyle, load_brief_reading

READING = load_brief_reading()
LABELLED = """\
# Brief
- Question: is the programme on track, and
  what does it cost?
- Audience: the committee.
- Required sections: Overview, Money; "Points for the hearing".
- Give the web address of each source in brackets after the statement.
- Not more than 900 words.
"""
HEADED = """\
# Leap seconds: what to plan for

Write for engineers.

## Questions

1. Who decides?
2. How many were there?

## Required sections

- Overview
- Sources

Use footnotes.
"""


def test_labels_in_a_list_are_read() -> None:
    assert READING.brief(LABELLED) == Brief(
        title="Is the programme on track, and what does it cost?",
        questions=("is the programme on track, and what does it cost?",),
        sections=("Overview", "Money", "Points for the hearing"),
        audience="the committee.",
        max_words=900,
        citing=CitingStyle.INLINE,
    )


def test_headings_may_be_the_labels() -> None:
    brief = READING.brief(HEADED)
    assert brief.title == "Leap seconds: what to plan for"
    assert brief.questions == ("Who decides?", "How many were there?")
    assert brief.sections == ("Overview", "Sources")
    assert brief.citing is CitingStyle.FOOTNOTES


def test_a_label_may_stand_above_its_list() -> None:
    brief = READING.brief("Questions:\n\n- Who?\n- What?\n\nBe brief. In what order?")
    assert brief.questions == ("Who?", "What?")


QUESTIONS = [
    ("AI tutoring for schools", ("AI tutoring for schools",)),
    ("Explain the euro. Name the members. About 500 words.",
     ("Explain the euro.", "Name the members.")),
    ("Say how it came about. Who decided it? Why?", ("Who decided it?", "Why?")),
    ("Frage: Wer entscheidet?\nZielgruppe: Ingenieure.", ("Wer entscheidet?",)),
    ("# Only a title", ("Only a title",)),
    ("", ()),
]  # fmt: skip


@pytest.mark.parametrize(("text", "questions"), QUESTIONS)
def test_there_is_a_question_in_every_text(text: str, questions: tuple[str, ...]) -> None:
    assert READING.brief(text).questions == questions


LENGTHS = [
    ("At most 1,200 words.", (None, 1200)),
    ("Around 600 words; be candid.", (450, 750)),
    ("500 to 700 words.", (500, 700)),
    ("höchstens 300 Wörter", (None, 300)),
    ("It quotes 3 words.", (None, None)),
    ("Up to 40 pages.", (None, None)),
]


@pytest.mark.parametrize(("text", "bounds"), LENGTHS)
def test_limits_of_length_are_read(text: str, bounds: tuple[int | None, int | None]) -> None:
    brief = READING.brief(text)
    assert (brief.min_words, brief.max_words) == bounds


def test_a_long_first_question_is_cut_at_a_word_for_the_title() -> None:
    brief = READING.brief("Question: " + "why " * 60 + "so?")
    assert brief.title.endswith("why …")
    assert len(brief.title) < 125


def test_generic_titles_say_nothing() -> None:
    assert READING.brief("# Auftrag\n\nWas nun?").title == "Was nun?"


def test_repeated_questions_count_once() -> None:
    twice = READING.brief("Who? Who?")
    assert replace(twice, title="") == Brief(title="", questions=("Who?",))
