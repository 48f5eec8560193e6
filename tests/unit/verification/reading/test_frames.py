"""Who does what to whom, read from word order and small words."""

from __future__ import annotations

import pytest
from foureyes.verification.reading.frames import Frame, find_frames
from hypothesis import given
from hypothesis import strategies as st
from support.claim_kit import registry


def frames(sentence: str) -> tuple[Frame, ...]:
    lexicon = registry().lexicon
    return find_frames(sentence, lexicon.words.tokens(sentence), lexicon, lambda _: True)


CASES = [
    (
        "The bill was drafted and moved by Senator Ruiz-Moe alone, over the protest of Ann Holt.",
        "write",
        {"a": "Senator Ruiz-Moe alone", "thing": "The bill"},
    ),
    (
        "The hull of the barge, missing since 1711, was found by a diver, Ann Holt, at noon.",
        "discover",
        {"a": "a diver, Ann Holt", "thing": "The hull of the barge"},
    ),
    (
        "At a feast in Moen, the Danish museum took delivery of 48 bells handed back by Norway.",
        "transfer",
        {"b": "the Danish museum", "thing": "48 bells handed back"},
    ),
    (
        "The court ordered the drone maker Aero to pay its supplier Montan 8 million dollars.",
        "payment",
        {"a": "the drone maker Aero", "b": "its supplier Montan", "thing": "8 million dollars"},
    ),
    (
        "Montan was accordingly ordered to pay 8 million dollars.",
        "payment",
        {"a": "Montan", "thing": "8 million dollars"},
    ),
    ("Kestrel agreed to sell its arm to Nord.", "transfer.sale", {"a": "Kestrel", "b": "Nord"}),
    ("Kestrel takes over the service Zipp.", "transfer.sale", {"b": "Kestrel"}),
    ("Ann Holt, who chairs the board, left.", "lead", {"a": "Ann Holt", "b": "the board"}),
    ("Ann Holt (then 40) sold the mill.", "transfer.sale", {"a": "Ann Holt", "thing": "the mill"}),
    (
        "Its new owner, the brewer Ann Holt, bought it from Ole Vang.",
        "transfer.sale",
        {"b": "Its new owner", "thing": "it", "a": "Ole Vang"},
    ),
    (
        "It was her colleague Ole Vang, however, who found a hinge and who filed the patent.",
        "patent",
        {"a": "her colleague Ole Vang", "thing": "the patent"},
    ),
    ("Ann Holt was the only member to vote against the fee.", "against", {"a": "Ann Holt"}),
    ("When it came to it she was one of two who said no.", "against", {"a": "she"}),
    ("Ann Holt gave the museum two bells.", "transfer", {"b": "the museum", "thing": "two bells"}),
    ("The museum was given two bells by Ann Holt.", "transfer", {"b": "The museum"}),
    ("Anna taught there, where her pupils included the painter Ole Vang.", "teach", {"a": "she"}),
    ("Ole Vang had Ann Holt among his pupils.", "teach", {"a": "Ole Vang", "b": "Ann Holt"}),
    ("Larch became a subsidiary of Amber.", "own", {"a": "Amber", "thing": "Larch"}),
    ("Mette Lund, a student of Ole Vang, left.", "teach", {"a": "Ole Vang", "b": "Mette Lund"}),
    ("The Millers won, beating the Leopards easily.", "contest", {"a": "The Millers"}),
    ("The Moen Prize went to Ann Holt.", "transfer", {"thing": "The Moen Prize", "b": "Ann Holt"}),
    ("Ann Holt was told to sell the mill.", "transfer.sale", {"a": "Ann Holt"}),
    ("The Bank of Moen sued Ole Vang.", "lawsuit", {"a": "The Bank of Moen", "b": "Ole Vang"}),
    ("Ole Vang is being sued by the bank.", "lawsuit", {"a": "the bank", "b": "Ole Vang"}),
    ("Ole Vang has to pay the bank.", "payment", {"a": "Ole Vang", "b": "the bank"}),
]


@pytest.mark.parametrize(("sentence", "concept", "parties"), CASES)
def test_the_parties_of_an_event_are_read(
    sentence: str, concept: str, parties: dict[str, str]
) -> None:
    found = [
        {role: party.text for role, party in frame.parties.items()}
        for frame in frames(sentence)
        if frame.concept == concept
    ]
    assert any(parties.items() <= one.items() for one in found), found


@pytest.mark.parametrize(
    "sentence",
    [
        "The sale was a success.",
        "The lease of the mill ended in May.",
        "Anna went to Moen in May.",
        "A visit to the mill is free.",
        "The decision to buy the mill was hard.",
    ],
)
def test_nouns_and_places_make_no_event_with_two_parties(sentence: str) -> None:
    assert all(len(frame.parties) < 2 for frame in frames(sentence))


def test_who_did_not_do_it_is_told_apart() -> None:
    (frame,) = frames("Ann Holt, and not her colleague Ole Vang, patented the hinge.")
    assert (frame.parties["a"].text, frame.denied["a"].text) == (
        "Ann Holt",
        "her colleague Ole Vang",
    )
    (frame,) = frames("The hinge was patented by Ann Holt, and not by Ole Vang.")
    assert (frame.parties["a"].text, frame.denied["a"].text) == ("Ann Holt", "Ole Vang")
    (frame,) = frames("It was not Ole Vang but Ann Holt who patented the hinge.")
    assert (frame.parties["a"].text, frame.denied["a"].text) == ("Ann Holt", "Ole Vang")


def test_what_is_denied_is_marked() -> None:
    assert [f.negated for f in frames("Ann Holt did not sell the mill to Ole Vang.")] == [True]


WORDS = "Ann Holt sold the mill to by from was not who , and but which paid among his pupils of"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=25))
def test_no_order_of_words_is_too_odd(words: list[str]) -> None:
    frames(" ".join(words))
