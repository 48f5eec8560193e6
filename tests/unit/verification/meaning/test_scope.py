"""Which words a turning word governs."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from foureyes.verification.meaning.polarity import Statement
from foureyes.verification.meaning.scope import governed
from support.claim_kit import judged, registry

WORDS = registry().lexicon.words


def scope(text: str, word: str) -> set[str]:
    statement = Statement(tuple(WORDS.tokens(text)), text, WORDS)
    turn = next(turn for turn in statement.turns if turn.word == word)
    return {statement.tokens[place].word for place in governed(statement, turn)}


@pytest.mark.parametrize(
    ("text", "word", "inside", "outside"),
    [
        ("The yard expects to hand over a ship every five months.", "expects", "five", "yard"),
        ("The bridge will open in May, but the tunnel was late.", "will", "bridge", "tunnel"),
        ("A toll is, in the long run, expected to pay.", "expected", "pay", "toll"),
        ("The bridge is expected to open.", "expected", "bridge", "the"),
        ("The council, which had hoped for 60, counted 40.", "hoped", "60", "40"),
        ("The council hoped for 60, sought 70 and counted 40.", "hoped", "70", "council"),
        ("Mills planned routes; they were longer.", "planned", "routes", "longer"),
        ("Bus 4, as some of us call it, stopped.", "some", "call", "stopped"),
        ("It opens on weekdays only.", "only", "weekdays", "it"),
    ],
)
def test_a_word_governs_its_clause(text: str, word: str, inside: str, outside: str) -> None:
    held = scope(text, word)
    assert inside in held
    assert outside not in held - {"the"}


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        (
            "The yard has moved to a delivery every five months.",
            "From 2026 the yard expects to be able to move to a delivery every five months.",
            Verdict.UNVERIFIABLE,
        ),
        (
            "The fair at Orle brought in the 60,000 visitors that its council had hoped for.",
            "The fair at Orle ended on Sunday. Its council, which had hoped for 60,000 visitors, "
            "counted 47,500.",
            Verdict.CONTRADICTED,
        ),
        (
            "The fair at Orle brought in the 60,000 visitors that its council had hoped for.",
            "Last year, the fair at Orle had 50,000 visitors. Its council hoped for 60,000 "
            "visitors this time. A pier was built for 47,500 crowns.",
            Verdict.UNVERIFIABLE,
        ),
        (
            "The Orle wave machine has already been connected to the grid of the island.",
            "The owner expects to connect the Orle wave machine to the grid of the island in May.",
            Verdict.CONTRADICTED,
        ),
        (
            "Every school in Orle has dropped the entrance examination.",
            "Three schools in Orle no longer ask for the entrance examination. Two schools in "
            "Orle keep the entrance examination.",
            Verdict.CONTRADICTED,
        ),
        (
            "Boats to Orle leave from the north quay every forty minutes in summer and at dusk.",
            "Boats to Orle leave every forty minutes in summer and at dusk.",
            Verdict.UNVERIFIABLE,
        ),
        (
            "The Orle road tunnel is 7,900 m long.",
            "The Orle road tunnel, of 7.9 kilometres, reaches a depth of 212 metres.",
            Verdict.SUPPORTED,
        ),
        (
            "The council hoped for 60,000 visitors at the fair at Orle.",
            "The council had hoped for 60,000 visitors at the fair at Orle.",
            Verdict.SUPPORTED,
        ),
        (
            "The mill wrote the first rules of the Arlen guild of bakers.",
            "The mill wrote the first rules of the Arlen guild of bakers, and some of us still "
            "call it the mother house.",
            Verdict.SUPPORTED,
        ),
    ],
)
def test_what_a_turning_word_does_not_govern_is_stated(
    claim: str, source: str, verdict: Verdict
) -> None:
    assert judged(claim, source).verdict is verdict
