"""Documents are taken apart into located sentences."""

from __future__ import annotations

import hashlib

import pytest
from foureyes.datatypes import BlockKind, Document, Sentence
from support.checking import parsed


def sentence(document: Document, text: str) -> Sentence:
    [found] = [one for one in document.sentences if one.text == text]
    return found


def assert_located(document: Document) -> None:
    """Every character of every sentence stands where its offset says."""
    for one in document.sentences:
        for char, offset in zip(one.text, one.offsets, strict=True):
            if char not in " |":
                assert document.text[offset] == char, (one.text, char, offset)
        assert document.position(one.start) == (one.line, one.column)


MANUSCRIPT = [
    "# The Olm ferry",
    "",
    "The *first* boat, the 🛥️ **Ährenfels**, sailed in May.[^1] It carried 40",
    "cars and *12* lorries. Its crew was small.",
    "",
    "| Item | Value |",
    "|------|-------|",
    "| Länge | 62 m |",
    "| Crew | 34 \\| 35 |",
    "",
    "- Outer item one.",
    "  - Inner `code x` item. Second 😀 sentence.",
    "",
    "    Continued there.",
    "",
    "> A quoted line",
    "> goes on.",
    "",
    "```python",
    "x = 1",
    "```",
    "",
    "[^1]: The note says so.",
    "",
]
PLACES = {
    "The first boat, the 🛥️ Ährenfels, sailed in May.": (3, 1, BlockKind.PARAGRAPH),
    "It carried 40 cars and 12 lorries.": (3, 60, BlockKind.PARAGRAPH),
    "Its crew was small.": (4, 24, BlockKind.PARAGRAPH),
    "Item | Value": (6, 3, BlockKind.TABLE_HEADER),
    "Länge | 62 m": (8, 3, BlockKind.TABLE_ROW),
    "Crew | 34 | 35": (9, 3, BlockKind.TABLE_ROW),
    "Outer item one.": (11, 3, BlockKind.LIST_ITEM),
    "Inner code x item.": (12, 5, BlockKind.LIST_ITEM),
    "Second 😀 sentence.": (12, 26, BlockKind.LIST_ITEM),
    "Continued there.": (14, 5, BlockKind.LIST_ITEM),
    "A quoted line goes on.": (16, 3, BlockKind.BLOCK_QUOTE),
    "x = 1": (20, 1, BlockKind.CODE),
    "The note says so.": (23, 7, BlockKind.FOOTNOTE),
}


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_places_are_exact_under_every_line_end(line_end: str) -> None:
    document = parsed(line_end.join(MANUSCRIPT))
    assert_located(document)
    found = {one.text: (one.line, one.column, one.kind) for one in document.sentences[1:]}
    assert found == PLACES


def test_a_byte_order_mark_and_front_matter_shift_nothing() -> None:
    text = "\ufeff---\ntitle: Übersicht\n---\n\nEs fährt ein Boot.\n"
    document = parsed(text)
    assert_located(document)
    boat = sentence(document, "Es fährt ein Boot.")
    assert (boat.line, boat.column, document.title) == (5, 1, "Übersicht")


INLINE = [
    ("un*frigging*believable", "unfriggingbelievable"),
    ("AT&amp;T grew &#65; lot", "AT&T grew A lot"),
    ("Two \\*stars\\* stay", "Two *stars* stay"),
    ("A [link\nover lines](https://a.example/x) here", "A link over lines here"),
    ("A [named][n] link\n\n[n]: https://n.example", "A named link"),
    ("One  \ntwo\\\nthree", "One two three"),
    ("Code `a  b` and ``c ` d`` stay", "Code a b and c ` d stay"),
    ("Old ~~wrong~~ word", "Old wrong word"),
    ("An ![old chart](c.png) image", "An image"),
    ("An ![old `c` *x*\nchart](c.png) image", "An image"),
    ("Tags <b>bold</b><br>and <i class='x'>more</i>", "Tags bold and more"),
    ("A <!-- hidden --> remark", "A remark"),
    ("Soft\u00adhyphen and\u00a0hard space", "Softhyphen and hard space"),
    ("About 10<sup>6</sup> and CO<sub>2</sub>", "About 10^6 and CO2"),
    ("A 5<sup>th</sup> try", "A 5th try"),
    ('Linked <a href="https://h.example">by HTML</a> too', "Linked by HTML too"),
    ("Tab\tand   spaces", "Tab and spaces"),
]


@pytest.mark.parametrize(("markdown", "plain"), INLINE)
def test_text_is_what_a_reader_sees(markdown: str, plain: str) -> None:
    assert parsed(markdown).sentences[0].text == plain


def test_an_entity_points_at_its_start() -> None:
    [one] = parsed("Olm &amp; Sons").sentences
    assert one.text == "Olm & Sons"
    assert list(one.offsets)[4:7] == [4, 9, 10]


def test_the_range_of_a_sentence_covers_its_markup_and_markers() -> None:
    text = "**Bottom line.** It works.[1] *Done.*"
    document = parsed(text)
    covered = [text[one.start : one.end] for one in document.sentences]
    assert covered == ["**Bottom line.**", "It works.[1]", "*Done.*"]


def test_a_span_of_a_sentence_is_found_in_the_document() -> None:
    text = "It cost **4**,000 kroner."
    [one] = parsed(text).sentences
    start, end = one.source_span(8, 13)
    assert (one.text[8:13], text[start:end]) == ("4,000", "4**,000")


def test_a_place_in_the_document_has_its_line_and_column() -> None:
    document = parsed("One.\r\nTwo lines.\r\n")
    place = document.location(10, 15, "Intro")
    assert (place.line, place.column, str(place)) == (2, 5, "Intro, line 2, column 5")


def test_a_table_row_knows_its_cells_and_header() -> None:
    document = parsed("| A | B | C |\n|---|---|---|\n| 1 | | x [1] |\n")
    header, row = document.sentences
    assert [row.text[start:end] for start, end in row.cells] == ["1", "", "x"]
    assert (row.text, row.header, header.header) == ("1 |  | x", header.index, None)
    assert row.table == header.table is not None


def test_items_of_one_list_share_its_number_and_nested_ones_do_not() -> None:
    document = parsed("- a\n  1. b\n  2. c\n- d\n")
    a, b, c, d = (one.list_id for one in document.sentences)
    assert a == d != b == c


def test_sentences_of_a_block_follow_each_other() -> None:
    document = parsed("One is here. Two is here.\n\nThree.")
    assert [one.block for one in document.sentences] == [0, 0, 1]


def test_sections_hold_what_stands_under_their_heading() -> None:
    text = "# T\n\nIntro.\n\n## A\n\nIn a.\n\n### B\n\nIn b.\n\nSetext\n------\n\nIn s.\n"
    document = parsed(text)
    paths = {one.text: one.section for one in document.sentences}
    assert paths["In b."] == ("T", "A", "B")
    assert paths["In s."] == ("T", "Setext")
    ranges = {one.title: (one.level, text[one.start : one.end]) for one in document.sections}
    assert ranges["A"] == (2, "A\n\nIn a.\n\n### B\n\nIn b.\n\n")
    assert ranges["T"][1] == text[2:]


@pytest.mark.parametrize("mark", list("=-~^\"'*+#"))
def test_marks_of_restructuredtext_and_asciidoc_underline_a_title(mark: str) -> None:
    text = f"Top\n===\n\nFaults\n{mark * 6}\n\nThere were 4.\n\nOther tools\n{mark * 11}\n\nNine.\n"
    document = parsed(text)
    said = {one.text: one.section[-1] for one in document.sentences if one.kind.makes_claims}
    assert said == {"There were 4.": "Faults", "Nine.": "Other tools"}


@pytest.mark.parametrize("title", ["== Faults", "=== Faults", "== Faults =="])
def test_marks_of_asciidoc_and_wikis_before_a_title_make_it_one(title: str) -> None:
    said = parsed(f"Top.\n\n{title}\n\nNine.\n").sentences[-1]
    assert (said.text, said.section) == ("Nine.", ("Faults",))


@pytest.mark.parametrize(
    "text",
    [
        "~~~~\nabc\n\nlast\n~~~~\n\nThen 4 came.\n",
        "~~~~ python\nabc\n~~~~\n\nThen 4 came.\n",
        "Type this:\n~~~~~~~~~~\nabc\n~~~~~~~~~~\n\nThen 4 came.\n",
        "A first line\nthen this\n~~~~~~~~~\nabc\n~~~~~~~~~\n\nThen 4 came.\n",
        "```\nTitle\n~~~~~\n```\n\nThen 4 came.\n",
    ],
)
def test_code_between_tildes_stays_code(text: str) -> None:
    sentences = parsed(text).sentences
    assert BlockKind.CODE in {one.kind for one in sentences}
    assert (sentences[-1].text, sentences[-1].kind) == ("Then 4 came.", BlockKind.PARAGRAPH)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: 'Mine'\n---\n# Other\n", "Mine"),
        ("Text first.\n\n## Sub\n\n# Main\n", "Main"),
        ("<h1>In HTML</h1>\n", "In HTML"),
        ("Just text.\n", ""),
    ],
)
def test_the_title_is_the_front_matters_else_the_first_top_heading(text: str, title: str) -> None:
    assert parsed(text).title == title


@pytest.mark.parametrize(
    ("markdown", "kind"),
    [
        ("Profits rose by 5 %.\n---\n", BlockKind.PARAGRAPH),
        ("A proper heading\n---\n", BlockKind.HEADING),
        ("    The harbour board said that it would buy boats.\n", BlockKind.PARAGRAPH),
        ("    int main() { return 0; }\n", BlockKind.CODE),
        ("> [!NOTE]\n> The author's own remark.\n", BlockKind.PARAGRAPH),
        ("> Someone else's words.\n", BlockKind.BLOCK_QUOTE),
        ("- > Quoted in a list.\n", BlockKind.BLOCK_QUOTE),
        ("::: note\nThe author's own remark.\n:::\n", BlockKind.PARAGRAPH),
        (":::{.callout-tip} Fees\n\nThe author's own remark.\n:::\n", BlockKind.PARAGRAPH),
    ],
)
def test_prose_makes_claims_even_if_markdown_takes_it_for_something_else(
    markdown: str, kind: BlockKind
) -> None:
    (sentence,) = parsed(markdown).sentences
    assert (sentence.kind, ":::" in sentence.text) == (kind, False)


def test_the_hash_and_the_addresses_come_with_the_document() -> None:
    text = "See https://b.example/2 and https://a.example/1 and https://b.example/2."
    document = parsed(text)
    assert document.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert document.cited_urls() == ("https://b.example/2", "https://a.example/1")


@pytest.mark.parametrize("text", ["", " \n\t\n", "\ufeff", "\r", "---\n---\n", "<!-- x -->"])
def test_a_text_without_words_has_no_sentence(text: str) -> None:
    assert parsed(text).sentences == ()
