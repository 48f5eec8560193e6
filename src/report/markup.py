"""Quotations and tables of text from documents and models in a Markdown file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from ..base.markdown import address, cell, inline


def shortened(text: str, longest: int) -> str:
    """Return the beginning of `text` on one line, at most `longest` characters of it."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def quoted(text: str, longest: int = 600) -> str:
    """Words of a document in quotation marks, those beyond `longest` characters left out."""
    words = " ".join(text.split())
    shown = words if len(words) <= longest else f"{words[:longest]} […]"
    return f"“{inline(shown)}”"


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], links: Collection[str] = ()
) -> Iterator[str]:
    """The lines of a table; its cells are text that is made safe here.

    Those of the columns `links` are addresses, and links if they are addresses of the web.
    """
    yield _row(columns)
    yield _row(["---"] * len(columns))
    for row in rows:
        cells = zip(columns, row, strict=True)
        yield _row([address(text) if name in links else cell(text) for name, text in cells])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
