"""Text, pages and properties of a PDF."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from itertools import accumulate

from pydantic import BaseModel, JsonValue

from ..base.confined import OutOfBounds, confined
from ..base.vocabulary import SourceState
from .failure import FetchFailed
from .model import Extraction, PageMetadata
from .pdf_visibility import seen_text
from .plain_text import clean, one_line

_SHORT_LINE = 30
_PAGE_BREAK = "\n\n"
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])[\x02\ufffe\u00ad]\r?\n(?=[^\W\d_])")
_BROKEN_OTHER = re.compile(r"[\x02\ufffe]\r?\n?")
MOST_LOOKED_AT = 1_000_000
"""Characters of a PDF that are read at most: to look at each word takes a second for 100,000."""
_PDF_DATE = re.compile(r"D:([0-9]{4})([0-9]{2})([0-9]{2})")


class _Record(BaseModel):
    """The answer of the reading process: the pages, or the reason why there are none."""

    pages: list[str] = []
    hidden: int = 0
    cut: bool = False
    properties: dict[str, str] = {}
    failed: str = ""


def read_pdf(
    body: bytes, max_characters: int, stop: Callable[[], bool], newest: date = date.max
) -> Extraction:
    """Read the pages in order until `max_characters` are passed, in a process of its own.

    No more than `MOST_LOOKED_AT` are.

    Args:
        body: The file.
        max_characters: Pages are read while the text is shorter.
        stop: Asked now and then; when it says true the reading is given up.
        newest: No date after this one is believed.

    Raises:
        FetchFailed: `no_text`: the file is damaged, encrypted, or takes too long or too much
            memory.
    """
    most = min(max_characters, MOST_LOOKED_AT)
    try:
        answer = confined(f"{__name__}:parse_pdf", body, most, stop=stop)
        record = _Record.model_validate(answer)
    except OutOfBounds as error:
        raise FetchFailed(SourceState.NO_TEXT, f"the PDF: {error.message}") from error
    if record.failed:
        raise FetchFailed(SourceState.NO_TEXT, record.failed)
    properties = record.properties
    about = PageMetadata(
        one_line(properties.get("Title", "")),
        one_line(properties.get("Author", "")),
        _pdf_date(properties.get("CreationDate", ""), newest),
        _pdf_date(properties.get("ModDate", ""), newest),
    )
    pages = [_page_text(page) for page in record.pages]
    ends = accumulate(len(page) + len(_PAGE_BREAK) for page in pages[:-1])
    starts = (0, *ends) if pages else ()
    text = _PAGE_BREAK.join(pages)
    return Extraction(text, about=about, pages=starts, cut=record.cut, hidden=record.hidden)


def parse_pdf(body: bytes, max_characters: int) -> JsonValue:
    """The pages of `body` as they are written, for `read_pdf`; called in another process."""
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(body) as document:
            pages: list[JsonValue] = []
            left, hidden = max_characters, 0
            for number in range(len(document)):
                if left < 0:
                    break
                page = document[number]
                text, unseen = seen_text(page)
                page.close()
                pages.append(text)
                left -= len(text)
                hidden += unseen
            cut = len(pages) < len(document)
            properties: dict[str, JsonValue] = dict(document.get_metadata_dict())
    except pypdfium2.PdfiumError as error:
        locked = "assword" in str(error)
        return {"failed": "the PDF is encrypted" if locked else "the PDF is damaged"}
    return {"pages": pages, "hidden": hidden, "cut": cut, "properties": properties}


def _page_text(raw: str) -> str:
    """The page's lines, with words and paragraphs that the layout broke joined again."""
    raw = _BROKEN_OTHER.sub("-", _BROKEN_WORD.sub("", raw))
    lines = [" ".join(line.split()) for line in clean(raw).split("\n")]
    width = max((len(line) for line in lines), default=0)
    joined: list[str] = []
    previous = ""
    for line in lines:
        if joined and _continues(previous, line, width):
            joined[-1] += " " + line
        else:
            joined.append(line)
        previous = line
    return "\n".join(joined).strip()


def _continues(previous: str, line: str, width: int) -> bool:
    """Whether `line` goes on with the sentence of the line before it.

    A full line that ends in a letter or comma goes on; so does what starts in lower case after a
    line that is not short. Rows of a table end in figures or are short.
    """
    if not previous or not line or len(previous) < max(0.6 * width, _SHORT_LINE):
        return False
    if line[0].islower():
        return previous[-1] not in ".:;"
    return len(previous) >= 0.8 * width and (previous[-1].isalpha() or previous[-1] == ",")


def _pdf_date(value: str, newest: date) -> date | None:
    match = _PDF_DATE.match(value)
    with suppress(ValueError):
        if match and (day := date(*map(int, match.groups()))) <= newest:
            return day
    return None
