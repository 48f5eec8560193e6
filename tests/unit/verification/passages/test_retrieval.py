"""The passages that are most about a claim are found by its words, figures and names."""

from __future__ import annotations

import itertools

import pytest
from foureyes.verification.passages.retrieval import SURROUNDING_WORDS, SourceText, Window
from foureyes.verification.passages.units import terms
from foureyes.verification.registry import load_registry

LEXICON = load_registry().lexicon
PAGE = """# Harbour

## Calls

Ship calls rose to 826 in the third quarter. Ferries made half of them. Tankers called less often.

## Safety

A tug and a barge collided in June. Nobody was hurt. The Board reports in December.

## Fees

| Item | Charge |
|---|---|
| Basic fee | 4,200 |
| Night surcharge | 25% |
"""
SOURCE = SourceText(PAGE, LEXICON)


def shown(window: Window) -> str:
    """The text of a window."""
    return PAGE[slice(*SOURCE.span(window))]


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        ("In the quarter 826 ships called.", "rose to 826"),
        ("A barge was in a collision with a tug.", "tug and a barge collided"),
        ("By night a surcharge of 25 % is due.", "Night surcharge | 25%"),
    ],
)
def test_the_best_passage_is_about_the_claim(claim: str, found: str) -> None:
    (best,) = SOURCE.rank(claim, 1)
    assert found in shown(best)


def test_a_passage_stays_in_its_section() -> None:
    (best,) = SOURCE.rank("Nobody was hurt.", 1)
    assert shown(best).startswith("A tug and a barge")
    assert "Tankers" not in shown(best)


def test_passages_are_ranked_and_not_built_round_neighbours() -> None:
    found = SOURCE.rank("Ship calls rose and a tug collided with a barge in June.", 4)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    centres = sorted(one.centre for one in found)
    assert all(after - before > 1 for before, after in itertools.pairwise(centres))


def test_context_helps_a_claim_that_names_nothing() -> None:
    (best,) = SOURCE.rank("It reports in December.", 1, context="Safety of tugs and barges")
    assert "Board" in shown(best)


def test_a_text_without_a_common_word_has_no_passage() -> None:
    assert SOURCE.rank("Zebras graze.", 3) == ()


def test_the_span_of_a_passage_is_its_text_with_the_header_of_a_table() -> None:
    (best,) = SOURCE.rank("The night surcharge is 25 %.", 1)
    start, end = SOURCE.span(best)
    assert PAGE[start:end].startswith("| Item | Charge |")
    assert PAGE[start:end].endswith("| Night surcharge | 25% |")


def test_the_figures_of_a_unit_include_those_of_its_headings() -> None:
    source = SourceText("# Report 2024\n\nSales were 5 million.", LEXICON)
    assert {value.text for value in source.figures(source.units[0])} == {"5 million", "2024"}


def test_terms_are_stemmed_and_have_no_stop_words() -> None:
    assert terms("The ships called 1,200 times") == ["ship", "call", "1,200", "tim"]
    assert terms("Rising at one time") == terms("it rises at all times")


SECTIONS = [
    f"## Part {n}\n\n" + f"Part {n} has a line about its own matter. " * 30 for n in range(6)
]
LONG = (
    "# Handbook\n\nBy A. Olm, written for a course.\n\n"
    + "\n\n".join(SECTIONS[:3])
    + "\n\n## Cranes\n\nThe new crane lifts 40 tonnes.\n\n"
    + "\n\n".join(SECTIONS[3:])
    + "\n\nThe numbers are there to show the layout.\n"
)


def test_a_window_is_read_with_the_opening_and_the_end_of_its_page() -> None:
    source = SourceText(LONG, LEXICON)
    (window,) = source.rank("The crane lifts 40 tonnes.", 1)
    read = source.surroundings(window)
    assert read.startswith("# Handbook\n\nBy A. Olm")
    assert "The new crane lifts 40 tonnes." in read
    assert read.endswith("to show the layout.")
    assert len(read.split()) < SURROUNDING_WORDS + 60


def test_a_short_page_is_read_whole_and_without_what_it_struck_out() -> None:
    text = "# Note\n\nIt opened in May. ~~It cost 4 euros.~~ It is free.\n\nThe end.\n"
    source = SourceText(text, LEXICON)
    (window,) = source.rank("It opened in May.", 1)
    assert source.surroundings(window).split() == [
        *["#", "Note", "It", "opened", "in", "May.", "It", "is", "free.", "The", "end."]
    ]


def test_sources_read_as_one_keep_their_own_headings_and_frames() -> None:
    talk = SourceText("# Tides\n\nIt rose.\n\n## Comments\n\nIt fell.\n", LEXICON)
    fees = SourceText("The fee was 4 euros.\n\n| Item | Fee |\n|---|---|\n| Boat | 9 |\n", LEXICON)
    both = SourceText.joined([talk, fees])
    (window,) = both.rank("The fee was 4 euros.", 1)
    assert both.text[slice(*both.span(window))].startswith("The fee was 4 euros.")
    assert both.rank("It fell.", 1) == ()
    for unit in both.units[len(talk.units) :]:
        assert both.text[slice(*unit.header or (unit.start, unit.end))].strip()
        assert unit.path == ()


@pytest.mark.parametrize(
    ("written", "stands"),
    [("2.3", True), ("2.31", False), ("3.8", True), ("3.9", False), ("1,460", True), ("46", False)],
)
def test_a_version_stands_where_one_of_its_releases_does(written: str, stands: bool) -> None:
    page = "# Notes\n\nRelease 2.3.1 drops Python 3.8. It has 1,460 tests, of which 46 are new.\n"
    assert SourceText(page, LEXICON).has_digits(written) is stands
