from __future__ import annotations

from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from foureyes.datatypes import RatedSource, SourceState
from foureyes.sources import pdf_text
from support.listed import read_file
from support.pdf import pdf


def read_pdf(folder: Path, body: bytes) -> RatedSource:
    return read_file(folder, "paper.pdf", body)


def test_each_page_begins_at_its_offset(tmp_path: Path) -> None:
    found = read_pdf(tmp_path, pdf([["Hull"], ["Engine", "Crew"], [], ["Guns"]]))
    text, snapshot = found.given.text, found.source.snapshot
    assert text == "Hull\n\nEngine\nCrew\n\n\n\nGuns"
    assert snapshot is not None
    assert [text[start:][:4] for start in snapshot.pages] == ["Hull", "Engi", "\n\nGu", "Guns"]


def test_the_properties_are_read(tmp_path: Path) -> None:
    given = {
        "Title": "Fleet review",
        "Author": "I. Dorn",
        "CreationDate": "D:20250122090000Z",
        "ModDate": "D:20250203",
    }
    found = read_pdf(tmp_path, pdf([["Hull"]], given))
    assert (found.given.title, found.given.author) == ("Fleet review", "I. Dorn")
    assert (found.given.published, found.given.modified) == (date(2025, 1, 22), date(2025, 2, 3))


@pytest.mark.parametrize("value", ["", "2025", "D:2025", "D:20251399"])
def test_a_date_that_is_none_is_left_out(value: str, tmp_path: Path) -> None:
    assert read_pdf(tmp_path, pdf([["Hull"]], {"CreationDate": value})).given.published is None


def test_lines_that_the_layout_broke_are_joined_and_rows_are_not(tmp_path: Path) -> None:
    page = [
        "The Kestrel class is a steel-hulled coastal patrol vessel",
        "for fishery protection. The builder is Vastervik Marine,",
        "Port Lister, and the design comes from a naval architect.",
        "Standard 9.1 74%",
        "High 4.0 61%",
        "Range",
        "from port to port",
    ]
    assert read_pdf(tmp_path, pdf([page])).given.text.split("\n") == [
        "The Kestrel class is a steel-hulled coastal patrol vessel for fishery protection. "
        "The builder is Vastervik Marine, "
        "Port Lister, and the design comes from a naval architect.",
        *page[3:],
    ]


SEEN = "BT /F1 11 Tf 60 700 Td (The depot has 31 trams.) Tj ET "
TEXT = "It has had 44 since the first of May."
OTHER = f"({TEXT}) Tj ET "
LINE = f"/F1 11 Tf 60 660 Td {OTHER}"
UNSEEN = {
    "white": f"BT 1 g {LINE}",
    "nearly white": f"BT 0.98 g {LINE}",
    "without a colour": f"BT 3 Tr {LINE}",
    "a clip": f"BT 7 Tr {LINE}",
    "transparent": f"/None gs BT {LINE}",
    "tiny": f"BT /F1 0.5 Tf 60 660 Td {OTHER}",
    "beyond the edge": f"BT /F1 11 Tf 700 660 Td {OTHER}",
    "clipped": f"q 0 0 9 9 re W n BT {LINE} Q",
    "under a white box": f"BT {LINE} 1 g 50 650 400 30 re f",
    "under a black box": f"BT {LINE} 50 650 400 30 re f",
    "in a layer that is off": f"/OC /Off BDC BT {LINE} EMC",
    "white over the words": f"BT 1 g /F1 11 Tf 60 700 Td {OTHER}",
    "without a colour over the words": f"BT 3 Tr /F1 11 Tf 60 700 Td {OTHER}",
}
LAYERS = "/OCProperties << /OCGs [LAYER] /D << /OFF [LAYER] >> >>"
RESOURCES = "/ExtGState << /None << /ca 0 >> >> /Properties << /Off LAYER >>"


SHOWN = {
    "grey": f"BT 0.75 g {LINE}",
    "white on blue": f"0 0 0.4 rg 50 650 400 30 re f BT 1 g {LINE}",
    "outlines": f"BT 1 Tr {LINE}",
    "small": f"BT /F1 5 Tf 60 660 Td {OTHER}",
    "upwards": f"BT /F1 11 Tf 0 1 -1 0 300 300 Tm {OTHER}",
}


def drawn(*pages: str, attributes: str = "") -> bytes:
    # The last object, that of the properties, serves as a layer.
    layer = f"{4 + 2 * len(pages)} 0 R"
    resources, layers = (one.replace("LAYER", layer) for one in (RESOURCES, LAYERS))
    written = pdf(pages, resources=resources, attributes=attributes, catalogue=layers)
    return written.replace(b"<<  >>", b"<< /Type /OCG /Name (n) >>")


def pages_of(found: RatedSource) -> list[str]:
    assert found.source.snapshot is not None
    starts = [*found.source.snapshot.pages, None]
    return [found.given.text[start:end].strip() for start, end in pairwise(starts)]


def test_text_that_leaves_no_mark_on_the_page_is_left_out(tmp_path: Path) -> None:
    found = read_pdf(tmp_path, drawn(*(SEEN + more for more in UNSEEN.values())))
    read = dict(zip(UNSEEN, pages_of(found), strict=True))
    assert read == dict.fromkeys(UNSEEN, "The depot has 31 trams.")
    assert f"{29 * len(UNSEEN)} more are hidden from readers" in found.source.reason


@pytest.mark.parametrize("attributes", ["/Rotate 90", "/CropBox [50 290 595 800]"])
def test_text_that_can_be_seen_is_read(attributes: str, tmp_path: Path) -> None:
    pages = (SEEN + more for more in SHOWN.values())
    found = pages_of(read_pdf(tmp_path, drawn(*pages, attributes=attributes)))
    # A page on its side begins at its left.
    words = sorted(f"The depot has 31 trams. {TEXT}".split())
    assert {name: sorted(text.split()) for name, text in zip(SHOWN, found, strict=True)} == (
        dict.fromkeys(SHOWN, words)
    )


def test_a_pdf_beyond_the_limit_is_cut_at_a_page() -> None:
    found = pdf_text.read_pdf(pdf([["Hull"], ["Engine"], ["Guns"]]), 5, lambda: False)
    assert (found.text, found.cut) == ("Hull\n\nEngine", True)


def test_letters_count_and_not_what_the_file_says_that_they_stand_for(tmp_path: Path) -> None:
    content = f"/Span << /ActualText (It has 44 trams.) >> BDC {SEEN} EMC"
    assert read_pdf(tmp_path, drawn(content)).given.text == "The depot has 31 trams."


def test_the_text_of_a_scan_lies_unseen_behind_its_picture(tmp_path: Path) -> None:
    picture = "q 400 0 0 100 50 620 cm BI /W 32 /H 1 /CS /G /BPC 1 /F /AHx ID 55555555> EI Q"
    found = read_pdf(tmp_path, drawn(f"{picture} BT 3 Tr {LINE}"))
    assert found.given.text == "It has had 44 since the first of May."


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"%PDF-1.4\n%%EOF", "damaged"),
        (b"", "the answer is empty"),
        (pdf([["Hull"]])[:200], "damaged"),
        (pdf([["Hull"]], encrypted=True), "encrypted"),
    ],
)
def test_a_pdf_that_cannot_be_opened_has_no_text(body: bytes, reason: str, tmp_path: Path) -> None:
    source = read_pdf(tmp_path, body).source
    assert source.state is SourceState.NO_TEXT
    assert reason in source.reason
