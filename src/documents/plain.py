"""A block's text as a reader sees it: no markers, white space folded, every character located."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..base.as_read import SPELLED_OUT, UNSEEN, as_read
from .inline import Span

# White space other than one space, and characters that are not visible.
_ODD = rf"(?:[^\S ]|[{UNSEEN}]| (?=[\s{UNSEEN}]))[\s{UNSEEN}]*"
_SPECIAL = re.compile(f"{_ODD}|[{''.join(map(chr, SPELLED_OUT))}]")
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
            # The bar between two cells.
            writer.write(" | ", range(cell.start - 3, cell.start))
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

    def keep(self, start: int, end: int) -> None:
        """Add `visible[start:end]`, white space folded and short forms spelled out."""
        for special in _SPECIAL.finditer(self._visible, start, end):
            at = special.start()
            self._put(start, at)
            start = special.end()
            if spelled := SPELLED_OUT.get(ord(special[0][0])):
                self._put(at, start, spelled)
            elif any(map(str.isspace, special[0])) and self._last not in ("", " "):
                self.write(" ", [at])
        self._put(start, end)

    def cut(self, cut: Span) -> None:
        """Leave `cut` out; an empty one marks the start of a power."""
        if cut.start == cut.end:
            self.write("^", [cut.start])
        else:
            self._joint = cut.start

    def write(self, text: str, index: Iterable[int]) -> None:
        """Add `text` as it is; where each of its characters stands is in `index`."""
        self.parts.append(text)
        self.index.extend(index)
        self._last = text[-1]

    def _put(self, start: int, end: int, spelled: str = "") -> None:
        if start < end and self._visible[start] == " " and self._last in ("", " "):
            start += 1
        if start < end and self._joint is not None:
            # "In the U.S. [1]." has one full stop.
            doubled = self._visible[start] == "." == "".join(self.parts[-3:]).rstrip()[-1:]
            self._join(self._visible[start], self._joint)
            start += doubled
        if spelled:
            self.write(spelled, [start] * len(spelled))
        elif start < end:
            self.write(self._visible[start:end], range(start, end))

    def _join(self, following: str, at: int) -> None:
        """Close the gap that a marker left: no space before a comma, one between sentences."""
        if following in _CLOSING:
            self._drop_space()
        elif self._last in _ENDS_SENTENCE and following.isupper():
            self.write(" ", [at])
        self._joint = None

    def _drop_space(self) -> None:
        if self._last == " ":
            self.index.pop()
            shorter = self.parts.pop()[:-1]
            if shorter:
                self.parts.append(shorter)
            self._last = self.parts[-1][-1] if len(self.index) > self._begin else ""
