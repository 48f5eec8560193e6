"""HTML blocks count as what a reader sees."""

from __future__ import annotations

import pytest
from foureyes.datatypes import BlockKind
from support.checking import parsed


def seen(text: str) -> list[tuple[str, str]]:
    return [(str(one.kind), one.text) for one in parsed(text).sentences]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>It rose.</p><p>It <b>fell</b>.</p>", [("paragraph", "It rose."),
                                                   ("paragraph", "It fell.")]),
        ("<ul><li>One<li>Two</ul>", [("list_item", "One"), ("list_item", "Two")]),
        ("<blockquote>Her words.</blockquote>", [("block_quote", "Her words.")]),
        ("<blockquote><p>Open", [("block_quote", "Open")]),
        ("<h2>Head</h2>Text &amp; more", [("heading", "Head"), ("paragraph", "Text & more")]),
        ("<pre>x = 1</pre>", [("code", "x = 1")]),
        ("<div><!-- not seen --><script>alert('no')</script>Seen<br>twice</div>",
         [("paragraph", "Seen twice")]),
        ("<table><tr><th>A<th>B<tr><td>1<td>2</table>",
         [("table_header", "A | B"), ("table_row", "1 | 2")]),
        ("<table><tr><th>Range<td>40 km</tr></table>", [("table_row", "Range | 40 km")]),
        ("<table><tr><td><table><tr><td>x</table>", [("table_row", "x")]),
        ("<table><td>Lost cell</table>", [("paragraph", "Lost cell")]),
        ("<div>2 < 3 and <a @ b</div>", [("paragraph", "2 < 3 and <a @ b")]),
        ("<div></li></blockquote></tr></td></sup></a>Lost ends</div>",
         [("paragraph", "Lost ends")]),
        ("<div><style>p {}</style", []),
        ("<div><svg/>Seen</svg></div>", [("paragraph", "Seen")]),
        ("<!-- never closed", []),
        ("<!DOCTYPE html>\n", []),
    ],
)  # fmt: skip
def test_an_html_block_reads_as_its_elements(html: str, expected: list[tuple[str, str]]) -> None:
    assert seen(html) == expected


def test_places_in_html_are_exact() -> None:
    text = "<div>\r\n<p>Ä 😀 &amp; <i>it rose</i></p>\r\n</div>\r\n"
    [one] = parsed(text).sentences
    assert (one.text, one.line, one.column) == ("Ä 😀 & it rose", 2, 4)
    assert text[one.offsets[6] : one.offsets[6] + 7] == "it rose"


def test_a_link_in_html_is_a_citation() -> None:
    text = "<p>The <a href='https://a.example/?a=1&amp;b=2'>report</a> says so.</p>"
    document = parsed(text)
    assert document.sentences[0].text == "The report says so."
    assert document.cited_urls() == ("https://a.example/?a=1&b=2",)


def test_an_html_anchor_inside_a_markdown_link_leaves_it_whole() -> None:
    document = parsed('See [<a name="x"></a>the report](https://a.example) of May.')
    assert document.cited_urls() == ("https://a.example",)
    assert document.sentences[0].text == "See the report of May."


def test_html_rows_share_their_tables_header() -> None:
    document = parsed("<table><tr><th>A</th></tr><tr><td>1</td></tr></table>")
    header, row = document.sentences
    assert (row.header, row.kind) == (header.index, BlockKind.TABLE_ROW)
