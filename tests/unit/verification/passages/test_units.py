"""A source's text is split into units that can be quoted exactly and read alone."""

from __future__ import annotations

import pytest
from foureyes.verification.passages.units import MAX_UNIT, UnitKind, split_units, widen_to_units
from hypothesis import given
from hypothesis import strategies as st

PAGE = """---
title: Harbour statistics
date: 2025-10-16
---

# Harbour

## Calls

Ship calls rose. The port, which is old, counted **826** of them [1].

| Type | 2024 | 2025 |
|---|---:|---:|
| Tanker | 102 | 94 |
| Ferry | 396 | 412 |

Two things are planned:

- a second crane
- a wider ramp. It will cost 3 million.

```
speed = 8
```
"""


def test_headings_become_the_path_of_what_stands_below_them() -> None:
    paths = {unit.text: unit.path for unit in split_units(PAGE)}
    assert paths["Ship calls rose."] == ("Harbour", "Calls")


def test_front_matter_is_a_unit_of_its_own() -> None:
    first = split_units(PAGE)[0]
    assert (first.kind, first.text) == (
        UnitKind.META,
        "title: Harbour statistics; date: 2025-10-16.",
    )


def test_a_table_row_names_its_columns_and_knows_its_header() -> None:
    rows = [unit for unit in split_units(PAGE) if unit.kind is UnitKind.ROW]
    assert [row.text for row in rows] == [
        "- Type: Tanker; 2024: 102; 2025: 94",
        "- Type: Ferry; 2024: 396; 2025: 412",
    ]
    assert all(row.header and PAGE[slice(*row.header)].startswith("| Type") for row in rows)


def test_a_list_item_repeats_its_lead_in_once() -> None:
    items = [unit.text for unit in split_units(PAGE) if unit.kind is UnitKind.ITEM]
    assert items == [
        "Two things are planned: a second crane",
        "Two things are planned: a wider ramp.",
        "It will cost 3 million.",
    ]


def test_a_unit_reads_as_plain_text_and_quotes_as_written() -> None:
    unit = next(unit for unit in split_units(PAGE) if "826" in unit.text)
    assert unit.text == "The port, which is old, counted 826 of them."
    assert PAGE[unit.start : unit.end] == "The port, which is old, counted **826** of them [1]."


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# A title\n\nIt rose.", "A title"),
        ("A title\n=======\n\nIt rose.", "A title"),
        ("Opening hours today\n\nIt rose.", "Opening hours today"),
    ],
)
def test_every_form_of_a_heading_is_one(text: str, title: str) -> None:
    (unit,) = split_units(text)
    assert (unit.text, unit.path) == ("It rose.", (title,))


def test_code_is_told_from_prose() -> None:
    assert [u.text for u in split_units(PAGE) if u.kind is UnitKind.CODE] == ["speed = 8"]


@pytest.mark.parametrize("abbreviation", ["Dr. Ash", "No. 4", "e.g. Ash", "U.S. Steel"])
def test_an_abbreviation_ends_no_sentence(abbreviation: str) -> None:
    assert len(split_units(f"They met {abbreviation} on Monday.")) == 1


def test_a_place_is_widened_to_the_units_that_it_touches() -> None:
    text = "One rose. Two fell. Three stayed."
    at = text.index("fell")
    assert text[slice(*widen_to_units(text, at, at + 2))] == "Two fell."


@given(st.text(alphabet="aB .!?\n|-#*`[](1:;\t", max_size=400))
def test_units_of_any_text_are_in_order_and_inside_it(text: str) -> None:
    units = split_units(text)
    assert all(0 <= unit.start < unit.end <= len(text) for unit in units)
    assert all(unit.text and unit.end - unit.start <= MAX_UNIT for unit in units)
    starts = [unit.start for unit in units]
    assert starts == sorted(starts)
