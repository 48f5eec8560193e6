"""Citations in every common form, and what is none."""

from __future__ import annotations

import pytest
from foureyes.datatypes import CitationForm, Document
from support.checking import parsed

NUMERIC, FOOTNOTE = CitationForm.NUMERIC, CitationForm.FOOTNOTE
LINK, BARE, DOI = CitationForm.INLINE_LINK, CitationForm.BARE_URL, CitationForm.DOI
AUTHOR, PATH = CitationForm.AUTHOR_YEAR, CitationForm.PATH

LIST = """

## References

[1] Smith, J., & Doe, A. (2020). Ferries of the north. https://one.example/smith
[2] Lee, K. and Park, J. (2019). Harbour noise. doi:10.1234/lee.19
[3] A leaflet without an address, 2018.

- van der Berg, T. (2021a). Tides. <https://three.example/berg>
- World Harbour Office (WHO) (2022). Yearbook. https://four.example/who
- [Smith20] Smith. Short note. 2020. https://five.example/note
- [2019 note] Board. Shorter note. https://six.example
"""
SMITH, LEE = "https://one.example/smith", "https://doi.org/10.1234/lee.19"
BERG, WHO = "https://three.example/berg", "https://four.example/who"


def first(document: Document) -> list[tuple[CitationForm, str, str | None]]:
    """The citations of the first block: form, label, target."""
    end = max(one.end for one in document.sentences if one.block == 0)
    return [(one.form, one.label, one.target) for one in document.citations if one.start < end]


Found = list[tuple[CitationForm, str, str | None]]

WITH_A_LIST: list[tuple[str, str, Found]] = [
    ("It rose [1].", "It rose.", [(NUMERIC, "1", SMITH)]),
    ("It rose.[1] So.", "It rose.", [(NUMERIC, "1", SMITH)]),
    ("It [1, 2] rose.", "It rose.", [(NUMERIC, "1", SMITH), (NUMERIC, "2", LEE)]),
    (
        "It rose [1-3], too.",
        "It rose, too.",
        [(NUMERIC, "1", SMITH), (NUMERIC, "2", LEE), (NUMERIC, "3", None)],
    ),
    ("It rose [1]–[2].", "It rose.", [(NUMERIC, "1", SMITH), (NUMERIC, "2", LEE)]),
    ("It rose [1][2].", "It rose.", [(NUMERIC, "1", SMITH), (NUMERIC, "2", LEE)]),
    ("It rose [1], [2].", "It rose.", [(NUMERIC, "1", SMITH), (NUMERIC, "2", LEE)]),
    ("It rose [2, p. 14].", "It rose.", [(NUMERIC, "2", LEE)]),
    ("It rose (see [1]).", "It rose.", [(NUMERIC, "1", SMITH)]),
    ("It rose [^1].", "It rose.", [(FOOTNOTE, "1", SMITH)]),
    ("It rose<sup>2</sup>.", "It rose.", [(NUMERIC, "2", LEE)]),
    ("It rose [Smith20].", "It rose.", [(NUMERIC, "Smith20", "https://five.example/note")]),
    ("It rose [[1]](#ref-1).", "It rose.", [(NUMERIC, "1", SMITH)]),
    ("It rose [[2019 note]](#n).", "It rose.", [(NUMERIC, "2019 note", "https://six.example")]),
    ("It rose [7].", "It rose.", [(NUMERIC, "7", None)]),
    ("Add pypy[23]-5.10 and log[1].txt.", "Add pypy[23]-5.10 and log[1].txt.", []),
    ("Use s/^[^t]*// and '[^}]'.", "Use s/^[^t]*// and '[^}]'.", []),
    ("On Solaris 2.[456] and FIN_WAIT_[12].", "On Solaris 2.[456] and FIN_WAIT_[12].", []),
    ("Use [[ ... ]] there.", "Use [[ ... ]] there.", []),
    ("Not [[:graph:]] here.", "Not [[:graph:]] here.", []),
    ("[1] found that it rose.", "[1] found that it rose.", [(NUMERIC, "1", SMITH)]),
    ("Smith et al. (2020) agree.", "Smith et al. agree.", [(AUTHOR, "smith2020", SMITH)]),
    ("Smith and Doe (2020) agree.", "Smith and Doe agree.", [(AUTHOR, "smith2020", SMITH)]),
    ("Smith's (2020) view.", "Smith's view.", [(AUTHOR, "smith2020", SMITH)]),
    (
        "It fell (Smith, 2020; Lee & Park, 2019).",
        "It fell.",
        [(AUTHOR, "smith2020", SMITH), (AUTHOR, "lee2019", LEE)],
    ),
    ("It fell (see van der Berg, 2021a, p. 9).", "It fell.", [(AUTHOR, "van-der-berg2021a", BERG)]),
    ("It fell [Lee, 2019].", "It fell.", [(AUTHOR, "lee2019", LEE)]),
    ("It fell (Smith 2020).", "It fell.", [(AUTHOR, "smith2020", SMITH)]),
    (
        "The World Harbour Office (2022) says so.",
        "The World Harbour Office says so.",
        [(AUTHOR, "world-harbour-office2022", WHO)],
    ),
    ("It fell (WHO, 2022).", "It fell.", [(AUTHOR, "who2022", WHO)]),
    ("It fell (Ito et al., 2017).", "It fell.", [(AUTHOR, "ito2017", None)]),
    ("It fell (Nobody, 2011).", "It fell (Nobody, 2011).", [(AUTHOR, "nobody2011", None)]),
]


@pytest.mark.parametrize(("text", "plain", "found"), WITH_A_LIST, ids=[c[0] for c in WITH_A_LIST])
def test_keys_resolve_against_the_reference_list(text: str, plain: str, found: Found) -> None:
    document = parsed(text + LIST)
    assert first(document) == found
    assert document.sentences[0].text == plain


@pytest.mark.parametrize("mark", ["| ", ".. ", ""])
def test_a_line_block_of_references_is_a_list(mark: str) -> None:
    text = f"It rose [1].\n\n{mark}[1] Lee (2011) *Harbour noise* <https://a.example/r>, OLM.\n"
    assert [one.target for one in parsed(text).citations][:1] == ["https://a.example/r"]


STANDING_ALONE: list[tuple[str, str, Found]] = [
    ("The [yearly report](https://a.example/r) says so.", "The yearly report says so.", []),
    ("It rose ([Olm Daily](https://a.example/r)).", "It rose.", []),
    ("It rose (source: [Olm Daily](https://a.example/r)).", "It rose.", []),
    ("It rose. [Olm Daily](https://a.example/r)", "It rose.", []),
    ("It rose [[1]](https://a.example/r).", "It rose.", [(LINK, "1", "https://a.example/r")]),
    ("It [rose 5 %](https://a.example/r).", "It rose 5 %.", []),
    ("It rose in 2024 [Olm Daily](https://a.example/r).", "It rose in 2024.", []),
    ("It rose on 3 May 2024 [Olm, 2025](https://a.example/r)", "It rose on 3 May 2024", []),
    ("It rose by 12.5% [Daily of Olm](https://a.example/r). So.", "It rose by 12.5%.", []),
    ("It rose by 12 percent [source](https://a.example/r).", "It rose by 12 percent.", []),
    ("It saw the 2016 [Olm Games](https://a.example/r).", "It saw the 2016 Olm Games.", []),
    ("It met in 2016 [Olm Daily](https://a.example/r) too.", "It met in 2016 Olm Daily too.", []),
    ("It rose in 2016 [at Olm](https://a.example/r).", "It rose in 2016 at Olm.", []),
    ("It met 12 [Olm Heroes](https://a.example/r).", "It met 12 Olm Heroes.", []),
    ("It fell to [Olm](https://a.example/r).", "It fell to Olm.", []),
    ("It rose (https://a.example/r).", "It rose.", [(BARE, "", "https://a.example/r")]),
    ("It rose. (https://a.example/r) So.", "It rose.", [(BARE, "", "https://a.example/r")]),
    ("It rose <https://a.example/r>.", "It rose.", [(BARE, "", "https://a.example/r")]),
    ("It rose, see https://a.example/r.", "It rose, see.", [(BARE, "", "https://a.example/r")]),
    ("It rose. Source: https://a.example/r", "It rose.", [(BARE, "", "https://a.example/r")]),
    (
        "It rose (https://a.example/r, accessed 3 May 2024).",
        "It rose.",
        [(BARE, "", "https://a.example/r")],
    ),
    ("See www.a.example/r, it says.", "See, it says.", [(BARE, "", "https://www.a.example/r")]),
    ("It rose (doi:10.1234/ab.5).", "It rose.", [(DOI, "", "https://doi.org/10.1234/ab.5")]),
    (
        "It rose (http://dx.doi.org/10.1234/x(1)2).",
        "It rose.",
        [(DOI, "", "https://doi.org/10.1234/x(1)2")],
    ),
    ("Data are [here](data/t.csv).", "Data are here.", [(PATH, "", "data/t.csv")]),
    ("See [it](//a.example/r).", "See it.", [(LINK, "", "https://a.example/r")]),
    ("See [it](www.a.example/r).", "See it.", [(LINK, "", "https://www.a.example/r")]),
    ("See [it](doi:10.1234/ab).", "See it.", [(LINK, "", "https://doi.org/10.1234/ab")]),
    ("See [it](file:///t/x.csv).", "See it.", [(PATH, "", "file:///t/x.csv")]),
    ("See [it](ftp://a.example/r).", "See it.", [(LINK, "", "ftp://a.example/r")]),
    ("It rose [note][n].\n\n[n]: https://n.example", "It rose note.", []),
    ("It rose [1].\n\n[1]: https://n.example", "It rose.", [(NUMERIC, "1", "https://n.example")]),
]


def test_several_titles_after_a_value_cite_it_and_are_not_said() -> None:
    one, other = "[Olm Daily](https://a.example/1)", "[Board](https://b.example/2)"
    for between in (" ", ", ", "; "):
        document = parsed(f"It rose in 2024 {one}{between}{other}.")
        assert document.sentences[0].text == "It rose in 2024."
        assert len(document.citations) == 2


@pytest.mark.parametrize(("text", "plain", "found"), STANDING_ALONE)
def test_addresses_cite_by_themselves(text: str, plain: str, found: Found) -> None:
    document = parsed(text)
    expected = found or [(LINK, "n" if "[n]" in text else "", document.citations[0].target)]
    assert first(document) == expected
    assert document.sentences[0].text == plain


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("https://a.example/x_(y).", "https://a.example/x_(y)"),
        ("(https://a.example/x_(y)).", "https://a.example/x_(y)"),
        ("**https://a.example/x**", "https://a.example/x"),
        ("https://a.example/x?a=1&b=2;", "https://a.example/x?a=1&b=2"),
        ("https://a.example/x?a=1&amp;b=2", "https://a.example/x?a=1&b=2"),
        ("“https://a.example/x”", "https://a.example/x"),
        ("https://a.example/~olm/a_b_c", "https://a.example/~olm/a_b_c"),
        ("HTTPS://A.example/X", "HTTPS://A.example/X"),
        ("https://a.example/ü", "https://a.example/ü"),
        ("https://a.example/x。", "https://a.example/x"),
    ],
)
def test_an_address_ends_before_the_punctuation_around_it(written: str, target: str) -> None:
    [citation] = parsed(f"See it: {written}").citations
    assert citation.target == target


@pytest.mark.parametrize(
    "text",
    [
        "A [heading](#there) link and [5](#sec5).",
        "An image ![x](https://a.example/i.png) here.",
        "Code `https://a.example [1]` here.",
        "```\nhttps://a.example [1]\n```",
        "Mail <olm@a.example> or [us](mailto:olm@a.example).",
        "A [script](javascript:void0) link.",
        "An interval [0, 1] here.",
        "In [2020] it was so.",
        "It rose in May (2020) and (May 2020).",
        "It rose (Q1 2020) and (since 2020).",
        "A list[a] of x[i].",
        "Tokyo (2020) was late.",
        "- [ ] to do\n- [x] done",
        "Only http:// and https://. here.",
        "Too long: https://a.example/" + "x" * 5000,
        "It is told by linkgit:git-blame[1], by man:ls[1] and by xref:a/b.adoc[3].",
        "[[summary]]\n== Summary\n\n[[next]]\n\nIt rose.",
        "It gives ma.array([1, 2], mask=5) and f([3]).",
        "[Interviewer]: How high was it?",
        "It rose.[^1]\n\n[^1]: e. g. incremental reading, bars of progress, ...",
        "It rose [1].\n\n[1] The rise is that of the office alone.",
    ],
)
def test_these_are_no_citations(text: str) -> None:
    assert parsed(text).citations == ()


def test_a_citation_is_located_with_its_raw_text() -> None:
    text = "Ä 😀\r\nIt rose [1] here (https://a.example)."
    numeric, bare = parsed(text).citations
    assert (numeric.raw, numeric.line, numeric.column) == ("[1]", 2, 9)
    assert text[bare.start : bare.end] == bare.raw == "https://a.example"


def test_a_reference_carries_the_entrys_words() -> None:
    citation = parsed("It rose [3]." + LIST).citations[0]
    assert citation.reference == "A leaflet without an address, 2018."


def test_both_labels_count_when_markdown_reads_them_as_one_link() -> None:
    text = "It rose [1][2].\n\n[1]: https://one.example\n[2]: https://two.example\n"
    document = parsed(text)
    assert [one.target for one in document.citations[:2]] == [
        "https://one.example",
        "https://two.example",
    ]
    assert document.sentences[0].text == "It rose."


def test_a_power_is_no_citation_even_with_a_list() -> None:
    document = parsed("It is 10<sup>2</sup> m<sup>2</sup>." + LIST)
    assert document.sentences[0].text == "It is 10^2 m^2."


@pytest.mark.parametrize(("mark", "citations"), [("7", 0), ("2", 1)])
def test_what_is_raised_behind_a_bracket_is_a_citation_if_a_list_has_it(
    mark: str, citations: int
) -> None:
    document = parsed(f"It is (a + b)<sup>{mark}</sup> in all." + LIST)
    assert len([one for one in document.citations if one.form is NUMERIC]) == citations


def test_markers_between_sentences_leave_a_space() -> None:
    document = parsed("It rose.[1]Then it fell.")
    assert [one.text for one in document.sentences] == ["It rose.", "Then it fell."]


def test_two_brackets_after_a_point_are_a_range_or_nothing() -> None:
    assert parsed("Solaris 2.[45]-[46] runs here.").citations == ()
