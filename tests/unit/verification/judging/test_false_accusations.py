"""True claims that a careless reader would call contradicted, each with a false twin."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import judged

S, C = Verdict.SUPPORTED, Verdict.CONTRADICTED
MILL = "The mill was set up by the county in 1968 and has been run by the Berg Trust since 2012."
BUDGET = "Budget of the opera. Expenditure 99 million: staff 66, stages 18, costumes 9, other 6."
VOTE = "A vote was taken by show of hands: in favour 9, against 3, abstaining 1."
CLUB = "The herd: in autumn 2,310 animals were in the corral of district 14, in spring 2,045."
SHIP = "| | |\n|---|---|\n| Builder | Murcia |\n| Commissioned | 19 June 2009 |\n| Length | 74 m |"
BEDS = "The clinic has 412 beds at its site in Holm and 267 at its site in Brisk."
COMPLAINTS = "In 2023 the office received 64 complaints. None of them was upheld."
ZOO = "The zoo fed 40 animals in the petting corner, 12 in the aviary and 9 in the reptile house."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The boat makes about 22 km/h.", "The boat makes 12 knots and carries 40 people."),
        ("The limit on the coast road is 97 km/h.", "The limit on the coast road is 60 mph."),
        ("The Berg Trust, which took the mill over from the county in 2012, runs it.", MILL),
        ("Staff take 66 million of the opera's budget.", BUDGET),
        ("Nine voted in favour, three against, and one abstained.", VOTE),
        ("The herd in district 14 shrank from 2,310 animals to 2,045.", CLUB),
        ("The ship has been commissioned since June 2009, its refit of 2019 included.", SHIP),
        ("At no time were there twelve or more cases.", "Cases never went above eleven."),
        ("The hall has three bars.", "Page updated 11.47 CET. The hall has three bars."),
        ("A shade under half the guests were Danes.", "Of the guests 48.7 per cent were Danes."),
        ("The zoo fed 12 animals in the aviary.", ZOO),
        ("The office received 64 complaints in 2023 and upheld none of them.", COMPLAINTS),
        ("None of the 64 complaints that the office received was upheld.", COMPLAINTS),
        ("The clinic has 679 beds on its two sites.", BEDS),
        ("The clinic has 145 beds more in Holm than in Brisk.", BEDS),
    ],
)
def test_what_is_said_in_other_terms_is_not_contradicted(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is not C


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The boat makes about 30 km/h.", "The boat makes 12 knots and carries 40 people."),
        ("The limit on the coast road is 80 km/h.", "The limit on the coast road is 60 mph."),
        ("Nine voted against and three in favour.", VOTE),
        ("The ship was commissioned in 2019.", SHIP),
        ("Cases went above eleven.", "Cases never went above eleven."),
        ("The zoo fed 12 animals in the petting corner.", ZOO),
        ("The office upheld all of the 64 complaints.", COMPLAINTS),
        ("The clinic has 689 beds on its two sites.", BEDS),
    ],
)
def test_its_false_twin_is_not_supported(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is not S
