"""What lets a passage in other words support a claim, and the like that must not be supported."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import judged

S, C, U = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNVERIFIABLE

SWITCH = (
    "The missed-call rate was 30 per cent in the month before and 18 per cent in the month after."
)
HERRING = (
    "Catches of herring were 410 tonnes in the first survey and 560 tonnes in the second survey."
)
PIER = "The pier at Holm was opened by the queen. It is 90 metres long and 4 metres wide."
RAIN = "Tuesday brought eight inches of rain to the col. On Friday snow fell and the road was shut."
CANAL = "The 3,600-metre canal at Osk was dug in 450 days, counting holidays."
PONDS = (
    'Crayfish plague (below: "CP") was looked for in 46 lakes from May on. CP positive: 9 lakes, '
    "all of them in the hills."
)
SHIP = (
    "Every month the barge Silke Brandt leaves Elsfleth with coal. On each voyage she calls at "
    "Varel, Norden, Port Emmen, Delfzijl and Leer."
)
PLANTS = (
    "By-law 4. The following plants shall not be dug up or picked on the dunes: sea rocket, "
    "sea beet, marram, sea spurge and fleawort."
)
ORDINANCE = (
    "The ordinance was printed in the gazette on 3 November 2021 and took effect on the fortieth "
    "day after that, that is, on 13 December 2021."
)
CHOIR = (
    "Choir of Lund Abbey. The financial year of the choir begins on 1 September and is called by "
    "the year in which it ends. Gifts, in thousands: 14.6 (2020), 19.3 (2021) and 22.8 (2022)."
)
GIFTS = "Lund Abbey's choir received gifts of 19.3 thousand."
HALL = (
    "Our financial year is the twelve months to 31 May. In the financial year 2019 we lent 318 "
    "tents."
)
DUES = "The dues stay at 340 a month until the end of 2031 unless the port widens the quay."
BATHS = """| Bath | Built | Running cost, 2024 |
|---|---|---|
| Alder | 1961 | 410,000 |
| Birch | 1988 | 655,000 |
| Cedar | 2003 | 520,000 |
"""


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("The missed-call rate fell by 12 percentage points.", SWITCH, S),
        ("The missed-call rate was cut by two fifths.", SWITCH, S),
        ("The missed-call rate rose by 12 percentage points.", SWITCH, C),
        (
            "Catches of herring rose between the two surveys.",
            HERRING,
            S,
        ),
        (
            "Catches of herring fell between the two surveys.",
            HERRING,
            C,
        ),
    ],
)
def test_two_figures_with_their_times_are_a_rise_or_a_fall(
    claim: str, source: str, verdict: Verdict
) -> None:
    assert judged(claim, source).verdict is verdict


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("The pier is roughly 295 feet long.", PIER, S),
        ("The pier is roughly 395 feet long.", PIER, C),
        ("Some 20 centimetres of snow lay on the col when the road was shut.", RAIN, U),
        ("The canal was dug at an average of 8 metres a day.", CANAL, S),
        ("The canal was dug at an average of 12 metres a day.", CANAL, U),
        (
            "Once the stage had been paid for, the fair had 1,250 crowns left.",
            "The fair raised 9,050 crowns. The stage has been paid for: 7,800 crowns.",
            S,
        ),
    ],
)
def test_a_figure_in_another_unit_or_worked_out_needs_fewer_words(
    claim: str, source: str, verdict: Verdict
) -> None:
    assert judged(claim, source).verdict is verdict


def test_a_name_that_the_source_has_nowhere_is_not_made_up_for_by_a_number() -> None:
    source = "The cost of the dam came to $61 million, it is said of another one."
    assert judged("The Orlen Dam cost $61 million.", source).verdict is not S


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("Crayfish plague was found in nine of the lakes that were sampled.", PONDS, U),
        (
            "Cadets swim in the pool for grown-ups.",
            "Swimmers under sixteen are let into the pool of the senior club.",
            U,
        ),
        (
            "For Ida Moll, who speaks for the choir, the dust is due to the new stage.",
            "For Ida Moll, who speaks for the choir, the new stage is to blame: now the dust "
            "cannot get out.",
            U,
        ),
        ("As long as the quay is not widened, the dues stay at 340 a month until 2031.", DUES, U),
        ("The dues rise to 340 a month unless the port widens the quay.", DUES, U),
    ],
)
def test_neither_whole_nor_opposite_nor_exception_denies_what_is_true(
    claim: str, source: str, verdict: Verdict
) -> None:
    found = judged(claim, source).verdict
    assert found is verdict


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        (
            "Port Emmen is among the towns at which the barge Silke Brandt calls.",
            SHIP,
            S,
        ),
        (
            "Port Marn is among the towns at which the barge Silke Brandt calls.",
            SHIP,
            U,
        ),
        ("On Sylt the sea beet is one of the plants that may not be picked.", PLANTS, S),
        ("On the dunes sea beet is one of the plants that may be picked.", PLANTS, U),
        (
            "The board, rather than the staff, blames the loss on the price of hay.",
            "The board blames the loss on the price of hay. The staff do not agree.",
            S,
        ),
    ],
)
def test_one_of_a_list_is_supported_whoever_else_is_in_it(
    claim: str, source: str, verdict: Verdict
) -> None:
    assert judged(claim, source).verdict is verdict


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("The ordinance took effect in the fourth quarter of 2021.", ORDINANCE, S),
        ("The ordinance took effect in the first quarter of 2021.", ORDINANCE, C),
        (
            f"From September 2020 to August 2021 {GIFTS}",
            CHOIR,
            S,
        ),
        (
            f"From September 2021 to August 2022 {GIFTS}",
            CHOIR,
            U,
        ),
        ("In the year that ended on 31 May 2019 the hall lent 318 tents.", HALL, S),
        ("In the year that ended on 31 May 2018 the hall lent 318 tents.", HALL, C),
        (
            "The bank stopped selling coins in the summer of 2020.",
            "Notices of the bank. 4 May 2020: new opening hours. 9 July 2020: from today we no "
            "longer sell coins. 2 October 2020: the branch at Voss is closed.",
            S,
        ),
    ],
)
def test_a_date_is_that_of_its_own_verb_number_or_fiscal_year(
    claim: str, source: str, verdict: Verdict
) -> None:
    found = judged(claim, source).verdict
    assert found is verdict


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Birch has the highest running cost of the baths.", S),
        ("Alder has the highest running cost of the baths.", C),
        ("Alder has the highest running cost per swimmer.", U),
    ],
)
def test_a_column_does_not_answer_for_what_it_is_divided_by(claim: str, verdict: Verdict) -> None:
    assert judged(claim, BATHS).verdict is verdict
