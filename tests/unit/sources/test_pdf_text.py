from __future__ import annotations

from datetime import date

import pytest
from foureyes.datatypes import SourceState
from foureyes.sources.failure import FetchFailed
from foureyes.sources.pdf_text import read_pdf
from support.pdf import pdf


def never() -> bool:
    return False


def test_each_page_begins_at_its_offset() -> None:
    found = read_pdf(pdf([["Hull"], ["Engine", "Crew"], [], ["Guns"]]), 1000, never)
    assert found.text == "Hull\n\nEngine\nCrew\n\n\n\nGuns"
    assert [found.text[start:][:4] for start in found.pages] == ["Hull", "Engi", "\n\nGu", "Guns"]


def test_the_properties_are_read() -> None:
    given = {
        "Title": "Fleet review",
        "Author": "I. Dorn",
        "CreationDate": "D:20250122090000Z",
        "ModDate": "D:20250203",
    }
    found = read_pdf(pdf([["Hull"]], given), 1000, never)
    assert (found.about.title, found.about.author) == ("Fleet review", "I. Dorn")
    assert (found.about.published, found.about.modified) == (date(2025, 1, 22), date(2025, 2, 3))


@pytest.mark.parametrize("value", ["", "2025", "D:2025", "D:20251399"])
def test_a_date_that_is_none_is_left_out(value: str) -> None:
    assert read_pdf(pdf([["Hull"]], {"CreationDate": value}), 1000, never).about.published is None


def test_lines_that_the_layout_broke_are_joined_and_rows_are_not() -> None:
    page = [
        "The Kestrel class is a steel-hulled coastal patrol vessel",
        "for fishery protection. The builder is Vastervik Marine,",
        "Port Lister, and the design comes from a naval architect.",
        "Standard 9.1 74%",
        "High 4.0 61%",
        "Range",
        "from port to port",
    ]
    assert read_pdf(pdf([page]), 1000, never).text.split("\n") == [
        "The Kestrel class is a steel-hulled coastal patrol vessel for fishery protection. "
        "The builder is Vastervik Marine, "
        "Port Lister, and the design comes from a naval architect.",
        *page[3:],
    ]


def test_reading_stops_after_the_page_that_passes_the_bound() -> None:
    found = read_pdf(pdf([["Hull" * 10], ["Engine" * 10], ["Crew"]]), 50, never)
    assert len(found.pages) == 2


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"%PDF-1.4\n%%EOF", "damaged"),
        (b"", "damaged"),
        (pdf([["Hull"]])[:200], "damaged"),
        (pdf([["Hull"]], encrypted=True), "encrypted"),
    ],
)
def test_a_pdf_that_cannot_be_opened_has_no_text(body: bytes, reason: str) -> None:
    with pytest.raises(FetchFailed, match=reason) as caught:
        read_pdf(body, 1000, never)
    assert caught.value.state is SourceState.NO_TEXT


def test_reading_can_be_given_up() -> None:
    with pytest.raises(FetchFailed, match="too long"):
        read_pdf(pdf([["Hull"]]), 1000, lambda: True)
