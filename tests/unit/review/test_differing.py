"""A source of its own contradicts by a value; other words make it another sentence."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Stance
from foureyes.review.differing import differs_in_value
from foureyes.verification.assessing.elsewhere import Elsewhere
from foureyes.verification.model import Evidence, SlotCheck, SlotKind, SlotOutcome
from support.claim_kit import registry

BOOK = registry().lexicon.words
TEXT = "It says so."

DIFFERENCES = [
    ("a figure", SlotKind.NUMBER, "1934", "1936", TEXT, True),
    ("a date", SlotKind.DATE, "May 1934", "June 1934", TEXT, True),
    ("a quotation", SlotKind.QUOTE, "so it is", "", TEXT, True),
    ("opposites", SlotKind.POLARITY, "rose", "fell", TEXT, True),
    ("a denial in the claim", SlotKind.POLARITY, "never", "", TEXT, True),
    ("a denial in the source", SlotKind.POLARITY, "", "not", TEXT, True),
    ("a denial in one cell", SlotKind.POLARITY, "", "no", "Presence|No|Yes", False),
    ("names", SlotKind.WORDS, "Anna Brandt", "Carl Dahl", TEXT, True),
    ("offices", SlotKind.POLARITY, "War", "Defense", TEXT, True),
    ("a share", SlotKind.POLARITY, "most", "two of the twenty-six", TEXT, True),
    ("figures that deny a rank", SlotKind.POLARITY, "lowest", "9.6%, 8.1%", TEXT, True),
    ("another word", SlotKind.POLARITY, "subscriber", "subject", TEXT, False),
    ("other words", SlotKind.POLARITY, "provide", "support the", TEXT, False),
]


@pytest.mark.parametrize(
    ("kind", "claimed", "found", "quote", "differs"),
    [case[1:] for case in DIFFERENCES],
    ids=[case[0] for case in DIFFERENCES],
)
def test_a_difference_counts_if_it_is_one_of_value(
    kind: SlotKind, claimed: str, found: str, quote: str, differs: bool
) -> None:
    slots = (
        SlotCheck(SlotKind.NUMBER, SlotOutcome.MATCH, "7", "7"),
        SlotCheck(kind, SlotOutcome.MISMATCH, claimed, found),
    )
    item = Evidence("https://a.org/", "ab", quote, 0, len(quote), Stance.CONTRADICTS)
    assert differs_in_value(Elsewhere(None, item, "it differs", slots), BOOK) is differs


def test_a_source_that_does_not_contradict_differs_in_nothing() -> None:
    assert not differs_in_value(Elsewhere(), BOOK)
