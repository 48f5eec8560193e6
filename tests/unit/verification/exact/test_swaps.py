"""Values that the source has the other way round, or under another column."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import Verdict
from foureyes.datatypes import Basis
from support.checking import judged

REPORT = """# Town report

The mill changed from coal to gas in 1990. The rate fell to 5 percent from 8 percent. The ferry runs
from Ell to Moor and back.

| Service | 2021 | 2025 |
|---|---|---|
| Maternity | Inadequate | Good |
| Outpatients | Good | Requires improvement |
| Wards | 40 | 55 |
"""


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        ("The mill changed from gas to coal in 1990.", "from coal to gas"),
        ("The rate fell from 5 percent to 8 percent.", "from 8 percent to 5 percent"),
        ("The rate fell to 8% from 5%.", "from 8 percent to 5 percent"),
        (
            "Outpatients went from requires improvement to good.",
            "from good to requires improvement",
        ),
        ("Outpatients were rated good in 2025.", "2025: requires improvement"),
        ("Maternity was rated good in 2021.", "2021: inadequate"),
        ("The town had 40 wards in 2025.", "2025: 55"),
        ("In 1990 the mill changed from coal to gas.", None),
        ("The rate fell from 8 percent to 5 percent.", None),
        ("Outpatients went from good to requires improvement.", None),
        ("Maternity was inadequate in 2021 and good in 2025.", None),
        ("Maternity was rated good in 2025.", None),
        ("The town had 55 wards in 2025.", None),
        ("The town has 55 wards, 15 more than in 2021.", None),
        ("There are 55 wards, a third more wards than 2021 saw.", None),
        ("A bus goes from Moor to Ell.", None),
        ("Cleaning was rated good in 2021.", None),
    ],
)
def test_values_in_another_order_or_column_are_found(
    claim: str, found: str | None, tmp_path: Path
) -> None:
    told = judged(tmp_path, claim, REPORT, reader="none")
    assert (told.basis is Basis.PROVED) is (found is not None), told
    if found is not None:
        assert told.verdict is Verdict.CONTRADICTED
        assert found in told.reason


HALD = """# Hald

The ferry takes 40 cars and 300 passengers. The bank lent the port 3 million euros. In 2022 exports
exceeded imports. Osk and Hald merged in 2011. The largest town of the county is Osk. The dam is 342
metres high and has a crest of 118 metres. On Monday the council of the town met in Osk.
"""


@pytest.mark.parametrize(
    "claim",
    [
        "The ferry takes 300 cars and 40 passengers.",
        "The port lent the bank 3 million euros.",
        "In 2022 imports exceeded exports.",
        "The dam is 118 metres high and has a crest of 342 metres.",
    ],
)
def test_two_parts_of_a_sentence_that_changed_places_are_a_contradiction(
    claim: str, tmp_path: Path
) -> None:
    found = judged(tmp_path, claim, HALD)
    assert (found.verdict, found.basis) == (Verdict.CONTRADICTED, Basis.PROVED)


@pytest.mark.parametrize(
    "claim",
    [
        "Hald and Osk merged in 2011.",
        "Osk is the largest town of the county.",
        "In Osk the council of the town met on Monday.",
    ],
)
def test_parts_that_may_change_places_are_none(claim: str, tmp_path: Path) -> None:
    assert judged(tmp_path, claim, HALD).verdict is not Verdict.CONTRADICTED
