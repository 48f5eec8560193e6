"""A rise, a fall or a share that a passage gives by two figures."""

from __future__ import annotations

from fractions import Fraction

import pytest
from foureyes.claims.lexicon import load_lexicon
from foureyes.verification.meaning.polarity import Statement
from foureyes.verification.meaning.trend import (
    Moves,
    claimed_moves,
    find_portions,
    find_trends,
    portion_objections,
)
from foureyes.verification.reading.index import TextIndex
from foureyes.verification.reading.window import Window, build_window

LEXICON = load_lexicon()


def window(text: str) -> Window:
    index = TextIndex(text, LEXICON)
    return build_window(index, 0, len(index.segments) - 1)


def statement(text: str) -> Statement:
    return Statement(tuple(LEXICON.words.tokens(text)), text, LEXICON.words)


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("The mean class has 24 pupils, compared with 29 before.", [-1]),
        ("The gap was 2.7 points, after 5.2 in the first round.", [-1]),
        ("Passwords must have 14 characters instead of 10.", [1]),
        ("Complaints went from 214 to 305.", [1]),
        ("The club won 4 games and lost 3.", []),
        ("It has 7 rooms, after 7 before.", []),
        ("Members: 14,300 at the end of June, against 13,100 a year earlier.", [1]),
        ("Income was 71,000 euros (previous year: 90,000).", [-1]),
        ("Cargo: 3.7 million tonnes (2021: 3.9 million).", [-1]),
        ("Eleven per cent stand vacant; two years ago it was 8 per cent.", [1]),
        ("There were 52 buses three years ago and 38 this winter.", [-1]),
        ("Rents stand at 12 euros, compared with 10 euros in the old town.", []),
        ("| Rated by | This poll | Previous poll |\n|---|---|---|\n| Nurses | 94 | 92 |\n", [1]),
        ("| Line | 2023 | 2024 |\n|---|---|---|\n| North | 61 | 58 |\n", [-1]),
        ("It opens from 9 to 17 euros.", [1]),
        ("Average depth: 1988, 3 m; 1999, 4 m; 2010, 7 m.", [1]),
        ("The fee: 30 euros in 2001, 25 in 2008 and 20 now.", [-1]),
        ("It is 20 euros now; 25 in 2008 and 30 in 2001.", [-1]),
        ("Nests: 12 in 2001, 19 in 2008, 15 in 2015 and 18 now.", []),
        ("Before the works a trip took 40 minutes; two years after, it takes 25.", [-1]),
        ("In the north they pay 40 euros; in the south 25.", []),
    ],
)
def test_two_figures_side_by_side_are_a_trend(text: str, signs: list[int]) -> None:
    assert [trend.sign for trend in find_trends(window(text).candidates, text)] == signs


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("Two of the nine hangers were rusty.", [Fraction(2, 9)]),
        ("40 per cent of pupils walk.", [Fraction(2, 5)]),
        ("Nine out of ten sailors agreed.", [Fraction(9, 10)]),
        ("The nine of hearts and 12 of clubs.", []),
    ],
)
def test_a_part_and_its_whole_are_a_share(text: str, shares: list[Fraction]) -> None:
    assert [portion.share for portion in find_portions(window(text).candidates, text)] == shares


@pytest.mark.parametrize(
    ("claim", "text", "objects"),
    [
        ("The mean class has grown.", "The mean class has 24 pupils, compared with 29.", True),
        ("The mean class has shrunk.", "The mean class has 24 pupils, compared with 29.", False),
        ("The mean class is small.", "The mean class has 24 pupils, compared with 29.", False),
        ("Hens grew.", "The mean class has 24 pupils, compared with 29.", False),
    ],
)
def test_a_claim_must_not_go_against_the_figures(claim: str, text: str, objects: bool) -> None:
    own = statement(claim)
    signs = dict(claimed_moves(own))
    moves = Moves(own, signs, statement(text), window(text).candidates, lambda _: False)
    found = list(moves.objections())
    assert bool(found) is objects
    assert all(objection.flipped for objection in found)


@pytest.mark.parametrize(
    ("claim", "text", "settled", "objects"),
    [
        ("Most hangers were rusty.", "Two of the nine hangers were rusty.", True, True),
        ("Few hangers were rusty.", "Two of the nine hangers were rusty.", True, False),
        ("All hangers were rusty.", "Eight of the nine hangers were rusty.", True, True),
        ("All hangers were rusty.", "The nine hangers, of which two were rusty.", True, True),
        (
            "Few hangers were rusty.",
            "The nine hangers, of which two were rusty.",
            True,
            False,
        ),
        ("Most hangers were rusty.", "Two of the nine bridges were rusty.", False, False),
        ("Most hangers were not rusty.", "Two of the nine hangers were rusty.", False, False),
        ("Most hangers were rusty.", "Two of the nine hangers were not rusty.", False, False),
        ("The hangers were rusty.", "Two of the nine hangers were rusty.", False, False),
    ],
)
def test_a_share_settles_a_quantifier(claim: str, text: str, settled: bool, objects: bool) -> None:
    found = portion_objections(statement(claim), statement(text), window(text).candidates)
    assert (found[0], bool(found[1])) == (settled, objects)
