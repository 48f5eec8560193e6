"""A block's text as a reader sees it: no markers, white space folded, every character located."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..base.as_read import SPELLED_OUT, UNSEEN, as_read
from .inline import Span

# White space other than one space, and characters that are not visible.
_ODD = re.compile(rf"(?:[^\S ]|[{UNSEEN}]| (?=[\s{UNSEEN}]))[\s{UNSEEN}]*")
_SHORT_FORM = re.compile(f"[{''.join(map(chr, SPELLED_OUT))}]")
_CLOSING = frozenset(",.;:!?)]")
_ENDS_SENTENCE = frozenset(".!?")


@dataclass(frozen=True, slots=True)
class PlainText:
    """`text[i]` stands at `index[i]` of the block's visible text; `cells` as in a table row."""

    text: str
    index: array[int]
    cells: tuple[Span, ...] = ()


def plain_text(
    visible: str, gone: Iterable[Span], powers: Iterable[int] = (), cells: Sequence[Span] = ()
) -> PlainText:
    """`visible` as it is read, without the ranges `gone` and with "^" before each of `powers`.

    No range of `gone` may reach from one of `cells` into the next.
    """
    writer = _Writer(as_read(visible))
    cuts = _merged([*gone, *(Span(at, at) for at in powers)])
    spans: list[Span] = []
    number = 0
    for cell in cells or [Span(0, len(visible))]:
        if spans:
            writer.separator(cell.start - 3)
        begin = writer.begin()
        at = cell.start
        while number < len(cuts) and cuts[number].start < cell.end:
            writer.keep(at, cuts[number].start)
            writer.cut(cuts[number])
            at = cuts[number].end
            number += 1
        writer.keep(at, cell.end)
        spans.append(Span(begin, writer.end()))
    return PlainText("".join(writer.parts), writer.index, tuple(spans) if cells else ())


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start < merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


class _Writer:
    def __init__(self, visible: str) -> None:
        self.parts: list[str] = []
        self.index = array("i")
        self._visible = visible
        self._begin = 0
        self._last = ""
        self._joint: int | None = None

    def begin(self) -> int:
        """A cell begins; where in the plain text."""
        self._last, self._joint = "", None
        self._begin = len(self.index)
        return self._begin

    def end(self) -> int:
        """A cell ends; where in the plain text."""
        self._drop_space()
        return len(self.index)

    def separator(self, start: int) -> None:
        """The bar between two cells, which stands at `start` of the visible text."""
        self.parts.append(" | ")
        self.index.extend((start, start + 1, start + 2))

    def keep(self, start: int, end: int) -> None:
        """Add `visible[start:end]`, white space folded."""
        at = start
        for odd in _ODD.finditer(self._visible, start, end):
            self._put(at, odd.start())
            if any(map(str.isspace, odd[0])) and self._last not in ("", " "):
                self._add(" ", odd.start())
            at = odd.end()
        self._put(at, end)

    def cut(self, cut: Span) -> None:
        """Leave `cut` out; an empty one marks the start of a power."""
        if cut.start == cut.end:
            self._add("^", cut.start)
        else:
            self._joint = cut.start

    def _put(self, start: int, end: int) -> None:
        if start < end and self._visible[start] == " " and self._last in ("", " "):
            start += 1
        if start >= end:
            return
        if self._joint is not None:
            # "In the U.S. [1]." has one full stop.
            doubled = self._visible[start] == "." == "".join(self.parts[-3:]).rstrip()[-1:]
            self._join(self._visible[start])
            start += doubled
            if start >= end:
                return
        at = start
        shorts = () if self._visible.isascii() else _SHORT_FORM.finditer(self._visible, start, end)
        for short in shorts:
            spelled = SPELLED_OUT[ord(short[0])]
            self._write(self._visible[at : short.start()], range(at, short.start()))
            self._write(spelled, [short.start()] * len(spelled))
            at = short.end()
        self._write(self._visible[at:end], range(at, end))

    def _write(self, text: str, index: Iterable[int]) -> None:
        if text:
            self.parts.append(text)
            self.index.extend(index)
            self._last = text[-1]

    def _join(self, following: str) -> None:
        """Close the gap that a marker left: no space before a comma, one between sentences."""
        if following in _CLOSING:
            self._drop_space()
        elif self._last in _ENDS_SENTENCE and following.isupper() and self._joint is not None:
            self._add(" ", self._joint)
        self._joint = None

    def _add(self, char: str, at: int) -> None:
        self.parts.append(char)
        self.index.append(at)
        self._last = char

    def _drop_space(self) -> None:
        if self._last == " ":
            self.index.pop()
            shorter = self.parts.pop()[:-1]
            if shorter:
                self.parts.append(shorter)
            self._last = self.parts[-1][-1] if len(self.index) > self._begin else ""
