"""What a table of a source says about a claim: by its own row and column, and no other."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from foureyes.verification.structure.lookup import check_tables
from support.claim_kit import judged
from support.structure_kit import checks, outcomes

C, S, U = Verdict.CONTRADICTED, Verdict.SUPPORTED, Verdict.UNVERIFIABLE

GRANTS = (
    "Grants by region (thousand crowns)\n\n"
    "| Region | 2022 | 2023 |\n|---|---|---|\n"
    "| North coast | 410 | 465 |\n| South coast | 620 | 590 |\n| Uplands | 95 | 120 |\n"
    "| All regions | 1,125 | 1,175 |\n\nGrants are paid in June.\n"
)
MOORING = (
    "Berth plans\n\n"
    "Plan | Reply within | Winter mooring | Price\n"
    "Plan 1 | two days | no | 60\n"
    "Plan 2 | 8 h | no | 95\n"
    "Plan 3 | 4 h | yes | 140\n"
    "Plan 4 | 30 min | planned for May | on request\n"
)
ALIGNED = (
    "Boats hired per 100 visitors\n\n"
    "                2021   2022\n"
    "Lake Orm          29     35\n"
    "Lake Tarn         44     38\n"
    "Lake Vell         12     19\n"
)
CATCH = (
    "Port; Fish; 2022; 2023\n"
    "Skell; herring; 1,204; 1,388\n"
    "Skell; cod; 622; 571\n"
    "Torhavn; herring; 1,755; 1,913\n"
)
FIELD = (
    "Departures\n\nQuarter | Jet | Turboprop | Delayed (%)\nQ1 | 1,204 | 988 | 4\n"
    "Q3 | 1,290 | 1,402 | 7\nQ4 | 1,155 | 1,011 | 5\n"
)
TRAINS = "Month | Run | Opened\nJan | 410 | 3 May 2021\nFeb | 395 | 9 June 2022\n"
SUPPORT = (
    "release | Kernel 5.1 | 5.2 | 5.3\n---|---|---|---\n"
    "2.4 | yes | no | no\n2.5 | yes | yes | no\n2.6 | no | yes | yes\n"
)


@pytest.mark.parametrize(
    ("claim", "text", "found"),
    [
        ("Grants on the south coast came to 590,000 crowns in 2023.", GRANTS, "590"),
        ("The uplands received grants of 95 thousand crowns in 2022.", GRANTS, "95"),
        ("On the third plan a reply comes within four hours.", MOORING, "4 h"),
        ("Plan 2 has a price of 95.", MOORING, "95"),
        ("At Lake Tarn 38 boats were hired per 100 visitors in 2022.", ALIGNED, "38"),
        ("Skell landed 571 tonnes of cod in 2023.", CATCH, "571"),
        ("In the third quarter 7 per cent were delayed.", FIELD, "7"),
        ("In the last three months of the year 1,155 jet departures were counted.", FIELD, "1,155"),
        ("February's line was opened on 9 June 2022.", TRAINS, "9 June 2022"),
    ],
)
def test_the_cell_of_the_row_and_the_column_confirms(claim: str, text: str, found: str) -> None:
    (check,) = checks(check_tables, claim, text)
    assert (check.outcome.value, check.found.rpartition(": ")[2]) == ("confirmed", found)


@pytest.mark.parametrize(
    ("claim", "text", "found"),
    [
        ("Grants on the south coast came to 465,000 crowns in 2023.", GRANTS, "590"),
        ("Grants on the north coast came to 410,000 crowns in 2023.", GRANTS, "465"),
        ("The uplands received grants of 150 thousand crowns in 2022.", GRANTS, "95"),
        ("On the third plan a reply comes within eight hours.", MOORING, "4 h"),
        ("Skell landed 1,913 tonnes of herring in 2023.", CATCH, "1,388"),
        ("Lake Tarn hired out the most boats of the three lakes in 2023.", ALIGNED, None),
    ],
)
def test_the_value_of_another_row_or_column_is_denied(
    claim: str, text: str, found: str | None
) -> None:
    denied = [one for one in checks(check_tables, claim, text) if one.denied]
    assert [one.found.rpartition(": ")[2] for one in denied] == ([found] if found else [])


@pytest.mark.parametrize(
    "claim",
    [
        "The lighthouse fund paid 590,000 crowns in 2023.",
        "Grants on the coast came to 465,000 crowns in 2023.",
        "Grants on the south coast came to 465,000 crowns.",
        "Of the four regions, the uplands have 31 museums.",
        "The two coasts together received 1,055,000 crowns in 2023.",
    ],
)
def test_a_row_or_column_that_is_not_named_settles_nothing(claim: str) -> None:
    assert outcomes(check_tables, claim, GRANTS) == []


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("Plan 3 comes with winter mooring.", "confirmed"),
        ("Plan 2 comes with winter mooring.", "denied"),
        ("Plan 2 does not come with winter mooring.", "confirmed"),
        ("Plan 4 already comes with winter mooring.", "denied"),
    ],
)
def test_a_yes_or_no_answers_a_claim_without_a_number(claim: str, outcome: str) -> None:
    assert [found for found, _ in outcomes(check_tables, claim, MOORING)] == [outcome]


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Kernel 5.3 is supported from release 2.6 on.", S),
        ("Release 2.5 supports kernel 5.3.", C),
    ],
)
def test_a_header_cell_inherits_the_words_before_its_number(claim: str, verdict: Verdict) -> None:
    assert judged(claim, SUPPORT).verdict is verdict


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("In 2021 more boats were hired at Lake Tarn than at Lake Orm.", "confirmed"),
        ("In 2022 fewer boats were hired at Lake Orm than at Lake Vell.", "denied"),
        ("Lake Tarn had the most boats hired in 2021.", "confirmed"),
        ("Lake Orm had the fewest boats hired in 2022.", "denied"),
    ],
)
def test_cells_are_compared_as_the_claim_compares_them(claim: str, outcome: str) -> None:
    assert [found for found, _ in outcomes(check_tables, claim, ALIGNED)] == [outcome]


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("At Lake Tarn the figure fell from 44 in 2021 to 38 in 2022.", "confirmed"),
        ("At Lake Tarn the figure rose from 38 in 2021 to 44 in 2022.", "denied"),
    ],
)
def test_the_values_of_a_change_stand_in_order_of_time(claim: str, outcome: str) -> None:
    assert {found for found, _ in outcomes(check_tables, claim, ALIGNED)} == {outcome}


def test_a_table_longer_than_is_read_is_read_where_the_claim_s_words_stand() -> None:
    rows = "".join(f"| Station {n} | {n * 7} |\n" for n in range(1, 200))
    text = f"| Station | Trains |\n|---|---|\n{rows}"
    assert outcomes(check_tables, "Station 150 had 1,050 trains.", text) == [
        ("confirmed", "Station 150, Trains: 1050")
    ]


def test_the_evidence_is_the_row() -> None:
    assessment = judged("Grants on the north coast came to 410,000 crowns in 2023.", GRANTS)
    assert assessment.verdict is C
    assert [one.quote for one in assessment.evidence] == ["North coast | 410 | 465"]
    assert assessment.reason.startswith("source: North coast, 2023: 465; claim: 410,000 crowns")


BUSES = (
    "Bus 14, winter timetable\n\n| | Mon | Tue | Sat | Sun |\n|---|---|---|---|---|\n"
    "| First from Hollin | 06:10 | 06:35 | 07:40 | 08:55 |\n"
    "| Last from Hollin | 22:10 | 22:20 | 23:40 | 21:15 |\n"
    "| First from Quay | 06:50 | 07:05 | 08:10 | 09:25 |\n\nNo service on 25 December.\n"
)
MILL = (
    "Sales of the mill, tonnes\n\n| Grain | 2021 | 2022 | 2023 |\n|---|---|---|---|\n"
    "| Wheat | 410 | 398 | 377 |\n| Barley | 120 | 142 | 180 |\n| Oats | 61 | 66 | 58 |\n\n"
    "The mill stood still for nine days in May.\n"
)
TOWNS = (
    "| Town | Applications | Approved | Decided in time (%) | Paid out | Answer (working days) |\n"
    "|---|---|---|---|---|---|\n| Marl | 40 | 30 | 33.4 | 91,000 | 9 |\n"
    "| Port Penn | 25 | 5 | 61.0 | 12,000 | 14 |\n| Tove | 16 | 8 | 50.2 | 31,500 | 7 |\n\n"
    "Licence | Daily exports\nHome | 5\nStudio | 25\nPress | 200\n"
)


@pytest.mark.parametrize(
    ("claim", "text", "verdict"),
    [
        ("On Tuesdays the first bus from Hollin leaves at 06:35.", BUSES, S),
        ("On Saturdays the first bus from Hollin leaves at 06:35.", BUSES, C),
        ("The last bus from Hollin leaves at 06:35 on Tuesdays.", BUSES, C),
        ("Barley sales rose by 38 tonnes between 2022 and 2023.", MILL, S),
        ("Barley sales fell by 38 tonnes between 2022 and 2023.", MILL, C),
        ("In 2023 the mill sold 197 tonnes more wheat than barley.", MILL, S),
        ("In 2023 the mill sold 197 tonnes more barley than wheat.", MILL, C),
        ("Three quarters of the applications from Marl were approved.", TOWNS, S),
        ("Three quarters of the applications from Penn were approved.", TOWNS, U),
        ("About a third of the applications from Marl were decided in time.", TOWNS, S),
        ("About a third of the applications from Penn were decided in time.", TOWNS, U),
        ("Of the three ports, Tove gave an answer in seven working days.", TOWNS, S),
        ("The Studio licence allows up to 25 exports daily.", TOWNS, S),
        ("The Press licence allows up to 25 exports daily.", TOWNS, C),
    ],
)
def test_what_two_cells_a_share_a_unit_or_a_time_of_day_settle(
    claim: str, text: str, verdict: Verdict
) -> None:
    assert judged(claim, text).verdict is verdict
