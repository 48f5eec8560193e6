"""Rules that keep true claims in other words from being refused, and slips from being left."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import judged

S, C, U = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNVERIFIABLE

YARDS = (
    "Moss Ferries has two yards. The northern yard employs 512 people and the southern yard "
    "employs 431 people. The minutes were read."
)
QUAYS = "Of the harbour's two quays, the old quay has 118 berths and the new quay has 96 berths."
STAFF = "The school employed 303 cooks in 2021. It had 845 teachers in that year."
CREW = "In 2024, the ferry had 489 sailors and 470 stewards."
GRANTS = "In 2022, the Lake Board received 216 grants. None of them was refunded."
PLANS = "45 plans were sent in 2023. The Lake Board objected to none of them."
BRIDGES = "The Bridge Office examined 11 bridges in 2022 and found no crack in the piers."


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("Moss Ferries employs 943 people at its two yards.", YARDS, S),
        ("Moss Ferries employs 843 people at its two yards.", YARDS, C),
        ("The harbour's two quays have 214 berths.", QUAYS, S),
        ("The harbour's two quays have 240 berths between them.", QUAYS, C),
        (
            "1,900 tonnes of the salt quota remained unused in 2020.",
            "The salt quota for 2020 was 4,100 tonnes, of which 2,200 tonnes were used.",
            S,
        ),
        (
            "That leaves Moss Ferries with 340 planks to lay.",
            "Moss Ferries has to lay 900 planks. So far 560 planks have been laid.",
            S,
        ),
    ],
)
def test_what_a_group_has_together_and_what_is_left_is_worked_out(
    claim: str, source: str, verdict: Verdict
) -> None:
    assert judged(claim, source).verdict is verdict


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("None of the 216 grants that the Lake Board received in 2022 was refunded.", GRANTS, S),
        ("None of the 261 grants that the Lake Board received in 2022 was refunded.", GRANTS, C),
        ("Of the 45 plans sent in 2023, the Lake Board objected to none.", PLANS, S),
        ("The Lake Board did not object to any of the 45 plans sent in 2023.", PLANS, S),
        ("The Lake Board objected to all of the 45 plans sent in 2023.", PLANS, C),
        ("In 2022, the Bridge Office examined 7 bridges and found no crack.", BRIDGES, C),
        (
            "Of the permits issued in 2023, 325 went to the north and 846 to the south.",
            "In 2023, the north received 325 permits and the south 846 permits. No other permits "
            "were issued.",
            S,
        ),
    ],
)  # fmt: skip
def test_none_denies_the_same_wherever_it_stands(claim: str, source: str, verdict: Verdict) -> None:
    assert judged(claim, source).verdict is verdict


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("The school had 303 cooks and 845 teachers in 2021.", STAFF, S),
        ("In 2021, there were 845 cooks and 303 teachers at the school.", STAFF, C),
        ("The ferry had 470 sailors and 489 stewards in 2024.", CREW, C),
    ],
)
def test_a_count_belongs_to_its_own_noun_in_whatever_order(
    claim: str, source: str, verdict: Verdict
) -> None:
    assert judged(claim, source).verdict is verdict


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "In 2020, household consumption increased by 17 percent.",
            "In 2020, consumption by households rose by 17 per cent.",
        ),
        (
            "Moss Ferries keeps 8,168 casks of salt in Port Verity.",
            "In Port Verity, Moss Ferries keeps 8,168 casks of salt.",
        ),
        (
            "A loan of $183.4 million was granted to the project by the Lake Board.",
            "The project received a loan of $183.4 million, granted by the Lake Board.",
        ),
        (
            "The Lake Board reports that 55 percent of boats waited four hours in 2023.",
            "The Lake Board found that 55% of boats waited four hours in 2023.",
        ),
        (
            "Old pumps were found on 82 boats by Moss Ferries.",
            "Old pumps were found by Moss Ferries on 82 boats.",
        ),
    ],
)
def test_the_same_words_in_another_order_are_no_change(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is S


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        (
            "Vasta Rail won the order for 15 trains in 2024.",
            "In 2024 the order for 15 trains was awarded to Vasta Rail.\n\n"
            "Item | Value\nDays of training | 36\nLetters answered | 418\n",
            S,
        ),
        (
            "Moss Ferries mended 1,565 leaks in 2019.",
            "Another $90 million has been set aside.\n"
            "Item | Value\nLeaks mended by Moss Ferries in 2019 | 1,565\nVisits | 91,204\n",
            S,
        ),
        (
            "The State Auditor recorded 5,903 incidents in 2024.",
            "Incidents recorded by the State Auditor in 2024: 5,903\nMeetings held: 23\nDays: 6",
            S,
        ),
        (
            "Moss Ferries counted 1,839 gulls in 2022.",
            'A visitor: I can confirm that it is correct to say "Moss Ferries counted 1,839 gulls '
            'in 2022."',
            U,
        ),
    ],
)
def test_a_row_answers_only_for_what_it_is_about(claim: str, source: str, verdict: Verdict) -> None:
    assert judged(claim, source).verdict is verdict


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ('Jonas Thale said that "the pipes must be mended before the winter".', S),
        ('"The pipes must be mended before the winter", said Ida Marek.', C),
        ('In the words of Ida Marek, "the pipes must be mended before the winter".', C),
    ],
)
def test_words_of_one_person_are_not_those_of_another(claim: str, verdict: Verdict) -> None:
    source = 'Copies were sent. "The pipes must be mended before the winter," Jonas Thale said.'
    assert judged(claim, source).verdict is verdict


@pytest.mark.parametrize(
    ("claim", "type_"),
    [
        ("The auction has moved to the internet.", "misattributed"),
        ("The inner harbour was dredged by Moss Ferries.", "unverifiable"),
    ],
)
def test_a_source_that_has_hardly_a_word_of_a_claim_is_silent_on_it(claim: str, type_: str) -> None:
    source = "Moss Ferries moved its freight in the inner harbour at night. It was cold."
    assert [finding.type for finding in judged(claim, source).findings] == [type_]


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The Coast Guard closed the inner bay to trawlers on 26 January 2021.", C),
        ("The Marine Institute closed the inner bay to trawlers on 26 January 2021.", S),
    ],
)
def test_another_name_in_the_same_sentence_is_contradicted(claim: str, verdict: Verdict) -> None:
    source = (
        "Haddock is measured. On 26 January 2021, the Marine Institute closed the inner bay to "
        "trawlers."
    )
    assert judged(claim, source).verdict is verdict


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "The consortium had to borrow 7 km of cable from another depot.",
            "The consortium borrowed 7 km of cable from another depot.",
        ),
        (
            "The consortium borrowed 7 km of cable from another depot.",
            "The consortium had to borrow 7 km of cable from another depot.",
        ),
        (
            "The reserve of 110 million dinars had been drawn down by 64 million.",
            "There is a reserve of 110 million dinars. By May, 64 million of it had been drawn.",
        ),
        (
            "Hallmark Turbines put up 79 turbines in 2022.",
            "In 2022, Hallmark Turbines put 79 turbines up.",
        ),
        (
            "By the figures of the Health Authority, 17 percent of patients waited longer than "
            "four hours in 2022.",
            "The report of the Health Authority says that 17% of patients waited longer than four "
            "hours in 2022.",
        ),
    ],
)
def test_what_had_to_be_was_and_a_verb_keeps_its_particle(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is S


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "The consortium had to borrow 7 km of cable from another depot.",
            "The consortium may borrow 7 km of cable from another depot.",
        ),
        (
            "The tariff was put up by 3 per cent in May.",
            "The tariff was put down by 3 per cent in May.",
        ),
    ],
)
def test_what_may_be_or_moves_the_other_way_is_not(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is not S


YARD = "From the middle of 2026 the company {} to hand over a ship every five months."


@pytest.mark.parametrize(
    ("claim", "source", "type_"),
    [
        ("The company has moved to a ship every five months.", YARD.format("expects"), "mis"),
        ("The company moved to a ship every five months.", YARD.format("plans"), "mis"),
        ("The company moves to a ship every five months.", YARD.format("expects"), "unv"),
        (
            "The study put the branch at 640 km and 38 million dollars.",
            "The branch would be 640 km long. It would cost 38 million dollars.",
            "unv",
        ),
        (
            "She was nine months late, because of faults in the gearbox supplied.",
            "The ship is nine months behind the date first planned. It was caused by faults in the "
            "gearbox supplied.",
            "unv",
        ),
    ],
)
def test_what_is_told_as_done_has_no_source_in_what_is_expected(
    claim: str, source: str, type_: str
) -> None:
    (found,) = judged(claim, source).findings
    assert found.type.startswith(type_)
    assert (found.problem == "the cited source only foresees this") is (type_ == "mis")
