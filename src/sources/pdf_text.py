"""Text, pages and properties of a PDF; only what leaves marks on the rendered page is read.

White, covered, clipped or switched-off text and text beyond the page's edge leave none.
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from pydantic import BaseModel, JsonValue

from ..base.confined import OutOfBounds, confined
from ..base.vocabulary import SourceState
from .failure import FetchFailed
from .model import Extraction, PageMetadata
from .plain_text import clean, one_line

if TYPE_CHECKING:
    import pypdfium2

_LONGEST_SIDE = 1000.0
"""Pixels of the rendered page at most; below that a point is a pixel."""
_LEAST_DIFFERENCE = 16
"""Levels of grey, of 255, between letters and their ground."""
_LEAST_HEIGHT = 2.0
"""Points of the smallest letters; as in pages, `visibility.py`."""
_LEAST_ALPHA = 13
_LEAST_WORDS = 5
_NESTED = 5
_ACTUAL = b"ActualText"
_FINE, _FAR = 64, 1000

Pair = tuple[float, float]


def seen_text(page: pypdfium2.PdfPage) -> tuple[str, int]:
    """The text of `page` that can be seen, and how many characters are left out.

    A few words, such as the end of a line beyond the page's edge, are not counted.
    """
    import pypdfium2.raw as pdfium

    # Read the letters that are drawn, not what the file says they stand for.
    for text in page.get_objects((pdfium.FPDF_PAGEOBJ_TEXT,), max_depth=_NESTED):
        for index in range(pdfium.FPDFPageObj_CountMarks(text)):
            mark = pdfium.FPDFPageObj_GetMark(text, index)
            pdfium.FPDFPageObjMark_RemoveParam(text, mark, _ACTUAL)
    layer = page.get_textpage()
    try:
        sight = _Sight(page, layer)
        hidden = [word for word in _words(layer) if not sight.shows(*word)]
        if not hidden:
            return layer.get_text_range(), 0
        kept, at = list[str](), 0
        for start, end in (*hidden, (layer.count_chars(), 0)):
            if start > at:
                kept.append(layer.get_text_range(at, start - at))
            at = end
        several = len(hidden) >= _LEAST_WORDS
        return "".join(kept), sum(end - start for start, end in hidden) if several else 0
    finally:
        layer.close()


def _words(layer: pypdfium2.PdfTextPage) -> Iterator[tuple[int, int]]:
    """Where characters begin and end with no space between them."""
    import pypdfium2.raw as pdfium

    def is_letter(index: int) -> bool:
        return not chr(pdfium.FPDFText_GetUnicode(layer, index)).isspace()

    for letters, run in groupby(range(layer.count_chars()), is_letter):
        if letters:
            first, *others = run
            yield first, first + len(others) + 1


class _Sight:
    """What the rendered page shows at a place."""

    def __init__(self, page: pypdfium2.PdfPage, layer: pypdfium2.PdfTextPage) -> None:
        self._page, self._layer = page, layer
        scale = min(1.0, _LONGEST_SIDE / max(*page.get_size(), 1.0))
        bitmap = page.render(scale=scale, grayscale=True)
        self._width, self._height = bitmap.width, bitmap.height
        self._stride, self._pixels = bitmap.stride, bytes(bitmap.buffer)
        self._map = _mapping(page, bitmap.width, bitmap.height)
        bitmap.close()

    def shows(self, start: int, end: int) -> bool:
        """Whether a word's letters have a size, are painted, and leave marks."""
        left, low, right, high = self._layer.get_charbox(start, loose=True)
        if max(high - low, right - left) < _LEAST_HEIGHT:
            return False
        rows = self._rows(start, end)
        levels = b"".join(rows)
        if not levels or max(levels) - min(levels) < _LEAST_DIFFERENCE:
            return False
        edge, _ = Counter(rows[0] + rows[-1]).most_common(1)[0]
        return self._is_painted(start, edge)

    def _is_painted(self, character: int, ground: int) -> bool:
        """False for text in the colour of its ground, and for text without a colour.

        A scan has the second behind its picture.
        """
        import pypdfium2.raw as pdfium

        text = pdfium.FPDFText_GetTextObject(self._layer, character)
        mode = pdfium.FPDFTextObj_GetTextRenderMode(text)
        if mode in (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP):
            pictures = self._page.get_objects((pdfium.FPDF_PAGEOBJ_IMAGE,), max_depth=_NESTED)
            return any(True for _ in pictures)
        parts = [ctypes.c_uint(255) for _ in range(4)]
        solid = pdfium.FPDFText_GetFillColor(self._layer, character, *parts)
        red, green, blue, alpha = (part.value for part in parts)
        if mode != pdfium.FPDF_TEXTRENDERMODE_FILL or not solid:
            return True
        level = 0.299 * red + 0.587 * green + 0.114 * blue
        return alpha >= _LEAST_ALPHA and abs(level - ground) >= _LEAST_DIFFERENCE

    def _rows(self, start: int, end: int) -> list[bytes]:
        """The pixels of the word, and one round it, from the top."""
        first, last = (self._layer.get_charbox(at) for at in (start, end - 1))
        corners = [self._pixel(*at) for box in (first, last) for at in (box[:2], box[2:])]
        columns, rows = zip(*corners, strict=True)
        left, right = max(0, min(columns) - 1), max(0, min(self._width, max(columns) + 2))
        top, bottom = max(0, min(rows) - 1), min(self._height, max(rows) + 2)
        return [
            self._pixels[row * self._stride + left : row * self._stride + right]
            for row in range(top, bottom)
        ]

    def _pixel(self, x: float, y: float) -> tuple[int, int]:
        (column, row), (right, down), (across, up) = self._map
        return int(column + x * right + y * across), int(row + x * down + y * up)


def _mapping(page: pypdfium2.PdfPage, width: int, height: int) -> tuple[Pair, Pair, Pair]:
    """The pixel of the page's origin, and what a point to the right and a point up add to it."""
    import pypdfium2.raw as pdfium

    def place(x: int, y: int) -> Pair:
        column, row = ctypes.c_int(), ctypes.c_int()
        size = width * _FINE, height * _FINE
        pdfium.FPDF_PageToDevice(page, 0, 0, *size, 0, x, y, column, row)
        return column.value / _FINE, row.value / _FINE

    zero, *ends = place(0, 0), place(_FAR, 0), place(0, _FAR)
    right, up = (((x - zero[0]) / _FAR, (y - zero[1]) / _FAR) for x, y in ends)
    return zero, right, up


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
