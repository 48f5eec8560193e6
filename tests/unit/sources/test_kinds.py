from __future__ import annotations

import pytest
from foureyes.sources.extraction import kind_of, may_be_read
from foureyes.sources.policy import FetchPolicy, TextKind

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
