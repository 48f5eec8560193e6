"""Text of anyone's, put into a Markdown file, says what it says and does nothing else."""

from __future__ import annotations

import html
import re

import pyromark
import pytest
from foureyes.base.printable import address, inline, one_line, plain, visible
from foureyes.report.wording import quoted, table
from hypothesis import given
from hypothesis import strategies as st
from support.pieces import PIECES

TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=20).map("".join)


def rendered(line: str) -> str:
    options = pyromark.Options.ENABLE_FOOTNOTES | pyromark.Options.ENABLE_STRIKETHROUGH
    return pyromark.html(f"- Text: {line} end\n", options=options)


@given(TEXTS)
def test_a_reader_sees_the_text_and_no_markup_of_it(text: str) -> None:
    shown = rendered(inline(text))
    words = html.unescape(re.sub(r"</?(ul|li|code)>", "", shown)).split()
    assert words == ["Text:", *visible(text).split(), "end"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n# b", "a \\# b"),
        ("\x1b[31mred", "\\\\u001b\\[31mred"),
        ("<script>", "\\<script\\>"),
        ("[a](javascript:x)", "\\[a\\](javascript:x)"),
        ("x\u202ey", "x\\\\u202ey"),
        ("a_b _c_", "a_b \\_c\\_"),
        ("- a", "\\- a"),
        ("12. a", "12\\. a"),
        ("=== ", "\\==="),
        ("see https://e.org/a_b. www.e.org", "see `https://e.org/a_b`. `www.e.org`"),
        ("me@e.org", "`me@e.org`"),
        ("{: onclick=x} $x$", "\\{: onclick=x\\} \\$x\\$"),
    ],
)
def test_what_could_act_is_written_out(text: str, line: str) -> None:
    assert inline(text) == line


def test_long_words_are_cut_and_told_to_be() -> None:
    assert quoted("a b c d", 3) == "“a b \\[…\\]”"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://e.org/a_b?c=1#d", "<https://e.org/a_b?c=1#d>"),
        ("https://e.org/<b>", "`https://e.org/<b>`"),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("notes/quay.md", "notes/quay.md"),
    ],
)
def test_only_plain_web_addresses_are_links(url: str, shown: str) -> None:
    assert address(url) == shown


def test_cells_cannot_leave_their_table() -> None:
    assert list(table(("a", "b"), [("1 | 2", "x\n| y")]))[2:] == ["| 1 \\| 2 | x \\| y |"]


@given(TEXTS)
def test_what_was_written_can_be_read_back(text: str) -> None:
    assert plain(inline(text)) == one_line(text)
