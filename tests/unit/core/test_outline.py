"""The sections of an analysis."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import RegistryError
from foureyes.core.brief import SectionKind, load_brief_reading, outline

READING = load_brief_reading()


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
    with pytest.raises(RegistryError, match="the wording for 'en' is missing"):
        load_brief_reading(tmp_path)
