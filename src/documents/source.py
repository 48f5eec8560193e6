"""Where things stand: UTF-8 byte offsets, as the Markdown parser gives them, to characters."""

from __future__ import annotations

import bisect
import re

_LINE_END = re.compile(r"\r\n|\r|\n")
_UNPARSABLE = re.compile("[\x00\ud800-\udfff]")
_LONE_CR = re.compile(r"\r(?!\n)")
_STEP = 1024


class SourceText:
    """The part of a document that is parsed as Markdown, with its place in the whole.

    Args:
        text: The whole document, line ends kept.
        start: Where the Markdown begins (after a byte order mark and front matter).
    """

    def __init__(self, text: str, start: int = 0) -> None:
        # One character for one keeps every offset: lone surrogates have no UTF-8, NUL the parser
        # replaces itself, and a CR alone it does not take for a line end everywhere.
        self.text = _LONE_CR.sub("\n", _UNPARSABLE.sub("\ufffd", text))
        self.start = start
        self.markdown = self.text[start:]
        self._ascii = self.markdown.isascii()
        if not self._ascii:
            self._bytes = self.markdown.encode("utf-8")
            self._marks = self._checkpoints()

    def _checkpoints(self) -> list[int]:
        """The byte offset of every `_STEP`th character."""
        marks = [0]
        for at in range(0, len(self.markdown), _STEP):
            marks.append(marks[-1] + len(self.markdown[at : at + _STEP].encode("utf-8")))
        return marks

    def offset(self, byte: int) -> int:
        """The document's character offset of byte `byte` of the Markdown."""
        if self._ascii:
            return self.start + byte
        mark = bisect.bisect_right(self._marks, byte) - 1
        rest = self._bytes[self._marks[mark] : byte].decode("utf-8", "ignore")
        return self.start + min(mark * _STEP, len(self.markdown)) + len(rest)


def line_starts(text: str) -> tuple[int, ...]:
    """The offset of each line's first character; lines end in LF, CRLF or CR."""
    return (0, *(match.end() for match in _LINE_END.finditer(text)))
