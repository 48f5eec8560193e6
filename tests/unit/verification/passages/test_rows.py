"""Which lines of plain text are rows, and where their cells stand."""

from __future__ import annotations

import pytest
from foureyes.verification.passages.rows import RowStyle, is_entry, row_styles, split_cells
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("lines", "style"),
    [
        (["| A | B |", "| 1 | 2 |"], RowStyle.BAR),
        (["A | B", "1 | 2"], RowStyle.BAR),
        (["A\tB", "1\t2"], RowStyle.TAB),
        (["Town; 2019; 2023", "Alm; 1; 2", "Berg; 3; 4"], RowStyle.SEMICOLON),
        (["          2022   2023", "Alm       1      2", "Berg      3      4"], RowStyle.GAP),
        (["Bread ..... 2.40", "Milk ...... 1.10", "Butter .... 3.20"], RowStyle.GAP),
    ],
)
def test_lines_that_look_alike_are_rows(lines: list[str], style: RowStyle) -> None:
    assert row_styles(lines) == [style] * len(lines)


@pytest.mark.parametrize(
    "lines",
    [
        ["He came; he saw; he won"],
        ["One; two; three.", "Four; five; six.", "Seven; eight; nine."],
        ["A sentence.  Another one.", "A third.  A fourth.", "A fifth.  A sixth."],
        ["Alm       1", "Some words in between.", "Berg      3"],
        ["", "plain words"],
    ],
)
def test_prose_is_no_table(lines: list[str]) -> None:
    assert row_styles(lines) == [None] * len(lines)


@pytest.mark.parametrize(
    ("row", "style", "cells"),
    [
        ("| a | | c |", RowStyle.BAR, ["a", "", "c"]),
        ("a | b", RowStyle.BAR, ["a", "b"]),
        ("a\tb\t\tc", RowStyle.TAB, ["a", "b", "c"]),
        ("a; b ;c", RowStyle.SEMICOLON, ["a", "b", "c"]),
        ("  a b    c   d ", RowStyle.GAP, ["a b", "c", "d"]),
        ("tea .... 2", RowStyle.GAP, ["tea", "2"]),
    ],
)
def test_a_cell_keeps_the_place_of_its_column(row: str, style: RowStyle, cells: list[str]) -> None:
    text = f"before\n{row}\nafter"
    spans = split_cells(text, 7, 7 + len(row), style)
    assert [text[start:end] for start, end in spans] == cells


@given(st.text(alphabet="ab|;\t .1", max_size=40), st.sampled_from(RowStyle))
def test_cells_stand_in_order_within_the_row(row: str, style: RowStyle) -> None:
    spans = split_cells(row, 0, len(row), style)
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    assert edges[0] >= 0
    assert edges[-1] <= len(row)


@pytest.mark.parametrize(
    ("line", "style", "entry"),
    [
        ("Care assistants     2", RowStyle.GAP, True),
        ("Nurses, nights ..... 9%", RowStyle.GAP, True),
        ("Grade     2024", RowStyle.GAP, False),
        ("Town     Cases", RowStyle.GAP, False),
        ("Quarter     1     2", RowStyle.GAP, False),
        ("| Care assistants | 2 |", RowStyle.BAR, False),
    ],
)
def test_an_entry_of_a_list_names_no_columns(line: str, style: RowStyle, entry: bool) -> None:
    assert is_entry(line, style) is entry
