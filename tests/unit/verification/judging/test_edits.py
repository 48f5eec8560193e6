"""A sentence of the source that the claim repeats but for one word."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import judged

S, C, U = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNVERIFIABLE

RULES = (
    "House rules of the boat club\n\n"
    "The keys of the boathouse are handed out by the steward before the first outing of the day. "
    "Guests may use the sauna at weekends only with the permission of the treasurer. "
    "A booking of the meeting room lapses unless it is confirmed in writing within three days. "
    "The slipway is open to members at all times, except on the day of the regatta. "
    "The captain keeps the logbook, and old canvas is sold."
)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The keys are handed out by the steward before the first outing of the day.", S),
        ("The keys are handed out by the steward after the first outing of the day.", C),
        ("The keys of the boathouse are handed out by the captain before the first outing.", C),
        ("Guests may use the sauna at weekends without the permission of the treasurer.", C),
        ("Guests may use the sauna at weekends only with the permission of the captain.", C),
        (
            "A booking of the meeting room lapses if it is confirmed in writing within three days.",
            C,
        ),
        ("The slipway is open to members at all times, including on the day of the regatta.", C),
        # The source lacks the other word, which may mean the same.
        ("The keys of the boathouse are handed out by the warden before the first outing.", U),
    ],
)
def test_a_word_of_another_meaning_in_the_same_sentence_decides(
    claim: str, verdict: Verdict
) -> None:
    assert judged(claim, RULES).verdict is verdict


MILL = (
    "Ostrand Paper: annual report\n\n"
    "Ostrand Paper sold 41,000 tonnes of board in 2021. The company employed 320 people in its "
    "three mills at the end of 2021. Its captain of industry, Ivar Lund, retired in March."
)


@pytest.mark.parametrize(
    ("claim", "denied"),
    [
        # "The company" is whoever was named before.
        ("Ostrand Paper employed 320 people in its three mills at the end of 2021.", False),
        ("Ostrand employed 320 people in its three mills at the end of 2021.", False),
        ("Ostrand Paper employed 340 people in its three mills at the end of 2021.", True),
    ],
)
def test_a_description_in_a_names_place_denies_nothing(claim: str, denied: bool) -> None:
    assert (judged(claim, MILL).verdict is C) is denied


LOTS = (
    "Lot 5 of the Harwick sale went for 1,900 euros in 2022. "
    "Patients of group B were given the drug for 38 days. "
    "Boiler No. 5 of the works was replaced in 2019."
)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Lot 5 of the Harwick sale went for 1,200 euros in 2022.", C),
        ("Lot 4 of the Harwick sale went for 1,200 euros in 2022.", U),
        ("Lot 4 of the Harwick sale went for 1,900 euros in 2022.", U),
        ("Patients of group B were given the drug for 38 days.", S),
        ("Patients of group A were given the drug for 38 days.", U),
        ("Patients of group A were given the drug for 41 days.", U),
        ("Boiler No. 3 of the works was replaced in 2014.", U),
    ],
)
def test_what_holds_for_one_of_several_numbered_things_says_nothing_of_another(
    claim: str, verdict: Verdict
) -> None:
    assert judged(claim, LOTS).verdict is verdict
