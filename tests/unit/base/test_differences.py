from __future__ import annotations

import time

import pytest
from foureyes.base.printable import first_difference
from hypothesis import given
from hypothesis import strategies as st


def test_only_the_first_difference_is_shown_with_two_lines_around_it() -> None:
    before = "\n".join(["a", "b", "c", "d", "e", *"0123456789", "x"])
    now = before.replace("c", "C").replace("x", "X")
    assert first_difference(before, now).splitlines() == [
        "--- recorded",
        "+++ now",
        "@@ line 3, character 1 @@",
        " a",
        " b",
        "-c",
        "+C",
        " d",
        " e",
    ]


def test_a_long_line_is_cut_to_its_part_around_the_difference() -> None:
    before = "word " * 1000 + "end " + "word " * 1000
    shown = first_difference(before, before.replace("end", "END"))
    assert "@@ line 1, character 5001 @@" in shown
    assert "-… word" in shown.replace("-…word", "-… word").replace("-…rd", "-… word")
    assert "end" in shown
    assert "END" in shown
    assert max(len(line) for line in shown.splitlines()) < 170


@pytest.mark.parametrize(
    ("before", "now", "shown"),
    [
        ("same", "same", ""),
        ("a\n", "a\r\n", "(the ends of lines differ)\n"),
        ("a\n", "a", "(the ends of lines differ)\n"),
        ("", "a", "--- recorded\n+++ now\n@@ line 1, character 1 @@\n+a\n"),
        ("a\nb\n", "a\n", "--- recorded\n+++ now\n@@ line 2, character 1 @@\n a\n-b\n"),
    ],
)
def test_ends(before: str, now: str, shown: str) -> None:
    assert first_difference(before, now) == shown


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_difference_is_told_of_whatever_the_texts_are(before: str, now: str) -> None:
    assert (first_difference(before, now) == "") == (before == now)


def test_large_texts_take_no_time() -> None:
    before = "".join(f"line {number} of many\n" for number in range(200_000))
    started = time.perf_counter()
    assert first_difference(before, before.replace("many", "more"))
    assert time.perf_counter() - started < 2
