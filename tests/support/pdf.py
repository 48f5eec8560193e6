"""Writes small PDF files for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LOCK = "<< /Filter /Standard /V 1 /R 2 /P -4 /O <{0}> /U <{0}> >>".format("5a" * 32)


def pdf(
    pages: Sequence[Sequence[str] | str],
    properties: Mapping[str, str] | None = None,
    *,
    encrypted: bool = False,
    resources: str = "",
    attributes: str = "",
    catalogue: str = "",
) -> bytes:
    """A PDF of `pages`, each a sequence of lines, or what draws it; the font is F1.

    An encrypted one has an unknown password. `resources` and `attributes` are those of each page.
    """
    count = len(pages)
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
    info = " ".join(f"/{name} ({value})" for name, value in (properties or {}).items())
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {catalogue} >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, lines in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] {attributes} "
            f"/Resources << /Font << /F1 3 0 R >> {resources} >> /Contents {5 + 2 * number} 0 R >>"
        )
        objects.append(_content(lines))
    objects.append(f"<< {info} >>")
    if encrypted:
        objects.append(LOCK)
    return _assembled(objects, encrypted)


def _content(lines: Sequence[str] | str) -> str:
    if isinstance(lines, str):
        stream = lines
    else:
        shown = " ".join(f"({line}) Tj T*" for line in lines)
        stream = f"BT /F1 11 Tf 14 TL 60 780 Td {shown} ET"
    return f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream"


def _assembled(objects: Sequence[str], encrypted: bool) -> bytes:
    data = b"%PDF-1.4\n"
    places: list[int] = []
    for number, content in enumerate(objects, start=1):
        places.append(len(data))
        data += f"{number} 0 obj\n{content}\nendobj\n".encode("latin-1")
    info = len(objects) - encrypted
    lock = f" /Encrypt {len(objects)} 0 R /ID [<aa> <aa>]" if encrypted else ""
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = (
        f"xref\n0 {size}\n0000000000 65535 f \n{table}"
        f"trailer\n<< /Size {size} /Root 1 0 R /Info {info} 0 R{lock} >>\n"
        f"startxref\n{len(data)}\n%%EOF\n"
    )
    return data + end.encode()
