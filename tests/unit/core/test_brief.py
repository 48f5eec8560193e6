"""The demands of a brief, read by rules, and the sections that an analysis gets by them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import RegistryError
from foureyes.core.brief import Brief, CitingStyle, SectionKind, load_brief_reading, outline

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


def sections(brief: str) -> list[tuple[str, SectionKind]]:
    found = outline(READING.brief(brief), READING.wording(brief))
    return [(section.heading, section.kind) for section in found]


def test_without_required_sections_each_question_gets_one() -> None:
    assert sections("Who decides about leap seconds? How many have there been so far?") == [
        ("Overview", SectionKind.OVERVIEW),
        ("Who decides about leap seconds?", SectionKind.QUESTION),
        ("How many have there been so far?", SectionKind.QUESTION),
        ("What the sources do not answer", SectionKind.GAPS),
        ("Sources", SectionKind.SOURCES),
    ]


def test_required_sections_stand_as_named_and_sources_come_last() -> None:
    brief = "Question: why?\nRequired sections: references, summary, costs, Open questions, costs"
    assert sections(brief) == [
        ("Summary", SectionKind.OVERVIEW),
        ("Costs", SectionKind.TOPIC),
        ("Open questions", SectionKind.GAPS),
        ("References", SectionKind.SOURCES),
    ]


def test_the_fixed_headings_are_in_the_language_of_the_brief() -> None:
    brief = "Wie viele Schaltsekunden wurden seit dem Jahr 1972 in die Weltzeit eingefügt?"
    headings = [heading for heading, _ in sections(brief)]
    assert headings[0] == "Überblick"
    assert headings[-2:] == ["Was die Quellen nicht beantworten", "Quellen"]


def test_a_very_long_question_makes_a_short_heading() -> None:
    heading, _ = sections("What " + "about it " * 30 + "then?")[1]
    assert len(heading) < 105
    assert heading.endswith("…")


def test_a_wording_file_without_english_is_refused(tmp_path: Path) -> None:
    (tmp_path / "wording.yaml").write_text("{}\n", encoding="utf-8")
    with pytest.raises(RegistryError, match="lacks en"):
        load_brief_reading(tmp_path)
