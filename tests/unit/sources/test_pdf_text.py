from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from foureyes.datatypes import RatedSource, SourceState
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
