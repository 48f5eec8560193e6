"""Text of others made visible, and counts in sentences."""

from __future__ import annotations

import json

import pytest
from foureyes.base.printable import counted, printable, visible
from hypothesis import given
from hypothesis import strategies as st

SHOWN = [
    ("plain words, ünïcode, 漢字, עברית\n\tand lines", None),
    ("line\r\nline", "line\nline"),
    ("unpaid\rpaid", "unpaid\\u000dpaid"),
    ("\x1b[31mred", "\\u001b[31mred"),
    ("a\u202eb\u2066c\u200bd\ufeff", "a\\u202eb\\u2066c\\u200bd\\ufeff"),
    ("\U000e0041tag", "\\udb40\\udc41tag"),
    ("lone \ud800 half", "lone \\ud800 half"),
    ("soft\u00adhyphen, \u3164 filler, \ufdd0", "soft\\u00adhyphen, \\u3164 filler, \\ufdd0"),
    ("क्\u200dष and 👩\u200d💻", None),
    ("pass\u200cword", "pass\\u200cword"),
    ("❤\ufe0f and 1\ufe0f\u20e3", None),
    ("a\ufe01b, ❤\ufe0f\ufe0e", "a\\ufe01b, ❤\ufe0f\\ufe0e"),
    ("❤\ufe0f\u200d🔥", None),
    ("“\u200c\x80", "“\\u200c\\u0080"),
    ("\x80\ufe0f\u200d漢", "\\u0080\\ufe0f\\u200d漢"),
    ("漢\u200d\u200d字", "漢\\u200d\\u200d字"),
]


@pytest.mark.parametrize(("text", "shown"), SHOWN)
def test_what_is_not_seen_or_reorders_is_shown_as_its_escape(text: str, shown: str | None) -> None:
    assert visible(text) == (text if shown is None else shown)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\r\nlines\tone", "two lines one"),
        ("क्\u200dष", "क्\\u200dष"),
        ("::error::words", "\\u003a:error::words"),
        ("  ::Stop-Commands::x", "  \\u003a:Stop-Commands::x"),
        ("a ##[error]x ##vso[task]y", "a \\u0023#[error]x \\u0023#vso[task]y"),
        ("std::vector, 12::30, ## heading", "std::vector, 12::30, ## heading"),
    ],
)
def test_a_line_is_obeyed_by_no_terminal_and_no_runner(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_text_of_one_line_hides_no_more_than_one_of_several() -> None:
    # What is told apart first must not let through what is looked for afterwards.
    for letter in filter(str.isprintable, map(chr, range(0x110000))):
        assert visible(f"{letter}\n") == f"{visible(letter)}\n"


@given(st.lists(st.sampled_from("a1漢❤\u200c\u200d\ufe0f\u20e3\x80\u202e\r\n")).map("".join))
def test_what_is_made_visible_once_is_not_changed_by_doing_it_again(text: str) -> None:
    assert visible(visible(text)) == visible(text)


@given(st.text())
def test_escapes_are_right_within_json(text: str) -> None:
    assert json.loads(printable(json.dumps(text, ensure_ascii=False))) == text


@pytest.mark.parametrize(
    ("number", "words", "told"),
    [
        (0, ("claim",), "0 claims"),
        (1, ("claim",), "1 claim"),
        (2_000, ("claim",), "2,000 claims"),
        (1, ("entry", "entries"), "1 entry"),
        (2, ("entry", "entries"), "2 entries"),
    ],
)
def test_one_of_a_thing_is_written_in_the_singular(
    number: int, words: tuple[str, ...], told: str
) -> None:
    assert counted(number, *words) == told
