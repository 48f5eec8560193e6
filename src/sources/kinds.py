"""How the bytes of a source are to be read: by its media type, its first bytes, its name."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from ..base.vocabulary import SourceState
from .failure import FetchFailed
from .policy import FetchPolicy, TextKind

# What servers send when they do not know.
_UNTELLING = frozenset(
    (
        "",
        "application/octet-stream",
        "binary/octet-stream",
        "application/binary",
        "application/download",
        "application/x-download",
        "application/force-download",
        "application/unknown",
    )
)
# Archives, pictures, films, programs and old office files, whatever they call themselves.
_BINARY = (
    *(
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"\x1f\x8b",
        b"7z\xbc\xaf",
        b"Rar!\x1a",
        b"BZh9",
        b"\x28\xb5\x2f\xfd",
    ),
    *(b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"OggS", b"ID3\x03", b"ID3\x04", b"\x00\x00\x00"),
    *(b"\x7fELF", b"MZ\x90", b"\xd0\xcf\x11\xe0", b"SQLite format 3\x00"),
)
_HTML_START = re.compile(
    rb"\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)


def may_be_read(media_type: str, policy: FetchPolicy) -> bool:
    """Whether a source of `media_type` is worth loading."""
    return media_type in _UNTELLING or _declared(media_type, policy) is not None


def kind_of(media_type: str, name: str, body: bytes, policy: FetchPolicy) -> TextKind | None:
    """How `body` is read, or None if it is nothing that holds text.

    Args:
        media_type: As declared, in lower case without parameters; may be empty.
        name: A path or file name; its suffix tells where the media type does not.
        body: The whole or the first 2,000 bytes.
        policy: Gives media types and suffixes.
    """
    head = body[:2000].removeprefix(b"\xef\xbb\xbf")
    if head.startswith(_BINARY):
        return None
    if b"%PDF-" in head[:1024]:
        return TextKind.PDF
    kind = _declared(media_type, policy)
    if kind is TextKind.PDF and _HTML_START.match(head):
        return TextKind.HTML
    if kind is not None or media_type not in _UNTELLING:
        return kind
    suffix = PurePosixPath(name).suffix.lower()
    if suffix in policy.suffixes:
        return policy.suffixes[suffix]
    if _HTML_START.match(head):
        return TextKind.HTML
    return TextKind.TEXT if _is_text(head) else None


def unsupported(media_type: str) -> FetchFailed:
    """The failure of a source that holds no text that can be read."""
    what = media_type[:80] or "its content"
    return FetchFailed(SourceState.UNSUPPORTED_TYPE, f"{what} is not a kind of text that is read")


def not_text(media_type: str) -> FetchFailed:
    """The failure of a source whose bytes are no text, whatever it calls itself."""
    called = f", though it is called {media_type[:80]}" if media_type else ""
    return FetchFailed(SourceState.UNSUPPORTED_TYPE, f"its content is not text{called}")


def _declared(media_type: str, policy: FetchPolicy) -> TextKind | None:
    if media_type.endswith("+json"):
        return TextKind.JSON
    return policy.media_types.get(media_type)


def _is_text(head: bytes) -> bool:
    """Whether the bytes are UTF-8 text; a character cut off at the end is no fault."""
    if not head or b"\x00" in head:
        return False
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(head) - 3
    return True
