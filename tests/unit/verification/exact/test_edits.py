"""A sentence that stands in the source as it is, or with one slot edited."""

from __future__ import annotations

import pytest
from foureyes.verification.exact.edits import EditKind, find_edit, find_verbatim
from foureyes.verification.passages.retrieval import SourceText
from foureyes.verification.registry import load_registry

PAGE = """# Port

The harbour master, Lena Farrow, opened the new quay on 4 May 2024. The limit has been lowered to
8 knots to reduce wash along the Long Mole, where stones were dislodged. Later that day Bo Rask
spoke.
"""
SOURCE = SourceText(PAGE, load_registry().lexicon)


@pytest.mark.parametrize(
    ("claim", "kind", "claimed", "found"),
    [
        (
            "The limit has been lowered to 9 knots to reduce wash along the Long Mole.",
            EditKind.FIGURE,
            "9",
            "8",
        ),
        (
            "The harbour master, Lena Farrow, opened the new quay on 4 June 2024.",
            EditKind.FIGURE,
            "June",
            "May",
        ),
        (
            "The harbour master, Bo Rask, opened the new quay on 4 May 2024.",
            EditKind.NAME,
            "Bo Rask",
            "Lena Farrow",
        ),
    ],
)
def test_one_edited_slot_is_found(claim: str, kind: EditKind, claimed: str, found: str) -> None:
    edit = find_edit(claim, SOURCE)
    assert edit is not None
    assert (edit.kind, edit.claimed, edit.found) == (kind, claimed, found)
    assert claim[edit.claim_start : edit.claim_end] == claimed
    assert PAGE[edit.start : edit.end] == found


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
    assert find_edit(claim, SOURCE) is None


def test_a_sentence_stands_there_word_for_word_over_line_ends() -> None:
    claim = "Later that day Bo Rask spoke."
    place = find_verbatim(claim, SOURCE)
    assert place is not None
    assert PAGE[slice(*place)].split() == claim.split()


@pytest.mark.parametrize("claim", ["Bo Rask spoke.", "Later that day Bo Rask sang."])
def test_a_part_of_a_sentence_or_another_one_does_not(claim: str) -> None:
    assert find_verbatim(claim, SOURCE) is None
