"""Claims keep their ids from one iteration to the next (decision 25)."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest
from foureyes import Claim, Location
from foureyes.base.likeness import jaccard, masked_tokens
from foureyes.claims.detect import detect_claims
from foureyes.claims.duplicates import new_id
from foureyes.claims.lexicon import load_lexicon
from foureyes.core.draft_claims import match_claims
from foureyes.datatypes import ClaimCategory, ClaimKind
from foureyes.documents.parse import parse_document
from hypothesis import given
from hypothesis import strategies as st

LEXICON = load_lexicon()


def listed(*texts: str) -> tuple[Claim, ...]:
    """Claims with ids of their first sight; "S: words" puts one into section S."""
    taken: set[str] = set()
    found: list[Claim] = []
    for index, text in enumerate(texts):
        section, _, words = text.rpartition(": ")
        name = new_id(words, taken)
        taken.add(name)
        place = Location(1, 1, index, index + 1, section)
        kind, category = ClaimKind.QUANTITATIVE, ClaimCategory.STATISTICAL
        found.append(Claim(name, words, place, index, kind, category))
    return tuple(found)


CASES = [
    ("equal text", ["a b 5"], ["a b 5"], [0]),
    ("equal text moved to another section", ["A: a b 5"], ["B: a b 5"], [0]),
    ("a changed number", ["it has 50 old towers"], ["it has 70 old towers"], [0]),
    ("half of the words", ["a b c"], ["a b d"], [0]),
    ("fewer than half", ["a b c"], ["a d e"], [None]),
    ("alike, but in another section", ["A: it has 50 towers"], ["B: it has 70 towers"], [None]),
    ("the order changed", ["a b 5", "c d 6"], ["c d 6", "a b 5"], [1, 0]),
    ("one of two equal ones gone", ["a b", "a b"], ["a b"], [0]),
    ("one of two equal ones new", ["a b"], ["a b", "a b"], [0, None]),
    ("equal before alike", ["a b c", "a b d"], ["a b d", "a b e"], [1, 0]),
    ("the most alike first", ["a b c d", "a b c x y"], ["a b c d e"], [0]),
    ("one to one", ["a b c"], ["a b d", "a b e"], [0, None]),
]


@pytest.mark.parametrize(
    ("before", "after", "kept"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_a_claim_keeps_its_id_when_it_is(
    before: list[str], after: list[str], kept: list[int | None]
) -> None:
    previous = listed(*before)
    matched = match_claims(previous, listed(*after))
    for claim, old in zip(matched, kept, strict=True):
        if old is None:
            assert claim.id not in {one.id for one in previous}
        else:
            assert claim.id == previous[old].id


def test_an_id_that_an_edited_claim_carries_is_given_to_no_other() -> None:
    first = listed("it has 50 towers")
    second = match_claims(first, listed("it has 60 towers"))
    third = match_claims(second, listed("B: it has 50 towers", "it has 60 towers"))
    assert third[1].id == first[0].id != third[0].id


def test_the_id_of_a_removed_claim_is_not_given_to_a_new_one() -> None:
    first = listed("it has 50 towers")
    second = match_claims(first, listed("it has 60 towers"))
    (third,) = match_claims(second, listed("B: it has 50 towers"))
    assert third.id != first[0].id


def test_a_matched_claim_is_otherwise_as_it_was_read() -> None:
    (current,) = listed("it has 60 towers")
    (matched,) = match_claims(listed("it has 50 towers"), (current,))
    assert replace(matched, id=current.id) == current


def test_ids_hold_over_the_iterations_of_a_document() -> None:
    text = "It has 50 towers. Sales rose 12% in 2020.\n"
    edited = "It was 12% in all.\n\nSales rose 14% in 2020. It has 50 towers.\n"
    one, two = (
        detect_claims(parse_document(t), LEXICON, as_of=date(2025, 1, 1)) for t in (text, edited)
    )
    ids = {claim.text: claim.id for claim in match_claims(one, two)}
    assert ids["It has 50 towers."] == one[0].id
    assert ids["Sales rose 14% in 2020."] == one[1].id


@given(st.text(), st.integers(0, 4))
def test_an_id_is_short_repeatable_and_free(text: str, used: int) -> None:
    taken: set[str] = set()
    for _ in range(used + 1):
        name = new_id(text, taken)
        assert name == new_id(text, taken)
        assert re.fullmatch(r"c-[0-9a-f]{8}", name)
        assert name not in taken
        taken.add(name)


WORDS = st.lists(st.sampled_from(["a", "b", "c", "5", "6", "A: d"]), min_size=1, max_size=4)
TEXTS = st.lists(WORDS.map(" ".join), max_size=8)


@given(TEXTS, TEXTS)
def test_matching_is_one_to_one_complete_and_repeatable(
    before: list[str], after: list[str]
) -> None:
    previous, current = listed(*before), listed(*after)
    matched = match_claims(previous, current)
    assert matched == match_claims(previous, current)
    assert [claim.text for claim in matched] == [claim.text for claim in current]
    assert len({claim.id for claim in matched}) == len(matched)
    of = {claim.id: claim for claim in previous}
    for claim in matched:
        if old := of.get(claim.id):
            score = jaccard(masked_tokens(old.text), masked_tokens(claim.text))
            same_section = old.location.section == claim.location.section
            assert old.text == claim.text or (same_section and score >= 0.5)


@given(TEXTS)
def test_an_unchanged_document_keeps_every_id(texts: list[str]) -> None:
    assert match_claims(listed(*texts), listed(*texts)) == listed(*texts)


LINEAGES: list[tuple[str, list[str], list[str], list[tuple[str, list[int]]]]] = [
    (
        "two parts of one",
        ["sales rose 5% and the old wall fell in the storm"],
        ["sales rose 5%", "the old wall fell in the storm"],
        [("split", [0]), ("", [])],
    ),
    (
        "a part and what continues the whole",
        ["sales in Olm rose 5% in spring and the wall fell"],
        ["sales in Olm rose 5% in spring", "the wall fell"],
        [("", []), ("split", [0])],
    ),
    (
        "one out of two",
        ["sales rose 5% in spring", "the old wall fell in the storm"],
        ["sales rose 5% in spring and the old wall fell in the storm"],
        [("merged", [0, 1])],
    ),
    (
        "a part alone",
        ["a b c d e f g h"],
        ["a b"],
        [("", [])],
    ),
    (
        "one that holds another which stands on",
        ["sales rose 5%", "the wall fell"],
        ["sales rose 5%", "sales rose 6% and the wall fell"],
        [("", []), ("", [])],
    ),
    (
        "parts in another section",
        ["A: sales rose 5% and the old wall fell in the storm"],
        ["B: sales rose 5%", "B: the old wall fell in the storm"],
        [("", []), ("", [])],
    ),
]


@pytest.mark.parametrize(
    ("before", "after", "expected"), [case[1:] for case in LINEAGES], ids=[c[0] for c in LINEAGES]
)
def test_splits_and_merges_are_recorded(
    before: list[str], after: list[str], expected: list[tuple[str, list[int]]]
) -> None:
    previous = listed(*before)
    found = [
        (claim.lineage.change if claim.lineage else "", claim.lineage.ids if claim.lineage else ())
        for claim in match_claims(previous, listed(*after))
    ]
    assert found == [(change, tuple(previous[i].id for i in ids)) for change, ids in expected]


def test_two_texts_without_words_are_alike() -> None:
    assert jaccard(masked_tokens("…"), masked_tokens("—")) == 1.0
    assert jaccard(masked_tokens("a"), masked_tokens("")) == 0.0
