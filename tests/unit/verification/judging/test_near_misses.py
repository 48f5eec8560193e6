"""Figures and verbs that stand by the claim's words and belong to something else."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import judged

S, C, U = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNVERIFIABLE

HOSTEL = (
    "The youth hostel at Brackwater has 112 beds in 30 rooms and is open all year. Parking space "
    "for 80 cars is to be found behind the church. Breakfast is served from seven."
)
RESERVE = (
    "The nature reserve at Selby was founded in 1978. Terns breed on two islands in it; they have "
    "not been counted. The hide holds 46 visitors. There are 11 pairs of avocets."
)
HARBOUR = (
    "Ana Verhoeven resigned as head of the harbour company in March, after nine years. "
    "Her deputy runs the company for the time being."
)
TOUR = "The orchestra has cancelled its tour of the Baltic states, which was to begin in Riga."
LEASE = "The tenant may end the lease at any time with notice and need not give a reason."
BOATS = "The {}lifeboats of the station were repainted in spring by volunteers."


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("The youth hostel at Brackwater has 112 beds.", HOSTEL, S),
        ("The youth hostel at Brackwater has 80 beds.", HOSTEL, C),
        ("The nature reserve at Selby has 46 pairs of terns.", RESERVE, U),
        ("Ana Verhoeven resigned as head of the harbour company in March.", HARBOUR, S),
        ("Ana Verhoeven stepped down as head of the harbour company in March.", HARBOUR, S),
        ("Ana Verhoeven stayed on as head of the harbour company in March.", HARBOUR, U),
        ("The orchestra called off its tour of the Baltic states.", TOUR, S),
        ("The tenant doesn't need to give a reason to end the lease.", LEASE, S),
        ("The four lifeboats of the station were repainted in spring.", BOATS.format("four "), S),
        ("The four lifeboats of the station were repainted in spring.", BOATS.format("three "), C),
        ("The four lifeboats of the station were repainted in spring.", BOATS.format(""), U),
    ],
)
def test_a_passage_speaks_only_of_what_it_says_it_of(
    claim: str, source: str, verdict: Verdict
) -> None:
    assert judged(claim, source).verdict is verdict


def test_a_sentence_that_opens_with_the_claims_subject_is_about_it() -> None:
    source = (
        "Orlando Crome (born Edward Alexander Crome; 12 October 1875, died 1 December 1947) "
        "was an occultist."
    )
    assert judged("Orlando Crome was born on 12 October 1875.", source).verdict is S
    assert judged("Orlando Crome was born on 12 June 1875.", source).verdict is not S
