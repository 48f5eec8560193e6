"""Figures, words and rows that a source gives to somebody else than the claim does."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Severity, Verdict
from foureyes.verification.model import ClaimAssessment
from support.claim_kit import judged

ENTRIES = (
    "# Ambria: a year in figures\n\nThe Harbour Office inspected 9 cranes in 2024.\n\n"
    "| Item | Value |\n|---|---|\n| Cost of the quay as reckoned by the Sailors' Guild "
    "| $41.3 million |\n| Patients with burns treated by Norden Clinics in 2024 | 5,023 |\n"
    "| Days of rain | 36 |\n"
)


def is_alarm(found: ClaimAssessment) -> bool:
    """Whether it is not supported, and a finding of medium severity or worse says so."""
    if found.verdict is Verdict.SUPPORTED:
        return False
    return min(finding.severity.rank for finding in found.findings) <= Severity.MEDIUM.rank


@pytest.mark.parametrize(
    "claim",
    [
        "The Sailors' Guild puts the cost of the quay at $41.3 million.",
        "In 2024, 5,023 patients with burns were treated by Norden Clinics.",
    ],
)
def test_a_row_is_of_whom_its_label_names(claim: str) -> None:
    assert judged(claim, ENTRIES).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    "claim",
    [
        "The Harbour Office puts the cost of the quay at $41.3 million.",
        "In 2024, 5,023 patients with burns were treated by Falun Clinics.",
        "In 2024, 5,023 patients with burns were treated by Brenna Hospitals.",
    ],
)
def test_a_row_is_not_of_another(claim: str) -> None:
    assert is_alarm(judged(claim, ENTRIES))


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (
            "Of the berths let in 2023, 274 went to the marina and 265 to the docks.",
            "In 2023, the marina received 265 berths and the docks 274 berths. No other was let.",
        ),
        (
            "Of the bursaries, 12 went to dancers and 9 to singers.",
            "Dancers received 9 bursaries and singers 12.",
        ),
        (
            "The hall has 54 seats in the stalls and 61 in the gallery.",
            "There are 61 seats in the stalls and 54 in the gallery.",
        ),
    ],
)
def test_figures_given_the_other_way_round_contradict(claim: str, text: str) -> None:
    assert judged(claim, text).verdict is Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (
            "Of the bursaries, 9 went to dancers and 12 to singers.",
            "Dancers received 9 bursaries and singers 12.",
        ),
        (
            "The hall has 54 seats in the stalls and 61 in the gallery.",
            "There are 61 seats in the gallery, and in the stalls 54.",
        ),
    ],
)
def test_figures_in_another_order_but_of_the_same_things_support(claim: str, text: str) -> None:
    assert judged(claim, text).verdict is Verdict.SUPPORTED


def test_an_all_of_a_further_sentence_is_not_that_of_the_claim() -> None:
    text = (
        "In 2021, 137 samples of milk were taken. None contained the germ. Copies were sent to all "
        "dairies."
    )
    found = judged("The germ was found in all of the 137 samples of milk taken in 2021.", text)
    assert found.verdict is not Verdict.SUPPORTED


SPEECH = (
    'The full text is in the archive. "The ferries must run on Sundays again," Jonas Thale said at '
    "the opening. The old pier is 40 metres long. Oren Vasile spoke last."
)


@pytest.mark.parametrize("speaker", ["Oren Vasile", "Maja Lind"])
def test_words_given_to_another_speaker_are_an_alarm(speaker: str) -> None:
    claim = f'{speaker}, who owns the line, said that "the ferries must run on Sundays again".'
    assert is_alarm(judged(claim, SPEECH))


def test_words_given_to_their_speaker_are_supported() -> None:
    claim = 'Jonas Thale of the line said that "the ferries must run on Sundays again".'
    assert judged(claim, SPEECH).verdict is Verdict.SUPPORTED


def test_a_name_that_stands_beside_another_value_is_an_alarm() -> None:
    text = (
        "At Skarvik, 6,957 tonnes of cod were landed in 2024. At Lisk the landings were 8,307 "
        "tonnes."
    )
    assert is_alarm(judged("6,957 tonnes of cod were landed at Lisk in 2024.", text))


def test_what_a_thing_measures_is_not_said_by_it() -> None:
    text = (
        "The line runs through a gallery under the pass, the oldest part of it, which measures "
        "3.7 km."
    )
    found = judged("The gallery under the pass measures 3.7 kilometres.", text)
    assert found.verdict is Verdict.SUPPORTED


SAMPLES = (
    "In 2020, 29 samples of well water were taken. None contained the germ. The report is free. "
)
BUSES = "The town runs 30 buses. None has a ramp yet. They were bought second-hand."


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The germ was found in all of the 29 samples of well water taken in 2020.", SAMPLES),
        ("Every one of the 30 buses has a ramp.", BUSES),
    ],
)
def test_none_of_them_denies_all_of_them_with_whatever_verb(claim: str, text: str) -> None:
    assert judged(claim, text).verdict is Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("None of the 29 samples of well water taken in 2020 contained the germ.", SAMPLES),
        ("All 30 buses were bought second-hand.", BUSES),
    ],
)
def test_none_of_them_denies_nothing_else(claim: str, text: str) -> None:
    assert judged(claim, text).verdict is Verdict.SUPPORTED


def test_a_quotation_in_the_first_person_has_a_speaker_with_a_name() -> None:
    text = 'Anton Brekke told the riders: "we shall open the line before the snow comes."'
    claim = 'In the words of Halima Reyes, "we shall open the line before the snow comes".'
    assert is_alarm(judged(claim, text))


def test_a_fall_by_so_many_per_cent_is_no_share_of_so_many() -> None:
    text = "In 2023 the office recorded 6,306 incidents. In the year before it had recorded 2,790."
    found = judged("In 2023, recorded thefts fell by 44 per cent.", text)
    assert is_alarm(found)
