"""Values side by side in a text, and the words that each of them belongs to."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from foureyes.verification.reading.index import TextIndex
from foureyes.verification.structure.enumeration import check_parts, records
from support.claim_kit import judged, registry
from support.structure_kit import outcomes

ALLOYS = (
    "The cast bracket had a fatigue limit of 310 MPa, the printed bracket one of 265 MPa as built."
)
BUDGET = (
    "Of this sum $265,000,000 shall be for harbour walls, to remain available until spent; "
    "$418,000,000 shall be for customs staff; and $37,000,000 shall be for laboratories."
)
TROUGHS = (
    "Yields in tonnes. Flooded once a day: 7.1 (2021), 6.8 (2022). Drip: 9.3 (2021), 9.9 (2022)."
)
CLINIC = (
    "Today 164 beds are in use at the clinic: 71 in medicine, 55 in surgery and 38 in the wing "
    "for children."
)
COLLEGE = "Students: 31,400, of whom 6,200 from abroad. Staff: 8,900, of whom 5,300 work full time."
GROUP = (
    "The paper division made a profit of $12 million, the packaging division $9 million. "
    "After the costs of the head office the group made a profit of $4 million."
)
ISLAND = (
    "The botanists recorded 231 species of plants, 44 of mosses and 96 of lichens, the zoologists "
    "61 species of birds and 140 of moths. The total is 572."
)
ASSAY = "The assay gave 4.1 per cent lead, 9.6 per cent zinc and 31 grams of silver per tonne."


@pytest.mark.parametrize(
    ("claim", "text", "found"),
    [
        (
            "The fatigue limit was 310 MPa for the printed bracket and 265 MPa for the cast one.",
            ALLOYS,
            ["310 MPa"],
        ),
        (
            "The act gives 418 million to harbour walls and 265 million to customs staff.",
            BUDGET,
            ["$265,000,000", "$418,000,000"],
        ),
        (
            "In 2021 the drip plots yielded 7.1 tonnes and those flooded once a day 9.3 tonnes.",
            TROUGHS,
            ["9.3", "7.1"],
        ),
        ("The ore carries 9.6 per cent lead and 4.1 per cent zinc.", ASSAY, ["4.1", "9.6"]),
    ],
)
def test_values_given_to_one_another_s_words_are_denied(
    claim: str, text: str, found: list[str]
) -> None:
    given = outcomes(check_parts, claim, text)
    assert [(outcome, value.removesuffix(" per cent")) for outcome, value in given] == [
        ("denied", value) for value in found
    ]


@pytest.mark.parametrize(
    ("claim", "text", "found"),
    [
        ("In all, thirty-eight beds are in use at the clinic.", CLINIC, "164"),
        ("Counting everybody, the college has a staff of 5,300.", COLLEGE, "8,900"),
        ("The group made a profit of $12 million.", GROUP, "$4 million"),
        ("All in all 140 species were found.", ISLAND, "572"),
    ],
)
def test_a_part_is_not_the_whole(claim: str, text: str, found: str) -> None:
    assert outcomes(check_parts, claim, text) == [("denied", found)]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The limit of the cast bracket was 310 MPa, that of the printed one 265 MPa.", ALLOYS),
        ("The act sets 418 million aside for customs staff.", BUDGET),
        ("Drip plots yielded 9.3 tonnes in 2021 and 9.9 tonnes in 2022.", TROUGHS),
        ("Thirty-eight of the clinic's 164 beds are in the wing for children.", CLINIC),
        ("Of the 8,900 on the staff 5,300 work full time.", COLLEGE),
        ("The ore carries 4.1 per cent lead and 9.6 per cent zinc.", ASSAY),
        ("The fatigue limit fell from 310 MPa to 265 MPa with the printed bracket.", ALLOYS),
        ("The clinic has 61 turbines.", CLINIC),
        ("The clinic is old.", CLINIC),
        ("The group's paper division made a profit of $12 million.", GROUP),
        ("The clinic beat the college 71–55 in the children's wing.", CLINIC),
    ],
)
def test_values_with_their_own_words_are_left_alone(claim: str, text: str) -> None:
    assert outcomes(check_parts, claim, text) == []


def test_dates_are_exchanged_only_if_the_claim_has_both() -> None:
    text = "Tirnia joined in 1998, after a long campaign. Helvar came in on its own in 2004."
    claim = "Helvar joined in 1998 and Tirnia followed in 2004."
    assert ("denied", "1998") in outcomes(check_parts, claim, text)
    assert outcomes(check_parts, "Helvar joined in 1998.", text) == []


def test_an_exchange_is_told_as_one() -> None:
    claim = "The act gives 418 million to harbour walls and 265 million to customs staff."
    assessment = judged(claim, BUDGET)
    assert assessment.verdict is Verdict.CONTRADICTED
    assert assessment.reason == "the source gives 418 million and 265 million the other way round"


def test_a_value_has_the_words_of_its_clause_and_of_the_lead_before_a_colon() -> None:
    text = "Wages: drivers 40, clerks Selston 30 in 2024, guards 20."
    found = records(TextIndex(text, registry().lexicon), 0)
    assert [(one.value.text, one.label.words) for one in found if one.value.text != "2024"] == [
        ("40", ("wag", "driver")),
        ("30", ("wag", "clerk", "selston", "2024")),
        ("20", ("wag", "guard")),
    ]


def test_a_value_with_only_a_date_is_one_of_what_was_named_before() -> None:
    text = "Orders came to 31 million in 2020, 37 million in 2021 and 44 million in 2022."
    found = records(TextIndex(text, registry().lexicon), 0)
    words = {one.value.text: set(one.label.words) for one in found}
    assert "order" in words["44 million"]
    assert "2022" in words["44 million"]
