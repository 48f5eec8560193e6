from __future__ import annotations

import pytest
from foureyes.claims.labels import differ_in_label, labels
from foureyes.claims.lexicon import load_lexicon

LEXICON = load_lexicon()


@pytest.mark.parametrize(
    ("text", "noun", "marks"),
    [
        ("District 4 counted 4007 sheep.", "district", {"4"}),
        ("Boiler No. 5 was replaced.", "boiler", {"5"}),
        ("Patients of Group B got none.", "group", {"b"}),
        ("Phase II of the trial began.", "phase", {"2"}),
        ("Lines 4, 5 and 7b were closed.", "line", {"4", "5", "7b"}),
        ("Berth 07 is empty.", "berth", {"7"}),
        ("In July 1969 Apollo 11 landed.", "apollo", {"11"}),
        ("It rained. The second reactor was shut.", "reactor", {"2"}),
    ],
)
def test_what_bears_a_number_or_letter_is_known_by_it(
    text: str, noun: str, marks: set[str]
) -> None:
    assert labels(text, LEXICON) == {noun: marks}


@pytest.mark.parametrize(
    "text",
    [
        "Lines 4 to 7 were closed.",  # it may be any of them
        "The team 3 players short lost.",
        "The group 2016 elected is gone.",
        "The tank 4.5 metres deep leaks.",
        "The group 40% larger won.",
        "It employed 320 people.",
        "In May 12 ships sank, in Berlin 2019 was dry.",
        "Norland beat Sudland 45 to 38, and Westland 40.",
        "He was the second president.",
        "The north received 524 licences. The right gained 12 seats.",
    ],
)
def test_a_number_that_counts_measures_or_spans_is_no_label(text: str) -> None:
    assert labels(text, LEXICON) == {}


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("Lot 4 went for 900 euros.", "Lot 5 went for 700 euros.", True),
        ("Lot 4 went for 900 euros.", "Lots 4 and 5 went for 700 euros.", False),
        ("Lot 4 went for 900 euros.", "The lot went for 700 euros.", False),
        ("Lot 4 went for 900 euros.", "Hall 5 went for 700 euros.", False),
        ("Phase II began in May.", "Phase 2 began in June.", False),
        ("Group A was smaller.", "Group B was smaller.", True),
        ("ISO 9001 has ten parts.", "ISO 14001 has twelve parts.", True),
        ("Apollo 11 landed in July.", "Apollo 12 landed in November.", True),
        ("The first reactor is old.", "The second reactor is new.", True),
        ("The first reactor is old.", "Reactor 1 is new.", False),
        ("The northern quay is long.", "The southern quay is short.", True),
        ("The northern quay is long.", "Quay 3 is short.", False),
    ],
)
def test_texts_with_other_labels_for_one_noun_are_about_two_things(
    one: str, other: str, apart: bool
) -> None:
    assert differ_in_label(one, other, LEXICON) is apart
    assert differ_in_label(other, one, LEXICON) is apart
