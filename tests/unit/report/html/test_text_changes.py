from __future__ import annotations

from foureyes.report.html.iterations import (
    MAX_LINES,
    Pair,
    Piece,
    Side,
    TextChanges,
    side_by_side,
)
from hypothesis import given
from hypothesis import strategies as st


def test_the_same_text_has_no_changes() -> None:
    assert side_by_side("a\nb\n", "a\nb\n") == TextChanges()


def test_only_the_words_that_differ_are_marked() -> None:
    changes = side_by_side("costs $3 billion", "costs $30 billion")
    (pair,) = changes.pairs
    assert pair.before == Side(
        1, (Piece("costs $"), Piece("3", True), Piece(" billion")), changed=True
    )
    assert pair.after == Side(
        1, (Piece("costs $"), Piece("30", True), Piece(" billion")), changed=True
    )
    assert (changes.removed, changes.added) == (1, 1)


def test_lines_far_from_a_change_are_counted_and_left_out() -> None:
    lines = [f"line {n}" for n in range(20)]
    changes = side_by_side("\n".join(lines), "\n".join([*lines[:10], "new", *lines[10:]]))
    assert [pair.skipped for pair in changes.pairs] == [8, 0, 0, 0, 0, 0, 8]
    added = changes.pairs[3]
    assert added == Pair(None, Side(11, (Piece("new", True),), changed=True))


def test_texts_too_long_to_compare_are_not_compared() -> None:
    long = "x\n" * (MAX_LINES + 1)
    assert "not compared" in side_by_side(long, "y").untold
    assert side_by_side("word " * 5000, "other").pairs[0].before is not None


@given(st.text(alphabet="ab c\n", max_size=60), st.text(alphabet="ab c\n", max_size=60))
def test_each_side_gives_its_text_again(before: str, after: str) -> None:
    pairs = side_by_side(before, after).pairs
    if any(pair.skipped for pair in pairs) or not pairs:
        return
    for side, text in (("before", before), ("after", after)):
        there = [getattr(pair, side) for pair in pairs if getattr(pair, side)]
        assert ["".join(p.text for p in one.pieces) for one in there] == text.splitlines()
        assert [one.number for one in there] == list(range(1, len(there) + 1))
