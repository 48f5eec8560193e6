"""Which reader bytes go to, what it makes of them, and how it fails."""

from __future__ import annotations

import pickle
from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest
from foureyes import SettingsError
from foureyes.datatypes import SourceState
from foureyes.sources.failure import AddressRefused, FetchFailed
from foureyes.sources.local_files import LocalFile, LocalSources, read_local
from foureyes.sources.model import Extraction
from foureyes.sources.pdf_text import read_pdf
from foureyes.sources.policy import FetchPolicy, TextKind
from foureyes.sources.reading import extract, kind_of, may_be_read
from hypothesis import given
from hypothesis import strategies as st
from support.pdf import pdf


def utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def bounded(policy: FetchPolicy, **limits: int) -> FetchPolicy:
    return policy.model_copy(update={"limits": policy.limits.model_copy(update=limits)})


WIDE = "<html><body><p>" + "word " * 50 + "</p></body></html>"


def test_markdown_is_kept_as_it_is_and_gives_its_title(policy: FetchPolicy) -> None:
    body = b"---\nx: 1\n---\n# Kestrel *class*\r\n\r\nShe is **62 m** long. | a | b |\r\n"
    found = extract(body, TextKind.MARKDOWN, policy)
    assert found.text.endswith("# Kestrel *class*\n\nShe is **62 m** long. | a | b |\n")
    assert found.about.title == "Kestrel *class*"


FRONT = """---
title: "Kestrel: a *ship*"
author: R. Vane
Published: 2021-03-04T10:00:00Z
updated: 5 May 2022
tags: [ships]
---

# Kestrel

She is 62 m long.
"""


@pytest.mark.parametrize("kind", [TextKind.MARKDOWN, TextKind.TEXT])
def test_front_matter_tells_of_the_source_and_is_none_of_its_text(
    policy: FetchPolicy, kind: TextKind
) -> None:
    found = extract(utf8(FRONT), kind, policy)
    about = found.about
    assert found.text == "\n# Kestrel\n\nShe is 62 m long.\n"
    assert (about.title, about.author) == ("Kestrel: a *ship*", "R. Vane")
    assert (about.published, about.modified) == (date(2021, 3, 4), date(2022, 5, 5))


@pytest.mark.parametrize(
    ("line", "published", "modified"),
    [
        ("Published 14 February 2025", date(2025, 2, 14), None),
        ("**Last updated:** 3 March 2025", None, date(2025, 3, 3)),
        ("Published by the port, 30 June 2025 / Updated 1 July 2025", date(2025, 6, 30), None),
        ("The law was published on 14 February 2025.", None, None),
        # The title of a part, and not when the text was written.
        ("## Revised timetable from 3 March 2025", None, None),
        ("Published 14 February 2031", None, None),
        (f"Updated {'again and ' * 10}on 3 March 2025", None, None),
    ],
)
@pytest.mark.parametrize("kind", [TextKind.MARKDOWN, TextKind.TEXT])
def test_a_short_line_at_the_head_dates_a_text(
    policy: FetchPolicy, kind: TextKind, line: str, published: date | None, modified: date | None
) -> None:
    text = f"# Kestrel\n\n{line}\n\nShe is 62 m long.\n"
    found = extract(utf8(text), kind, policy, newest=date(2026, 11, 1))
    assert (found.about.published, found.about.modified) == (published, modified)
    assert found.text == text


def test_no_date_of_the_future_is_believed_of_front_matter(policy: FetchPolicy) -> None:
    found = extract(utf8(FRONT), TextKind.MARKDOWN, policy, newest=date(2021, 12, 31))
    assert (found.about.published, found.about.modified) == (date(2021, 3, 4), None)


@pytest.mark.parametrize(
    ("kind", "body", "text"),
    [
        (TextKind.TEXT, b"# no title\x00", "# no title"),
        (TextKind.JSON, b'{"crew": 34}', '{"crew": 34}'),
        (TextKind.CSV, b"ship,crew\nKestrel,34", "ship | crew\nKestrel | 34"),
        (TextKind.TEXT, "Grüße".encode("cp1252"), "Grüße"),
    ],
)
def test_plain_kinds_are_read_as_text(
    policy: FetchPolicy, kind: TextKind, body: bytes, text: str
) -> None:
    assert extract(body, kind, policy, charset="latin-1") == Extraction(text)


def test_a_page_and_a_pdf_are_read_by_their_readers(policy: FetchPolicy) -> None:
    page = extract(b"<title>K</title><p>62 m", TextKind.HTML, policy, newest=date.today())
    paper = extract(pdf([["Hull"], ["Crew"]]), TextKind.PDF, policy)
    assert (page.text, page.about.title) == ("62 m", "K")
    assert page.signals is not None
    assert (paper.text, paper.pages) == ("Hull\n\nCrew", (0, 6))


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (TextKind.TEXT, b"word " * 50),
        (TextKind.CSV, b"word,word\n" * 50),
        (TextKind.HTML, WIDE.encode()),
        (TextKind.PDF, pdf([["word " * 5]] * 9)),
    ],
)
def test_text_is_cut_at_the_bound_and_says_so(
    policy: FetchPolicy, kind: TextKind, body: bytes
) -> None:
    policy = policy.model_copy(
        update={"limits": policy.limits.model_copy(update={"text_characters": 100})}
    )
    found = extract(body, kind, policy, newest=date.today())
    assert (len(found.text), found.cut) == (100, True)
    assert all(start <= 100 for start in found.pages)


@pytest.mark.parametrize(
    ("kind", "body", "reason"),
    [
        (TextKind.TEXT, b" \n\x00", "no text in the text"),
        (TextKind.HTML, b"<html><body><img src=a.png></body></html>", "no text in the html"),
        (TextKind.PDF, pdf([[], []]), "no text in the pdf"),
        (TextKind.PDF, b"%PDF-1.4 broken", "damaged"),
    ],
)
def test_nothing_to_read_is_no_text(
    policy: FetchPolicy, kind: TextKind, body: bytes, reason: str
) -> None:
    with pytest.raises(FetchFailed, match=reason) as caught:
        extract(body, kind, policy, newest=date.today())
    assert caught.value.state is SourceState.NO_TEXT


def test_markup_beyond_its_bound_is_not_parsed(policy: FetchPolicy) -> None:
    policy = policy.model_copy(
        update={"limits": policy.limits.model_copy(update={"markup_bytes": 100})}
    )
    with pytest.raises(FetchFailed, match="larger than 100 bytes") as caught:
        extract(WIDE.encode(), TextKind.HTML, policy)
    assert caught.value.state is SourceState.TOO_LARGE


def test_a_date_after_the_fetch_is_not_believed(policy: FetchPolicy) -> None:
    body = pdf([["Hull"]], {"CreationDate": "D:20310101", "ModDate": "D:20250101"})
    found = extract(body, TextKind.PDF, policy, newest=date(2026, 11, 1))
    assert (found.about.published, found.about.modified) == (None, date(2025, 1, 1))


@given(
    kind=st.sampled_from(TextKind),
    body=st.one_of(st.binary(max_size=300), st.text(max_size=100).map(utf8)),
    charset=st.sampled_from(["", "utf-8", "utf-16", "utf-7", "shift_jis", "idna", "hex"]),
)
def test_no_bytes_break_the_readers(
    policy: FetchPolicy, kind: TextKind, body: bytes, charset: str
) -> None:
    with suppress(FetchFailed):
        found = extract(body, kind, policy, charset=charset, newest=date(2026, 11, 1))
        assert found.text.encode()


def test_a_fault_of_a_parser_is_named_and_not_passed_on(policy: FetchPolicy) -> None:
    with pytest.raises(FetchFailed, match=r"its html could not be read \(ValueError\)"):
        extract(b"<title>Hull</title>", TextKind.HTML, policy, url="https://[")


def test_reading_a_pdf_stops_after_the_page_that_passes_the_bound() -> None:
    found = read_pdf(pdf([["Hull" * 10], ["Engine" * 10], ["Crew"]]), 50, lambda: False)
    assert len(found.pages) == 2


def test_reading_a_pdf_can_be_given_up() -> None:
    with pytest.raises(FetchFailed, match="too long"):
        read_pdf(pdf([["Hull"]]), 1000, lambda: True)


PAGE = b"\n<!-- made by hand -->\n<!DOCTYPE html><html><p>Words</p></html>"
PDF = b"%PDF-1.7 ..."


@pytest.mark.parametrize(
    ("media_type", "name", "body", "kind"),
    [
        ("text/html", "/report.pdf", PAGE, TextKind.HTML),
        ("text/plain", "/a", PAGE, TextKind.TEXT),
        ("application/hal+json", "/a", b"{}", TextKind.JSON),
        ("text/csv", "/a", b"a,b", TextKind.CSV),
        # The bytes know better than the server.
        ("text/html", "/report", PDF, TextKind.PDF),
        ("application/pdf", "/report.pdf", PAGE, TextKind.HTML),
        ("image/png", "/report", b"junk\n" + PDF, TextKind.PDF),
        # Servers that do not know.
        ("application/octet-stream", "/notes.MD", b"# Notes", TextKind.MARKDOWN),
        ("application/octet-stream", "/a.bin", PAGE, TextKind.HTML),
        ("", "/a", b"\xef\xbb\xbf<html><p>x</p></html>", TextKind.HTML),
        ("", "/LICENSE", "Grüße".encode(), TextKind.TEXT),
        ("", "/a", b"Gr" + "ü".encode()[:1], TextKind.TEXT),
        ("", "/a", b"Gr\xfc\xdfe an alle", None),
        ("", "/a", b"PK\x03\x04\x00\x00", None),
        ("", "/a", b"", None),
        ("image/png", "/a.txt", b"\x89PNG", None),
    ],
)
def test_bytes_are_read_as_what_they_are(
    packaged_policy: FetchPolicy, media_type: str, name: str, body: bytes, kind: TextKind | None
) -> None:
    assert kind_of(media_type, name, body, packaged_policy) is kind


@pytest.mark.parametrize(
    ("media_type", "worth_it"),
    [("text/html", True), ("", True), ("application/vnd.api+json", True), ("video/mp4", False)],
)
def test_a_media_type_tells_whether_loading_is_worth_it(
    packaged_policy: FetchPolicy, media_type: str, worth_it: bool
) -> None:
    assert may_be_read(media_type, packaged_policy) is worth_it


@pytest.mark.parametrize(
    "start", [b"PK\x03\x04", b"\x1f\x8b", b"\x89PNG", b"\xff\xd8\xff", b"\x7fELF"]
)
@pytest.mark.parametrize("media_type", ["text/html", "text/plain", ""])
def test_binary_files_are_no_text_whatever_they_call_themselves(
    packaged_policy: FetchPolicy, start: bytes, media_type: str
) -> None:
    assert kind_of(media_type, "a.html", start + b"words", packaged_policy) is None


@pytest.mark.parametrize(
    "failure",
    [
        FetchFailed(SourceState.RATE_LIMITED, "the server answered 429", True, 3.0),
        AddressRefused("localhost is a name of the local network"),
    ],
)
def test_a_failure_survives_pickling(failure: FetchFailed) -> None:
    copy = pickle.loads(pickle.dumps(failure))
    assert type(copy) is type(failure)
    assert (copy.state, copy.reason, str(copy)) == (failure.state, failure.reason, failure.reason)
    assert (copy.transient, copy.retry_after) == (failure.transient, failure.retry_after)


def test_a_local_file_is_read_within_the_bound(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("notes")
    file = LocalFile(tmp_path / "notes.txt", "notes.txt", None)
    assert read_local(file, 5) == b"notes"
    with pytest.raises(FetchFailed, match="larger than 4 bytes"):
        read_local(file, 4)


def test_a_local_file_that_has_gone_is_dead(tmp_path: Path) -> None:
    with pytest.raises(FetchFailed, match="cannot be read") as caught:
        read_local(LocalFile(tmp_path / "gone.txt", "gone.txt", None), 5)
    assert caught.value.state is SourceState.DEAD


def test_local_files_are_given_the_listed_ones_first_and_no_strange_address_breaks_it(
    tmp_path: Path,
) -> None:
    for name in ("a.md", "notes.txt"):
        (tmp_path / name).write_text("notes")
    (tmp_path / "sources.yaml").write_text("- file: notes.txt\n")
    local = LocalSources([tmp_path])
    assert [file.name for file in local.files()] == ["notes.txt", "a.md"]
    assert local.find("mailto:ann@tarvia.example") is None
    for target in ("", "#part", "file://[x/notes.txt"):
        with pytest.raises(FetchFailed) as caught:
            local.find(target)
        assert caught.value.state is SourceState.REFUSED_BY_POLICY


def test_a_root_must_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("notes")
    with pytest.raises(SettingsError, match="is not a folder"):
        LocalSources([tmp_path / "notes.txt"])


def test_a_folder_is_known_by_the_name_of_a_link_to_it(tmp_path: Path) -> None:
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "notes.txt").write_text("notes")
    (tmp_path / "linked").symlink_to(tmp_path / "sources")
    local = LocalSources([tmp_path / "linked"])
    assert local.find("linked/notes.txt") == local.find("sources/notes.txt") is not None
