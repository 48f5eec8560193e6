"""Writes small Word files for tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping
from xml.sax.saxutils import escape

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"


def paragraph(text: str, style: str = "", note: int | None = None) -> str:
    """A paragraph of `style` ("Heading1", …) that ends in a reference to footnote `note`."""
    look = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    mark = f'<w:r><w:footnoteReference w:id="{note}"/></w:r>' if note is not None else ""
    return f'<w:p>{look}<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r>{mark}</w:p>'


def table(rows: Iterable[Iterable[str]]) -> str:
    """A table of `rows` of cells."""
    cells = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def docx(*body: str, notes: Mapping[int, str] | None = None, doctype: str = "") -> bytes:
    """A Word file of the paragraphs and tables of `body`; `doctype` stands before the document."""
    footnotes = "".join(
        f'<w:footnote w:id="{number}">{paragraph(text)}</w:footnote>'
        for number, text in (notes or {}).items()
    )
    parts = {
        "[Content_Types].xml": _types(),
        "_rels/.rels": _relation("officeDocument", "word/document.xml"),
        "word/_rels/document.xml.rels": _relation("footnotes", "footnotes.xml"),
        "word/document.xml": doctype + _part("document", f"<w:body>{''.join(body)}</w:body>"),
        "word/footnotes.xml": _part("footnotes", footnotes),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, f'<?xml version="1.0"?>{text}')
    return packed.getvalue()


def _part(name: str, inner: str) -> str:
    return f'<w:{name} xmlns:w="{_WORD}">{inner}</w:{name}>'


def _relation(kind: str, target: str) -> str:
    inner = f'<Relationship Id="r1" Type="{_OFFICE}/{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{inner}</Relationships>'


def _types() -> str:
    inner = (
        '<Default Extension="rels"'
        ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_TYPE}.document.main+xml"/>'
    )
    return f'<Types xmlns="{_PACKAGE}/content-types">{inner}</Types>'
