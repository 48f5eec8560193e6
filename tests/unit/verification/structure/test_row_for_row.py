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


def row_verdict(titles: str, row: str) -> Verdict:
    """The verdict on the one row of a table that cites a page with the results."""
    rule = "---|" * (titles.count("|") - 1)
    draft = f"{titles}\n|{rule}\n{row.replace('@', f'[Idris]({PAGE})')}\n"
    (assessment,) = check(draft, sources({PAGE: SPEED})).assessments
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
