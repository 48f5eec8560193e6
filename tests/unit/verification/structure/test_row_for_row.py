"""A row of a draft's table against a row of its source's table, however the columns are headed."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import PAGE, check, sources

S, C = Verdict.SUPPORTED, Verdict.CONTRADICTED
SPEED = """Results of the test runs on one machine.

| | 3.9 (C) | 4.0 (Rust) |
|---|---|---|
| PNG decoding, MB/s | 412 | 396 |
| JPEG decoding, MB/s | 288 | 301 |
| Library on disk, MB | 0.9 | 1.6 |
"""


ROTA = """Rota of the harbour

NIGHT, each pier
  Registered porters         4
  Crane drivers              2
  Pilot                      1  (shared between three piers)

DAY, each pier
  Registered porters         6
  Crane drivers              4

Shifts that nobody took
  Porters, nights            9%
  Porters, days              4%
  Crane drivers              3%
"""


def row_verdict(titles: str, row: str, page: str = SPEED) -> Verdict:
    """The verdict on the one row of a table that cites a page with the results."""
    rule = "---|" * (titles.count("|") - 1)
    draft = f"{titles}\n|{rule}\n{row.replace('@', f'[Idris]({PAGE})')}\n"
    (assessment,) = check(draft, sources({PAGE: page})).assessments
    return assessment.verdict


@pytest.mark.parametrize(
    ("titles", "row"),
    [
        ("| Measure | C | Rust | Source |", "| PNG decoding, MB/s | 412 | 396 | @ |"),
        ("| Measure | Before | After | Source |", "| JPEG decoding, MB/s | 288 | 301 | @ |"),
        ("| Measure | Rust | C | Source |", "| PNG decoding, MB/s | 396 | 412 | @ |"),
        ("| Measure | C | Rust | Link |", "| Size of the library, MB | 0.9 | 1.6 | @ |"),
    ],
)
def test_equal_values_in_equal_order_are_the_same_row(titles: str, row: str) -> None:
    assert row_verdict(titles, row) is S


@pytest.mark.parametrize(
    ("titles", "row"),
    [
        ("| Measure | C | Rust | Source |", "| PNG decoding, MB/s | 396 | 412 | @ |"),
        ("| Measure | Rust | C | Source |", "| PNG decoding, MB/s | 412 | 396 | @ |"),
    ],
)
def test_values_under_exchanged_headings_are_contradicted(titles: str, row: str) -> None:
    assert row_verdict(titles, row) is C


@pytest.mark.parametrize(
    ("titles", "row"),
    [
        ("| Measure | Before | After | Source |", "| PNG decoding, MB/s | 396 | 412 | @ |"),
        ("| Measure | C | Rust | Source |", "| JPEG decoding, MB/s | 412 | 396 | @ |"),
        ("| Measure | Rust | Now | Source |", "| PNG decoding, MB/s | 412 | 396 | @ |"),
    ],
)
def test_another_row_or_order_is_not_supported(titles: str, row: str) -> None:
    assert row_verdict(titles, row) is not S


@pytest.mark.parametrize(
    ("row", "denied"),
    [("| Registered porters | 4 | @ |", False), ("| Registered porters | 7 | @ |", True)],
)
def test_a_row_that_stands_in_the_source_is_not_denied_by_one_of_the_same_name(
    row: str, denied: bool
) -> None:
    assert (row_verdict("| Role | Posts at night | Source |", row, ROTA) is C) == denied
