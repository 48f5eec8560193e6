"""The text of a PDF's page that a reader sees: what leaves marks on the rendered page.

White, covered, clipped or switched-off text and text beyond the page's edge leave none.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

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


@dataclass(frozen=True, slots=True)
class _Word:
    """Characters `[start, end)` with no space between them."""

    start: int
    end: int


def seen_text(page: pypdfium2.PdfPage) -> tuple[str, int]:
    """The text of `page` that can be seen, and how many characters are left out.

    A few words, such as the end of a line beyond the page's edge, are not counted.
    """
    _drop_replacements(page)
    layer = page.get_textpage()
    try:
        sight = _Sight(page, layer)
        hidden = [word for word in _words(layer) if not sight.shows(word)]
        if not hidden:
            return layer.get_text_range(), 0
        kept, at = list[str](), 0
        for word in (*hidden, _Word(layer.count_chars(), 0)):
            if word.start > at:
                kept.append(layer.get_text_range(at, word.start - at))
            at = word.end
        several = len(hidden) >= _LEAST_WORDS
        return "".join(kept), sum(word.end - word.start for word in hidden) if several else 0
    finally:
        layer.close()


def _drop_replacements(page: pypdfium2.PdfPage) -> None:
    """Read the letters that are drawn, not what the file says they stand for."""
    import pypdfium2.raw as pdfium

    for text in page.get_objects((pdfium.FPDF_PAGEOBJ_TEXT,), max_depth=_NESTED):
        for index in range(pdfium.FPDFPageObj_CountMarks(text)):
            mark = pdfium.FPDFPageObj_GetMark(text, index)
            pdfium.FPDFPageObjMark_RemoveParam(text, mark, _ACTUAL)


def _words(layer: pypdfium2.PdfTextPage) -> Iterator[_Word]:
    import pypdfium2.raw as pdfium

    def is_letter(index: int) -> bool:
        return not chr(pdfium.FPDFText_GetUnicode(layer, index)).isspace()

    for letters, run in groupby(range(layer.count_chars()), is_letter):
        if letters:
            first, *others = run
            yield _Word(first, first + len(others) + 1)


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

    def shows(self, word: _Word) -> bool:
        """Whether the word's letters have a size, are painted, and leave marks."""
        left, low, right, high = self._layer.get_charbox(word.start, loose=True)
        if max(high - low, right - left) < _LEAST_HEIGHT:
            return False
        rows = self._rows(word)
        levels = b"".join(rows)
        if not levels or max(levels) - min(levels) < _LEAST_DIFFERENCE:
            return False
        edge, _ = Counter(rows[0] + rows[-1]).most_common(1)[0]
        return self._is_painted(word.start, edge)

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

    def _rows(self, word: _Word) -> list[bytes]:
        """The pixels of the word, and one round it, from the top."""
        first, last = (self._layer.get_charbox(at) for at in (word.start, word.end - 1))
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
