"""A claim that is a table row is compared cell by cell with the tables of its source."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from foureyes import Verdict
from foureyes.datatypes import Basis, ClaimAssessment
from support.checking import held_to

LIMIT_S = 5
STOCK = """# Stock review

| Component | Lead time, first quarter (weeks) | Lead time, second quarter (weeks) | Stock (days) |
|---|---|---|---|
| Controllers | 20 | 18 | 74 |
| Power modules | 26 | 31 | 41 |
| Sensors | 14 | 12 | 90 |
"""
LINES = """# Punctuality, first half of 2025

| Line | Trains on time | Trains cancelled |
|---|---|---|
| L1 Carsten to Holm | 93.0% | 1.1% |
| L3 Holm to Uttwil | 94.1% | 0.7% |
| L4 Carsten to Airport | 90.4% | 1.9% |
"""
OUTPUT = """# Annual review

| Plant | Capacity (MW) | Output 2024 (MWh) |
|---|---|---|
| Quarry | 2.4 | 2,205 |
| Landfill | 1.1 | 1,040 |
"""
LOOMS = "| Year | Looms |\n|---|---|\n| 2001 | 48 |\n| 2002 | 52 |\n"


def judged(
    folder: Path, header: str, row: str, page: str, *, reader: str = "packaged"
) -> ClaimAssessment:
    rule = "|".join("---" for _ in header.strip("|").split("|"))
    table = f"{header}\n|{rule}|\n{row}\n"
    text = f"# Draft\n\nFigures of the [report](page.md):\n\n{table}"
    (found,) = held_to(folder, text, page, reader=reader).report.assessments
    return found


@pytest.mark.parametrize(
    ("header", "row", "page"),
    [
        ("| Component | Lead time (weeks) | Stock (days) |", "| Sensors | 12 | 90 |", STOCK),
        ("| Line | On time | Cancelled |", "| L1 | 93.0% | 1.1% |", LINES),
        ("| Line | Cancelled | On time |", "| L3 | 0.7% | 94.1% |", LINES),
        ("| Plant | Output in MWh |", "| Quarry | 2,205 |", OUTPUT),
        ("| Plant | Output |", "| Landfill | 1,040 MWh |", OUTPUT),
    ],
)
def test_a_row_whose_figures_stand_beside_its_words_is_supported(
    header: str, row: str, page: str, tmp_path: Path
) -> None:
    assert judged(tmp_path, header, row, page).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("header", "row", "page", "reason"),
    [
        (
            "| Component | Lead time (weeks) | Stock (days) |",
            "| Power modules | 43 | 41 |",
            STOCK,
            "source: 26 weeks or 31 weeks; claim: 43 weeks",
        ),
        (
            "| Line | Trains on time | Trains cancelled |",
            "| L3 | 94.1% | 1.9% |",
            LINES,
            "source: 0.7%; claim: 1.9%",
        ),
        (
            "| Plant | Capacity (MW) | Output (MWh) |",
            "| Quarry | 2.4 | 2,502 |",
            OUTPUT,
            "source: 2,205 MWh; claim: 2,502 MWh",
        ),
        # Of the cited source one cell fits, and the figure stands nowhere beside its words.
        (
            "| Component | Stock (days) |",
            "| Sensors | 43 |",
            STOCK,
            "source: 90 days; claim: 43 days",
        ),
        ("| Year | Looms |", "| 2002 | 55 |", LOOMS, "source: 52; claim: 55"),
    ],
)
def test_a_row_with_another_value_than_the_cell_for_it_is_proved_wrong(
    header: str, row: str, page: str, reason: str, tmp_path: Path
) -> None:
    found = judged(tmp_path, header, row, page)
    assert (found.verdict, found.basis) == (Verdict.CONTRADICTED, Basis.PROVED)
    assert found.reason == reason


@pytest.mark.parametrize(
    ("header", "row", "page"),
    [
        # The same number in another scale, which a title may name.
        ("| Plant | Output 2024 (GWh) |", "| Quarry | 2.205 |", OUTPUT),
        ("| Plant | Output |", "| Quarry | about 2,200 MWh |", OUTPUT),
        ("| Plant | Output 2024 |", "| Quarry | 2.2 thousand |", OUTPUT),
        # Tables with the same heads: the row may be of yet another one.
        ("| Year | Looms |", "| 2002 | 55 |", f"{LOOMS}\n# Osk\n\n{LOOMS.replace('52', '61')}"),
        ("| Year | Looms |", "| 2003 | 55 |", LOOMS),
        # A serial number names no row.
        (
            "| No. | Component | Stock (days) |",
            "| 1 | Power modules | 41 |",
            STOCK.replace("| Component", "| No. | Component")
            .replace("|---|---|---|---|", "|---|---|---|---|---|")
            .replace("| Controllers", "| 1 | Controllers")
            .replace("| Power", "| 2 | Power"),
        ),
        # No row or column of the source is the one of the claim.
        ("| Component | Price |", "| Power modules | 43 |", STOCK),
        ("| Component | Lead time (weeks) |", "| Switches | 43 |", STOCK),
    ],
)
def test_a_row_is_not_proved_wrong_by_a_cell_for_something_else(
    header: str, row: str, page: str, tmp_path: Path
) -> None:
    assert judged(tmp_path, header, row, page).basis is not Basis.PROVED


def test_swapped_columns_with_heads_of_common_words_are_not_stated(tmp_path: Path) -> None:
    page = "# Trips\n\n| Town | Before | After |\n|---|---|---|\n| Alto | 12 | 15 |\n"
    found = judged(tmp_path, "| Town | Before | After |", "| Alto | 15 | 12 |", page)
    assert found.verdict is not Verdict.SUPPORTED


@pytest.mark.usefixtures("uncounted")
def test_a_table_of_many_cells_and_few_values_is_compared_in_time(tmp_path: Path) -> None:
    head = "|".join(f"c{n}" for n in range(40))
    rows = "\n".join(
        f"|row {n}|" + "|".join(str(m % 2) for m in range(39)) + "|" for n in range(60)
    )
    page = f"# T\n\n|{head}|\n{'|-' * 40}|\n{rows}\n"
    header, row = f"|{head}|", "|row 7|" + "|".join("1" for _ in range(39)) + "|"
    begun = time.process_time()
    judged(tmp_path, header, row, page, reader="none")
    assert time.process_time() - begun < LIMIT_S
