"""Documents of every kind become one reading copy in which each place can be found again."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from foureyes import DocumentError
from foureyes.datatypes import Original, OriginalKind
from foureyes.review.originals import read_original
from support.docx import docx, paragraph, table
from support.pdf import pdf

HTML = """<!doctype html><title>Plan</title><style>p {}</style>
<h1>Harbour</h1><p>A &lt;b&gt; is <b>no tag</b> here, 3 * 4 is 12.</p>
<h2>Costs</h2><ul><li>Quay: 4 million<li>Crane: 2 million</ul>
<table><tr><th>Place<th>2024<tr><td>Alden<td>1,204</table>
<script>alert(1)</script><img src="x.png" alt="The quay"><p>See <a href="https://e.org/x">it</a>.
"""
# Each entity is ten of the one before it.
LAUGHS = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
DOCTYPE = f'<!DOCTYPE w [<!ENTITY a0 "ha">{LAUGHS}]>'
LAUGH = "<w:p><w:r><w:t>&a9;</w:t></w:r></w:p>"


def _read(folder: Path, name: str, content: str | bytes) -> Original:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_original(path)


def _sentences(original: Original) -> list[str]:
    return [sentence.text for sentence in original.document.sentences]


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.md", "# Plan\n\nThe quay is old.\n", OriginalKind.MARKDOWN),
        ("a.txt", "The quay is old.\n", OriginalKind.TEXT),
        ("a", "The quay is old.\n", OriginalKind.TEXT),
        ("a.html", "<p>The quay is old.", OriginalKind.HTML),
        ("a.txt", "<!DOCTYPE html><p>The quay is old.", OriginalKind.HTML),
        ("a.pdf", pdf([["The quay is old."]]), OriginalKind.PDF),
        ("a.docx", docx(paragraph("The quay is old.")), OriginalKind.DOCX),
        ("a", docx(paragraph("The quay is old.")), OriginalKind.DOCX),
    ],
)
def test_the_content_tells_the_kind(
    tmp_path: Path, name: str, content: str | bytes, kind: OriginalKind
) -> None:
    original = _read(tmp_path, name, content)
    assert original.kind is kind
    assert "The quay is old." in _sentences(original)


def test_a_page_keeps_its_headings_lists_tables_and_links_and_nothing_unseen(
    tmp_path: Path,
) -> None:
    original = _read(tmp_path, "plan.html", HTML)
    assert _sentences(original)[:2] == ["Harbour", "A <b> is no tag here, 3 * 4 is 12."]
    assert {"Quay: 4 million", "Place | 2024", "Alden | 1,204"} <= set(_sentences(original))
    assert [citation.target for citation in original.document.citations] == ["https://e.org/x"]
    assert "The quay" in original.text
    assert "alert" not in original.text
    assert "p {}" not in original.text


def test_a_link_within_a_page_leads_somewhere_if_the_page_has_the_place(tmp_path: Path) -> None:
    links = "<a href=#cost>cost</a> <a href=#of%20it>rest</a> <a href=#top>up</a>"
    page = f"<h1>Plan</h1><p>{links} <a href=#gone>gone</a></p><a name=cost></a><p id='of it'>It."
    original = _read(tmp_path, "plan.html", page)
    assert original.text.split("\n")[2] == "cost rest up [gone](#gone)"


def test_a_word_document_keeps_headings_tables_and_footnotes(tmp_path: Path) -> None:
    body = (
        paragraph("Harbour", "Heading1"),
        paragraph("The ferry carried 12_000 people.", note=1),
        table([("Place", "2024"), ("Alden", "1,204")]),
    )
    original = _read(tmp_path, "plan.docx", docx(*body, notes={1: "Annual report, p. 4."}))
    assert original.document.title == "Harbour"
    assert _sentences(original)[1:] == [
        "The ferry carried 12_000 people.",
        "Place | 2024",
        "Alden | 1,204",
        "Annual report, p. 4.",
    ]
    assert "people.[^1]" in original.text
    assert "[^1]: Annual report" in original.text


def run(text: str, look: str = "") -> str:
    return f"<w:r><w:rPr>{look}</w:rPr><w:t>{text}</w:t></w:r>"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (run("Hidden.", "<w:vanish/>"), ""),
        (run("Shown.", '<w:vanish w:val="false"/>'), " Shown."),
        (run("White.", '<w:color w:val="FFFFFF"/>'), ""),
        (run("Shaded.", '<w:color w:val="FFFFFF"/><w:highlight w:val="black"/>'), " Shaded."),
        (run("Nearly white.", '<w:color w:val="FEFEFE"/>'), ""),
        (run("Paper.", '<w:color w:val="auto" w:themeColor="background1"/>'), ""),
        (run("White.", '<w:color w:val="FFFFFF"/><w:shd w:fill="FFFFFF"/>'), ""),
        (run("Black.", '<w:color w:val="000000"/><w:shd w:fill="000000"/>'), ""),
        (run("Blue.", '<w:color w:val="FFFFFF"/><w:shd w:fill="0000AA"/>'), " Blue."),
        (run("Text.", '<w:color w:val="000000" w:themeColor="text1"/>'), " Text."),
        (run("Tiny.", '<w:sz w:val="2"/>'), ""),
        (run("Struck.", "<w:strike/>"), " ~~Struck.~~"),
        (run("Struck.", "<w:dstrike/>"), " ~~Struck.~~"),
        ("<w:del><w:r><w:delText>Deleted.</w:delText></w:r></w:del>", ""),
        (f"<w:ins>{run('Inserted.')}</w:ins>", " Inserted."),
        (f"<w:moveFrom>{run('Moved.')}</w:moveFrom>", ""),
    ],
)
def test_of_a_word_document_what_is_seen_counts(body: str, text: str, tmp_path: Path) -> None:
    paragraphs = f"<w:p>{run('The quay is old. ')}{body}</w:p>"
    original = _read(tmp_path, "plan.docx", docx(paragraphs))
    assert original.text == f"The quay is old.{text}\n"


def test_a_hidden_row_of_a_word_table_is_not_read(tmp_path: Path) -> None:
    rows = table([["Kept.", "1"], ["Hidden.", "2"]])
    first, last = rows.split("<w:tr>")[1:]
    hidden = f"<w:tbl><w:tr>{first}<w:tr><w:trPr><w:hidden/></w:trPr>{last}"
    text = _read(tmp_path, "plan.docx", docx(paragraph("The quay."), hidden)).text
    assert ("Kept." in text, "Hidden." in text) == (True, False)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p style='display:none'>Hidden.</p>", ""),
        ("<style>.z{color:#fff}</style><p class=z>White.</p>", ""),
        ("<!-- Comment. --><p hidden>Hidden.</p>", ""),
        ("<p><s>Struck.</s></p>", "\n\n~~Struck.~~"),
        ("<p><b>Shown.</b></p>", "\n\n**Shown.**"),
    ],
)
def test_of_a_page_what_is_seen_counts(body: str, text: str, tmp_path: Path) -> None:
    original = _read(tmp_path, "plan.html", f"<html><body><p>The quay is old.</p>{body}")
    assert original.text == f"The quay is old.{text}\n"


@pytest.mark.parametrize(
    ("name", "content", "quote", "place"),
    [
        ("a.md", "# Plan\n\nOne.\nThe quay is old.\n", "The quay", "line 4"),
        ("a.pdf", pdf([["One."], ["Two."], ["The quay is old."]]), "The quay", "page 3"),
        ("a.html", "<h1>A</h1><h2>Costs</h2><p>The quay.", "The quay", "“Costs”, line 5 of"),
        ("a.docx", docx(paragraph("The quay is old.")), "The quay", "line 1"),
    ],
)
def test_a_place_is_told_as_a_person_finds_it(
    tmp_path: Path, name: str, content: str | bytes, quote: str, place: str
) -> None:
    original = _read(tmp_path, name, content)
    assert original.place(original.text.index(quote)).startswith(place)


def _packed(name: str, content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.docx", docx(paragraph("x"))[:400], "damaged"),
        ("a.docx", _packed("word/document.xml", b"<w:document"), "damaged"),
        ("a.docx", docx(*["<w:p>"] * 30_000), "damaged"),
        ("a.docx", docx(LAUGH, doctype=DOCTYPE), "damaged"),
        ("a.docx", _packed("content.xml", b"<a/>"), "no Word document"),
        ("a.docx", _packed("word/document.xml", b" " * 210_000_000), "unpacks to"),
        ("a.xlsx", _packed("xl/workbook.xml", b"<a/>"), "of a kind that is not read"),
        ("a.doc", b"\xd0\xcf\x11\xe0" + b"\x00" * 600, "of a kind that is not read"),
        ("a.pdf", pdf([["x"]], encrypted=True), "encrypted"),
        ("a.pdf", b"%PDF-1.4\nnothing", "damaged"),
        ("a.pdf", pdf([[]]), "holds no text"),
        ("a.html", "<script>x</script>", "holds no text"),
        ("a.html", "<div>" * 3_000 + "x", "nested too deeply"),
        ("a.txt", b"\xff\x41", "not UTF-8"),
        ("a.txt", b"\xff\xfe\x41\x00", "UTF-16"),
        ("a.md", b"", "is empty"),
    ],
)
def test_what_cannot_be_read_is_named_with_what_to_do(
    tmp_path: Path, name: str, content: str | bytes, says: str
) -> None:
    with pytest.raises(DocumentError, match=says) as failed:
        _read(tmp_path, name, content)
    assert name in failed.value.message
    assert failed.value.hint
