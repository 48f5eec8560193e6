"""Parties told of by a place, a description or in another clause, and what they did."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import judged

CONTRADICTED = Verdict.CONTRADICTED

LETTER = (
    "A correction. It was the city of Marl which sold its ferry to the shipyard Ostwerk, in 1988, "
    "and which has borrowed a boat from the parish of Lund ever since. We still have ours.\n"
)
COURT = (
    "At the court. The fishing company Nordhav has sued the pilots' guild, which it says told its "
    "members to stay ashore. The guild replies that the sea was too rough. It goes on in May.\n"
)
DEAL = (
    "Business. After sixty years in the family the tailor's shop Fenner has a new owner: its cloth "
    "merchant, the weavers of Hoym, has bought the shares. All nine shops will be kept.\n"
)
MOSS = (
    "Obituary. Ines Karlo, who has died at 88, was the person who first discovered the copper moss "
    "of the Dour valley, on a slag heap behind the school. Her pupil Tove Brandt later drew it.\n"
)
MINE = (
    "At the mine. The company Erz AG has dismissed the works council's driver. The state of "
    "Ostmark sold the railway to the harbour in 1990.\n"
)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("In 1988 the parish of Lund sold its ferry to the shipyard Ostwerk.", LETTER),
        ("The city of Marl has lent a boat to the parish of Lund.", LETTER),
        ("The pilots' guild has sued the fishing company.", COURT),
        ("The fishing company was sued by the pilots' guild.", COURT),
        ("The copper moss of the Dour valley was first discovered by Tove Brandt.", MOSS),
        ("Tove Brandt first discovered the copper moss of the Dour valley.", MOSS),
        ("In 1990 the harbour sold the railway to the state of Ostmark.", MINE),
    ],
)
def test_who_did_it_is_told_otherwise(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("In 1988 the city of Marl sold its ferry to the shipyard Ostwerk.", LETTER),
        ("The parish of Lund has lent a boat to the city of Marl.", LETTER),
        ("The fishing company has sued the pilots' guild.", COURT),
        ("The pilots' guild was sued by the fishing company.", COURT),
        ("The tailor's shop Fenner was bought by its cloth merchant.", DEAL),
        ("The copper moss of the Dour valley was first discovered by Ines Karlo.", MOSS),
        ("Ines Karlo was the person who discovered the copper moss.", MOSS),
        ("Tove Brandt drew the copper moss of the Dour valley.", MOSS),
        ("The works council's driver was dismissed by the company Erz AG.", MINE),
        ("In 1990 the railway was sold to the harbour by Ostmark.", MINE),
    ],
)
def test_who_did_it_is_told_alike(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is not CONTRADICTED
