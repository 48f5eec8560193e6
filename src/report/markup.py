"""Text from documents and models in a Markdown file, where it does nothing but say what it says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..base.printable import printable

_MARKS = re.compile(r"[\\`*_\[\]<>|#&~]")
_ADDRESS = re.compile(r"https?://[!#-;=?-Z_a-z~%]{1,2000}", re.IGNORECASE)


def inline(text: str) -> str:
    """`text` on one line with nothing in it that Markdown, HTML or a terminal would act on."""
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", printable(" ".join(text.split())))


def quoted(text: str, longest: int = 600) -> str:
    """Words of a document in quotation marks, those beyond `longest` characters left out."""
    words = " ".join(text.split())
    shown = words if len(words) <= longest else f"{words[:longest]} […]"
    return f"“{inline(shown)}”"


def address(url: str) -> str:
    """`url` as a link if it is a web address, else as text."""
    return f"<{url}>" if _ADDRESS.fullmatch(url) else inline(url)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table; its cells are text that is made safe here."""
    yield _row(columns)
    yield _row(["---"] * len(columns))
    for row in rows:
        yield _row([inline(cell) for cell in row])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
