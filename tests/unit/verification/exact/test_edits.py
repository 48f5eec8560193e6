"""A sentence that stands in the source as it is, or with one slot edited."""

from __future__ import annotations

import pytest
from foureyes.verification.exact.edits import find_edits, find_verbatim
from foureyes.verification.passages.retrieval import SourceText
from foureyes.verification.registry import load_registry

PAGE = """# Port

The harbour master, Lena Farrow, opened the new quay on 4 May 2024. The limit has been lowered to
8 knots to reduce wash along the Long Mole, where stones were dislodged. Later that day Bo Rask
spoke.
"""
SOURCE = SourceText(PAGE, load_registry().lexicon)


@pytest.mark.parametrize(
    ("claim", "claimed", "found"),
    [
        (
            "The limit has been lowered to 9 knots to reduce wash along the Long Mole.",
            "9",
            "8",
        ),
        (
            "The harbour master, Lena Farrow, opened the new quay on 4 June 2024.",
            "June",
            "May",
        ),
        (
            "The harbour master, Bo Rask, opened the new quay on 4 May 2024.",
            "Bo Rask",
            "Lena Farrow",
        ),
    ],
)
def test_one_edited_slot_is_found(claim: str, claimed: str, found: str) -> None:
    (edit,) = find_edits(claim, SOURCE)
    assert (edit.claimed, edit.found) == (claimed, found)
    assert claim[edit.claim_start : edit.claim_end] == claimed
    assert PAGE[edit.start : edit.end] == found


def test_what_a_sentence_says_by_the_way_does_not_hide_an_edit() -> None:
    page = "The Norfolk yard, established in 1767, has 40 docks for ships of the fleet."
    source = SourceText(page, load_registry().lexicon)
    (edit,) = find_edits("The Norfolk yard has 50 docks for ships of the fleet.", source)
    assert (edit.claimed, edit.found) == ("50", "40")
    assert find_edits("The Norfolk yard has 40 docks for ships of the fleet.", source) == ()


@pytest.mark.parametrize(
    "claim",
    [
        "The limit has been lowered to 8 knots to reduce wash along the Long Mole.",
        "The limit was cut to 9 knots so that the mole would be spared.",
        "The limit has been lowered to 9 knots to reduce wash along the Short Mole.",
        "The limit has never been lowered to 9 knots to reduce wash along the Long Mole.",
        "The harbour master, Lena F., opened the new quay on 4 May 2024.",
    ],
)
def test_other_wordings_and_several_changes_are_no_edit(claim: str) -> None:
    assert find_edits(claim, SOURCE) == ()


def test_a_sentence_stands_there_word_for_word_over_line_ends() -> None:
    claim = "Later that day Bo Rask spoke."
    place = find_verbatim(claim, SOURCE)
    assert place is not None
    assert PAGE[slice(*place)].split() == claim.split()


@pytest.mark.parametrize("claim", ["Bo Rask spoke.", "Later that day Bo Rask sang."])
def test_a_part_of_a_sentence_or_another_one_does_not(claim: str) -> None:
    assert find_verbatim(claim, SOURCE) is None


COMPOUND = """The town holds 60 percent of the shares, and the harbour company holds 40 percent.
If the town holds ninety percent of the votes, and the company holds ten percent of them, both win.
Critics claim the town holds all the quays; the ministry has denied that for years.
Exports rose by 5 percent and imports fell by 3 percent in 2023.
"""


@pytest.mark.parametrize(
    ("claim", "stands"),
    [
        ("The town holds 60 percent of the shares.", True),
        ("The harbour company holds 40 percent.", True),
        ("The ministry has denied that for years.", True),
        ("Exports rose by 5 percent.", True),
        ("Imports fell by 3 percent in 2023.", True),
        ("Exports fell by 3 percent in 2023.", False),
        ("If the town holds ninety percent of the votes.", False),
        ("The town holds ninety percent of the votes.", False),
        ("The company holds ten percent of them.", False),
        ("The town holds all the quays.", False),
        ("The town holds 60 percent of the harbour.", False),
    ],
)
def test_a_main_clause_of_a_compound_sentence_stands_there_no_other_part_does(
    claim: str, stands: bool
) -> None:
    source = SourceText(COMPOUND, load_registry().lexicon)
    assert (find_verbatim(claim, source) is not None) is stands


STATION = """# Arnsund tidal power station

Its 24 turbines have an installed capacity of 96 megawatts and produced 212 gigawatt hours in 2022.
It employs 2,300 people. The grant was ₹2 crore. Three of the turbines stood still.
"""


@pytest.mark.parametrize(
    ("claim", "claimed", "found"),
    [
        ("The station produced 213 gigawatt hours in 2022.", "213", "212"),
        ("The station employs 9,999 people.", "9,999", "2,300"),
        ("It employs 9,999 people.", "9,999", "2,300"),
        ("The grant was ₹2 lakh.", "lakh", "crore"),
        ("Four of the turbines stood still.", "Four", "Three"),
        ("The harbour produced 213 gigawatt hours in 2022.", None, None),
    ],
)
def test_a_figure_is_compared_where_a_heading_names_the_subject(
    claim: str, claimed: str | None, found: str | None
) -> None:
    edits = find_edits(claim, SourceText(STATION, load_registry().lexicon))
    assert [(edit.claimed, edit.found) for edit in edits] == ([(claimed, found)] if claimed else [])


@pytest.mark.parametrize(
    ("sentence", "claimed", "stated", "differs"),
    [
        ("The inn closes {} 10 pm on Sundays.", "after", "before", True),
        ("Fares rose {} 4 euros in the north.", "to", "by", True),
        ("The tower stands {} of the mill.", "east", "west", True),
        ("The price is 9 euros a day {} breakfast.", "without", "with", True),
        ("They {} the plan for the quay.", "approved", "rejected", True),
        ("Sales were 12 tonnes {} than last year.", "fewer", "less", False),
        ("The inn opened on {} in Ell.", "03/06/2009", "3 June 2009", False),
        ("The letter was sent {} Ann Roe of Ell.", "by", "from", False),
        ("Rents {} by 4 percent in May.", "increased", "rose", False),
    ],
)
def test_a_contrary_word_is_an_edit_and_another_word_for_the_same_is_none(
    sentence: str, claimed: str, stated: str, differs: bool
) -> None:
    source = SourceText(sentence.format(stated), load_registry().lexicon)
    edits = find_edits(sentence.format(claimed), source)
    assert [(edit.claimed, edit.found) for edit in edits] == (
        [(claimed, stated)] if differs else []
    )


def test_where_several_bare_numbers_differ_the_first_part_is_still_compared() -> None:
    page = "The hall has 16 seats for adults, or 7 for children."
    source = SourceText(page, load_registry().lexicon)
    edits = find_edits("The hall has 15 seats for adults, or 6 for children.", source)
    assert [(edit.claimed, edit.found) for edit in edits] == [("15", "16")]


def test_sentences_that_differ_from_each_other_are_each_an_edit() -> None:
    page = (
        "## 1990\n\nThe mill at Lenk has 30 looms.\n\n## 2020\n\nThe mill at Lenk has 45 looms.\n"
    )
    source = SourceText(page, load_registry().lexicon)
    edits = find_edits("The mill at Lenk has 40 looms.", source)
    assert {(edit.claimed, edit.found) for edit in edits} == {("40", "30"), ("40", "45")}
    assert find_edits("The mill at Lenk has 30 looms.", source) == ()


@pytest.mark.parametrize(
    ("claim", "stands"),
    [
        ("The crossing takes 1 hour and 20 minutes.", True),
        ("The crossing takes 1 hour and 25 minutes.", False),
        ("20–30 wolves live on the island.", True),
        ("Some 20 to 40 wolves live on the island.", False),
        ("Between 20 and 30 wolves live on the island.", True),
    ],
)
def test_a_figure_may_be_written_in_another_way(claim: str, stands: bool) -> None:
    page = "The crossing takes 80 minutes. Between 20 and 30 wolves live on the island."
    source = SourceText(page, load_registry().lexicon)
    assert (find_verbatim(claim, source) is not None) is stands
