from __future__ import annotations

from foureyes.report.html.run_report import MAX_LINES, text_changes
from hypothesis import given
from hypothesis import strategies as st


def test_the_same_text_has_no_changes() -> None:
    assert text_changes("a\nb\n", "a\nb\n") == ()


def test_only_the_words_that_differ_are_marked() -> None:
    (pieces,) = text_changes("costs $3 billion", "costs $30 billion")
    assert pieces == (("", "costs $"), ("−", "3"), ("+", "30"), ("", " billion"))


def test_lines_far_from_a_change_are_left_out() -> None:
    lines = [f"line {n}\n" for n in range(20)]
    (pieces,) = text_changes("".join(lines), "".join([*lines[:10], "new\n", *lines[10:]]))
    assert pieces == (("", "line 8\nline 9\n"), ("+", "new\n"), ("", "line 10\nline 11\n"))


def test_texts_too_long_to_compare_are_not_compared() -> None:
    long = "x\n" * (MAX_LINES + 1)
    (((_, said),),) = text_changes(long, "y")
    assert "not compared" in said
    assert text_changes("word " * 5000, "other") == ((("−", "word " * 5000), ("+", "other")),)


@given(st.text(alphabet="ab c\n", max_size=30), st.text(alphabet="ab c\n", max_size=30))
def test_each_side_gives_its_text_again(before: str, after: str) -> None:
    for place in text_changes(f"x\n{before}", f"y\n{after}")[:1]:
        old, new = ("".join(text for own, text in place if own != sign) for sign in "+−")
        assert f"x\n{before}".startswith(old)
        assert f"y\n{after}".startswith(new)
