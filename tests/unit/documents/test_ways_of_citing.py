"""Every accepted way of citing: what is left of the sentence, and where the citation leads."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes.datatypes import CitationForm
from support.checking import parsed
from support.pdf import pdf

REMARKS = [
    ("Older fees may still hold. They were never published.", 0),
    ("The fee was never raised.", 0),
    ("The fee was raised: see [r](a.md).", 1),
    ("See [2], p. 5.\n\n## Sources\n\n[2] a.md", 1),
    ("Lund, A. (2024). Fees of the harbour.", 1),
    ("Annual report of the harbour, 2024.", 1),
]


@pytest.mark.parametrize(("note", "citations"), REMARKS)
def test_a_footnote_that_only_remarks_something_is_no_citation(note: str, citations: int) -> None:
    document = parsed(f"The fee was 4 euros[^1].\n\n[^1]: {note}\n")
    assert (
        len([one for one in document.citations if one.form is CitationForm.FOOTNOTE]) == citations
    )
    assert document.sentences[0].text == "The fee was 4 euros."


FEE = "The fee was 4 euros."
CITED: list[tuple[str, str, list[str]]] = [
    # A link in a bracket, with or without a page; groups.
    ("The fee was 4 euros ([r](a.md)).", "", ["a.md"]),
    ("The fee was 4 euros ([r](a.md), p. 3).", "", ["a.md"]),
    ("The fee was 4 euros ([a](a.md); [b](b.md), p. 3).", "", ["a.md", "b.md"]),
    ("The fee was 4 euros ([a](a.md), pp. 3-4; see also [b](b.md), ch. 2).", "", ["a.md", "b.md"]),
    # The short name of the file, which may be an article; the next sentence is one of its own.
    ("The fee was 4 euros [a](a.md). It is due.", "", ["a.md"]),
    ("The fee was 4 euros [A](shelf/a.md).", "", ["shelf/a.md"]),
    ("The fee was 4 euros ([r](<my file.md>)).", "", ["my file.md"]),
    ('The fee was 4 euros ([r](<my file.md> "Title")).', "", ["my file.md"]),
    ("The fee was 4 euros ([r](my%20file.md 'Title')).", "", ["my%20file.md"]),
    ("The fee was 4 euros ([r][x]).", "[x]: <my file.md>", ["my file.md"]),
    # Files and addresses written out.
    ("The fee was 4 euros (a.md).", "", ["a.md"]),
    ("The fee was 4 euros (<my file.md>).", "", ["my file.md"]),
    ("The fee was 4 euros (source: a.md, p. 3).", "", ["a.md"]),
    ("The fee was 4 euros (https://x.example/a).", "", ["https://x.example/a"]),
    ("The fee was 4 euros <https://x.example/a>.", "", ["https://x.example/a"]),
    ("The fee was 4 euros (doi:10.1000/182).", "", ["https://doi.org/10.1000/182"]),
    ("The fee was 4 euros (arXiv:2101.00001).", "", ["https://arxiv.org/abs/2101.00001"]),
    ("The fee was 4 euros (a.md:3).", "", ["a.md"]),
    ("The fee was 4 euros (a.md#L3-L5).", "", ["a.md"]),
    ("The fee was 4 euros (a.md, lines 3-5).", "", ["a.md"]),
    ("The fee was 4 euros (a.md, retrieved 3 May 2024).", "", ["a.md"]),
    ("The fee was 4 euros^[a.md].", "", ["a.md"]),
    ("The fee was 4 euros 【1†a.md】.", "", ["a.md"]),
    # Numbers and footnotes, with lists.
    ("The fee was 4 euros [1].", "## References\n\n[1] a.md", ["a.md"]),
    ("The fee was 4 euros [1].", "## References\n\n[1] <my file.md>", ["my file.md"]),
    ("The fee was 4 euros [1].", "## References\n\n[1] `a.md`", ["a.md"]),
    ("The fee was 4 euros [1].", "## Sources\n\n1. Fees of 2024. `sources/a.md`", ["sources/a.md"]),
    ("The fee was 4 euros [1].", "## Sources\n\n1. [Fees](<a.md>)", ["a.md"]),
    ("The fee was 4 euros [1]_.", "## Sources\n\n1. a.md", ["a.md"]),
    ("The fee was 4 euros<sup>1</sup>.", "## Sources\n\n1. a.md", ["a.md"]),
    ("The fee was 4 euros [1].", "[1]: https://x.example/a", ["https://x.example/a"]),
    ("The fee was 4 euros [1].", "## References\n\n[1] Lund, A. (2024). Fees. doi:10.1000/182",
     ["https://doi.org/10.1000/182"]),
    ("The fee was 4 euros [1].", "## References\n\n[1] Lund, A. (2024). Fees. arXiv:2101.00001",
     ["https://arxiv.org/abs/2101.00001"]),
    ("The fee was 4 euros.[^1]", "[^1]: a.md", ["a.md"]),
    ("The fee was 4 euros.[^1]", "[^1]: <my file.md>", ["my file.md"]),
    ("The fee was 4 euros.[^1]", "[^1]: Fees. <a.md> (accessed 2026-11-26)", ["a.md"]),
    ("The fee was 4 euros.[^fees]", "[^fees]: `a.md`", ["a.md"]),
    ("The fee was 4 euros.¹", "¹ a.md", ["a.md"]),
    ("The fee was 4 euros ¹.", "¹ a.md", ["a.md"]),
    ("The fee was 4 euros¹˒².", "¹ Fees, a.md, p. 3\n² b.md", ["a.md", "b.md"]),
    ("The fee was 4 euros.¹²", "## Notes\n\n1. a.md\n2. b.md", ["a.md", "b.md"]),
    ("The fee was 4 euros.^1^", "^1^ a.md", ["a.md"]),
    ("The fee was 4 euros【1】.", "【1】 a.md", ["a.md"]),
    ("The fee was 4 euros【1、2】.", "## Sources\n\n1. a.md\n2. b.md", ["a.md", "b.md"]),
    ("The fee was 4 euros [ref. 1].", "## References\n\n1. a.md", ["a.md"]),
    ("The fee was 4 euros [Source 1].", "## Sources\n\n1. a.md", ["a.md"]),
    ("The fee was 4 euros (see note 1).", "## Notes\n\n1. a.md", ["a.md"]),
    ("The fee was 4 euros [S1].", "## Sources\n\n- S1: a.md", ["a.md"]),
    ("The fee was 4 euros (S1).", "## Sources\n\n- S1: a.md", ["a.md"]),
    ("The fee was 4 euros.[a]", "[a] a.md", ["a.md"]),
    # Links and notes of other markups.
    ("The fee was 4 euros (`report <a.md>`_).", "", ["a.md"]),
    ("The fee was 4 euros, see `the report <a.md>`__.", "", ["a.md"]),
    ("The fee was 4 euros (report_).", ".. _report: a.md", ["a.md"]),
    ("The fee was 4 euros (`the report`_).", ".. _the report: a.md", ["a.md"]),
    ("The fee was 4 euros [#fees]_.", ".. [#fees] a.md", ["a.md"]),
    ("The fee was 4 euros [#]_.", ".. [#] a.md", ["a.md"]),
    ("The fee was 4 euros [#]_ [#]_.", ".. [#]\n   See a.md\n\n.. [#] b.md", ["a.md", "b.md"]),
    ("The fee was 4 euros [12]_.", ".. [12] a.md", ["a.md"]),
    # A bibliography of AsciiDoc.
    ("The fee was 4 euros <<1>>.", "Sources\n-------\n\n- [[[1]]] a.md", ["a.md"]),
    ("The fee was 4 euros <<lund>>.", "== References\n\n* [[[lund]]] Lund. Fees. a.md", ["a.md"]),
    # A note of reStructuredText that remarks something.
    ("The fee was 4 euros [#]_.", ".. [#]\n   The fee was never raised.", []),
    ("The fee was 4 euros [1]_.", ".. [1] The fee was never raised.", []),
    ("The fee was 4 euros [CIT2002]_.", ".. [CIT2002] Lund. Fees. a.md", ["a.md"]),
    ("The fee was 4 euros (link:a.md[report]).", "", ["a.md"]),
    ("The fee was 4 euros, see xref:a.md[the report].", "", ["a.md"]),
    ("The fee was 4 euros (<<a.md,report>>).", "", ["a.md"]),
    ("The fee was 4 euros (https://x.example/a[report]).", "", ["https://x.example/a"]),
    ("The fee was 4 euros.footnote:[a.md]", "", ["a.md"]),
    ("The fee was 4 euros.footnote:[See link:a.md[the report].]", "", ["a.md"]),
    ("The fee was 4 euros.^[See the [report](a.md), p. 3.]", "", ["a.md"]),
    ("The fee was 4 euros.^[Lund, Fees, a.md.]", "", ["a.md"]),
    ("The fee was 4 euros ([[a.md|report]]).", "", ["a.md"]),
    ("The fee was 4 euros (`a.md:12-14`).", "", ["a.md"]),
    ("The fee was 4 euros <cite>a.md</cite>.", "", ["a.md"]),
    ("The fee was 4 euros<ref>a.md</ref>.", "", ["a.md"]),
    ("The fee was 4 euros <sup>a.md</sup>.", "", ["a.md"]),
    ("The fee was 4 euros {{cite web|url=https://x.example/a}}.", "", ["https://x.example/a"]),
    # Files behind a word or a dash.
    ("The fee was 4 euros, cf. a.md.", "", ["a.md"]),
    ("The fee was 4 euros, per a.md.", "", ["a.md"]),
    ("The fee was 4 euros. — Report, a.md", "", ["a.md"]),
    # Authors, years and keys.
    ("The fee was 4 euros (Lund, 2024).", "## References\n\nLund, A. (2024). Fees. a.md", ["a.md"]),
    ("The fee was 4 euros (Lund, 2024, p. 3).", "## References\n\n- Lund, A. (2024). Fees. a.md",
     ["a.md"]),
    ("The fee was 4 euros [@lund2024].", "## References\n\n[@lund2024]: Lund, A. Fees. a.md",
     ["a.md"]),
    ("The fee was 4 euros [@lund2024].", "## References\n\n[@lund2024]: a.md", ["a.md"]),
    ("The fee was 4 euros [see @lund2024, p. 4; @berg20].",
     "## References\n\nLund, A. (2024). Fees. a.md\n\n[berg20] Berg. b.md", ["a.md", "b.md"]),
    ("The fee was 4 euros (Race jury, 2025b).",
     "## Sources\n\n- Race jury (2025a). Results. a.md\n- Race jury (2025b). Fees. b.md", ["b.md"]),
    # Short titles that a list or a closing line explains.
    ("The fee was 4 euros (*Register*).", "## Sources\n\n- *Register*: a.md", ["a.md"]),
    ("The fee was 4 euros (Register).", "## Sources\n\n- Register: [a](a.md)", ["a.md"]),
    ("The fee was 4 euros (*Register*; *Fee list*, p. 3).",
     "---\n\n*Register*: [a.md](a.md). *Fee list*: [b.md](b.md).", ["a.md", "b.md"]),
    # Words at the end that only cite.
    ("The fee was 4 euros [Source](a.md).", "", ["a.md"]),
    ("The fee was 4 euros [link](a.md).", "", ["a.md"]),
    ("The fee was 4 euros, see [here](a.md).", "", ["a.md"]),
    ("The fee was 4 euros; see also the [old register](a.md).", "", ["a.md"]),
    ("The fee was 4 euros [survey](a.md).", "", ["a.md"]),
    ("The fee was 4 euros [survey](a.md), [police](b.md) [report](c.md).", "",
     ["a.md", "b.md", "c.md"]),
    ("The fee was 4 euros [Fee Report 2024](a.md).", "", ["a.md"]),
    ("The fee was 4 euros [manual, ch. 3](a.md).", "", ["a.md"]),
    ('The fee was 4 euros [see there, section "Fees"](a.md).', "", ["a.md"]),
    ("The fee was 4 euros [PDF, 3 MB](a.md).", "", ["a.md"]),
    ("The fee was 4 euros [Lund's fees, 2016–2017](a.md).", "", ["a.md"]),
    # Brackets that say more of the source than its name.
    ("The fee was 4 euros ([minutes](a.md), item 4).", "", ["a.md"]),
    ("The fee was 4 euros (see the [project diary](a.md)).", "", ["a.md"]),
    ("The fee was 4 euros (Lund and Berg, [preliminary report](a.md)).", "", ["a.md"]),
    ("The fee was 4 euros (cf. [the report](a.md), Annex B).", "", ["a.md"]),
    ("The fee was 4 euros (Lund et al. 2023, [report](a.md)).", "", ["a.md"]),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "list_", "targets"), CITED)
def test_a_citation_is_no_part_of_the_sentence_and_leads_to_its_source(
    sentence: str, list_: str, targets: list[str]
) -> None:
    document = parsed(f"# Fees\n\n{sentence}\n\n{list_}\n")
    text = document.sentences[1]
    assert text.text == FEE
    assert [document.citations[one.citation].target for one in document.scopes[1]] == targets


@pytest.mark.parametrize(
    "sentence",
    [
        "The plan was drawn up by the [city council](c.md).",
        "It was published in [the annual report](c.md).",
        "The city has 12 [public wells](c.md).",
        "The dam is [safe](c.md).",
        "The dam [is 84 metres high](c.md).",
        "It grew in 2016 [at Olm](c.md).",
        "The mill made use of [steam](c.md).",
        "They published an annual travel [survey](c.md).",
        "The fee is 4 euros (from 3 in the [survey](c.md)).",
        "It was sold then (in the year of the [flood](c.md)).",
        "The fee fell by a third (which the [ministry](c.md) denies).",
        "He moved to the north (Norway, then [Oslo](c.md)).",
        "The signal is sent in [chapter 3](c.md).",
        "The fee is 4 euros (about 5 in the [survey](c.md)).",
        "The fee is 4 euros (fell 30 in the [survey](c.md)).",
        "From the pier you can [see the museum](c.md).",
        "The small tool then writes [HTML pages](c.md).",
        "The small tool then writes [PDF](c.md).",
        "It is told in the [source](c.md).",
        "Of all museums, see [this one](c.md) first.",
    ],
)
def test_words_of_a_link_that_belong_to_the_sentence_stay(sentence: str) -> None:
    document = parsed(f"# Fees\n\n{sentence}\n")
    plain = sentence.replace("[", "").replace("](c.md)", "")
    assert (document.sentences[1].text, document.citations[0].target) == (plain, "c.md")


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("Lund et al. (2023) found that the fee was 4 euros ([r](a.md)).",
         "Lund et al. found that the fee was 4 euros."),
        ("Lund (2023) found that the fee was 4 euros ([r](a.md)).",
         "Lund found that the fee was 4 euros."),
        ("According to Lund and Berg (2023), the fee was 4 euros ([r](a.md)).",
         "According to Lund and Berg, the fee was 4 euros."),
        ("In 2023 Lund found that the fee was 4 euros ([r](a.md)).",
         "In 2023 Lund found that the fee was 4 euros."),
        ("The Harbour Act (2023) sets the fee at 4 euros ([r](a.md)).",
         "The Harbour Act (2023) sets the fee at 4 euros."),
    ],
)  # fmt: skip
def test_the_year_of_a_work_that_a_sentence_speaks_of_is_no_part_of_it(
    sentence: str, text: str
) -> None:
    document = parsed(f"# Fees\n\n{sentence}\n")
    assert (document.sentences[1].text, document.citations[0].target) == (text, "a.md")


def test_the_words_of_a_link_of_another_markup_stay_apart_from_a_citation() -> None:
    document = parsed("# D\n\nRead mails[5], link:a.md[The Manual] and more.\n\n[5]: b.md\n")
    assert document.sentences[1].text == "Read mails, The Manual and more."


def test_a_key_that_is_the_subject_of_its_sentence_cites() -> None:
    document = parsed("# D\n\n@lund24 says it is 4 euros. Ask @arn.\n\n[@lund24]: a.md\n")
    assert [(one.raw, one.target) for one in document.citations[:1]] == [("@lund24", "a.md")]


@pytest.mark.parametrize(
    "text",
    [
        "The hall has 40 m² and 3 cm³, and E = mc² holds.\n\n## Notes\n\n2. a.md\n3. b.md",
        "Files end in self_ or class_ here.\n\n[other]: a.md",
        "It is `report <a.md>` in code, and so is `` `report <a.md>`_ ``.",
        "Call link:x[y] and then <<EOF.",
        "Mail @arn for it.",
        "It has one line per a.md and ends.",
        '--8<-- "a.md:what"',
        "Nothing speaks for it.\n\n- [report](a.md)\n- [survey](b.md)",
    ],
)
def test_signs_that_look_like_a_citation_stay(text: str) -> None:
    document = parsed(f"# D\n\n{text}\n")
    assert not document.scopes[1]


@pytest.mark.parametrize(
    ("title", "cell", "targets"),
    [
        ("Source", "a.md", ["a.md"]),
        ("References", "`a.md`, b.md, p. 3", ["a.md", "b.md"]),
        ("Source", "[report](a.md)", ["a.md"]),
        ("Source", "as a.md had it", []),
        ("File", "a.md", []),
    ],
)
def test_a_file_in_a_column_of_sources_is_cited_by_its_row(
    title: str, cell: str, targets: list[str]
) -> None:
    table = f"| What | Fee | {title} |\n|---|---|---|\n| fee | 4 euros | {cell} |\n"
    document = parsed(f"# Fees\n\n{table}")
    row = document.sentences[-1]
    assert [document.citations[one.citation].target for one in document.scopes[-1]] == targets
    assert row.text.startswith("fee | 4 euros |")
    assert ("a.md" in row.text) is not bool(targets)


@pytest.mark.parametrize("mark", ["[[1]](#x)", '<sup><a href="#x">1</a></sup>'])
def test_a_number_that_leads_to_no_note_is_named_and_no_figure(mark: str) -> None:
    document = parsed(f"# Fees\n\nThe fee was 4 euros{mark}.\n")
    (citation,) = document.citations
    assert document.sentences[1].text == FEE
    assert citation.label == "[1](#x) (its label is defined nowhere)"


def test_an_item_that_only_names_a_source_is_that_of_the_item_above() -> None:
    document = parsed("# Fees\n\n- The fee was 4 euros.\n  - Source: a.md\n- It rose.\n")
    assert [document.citations[one.citation].target for one in document.scopes[1]] == ["a.md"]


@pytest.mark.parametrize(
    "below",
    [
        "> — a.md",
        ">\n> — a.md",
        "> — Report, [a](a.md)",
        "> — Mary Ash, [report](a.md), p. 3",
        "> -- Report, a.md",
        "\n— a.md",
        "\n— [report](a.md)",
        ">\n> — [report](a.md)",
        "\n-- [report](a.md), p. 3",
        "\n— Mary Ash, [report](a.md)",
        "\n— Mary Ash [1]\n\n## References\n\n[1] a.md",
        "\nSource: [report](a.md)",
        "\nFrom the [report](a.md)",
        "\n([report](a.md))",
    ],
)
def test_a_block_quotation_is_held_to_the_source_below_it(below: str) -> None:
    document = parsed(f"# Dam\n\n> The dam is quite safe.\n{below}\n")
    assert [(quote.text, quote.sentence) for quote in document.quotes] == [
        ("The dam is quite safe.", 1)
    ]
    assert [document.citations[one.citation].target for one in document.scopes[1]] == ["a.md"]
    claims = [one for one in document.sentences if one.kind.makes_claims]
    assert [one.text for one in claims] == ["The dam is quite safe."]


@pytest.mark.parametrize(
    "text",
    [
        "> The dam is quite safe. See the [report](a.md).",
        "> [!NOTE]\n> The dam is quite safe.",
        "> The dam is quite safe.\n\nThe mill is old ([report](a.md)).",
    ],
)
def test_a_block_that_names_no_source_of_its_words_is_no_quotation(text: str) -> None:
    assert not parsed(f"# Dam\n\n{text}\n").quotes


@pytest.mark.parametrize(
    "form",
    [
        "\\cite{lund2024}",
        "[[fees]]",
        "[@lund2024]",
        "[FEES]_",
        "[#]_",
        "\\footnote{a.md}",
        "[fees][zz]",
        "【4:0†source】",
        "[Ada Lund, After the Fees, pp. 66-7]",
        "[Lund, *Fees*, p. xii]",
    ],
)
def test_a_form_that_leads_nowhere_is_named(form: str) -> None:
    document = parsed(f"# Fees\n\nThe fee was 4 euros {form}.\n")
    (citation,) = document.citations
    assert (document.sentences[1].text, citation.target) == (FEE, None)
    if citation.form is CitationForm.UNKNOWN:
        why = "its label is defined nowhere" if "zz" in form else "a form that is not read"
        assert citation.label == f"{form.replace('*', '')} ({why})"


@pytest.mark.parametrize(
    ("entry", "target"),
    [
        ("Lund, A. Fees of the Harbour, 2024.", "a.md"),
        ("Lund, A. (2024). Harbour fees. Olm Press.", "harbour-fees.pdf"),
        ("Lund, A. Fees, 2024.", None),
    ],
)
def test_an_entry_that_names_a_work_leads_to_the_source_with_its_title(
    entry: str, target: str | None, tmp_path: Path
) -> None:
    (tmp_path / "a.md").write_text("# Fees of the harbour\n\nThe fee is 4 euros.\n", "utf-8")
    (tmp_path / "harbour-fees.pdf").write_bytes(pdf([["The fee of the harbour is 4 euros."]]))
    document = parsed(
        f"# D\n\nThe fee was 4 euros [1].\n\n## References\n\n[1] {entry}\n", [tmp_path]
    )
    assert document.citations[0].target == target


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("[[survey]]", "notes/survey.md"),
        ("[[survey#Fees|the survey]]", "notes/survey.md"),
        ("[[Fees of the harbour]]", "a.md"),
        ("[[harbour]]", None),
        ("([the fees](fees of 2024.md))", "fees of 2024.md"),
        ("([the fees](fees of 2025.md))", None),
    ],
)
def test_a_link_of_a_wiki_or_with_blanks_leads_to_the_source_of_that_name(
    link: str, target: str | None, tmp_path: Path
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "a.md").write_text("# Fees of the harbour\n\nThe fee is 4 euros.\n", "utf-8")
    (tmp_path / "notes" / "survey.md").write_text("# Fees\n\nIt was 4 euros.\n", "utf-8")
    (tmp_path / "fees of 2024.md").write_text("# Report\n\nIt was 4 euros.\n", "utf-8")
    document = parsed(f"# D\n\nThe fee was 4 euros {link}.\n", [tmp_path])
    assert [one.target for one in document.citations] == [target]
    assert document.sentences[1].text == FEE


@pytest.mark.parametrize("heading", ["Notes", "Links", "Sources", "Further reading", "References"])
@pytest.mark.parametrize(
    "sentence",
    [
        "The mill changed from gas to oil in 1890 ([s](s.md)).",
        "All wards passed the inspection.",
        "The vaccine prevents illness in children [1].",
        "Exports rose by 5 percent in 2023 ([s](s.md)).",
    ],
)
def test_a_sentence_under_a_heading_of_sources_is_body(heading: str, sentence: str) -> None:
    document = parsed(f"# {heading}\n\n{sentence}\n")
    assert document.sentences[1].kind.makes_claims


@pytest.mark.parametrize(
    "entry",
    [
        "- [The long read](x.md), a story of the mill.",
        "- Lund, A. (2024). The mill changed hands. https://x.example",
        "- World Bank. Poverty and shared prosperity in the new century, 2020.",
        "- Revised edition of the handbook, published by Olm Press, 2001 ([pdf](x.pdf)).",
    ],
)
def test_an_entry_under_such_a_heading_is_none(entry: str) -> None:
    document = parsed(f"# Further reading\n\n{entry}\n")
    assert not document.sentences[1].kind.makes_claims


def test_a_sentence_ends_at_the_full_stop_behind_its_citation() -> None:
    text = (
        "It opens at 10:00 AM ([r](r.md)). On Sunday it opens at 9 p.m. ([r](r.md)). "
        "It was filed in the U.S. ([r](r.md)). At 9 a.m. Monday the mill opens. "
        "It closes at 5 PM. The gate stays open.\n"
    )
    assert [one.text for one in parsed(text).sentences] == [
        "It opens at 10:00 AM.",
        "On Sunday it opens at 9 p.m.",
        "It was filed in the U.S.",
        "At 9 a.m. Monday the mill opens.",
        "It closes at 5 PM.",
        "The gate stays open.",
    ]
