"""The document under review, read from what people write in: Markdown, text, HTML, PDF, DOCX.

Whatever its kind, an original becomes one Markdown text, the reading copy, in which every quote and
line number of a review stands. `Original.place` says where a person finds it in the original.
"""

from __future__ import annotations

import bisect
import hashlib
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from ..base.errors import DocumentError
from ..base.files import decode_document, document_name, read_document_bytes
from ..documents.model import Document
from ..documents.parse import parse_document, require_few_brackets
from ..documents.source import line_starts
from ..sources.failure import FetchFailed

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mkd"})
_HTML = frozenset({".html", ".htm", ".xhtml"})
MOST_CHARACTERS = 20_000_000
"""Of a reading copy; what an original unpacks to may be ten times that, in bytes."""


class OriginalKind(StrEnum):
    """How an original was read."""

    MARKDOWN = "markdown"
    TEXT = "text"
    HTML = "html"
    PDF = "pdf"
    DOCX = "docx"


@dataclass(frozen=True)
class Original:
    """A document as it was given, and its reading copy.

    `sha256` is that of the file's bytes, `text` the reading copy. `pages` are the offsets at which
    the pages of a PDF begin in it, empty for other kinds.
    """

    name: str
    kind: OriginalKind
    sha256: str
    text: str
    pages: tuple[int, ...] = ()

    @cached_property
    def document(self) -> Document:
        """The reading copy parsed, which takes half a second for a hundred pages."""
        return parse_document(self.text)

    @property
    def line_starts(self) -> tuple[int, ...]:
        """The offset of the first character of each line of the reading copy."""
        return self._line_starts

    @cached_property
    def _line_starts(self) -> tuple[int, ...]:
        return line_starts(self.text)

    def place(self, offset: int) -> str:
        """Where a person finds the character at `offset`: the page of a PDF, the heading of a page.

        Lines are those of the reading copy, which in Markdown and text are the original's own.
        """
        line = f"line {bisect.bisect_right(self.line_starts, offset)}"
        match self.kind:
            case OriginalKind.MARKDOWN | OriginalKind.TEXT:
                return line
            case OriginalKind.PDF:
                return f"page {bisect.bisect_right(self.pages, offset)}"
            case OriginalKind.HTML | OriginalKind.DOCX:
                heading = self._heading(offset)
                return f"“{heading}”, {line} of the reading copy" if heading else line

    def _heading(self, offset: int) -> str:
        sentences = self.document.sentences
        at = bisect.bisect_right(sentences, offset, key=lambda sentence: sentence.start) - 1
        path = sentences[at].section if at >= 0 else ()
        return path[-1] if path else ""


def read_original(path: Path) -> Original:
    """Read the document at `path`, whatever its kind; the bytes tell, then the suffix.

    Raises:
        DocumentError: It is missing, unreadable, empty, too large, damaged, encrypted, without
            text, not UTF-8, or of a kind that is not read.
    """
    data = read_document_bytes(path)
    return _read(path, data, _kind(path, data))


def _read(path: Path, data: bytes, kind: OriginalKind) -> Original:
    pages: tuple[int, ...] = ()
    name = document_name(path)
    match kind:
        case OriginalKind.MARKDOWN | OriginalKind.TEXT:
            text = decode_document(data, name)
        case OriginalKind.PDF:
            text, pages = _pdf(path, data)
        case OriginalKind.HTML | OriginalKind.DOCX:
            # Converters take longest to load of all that this package uses.
            from ._conversion import as_markdown

            text = as_markdown(data, name, MOST_CHARACTERS, word=kind is OriginalKind.DOCX)
    if not text.strip():
        raise DocumentError(f"{name!r} holds no text", "a scan needs text recognition first")
    require_few_brackets(text, name)
    return Original(path.name, kind, hashlib.sha256(data).hexdigest(), text, pages)


def read_text_or_page(path: Path) -> Original:
    """The document at `path`, which is text or a page of HTML.

    Raises:
        DocumentError: It is neither, or cannot be read.
    """
    data = read_document_bytes(path)
    kind = OriginalKind.HTML if _looks_like_html(path, data) else OriginalKind.TEXT
    return _read(path, data, kind)


def read_as_text(path: Path) -> str:
    """The text of the document at `path`, of a page of HTML its reading copy.

    Raises:
        DocumentError: It is neither text nor HTML, or cannot be read.
    """
    return read_text_or_page(path).text


def _kind(path: Path, data: bytes) -> OriginalKind:
    suffix = path.suffix.lower()
    if b"%PDF-" in data[:1024]:
        return OriginalKind.PDF
    if data.startswith(_ZIP) and suffix in ("", ".docx", ".docm", ".dotx"):
        return OriginalKind.DOCX
    if data.startswith((_ZIP, _OLE)):
        raise DocumentError(
            f"{str(path)!r} is of a kind that is not read",
            "save it as DOCX, PDF, HTML, Markdown or text",
        )
    if _looks_like_html(path, data):
        return OriginalKind.HTML
    return OriginalKind.MARKDOWN if suffix in _MARKDOWN else OriginalKind.TEXT


def _looks_like_html(path: Path, data: bytes) -> bool:
    begins = data[:200].lstrip().lower()
    return path.suffix.lower() in _HTML or begins.startswith((b"<!doctype html", b"<html"))


def _pdf(path: Path, data: bytes) -> tuple[str, tuple[int, ...]]:
    from ..sources.pdf_text import read_pdf

    try:
        pdf = read_pdf(data, MOST_CHARACTERS, lambda: False)
    except FetchFailed as failure:
        raise DocumentError(
            f"{str(path)!r}: {failure.reason}", "open and save it anew, without a password"
        ) from failure
    if pdf.cut:
        raise DocumentError(
            f"{str(path)!r} is longer than {len(pdf.text):,} characters", "split it"
        )
    return pdf.text, pdf.pages
