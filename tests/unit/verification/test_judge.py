"""A claim is judged by what is proved first, then by what is read and checked."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import Verdict
from foureyes.datatypes import Basis
from support.checking import judged

PAGE = """# Port of Ostrand, third quarter of 2025

Ship calls rose to 826 from July to September, 19 more than a year before. Ferries made 412 of them.
The speed limit in the inner harbour has been lowered to 8 knots to reduce wash along the Long Mole.
"The harbour is busier than ever," said the harbour master, Lena Farrow. The board will decide on a
second crane in January.

| Type | Q3 2024 | Q3 2025 |
|---|---|---|
| Container | 171 | 188 |
| Tanker | 102 | 94 |
"""


@pytest.mark.parametrize(
    "sentence",
    [
        "The speed limit in the inner harbour has been lowered to 9 knots to reduce wash along the"
        " Long Mole.",
        "The harbour master said that “the harbour is quieter than ever”.",
    ],
)
@pytest.mark.parametrize("read", [True, False])
def test_an_edited_figure_or_quotation_is_proved_wrong_with_and_without_a_reader(
    sentence: str, read: bool, tmp_path: Path
) -> None:
    found = judged(tmp_path, sentence, PAGE, reader="packaged" if read else "none")
    assert (found.verdict, found.basis) == (Verdict.CONTRADICTED, Basis.PROVED)
    assert found.decided


def test_a_sentence_that_stands_there_is_supported_by_its_words_alone(tmp_path: Path) -> None:
    found = judged(
        tmp_path, "Ship calls rose to 826 from July to September, 19 more than a year before.", PAGE
    )
    assert (found.verdict, found.basis) == (Verdict.SUPPORTED, Basis.EXACT)


def test_a_sentence_that_the_source_denies_is_not_supported_by_standing_there(
    tmp_path: Path,
) -> None:
    page = "# Rumours\n\nFerries made 412 calls in the third quarter. That is not true.\n"
    found = judged(tmp_path, "Ferries made 412 calls in the third quarter.", page)
    assert found.verdict is not Verdict.SUPPORTED


def test_a_reworded_claim_is_read_and_its_figures_are_found(tmp_path: Path) -> None:
    found = judged(tmp_path, "Ship calls rose to 826 in the months from July to September.", PAGE)
    assert (found.verdict, found.basis) == (Verdict.SUPPORTED, Basis.READ_AND_EXACT)
    assert "826" in found.evidence[0].quote
    assert PAGE[found.evidence[0].start : found.evidence[0].end] == found.evidence[0].quote
    assert found.supported is not None
    assert found.contradicted is not None
    assert found.supported > found.contradicted


def test_a_number_with_another_unit_is_wrong_though_the_reader_overlooks_it(
    tmp_path: Path,
) -> None:
    page = (
        "# Barn\n\nThe batteries of the old buses stand in the barn. All together, they hold 1,820"
        " kWh, enough for a small village.\n"
    )
    found = judged(tmp_path, "Together they store 1,820 MWh.", page)
    assert (found.verdict, found.basis) == (Verdict.CONTRADICTED, Basis.READ)
    assert found.reason == "source: 1,820 kWh; claim: 1,820 MWh"


@pytest.mark.parametrize(
    ("sentence", "page"),
    [
        ("Fry are fed 8-10 times a day.", "Fry need small meals, from eight to ten every day."),
        ("Nobody may fly solo with fewer than 40 launches.", "A solo needs at least 40 launches."),
        ("The club met on the 11th.", "| Day | Met |\n|---|---|\n| 2024-08-11 | the club |"),
        ("The plan of the club begins in 2024.", "The club has a plan for 2024–2026."),
    ],
)
def test_a_figure_that_stands_there_in_another_form_is_not_said_to_be_missing(
    sentence: str, page: str, tmp_path: Path
) -> None:
    assert "does not state" not in judged(tmp_path, sentence, page).reason


def test_what_is_only_read_as_contradicted_may_be_lifted(tmp_path: Path) -> None:
    page = "# Pier\n\nThe new pier has not opened. Its opening was put off to next year.\n"
    found = judged(tmp_path, "The new pier of Ostrand has opened to visitors.", page)
    assert found.verdict is not Verdict.SUPPORTED
    assert not found.decided


def test_without_a_passage_on_it_the_claim_is_unverifiable(tmp_path: Path) -> None:
    found = judged(tmp_path, "Zebras graze in Kenya by the thousands, 90,000 of them.", PAGE)
    assert found.verdict is Verdict.UNVERIFIABLE
    assert not found.decided


def test_a_derived_figure_is_supported_with_its_working(tmp_path: Path) -> None:
    found = judged(tmp_path, "Tanker calls fell by eight, from 102 to 94.", PAGE)
    assert found.verdict is not Verdict.CONTRADICTED
    working = {slot.claimed: slot.found for slot in found.slots}
    assert working["eight"] == "102 − 94 = 8"


@pytest.mark.parametrize(("fewer", "verdict"), [(35, "supported"), (45, "contradicted")])
def test_a_difference_in_place_of_the_other_figure_is_worked_out(
    fewer: int, verdict: str, tmp_path: Path
) -> None:
    page = "In 2024 there were 212 crashes involving a cyclist, compared with 247 in 2023.\n"
    found = judged(
        tmp_path,
        f"In 2024 there were 212 crashes involving a cyclist, {fewer} fewer than in 2023.",
        page,
    )
    assert found.verdict == verdict


def test_a_difference_is_not_found_in_a_page_without_a_word_of_it(tmp_path: Path) -> None:
    claim = "In 2024 there were 212 crashes involving a cyclist, 45 fewer than in 2023."
    assert judged(tmp_path, claim, "# Quay\n\nOpening hours vary.\n").verdict == "unverifiable"


MUSEUM = "# Museum\n\nThe museum owns 120 paintings, 40 drawings and 15 sculptures.\n"


@pytest.mark.parametrize(
    ("claim", "verdict", "reason"),
    [
        ("The museum owns 160 paintings and drawings.", "supported", "120 + 40 = 160"),
        ("The museum owns 175 paintings, drawings and sculptures.", "supported", "15 = 175"),
        ("The museum owns 165 paintings and drawings.", "contradicted", "= 160; claim: 165"),
        ("It owns 185 paintings, drawings and sculptures.", "contradicted", "= 175; claim: 185"),
    ],
)
def test_a_count_of_several_kinds_is_the_sum_of_what_the_source_counts_of_each(
    claim: str, verdict: str, reason: str, tmp_path: Path
) -> None:
    found = judged(tmp_path, claim, MUSEUM)
    assert found.verdict == verdict
    assert reason in found.reason


def test_a_kind_that_the_source_counts_twice_has_no_sum(tmp_path: Path) -> None:
    page = "# Museum\n\nIt owns 120 paintings and 40 drawings, and had 80 paintings in 1990.\n"
    found = judged(tmp_path, "The museum owns 160 paintings and drawings.", page)
    assert "= 160" not in found.reason


def test_parts_that_come_to_the_claimed_sum_are_no_contrary(tmp_path: Path) -> None:
    page = "# Velm\n\nThe region has 4 hospitals. It also has 11 rural clinics.\n"
    found = judged(tmp_path, "The region has 15 hospitals and clinics.", page)
    assert found.verdict is not Verdict.CONTRADICTED
    assert "4 + 11 = 15" in found.reason


SHARES = "Online sales made up 24.8% of all sales in shops, compared with 23.9% a year earlier."


@pytest.mark.parametrize(
    ("claim", "verdict", "reason"),
    [
        (
            "Online sales made up 23.9% of all sales in shops, compared with 24.8% a year earlier.",
            "contradicted",
            "source: 24.8%, 23.9%; claim: 23.9%, 24.8%",
        ),
        (
            "Online sales made up 31% of all sales in shops, compared with 22% a year earlier.",
            "contradicted",
            "source: 24.8%, 23.9%; claim: 31%, 22%",
        ),
        (
            SHARES.replace("24.8%", "24.8 per cent").replace("23.9%", "23.9 per cent"),
            "supported",
            "",
        ),
    ],
    ids=["exchanged", "both wrong", "written another way"],
)
def test_several_figures_may_differ_in_a_sentence_that_is_otherwise_so(
    claim: str, verdict: str, reason: str, tmp_path: Path
) -> None:
    found = judged(tmp_path, claim, f"# Shops\n\n{SHARES}\n")
    assert found.verdict == verdict
    assert reason in found.reason


@pytest.mark.parametrize(
    ("claim", "stated"),
    [
        (
            "In 2021 the centre of the town attended 229 births.",
            "In 2020 the centre of the town attended 214 births.",
        ),
        ("Room 12 on the left holds 40 people.", "Room 14 on the left holds 60 people."),
    ],
    ids=["another year", "another room"],
)
def test_figures_of_another_thing_are_no_contrary(claim: str, stated: str, tmp_path: Path) -> None:
    assert judged(tmp_path, claim, f"# Town\n\n{stated}\n").basis is not Basis.PROVED


def test_equal_texts_get_equal_judgements(tmp_path: Path) -> None:
    sentence = "In the third quarter 826 ships called at Ostrand."
    assert judged(tmp_path, sentence, PAGE) == judged(tmp_path, sentence, PAGE)


def test_a_number_of_other_things_is_no_contrary(tmp_path: Path) -> None:
    page = "# Station\n\nIts 24 turbines have a capacity of 96 megawatts.\n"
    found = judged(tmp_path, "The station employs 140 people.", page)
    assert found.verdict is not Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "page", "another"),
    [
        ("Rune Falk is the mayor of Osk.", "The mayor of Osk is Ann Roe.", True),
        ("Rune Falk is the mayor of Osk.", "Ann Roe, a lawyer, is the mayor of Osk.", True),
        ("The mayor of Osk is R. Falk.", "Rune Falk is the mayor of Osk.", False),
        ("The mayor of Osk is Bob Falk.", "Robert Falk is the mayor of Osk.", False),
        ("The largest shop is IGW.", "Inland Grain Works is the largest shop.", False),
        ("Rune Falk is the mayor of Osk.", "Ann Roe is the mayor of Arn.", False),
        (
            "Portsmouth Naval Shipyard is the oldest shipyard in the country.",
            "The Norfolk Naval Shipyard, built in 1767, is the oldest shipyard in the country.",
            True,
        ),
    ],
)  # fmt: skip
def test_the_only_one_of_its_kind_is_not_another_one(
    claim: str, page: str, another: bool, tmp_path: Path
) -> None:
    assert (judged(tmp_path, claim, page).verdict is Verdict.CONTRADICTED) is another


def test_who_somebody_is_may_be_said_from_either_end(tmp_path: Path) -> None:
    found = judged(tmp_path, "The mayor of Osk is Rune Falk.", "Rune Falk is the mayor of Osk.")
    assert (found.verdict, found.basis) == (Verdict.SUPPORTED, Basis.EXACT)


def test_the_same_move_by_the_same_figures_is_not_the_contrary(tmp_path: Path) -> None:
    page = "# Traffic\n\nBetween 2019 and 2023, bus use increased by a third. Car use fell by 10%."
    answer = judged(tmp_path, "Bus use rose by a third between 2019 and 2023", page)
    assert answer.verdict is not Verdict.CONTRADICTED
    answer = judged(tmp_path, "Bus use fell by a third between 2019 and 2023", page)
    assert answer.verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("stated", "verdict"),
    [
        ("at least 300", Verdict.UNVERIFIABLE),
        ("more than 300", Verdict.UNVERIFIABLE),
        ("up to 500", Verdict.UNVERIFIABLE),
        ("at least 500", Verdict.CONTRADICTED),
        ("up to 300", Verdict.CONTRADICTED),
        ("about 300", Verdict.CONTRADICTED),
        ("300", Verdict.CONTRADICTED),
    ],
)
def test_a_limit_of_the_source_proves_wrong_only_what_lies_beyond_it(
    stated: str, verdict: Verdict, tmp_path: Path
) -> None:
    page = f"# Port\n\nThe ferries of Ostrand made {stated} calls in May.\n"
    found = judged(tmp_path, "The ferries of Ostrand made 400 calls in May.", page)
    assert (found.verdict, found.sure) == (verdict, False)


@pytest.mark.parametrize(
    "stated",
    [
        "The ferries of Ostrand made 300 nightly calls in May.",
        "If the strike had ended, the ferries of Ostrand made 300 calls in May.",
    ],
)
def test_a_figure_of_something_narrower_or_supposed_proves_nothing(
    stated: str, tmp_path: Path
) -> None:
    page = f"# Port\n\n{stated}\n"
    found = judged(tmp_path, "The ferries of Ostrand made 400 calls in May.", page)
    assert found.basis is not Basis.PROVED
