"""Bytes to text: one entry for every kind of source. Runs in a worker thread."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from datetime import date
from typing import TYPE_CHECKING, assert_never

from ..base.vocabulary import SourceState
from .failure import FetchFailed
from .plain_text import clean, decode, one_line, rows_as_lines
from .policy import Limits, TextKind

if TYPE_CHECKING:
    from .html_text import PageSignals

_HEADING = re.compile(r"^# +([^\n]+)", re.M)

# What parsers raise on input that they were not made for, besides errors of their own.
_PARSER_FAULTS = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Extraction:
    """The text of a source, cut to the longest allowed, and what the source says of itself.

    `cut` tells that text was left out; `pages` is as in `Snapshot`.
    """

    text: str
    _: KW_ONLY
    title: str = ""
    author: str = ""
    published: date | None = None
    modified: date | None = None
    pages: tuple[int, ...] = ()
    signals: PageSignals | None = None
    cut: bool = False


def extract(
    body: bytes,
    kind: TextKind,
    limits: Limits,
    *,
    charset: str = "",
    newest: date = date.max,
    stop: Callable[[], bool] = lambda: False,
) -> Extraction:
    """Read the text out of `body`.

    Args:
        body: The bytes as stored.
        kind: How they are read.
        limits: Bounds the markup read and the text kept.
        charset: As declared by the server.
        newest: No date after this one is believed.
        stop: Asked now and then; true gives up.

    Raises:
        FetchFailed: `no_text` if there is none or the bytes are damaged, `too_large` for markup
            beyond its bound.
    """
    try:
        found = _read(body, kind, limits, charset, newest, stop)
    except _PARSER_FAULTS as error:
        reason = f"its {kind} could not be read ({type(error).__name__})"
        raise FetchFailed(SourceState.NO_TEXT, reason) from error
    if not found.text.strip():
        raise FetchFailed(SourceState.NO_TEXT, f"there is no text in the {kind}")
    return found


def _read(
    body: bytes,
    kind: TextKind,
    limits: Limits,
    charset: str,
    newest: date,
    stop: Callable[[], bool],
) -> Extraction:
    longest = limits.text_characters
    match kind:
        case TextKind.HTML:
            if len(body) > limits.markup_bytes:
                reason = f"its markup is larger than {limits.markup_bytes:,} bytes"
                raise FetchFailed(SourceState.TOO_LARGE, reason)
            return _from_html(decode(body, charset, markup=True), newest, longest)
        case TextKind.PDF:
            return _from_pdf(body, newest, longest, stop)
        case TextKind.CSV:
            text = rows_as_lines(clean(decode(body, charset)[: longest + 1]))
            return Extraction(text[:longest], cut=len(text) > longest)
        case TextKind.TEXT | TextKind.MARKDOWN | TextKind.JSON:
            text = clean(decode(body, charset)[: longest + 1])
            heading = _HEADING.search(text[:20_000]) if kind is TextKind.MARKDOWN else None
            title = one_line(heading[1]) if heading else ""
            return Extraction(text[:longest], title=title, cut=len(text) > longest)
        case _:
            assert_never(kind)


# The two readers are imported when they are needed: the libraries that they import take long to
# load, and `import foureyes` must stay fast.


def _from_html(markup: str, newest: date, longest: int) -> Extraction:
    from .html_text import read_html

    page = read_html(markup, newest)
    return Extraction(
        page.text[:longest],
        title=page.title,
        author=page.author,
        published=page.published,
        modified=page.modified,
        signals=page.signals,
        cut=len(page.text) > longest,
    )


def _from_pdf(body: bytes, newest: date, longest: int, stop: Callable[[], bool]) -> Extraction:
    from .pdf_text import read_pdf

    pdf = read_pdf(body, longest, stop)
    published, modified = (
        day if day is not None and day <= newest else None for day in (pdf.published, pdf.modified)
    )
    return Extraction(
        pdf.text[:longest],
        title=pdf.title,
        author=pdf.author,
        published=published,
        modified=modified,
        pages=tuple(start for start in pdf.pages if start <= longest),
        cut=len(pdf.text) > longest,
    )
