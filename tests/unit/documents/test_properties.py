"""What holds for every text."""

from __future__ import annotations

import time

import pytest
from foureyes.datatypes import Document, Sentence
from foureyes.documents.parse import parse_document
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support.variants import variants

FRAGMENTS = st.sampled_from(
    [
        *("[1]", "[1, 3]", "[^1]", "[^1]: Note. https://a.example/b\n", "[a]", "[t][a]", "[t]("),
        *("\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "  \n", "\\\n", "    ", "> ", "- ", "1. "),
        *("# H\n", "## References\n", "---\n", "===\n", "title: x\n", "```\n", "Source: "),
        *("| a | b |\n|---|---|\n| 1 | x [2] |\n", "|", "*", "**", "_", "`", "``", "~~", "\\"),
        *("&amp;", "&#65;", "&nbsp;", "<b>", "</b>", "<sup>1</sup>", "<sup>", "</sup>", "<br>"),
        *("<a href='http://q.example'>", "</a>", "<div>\n", "</div>\n", "<pre>", "<!-- c -->"),
        *("<table><tr><td>", "</td></tr></table>\n", "<!--", "https://e.example/a_(b).", "](", ")"),
        *("(https://e.example)", "[t](http://u.example)", "<http://l.example>", "doi:10.1234/x"),
        *("[a]: http://d.example 't'\n", "[1] Smith, J. (2020). T. https://x.example\n", "(", "]"),
        *('"', "'", "“", "”", "\u2018", "’", "„", "«", "»", "Smith et al. (2020)", "(Lee, 2019a)"),
        *("e.g. ", "No. 5 ", "3.5", "Word. ", "word ", "É", "日本。", "😀", "\u00ad", "\u200b"),
        *("\u202e", "\u202c", "\u200d", "n\u043et", "\u338f", "\ufb01", "didn`t", "\ufe0f"),
        *("\u00a0", "\t", "\0", "\ud800", "\ufeff", "\u2028", "\x01", "![i](j.png)"),
    ]
)
TEXTS = st.lists(FRAGMENTS | st.text(max_size=6), max_size=40).map("".join)

# An entity, a line break, a bar between cells or a raised number reads as another character.
STANDS_FOR = frozenset(" |^\ufffd")


def assert_located(one: Sentence, text: str) -> None:
    assert len(one.offsets) == len(one.text) > 0
    assert list(one.offsets) == sorted(one.offsets)
    assert [one.offsets[at] for at in range(len(one.offsets))] == list(one.offsets)
    assert one.start <= one.offsets[0]
    assert one.offsets[len(one.offsets) - 1] < one.end <= len(text)
    for char, offset in zip(one.text, one.offsets, strict=True):
        same = text[offset] == char or char in STANDS_FOR or text[offset] in "&`"
        # What looks like another character reads as that one, and an override turns text round.
        assert same or not text[offset].isascii() or "\u202e" in text


def assert_in_order(document: Document) -> None:
    end = block = 0
    for one in document.sentences:
        assert one.start >= end
        assert one.block >= block
        end, block = one.end, one.block


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS)
@example("```\n\ufeff")
@example("\u202e[1]<div>\n")
@example("\u202e[1] Smith, J. (2020). T. https://x.example\n")
def test_every_text_parses_into_located_sentences(text: str) -> None:
    document = parse_document(text)
    assert document.text == text
    assert len(document.scopes) == len(document.sentences)
    assert_in_order(document)
    for one in document.sentences:
        assert_located(one, text)
        assert document.position(one.start) == (one.line, one.column)
    for citation in document.citations:
        assert text[citation.start : citation.end] == citation.raw != ""
    for quote in document.quotes:
        assert 0 <= quote.start < quote.end <= len(text)
    for section in document.sections:
        assert section.start < section.end <= len(text)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS.filter(lambda text: "\r" not in text))
@example("[1]```\ne.g. ```\n")
def test_the_line_ends_change_nothing_that_is_read(text: str) -> None:
    plain, dressed = parse_document(text), parse_document(text.replace("\n", "\r\n"))
    assert [one.text for one in plain.sentences] == [one.text for one in dressed.sentences]
    assert [one.line for one in plain.sentences] == [one.line for one in dressed.sentences]
    assert plain.cited_urls() == dressed.cited_urls()


N = 5_000
ENTRY = "- Smith, J. (2020). T. https://x.example/\n"
PATHOLOGICAL = {
    "open brackets": "[" * N,
    "nested brackets": "[" * N + "]" * N,
    "nested parentheses": "(" * N + ")" * N,
    "backticks": " ".join("`" * (number % 300) for number in range(N)),
    "double quotes": '"a ' * N,
    "curly quotes": "“a " * N,
    "single quotes": "'as' b " * N,
    "list levels": "- " * N + "x",
    "indented levels": "".join(" " * (2 * level) + "- x\n" for level in range(500)),
    "quote levels": ">" * N + "x",
    "columns": "|a" * N + "|\n" + "|-" * N + "|\n" + "|b" * N + "|\n",
    "tables": "| a |\n|--|\n| 1 |\n\n" * N,
    "numeric markers": "a [1, 3] b. " * N,
    "footnotes": "".join(f"a[^{n}]. " for n in range(N)) + "\n\n[^1]: x\n",
    "link definitions": "".join(f"[{n}]: http://x/{n}\n" for n in range(N)) + "\n[1] " * N,
    "one author": "References\n\n" + ENTRY * N + "\n# T\n\n" + "(Smith, 2020). " * N,
    "years": "Smith et al. (2020) (2020) " * N,
    "addresses": "https://a.example/c(d) " * N,
    "one long address": "https://" + "a/(" * N,
    "bracketed links": "(" + "[a](http://b.example), " * N + ")",
    "a long word beside a title": "[A](http://b.example) " + "a" * (20 * N),
    "titles after years": "in 2024 [A](http://b.example) ," * N,
    "open HTML": "<div>\n" + "<a '" * N,
    "a long tag": "<div>\n<" + "a" * (20 * N),
    "a long word of code": "    " + "a" * (20 * N) + "\n",
    "HTML rows": "<table>" + "<tr><td>1" * N,
    "white space": "a" + " " * (20 * N) + "b",
    "full stops": "A. " * N,
    "capitals": "A" * (20 * N),
    "entries on lines": "References\n" + "".join(f"[{n}] Lee. http://x/{n}\n" for n in range(N)),
    "footnote paragraphs": "[^1]: a\n\n" + "    b\n\n" * N + "x[^1]",
}


SOAK = {"link definitions", "years", "entries on lines", "HTML rows", "footnote paragraphs"}
"""They cost most; "one author", "tables" and "footnotes" show the same constructs."""


@pytest.mark.parametrize("text", variants(PATHOLOGICAL, SOAK))
@pytest.mark.usefixtures("uncounted")
def test_a_hostile_text_costs_no_more_than_its_length(text: str) -> None:
    parse_document("Loads the models. So.")
    start = time.process_time()
    parse_document(text)
    # Generous, for slow machines; anything quadratic takes minutes at this size.
    assert time.process_time() - start < 10
