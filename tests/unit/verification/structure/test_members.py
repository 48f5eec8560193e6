"""Who is in a list of the source, and who is left out of it."""

from __future__ import annotations

import pytest
from foureyes.verification.structure.members import check_members
from support.structure_kit import outcomes

PACT = (
    "The grain pact\n\nSeven states signed the pact on the last morning: Oman, Kuwait, Qatar, "
    "Djibouti, Ethiopia, Kenya and Jordan. Four delegations left without signing, among them "
    "Bahrain."
)
GAMES = (
    "Programme of the winter games: skiing and luge, as before. New on the programme, with medals "
    "from this edition on, are ski mountaineering, wheelchair curling and the mixed relay."
)
PLANTS = (
    "What the nursery sends. We do not send by post: lavender, rosemary, thyme, ferns and grasses. "
    "Sage travels well."
)
CAMERA = (
    "On the pictures from the tunnels the biologist saw, among other animals, foxes, badgers, "
    "stoats and toads. Hedgehogs are rare here."
)


@pytest.mark.parametrize(
    ("claim", "text", "outcome"),
    [
        ("Jordan is one of the states that signed the grain pact.", PACT, "confirmed"),
        ("Both Oman and Kenya are among the states that signed the pact.", PACT, "confirmed"),
        ("Bahrain is not among the states that signed the pact.", PACT, "confirmed"),
        (
            "Wheelchair curling is one of the sports that are new on the programme of the games.",
            GAMES,
            "confirmed",
        ),
        ("Thyme is among the plants that the nursery does not send by post.", PLANTS, "confirmed"),
        ("Thyme is among the plants that the nursery sends by post.", PLANTS, "denied"),
        ("Sage is among the plants that the nursery does not send by post.", PLANTS, "denied"),
    ],
)
def test_the_list_that_the_claim_speaks_of_answers(claim: str, text: str, outcome: str) -> None:
    assert [found for found, _ in outcomes(check_members, claim, text)] == [outcome]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Norway is one of the states that signed the grain pact.", PACT),
        ("Hedgehogs are among the animals on the pictures from the tunnels.", CAMERA),
        ("Oman is one of the richest states that signed the pact.", PACT),
        ("Oman is one of the states that grow dates under glass near the sea.", PACT),
        ("Oman signed the pact.", PACT),
    ],
)
def test_nothing_is_said_of_the_unknown_the_open_and_the_unlike(claim: str, text: str) -> None:
    assert outcomes(check_members, claim, text) == []


def test_two_lists_of_which_one_has_the_name_settle_nothing() -> None:
    text = (
        "Exams: written, the subjects are English, French, physics and history. Exams: oral, the "
        "subjects are music, art, Latin and Greek."
    )
    assert outcomes(check_members, "Latin is one of the subjects of the exams.", text) == []
